-- The ids of the master keys that content of this database is sealed with. They are written where
-- migrations run, by who owns the tables; units never do.

-- name: list_sealing_keys
-- Every id.
SELECT key_id FROM sealing_keys;

-- name: insert_sealing_key!
-- Notes an id.
INSERT INTO sealing_keys (key_id, created_at) VALUES (:key_id, :created_at);
