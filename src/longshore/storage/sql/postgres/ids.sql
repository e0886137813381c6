-- The ids of rows that hold encrypted content: the key is bound to the id, so the id comes first.

-- name: next_id^
-- The id of the next row of a table.
SELECT nextval(pg_get_serial_sequence(CAST(:table_name AS text), 'id')) AS id;
