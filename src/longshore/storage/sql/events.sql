-- The feed of events of an account.

-- name: draw_positions^
-- Moves a sequence of an account on; returns where it stands. Held until the unit ends, so that
-- positions are given in the order of commits.
INSERT INTO account_sequences (account_id, kind, last)
VALUES (:account_id, :kind, CAST(:count AS bigint))
ON CONFLICT (account_id, kind)
DO UPDATE SET last = account_sequences.last + CAST(:count AS bigint)
RETURNING last;

-- name: find_position^
-- Where a sequence of an account stands.
SELECT last FROM account_sequences_scoped WHERE account_id = :account_id AND kind = :kind;

-- name: list_events_after
-- Events behind a position, oldest first.
SELECT position, account_id, environment, type, data, transaction_id, actor, created_at,
       wrapped_key, facts
FROM events_scoped
WHERE environment = :environment AND position > :after
  AND (CAST(:types AS text) IS NULL OR replace(:types, ' ' || type || ' ', '') <> :types)
ORDER BY position
LIMIT :limit;

-- name: list_events_between
-- Events behind a position, from one time up to before another, oldest first.
SELECT position, account_id, environment, type, data, transaction_id, actor, created_at,
       wrapped_key, facts
FROM events_scoped
WHERE environment = :environment AND position > :after
  AND created_at >= :since AND created_at < :until
ORDER BY position
LIMIT :limit;

-- name: find_event^
-- The event at a position.
SELECT position, account_id, environment, type, data, transaction_id, actor, created_at,
       wrapped_key, facts
FROM events_scoped
WHERE position = :position;

-- name: list_events_of_transaction
-- The timeline of a transaction, oldest first.
SELECT position, account_id, environment, type, data, transaction_id, actor, created_at,
       wrapped_key, facts
FROM events_scoped
WHERE transaction_id = :transaction_id
ORDER BY position;

-- name: insert_event!
-- Stores an event at a position that was drawn for it.
INSERT INTO events (account_id, environment, position, type, data, transaction_id, actor,
                    created_at, wrapped_key, facts)
VALUES (:account_id, :environment, :position, :type, :data, :transaction_id, :actor,
        :created_at, :wrapped_key, :facts);
