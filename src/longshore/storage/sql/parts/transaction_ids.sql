-- The ids that match a search, possibly repeated; each condition has its own index. NULL: not used.
-- First those of partners, who may have any number: whoever counts a few is told of it at once.
SELECT t.id FROM partners_scoped AS p CROSS JOIN transactions_scoped AS t
WHERE substr(p.folded_name, 1, length(CAST(:search_prefix AS text))) = :search_prefix
  AND t.partner_id = p.id AND t.environment IN ('production', 'sandbox')
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.id = CAST(:search_id AS bigint)
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.isa_control_number = CAST(:search_number AS text)
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.gs_control_number = CAST(:search_number AS text)
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.st_control_number = CAST(:search_number AS text)
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.parent_id = CAST(:search_parent AS bigint)
UNION ALL
SELECT r.transaction_id FROM transaction_references_scoped AS r WHERE r.digest = :search_test
UNION ALL
SELECT r.transaction_id FROM transaction_references_scoped AS r WHERE r.digest = :search_live
