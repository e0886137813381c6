-- name: claim_outbox
-- Leases entries that are due, the longest due first, and counts their attempts; in no order.
-- The three states are the condition of the index on due_at, which is used only if it is repeated.
-- What another claim holds is passed over. The rows are locked where the conditions are, so that
-- they are judged anew if a row was changed meanwhile; MATERIALIZED keeps the limit.
WITH claimed AS MATERIALIZED (
    SELECT o.id FROM outbox AS o
      WHERE o.state IN ('due', 'leased', 'held') AND o.state <> 'held' AND o.due_at <= :now
        AND (CAST(:kinds AS text) IS NULL OR replace(:kinds, ' ' || o.kind || ' ', '') <> :kinds)
        AND NOT EXISTS (
            SELECT 1 FROM outbox_scoped AS earlier
            WHERE earlier.account_id = o.account_id AND earlier.environment = o.environment
              AND earlier.order_key = o.order_key AND earlier.id < o.id
              AND earlier.state IN ('due', 'leased', 'held')
        )
        AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = o.id)
      ORDER BY o.due_at, o.id
      LIMIT :most
      FOR UPDATE OF o SKIP LOCKED
)
UPDATE outbox
SET state = 'leased', due_at = :until, lease_owner = :owner, attempt = attempt + 1,
    updated_at = :now
FROM claimed
WHERE outbox.id = claimed.id
RETURNING outbox.id, outbox.account_id, outbox.environment, outbox.kind, outbox.due_at,
          outbox.partner_id, outbox.order_key, outbox.interchange_id, outbox.transaction_id,
          outbox.receipt_id, outbox.ack_id, outbox.state, outbox.attempt,
          outbox.trial_of, outbox.lease_owner, outbox.created_at, outbox.updated_at;
