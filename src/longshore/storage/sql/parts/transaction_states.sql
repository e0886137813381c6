-- What a list narrows by, without what single documents are found by; NULL: any. All of it is
-- in the indexes that the lists walk, but for what was made of it, which has one of its own.
  AND (CAST(:directions AS text) IS NULL
       OR replace(:directions, ' ' || t.direction || ' ', '') <> :directions)
  AND (CAST(:tx_sets AS text) IS NULL
       OR (replace(:tx_sets, ' ' || t.tx_set || ' ', '') <> :tx_sets
           AND t.tx_set NOT LIKE '% %'))
  AND (CAST(:partner_ids AS text) IS NULL
       OR replace(:partner_ids, ' ' || t.partner_id || ' ', '') <> :partner_ids)
  AND (CAST(:processing AS text) IS NULL
       OR replace(:processing, ' ' || t.processing_status || ' ', '') <> :processing)
  AND (CAST(:validation AS text) IS NULL
       OR replace(:validation, ' ' || t.validation_status || ' ', '') <> :validation)
  AND (CAST(:delivery AS text) IS NULL
       OR replace(:delivery, ' ' || t.delivery_status || ' ', '') <> :delivery)
  AND (CAST(:ack AS text) IS NULL OR replace(:ack, ' ' || t.ack_status || ' ', '') <> :ack)
  AND (CAST(:statuses AS text) IS NULL OR replace(:statuses, ' ' || CASE
         WHEN t.direction = 'outbound' THEN CASE
           WHEN t.delivery_status = 'cancelled' THEN 'cancelled'
           WHEN t.ack_status = 'rejected' THEN 'rejected'
           WHEN t.ack_status IN ('accepted', 'accepted_with_errors', 'partially_accepted')
             THEN 'acknowledged'
           WHEN t.delivery_status IN ('failed', 'held', 'delivered', 'sent', 'sending')
             THEN t.delivery_status
           WHEN t.validation_status = 'invalid' AND t.delivery_status = 'not_applicable'
             THEN 'invalid'
           ELSE 'queued' END
         WHEN t.processing_status <> 'done' THEN t.processing_status
         WHEN t.validation_status = 'invalid' THEN 'invalid'
         ELSE 'processed' END || ' ', '') <> :statuses)
  AND (CAST(:is_open AS bigint) IS NULL OR CAST(:is_open AS bigint) = CASE WHEN EXISTS (
         SELECT 1 FROM transactions_scoped AS s WHERE s.parent_id = t.id
-- part: made_anew
       ) THEN 0 ELSE 1 END)
