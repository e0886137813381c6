-- Trace numbers of requests and responses, and which belong together.

-- name: insert_request_trace!
-- Stores a number of a request.
INSERT INTO request_traces (account_id, environment, transaction_id, direction, kind, element,
                            position, total, state, due_at, created_at, digest)
VALUES (:account_id, :environment, :transaction_id, :direction, :kind, :element,
        :position, :total, 'open', :due_at, :now, :digest)
ON CONFLICT (transaction_id, digest) DO NOTHING;

-- name: insert_response_trace!
-- Stores a number of a response.
INSERT INTO response_traces (account_id, environment, transaction_id, direction, kind, element,
                             position, total, ambiguous, created_at, digest)
VALUES (:account_id, :environment, :transaction_id, :direction, :kind, :element,
        :position, :total, 0, :now, :digest)
ON CONFLICT (transaction_id, digest) DO NOTHING;

-- name: list_request_traces
-- The numbers of a request, in the order of the document.
SELECT kind, element, position, total, state, due_at
FROM request_traces_scoped
WHERE transaction_id = :transaction_id
ORDER BY id;

-- name: list_response_traces
-- The numbers of a response, in the order of the document.
SELECT s.id, s.kind, s.element, s.position, s.total, s.request_id, s.ambiguous,
       (SELECT max(r.total) FROM request_traces_scoped AS r
        WHERE r.transaction_id = s.request_id
) AS request_total
FROM response_traces_scoped AS s
WHERE s.transaction_id = :transaction_id
ORDER BY s.id;

-- name: list_responses_to_request
-- The responses to a request, oldest first.
SELECT transaction_id, count(*) AS numbers, max(ambiguous) AS ambiguous, max(total) AS total
FROM response_traces_scoped
WHERE request_id = :request_id
GROUP BY transaction_id
ORDER BY transaction_id
LIMIT :most;

-- name: list_trace_matches
-- For each number of a response: the newest two requests that are not answered, and the newest one.
SELECT s.id, s.kind, s.element, s.position,
       (SELECT r.transaction_id FROM request_traces_scoped AS r
        WHERE r.digest = s.digest AND r.environment = s.environment
          AND r.direction <> s.direction AND r.state <> 'answered'
        ORDER BY r.transaction_id DESC LIMIT 1) AS open_id,
       (SELECT r.transaction_id FROM request_traces_scoped AS r
        WHERE r.digest = s.digest AND r.environment = s.environment
          AND r.direction <> s.direction AND r.state <> 'answered'
        ORDER BY r.transaction_id DESC LIMIT 1 OFFSET 1) AS second_id,
       (SELECT r.transaction_id FROM request_traces_scoped AS r
        WHERE r.digest = s.digest AND r.environment = s.environment
          AND r.direction <> s.direction
        ORDER BY r.transaction_id DESC LIMIT 1) AS newest_id
FROM response_traces_scoped AS s
WHERE s.transaction_id = :response_id
ORDER BY s.id;

-- name: link_response_trace!
-- Links a number of a response to a request.
UPDATE response_traces SET request_id = :request_id, ambiguous = :ambiguous
WHERE id = :response_trace_id
  AND EXISTS (SELECT 1 FROM response_traces_scoped AS mine WHERE mine.id = response_traces.id);

-- name: answer_traces!
-- Marks the numbers that a response gives back as answered.
UPDATE request_traces SET state = 'answered'
WHERE digest IN (SELECT s.digest FROM response_traces_scoped AS s
                 WHERE s.transaction_id = :response_id AND s.environment = request_traces.environment
                   AND s.direction <> request_traces.direction)
  AND state <> 'answered'
  AND EXISTS (SELECT 1 FROM request_traces_scoped AS mine WHERE mine.id = request_traces.id);

-- name: answer_request!
-- Marks all numbers of a request as answered.
UPDATE request_traces SET state = 'answered'
WHERE transaction_id = :request_id AND state <> 'answered'
  AND EXISTS (SELECT 1 FROM request_traces_scoped AS mine WHERE mine.id = request_traces.id);

-- name: await_no_answer!
-- Awaits no more answers to a request.
UPDATE request_traces SET due_at = NULL
WHERE transaction_id = :request_id AND state = 'open'
  AND EXISTS (SELECT 1 FROM request_traces_scoped AS mine WHERE mine.id = request_traces.id);

-- name: list_overdue_requests
-- The request of each number that was due before now, counted from its delivery, and of none that was
-- rejected; the longest overdue first.
SELECT r.transaction_id, r.environment, t.partner_id
FROM request_traces_scoped AS r
JOIN transactions_scoped AS t ON t.id = r.transaction_id
JOIN interchanges_scoped AS i ON i.id = t.interchange_id
WHERE r.state = 'open' AND r.due_at < :now
  AND i.sent_at + (r.due_at - r.created_at) < :now AND t.ack_status <> 'rejected'
ORDER BY r.due_at
LIMIT :most;

-- name: mark_traces_overdue
-- Marks the numbers of a request that were due; returns their ids.
UPDATE request_traces SET state = 'overdue'
WHERE transaction_id = :request_id AND state = 'open' AND due_at < :now
  AND EXISTS (SELECT 1 FROM request_traces_scoped AS mine WHERE mine.id = request_traces.id)
RETURNING id;
