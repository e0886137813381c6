-- Transactions and the references they are found by. storage/word_lists.py describes lists of words.
-- What a list shows: what fits every filter, and a filter that is NULL fits everything. The derived
-- status is that of domain/transactions/states.py; a test compares the two.

-- name: find_transaction^
-- The transaction with this id.
-- part: transaction_columns
FROM transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE t.id = :transaction_id;

-- name: list_transactions
-- A page of those that fit, newest first, behind a time and an id. It walks the times, and judges
-- each row: for what no other list is quicker with.
-- part: transaction_columns
FROM transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE (CAST(:environment AS text) IS NULL OR t.environment = :environment)
-- part: transaction_states
-- part: transaction_finds
  AND t.updated_at > 0  -- as its index says
  AND t.created_at >= :since
  AND (t.created_at, t.id) < (:before_at, :before_id)
ORDER BY t.created_at DESC, t.id DESC
LIMIT :limit OFFSET :offset;

-- name: count_transactions^
-- How many fit.
SELECT count(*) AS total FROM (SELECT 1
FROM transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE (CAST(:environment AS text) IS NULL OR t.environment = :environment)
-- part: transaction_states
-- part: transaction_finds
  AND t.updated_at > 0  -- as its index says
  AND t.created_at >= :since AND t.created_at < :before
LIMIT :most) AS counted;

-- name: list_sorted_transactions
-- A page of those that fit in another order: :sign is -1 for the largest first, and :behind the key
-- of the row before the page, times :sign.
-- part: transaction_columns
FROM transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE (CAST(:environment AS text) IS NULL OR t.environment = :environment)
-- part: transaction_states
-- part: transaction_finds
  AND t.created_at >= :since AND t.created_at < :before
  AND (CAST(:sign AS bigint) * CASE CAST(:sort AS text) WHEN 'created_at' THEN t.created_at WHEN 'updated_at' THEN t.updated_at
       ELSE t.id END,
       CAST(:sign AS bigint) * t.id) > (CAST(:behind AS bigint), CAST(:behind_id AS bigint))
ORDER BY CAST(:sign AS bigint) * CASE CAST(:sort AS text) WHEN 'created_at' THEN t.created_at WHEN 'updated_at' THEN t.updated_at
       ELSE t.id END,
         CAST(:sign AS bigint) * t.id
LIMIT :limit OFFSET :offset;

-- name: list_transactions_of_time
-- A page of those of one environment, newest first; an index has all that it is narrowed by.
-- part: transaction_columns
FROM (SELECT t.id FROM transactions_scoped AS t
WHERE t.environment = :environment
-- part: transaction_states
  AND t.created_at >= :since
  AND (t.created_at, t.id) < (:before_at, :before_id)
ORDER BY t.created_at DESC, t.id DESC
LIMIT :limit OFFSET :offset
-- part: transaction_page

-- name: count_transactions_of_time^
-- How many of these fit.
SELECT count(*) AS total FROM (SELECT 1
FROM transactions_scoped AS t
WHERE t.environment = :environment
-- part: transaction_states
  AND t.created_at >= :since AND t.created_at < :before
LIMIT :most) AS counted;

-- name: list_unusual_transactions
-- As list_transactions_of_time, of those that are not just delivered, acknowledged or processed: an
-- index of its own holds these few.
-- part: transaction_columns
FROM (SELECT t.id FROM transactions_scoped AS t
WHERE (t.delivery_status NOT IN ('delivered', 'not_applicable') OR t.ack_status = 'rejected'
       OR t.processing_status NOT IN ('done', 'not_applicable') OR t.validation_status = 'invalid')
  AND t.environment = :environment
-- part: transaction_states
  AND t.created_at >= :since
  AND (t.created_at, t.id) < (:before_at, :before_id)
ORDER BY t.created_at DESC, t.id DESC
LIMIT :limit OFFSET :offset
-- part: transaction_page

-- name: count_unusual_transactions^
-- How many of these fit.
SELECT count(*) AS total FROM (SELECT 1
FROM transactions_scoped AS t
WHERE (t.delivery_status NOT IN ('delivered', 'not_applicable') OR t.ack_status = 'rejected'
       OR t.processing_status NOT IN ('done', 'not_applicable') OR t.validation_status = 'invalid')
  AND t.environment = :environment
-- part: transaction_states
  AND t.created_at >= :since AND t.created_at < :before
LIMIT :most) AS counted;

-- name: list_transactions_of_partner
-- As list_transactions_of_time, of one partner.
-- part: transaction_columns
FROM (SELECT t.id FROM transactions_scoped AS t
WHERE t.partner_id = :partner_id AND t.environment = :environment
-- part: transaction_states
  AND t.created_at >= :since
  AND (t.created_at, t.id) < (:before_at, :before_id)
ORDER BY t.created_at DESC, t.id DESC
LIMIT :limit OFFSET :offset
-- part: transaction_page

-- name: count_transactions_of_partner^
-- How many of these fit.
SELECT count(*) AS total FROM (SELECT 1
FROM transactions_scoped AS t
WHERE t.partner_id = :partner_id AND t.environment = :environment
-- part: transaction_states
  AND t.created_at >= :since AND t.created_at < :before
LIMIT :most) AS counted;

-- name: list_transactions_of_set
-- As list_transactions_of_time, of one set.
-- part: transaction_columns
FROM (SELECT t.id FROM transactions_scoped AS t
WHERE t.tx_set = :tx_set AND t.environment = :environment
-- part: transaction_states
  AND t.created_at >= :since
  AND (t.created_at, t.id) < (:before_at, :before_id)
ORDER BY t.created_at DESC, t.id DESC
LIMIT :limit OFFSET :offset
-- part: transaction_page

-- name: count_transactions_of_set^
-- How many of these fit.
SELECT count(*) AS total FROM (SELECT 1
FROM transactions_scoped AS t
WHERE t.tx_set = :tx_set AND t.environment = :environment
-- part: transaction_states
  AND t.created_at >= :since AND t.created_at < :before
LIMIT :most) AS counted;

-- name: count_found_transactions^
-- How many are found, of the first :most ways to them.
SELECT count(DISTINCT counted.id) AS total FROM (
-- part: transaction_ids
LIMIT :most) AS counted;

-- name: list_found_transactions
-- As list_transactions, of few that are found by an index first.
-- part: transaction_columns
FROM (SELECT DISTINCT found.id FROM (
-- part: transaction_ids
) AS found) AS matches
CROSS JOIN transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE t.id = matches.id
  AND (CAST(:environment AS text) IS NULL OR t.environment = :environment)
-- part: transaction_states
-- part: transaction_finds
  AND t.created_at >= :since
  AND (t.created_at, t.id) < (:before_at, :before_id)
ORDER BY t.created_at DESC, t.id DESC
LIMIT :limit OFFSET :offset;

-- name: count_found_transactions_that_fit^
-- How many of these fit.
SELECT count(*) AS total FROM (SELECT 1
FROM (SELECT DISTINCT found.id FROM (
-- part: transaction_ids
) AS found) AS matches
CROSS JOIN transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE t.id = matches.id
  AND (CAST(:environment AS text) IS NULL OR t.environment = :environment)
-- part: transaction_states
-- part: transaction_finds
  AND t.created_at >= :since AND t.created_at < :before
LIMIT :most) AS counted;

-- name: list_transactions_of_interchange
-- The transactions of an interchange, in their order.
-- part: transaction_columns
FROM transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE t.interchange_id = :interchange_id
ORDER BY t.id;

-- name: list_transaction_ids
-- The ids of the transactions of an interchange, in their order.
SELECT id
FROM transactions_scoped
WHERE interchange_id = :interchange_id
ORDER BY id;

-- name: list_duplicate_transactions
-- Ids of what a partner sent with the same content before, oldest first. The plus keeps SQLite from
-- walking the times instead of the digests.
SELECT id
FROM transactions_scoped
WHERE environment = :environment AND partner_id = :partner_id AND digest = :digest
  AND direction = 'inbound' AND +created_at >= :since
ORDER BY id;

-- name: insert_transaction!
-- Stores a transaction; returns its id.
INSERT INTO transactions (id, account_id, environment, interchange_id, group_id, partner_id, direction,
                          tx_set, processing_status, validation_status, delivery_status, ack_status,
                          format, version, functional_group, isa_control_number, gs_control_number,
                          st_control_number, sender_qualifier, sender_id, receiver_qualifier,
                          receiver_id, usage_indicator, segment_count, file_size, doc_id, parent_id,
                          duplicate_of, attempts, source, created_at, updated_at, digest,
                          sealed_version, wrapped_key, facts)
VALUES (:id, :account_id, :environment, :interchange_id, :group_id, :partner_id, :direction,
        :tx_set, :processing_status, :validation_status, :delivery_status, :ack_status,
        :format, :version, :functional_group, :isa_control_number, :gs_control_number,
        :st_control_number, :sender_qualifier, :sender_id, :receiver_qualifier,
        :receiver_id, :usage_indicator, :segment_count, :file_size, :doc_id, :parent_id,
        :duplicate_of, 0, :source, :now, :now, :digest,
        1, :wrapped_key, :facts);

-- name: set_transaction_facts^
-- Puts sealed facts in the place of those of the version before; returns the id.
UPDATE transactions
SET sealed_version = :sealed_version, wrapped_key = :wrapped_key, facts = :facts, updated_at = :now
WHERE id = :transaction_id AND sealed_version = CAST(:sealed_version AS bigint) - 1
  AND EXISTS (SELECT 1 FROM transactions_scoped AS mine WHERE mine.id = transactions.id)
RETURNING id;

-- name: insert_reference!
-- Lets a transaction be found by a reference.
INSERT INTO transaction_references (account_id, environment, transaction_id, digest)
VALUES (:account_id, :environment, :transaction_id, :digest)
ON CONFLICT (transaction_id, digest) DO NOTHING;

-- name: step_processing^
-- Makes a step; returns the id, or no row if the transaction stands elsewhere.
UPDATE transactions SET processing_status = :status, updated_at = :now
WHERE id = :transaction_id AND processing_status = :start
  AND EXISTS (SELECT 1 FROM transactions_scoped AS mine WHERE mine.id = transactions.id)
RETURNING id;

-- name: step_validation^
-- Makes a step; returns the id, or no row if the transaction stands elsewhere.
UPDATE transactions SET validation_status = :status, updated_at = :now
WHERE id = :transaction_id AND validation_status = :start
  AND EXISTS (SELECT 1 FROM transactions_scoped AS mine WHERE mine.id = transactions.id)
RETURNING id;

-- name: step_delivery^
-- Makes a step; returns the id, or no row if the transaction stands elsewhere.
UPDATE transactions SET delivery_status = :status, updated_at = :now
WHERE id = :transaction_id AND delivery_status = :start
  AND EXISTS (SELECT 1 FROM transactions_scoped AS mine WHERE mine.id = transactions.id)
RETURNING id;

-- name: step_ack^
-- Makes a step; returns the id, or no row if the transaction stands elsewhere.
UPDATE transactions SET ack_status = :status, updated_at = :now
WHERE id = :transaction_id AND ack_status = :start
  AND EXISTS (SELECT 1 FROM transactions_scoped AS mine WHERE mine.id = transactions.id)
RETURNING id;

-- name: step_deliveries
-- Makes a step of all transactions of an interchange that stand at one of these; returns their ids.
UPDATE transactions SET delivery_status = :status, updated_at = :now
WHERE interchange_id = :interchange_id
  AND replace(CAST(:starts AS text), ' ' || delivery_status || ' ', '') <> :starts
  AND EXISTS (SELECT 1 FROM transactions_scoped AS mine WHERE mine.id = transactions.id)
RETURNING id;

-- name: count_attempt!
-- Counts an attempt to deliver an interchange.
UPDATE transactions SET attempts = attempts + 1, updated_at = :now
WHERE interchange_id = :interchange_id
  AND EXISTS (SELECT 1 FROM transactions_scoped AS mine WHERE mine.id = transactions.id);

-- name: list_related
-- The sets of an interchange that were made of others, or others of them.
SELECT t.id
FROM transactions_scoped AS t
WHERE t.interchange_id = :interchange_id
  AND (t.parent_id IS NOT NULL
       OR EXISTS (SELECT 1 FROM transactions_scoped AS s WHERE s.parent_id = t.id))
ORDER BY t.id;

-- name: list_made_of
-- What was made of a transaction, and of that again, oldest first.
WITH RECURSIVE made(id) AS (
    SELECT t.id FROM transactions_scoped AS t WHERE t.parent_id = :transaction_id
    UNION
    SELECT t.id FROM transactions_scoped AS t JOIN made ON t.parent_id = made.id
)
SELECT id FROM made ORDER BY id;

-- name: link_transaction!
-- Sets what belongs to a transaction; what is NULL stays as it is.
UPDATE transactions
SET partner_id = coalesce(CAST(:partner_id AS bigint), partner_id),
    doc_id = coalesce(CAST(:doc_id AS bigint), doc_id),
    output_doc_id = coalesce(CAST(:output_doc_id AS bigint), output_doc_id),
    duplicate_of = coalesce(CAST(:duplicate_of AS bigint), duplicate_of), updated_at = :now
WHERE id = :transaction_id
  AND EXISTS (SELECT 1 FROM transactions_scoped AS mine WHERE mine.id = transactions.id);

-- name: link_documents!
-- Tells documents, and what the first was converted from, of which transaction they are; one of
-- several sets keeps the first.
UPDATE vault_documents SET transaction_id = :transaction_id
WHERE id IN (CAST(:doc_id AS bigint), CAST(:output_doc_id AS bigint),
             (SELECT made.source_doc_id FROM vault_documents_scoped AS made
              WHERE made.id = CAST(:doc_id AS bigint)))
  AND transaction_id IS NULL
  AND EXISTS (SELECT 1 FROM vault_documents_scoped AS mine WHERE mine.id = vault_documents.id);
