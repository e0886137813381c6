-- A counter that is held before it is drawn from.
INSERT INTO control_counters (account_id, environment, kind, own_qualifier, own_id,
                              peer_qualifier, peer_id, last, reserve_id, updated_at)
SELECT :account_id, :environment, :kind, :own_qualifier, :own_id, :peer_qualifier, :peer_id,
       0, 0, :now
