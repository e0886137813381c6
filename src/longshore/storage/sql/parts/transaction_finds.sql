-- What single documents are found by; NULL: any.
  AND (CAST(:control_number AS text) IS NULL
       OR :control_number IN (t.isa_control_number, t.gs_control_number, t.st_control_number))
  AND (CAST(:by_key AS bigint) = 0 OR t.id IN (
         SELECT r.transaction_id FROM transaction_references_scoped AS r
         WHERE r.digest = :key_test OR r.digest = :key_live))
  AND (CAST(:q AS text) IS NULL OR t.id = CAST(:q_id AS bigint)
       OR :q IN (t.isa_control_number, t.gs_control_number, t.st_control_number)
       OR substr(p.folded_name, 1, length(CAST(:q_prefix AS text))) = :q_prefix
       OR t.id IN (
         SELECT r.transaction_id FROM transaction_references_scoped AS r
         WHERE r.digest = :q_test OR r.digest = :q_live))
  AND (CAST(:parent_id AS bigint) IS NULL OR t.parent_id = :parent_id)
