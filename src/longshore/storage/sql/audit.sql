-- The audit log. Entries are added, never changed or removed: the engines refuse it to every unit.

-- name: list_audit_after
-- Entries of an account behind a position, oldest first.
SELECT account_id, position, actor, action, object, ip, request_id, created_at, wrapped_key,
       facts, hash
FROM audit_entries_scoped
WHERE account_id = :account_id AND position > :after
ORDER BY position
LIMIT :limit;

-- name: list_audit_newest
-- Entries of an account before a position, newest first.
SELECT account_id, position, actor, action, object, ip, request_id, created_at, wrapped_key,
       facts, hash
FROM audit_entries_scoped
WHERE account_id = :account_id AND position < :before
ORDER BY position DESC
LIMIT :limit;

-- name: list_audit_of_object
-- As list_audit_newest, of one object.
SELECT account_id, position, actor, action, object, ip, request_id, created_at, wrapped_key,
       facts, hash
FROM audit_entries_scoped
WHERE account_id = :account_id AND object = :object AND position < :before
ORDER BY position DESC
LIMIT :limit;

-- name: find_audit_hash^
-- The hash of one entry.
SELECT hash FROM audit_entries_scoped WHERE account_id = :account_id AND position = :position;

-- name: insert_audit_entry!
-- Stores an entry at a position that was drawn for it.
INSERT INTO audit_entries (account_id, position, actor, action, object, ip, request_id,
                           created_at, wrapped_key, facts, hash)
VALUES (:account_id, :position, :actor, :action, :object, :ip, :request_id,
        :created_at, :wrapped_key, :facts, :hash);
