-- The ids of what is sought, some of them twice; each way has an index of its own. NULL: not that way.
-- First those of partners, who may have any number: whoever counts a few is told of it at once.
SELECT t.id FROM partners_scoped AS p CROSS JOIN transactions_scoped AS t
WHERE substr(p.folded_name, 1, length(CAST(:sought_prefix AS text))) = :sought_prefix
  AND t.partner_id = p.id AND t.environment IN ('production', 'sandbox')
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.id = CAST(:sought_id AS bigint)
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.isa_control_number = CAST(:sought_number AS text)
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.gs_control_number = CAST(:sought_number AS text)
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.st_control_number = CAST(:sought_number AS text)
UNION ALL
SELECT t.id FROM transactions_scoped AS t WHERE t.parent_id = CAST(:sought_parent AS bigint)
UNION ALL
SELECT r.transaction_id FROM transaction_references_scoped AS r WHERE r.digest = :sought_test
UNION ALL
SELECT r.transaction_id FROM transaction_references_scoped AS r WHERE r.digest = :sought_live
