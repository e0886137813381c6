-- Own identities, partners, and the tokens of their inbound URLs. accounts.sql says how a change names
-- its row. A list of words is a text in which each stands between two separators
-- (storage/word_lists.py).

-- name: list_identities
-- All of them, in the order they were made.
SELECT id, qualifier, isa_id, gs_id FROM identities_scoped ORDER BY id;

-- name: insert_identity^
-- Stores one and returns it, or no row if the account has it.
INSERT INTO identities (account_id, qualifier, isa_id, gs_id, created_at)
VALUES (:account_id, :qualifier, :isa_id, :gs_id, :created_at)
ON CONFLICT (account_id, qualifier, isa_id, gs_id) DO NOTHING
RETURNING id, qualifier, isa_id, gs_id;

-- name: change_identity^
-- Makes it another; returns its id.
UPDATE identities SET qualifier = :qualifier, isa_id = :isa_id, gs_id = :gs_id
WHERE id = :identity_id
  AND EXISTS (SELECT 1 FROM identities_scoped AS mine WHERE mine.id = identities.id)
RETURNING id;

-- name: delete_identity^
-- Removes one that no partner names; returns its id.
DELETE FROM identities
WHERE id = :identity_id
  AND NOT EXISTS (SELECT 1 FROM partners_scoped AS p WHERE p.own_identity_id = identities.id)
  AND EXISTS (SELECT 1 FROM identities_scoped AS mine WHERE mine.id = identities.id)
RETURNING id;

-- name: find_partner^
-- The partner with this id.
SELECT id, account_id, row_version, partner_status, status_before, name, folded_name,
       isa_qualifier, isa_id, gs_id, own_identity_id, tx_sets, version, ack_type, ack_hours,
       industry, contact_email, test_connection_type, live_connection_type,
       test_connection_status, live_connection_status, test_breaker, test_opened_at,
       test_probe_at, live_breaker, live_opened_at, live_probe_at, connections, settings, routes,
       sealed_version, wrapped_key, secrets, last_activity_at, created_at, updated_at
FROM partners_scoped
WHERE id = :partner_id;

-- name: list_partners
-- A page of those that fit, by id.
SELECT id, account_id, row_version, partner_status, status_before, name, folded_name,
       isa_qualifier, isa_id, gs_id, own_identity_id, tx_sets, version, ack_type, ack_hours,
       industry, contact_email, test_connection_type, live_connection_type,
       test_connection_status, live_connection_status, test_breaker, test_opened_at,
       test_probe_at, live_breaker, live_opened_at, live_probe_at, connections, settings, routes,
       sealed_version, wrapped_key, secrets, last_activity_at, created_at, updated_at
FROM partners_scoped
WHERE (CAST(:statuses AS text) IS NULL
       OR replace(:statuses, ' ' || partner_status || ' ', '') <> :statuses)
  AND substr(folded_name, 1, length(CAST(:prefix AS text))) = :prefix
ORDER BY id
LIMIT :limit OFFSET :offset;

-- name: list_test_as2_partners
-- Those with an AS2 name in their test connection, by id.
SELECT id, account_id, row_version, partner_status, status_before, name, folded_name,
       isa_qualifier, isa_id, gs_id, own_identity_id, tx_sets, version, ack_type, ack_hours,
       industry, contact_email, test_connection_type, live_connection_type,
       test_connection_status, live_connection_status, test_breaker, test_opened_at,
       test_probe_at, live_breaker, live_opened_at, live_probe_at, connections, settings, routes,
       sealed_version, wrapped_key, secrets, last_activity_at, created_at, updated_at
FROM partners_scoped
WHERE test_as2_to = :as2_to
ORDER BY id;

-- name: list_live_as2_partners
-- Those with an AS2 name in their live connection, by id.
SELECT id, account_id, row_version, partner_status, status_before, name, folded_name,
       isa_qualifier, isa_id, gs_id, own_identity_id, tx_sets, version, ack_type, ack_hours,
       industry, contact_email, test_connection_type, live_connection_type,
       test_connection_status, live_connection_status, test_breaker, test_opened_at,
       test_probe_at, live_breaker, live_opened_at, live_probe_at, connections, settings, routes,
       sealed_version, wrapped_key, secrets, last_activity_at, created_at, updated_at
FROM partners_scoped
WHERE live_as2_to = :as2_to
ORDER BY id;

-- name: list_connected_partners
-- Those with a connection of a type, by id.
SELECT id, account_id, row_version, partner_status, status_before, name, folded_name,
       isa_qualifier, isa_id, gs_id, own_identity_id, tx_sets, version, ack_type, ack_hours,
       industry, contact_email, test_connection_type, live_connection_type,
       test_connection_status, live_connection_status, test_breaker, test_opened_at,
       test_probe_at, live_breaker, live_opened_at, live_probe_at, connections, settings, routes,
       sealed_version, wrapped_key, secrets, last_activity_at, created_at, updated_at
FROM partners_scoped
WHERE test_connection_type = :connection_type OR live_connection_type = :connection_type
ORDER BY id;

-- name: list_named_partners
-- The ids of partners whose folded name begins so.
SELECT id FROM partners_scoped
WHERE substr(folded_name, 1, length(CAST(:prefix AS text))) = :prefix
ORDER BY id
LIMIT :most;

-- name: count_partners^
-- How many fit.
SELECT count(*) AS total
FROM partners_scoped
WHERE (CAST(:statuses AS text) IS NULL
       OR replace(:statuses, ' ' || partner_status || ' ', '') <> :statuses)
  AND substr(folded_name, 1, length(CAST(:prefix AS text))) = :prefix;

-- name: list_partner_addresses
-- How each partner is addressed, by id.
SELECT id, partner_status, isa_qualifier, isa_id, gs_id, own_identity_id
FROM partners_scoped
ORDER BY id;

-- name: lock_partner_identities!
-- Changes nothing, but holds the row of the account until the unit ends.
UPDATE accounts SET status = status
WHERE id = :account_id
  AND EXISTS (SELECT 1 FROM accounts_scoped AS mine WHERE mine.id = accounts.id);

-- name: insert_partner^
-- Stores a partner at version 1 and returns its id, or no row if the name is taken.
INSERT INTO partners (account_id, partner_status, name, folded_name, isa_qualifier, isa_id, gs_id,
                      own_identity_id, tx_sets, version, ack_type, ack_hours, industry,
                      contact_email, test_connection_type, live_connection_type,
                      test_connection_status, live_connection_status, connections, settings,
                      routes, test_as2_to, live_as2_to, created_at, updated_at, wrapped_key, secrets, row_version,
                      sealed_version, test_breaker, live_breaker)
VALUES (:account_id, :partner_status, :name, :folded_name, :isa_qualifier, :isa_id, :gs_id,
        :own_identity_id, :tx_sets, :x12_version, :ack_type, :ack_hours, :industry,
        :contact_email, :test_type, :live_type, :test_status, :live_status, :connections,
        :settings, :routes, :test_as2_to, :live_as2_to, :now, :now, :wrapped_key, :secrets, 1, 0, 'closed', 'closed')
ON CONFLICT (account_id, folded_name) DO NOTHING
RETURNING id;

-- name: change_partner^
-- Changes a partner that is at the expected version; returns its id.
UPDATE partners
SET name = :name, folded_name = :folded_name, isa_qualifier = :isa_qualifier, isa_id = :isa_id,
    gs_id = :gs_id, own_identity_id = :own_identity_id, tx_sets = :tx_sets, version = :x12_version,
    ack_type = :ack_type, ack_hours = :ack_hours, industry = :industry,
    contact_email = :contact_email, test_connection_type = :test_type,
    live_connection_type = :live_type,
    connections = :connections, settings = :settings, routes = :routes,
    test_as2_to = :test_as2_to, live_as2_to = :live_as2_to,
    row_version = row_version + 1, updated_at = :now
WHERE id = :partner_id AND row_version = :expected_version
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id)
RETURNING id;

-- name: set_partner_secrets^
-- Puts secrets in the place of those of the expected version; returns the id.
UPDATE partners
SET sealed_version = :sealed_version, wrapped_key = :wrapped_key, secrets = :secrets
WHERE id = :partner_id AND sealed_version = :expected_version
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id)
RETURNING id;

-- name: set_partner_standing^
-- Makes a step of the status; returns the id, or no row if the partner stands elsewhere.
UPDATE partners
SET partner_status = :status, status_before = :status_before, row_version = row_version + 1,
    updated_at = :now
WHERE id = :partner_id AND partner_status = :start
  AND coalesce(status_before, '') = CAST(:start_before AS text)
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id)
RETURNING id;

-- name: set_test_connection_status^
-- Notes what is known of the test connection; returns the id, or no row if it was known.
UPDATE partners SET test_connection_status = :status
WHERE id = :partner_id AND test_connection_status <> :status
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id)
RETURNING id;

-- name: set_live_connection_status^
-- Notes what is known of the live connection; returns the id, or no row if it was known.
UPDATE partners SET live_connection_status = :status
WHERE id = :partner_id AND live_connection_status <> :status
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id)
RETURNING id;

-- name: set_test_breaker^
-- Changes the circuit breaker of the test connection; returns the id, or no row if another was first.
UPDATE partners
SET test_breaker = :state, test_opened_at = :opened_at, test_probe_at = :probe_at
WHERE id = :partner_id AND test_breaker = :start
  AND COALESCE(test_probe_at, 0) = CAST(:start_probe_at AS bigint)
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id)
RETURNING id;

-- name: set_live_breaker^
-- Changes the circuit breaker of the live connection; returns the id, or no row if another was first.
UPDATE partners
SET live_breaker = :state, live_opened_at = :opened_at, live_probe_at = :probe_at
WHERE id = :partner_id AND live_breaker = :start
  AND COALESCE(live_probe_at, 0) = CAST(:start_probe_at AS bigint)
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id)
RETURNING id;

-- name: record_partner_activity!
-- Sets the time of the last document unless a later one is set.
UPDATE partners SET last_activity_at = :at
WHERE id = :partner_id AND coalesce(last_activity_at, 0) < :at
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id);

-- name: hold_untraded_partner^
-- Keeps a partner as it is until the unit ends; no row unless it is at the expected version and
-- nothing was received from it or sent to it.
UPDATE partners SET row_version = row_version
WHERE id = :partner_id AND row_version = :expected_version
  AND NOT EXISTS (SELECT 1 FROM receipts_scoped AS r WHERE r.partner_id = partners.id)
  AND NOT EXISTS (SELECT 1 FROM interchanges_scoped AS i WHERE i.partner_id = partners.id)
  AND NOT EXISTS (SELECT 1 FROM transactions_scoped AS t WHERE t.partner_id = partners.id)
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id)
RETURNING id;

-- name: delete_partner_tokens!
-- Removes the tokens of a partner.
DELETE FROM partner_tokens
WHERE partner_id = :partner_id
  AND EXISTS (SELECT 1 FROM partner_tokens_scoped AS mine WHERE mine.id = partner_tokens.id);

-- name: delete_partner!
-- Removes a partner that nothing refers to.
DELETE FROM partners
WHERE id = :partner_id
  AND EXISTS (SELECT 1 FROM partners_scoped AS mine WHERE mine.id = partners.id);

-- name: find_token_with_account^
-- The token with this SHA-256: its columns, then those of its account.
SELECT t.id, t.account_id, t.partner_id, t.environment, t.digest, t.created_at, t.expires_at,
       t.revoked_at,
       a.name AS account_name, a.account_type, a.status AS account_status,
       a.created_at AS account_created_at, a.retention_days
FROM partner_tokens_scoped AS t
JOIN accounts_scoped AS a ON a.id = t.account_id
WHERE t.digest = :digest;

-- name: list_open_tokens
-- The tokens that are valid now, the newest first: their columns, then what is sealed.
SELECT id, account_id, partner_id, environment, digest, created_at, expires_at, revoked_at,
       wrapped_key, sealed_token
FROM partner_tokens_scoped
WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
ORDER BY id DESC;

-- name: insert_token!
-- Stores a token and returns its id.
INSERT INTO partner_tokens (id, account_id, partner_id, environment, digest, created_at, expires_at,
                            wrapped_key, sealed_token)
VALUES (:id, :account_id, :partner_id, :environment, :digest, :created_at, :expires_at,
        :wrapped_key, :sealed_token);

-- name: end_other_tokens
-- Lets the other tokens of a partner and an environment end, if they do not before; their ids.
UPDATE partner_tokens SET expires_at = :expires_at
WHERE partner_id = :partner_id AND environment = :environment AND id <> :token_id
  AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :expires_at)
  AND EXISTS (SELECT 1 FROM partner_tokens_scoped AS mine WHERE mine.id = partner_tokens.id)
RETURNING id;

-- name: revoke_tokens
-- Revokes what is not revoked of a partner; their ids.
UPDATE partner_tokens SET revoked_at = :revoked_at
WHERE partner_id = :partner_id AND revoked_at IS NULL
  AND EXISTS (SELECT 1 FROM partner_tokens_scoped AS mine WHERE mine.id = partner_tokens.id)
RETURNING id;
