-- name: insert_outbox_entry^
-- Stores an entry, which is the first of its order if nothing else of it is open; returns its id.
INSERT INTO outbox (account_id, environment, kind, partner_id, order_key, state, due_at, attempt,
                    interchange_id, transaction_id, receipt_id, ack_id, created_at, updated_at,
                    is_first)
VALUES (:account_id, :environment, :kind, :partner_id, :order_key, :state, :due_at, 0,
        :interchange_id, :transaction_id, :receipt_id, :ack_id, :now, :now, (
    SELECT 1 - count(*) FROM (
        SELECT o.id FROM outbox AS o
        WHERE o.account_id = :account_id AND o.environment = :environment
          AND o.order_key = :order_key AND o.state IN ('due', 'leased', 'held')
        LIMIT 1
) AS earlier))
RETURNING id;

-- name: let_following_be_first!
-- Makes the first open entry of an order behind this one claimable.
UPDATE outbox SET is_first = 1
FROM (
    SELECT o.id AS following_id FROM outbox_scoped AS o
      WHERE o.account_id = :account_id AND o.environment = :environment
        AND o.order_key = :order_key AND o.id > :entry_id AND o.state IN ('due', 'leased', 'held')
      ORDER BY o.id
      LIMIT 1
) AS following
WHERE outbox.id = following.following_id;

-- name: finish_outbox_entry^
-- Ends an entry; returns its order, or no row if the lease is another's.
UPDATE outbox SET state = :state, lease_owner = NULL, updated_at = :now
WHERE id = :entry_id AND attempt = :attempt AND state = 'leased'
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING account_id, environment, order_key;

-- name: put_back_outbox_entry^
-- Gives a lease back; returns the order, or no row if another worker has the lease.
UPDATE outbox SET state = :state, due_at = :due_at, lease_owner = NULL, updated_at = :now
WHERE id = :entry_id AND attempt = :attempt AND state = 'leased'
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING account_id, environment, order_key;

-- name: change_waiting_entry^
-- Holds, lets go or cancels an entry that nobody has leased; returns its order.
UPDATE outbox SET state = :state, due_at = :due_at, updated_at = :now
WHERE id = :entry_id AND state = :start AND state <> 'leased'
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING account_id, environment, order_key;

-- name: claim_following_entry^
-- Leases the first open entry of an order key, if it is due, and counts its attempt.
UPDATE outbox
SET state = 'leased', due_at = :until, lease_owner = :owner, attempt = attempt + 1,
    updated_at = :now
FROM (
    SELECT o.id AS first_id FROM outbox_scoped AS o
      WHERE o.account_id = :account_id AND o.environment = :environment
        AND o.order_key = :order_key AND o.state IN ('due', 'leased', 'held')
      ORDER BY o.id
      LIMIT 1
) AS waiting
WHERE outbox.id = waiting.first_id AND outbox.state = 'due' AND outbox.due_at <= :now
RETURNING id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
          transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner,
          created_at, updated_at;

-- name: find_oldest_due^
-- Since when the entry is due that is due longest and waits behind no other.
SELECT min(due_at) AS due_at
FROM (
    SELECT due_at FROM (
        SELECT o.due_at FROM outbox_scoped AS o
        WHERE o.state IN ('due', 'leased') AND o.is_first = 1
          AND o.kind IN ('document', 'acknowledgement') AND o.due_at <= :now
-- part: no_earlier_entry
        ORDER BY o.due_at, o.id
        LIMIT 1
    ) AS delivery
    UNION ALL
    SELECT due_at FROM (
        SELECT o.due_at FROM outbox_scoped AS o
        WHERE o.state IN ('due', 'leased') AND o.is_first = 1
          AND o.kind NOT IN ('document', 'acknowledgement', 'webhook') AND o.due_at <= :now
-- part: no_earlier_entry
        ORDER BY o.due_at, o.id
        LIMIT 1
    ) AS other
) AS oldest_of_each;

-- name: claim_outbox
-- Leases entries that are due and counts their attempts; returned in no order. First come so many
-- deliveries, then so many others, then what has been due longest.
-- The conditions are those of the indexes of what is ready. Among it may be what waits all the
-- same, as the trial of an entry that was made due again.
-- There is one writer, so nobody else is about to take the same.
UPDATE outbox
SET state = 'leased', due_at = :until, lease_owner = :owner, attempt = attempt + 1,
    updated_at = :now
FROM (
    SELECT ready.id AS claimed_id
    FROM (
        SELECT id, due_at, 2 * (row_number() OVER (ORDER BY due_at, id) <= :deliveries) AS reserved
        FROM (
            SELECT o.id, o.due_at FROM outbox_scoped AS o
            WHERE o.state IN ('due', 'leased') AND o.is_first = 1
              AND o.kind IN ('document', 'acknowledgement') AND o.due_at <= :now
-- part: no_earlier_entry
            ORDER BY o.due_at, o.id
            LIMIT :most
        ) AS delivery
        UNION ALL
        SELECT id, due_at, row_number() OVER (ORDER BY due_at, id) <= :others AS reserved
        FROM (
            SELECT o.id, o.due_at FROM outbox_scoped AS o
            WHERE o.state IN ('due', 'leased') AND o.is_first = 1
              AND o.kind NOT IN ('document', 'acknowledgement', 'webhook') AND o.due_at <= :now
-- part: no_earlier_entry
            ORDER BY o.due_at, o.id
            LIMIT :most
        ) AS other
    ) AS ready
    ORDER BY ready.reserved DESC, ready.due_at, ready.id
    LIMIT :most
) AS claimed
WHERE outbox.id = claimed.claimed_id
RETURNING id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
          transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner,
          created_at, updated_at;

-- name: claim_webhooks
-- Leases calls of webhooks that are due, the longest due first, and counts their attempts.
UPDATE outbox
SET state = 'leased', due_at = :until, lease_owner = :owner, attempt = attempt + 1,
    updated_at = :now
FROM (
    SELECT o.id AS claimed_id FROM outbox_scoped AS o
    WHERE o.state IN ('due', 'leased') AND o.is_first = 1 AND o.kind = 'webhook'
      AND o.due_at <= :now
    ORDER BY o.due_at, o.id
    LIMIT :most
) AS claimed
WHERE outbox.id = claimed.claimed_id
RETURNING id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
          transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner,
          created_at, updated_at;
