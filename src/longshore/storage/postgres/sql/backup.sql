-- What a backup asks PostgreSQL.

-- name: export_snapshot()^
-- A name under which pg_dump reads what this transaction sees.
SELECT pg_export_snapshot();

-- name: tables()
-- Every table of the schema.
SELECT relname
FROM pg_class
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
ORDER BY relname;
