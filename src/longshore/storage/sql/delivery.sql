-- The outbox and the attempts to deliver. Claims, and what changes which entry is the first of its
-- order, differ between the engines: sql/sqlite, sql/postgres.

-- name: find_outbox_entry^
-- The entry with this id.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE id = :entry_id;

-- name: list_outbox_of_interchange
-- The entries of an interchange, oldest first.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE account_id = (SELECT i.account_id FROM interchanges_scoped AS i WHERE i.id = :interchange_id)
  AND interchange_id = :interchange_id
ORDER BY id;

-- name: find_next_due^
-- When the first entry may be claimed. The conditions are those of the indexes of what is ready.
SELECT min(due_at) AS due_at
FROM (
    SELECT min(o.due_at) AS due_at FROM outbox_scoped AS o
    WHERE o.state IN ('due', 'leased') AND o.is_first = 1
      AND o.kind IN ('document', 'acknowledgement')
    UNION ALL
    SELECT min(o.due_at) AS due_at FROM outbox_scoped AS o
    WHERE o.state IN ('due', 'leased') AND o.is_first = 1
      AND o.kind NOT IN ('document', 'acknowledgement', 'webhook')
) AS first_of_each;

-- name: find_next_webhook_due^
-- When the first call of a webhook may be claimed.
SELECT min(o.due_at) AS due_at FROM outbox_scoped AS o
WHERE o.state IN ('due', 'leased') AND o.is_first = 1 AND o.kind = 'webhook';

-- name: leave_order!
-- Lets an entry wait for no other, nor others for it; what follows in its order is made first.
UPDATE outbox SET order_key = NULL, is_first = 1
WHERE id = :entry_id
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id);

-- name: find_blocking_entry^
-- The first open entry of an order before this one.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE id = (
    SELECT min(o.id) FROM outbox_scoped AS o
    WHERE o.account_id = :account_id AND o.environment = :environment
      AND o.order_key = :order_key AND o.id < :entry_id AND o.state IN ('due', 'leased', 'held')
);

-- name: list_open_of_order
-- The entries of an order whose work has not ended.
SELECT o.id FROM outbox_scoped AS o
WHERE o.account_id = :account_id AND o.environment = :environment
  AND o.order_key = :order_key AND o.state IN ('due', 'leased', 'held');

-- name: delete_polls!
-- Removes the polls of a partner, which is removed.
DELETE FROM outbox
WHERE partner_id = :partner_id AND kind = 'poll'
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id);

-- name: return_leases
-- Makes due what these workers have leased; returns the ids.
UPDATE outbox SET state = 'due', due_at = :now, lease_owner = NULL, updated_at = :now
WHERE state = 'leased'
  AND replace(CAST(:owners AS text), ' ' || lease_owner || ' ', '') <> CAST(:owners AS text)
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: make_trial!
-- Notes that the result of an entry decides about a suspended one.
UPDATE outbox SET trial_of = :suspended_id
WHERE id = :entry_id
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id);

-- name: resume_suspended_entries
-- Makes suspended entries due that no open entry is the trial of; returns their ids.
UPDATE outbox SET state = 'due', updated_at = :now
WHERE state = 'suspended'
  AND NOT EXISTS (
      SELECT 1 FROM outbox_scoped AS trial
      WHERE trial.account_id = outbox.account_id AND trial.environment = outbox.environment
        AND trial.order_key = outbox.order_key AND trial.state IN ('due', 'leased', 'held')
        AND trial.trial_of = outbox.id
  )
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: make_partner_entries_due
-- Brings forward the next attempts for a partner; returns their ids.
UPDATE outbox SET due_at = :at
WHERE partner_id = :partner_id AND environment = :environment
  AND state = 'due' AND attempt > 0 AND due_at > :at AND updated_at <= :unchanged_since
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: make_order_due
-- Makes an entry due, and the open ones of its order before it; returns their ids.
-- The three states are the condition of the index of orders, which is used only if it is repeated.
UPDATE outbox SET due_at = :now, updated_at = :now
WHERE account_id = :account_id AND environment = :environment AND order_key = :order_key
  AND id <= :entry_id AND state IN ('due', 'leased', 'held') AND state = 'due' AND due_at > :now
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: list_recent_attempts
-- Attempts to deliver to a partner that have ended, the newest first.
SELECT a.finished_at, a.outcome, a.http_status, a.error_code
FROM delivery_attempts_scoped AS a
WHERE a.partner_id = :partner_id AND a.environment = :environment AND a.outcome IS NOT NULL
ORDER BY a.id DESC
LIMIT :most;

-- name: list_leased_entries
-- The entries that a worker has leased, or any worker, oldest first.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE state = 'leased'
  AND (CAST(:owner AS text) IS NULL OR lease_owner = :owner)
ORDER BY id;

-- name: list_awaiting_entries
-- The entries whose receipt was due by then, the longest due first.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE state = 'awaiting' AND due_at <= :due_until
ORDER BY due_at, id
LIMIT :most;

-- name: list_waiting_files
-- The entries that a partner has not taken or answered yet, oldest first.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE state = 'awaiting' AND partner_id = :partner_id AND environment = :environment
ORDER BY id
LIMIT :most;

-- name: find_next_held^
-- The first partner after this one that entries of an environment are held for.
SELECT account_id, partner_id
FROM outbox_scoped
WHERE state = 'held' AND environment = :environment AND partner_id > :partner_id
ORDER BY environment, partner_id, id
LIMIT 1;

-- name: list_held_entries
-- The entries that are held for a partner, oldest first.
SELECT id, account_id, environment, kind, due_at, partner_id, order_key, interchange_id,
       transaction_id, receipt_id, ack_id, state, attempt, trial_of, lease_owner, created_at,
       updated_at
FROM outbox_scoped
WHERE state = 'held' AND partner_id = :partner_id
  AND environment = :environment
ORDER BY id
LIMIT :most;

-- name: renew_lease^
-- Prolongs a lease; returns the id, or no row if it is another's.
UPDATE outbox SET due_at = :until
WHERE id = :entry_id AND attempt = :attempt AND state = 'leased'
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

-- name: await_receipt!
-- Notes of an attempt that it was taken, and when its receipt is due.
UPDATE delivery_attempts
SET http_status = :http_status, next_attempt_at = :due_at
WHERE outbox_id = :entry_id AND attempt = :attempt AND outcome IS NULL
  AND EXISTS (SELECT 1 FROM delivery_attempts_scoped AS mine WHERE mine.id = delivery_attempts.id);

-- name: forget_attempt!
-- Removes a failed attempt that a later probe replaces.
DELETE FROM delivery_attempts
WHERE id = :attempt_id AND outcome = 'failed'
  AND EXISTS (SELECT 1 FROM delivery_attempts_scoped AS mine WHERE mine.id = delivery_attempts.id);

-- name: lose_attempts
-- Notes of attempts before this one that nobody knows what came of them; returns their ids.
UPDATE delivery_attempts
SET finished_at = :now, outcome = 'lost', error_code = 'lease_lost'
WHERE outbox_id = :entry_id AND attempt < :attempt AND outcome IS NULL
  AND EXISTS (SELECT 1 FROM delivery_attempts_scoped AS mine WHERE mine.id = delivery_attempts.id)
RETURNING id;
