-- Stored documents. See accounts.sql for how rows are read and changed. A filter that is NULL fits
-- everything, and CAST tells PostgreSQL its type. Newest first is by id: ids are given in the order
-- of storing.

-- name: find_vault_document^
-- The document with this id: its columns, then its owner and what is sealed.
SELECT id, environment, filename, fmt, direction, transaction_set, status, file_size,
       transaction_id, map_id, map_version, source_doc_id, created_at,
       account_id, facts, wrapped_key, content
FROM vault_documents_scoped
WHERE id = :document_id;

-- name: list_vault_documents
-- A page of the documents that fit, newest first. With :id or :prefix either fits.
SELECT id, environment, filename, fmt, direction, transaction_set, status, file_size,
       transaction_id, map_id, map_version, source_doc_id, created_at
FROM vault_documents_scoped
WHERE environment = :environment
  AND (CAST(:prefix AS text) IS NULL OR id = CAST(:id AS bigint)
       OR substr(filename, 1, length(:prefix)) = :prefix)
  AND (CAST(:fmt AS text) IS NULL OR fmt = :fmt)
  AND (CAST(:direction AS text) IS NULL OR direction = :direction)
  AND (CAST(:transaction_set AS text) IS NULL OR transaction_set = :transaction_set)
  AND (CAST(:map_id AS bigint) IS NULL OR map_id = :map_id)
  AND (CAST(:since AS bigint) IS NULL OR created_at >= :since)
  AND (CAST(:before AS bigint) IS NULL OR created_at < :before)
ORDER BY id DESC
LIMIT :limit OFFSET :offset;

-- name: count_vault_documents^
-- How many documents fit.
SELECT count(*) AS total FROM (SELECT 1
FROM vault_documents_scoped
WHERE environment = :environment
  AND (CAST(:prefix AS text) IS NULL OR id = CAST(:id AS bigint)
       OR substr(filename, 1, length(:prefix)) = :prefix)
  AND (CAST(:fmt AS text) IS NULL OR fmt = :fmt)
  AND (CAST(:direction AS text) IS NULL OR direction = :direction)
  AND (CAST(:transaction_set AS text) IS NULL OR transaction_set = :transaction_set)
  AND (CAST(:map_id AS bigint) IS NULL OR map_id = :map_id)
  AND (CAST(:since AS bigint) IS NULL OR created_at >= :since)
  AND (CAST(:before AS bigint) IS NULL OR created_at < :before)
LIMIT :most) AS counted;

-- name: list_map_sources
-- Ids of the documents that were converted with a map, each once, newest conversion first.
SELECT source_doc_id
FROM vault_documents_scoped
WHERE map_id = :map_id AND environment = :environment AND source_doc_id IS NOT NULL
GROUP BY source_doc_id
ORDER BY max(id) DESC
LIMIT :most;

-- name: list_expired_vault_documents
-- Ids of the documents stored before a moment, oldest first.
SELECT id
FROM vault_documents_scoped
WHERE created_at < :before
ORDER BY created_at, id
LIMIT :most;

-- name: insert_vault_document!
-- Stores a document; returns its id.
INSERT INTO vault_documents (id, account_id, environment, filename, fmt, direction, transaction_set,
                             status, file_size, map_id, map_version, source_doc_id, created_at,
                             facts, wrapped_key, content)
VALUES (:id, :account_id, :environment, :filename, :fmt, :direction, :transaction_set,
        :status, :file_size, :map_id, :map_version, :source_doc_id, :created_at,
        :facts, :wrapped_key, :content);

-- name: delete_vault_document^
-- Removes a document; returns its id, owner and size, or no row if there is none.
DELETE FROM vault_documents
WHERE id = :document_id
  AND EXISTS (SELECT 1 FROM vault_documents_scoped AS mine WHERE mine.id = vault_documents.id)
RETURNING id, account_id, length(content) AS size;
