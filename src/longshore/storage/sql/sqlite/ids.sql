-- The ids of rows that hold encrypted content: the key is bound to the id, so the id comes first.

-- name: next_id^
-- The id of the next row of a table. One writer at a time, so nobody else takes it.
SELECT coalesce(max(seq), 0) + 1 AS id
FROM sqlite_sequence
WHERE name = :table_name;
