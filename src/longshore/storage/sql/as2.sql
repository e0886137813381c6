-- Our identities in AS2, and receipts that have connections of their own. accounts.sql says how a change names its row.

-- name: find_as2_identity^
-- The one with this name in an environment.
SELECT id, account_id, environment, as2_name, certificates, created_at, sealed_version,
       wrapped_key, private_keys
FROM as2_identities_scoped
WHERE environment = :environment AND as2_name = :as2_name;

-- name: find_as2_identity_with_account^
-- The one with this name: its columns, then those of its account.
SELECT i.id, i.account_id, i.environment, i.as2_name, i.certificates, i.created_at,
       i.sealed_version, i.wrapped_key, i.private_keys,
       a.name AS account_name, a.account_type, a.status AS account_status,
       a.created_at AS account_created_at, a.retention_days
FROM as2_identities_scoped AS i
JOIN accounts_scoped AS a ON a.id = i.account_id
WHERE i.as2_name = :as2_name;

-- name: list_as2_identities
-- Those of an environment, in the order they were made.
SELECT id, account_id, environment, as2_name, certificates, created_at, sealed_version,
       wrapped_key, private_keys
FROM as2_identities_scoped
WHERE environment = :environment
ORDER BY id;

-- name: insert_as2_identity!
-- Stores one at sealed version 1.
INSERT INTO as2_identities (id, account_id, environment, as2_name, certificates, created_at,
                            updated_at, sealed_version, wrapped_key, private_keys)
VALUES (:id, :account_id, :environment, :as2_name, :certificates, :created_at,
        :created_at, 1, :wrapped_key, :private_keys);

-- name: change_as2_keys^
-- Stores other keys, unless they were changed meanwhile; returns its id.
UPDATE as2_identities
SET certificates = :certificates, updated_at = :updated_at, sealed_version = :sealed_version,
    wrapped_key = :wrapped_key, private_keys = :private_keys
WHERE id = :as2_identity_id AND sealed_version = :expected_version
  AND EXISTS (SELECT 1 FROM as2_identities_scoped AS mine WHERE mine.id = as2_identities.id)
RETURNING id;

-- name: delete_as2_identity^
-- Removes one; returns its id.
DELETE FROM as2_identities
WHERE id = :as2_identity_id
  AND EXISTS (SELECT 1 FROM as2_identities_scoped AS mine WHERE mine.id = as2_identities.id)
RETURNING id;

-- name: find_awaited_as2_receipt^
-- The receipt that is awaited for a message to a partner.
SELECT id, account_id, environment, direction, partner_id, outbox_id, message_id, attempt,
       sealed_version, wrapped_key, facts
FROM as2_receipts_scoped
WHERE direction = 'inbound' AND message_id = :message_id AND partner_id = :partner_id;

-- name: find_as2_receipt_of_entry^
-- The receipt that belongs to an entry of the outbox.
SELECT id, account_id, environment, direction, partner_id, outbox_id, message_id, attempt,
       sealed_version, wrapped_key, facts
FROM as2_receipts_scoped
WHERE outbox_id = :entry_id;

-- name: insert_as2_receipt!
-- Stores one at sealed version 1.
INSERT INTO as2_receipts (id, account_id, environment, direction, partner_id, outbox_id,
                          message_id, attempt, created_at, updated_at, sealed_version,
                          wrapped_key, facts)
VALUES (:id, :account_id, :environment, :direction, :partner_id, :outbox_id,
        :message_id, :attempt, :now, :now, 1, :wrapped_key, :facts);

-- name: lock_as2_receipt^
-- Locks the receipt that belongs to an entry of the outbox, and returns it.
UPDATE as2_receipts SET sealed_version = sealed_version
WHERE outbox_id = :entry_id
  AND EXISTS (SELECT 1 FROM as2_receipts_scoped AS mine WHERE mine.id = as2_receipts.id)
RETURNING id, account_id, environment, direction, partner_id, outbox_id, message_id, attempt,
          sealed_version, wrapped_key, facts;

-- name: change_as2_receipt^
-- Stores other facts, unless they were changed meanwhile; returns its id.
UPDATE as2_receipts
SET outbox_id = :outbox_id, attempt = :attempt, updated_at = :now,
    sealed_version = :sealed_version, wrapped_key = :wrapped_key, facts = :facts
WHERE id = :as2_receipt_id AND sealed_version = :expected_version
  AND EXISTS (SELECT 1 FROM as2_receipts_scoped AS mine WHERE mine.id = as2_receipts.id)
RETURNING id;
