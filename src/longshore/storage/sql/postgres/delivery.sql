-- An insert locks the first entry of its order FOR KEY SHARE, and what ends that entry waits for it
-- by FOR UPDATE: so the second of both sees the first, and the order always has a first entry that
-- may be claimed. Claims and renewals of leases lock less, and do not wait for inserts.
--
-- What is first in an order is found by a range of the index of orders: the planner takes that
-- whatever it expects to find. Else it may walk all ids, to the end if the order is empty.

-- name: insert_outbox_entry^
-- Stores an entry, which is the first of its order if nothing else of it is open; returns its id.
INSERT INTO outbox (account_id, environment, kind, partner_id, order_key, state, due_at, attempt,
                    interchange_id, transaction_id, receipt_id, ack_id, created_at, updated_at,
                    is_first)
VALUES (:account_id, :environment, :kind, :partner_id, :order_key, :state, :due_at, 0,
        :interchange_id, :transaction_id, :receipt_id, :ack_id, :now, :now, (
    SELECT 1 - count(*) FROM (
        SELECT o.id FROM outbox AS o
        WHERE (o.account_id, o.environment, o.order_key, o.id)
              > (:account_id, :environment, :order_key, 0)
          AND (o.account_id, o.environment, o.order_key)
              <= (:account_id, :environment, :order_key)
          AND o.state IN ('due', 'leased', 'held')
        ORDER BY o.account_id, o.environment, o.order_key, o.id
        LIMIT 1
        FOR KEY SHARE OF o
) AS earlier))
RETURNING id;

-- name: let_following_be_first!
-- Makes the first open entry of an order behind this one claimable.
WITH following AS MATERIALIZED (
    SELECT o.id FROM outbox AS o
      WHERE (o.account_id, o.environment, o.order_key, o.id)
            > (:account_id, :environment, :order_key, :entry_id)
        AND (o.account_id, o.environment, o.order_key)
            <= (:account_id, :environment, :order_key)
        AND o.state IN ('due', 'leased', 'held')
        AND EXISTS (SELECT 1 FROM outbox_scoped AS visible WHERE visible.id = o.id)
      ORDER BY o.account_id, o.environment, o.order_key, o.id
      LIMIT 1
      FOR NO KEY UPDATE OF o
)
UPDATE outbox SET is_first = 1
FROM following
WHERE outbox.id = following.id;

-- name: finish_outbox_entry^
-- Ends an entry; returns its order, or no row if the lease is another's.
WITH mine AS MATERIALIZED (
    SELECT o.id FROM outbox AS o
      WHERE o.id = :entry_id AND o.attempt = :attempt AND o.state = 'leased'
        AND EXISTS (SELECT 1 FROM outbox_scoped AS visible WHERE visible.id = o.id)
      LIMIT 1
      FOR UPDATE OF o
)
UPDATE outbox SET state = :state, lease_owner = NULL, updated_at = :now
FROM mine
WHERE outbox.id = mine.id
RETURNING outbox.account_id, outbox.environment, outbox.order_key;

-- name: put_back_outbox_entry^
-- Gives a lease back; returns the order, or no row if another worker has the lease.
WITH mine AS MATERIALIZED (
    SELECT o.id FROM outbox AS o
      WHERE o.id = :entry_id AND o.attempt = :attempt AND o.state = 'leased'
        AND EXISTS (SELECT 1 FROM outbox_scoped AS visible WHERE visible.id = o.id)
      LIMIT 1
      FOR UPDATE OF o
)
UPDATE outbox SET state = :state, due_at = :due_at, lease_owner = NULL, updated_at = :now
FROM mine
WHERE outbox.id = mine.id
RETURNING outbox.account_id, outbox.environment, outbox.order_key;

-- name: change_waiting_entry^
-- Holds, lets go or cancels an entry that nobody has leased; returns its order.
WITH mine AS MATERIALIZED (
    SELECT o.id FROM outbox AS o
      WHERE o.id = :entry_id AND o.state = :start AND o.state <> 'leased'
        AND EXISTS (SELECT 1 FROM outbox_scoped AS visible WHERE visible.id = o.id)
      LIMIT 1
      FOR UPDATE OF o
)
UPDATE outbox SET state = :state, due_at = :due_at, updated_at = :now
FROM mine
WHERE outbox.id = mine.id
RETURNING outbox.account_id, outbox.environment, outbox.order_key;

-- name: claim_following_entry^
-- Leases the first open entry of an order key, if it is due, and counts its attempt.
UPDATE outbox
SET state = 'leased', due_at = :until, lease_owner = :owner, attempt = attempt + 1,
    updated_at = :now
FROM (
    SELECT o.id AS first_id FROM outbox_scoped AS o
      WHERE (o.account_id, o.environment, o.order_key, o.id)
            > (:account_id, :environment, :order_key, 0)
        AND (o.account_id, o.environment, o.order_key)
            <= (:account_id, :environment, :order_key)
        AND o.state IN ('due', 'leased', 'held')
      ORDER BY o.account_id, o.environment, o.order_key, o.id
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
        SELECT o.due_at
        FROM outbox_scoped AS o
-- part: earlier_entry
        WHERE o.state IN ('due', 'leased') AND o.is_first = 1
          AND o.kind IN ('document', 'acknowledgement') AND o.due_at <= :now
          AND earlier.id IS NULL
        ORDER BY o.due_at, o.id
        LIMIT 1
    ) AS delivery
    UNION ALL
    SELECT due_at FROM (
        SELECT o.due_at
        FROM outbox_scoped AS o
-- part: earlier_entry
        WHERE o.state IN ('due', 'leased') AND o.is_first = 1
          AND o.kind NOT IN ('document', 'acknowledgement', 'webhook') AND o.due_at <= :now
          AND earlier.id IS NULL
        ORDER BY o.due_at, o.id
        LIMIT 1
    ) AS other
) AS oldest_of_each;

-- name: claim_outbox
-- Leases entries that are due and counts their attempts; returned in no order. First come so many
-- deliveries, then so many others, then what has been due longest.
-- The conditions are those of the indexes of what is ready. Among it may be what waits all the
-- same: the trial of an entry that was made due again, or one of two that were stored at once.
-- What another claim holds is passed over. The rows are locked where the conditions are, so that
-- they are judged anew if a row was changed meanwhile; MATERIALIZED keeps the limit.
WITH delivery AS MATERIALIZED (
    SELECT o.id, o.due_at
    FROM outbox AS o
-- part: earlier_entry
    WHERE o.state IN ('due', 'leased') AND o.is_first = 1
      AND o.kind IN ('document', 'acknowledgement') AND o.due_at <= :now
      AND earlier.id IS NULL
    ORDER BY o.due_at, o.id
    LIMIT :most
    FOR UPDATE OF o SKIP LOCKED
), other AS MATERIALIZED (
    SELECT o.id, o.due_at
    FROM outbox AS o
-- part: earlier_entry
    WHERE o.state IN ('due', 'leased') AND o.is_first = 1
      AND o.kind NOT IN ('document', 'acknowledgement', 'webhook') AND o.due_at <= :now
      AND earlier.id IS NULL
    ORDER BY o.due_at, o.id
    LIMIT :most
    FOR UPDATE OF o SKIP LOCKED
), ready AS (
    SELECT id, due_at,
           CASE WHEN row_number() OVER (ORDER BY due_at, id) <= :deliveries THEN 2 ELSE 0 END
               AS reserved
    FROM delivery
    UNION ALL
    SELECT id, due_at,
           CASE WHEN row_number() OVER (ORDER BY due_at, id) <= :others THEN 1 ELSE 0 END
    FROM other
), claimed AS MATERIALIZED (
    SELECT ready.id FROM ready
    ORDER BY ready.reserved DESC, ready.due_at, ready.id
    LIMIT :most
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

-- name: claim_webhooks
-- Leases calls of webhooks that are due, the longest due first, and counts their attempts.
WITH claimed AS MATERIALIZED (
    SELECT o.id FROM outbox AS o
    WHERE o.state IN ('due', 'leased') AND o.is_first = 1 AND o.kind = 'webhook'
      AND o.due_at <= :now
      AND EXISTS (SELECT 1 FROM outbox_scoped AS visible WHERE visible.id = o.id)
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
