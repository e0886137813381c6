-- Accounts and API keys. Shared by both engines: CAST tells PostgreSQL the type of a parameter that
-- may be NULL. Rows are read from <table>_scoped, which holds those of the unit's scope; a change
-- names its row, its conditions, and that the row is in the scope. That last look is a correlated
-- EXISTS: SQLite would list every row of the account for an IN. The conditions never move inside
-- it: PostgreSQL judges them anew after it waited for a row, but not in there.

-- name: find_account^
-- The account with this folded name.
SELECT id AS account_id, name AS account_name, account_type, status AS account_status,
       created_at AS account_created_at, retention_days
FROM accounts_scoped
WHERE folded_name = :folded_name;

-- name: list_accounts
-- All accounts, in the order they were made.
SELECT id AS account_id, name AS account_name, account_type, status AS account_status,
       created_at AS account_created_at, retention_days
FROM accounts_scoped
ORDER BY id;

-- name: insert_account^
-- Stores an account; returns it, or no row if the folded name is taken.
INSERT INTO accounts (name, folded_name, account_type, status, created_at)
VALUES (:name, :folded_name, :account_type, :status, :created_at)
ON CONFLICT (folded_name) DO NOTHING
RETURNING id AS account_id, name AS account_name, account_type, status AS account_status,
          created_at AS account_created_at, retention_days;

-- name: set_account_status!
-- Changes the status of an account.
UPDATE accounts SET status = :status
WHERE id = :account_id
  AND EXISTS (SELECT 1 FROM accounts_scoped AS mine WHERE mine.id = accounts.id);

-- name: set_account_plan!
-- Changes the plan of an account.
UPDATE accounts SET account_type = :account_type
WHERE id = :account_id
  AND EXISTS (SELECT 1 FROM accounts_scoped AS mine WHERE mine.id = accounts.id);

-- name: set_account_retention!
-- Changes how long documents of an account are kept; NULL: for ever.
UPDATE accounts SET retention_days = :retention_days
WHERE id = :account_id
  AND EXISTS (SELECT 1 FROM accounts_scoped AS mine WHERE mine.id = accounts.id);

-- name: find_api_key^
-- The key with this id.
SELECT id, account_id, environment, prefix, last_four, scopes,
       created_at, expires_at, revoked_at, replaced_by, last_used_at, name
FROM api_keys_scoped
WHERE id = :key_id;

-- name: find_api_key_with_account^
-- The key with this SHA-256: its columns, then those of its account.
SELECT k.id, k.account_id, k.environment, k.prefix, k.last_four, k.scopes,
       k.created_at, k.expires_at, k.revoked_at, k.replaced_by, k.last_used_at, k.name,
       a.name AS account_name, a.account_type, a.status AS account_status,
       a.created_at AS account_created_at, a.retention_days
FROM api_keys_scoped AS k
JOIN accounts_scoped AS a ON a.id = k.account_id
WHERE k.digest = :digest;

-- name: list_api_keys
-- The keys of one account, or of all if :account_id is NULL, in the order they were made.
SELECT id, account_id, environment, prefix, last_four, scopes,
       created_at, expires_at, revoked_at, replaced_by, last_used_at, name
FROM api_keys_scoped
WHERE CAST(:account_id AS bigint) IS NULL OR account_id = :account_id
ORDER BY id;

-- name: insert_api_key^
-- Stores a key and returns it.
INSERT INTO api_keys (account_id, environment, digest, prefix, last_four, scopes,
                      created_at, expires_at, name)
VALUES (:account_id, :environment, :digest, :prefix, :last_four, :scopes,
        :created_at, :expires_at, :name)
RETURNING id, account_id, environment, prefix, last_four, scopes,
          created_at, expires_at, revoked_at, replaced_by, last_used_at, name;

-- name: revoke_api_key!
-- Sets the time of revocation unless one is set.
UPDATE api_keys SET revoked_at = :revoked_at
WHERE id = :key_id AND revoked_at IS NULL
  AND EXISTS (SELECT 1 FROM api_keys_scoped AS mine WHERE mine.id = api_keys.id);

-- name: replace_api_key^
-- Marks a key as rotated; returns its id, or no row if it was revoked or rotated before.
UPDATE api_keys SET replaced_by = :replaced_by, expires_at = :expires_at
WHERE id = :key_id AND revoked_at IS NULL AND replaced_by IS NULL
  AND EXISTS (SELECT 1 FROM api_keys_scoped AS mine WHERE mine.id = api_keys.id)
RETURNING id;

-- name: record_api_key_use!
-- Sets the time of last use unless a later one is set.
UPDATE api_keys SET last_used_at = :used_at
WHERE id = :key_id AND (last_used_at IS NULL OR last_used_at < :used_at)
  AND EXISTS (SELECT 1 FROM api_keys_scoped AS mine WHERE mine.id = api_keys.id);
