-- Counters of control numbers. Each is the row of its key; a draw holds it until the unit ends.
-- Never a sequence: a unit that is rolled back must not leave a gap.

-- name: draw_control_numbers(account_id, environment, kind, own_qualifier, own_id, peer_qualifier, peer_id, least, size, count, now)^
-- Moves a counter on by :count numbers of a range, around its end; returns where it stands then.
-- One that stands outside the range, or is new, begins with the smallest.
INSERT INTO control_counters (account_id, environment, kind, own_qualifier, own_id,
                              peer_qualifier, peer_id, last, updated_at)
VALUES (:account_id, :environment, :kind, :own_qualifier, :own_id, :peer_qualifier, :peer_id,
        CAST(:least AS bigint) + CAST(:count AS bigint) - 1, :now)
ON CONFLICT (account_id, environment, kind, own_qualifier, own_id, peer_qualifier, peer_id)
DO UPDATE SET
    last = CASE
        WHEN control_counters.last >= CAST(:least AS bigint)
             AND control_counters.last < CAST(:least AS bigint) + CAST(:size AS bigint)
        THEN CAST(:least AS bigint)
             + (control_counters.last - CAST(:least AS bigint) + CAST(:count AS bigint))
               % CAST(:size AS bigint)
        ELSE CAST(:least AS bigint) + CAST(:count AS bigint) - 1
    END,
    updated_at = excluded.updated_at
RETURNING last;

-- name: hold_control_counter(account_id, environment, kind, own_qualifier, own_id, peer_qualifier, peer_id, now)^
-- Keeps others from drawing until the unit ends; returns where the counter stands, 0 if it is new.
INSERT INTO control_counters (account_id, environment, kind, own_qualifier, own_id,
                              peer_qualifier, peer_id, last, updated_at)
VALUES (:account_id, :environment, :kind, :own_qualifier, :own_id, :peer_qualifier, :peer_id,
        0, :now)
ON CONFLICT (account_id, environment, kind, own_qualifier, own_id, peer_qualifier, peer_id)
DO UPDATE SET last = control_counters.last
RETURNING last;

-- name: list_control_counters(qualifier, peer_id)
-- The counters towards a qualifier and an id.
SELECT kind, own_qualifier, own_id, peer_qualifier, peer_id, environment, last, updated_at
FROM control_counters_scoped
WHERE peer_qualifier = :qualifier AND peer_id = :peer_id
ORDER BY environment, kind, id;

-- name: list_submitted_isa_numbers(environment, own_qualifier, own_id, peer_qualifier, peer_id, first, last, since)
-- Which ISA13 between two callers used in interchanges that they numbered themselves.
SELECT isa_number
FROM interchanges_scoped
WHERE environment = :environment AND direction = 'outbound' AND allotted = 0
  AND sender_qualifier = :own_qualifier AND sender_id = :own_id
  AND receiver_qualifier = :peer_qualifier AND receiver_id = :peer_id
  AND isa_number BETWEEN :first AND :last AND created_at >= :since;

-- name: list_submitted_gs_numbers(environment, own_id, peer_id, first, last, since)
-- Which GS06 between two callers used in groups that they numbered themselves.
SELECT gs_number
FROM functional_groups_scoped
WHERE environment = :environment AND direction = 'outbound' AND allotted = 0
  AND sender_code = :own_id AND receiver_code = :peer_id
  AND gs_number BETWEEN :first AND :last AND created_at >= :since;

-- name: find_isa_number_use(environment, own_qualifier, own_id, peer_qualifier, peer_id, number)^
-- When an ISA13 was used last in what we sent.
SELECT max(created_at)
FROM interchanges_scoped
WHERE environment = :environment AND direction = 'outbound'
  AND sender_qualifier = :own_qualifier AND sender_id = :own_id
  AND receiver_qualifier = :peer_qualifier AND receiver_id = :peer_id
  AND isa_number = :number;

-- name: find_gs_number_use(environment, own_id, peer_id, number)^
-- When a GS06 was used last in what we sent.
SELECT max(created_at)
FROM functional_groups_scoped
WHERE environment = :environment AND direction = 'outbound'
  AND sender_code = :own_id AND receiver_code = :peer_id AND gs_number = :number;
