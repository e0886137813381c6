-- The columns of an acknowledgement, with the name of its partner and what is sealed of the
-- transaction that it is about.
SELECT a.id, a.account_id, a.environment, a.ack_type, a.direction, a.status, a.result, a.overdue,
       a.matched, a.weak_match, a.ambiguous, a.conflict, a.transaction_id, a.partner_id,
       a.interchange_id, a.acked_interchange_id, a.acked_group_id, a.tx_set, a.functional_group,
       a.isa_control_number, a.acked_gs_control_number, a.acked_st_control_number, a.group_code,
       a.group_error_codes, a.transaction_code, a.transaction_error_codes, a.sets_included,
       a.sets_received, a.sets_accepted, a.doc_id, a.expected_by, a.received_at, a.sent_at,
       a.created_at, a.updated_at, a.version, a.digests, a.sealed_version, a.wrapped_key, a.facts,
       coalesce(p.name, '') AS partner_name, t.sealed_version AS transaction_sealed_version,
       t.wrapped_key AS transaction_wrapped_key, t.facts AS transaction_facts
FROM acks_scoped AS a
LEFT JOIN partners_scoped AS p ON p.id = a.partner_id
LEFT JOIN transactions_scoped AS t ON t.id = a.transaction_id
