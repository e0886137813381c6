-- The ledger of migrations; it is written by storage/schema alone.

-- name: list_applied_migrations
-- Number and SHA-256 of each migration in the database, by number.
SELECT number, sha256 FROM schema_migrations ORDER BY number;
