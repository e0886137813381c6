-- Whether it is late, whether a day is known on which it is due, and whether nothing was made anew of
-- its transaction that may stand in the place of that: what was refused or cancelled does not. NULL:
-- any.
  AND (CAST(:overdue AS bigint) IS NULL OR a.overdue = :overdue)
  AND (CAST(:is_due AS bigint) IS NULL
       OR CAST(:is_due AS bigint) = CASE WHEN a.expected_by IS NULL THEN 0 ELSE 1 END)
  AND (CAST(:is_open AS bigint) IS NULL OR CAST(:is_open AS bigint) = CASE WHEN EXISTS (
         SELECT 1 FROM transactions_scoped AS s WHERE s.parent_id = a.transaction_id
           AND s.delivery_status NOT IN ('cancelled', 'not_applicable')) THEN 0 ELSE 1 END)
