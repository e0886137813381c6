-- Behind the choice of a page, which an index has all of: its rows alone are read.
) AS page
CROSS JOIN transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE t.id = page.id
ORDER BY t.created_at DESC, t.id DESC;
