-- Users, browser sessions and one-time links. Rows are read from <table>_scoped; accounts.sql
-- says how a change names its row.

-- name: find_user^
-- The user with this id.
SELECT id AS user_id, account_id, email, role, password_hash IS NOT NULL AS has_password,
       created_at AS user_created_at, last_login_at
FROM users_scoped
WHERE id = :user_id;

-- name: list_users
-- All users, in the order they were made.
SELECT id AS user_id, account_id, email, role, password_hash IS NOT NULL AS has_password,
       created_at AS user_created_at, last_login_at
FROM users_scoped
ORDER BY id;

-- name: find_credentials^
-- The user with this folded address: the columns, the hash of the password, then the account.
SELECT u.id AS user_id, u.account_id, u.email, u.role,
       u.password_hash IS NOT NULL AS has_password, u.created_at AS user_created_at,
       u.last_login_at, u.password_hash,
       a.name AS account_name, a.account_type, a.status AS account_status,
       a.created_at AS account_created_at, a.retention_days
FROM users_scoped AS u
JOIN accounts_scoped AS a ON a.id = u.account_id
WHERE u.folded_email = :folded_email;

-- name: insert_user^
-- Stores a user and returns it.
INSERT INTO users (account_id, email, folded_email, role, password_hash, created_at)
VALUES (:account_id, :email, :folded_email, :role, :password_hash, :created_at)
RETURNING id AS user_id, account_id, email, role, password_hash IS NOT NULL AS has_password,
       created_at AS user_created_at, last_login_at;

-- name: lock_users
-- The users of an account in no order; changes nothing, but holds their rows until the unit ends.
UPDATE users SET role = role
WHERE account_id = :account_id
  AND EXISTS (SELECT 1 FROM users_scoped AS mine WHERE mine.id = users.id)
RETURNING id AS user_id, account_id, email, role, password_hash IS NOT NULL AS has_password,
       created_at AS user_created_at, last_login_at;

-- name: change_user^
-- Sets address and role; returns the user, or no row if there is none.
UPDATE users SET email = :email, folded_email = :folded_email, role = :role
WHERE id = :user_id
  AND EXISTS (SELECT 1 FROM users_scoped AS mine WHERE mine.id = users.id)
RETURNING id AS user_id, account_id, email, role, password_hash IS NOT NULL AS has_password,
       created_at AS user_created_at, last_login_at;

-- name: set_user_password!
-- Sets the hash of the password.
UPDATE users SET password_hash = :password_hash
WHERE id = :user_id
  AND EXISTS (SELECT 1 FROM users_scoped AS mine WHERE mine.id = users.id);

-- name: record_login^
-- Sets the time of the last login; returns the id, or no row if the hash is another by now.
UPDATE users SET last_login_at = :logged_in_at
WHERE id = :user_id AND password_hash = :password_hash
  AND EXISTS (SELECT 1 FROM users_scoped AS mine WHERE mine.id = users.id)
RETURNING id;

-- name: delete_user!
-- Deletes a user who has neither sessions nor links.
DELETE FROM users
WHERE id = :user_id
  AND EXISTS (SELECT 1 FROM users_scoped AS mine WHERE mine.id = users.id);

-- name: find_session_with_user^
-- The session with this SHA-256: its columns, then those of its user and of the account.
SELECT s.id, s.account_id, s.user_id, s.ip, s.created_at, s.last_seen_at, s.expires_at,
       u.email, u.role, u.password_hash IS NOT NULL AS has_password,
       u.created_at AS user_created_at, u.last_login_at,
       a.name AS account_name, a.account_type, a.status AS account_status,
       a.created_at AS account_created_at, a.retention_days
FROM sessions_scoped AS s
JOIN users_scoped AS u ON u.id = s.user_id
JOIN accounts_scoped AS a ON a.id = s.account_id
WHERE s.digest = :digest;

-- name: list_sessions
-- The sessions of a user, in the order they were begun.
SELECT id, account_id, user_id, ip, created_at, last_seen_at, expires_at
FROM sessions_scoped
WHERE user_id = :user_id
ORDER BY id;

-- name: insert_session^
-- Stores a session and returns it.
INSERT INTO sessions (account_id, user_id, digest, ip, created_at, last_seen_at, expires_at)
VALUES (:account_id, :user_id, :digest, :ip, :created_at, :last_seen_at, :expires_at)
RETURNING id, account_id, user_id, ip, created_at, last_seen_at, expires_at;

-- name: record_session_seen!
-- Sets the time of last use unless a later one is set.
UPDATE sessions SET last_seen_at = :seen_at
WHERE id = :session_id AND last_seen_at < :seen_at
  AND EXISTS (SELECT 1 FROM sessions_scoped AS mine WHERE mine.id = sessions.id);

-- name: delete_session^
-- Ends a session of this user; returns its id, or no row if there is none.
DELETE FROM sessions
WHERE id = :session_id AND user_id = :user_id
  AND EXISTS (SELECT 1 FROM sessions_scoped AS mine WHERE mine.id = sessions.id)
RETURNING id;

-- name: delete_sessions
-- Ends all sessions of a user; returns their ids in no order.
DELETE FROM sessions
WHERE user_id = :user_id
  AND EXISTS (SELECT 1 FROM sessions_scoped AS mine WHERE mine.id = sessions.id)
RETURNING id;

-- name: delete_ended_sessions!
-- Deletes the sessions of a user that have expired, or were not used after :idle_since.
DELETE FROM sessions
WHERE user_id = :user_id AND (expires_at <= :now OR last_seen_at <= :idle_since)
  AND EXISTS (SELECT 1 FROM sessions_scoped AS mine WHERE mine.id = sessions.id);

-- name: find_link_with_account^
-- The one-time link with this SHA-256: its columns, then those of its account.
SELECT l.id, l.account_id, l.user_id, l.expires_at, l.used_at,
       a.name AS account_name, a.account_type, a.status AS account_status,
       a.created_at AS account_created_at, a.retention_days
FROM one_time_links_scoped AS l
JOIN accounts_scoped AS a ON a.id = l.account_id
WHERE l.digest = :digest;

-- name: insert_link^
-- Stores a one-time link and returns it.
INSERT INTO one_time_links (account_id, user_id, digest, created_at, expires_at)
VALUES (:account_id, :user_id, :digest, :created_at, :expires_at)
RETURNING id, account_id, user_id, expires_at, used_at;

-- name: use_link^
-- Marks a link as used; returns its id, or no row if it was used before or has expired.
UPDATE one_time_links SET used_at = :used_at
WHERE id = :link_id AND used_at IS NULL AND expires_at > :used_at
  AND EXISTS (SELECT 1 FROM one_time_links_scoped AS mine WHERE mine.id = one_time_links.id)
RETURNING id;

-- name: use_setup_links
-- Marks the open links for a first user as used; returns their ids in no order.
UPDATE one_time_links SET used_at = :used_at
WHERE account_id = :account_id AND user_id IS NULL AND used_at IS NULL AND expires_at > :used_at
  AND EXISTS (SELECT 1 FROM one_time_links_scoped AS mine WHERE mine.id = one_time_links.id)
RETURNING id;

-- name: delete_expired_links!
-- Deletes the links that have expired.
DELETE FROM one_time_links
WHERE expires_at <= :now
  AND EXISTS (SELECT 1 FROM one_time_links_scoped AS mine WHERE mine.id = one_time_links.id);

-- name: delete_links!
-- Deletes the links of a user.
DELETE FROM one_time_links
WHERE user_id = :user_id
  AND EXISTS (SELECT 1 FROM one_time_links_scoped AS mine WHERE mine.id = one_time_links.id);
