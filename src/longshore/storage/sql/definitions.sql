-- Definitions that accounts imported. A row never changes; an import replaces it by another one.

-- name: list_definitions
-- The definitions of an environment by set, release and guide, without their texts.
SELECT id, tx_set, release, guide, title, format, file_name, digest, size, created_at,
       wrapped_key
FROM definitions_scoped
WHERE environment = :environment
ORDER BY tx_set, release, guide;

-- name: list_sealed_definitions
-- The definitions of an environment with their encrypted texts, in the same order.
SELECT id, tx_set, release, guide, title, format, file_name, digest, size, created_at,
       wrapped_key, content
FROM definitions_scoped
WHERE environment = :environment
ORDER BY tx_set, release, guide;

-- name: insert_definition!
-- Stores a definition.
INSERT INTO definitions (id, account_id, environment, tx_set, release, guide, title, format,
                         file_name, digest, size, created_at, wrapped_key, content)
VALUES (:id, :account_id, :environment, :tx_set, :release, :guide, :title, :format,
        :file_name, :digest, :size, :created_at, :wrapped_key, :content);

-- name: delete_definition
-- Removes a definition; returns the owner and the size of its encrypted texts.
DELETE FROM definitions
WHERE id = :definition_id
  AND EXISTS (SELECT 1 FROM definitions_scoped AS mine WHERE mine.id = definitions.id)
RETURNING account_id, length(content) AS stored_bytes;
