-- Storage that accounts use. See accounts.sql for how rows are read and changed.

-- name: add_account_usage!
-- Counts what a unit has stored or removed of an account; last in its unit, since the row is held
-- until that ends.
INSERT INTO account_usage (account_id, stored_bytes, stored_records, is_near_quota)
VALUES (:account_id, CAST(:bytes AS bigint), CAST(:records AS bigint), 0)
ON CONFLICT (account_id)
DO UPDATE SET stored_bytes = account_usage.stored_bytes + CAST(:bytes AS bigint),
              stored_records = account_usage.stored_records + CAST(:records AS bigint);

-- name: set_account_quota!
-- Sets the quota of an account; NULL: that of the settings.
INSERT INTO account_usage (account_id, stored_bytes, stored_records, is_near_quota,
                           max_bytes, max_records)
VALUES (:account_id, 0, 0, 0, CAST(:max_bytes AS bigint), CAST(:max_records AS bigint))
ON CONFLICT (account_id)
DO UPDATE SET max_bytes = CAST(:max_bytes AS bigint), max_records = CAST(:max_records AS bigint);

-- name: find_account_usage^
-- The usage of an account.
SELECT account_id, stored_bytes, stored_records, is_near_quota, max_bytes, max_records
FROM account_usage_scoped
WHERE account_id = :account_id;

-- name: list_account_usage
-- The usage of all accounts.
SELECT account_id, stored_bytes, stored_records, is_near_quota, max_bytes, max_records
FROM account_usage_scoped
ORDER BY id;

-- name: set_account_near_quota!
-- Notes whether the event about the quota was recorded.
UPDATE account_usage SET is_near_quota = :is_near
WHERE account_id = :account_id
  AND EXISTS (SELECT 1 FROM account_usage_scoped AS mine WHERE mine.id = account_usage.id);
