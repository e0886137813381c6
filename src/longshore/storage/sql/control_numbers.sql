-- Counters of control numbers. Each is the row of its key; a draw holds it until the unit ends.
-- Never a sequence: a unit that is rolled back must not leave a gap.
-- A number is looked up by its index: the + keeps SQLite from walking that of the time instead.

-- name: list_control_counters
-- The counters towards a qualifier and an id; "reserved" are the numbers that the next draw skips.
SELECT kind, own_qualifier, own_id, peer_qualifier, peer_id, environment, last, updated_at,
       CAST((SELECT COALESCE(sum(CASE WHEN r.id > control_counters_scoped.reserve_id
                                      THEN r.numbers ELSE 0 END), 0)
             FROM number_reserves AS r) AS bigint) AS reserved
FROM control_counters_scoped
WHERE peer_qualifier = :qualifier AND peer_id = :peer_id
ORDER BY environment, kind, id;

-- name: insert_number_reserve!
-- Notes how many numbers each counter skips before its next draw. Written by a restore alone.
INSERT INTO number_reserves (numbers, restored_at) VALUES (:numbers, :restored_at);

-- name: list_used_isa_numbers
-- Which ISA13 between two were used in what we sent, whoever numbered it.
SELECT isa_number AS number
FROM interchanges_scoped
WHERE environment = :environment AND direction = 'outbound'
  AND sender_qualifier = :own_qualifier AND sender_id = :own_id
  AND receiver_qualifier = :peer_qualifier AND receiver_id = :peer_id
  AND isa_number BETWEEN :first AND :last AND created_at >= :since;

-- name: list_used_gs_numbers
-- Which GS06 between two were used in what we sent, whoever numbered it.
SELECT gs_number AS number
FROM functional_groups_scoped
WHERE environment = :environment AND direction = 'outbound'
  AND sender_code = :own_id AND receiver_code = :peer_id
  AND gs_number BETWEEN :first AND :last AND created_at >= :since;

-- name: list_ends_of_used_isa_numbers
-- The ISA13 from :first to :last that were used, and are the :last or have a successor that was not,
-- the least first.
SELECT used.isa_number AS number
FROM interchanges_scoped AS used
WHERE used.environment = :environment AND used.direction = 'outbound'
  AND used.sender_qualifier = :own_qualifier AND used.sender_id = :own_id
  AND used.receiver_qualifier = :peer_qualifier AND used.receiver_id = :peer_id
  AND used.isa_number BETWEEN :first AND :last AND used.created_at >= :since
  AND (used.isa_number = :last OR NOT EXISTS (
      SELECT 1 FROM interchanges_scoped AS after
      WHERE after.environment = :environment AND after.direction = 'outbound'
        AND after.sender_qualifier = :own_qualifier AND after.sender_id = :own_id
        AND after.receiver_qualifier = :peer_qualifier AND after.receiver_id = :peer_id
        AND after.isa_number = used.isa_number + 1 AND +after.created_at >= :since))
ORDER BY used.isa_number
LIMIT :most;

-- name: list_ends_of_used_gs_numbers
-- The GS06 from :first to :last that were used, and are the :last or have a successor that was not,
-- the least first.
SELECT used.gs_number AS number
FROM functional_groups_scoped AS used
WHERE used.environment = :environment AND used.direction = 'outbound'
  AND used.sender_code = :own_id AND used.receiver_code = :peer_id
  AND used.gs_number BETWEEN :first AND :last AND used.created_at >= :since
  AND (used.gs_number = :last OR NOT EXISTS (
      SELECT 1 FROM functional_groups_scoped AS after
      WHERE after.environment = :environment AND after.direction = 'outbound'
        AND after.sender_code = :own_id AND after.receiver_code = :peer_id
        AND after.gs_number = used.gs_number + 1 AND +after.created_at >= :since))
ORDER BY used.gs_number
LIMIT :most;

-- name: find_isa_number_use^
-- When an ISA13 was used last in what we sent.
SELECT max(+created_at) AS used_at
FROM interchanges_scoped
WHERE environment = :environment AND direction = 'outbound'
  AND sender_qualifier = :own_qualifier AND sender_id = :own_id
  AND receiver_qualifier = :peer_qualifier AND receiver_id = :peer_id
  AND isa_number = :number;

-- name: find_gs_number_use^
-- When a GS06 was used last in what we sent.
SELECT max(+created_at) AS used_at
FROM functional_groups_scoped
WHERE environment = :environment AND direction = 'outbound'
  AND sender_code = :own_id AND receiver_code = :peer_id AND gs_number = :number;

-- name: list_missing_isa_numbers
-- The gaps between the ISA13 received of a pair that are at most :widest apart: first and last
-- number, environment, when a greater one came first; the newest gaps first.
SELECT before + 1 AS first_number, isa_number - 1 AS last_number, environment, noticed_at
FROM (
    SELECT environment, isa_number,
           lag(isa_number) OVER (PARTITION BY environment ORDER BY isa_number) AS before,
           min(min(created_at)) OVER (PARTITION BY environment ORDER BY isa_number DESC)
               AS noticed_at
    FROM interchanges_scoped
    WHERE direction = 'inbound'
      AND sender_qualifier = :peer_qualifier AND sender_id = :peer_id
      AND receiver_qualifier = :own_qualifier AND receiver_id = :own_id
      AND isa_number > 0 AND created_at >= :since
    GROUP BY environment, isa_number
) AS received
WHERE isa_number - before BETWEEN 2 AND :widest
ORDER BY noticed_at DESC, environment, isa_number DESC
LIMIT :most;
