-- The outbox and the attempts to deliver. Claims differ between the engines: sql/sqlite,
-- sql/postgres.

-- name: find_outbox_entry^
-- The entry with this id.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE id = :entry_id;

-- name: list_outbox_of_interchange
-- The entries of an interchange, oldest first.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE interchange_id = :interchange_id
ORDER BY id;

-- name: find_next_due^
-- When the first entry may be claimed.
SELECT min(due_at) AS due_at
FROM outbox_scoped
WHERE state IN ('due', 'leased', 'held') AND state <> 'held';

-- name: list_leased_entries
-- The entries that a worker has leased, oldest first.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE state IN ('due', 'leased', 'held') AND state = 'leased' AND lease_owner = :owner
ORDER BY id;

-- name: list_held_partners
-- The partners that entries are held for, by account.
SELECT DISTINCT account_id, environment, partner_id
FROM outbox_scoped
WHERE state IN ('due', 'leased', 'held') AND state = 'held' AND partner_id IS NOT NULL
ORDER BY account_id, environment, partner_id;

-- name: list_held_entries
-- The entries that are held for a partner, oldest first.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE state IN ('due', 'leased', 'held') AND state = 'held' AND partner_id = :partner_id
  AND environment = :environment
ORDER BY id
LIMIT :most;

-- name: insert_outbox_entry^
-- Stores an entry; returns its id.
INSERT INTO outbox (account_id, environment, kind, partner_id, order_key, state, due_at, attempt,
                    interchange_id, transaction_id, receipt_id, ack_id, created_at, updated_at)
VALUES (:account_id, :environment, :kind, :partner_id, :order_key, :state, :due_at, 0,
        :interchange_id, :transaction_id, :receipt_id, :ack_id, :now, :now)
RETURNING id;

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
          transaction_id, receipt_id, ack_id, state, attempt, lease_owner, created_at,
          updated_at;

-- name: renew_lease^
-- Prolongs a lease; returns the id, or no row if it is another's.
UPDATE outbox SET due_at = :until
WHERE id = :entry_id AND attempt = :attempt AND state = 'leased'
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: finish_outbox_entry^
-- Ends an entry; returns the id, or no row if the lease is another's.
UPDATE outbox SET state = :state, lease_owner = NULL, updated_at = :now
WHERE id = :entry_id AND attempt = :attempt AND state = 'leased'
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: put_back_outbox_entry^
-- Lets an entry be claimed again; returns the id, or no row if the lease is another's.
UPDATE outbox SET state = 'due', due_at = :due_at, lease_owner = NULL, updated_at = :now
WHERE id = :entry_id AND attempt = :attempt AND state = 'leased'
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: change_waiting_entry^
-- Holds, lets go or cancels an entry that nobody has leased; returns the id.
UPDATE outbox SET state = :state, due_at = :due_at, updated_at = :now
WHERE id = :entry_id AND state = :start AND state <> 'leased'
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: list_attempts_of_interchange
-- The attempts to deliver an interchange, oldest first.
SELECT a.id, a.account_id, a.environment, a.outbox_id, a.attempt, a.message_id, a.started_at,
       a.finished_at, a.outcome, a.http_status, a.error_code, a.next_attempt_at,
       a.wrapped_key, a.facts
FROM delivery_attempts_scoped AS a
WHERE a.interchange_id = :interchange_id
ORDER BY a.id;

-- name: insert_attempt^
-- Notes that an attempt begins; returns its id, or no row if it is noted already.
INSERT INTO delivery_attempts (account_id, environment, outbox_id, partner_id, interchange_id,
                               attempt, message_id, started_at, wrapped_key, facts)
VALUES (:account_id, :environment, :outbox_id, :partner_id, :interchange_id,
        :attempt, :message_id, :now, :wrapped_key, :wrapped_key)
ON CONFLICT (outbox_id, attempt) DO NOTHING
RETURNING id;

-- name: end_attempt^
-- Notes what came of an attempt; returns its id, or no row if that is known.
UPDATE delivery_attempts
SET finished_at = :finished_at, outcome = :outcome, http_status = :http_status,
    error_code = :error_code, next_attempt_at = :next_attempt_at, wrapped_key = :wrapped_key,
    facts = :facts
WHERE outbox_id = :entry_id AND attempt = :attempt AND outcome IS NULL
  AND EXISTS (SELECT 1 FROM delivery_attempts_scoped AS mine WHERE mine.id = delivery_attempts.id)
RETURNING id;

-- name: lose_attempts
-- Notes of attempts before this one that nobody knows what came of them; returns their ids.
UPDATE delivery_attempts
SET finished_at = :now, outcome = 'lost', error_code = 'lease_lost'
WHERE outbox_id = :entry_id AND attempt < :attempt AND outcome IS NULL
  AND EXISTS (SELECT 1 FROM delivery_attempts_scoped AS mine WHERE mine.id = delivery_attempts.id)
RETURNING id;
