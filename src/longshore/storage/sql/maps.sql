-- Saved maps and their versions. A version never changes once its key is set.

-- name: find_map^
-- The head of the map with this id.
SELECT id, name, source_fmt, target_fmt, tx_set, direction, version, rule_count, locked,
       created_at, updated_at
FROM maps_scoped
WHERE id = :map_id;

-- name: list_maps
-- All heads, the last saved first, each with the time of the newest document that it made.
SELECT id, name, source_fmt, target_fmt, tx_set, direction, version, rule_count, locked,
       created_at, updated_at,
       (SELECT made.created_at FROM vault_documents_scoped AS made
        WHERE made.map_id = maps_scoped.id
        ORDER BY made.id DESC LIMIT 1) AS last_run_at
FROM maps_scoped
ORDER BY updated_at DESC, id DESC;

-- name: insert_map^
-- Stores the head of a new map at version 1 and returns it.
INSERT INTO maps (account_id, name, source_fmt, target_fmt, tx_set, direction, version,
                  rule_count, locked, created_at, updated_at)
VALUES (:account_id, :name, :source_fmt, :target_fmt, :tx_set, :direction, 1,
        :rule_count, 0, :now, :now)
RETURNING id, name, source_fmt, target_fmt, tx_set, direction, version, rule_count, locked,
          created_at, updated_at;

-- name: advance_map^
-- Makes the head that of the next version, if the map is at the expected one and not locked.
UPDATE maps
SET name = :name, source_fmt = :source_fmt, target_fmt = :target_fmt, tx_set = :tx_set,
    direction = :direction, rule_count = :rule_count, version = version + 1, updated_at = :now
WHERE id = :map_id AND version = :expected_version AND locked = 0
  AND EXISTS (SELECT 1 FROM maps_scoped AS mine WHERE mine.id = maps.id)
RETURNING id, name, source_fmt, target_fmt, tx_set, direction, version, rule_count, locked,
          created_at, updated_at;

-- name: set_map_locked^
-- Locks or unlocks a map and returns its id; no row where that changes nothing.
UPDATE maps SET locked = :locked
WHERE id = :map_id AND locked <> :locked
  AND EXISTS (SELECT 1 FROM maps_scoped AS mine WHERE mine.id = maps.id)
RETURNING id;

-- name: hold_map^
-- Keeps others from saving a map that is not locked until this unit ends; returns its name, or no row.
UPDATE maps SET version = version
WHERE id = :map_id AND locked = 0
  AND EXISTS (SELECT 1 FROM maps_scoped AS mine WHERE mine.id = maps.id)
RETURNING name;

-- name: delete_map_versions
-- Removes the versions of a map; returns the owner and the size of each.
DELETE FROM map_versions
WHERE map_id = :map_id
  AND EXISTS (SELECT 1 FROM map_versions_scoped AS mine WHERE mine.id = map_versions.id)
RETURNING account_id, length(body) AS size;

-- name: delete_map!
-- Removes the head of a map without versions.
DELETE FROM maps
WHERE id = :map_id
  AND EXISTS (SELECT 1 FROM maps_scoped AS mine WHERE mine.id = maps.id);

-- name: find_map_version^
-- One version of a map: its row, what is sealed in it, and the key for that.
SELECT id, version, body, wrapped_key
FROM map_versions_scoped
WHERE map_id = :map_id AND version = :version;

-- name: list_map_versions
-- What the history shows of each version, the newest first.
SELECT version, rule_count, added, removed, changed, note, saved_by, saved_at
FROM map_versions_scoped
WHERE map_id = :map_id
ORDER BY version DESC;

-- name: insert_map_version!
-- Stores a version and returns the id of its row.
INSERT INTO map_versions (id, account_id, map_id, version, rule_count, added, removed, changed, note,
                          body, wrapped_key, saved_by, saved_at)
VALUES (:id, :account_id, :map_id, :version, :rule_count, :added, :removed, :changed, :note,
        :body, :wrapped_key, :saved_by, :saved_at);

