-- Acknowledgements, and what of ours they can be about.

-- name: find_ack^
-- The row with this id.
-- part: ack_rows
WHERE a.id = :ack_id;

-- name: list_acks
-- A page of those that fit, newest first, behind a time and an id.
-- part: ack_rows
WHERE (CAST(:environment AS text) IS NULL OR a.environment = :environment)
-- part: ack_filters
-- part: ack_page

-- name: list_acks_of_status
-- As list_acks, of one status, without TA1.
-- part: ack_rows
WHERE a.environment = :environment AND a.status = :status AND a.ack_type <> 'TA1'
-- part: ack_filters
-- part: ack_page

-- name: list_rejected_acks
-- As list_acks, of those that reject.
-- part: ack_rows
WHERE a.environment = :environment AND a.result = 'rejected'
-- part: ack_filters
-- part: ack_page

-- name: count_acks^
-- How many fit.
SELECT count(*) AS total FROM (SELECT 1
FROM acks_scoped AS a
WHERE (CAST(:environment AS text) IS NULL OR a.environment = :environment)
-- part: ack_filters
  AND a.created_at >= :since AND a.created_at < :before
LIMIT :most) AS counted;

-- name: count_acks_of_status^
-- How many of one status fit, without TA1.
SELECT count(*) AS total FROM (SELECT 1
FROM acks_scoped AS a
WHERE a.environment = :environment AND a.status = :status AND a.ack_type <> 'TA1'
-- part: ack_filters
  AND a.created_at >= :since AND a.created_at < :before
LIMIT :most) AS counted;

-- name: count_rejected_acks^
-- How many of those that reject fit.
SELECT count(*) AS total FROM (SELECT 1
FROM acks_scoped AS a
WHERE a.environment = :environment AND a.result = 'rejected'
-- part: ack_filters
  AND a.created_at >= :since AND a.created_at < :before
LIMIT :most) AS counted;

-- name: count_group_acks_of_status^
-- How many acknowledgements of groups there are of one status.
SELECT count(*) AS total FROM (SELECT 1
FROM acks_scoped AS a
WHERE a.environment = :environment AND a.status = :status AND a.ack_type <> 'TA1'
  AND a.ack_type IN ('997', '999') AND a.created_at >= :since AND a.created_at < :before
LIMIT :most) AS counted;

-- name: list_acks_of_transaction
-- The rows of a transaction, oldest first.
-- part: ack_rows
WHERE a.transaction_id = :transaction_id
ORDER BY a.id;

-- name: list_acks_of_interchange
-- The rows of the acknowledgements that came or go in an interchange, oldest first.
-- part: ack_rows
WHERE a.interchange_id = :interchange_id
ORDER BY a.id;

-- name: list_complaints
-- What was complained of in sets, in no order; a TA1 that rejects speaks of all sets of its
-- interchange. The ids have 19 digits each, one behind the other: neither engine takes a list the
-- other takes, and whoever looks for words in a text finds them by no index.
WITH RECURSIVE places(place) AS (
    SELECT 1
    UNION ALL
    SELECT p.place + 19
    FROM places AS p
    JOIN (SELECT length(CAST(:transaction_ids AS text)) AS chars) AS ids ON p.place + 19 < ids.chars
), wanted(id) AS (
    SELECT CAST(substr(CAST(:transaction_ids AS text), place, 19) AS bigint) FROM places
)
SELECT a.transaction_id, a.id, a.complaints
FROM wanted AS w
CROSS JOIN acks_scoped AS a
WHERE a.transaction_id = w.id AND a.complaints <> ''
UNION ALL
SELECT t.id, a.id, a.complaints
FROM wanted AS w
CROSS JOIN transactions_scoped AS t
CROSS JOIN acks_scoped AS a
WHERE t.id = w.id AND a.acked_interchange_id = t.interchange_id
  AND a.ack_type = 'TA1' AND a.result = 'rejected' AND a.complaints <> '';

-- name: list_overdue_acks
-- Pending rows that were expected before now and are not marked, the longest overdue first.
-- part: ack_rows
WHERE a.status = 'pending' AND a.overdue = 0 AND a.expected_by < :now
ORDER BY a.expected_by, a.id
LIMIT :most;

-- name: list_sent_groups
-- The groups we sent between a pair with a control number, oldest first.
SELECT g.id, g.interchange_id, g.sender_code, g.receiver_code, g.functional_id,
       g.gs_control_number, g.sent_at
FROM functional_groups_scoped AS g
JOIN interchanges_scoped AS i ON i.id = g.interchange_id
WHERE g.environment = :environment AND g.direction = 'outbound' AND g.gs_number = :gs_number
  AND i.sender_qualifier = :sender_qualifier AND i.sender_id = :sender_id
  AND i.receiver_qualifier = :receiver_qualifier AND i.receiver_id = :receiver_id
ORDER BY g.id;

-- name: list_sent_interchanges
-- The interchanges we sent between a pair with a control number, oldest first.
SELECT id, isa_control_number, isa_date, isa_time, sent_at
FROM interchanges_scoped
WHERE environment = :environment AND direction = 'outbound' AND isa_number = :isa_number
  AND sender_qualifier = :sender_qualifier AND sender_id = :sender_id
  AND receiver_qualifier = :receiver_qualifier AND receiver_id = :receiver_id
ORDER BY id;

-- name: list_sent_sets
-- The sets of an interchange, in its order: group, then what acknowledgements ask of them.
SELECT group_id, id, tx_set, st_control_number, ack_status
FROM transactions_scoped
WHERE interchange_id = :interchange_id
ORDER BY id;

-- name: list_answers
-- What was answered to an interchange, its groups and its sets, oldest first.
SELECT acked_group_id, transaction_id, ack_type, result, received_at, digests
FROM acks_scoped
WHERE acked_interchange_id = :interchange_id AND direction = 'inbound'
  AND received_at IS NOT NULL
ORDER BY received_at, id;

-- name: list_sent_by_reference
-- The newest sets we sent between a pair with a reference, each with its group.
SELECT g.id AS group_id, g.interchange_id, g.sender_code, g.receiver_code, g.functional_id,
       g.gs_control_number, g.sent_at, t.id, t.tx_set, t.st_control_number, t.ack_status
FROM transaction_references_scoped AS r
JOIN transactions_scoped AS t ON t.id = r.transaction_id
JOIN functional_groups_scoped AS g ON g.id = t.group_id
JOIN interchanges_scoped AS i ON i.id = g.interchange_id
WHERE r.digest = :digest AND t.environment = :environment AND t.direction = 'outbound'
  AND (:tx_set = '' OR t.tx_set = :tx_set)
  AND i.sender_qualifier = :sender_qualifier AND i.sender_id = :sender_id
  AND i.receiver_qualifier = :receiver_qualifier AND i.receiver_id = :receiver_id
ORDER BY r.transaction_id DESC
LIMIT 10;

-- name: list_answers_of_set
-- What was answered to a set, and to its interchange by TA1, oldest first.
SELECT acked_group_id, transaction_id, ack_type, result, received_at, digests
FROM acks_scoped
WHERE acked_interchange_id = :interchange_id AND direction = 'inbound'
  AND received_at IS NOT NULL AND (transaction_id = :transaction_id OR ack_type = 'TA1')
ORDER BY received_at, id;

-- name: list_own_answers
-- The interchanges in which we answered one that was received, oldest first.
SELECT DISTINCT interchange_id
FROM acks_scoped
WHERE acked_interchange_id = :interchange_id AND direction = 'outbound'
  AND interchange_id IS NOT NULL
ORDER BY interchange_id;

-- name: insert_ack!
-- Stores a row; returns its id.
INSERT INTO acks (id, account_id, environment, ack_type, direction, status, result, overdue, matched, weak_match,
                  ambiguous, conflict, transaction_id, partner_id, interchange_id,
                  acked_interchange_id, acked_group_id, tx_set, functional_group,
                  isa_control_number, acked_gs_control_number, acked_st_control_number,
                  group_code, group_error_codes, transaction_code, transaction_error_codes,
                  complaints, sets_included, sets_received, sets_accepted, doc_id, expected_by,
                  received_at, sent_at, digests, facts, wrapped_key, created_at, updated_at,
                  version, sealed_version)
VALUES (:id, :account_id, :environment, :ack_type, :direction, :status, :result, :overdue, :matched,
        :weak_match, :ambiguous, :conflict, :transaction_id, :partner_id, :interchange_id,
        :acked_interchange_id, :acked_group_id, :tx_set, :functional_group,
        :isa_control_number, :acked_gs_control_number, :acked_st_control_number,
        :group_code, :group_error_codes, :transaction_code, :transaction_error_codes,
        :complaints, :sets_included, :sets_received, :sets_accepted, :doc_id, :expected_by, :received_at,
        :sent_at, :digests, :facts, :wrapped_key, :now, :now, 1, 1);

-- name: find_ack_digests^
-- The digests of what was answered so far.
SELECT digests FROM acks_scoped WHERE id = :ack_id;

-- name: answer_ack^
-- Makes a row what was answered; returns its id, or no row if it was changed meanwhile.
UPDATE acks
SET ack_type = :ack_type, direction = :direction, status = :status, result = :result, overdue =
    :overdue, matched = :matched, weak_match = :weak_match, ambiguous = :ambiguous, conflict
    = :conflict, transaction_id = :transaction_id, partner_id = :partner_id, interchange_id
    = :interchange_id, acked_interchange_id = :acked_interchange_id, acked_group_id =
    :acked_group_id, tx_set = :tx_set, functional_group = :functional_group,
    isa_control_number = :isa_control_number, acked_gs_control_number =
    :acked_gs_control_number, acked_st_control_number = :acked_st_control_number, group_code
    = :group_code, group_error_codes = :group_error_codes, transaction_code =
    :transaction_code, transaction_error_codes = :transaction_error_codes,
    complaints = :complaints, sets_included =
    :sets_included, sets_received = :sets_received, sets_accepted = :sets_accepted, doc_id =
    :doc_id, expected_by = :expected_by, received_at = :received_at, sent_at = :sent_at,
    digests = :digests, facts = :facts, sealed_version = :sealed_version, wrapped_key =
    :wrapped_key, version = version + 1, updated_at = :now
WHERE id = :ack_id AND version = :expected_version
  AND sealed_version = CAST(:sealed_version AS bigint) - 1
  AND EXISTS (SELECT 1 FROM acks_scoped AS mine WHERE mine.id = acks.id)
RETURNING id;

-- name: expect_ack^
-- Notes until when a pending row is expected; returns its id.
UPDATE acks
SET sent_at = :sent_at, expected_by = :expected_by, version = version + 1, updated_at = :now
WHERE id = :ack_id AND status = 'pending'
  AND EXISTS (SELECT 1 FROM acks_scoped AS mine WHERE mine.id = acks.id)
RETURNING id;

-- name: mark_ack_overdue^
-- Notes that a row is overdue; returns its id, or no row if it is answered or marked.
UPDATE acks SET overdue = 1, version = version + 1, updated_at = :now
WHERE id = :ack_id AND status = 'pending' AND overdue = 0 AND expected_by < :now
  AND EXISTS (SELECT 1 FROM acks_scoped AS mine WHERE mine.id = acks.id)
RETURNING id;

-- name: finish_own_ack^
-- Notes that ours was sent or given up; returns its id, or no row if that is known. What was given
-- up can still be sent by a retry; what was sent stays so.
UPDATE acks
SET status = :status, sent_at = :sent_at, version = version + 1, updated_at = :now
WHERE id = :ack_id AND status <> 'sent' AND status <> :status AND direction = 'outbound'
  AND EXISTS (SELECT 1 FROM acks_scoped AS mine WHERE mine.id = acks.id)
RETURNING id;
