-- Receipts, interchanges and functional groups. What is sealed comes last.

-- name: find_receipt^
-- The receipt with this id, and what is sealed.
SELECT id, account_id, environment, partner_id, token_id, source, byte_count, digest, key_digest,
       status, created_at, finished_at,
       facts, content, wrapped_key
FROM receipts_scoped
WHERE id = :receipt_id;

-- name: find_receipt_status^
-- How far the receipt with this id is.
SELECT id, status
FROM receipts_scoped
WHERE id = :receipt_id;

-- name: find_duplicate_receipt^
-- The first receipt of the same bytes on a token.
SELECT id, account_id, environment, partner_id, token_id, source, byte_count, digest, key_digest,
       status, created_at, finished_at
FROM receipts_scoped
WHERE token_id = :token_id AND digest = :digest AND created_at >= :since
ORDER BY id;

-- name: find_receipt_by_key^
-- The first receipt under the same key of the sender on a token.
SELECT id, account_id, environment, partner_id, token_id, source, byte_count, digest, key_digest,
       status, created_at, finished_at
FROM receipts_scoped
WHERE token_id = :token_id AND key_digest = :key_digest AND created_at >= :since
ORDER BY id;

-- name: find_receipt_of_correction^
-- A receipt that corrects what this stands for, and that nobody has processed.
SELECT id
FROM receipts_scoped
WHERE token_id IS NULL AND key_digest = :key_digest AND status = 'received'
ORDER BY id;

-- name: find_any_correction^
-- A receipt that corrects something, and that nobody has processed.
SELECT id
FROM receipts_scoped
WHERE token_id IS NULL AND key_digest IS NOT NULL AND status = 'received'
ORDER BY created_at, id;

-- name: list_unfinished_receipts
-- Receipts that nobody has processed, oldest first.
SELECT id, account_id, environment, partner_id, token_id, source, byte_count, digest, key_digest,
       status, created_at, finished_at
FROM receipts_scoped
WHERE status = 'received' AND created_at < :before
ORDER BY created_at, id
LIMIT :most;

-- name: insert_receipt!
-- Stores a receipt; returns its id.
INSERT INTO receipts (id, account_id, environment, partner_id, token_id, source, status, byte_count,
                      digest, key_digest, created_at, facts, wrapped_key, content)
VALUES (:id, :account_id, :environment, :partner_id, :token_id, :source, 'received', :byte_count,
        :digest, :key_digest, :now, :facts, :wrapped_key, :content);

-- name: finish_receipt^
-- Ends a receipt that nobody has ended; returns its id.
UPDATE receipts SET status = :status, finished_at = :now
WHERE id = :receipt_id AND status = 'received'
  AND EXISTS (SELECT 1 FROM receipts_scoped AS mine WHERE mine.id = receipts.id)
RETURNING id;

-- name: find_interchange^
-- The interchange with this id, and what is sealed.
SELECT id, account_id, environment, direction, status, source, sender_qualifier, sender_id,
       receiver_qualifier, receiver_id, isa_control_number, isa_date, isa_time, version,
       usage_indicator, allotted, file_size, digest, reason, partner_id, receipt_id, doc_id,
       sent_at, created_at, updated_at,
       facts, content, wrapped_key
FROM interchanges_scoped
WHERE id = :interchange_id;

-- name: find_interchange_facts^
-- What is sealed of an interchange beside its bytes.
SELECT facts, wrapped_key
FROM interchanges_scoped
WHERE id = :interchange_id;

-- name: list_interchanges
-- A page of those that fit, newest first, behind a time and an id.
SELECT id, account_id, environment, direction, status, source, sender_qualifier, sender_id,
       receiver_qualifier, receiver_id, isa_control_number, isa_date, isa_time, version,
       usage_indicator, allotted, file_size, digest, reason, partner_id, receipt_id, doc_id,
       sent_at, created_at, updated_at
FROM interchanges_scoped
WHERE environment = :environment
  AND (CAST(:statuses AS text) IS NULL OR replace(:statuses, ' ' || status || ' ', '') <> :statuses)
  AND (CAST(:direction AS text) IS NULL OR direction = :direction)
  AND (CAST(:partner_id AS bigint) IS NULL OR partner_id = :partner_id)
  AND created_at >= :since
  AND (created_at, id) < (:before_at, :before_id)
ORDER BY created_at DESC, id DESC
LIMIT :limit OFFSET :offset;

-- name: list_interchanges_of_status
-- As list_interchanges, of one status.
SELECT id, account_id, environment, direction, status, source, sender_qualifier, sender_id,
       receiver_qualifier, receiver_id, isa_control_number, isa_date, isa_time, version,
       usage_indicator, allotted, file_size, digest, reason, partner_id, receipt_id, doc_id,
       sent_at, created_at, updated_at
FROM interchanges_scoped
WHERE status = :status AND environment = :environment
  AND (CAST(:direction AS text) IS NULL OR direction = :direction)
  AND (CAST(:partner_id AS bigint) IS NULL OR partner_id = :partner_id)
  AND created_at >= :since
  AND (created_at, id) < (:before_at, :before_id)
ORDER BY created_at DESC, id DESC
LIMIT :limit OFFSET :offset;

-- name: count_interchanges^
-- How many fit.
SELECT count(*) AS total FROM (SELECT 1
FROM interchanges_scoped
WHERE environment = :environment
  AND (CAST(:statuses AS text) IS NULL OR replace(:statuses, ' ' || status || ' ', '') <> :statuses)
  AND (CAST(:direction AS text) IS NULL OR direction = :direction)
  AND (CAST(:partner_id AS bigint) IS NULL OR partner_id = :partner_id)
  AND created_at >= :since AND created_at < :before
LIMIT :most) AS counted;

-- name: count_interchanges_of_status^
-- How many of one status fit.
SELECT count(*) AS total FROM (SELECT 1
FROM interchanges_scoped
WHERE status = :status AND environment = :environment
  AND (CAST(:direction AS text) IS NULL OR direction = :direction)
  AND (CAST(:partner_id AS bigint) IS NULL OR partner_id = :partner_id)
  AND created_at >= :since AND created_at < :before
LIMIT :most) AS counted;

-- name: count_interchanges_of_time^
-- How many there are of a span of time.
SELECT count(*) AS total FROM (SELECT 1
FROM interchanges_scoped
WHERE environment = :environment AND created_at >= :since AND created_at < :before
LIMIT :most) AS counted;

-- name: list_same_interchange_number
-- What was received of a pair with a control number, newest first.
SELECT id, account_id, environment, direction, status, source, sender_qualifier, sender_id,
       receiver_qualifier, receiver_id, isa_control_number, isa_date, isa_time, version,
       usage_indicator, allotted, file_size, digest, reason, partner_id, receipt_id, doc_id,
       sent_at, created_at, updated_at
FROM interchanges_scoped
WHERE environment = :environment AND direction = 'inbound'
  AND sender_qualifier = :sender_qualifier AND sender_id = :sender_id
  AND receiver_qualifier = :receiver_qualifier AND receiver_id = :receiver_id
  AND isa_number = :isa_number
ORDER BY id DESC;

-- name: list_interchanges_of_receipt
-- The interchanges of a receipt, in their order.
SELECT id, account_id, environment, direction, status, source, sender_qualifier, sender_id,
       receiver_qualifier, receiver_id, isa_control_number, isa_date, isa_time, version,
       usage_indicator, allotted, file_size, digest, reason, partner_id, receipt_id, doc_id,
       sent_at, created_at, updated_at
FROM interchanges_scoped
WHERE receipt_id = :receipt_id
ORDER BY id;

-- name: list_groups
-- The groups of an interchange, in their order.
SELECT id, functional_id, sender_code, receiver_code, gs_control_number, version
FROM functional_groups_scoped
WHERE interchange_id = :interchange_id
ORDER BY id;

-- name: insert_interchange!
-- Stores an interchange; returns its id.
INSERT INTO interchanges (id, account_id, environment, direction, status, source, sender_qualifier,
                          sender_id, receiver_qualifier, receiver_id, isa_control_number,
                          isa_number, isa_date, isa_time, version, usage_indicator, allotted,
                          file_size, digest, reason, partner_id, receipt_id, doc_id, created_at,
                          updated_at, facts, wrapped_key, content)
VALUES (:id, :account_id, :environment, :direction, :status, :source, :sender_qualifier,
        :sender_id, :receiver_qualifier, :receiver_id, :isa_control_number,
        :isa_number, :isa_date, :isa_time, :version, :usage_indicator, :allotted,
        :file_size, :digest, :reason, :partner_id, :receipt_id, :doc_id, :now,
        :now, :facts, :wrapped_key, :content);

-- name: insert_group^
-- Stores a group; returns its id.
INSERT INTO functional_groups (account_id, environment, interchange_id, direction, functional_id,
                               sender_code, receiver_code, gs_control_number, gs_number, version,
                               allotted, created_at)
VALUES (:account_id, :environment, :interchange_id, :direction, :functional_id,
        :sender_code, :receiver_code, :gs_control_number, :gs_number, :version,
        :allotted, :now)
RETURNING id;

-- name: step_interchange^
-- Changes the status; returns the id, or no row if the interchange stands elsewhere.
UPDATE interchanges SET status = :status, reason = :reason, updated_at = :now
WHERE id = :interchange_id AND status = :start
  AND EXISTS (SELECT 1 FROM interchanges_scoped AS mine WHERE mine.id = interchanges.id)
RETURNING id;

-- name: hold_interchange!
-- Changes nothing that is told of; whoever changes the interchange afterwards waits for the unit.
UPDATE interchanges SET updated_at = :now
WHERE id = :interchange_id
  AND EXISTS (SELECT 1 FROM interchanges_scoped AS mine WHERE mine.id = interchanges.id);

-- name: set_interchange_sent!
-- Notes when an interchange was handed over, unless a later time is noted.
UPDATE interchanges SET sent_at = :at, updated_at = :now
WHERE id = :interchange_id AND coalesce(sent_at, 0) < :at
  AND EXISTS (SELECT 1 FROM interchanges_scoped AS mine WHERE mine.id = interchanges.id);

-- name: set_groups_sent!
-- Notes the same of its groups.
UPDATE functional_groups SET sent_at = :at
WHERE interchange_id = :interchange_id AND coalesce(sent_at, 0) < :at
  AND EXISTS (SELECT 1 FROM functional_groups_scoped AS mine WHERE mine.id = functional_groups.id);

-- name: assign_interchange!
-- Notes whose interchange it is.
UPDATE interchanges SET partner_id = :partner_id, updated_at = :now
WHERE id = :interchange_id
  AND EXISTS (SELECT 1 FROM interchanges_scoped AS mine WHERE mine.id = interchanges.id);
