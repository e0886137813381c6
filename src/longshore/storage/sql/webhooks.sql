-- Webhook endpoints and the deliveries to them. accounts.sql says how a change names its row.

-- name: find_webhook_endpoint^
-- The one with this id; deleted ones too.
SELECT id, account_id, environment, url, description, events, partner_ids, status,
       disabled_reason, position, breaker, opened_at, probe_at, failing_since, last_success_at,
       last_failure_at, created_at, sealed_version, wrapped_key, secrets
FROM webhook_endpoints_scoped
WHERE id = :endpoint_id;

-- name: list_webhook_endpoints
-- Those of an environment that are not deleted, in the order they were made.
SELECT id, account_id, environment, url, description, events, partner_ids, status,
       disabled_reason, position, breaker, opened_at, probe_at, failing_since, last_success_at,
       last_failure_at, created_at, sealed_version, wrapped_key, secrets
FROM webhook_endpoints_scoped
WHERE environment = :environment AND status <> 'deleted'
ORDER BY id;

-- name: list_webhook_endpoints_behind
-- Those of all accounts with events that were not looked at for them.
SELECT e.id, e.account_id, e.environment
FROM webhook_endpoints_scoped AS e
JOIN account_sequences_scoped AS s ON s.account_id = e.account_id AND s.kind = 'event'
WHERE e.status = 'active' AND e.position < s.last
ORDER BY e.id;

-- name: insert_webhook_endpoint!
-- Stores one at sealed version 1.
INSERT INTO webhook_endpoints (id, account_id, environment, url, description, events, partner_ids,
                               status, disabled_reason, position, replays, breaker, created_at,
                               updated_at, sealed_version, wrapped_key, secrets)
VALUES (:id, :account_id, :environment, :url, :description, :events, :of_partners, 'active', '',
        :position, 0, 'closed', :now, :now, 1, :wrapped_key, :secrets);

-- name: change_webhook_endpoint^
-- Changes where and about what it is called; returns its id.
UPDATE webhook_endpoints
SET url = :url, description = :description, events = :events, partner_ids = :of_partners,
    updated_at = :now
WHERE id = :endpoint_id AND status <> 'deleted'
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id)
RETURNING id;

-- name: change_webhook_secrets^
-- Stores other secrets, unless they were changed meanwhile; returns its id.
UPDATE webhook_endpoints
SET updated_at = :now, sealed_version = :sealed_version, wrapped_key = :wrapped_key,
    secrets = :secrets
WHERE id = :endpoint_id AND sealed_version = :expected_version
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id)
RETURNING id;

-- name: disable_webhook_endpoint^
-- Stops calls of an active one; returns its id, or no row if it was not active.
UPDATE webhook_endpoints
SET status = :status, disabled_reason = :reason, updated_at = :now
WHERE id = :endpoint_id AND status = 'active'
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id)
RETURNING id;

-- name: enable_webhook_endpoint^
-- Begins calls of a disabled one with the events behind a position; returns its id.
UPDATE webhook_endpoints
SET status = :status, disabled_reason = '', position = :position, breaker = :state,
    opened_at = NULL, probe_at = NULL, failing_since = NULL, updated_at = :now
WHERE id = :endpoint_id AND status = 'disabled'
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id)
RETURNING id;

-- name: delete_webhook_endpoint^
-- Ends one for good; what was delivered to it stays. Returns its id.
UPDATE webhook_endpoints
SET status = :status, url = '', description = '', secrets = wrapped_key, updated_at = :now
WHERE id = :endpoint_id AND status <> 'deleted'
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id)
RETURNING id;

-- name: move_webhook_position^
-- Notes up to where events were looked at; returns its id, or no row if another was first.
UPDATE webhook_endpoints SET position = :position
WHERE id = :endpoint_id AND position = :start_position AND status = 'active'
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id)
RETURNING id;

-- name: draw_webhook_replay^
-- Counts one more replay; returns its number. Held until the unit ends.
UPDATE webhook_endpoints SET replays = replays + 1
WHERE id = :endpoint_id
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id)
RETURNING replays;

-- name: set_webhook_breaker^
-- Changes the circuit breaker; returns the id, or no row if another was first.
UPDATE webhook_endpoints SET breaker = :state, opened_at = :opened_at, probe_at = :probe_at
WHERE id = :endpoint_id AND breaker = :start
  AND COALESCE(probe_at, 0) = CAST(:start_probe_at AS bigint)
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id)
RETURNING id;

-- name: record_webhook_success!
-- Notes that it took an event.
UPDATE webhook_endpoints SET last_success_at = :now, failing_since = NULL
WHERE id = :endpoint_id
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id);

-- name: record_webhook_failure!
-- Notes that it did not take an event.
UPDATE webhook_endpoints
SET last_failure_at = :now, failing_since = COALESCE(failing_since, CAST(:now AS bigint))
WHERE id = :endpoint_id
  AND EXISTS (SELECT 1 FROM webhook_endpoints_scoped AS mine WHERE mine.id = webhook_endpoints.id);

-- name: insert_webhook_delivery^
-- Stores that an entry of the outbox calls an endpoint about an event; returns its id.
INSERT INTO webhook_deliveries (account_id, environment, endpoint_id, outbox_id, event_position,
                                event_type, replay, message_id, created_at)
VALUES (:account_id, :environment, :endpoint_id, :outbox_id, :event_position, :event_type, :replay,
        :message_id, :now)
RETURNING id;

-- name: find_webhook_delivery_of_entry^
-- The one that an entry of the outbox is for.
SELECT id, account_id, environment, endpoint_id, outbox_id, event_position, event_type, replay,
       message_id, created_at
FROM webhook_deliveries_scoped
WHERE outbox_id = :outbox_id;

-- name: find_webhook_delivery^
-- The one with this id, with the state of its entry.
SELECT d.id, d.account_id, d.environment, d.endpoint_id, d.outbox_id, d.event_position,
       d.event_type, d.replay, d.message_id, d.created_at, o.state, o.due_at, o.attempt
FROM webhook_deliveries_scoped AS d
JOIN outbox_scoped AS o ON o.id = d.outbox_id
WHERE d.id = :delivery_id;

-- name: list_webhook_deliveries
-- Those of an endpoint before an id, the newest first, with the state of their entries.
SELECT d.id, d.account_id, d.environment, d.endpoint_id, d.outbox_id, d.event_position,
       d.event_type, d.replay, d.message_id, d.created_at, o.state, o.due_at, o.attempt
FROM webhook_deliveries_scoped AS d
JOIN outbox_scoped AS o ON o.id = d.outbox_id
WHERE d.endpoint_id = :endpoint_id AND d.id < :before
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_webhook_attempts
-- The attempts of the deliveries of an endpoint with ids in a range, oldest first.
SELECT a.id, a.account_id, a.environment, a.outbox_id, a.attempt, a.message_id, a.started_at,
       a.finished_at, a.outcome, a.http_status, a.error_code, a.next_attempt_at,
       a.wrapped_key, a.facts
FROM webhook_deliveries_scoped AS d
JOIN delivery_attempts_scoped AS a ON a.outbox_id = d.outbox_id
WHERE d.endpoint_id = :endpoint_id AND d.id >= :first AND d.id <= :last
ORDER BY a.id;

-- name: list_recent_webhook_attempts
-- Attempts to call an endpoint that have ended, the newest first.
SELECT a.finished_at, a.outcome, a.http_status, a.error_code
FROM delivery_attempts_scoped AS a
WHERE a.endpoint_id = :endpoint_id AND a.outcome IS NOT NULL
ORDER BY a.id DESC
LIMIT :most;

-- name: insert_webhook_attempt^
-- Notes that an attempt begins; returns its id, or no row if it is noted already.
INSERT INTO delivery_attempts (account_id, environment, outbox_id, endpoint_id, attempt,
                               message_id, started_at, wrapped_key, facts)
VALUES (:account_id, :environment, :outbox_id, :endpoint_id, :attempt, :message_id, :now,
        :wrapped_key, :wrapped_key)
ON CONFLICT (outbox_id, attempt) DO NOTHING
RETURNING id;

-- name: make_webhook_entries_due
-- Brings forward the next attempts to call an endpoint; returns their ids.
UPDATE outbox SET due_at = :at
WHERE kind = 'webhook' AND state = 'due' AND is_first = 1 AND attempt > 0 AND due_at > :at
  AND updated_at <= :unchanged_since
  AND EXISTS (SELECT 1 FROM webhook_deliveries_scoped AS d
              WHERE d.outbox_id = outbox.id AND d.endpoint_id = :endpoint_id)
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id)
RETURNING id;

-- name: find_partner_of_event^
-- The partner of what an event is about.
SELECT max(partner_id) AS partner_id
FROM (
    SELECT t.partner_id FROM transactions_scoped AS t
    WHERE t.id = :transaction_id
    UNION ALL
    SELECT i.partner_id FROM interchanges_scoped AS i
    WHERE i.id = :interchange_id
) AS partners;

-- name: list_ended_webhook_deliveries
-- Deliveries before a time whose work has ended, the oldest first.
SELECT d.id, d.outbox_id
FROM webhook_deliveries_scoped AS d
JOIN outbox_scoped AS o ON o.id = d.outbox_id
WHERE d.endpoint_id = :endpoint_id AND d.created_at < :before
  AND o.state IN ('done', 'dead', 'cancelled')
ORDER BY d.id
LIMIT :most;

-- name: delete_webhook_attempts!
-- Removes the attempts of an entry.
DELETE FROM delivery_attempts
WHERE outbox_id = :outbox_id AND endpoint_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM delivery_attempts_scoped AS mine WHERE mine.id = delivery_attempts.id);

-- name: delete_webhook_delivery!
-- Removes a delivery.
DELETE FROM webhook_deliveries
WHERE id = :delivery_id
  AND EXISTS (SELECT 1 FROM webhook_deliveries_scoped AS mine
              WHERE mine.id = webhook_deliveries.id);

-- name: delete_webhook_entry!
-- Removes an entry of the outbox whose work has ended.
DELETE FROM outbox
WHERE id = :outbox_id AND kind = 'webhook' AND state IN ('done', 'dead', 'cancelled')
  AND EXISTS (SELECT 1 FROM outbox_scoped AS mine WHERE mine.id = outbox.id);

-- name: list_all_webhook_endpoints
-- Those of all accounts, deleted ones too.
SELECT id, account_id, environment FROM webhook_endpoints_scoped ORDER BY id;
