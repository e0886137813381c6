-- What a list narrows by; NULL: any. is_due: whether a day is known on which it is owed. is_open:
-- whether its transaction was not made anew.
  AND (CAST(:statuses AS text) IS NULL
       OR replace(:statuses, ' ' || a.status || ' ', '') <> :statuses)
  AND (CAST(:results AS text) IS NULL
       OR replace(:results, ' ' || a.result || ' ', '') <> :results)
  AND (CAST(:ack_types AS text) IS NULL
       OR replace(:ack_types, ' ' || a.ack_type || ' ', '') <> :ack_types)
  AND (CAST(:direction AS text) IS NULL OR a.direction = :direction)
  AND (CAST(:partner_id AS bigint) IS NULL OR a.partner_id = :partner_id)
  AND (CAST(:transaction_id AS bigint) IS NULL OR a.transaction_id = :transaction_id)
  AND (CAST(:tx_sets AS text) IS NULL
       OR (replace(:tx_sets, ' ' || a.tx_set || ' ', '') <> :tx_sets
           AND a.tx_set NOT LIKE '% %'))
  AND (CAST(:overdue AS bigint) IS NULL OR a.overdue = :overdue)
  AND (CAST(:is_due AS bigint) IS NULL
       OR CAST(:is_due AS bigint) = CASE WHEN a.expected_by IS NULL THEN 0 ELSE 1 END)
  AND (CAST(:is_open AS bigint) IS NULL OR CAST(:is_open AS bigint) = CASE WHEN EXISTS (
         SELECT 1 FROM transactions_scoped AS s WHERE s.parent_id = a.transaction_id
-- part: made_anew
       ) THEN 0 ELSE 1 END)
  AND (CAST(:complaint AS text) IS NULL OR (:complaint = '' AND a.complaints = '')
       OR replace(a.complaints, ' ' || :complaint || ' ', '') <> a.complaints)
