-- A counter that was drawn from before.
ON CONFLICT (account_id, environment, kind, own_qualifier, own_id, peer_qualifier, peer_id)
DO UPDATE SET
    last = CAST(:least AS bigint)
        + (CASE
               WHEN control_counters.last >= CAST(:least AS bigint)
                    AND control_counters.last < CAST(:least AS bigint) + CAST(:size AS bigint)
               THEN control_counters.last - CAST(:least AS bigint)
               ELSE -1
           END
           + COALESCE((SELECT CASE WHEN sum(numbers) > CAST(:size AS bigint) / 2
                                   THEN CAST(:size AS bigint) / 2 ELSE sum(numbers) END
                       FROM number_reserves
                       WHERE id > control_counters.reserve_id), 0)
           + CAST(:count AS bigint)) % CAST(:size AS bigint),
    reserve_id = excluded.reserve_id,
    updated_at = excluded.updated_at
RETURNING last;
