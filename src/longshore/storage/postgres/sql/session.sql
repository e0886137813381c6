-- What the engine itself asks PostgreSQL, outside or around the queries of units.

-- name: enter_scope(account, environment, is_system)!
-- Shows the rows of a scope until the transaction ends; '' stands for none.
SELECT set_config('app.account', :account, true),
       set_config('app.env', :environment, true),
       set_config('app.system', :is_system, true);

-- name: announce_revocation(channel, name)!
-- Tells every listening process that this one, of that name, took a right away.
SELECT pg_notify(:channel, :name);

-- name: read_only_setting()^
-- 'on' on a standby or a server that was set to take no writes.
SELECT current_setting('transaction_read_only');

-- name: dangerous_settings()
-- Settings of the server with which acknowledged commits can be lost, or text be changed.
SELECT name, setting
FROM pg_settings
WHERE (name IN ('fsync', 'full_page_writes') AND setting <> 'on')
   OR (name = 'synchronous_commit' AND setting IN ('off', 'local'))
   OR (name = 'server_encoding' AND setting <> 'UTF8');

-- name: session_role()^
-- Whom this session acts as, and whether row security binds it.
SELECT rolname, rolsuper OR rolbypassrls AS is_unbound
FROM pg_roles
WHERE rolname = current_user;

-- name: owned_tables()
-- Tables of the schema that the session's role could take the guard off, since it owns them.
SELECT relname
FROM pg_class
WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
  AND pg_has_role(current_user, relowner, 'MEMBER')
ORDER BY relname;

-- name: guarded_tables()
-- Tables of the schema on which row security binds even their owner.
SELECT relname
FROM pg_class
WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
  AND relrowsecurity AND relforcerowsecurity;

-- name: invoker_views()
-- Views of the schema that read with the rights of who asks.
SELECT relname
FROM pg_class
WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace
  AND reloptions @> ARRAY['security_invoker=true'];

-- name: views()
-- Every view of the schema.
SELECT relname
FROM pg_class
WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace
ORDER BY relname;

-- name: has_ledger()^
-- Whether a migration was ever applied here. Not by to_regclass: that may remember that it was not,
-- though another session has made the ledger while this one waited for the lock.
SELECT EXISTS (
    SELECT 1 FROM pg_class
    WHERE relname = 'schema_migrations' AND relnamespace = current_schema()::regnamespace
);

-- name: lock_schema(key)!
-- Waits until no other process migrates this database.
SELECT pg_advisory_xact_lock(:key);

-- name: let_owner_in()!
-- Shows the owner of the tables all rows until the transaction ends.
SELECT set_config('app.maintenance', 'on', true);

-- name: record_migration(number, name, sha256, applied_at)!
-- Notes in the ledger that a migration was applied.
INSERT INTO schema_migrations (number, name, sha256, applied_at)
VALUES (:number, :name, :sha256, :applied_at);

-- name: hold_worker_lock(key)!
-- Shows for as long as the session lasts that a worker lives.
SELECT pg_advisory_lock(:key);

-- name: try_worker_lock(key)$
-- Takes the lock of another worker if that has ended.
SELECT pg_try_advisory_lock(:key);

-- name: release_worker_lock(key)!
-- Gives the lock of another worker back.
SELECT pg_advisory_unlock(:key);

-- name: write_probe()!
-- Writes a record to the log of the server, and waits until it is durable; changes no table.
SELECT pg_logical_emit_message(true, 'longshore', 'write probe');
