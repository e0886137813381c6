-- name: claim_outbox
-- Leases entries that are due, the longest due first, and counts their attempts; in no order.
-- The three states are the condition of the index on due_at, which is used only if it is repeated.
-- There is one writer, so nobody else is about to take the same.
UPDATE outbox
SET state = 'leased', due_at = :until, lease_owner = :owner, attempt = attempt + 1,
    updated_at = :now
FROM (
    SELECT o.id AS claimed_id FROM outbox_scoped AS o
      WHERE o.state IN ('due', 'leased', 'held') AND o.state <> 'held' AND o.due_at <= :now
        AND (CAST(:kinds AS text) IS NULL OR replace(:kinds, ' ' || o.kind || ' ', '') <> :kinds)
        AND NOT EXISTS (
            SELECT 1 FROM outbox_scoped AS earlier
            WHERE earlier.account_id = o.account_id AND earlier.environment = o.environment
              AND earlier.order_key = o.order_key AND earlier.id < o.id
              AND earlier.state IN ('due', 'leased', 'held')
        )
      ORDER BY o.due_at, o.id
      LIMIT :most
) AS claimed
WHERE outbox.id = claimed.claimed_id
RETURNING id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
          transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner,
          created_at, updated_at;
