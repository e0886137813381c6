-- What the engine itself asks PostgreSQL, outside or around the queries of units.

-- name: enter_scope!
-- Shows the rows of a scope until the transaction ends; '' stands for none. It is sent with the
-- BEGIN, as one text, which takes no parameters: the braces stand for a number and words of ours.
SELECT set_config('app.account', '{account}', true),
       set_config('app.env', '{environment}', true),
       set_config('app.system', '{is_system}', true);

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

-- name: begin_unit!
-- Begins the transaction of a write unit.
BEGIN ISOLATION LEVEL READ COMMITTED;

-- name: begin_read_unit!
-- Begins the transaction of a read unit, which sees one snapshot.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- name: roll_back_unit!
-- Ends the transaction of a unit without a change.
ROLLBACK;

-- name: give_ending(value)!
-- Keeps the values of what a unit stores last, as JSON, until the transaction ends.
SELECT set_config('app.ending', :value, true);

-- name: store_last_events!
-- Stores the last events of a unit at the next positions of their account.
WITH event AS (
    SELECT *
    FROM jsonb_to_recordset(current_setting('app.ending')::jsonb -> 'events') AS each (
        account_id bigint, number bigint, count bigint, environment text, type text, data text,
        transaction_id bigint, actor text, created_at bigint)
), drawn AS (
    INSERT INTO account_sequences (account_id, kind, last)
    SELECT account_id, 'event', count FROM event WHERE number = 1 ORDER BY account_id
    ON CONFLICT (account_id, kind)
    DO UPDATE SET last = account_sequences.last + excluded.last
    RETURNING account_id, last
)
INSERT INTO events (account_id, environment, position, type, data, transaction_id, actor,
                    created_at, wrapped_key, facts)
SELECT event.account_id, event.environment, drawn.last - event.count + event.number, event.type,
       event.data, event.transaction_id, event.actor, event.created_at, '', ''
FROM event JOIN drawn ON drawn.account_id = event.account_id
ORDER BY event.account_id, event.number;

-- name: draw_last_entries!
-- Moves the audit log of an account on by the last entries of a unit, and holds its end.
INSERT INTO account_sequences (account_id, kind, last)
SELECT account_id, 'audit', count
FROM jsonb_to_recordset(current_setting('app.ending')::jsonb -> 'entries') AS each (
    account_id bigint, number bigint, count bigint)
WHERE number = 1
ORDER BY account_id
ON CONFLICT (account_id, kind)
DO UPDATE SET last = account_sequences.last + excluded.last;

-- name: store_last_entries!
-- Stores the last entries of a unit at the positions that were drawn for them. A hash is that of
-- the hash before and the text of the entry; before the first stand 32 zeros.
WITH RECURSIVE entry AS (
    SELECT *
    FROM jsonb_to_recordset(current_setting('app.ending')::jsonb -> 'entries') AS each (
        account_id bigint, number bigint, count bigint, actor text, action text, object text,
        ip text, request_id text, created_at bigint, before_position text, after_position text)
), chain AS (
    SELECT drawn.account_id, CAST(0 AS bigint) AS number, drawn.last - entry.count AS position,
           COALESCE((SELECT earlier.hash FROM audit_entries_scoped AS earlier
                     WHERE earlier.account_id = drawn.account_id
                       AND earlier.position = drawn.last - entry.count),
                    decode(repeat('00', 32), 'hex')) AS hash
    FROM entry
    JOIN account_sequences_scoped AS drawn
      ON drawn.account_id = entry.account_id AND drawn.kind = 'audit'
    WHERE entry.number = 1
    UNION ALL
    SELECT chain.account_id, entry.number, chain.position + 1,
           sha256(chain.hash || convert_to(entry.before_position
                                           || CAST(chain.position + 1 AS text)
                                           || entry.after_position, 'UTF8'))
    FROM chain
    JOIN entry ON entry.account_id = chain.account_id AND entry.number = chain.number + 1
)
INSERT INTO audit_entries (account_id, position, actor, action, object, ip, request_id,
                           created_at, wrapped_key, facts, hash)
SELECT entry.account_id, chain.position, entry.actor, entry.action, entry.object, entry.ip,
       entry.request_id, entry.created_at, '', '', chain.hash
FROM chain
JOIN entry ON entry.account_id = chain.account_id AND entry.number = chain.number
ORDER BY entry.account_id, entry.number;

-- name: add_last_usage!
-- Counts what a unit has stored or removed, as add_account_usage.
INSERT INTO account_usage (account_id, stored_bytes, stored_records, is_near_quota)
SELECT account_id, bytes, records, 0
FROM jsonb_to_recordset(current_setting('app.ending')::jsonb -> 'usage') AS each (
    account_id bigint, bytes bigint, records bigint)
ON CONFLICT (account_id)
DO UPDATE SET stored_bytes = account_usage.stored_bytes + excluded.stored_bytes,
              stored_records = account_usage.stored_records + excluded.stored_records;

-- name: commit_unit!
-- Makes the changes of a write unit durable.
COMMIT;
