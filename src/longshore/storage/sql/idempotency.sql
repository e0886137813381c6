-- Requests that are carried out once.

-- name: find_kept_request^
-- What is kept under a key.
SELECT id, request_digest, status, subject_id, created_at, wrapped_key, answer
FROM idempotency_keys_scoped
WHERE environment = :environment AND purpose = :purpose AND key_digest = :key_digest;

-- name: forget_key!
-- Removes a key that was kept before a moment.
DELETE FROM idempotency_keys
WHERE account_id = :account_id AND environment = :environment AND purpose = :purpose AND key_digest = :key_digest
  AND created_at < :before
  AND EXISTS (SELECT 1 FROM idempotency_keys_scoped AS mine WHERE mine.id = idempotency_keys.id);

-- name: claim_key^
-- Stores a key and returns its id, or no row if it is kept.
INSERT INTO idempotency_keys (account_id, environment, purpose, key_digest, request_digest,
                              created_at, wrapped_key, answer)
VALUES (:account_id, :environment, :purpose, :key_digest, :request_digest,
        :created_at, :wrapped_key, :wrapped_key)
ON CONFLICT (account_id, environment, purpose, key_digest) DO NOTHING
RETURNING id;

-- name: finish_request!
-- Keeps status and subject of an answer.
UPDATE idempotency_keys SET status = :http_status, subject_id = :subject_id
WHERE id = :request_id
  AND EXISTS (SELECT 1 FROM idempotency_keys_scoped AS mine WHERE mine.id = idempotency_keys.id);

-- name: set_request_answer!
-- Keeps a sealed answer.
UPDATE idempotency_keys SET wrapped_key = :wrapped_key, answer = :answer
WHERE id = :request_id
  AND EXISTS (SELECT 1 FROM idempotency_keys_scoped AS mine WHERE mine.id = idempotency_keys.id);

-- name: list_forgettable_keys
-- Keys that were kept before a moment, the oldest first.
SELECT id
FROM idempotency_keys_scoped
WHERE created_at < :before
ORDER BY created_at, id
LIMIT :most;

-- name: delete_key!
-- Removes a key.
DELETE FROM idempotency_keys
WHERE id = :request_id
  AND EXISTS (SELECT 1 FROM idempotency_keys_scoped AS mine WHERE mine.id = idempotency_keys.id);
