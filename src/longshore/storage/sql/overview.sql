-- The figures of the overview, of one environment. A day is counted from 1970-01-01 in UTC.

-- name: count_stored_transactions^
-- How many transactions were stored in a span of time.
SELECT count(*) AS total
FROM transactions_scoped AS t
WHERE t.environment = :environment
  AND t.created_at >= :since AND t.created_at < :before;

-- name: list_volumes
-- How many transactions there are, by day and set; NULL, last in a day, are all sets that are not
-- among the most frequent ones of the whole time.
WITH counted AS (
    SELECT tx_set, created_at / 86400000000 AS day, count(*) AS number
    FROM transactions_scoped
    WHERE environment = :environment AND created_at >= :since AND created_at < :before
    GROUP BY tx_set, day
), frequent AS (
    SELECT tx_set
    FROM counted
    GROUP BY tx_set
    ORDER BY sum(number) DESC, tx_set
    LIMIT :most
)
SELECT CAST(sum(c.number) AS bigint) AS total, c.day, f.tx_set
FROM counted AS c
LEFT JOIN frequent AS f ON f.tx_set = c.tx_set
GROUP BY c.day, f.tx_set
ORDER BY c.day, f.tx_set IS NULL, f.tx_set;

-- name: list_unusual_states
-- How many of the unusual transactions have the same states, by day.
SELECT count(*) AS total, created_at / 86400000000 AS day, direction, processing_status,
       validation_status, delivery_status, ack_status
FROM transactions_scoped
WHERE (delivery_status NOT IN ('delivered', 'not_applicable') OR ack_status = 'rejected'
       OR processing_status NOT IN ('done', 'not_applicable') OR validation_status = 'invalid')
  AND environment = :environment AND created_at >= :since AND created_at < :before
GROUP BY day, direction, processing_status, validation_status, delivery_status, ack_status
ORDER BY day;

-- name: list_latencies
-- How many acknowledgements took as long, by the day they came on: to the second below ten minutes,
-- to the minute below ten hours, else to the hour.
SELECT count(*) AS total, received_at / 86400000000 AS day,
       CASE WHEN received_at - sent_at < 600000000 THEN (received_at - sent_at) / 1000000
            WHEN received_at - sent_at < 36000000000 THEN (received_at - sent_at) / 60000000 * 60
            ELSE (received_at - sent_at) / 3600000000 * 3600 END AS seconds
FROM acks_scoped
WHERE environment = :environment AND direction = 'inbound' AND sent_at IS NOT NULL
  AND received_at >= :since AND received_at < :before AND received_at >= sent_at
GROUP BY day, seconds
ORDER BY day, seconds;

-- name: find_awaited^
-- How many acknowledgements partners owe, and when the oldest of what is owed for was sent; for what
-- was not delivered, or is held, none is.
SELECT count(*) AS total, min(sent_at) AS oldest_sent_at
FROM acks_scoped
WHERE environment = :environment AND status = 'pending' AND ack_type <> 'TA1'
    AND expected_by IS NOT NULL;

-- name: list_rejections
-- Sets of ours that were rejected, by what was complained of and by partner, the most frequent
-- first; since the first of them was sent. What answers nothing that was sent is not among them.
SELECT count(*) AS total, a.complaints AS name, min(a.created_at) AS since, a.partner_id,
       coalesce(max(p.name), '') AS partner_name
FROM acks_scoped AS a
LEFT JOIN partners_scoped AS p ON p.id = a.partner_id
WHERE a.environment = :environment AND a.result = 'rejected' AND a.direction = 'inbound'
  AND a.matched = 1 AND a.ack_type <> 'TA1' AND a.created_at >= :since AND a.created_at < :before
GROUP BY a.complaints, a.partner_id
ORDER BY count(*) DESC, min(a.created_at) DESC, a.complaints, a.partner_id
LIMIT :most;

-- name: list_open_rejections
-- As list_rejections, without sets that were made anew.
SELECT count(*) AS total, a.complaints AS name, min(a.created_at) AS since, a.partner_id,
       coalesce(max(p.name), '') AS partner_name
FROM acks_scoped AS a
LEFT JOIN partners_scoped AS p ON p.id = a.partner_id
WHERE a.environment = :environment AND a.result = 'rejected' AND a.direction = 'inbound'
  AND a.matched = 1 AND a.ack_type <> 'TA1' AND a.created_at >= :since AND a.created_at < :before
  AND NOT EXISTS (
    SELECT 1 FROM transactions_scoped AS s WHERE s.parent_id = a.transaction_id
-- part: made_anew
  )
GROUP BY a.complaints, a.partner_id
ORDER BY count(*) DESC, min(a.created_at) DESC, a.complaints, a.partner_id
LIMIT :most;

-- name: list_overdue_sets
-- Acknowledgements that did not come in time, by set; since they were expected, the last first.
SELECT count(*) AS total, tx_set AS name, min(expected_by) AS since, NULL AS partner_id,
       '' AS partner_name
FROM acks_scoped
WHERE environment = :environment AND status = 'pending' AND overdue = 1
  AND ack_type <> 'TA1'
GROUP BY tx_set
ORDER BY min(expected_by) DESC, tx_set
LIMIT :most;

-- name: list_quarantined_reasons
-- Interchanges that wait for a decision, by reason; since the first came.
SELECT count(*) AS total, coalesce(reason, '') AS name, min(created_at) AS since,
       NULL AS partner_id, '' AS partner_name
FROM interchanges_scoped
WHERE environment = :environment AND status = 'quarantined'
GROUP BY coalesce(reason, '')
ORDER BY coalesce(reason, '');

-- name: list_undelivered_partners
-- Transactions whose delivery failed for good and that were not made anew, by partner; since the
-- first was stored, the last first. Asked for a time, SQLite walks the few unusual ones, not all by
-- partner.
SELECT count(*) AS total, '' AS name, min(t.created_at) AS since, t.partner_id,
       coalesce(max(p.name), '') AS partner_name
FROM transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE (t.delivery_status NOT IN ('delivered', 'not_applicable') OR t.ack_status = 'rejected'
       OR t.processing_status NOT IN ('done', 'not_applicable') OR t.validation_status = 'invalid')
  AND t.environment = :environment AND t.delivery_status = 'failed' AND t.created_at > 0
  AND NOT EXISTS (
    SELECT 1 FROM transactions_scoped AS s WHERE s.parent_id = t.id
-- part: made_anew
  )
GROUP BY t.partner_id
ORDER BY min(t.created_at) DESC, t.partner_id
LIMIT :most;

-- name: list_invalid_received
-- Transactions that were received since then, are invalid and were not made anew, by partner and
-- set; since the first was stored, the last first.
SELECT count(*) AS total, t.tx_set AS name, min(t.created_at) AS since, t.partner_id,
       coalesce(max(p.name), '') AS partner_name
FROM transactions_scoped AS t
LEFT JOIN partners_scoped AS p ON p.id = t.partner_id
WHERE (t.delivery_status NOT IN ('delivered', 'not_applicable') OR t.ack_status = 'rejected'
       OR t.processing_status NOT IN ('done', 'not_applicable') OR t.validation_status = 'invalid')
  AND t.environment = :environment AND t.direction = 'inbound' AND t.validation_status = 'invalid'
  AND t.processing_status = 'done' AND t.created_at >= :since
  AND NOT EXISTS (
    SELECT 1 FROM transactions_scoped AS s WHERE s.parent_id = t.id
-- part: made_anew
  )
GROUP BY t.partner_id, t.tx_set
ORDER BY min(t.created_at) DESC, t.partner_id, t.tx_set
LIMIT :most;

-- name: list_failing_partners
-- Partners whose connection of the environment does not work: its status, how many documents wait
-- for another attempt, and since when the first of them waits; the last first, then those for whom
-- nothing waits.
SELECT count(o.id) AS total,
       CASE WHEN :environment = 'production' THEN p.live_connection_status
            ELSE p.test_connection_status END AS name,
       min(o.created_at) AS since, p.id AS partner_id, p.name AS partner_name
FROM partners_scoped AS p
LEFT JOIN outbox_scoped AS o
       ON o.partner_id = p.id AND o.environment = :environment AND o.attempt > 0
          AND o.state IN ('due', 'leased', 'held')
WHERE CASE WHEN :environment = 'production' THEN p.live_connection_status
           ELSE p.test_connection_status END IN ('failing', 'disabled')
  AND p.partner_status NOT IN ('pending', 'inactive')
GROUP BY p.id, p.name, p.live_connection_status, p.test_connection_status
ORDER BY coalesce(min(o.created_at), 0) DESC, p.id
LIMIT :most;

-- name: list_counters
-- Where the counters of interchanges and groups stand, and whom they count towards.
SELECT kind, peer_qualifier, peer_id, max(last) AS last
FROM control_counters_scoped
WHERE environment = :environment AND kind <> 'st'
GROUP BY kind, peer_qualifier, peer_id
ORDER BY kind, peer_qualifier, peer_id;

-- name: list_partner_ranges
-- The partners that are sent to: who counters count towards, and their settings.
SELECT id, name, isa_qualifier, isa_id, gs_id, settings
FROM partners_scoped
WHERE partner_status NOT IN ('pending', 'inactive')
ORDER BY id;
