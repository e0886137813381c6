-- A counter that is there, which does not change.
ON CONFLICT (account_id, environment, kind, own_qualifier, own_id, peer_qualifier, peer_id)
DO UPDATE SET last = control_counters.last
RETURNING last;
