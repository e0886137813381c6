-- A counter that is drawn from for the first time.
INSERT INTO control_counters (account_id, environment, kind, own_qualifier, own_id,
                              peer_qualifier, peer_id, last, reserve_id, updated_at)
SELECT :account_id, :environment, :kind, :own_qualifier, :own_id, :peer_qualifier, :peer_id,
       CAST(:least AS bigint)
       + (COALESCE((SELECT CASE WHEN sum(numbers) > CAST(:size AS bigint) / 2
                                THEN CAST(:size AS bigint) / 2 ELSE sum(numbers) END
                    FROM number_reserves), 0)
          + CAST(:count AS bigint) - 1) % CAST(:size AS bigint),
       COALESCE((SELECT max(id) FROM number_reserves), 0), :now
