-- Accounts and API keys. :scope_account is the account of the unit's scope, NULL for the system
-- scope. Columns of an account and of a key always come in the order that storage/accounts.py
-- reads. Shared by both engines: CAST tells PostgreSQL the type of a parameter that may be NULL.

-- name: find_account(folded_name, scope_account)^
-- The account with this folded name.
SELECT id, name, account_type, status, created_at
FROM accounts
WHERE folded_name = :folded_name
  AND (CAST(:scope_account AS bigint) IS NULL OR id = :scope_account);

-- name: list_accounts(scope_account)
-- All accounts, in the order they were made.
SELECT id, name, account_type, status, created_at
FROM accounts
WHERE CAST(:scope_account AS bigint) IS NULL OR id = :scope_account
ORDER BY id;

-- name: insert_account(name, folded_name, account_type, status, created_at)^
-- Stores an account; returns it, or no row if the folded name is taken.
INSERT INTO accounts (name, folded_name, account_type, status, created_at)
VALUES (:name, :folded_name, :account_type, :status, :created_at)
ON CONFLICT (folded_name) DO NOTHING
RETURNING id, name, account_type, status, created_at;

-- name: set_account_status(account_id, status, scope_account)!
-- Changes the status of an account.
UPDATE accounts SET status = :status
WHERE id = :account_id
  AND (CAST(:scope_account AS bigint) IS NULL OR id = :scope_account);

-- name: find_api_key(key_id, scope_account)^
-- The key with this id.
SELECT id, account_id, environment, prefix, last_four, scopes,
       created_at, expires_at, revoked_at, replaced_by, last_used_at
FROM api_keys
WHERE id = :key_id
  AND (CAST(:scope_account AS bigint) IS NULL OR account_id = :scope_account);

-- name: find_api_key_with_account(digest, scope_account)^
-- The key with this SHA-256: its columns, then those of its account.
SELECT k.id, k.account_id, k.environment, k.prefix, k.last_four, k.scopes,
       k.created_at, k.expires_at, k.revoked_at, k.replaced_by, k.last_used_at,
       a.id, a.name, a.account_type, a.status, a.created_at
FROM api_keys AS k
JOIN accounts AS a ON a.id = k.account_id
WHERE k.digest = :digest
  AND (CAST(:scope_account AS bigint) IS NULL OR k.account_id = :scope_account);

-- name: list_api_keys(account_id, scope_account)
-- The keys of one account, or of all if :account_id is NULL, in the order they were made.
SELECT id, account_id, environment, prefix, last_four, scopes,
       created_at, expires_at, revoked_at, replaced_by, last_used_at
FROM api_keys
WHERE (CAST(:account_id AS bigint) IS NULL OR account_id = :account_id)
  AND (CAST(:scope_account AS bigint) IS NULL OR account_id = :scope_account)
ORDER BY id;

-- name: insert_api_key(account_id, environment, digest, prefix, last_four, scopes, created_at, expires_at)^
-- Stores a key and returns it.
INSERT INTO api_keys (account_id, environment, digest, prefix, last_four, scopes,
                      created_at, expires_at)
VALUES (:account_id, :environment, :digest, :prefix, :last_four, :scopes,
        :created_at, :expires_at)
RETURNING id, account_id, environment, prefix, last_four, scopes,
          created_at, expires_at, revoked_at, replaced_by, last_used_at;

-- name: revoke_api_key(key_id, revoked_at, scope_account)!
-- Sets the time of revocation unless one is set.
UPDATE api_keys SET revoked_at = :revoked_at
WHERE id = :key_id AND revoked_at IS NULL
  AND (CAST(:scope_account AS bigint) IS NULL OR account_id = :scope_account);

-- name: replace_api_key(key_id, replaced_by, expires_at, scope_account)^
-- Marks a key as rotated; returns its id, or no row if it was revoked or rotated before.
UPDATE api_keys SET replaced_by = :replaced_by, expires_at = :expires_at
WHERE id = :key_id AND revoked_at IS NULL AND replaced_by IS NULL
  AND (CAST(:scope_account AS bigint) IS NULL OR account_id = :scope_account)
RETURNING id;

-- name: record_api_key_use(key_id, used_at, scope_account)!
-- Sets the time of last use unless a later one is set.
UPDATE api_keys SET last_used_at = :used_at
WHERE id = :key_id AND (last_used_at IS NULL OR last_used_at < :used_at)
  AND (CAST(:scope_account AS bigint) IS NULL OR account_id = :scope_account);
