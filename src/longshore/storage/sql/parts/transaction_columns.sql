-- The columns of a transaction, with the name of its partner.
SELECT t.id, t.account_id, t.environment, t.partner_id,
       coalesce(p.name, '') AS partner_name, t.direction,
       t.tx_set, t.processing_status, t.validation_status, t.delivery_status, t.ack_status,
       t.format, t.version, t.functional_group, t.isa_control_number, t.gs_control_number,
       t.st_control_number, t.sender_qualifier, t.sender_id, t.receiver_qualifier, t.receiver_id,
       t.usage_indicator, t.segment_count, t.file_size, t.source, t.interchange_id, t.group_id,
       t.doc_id, t.output_doc_id, t.parent_id, t.duplicate_of, t.attempts, t.created_at,
       t.updated_at, t.sealed_version, t.wrapped_key, t.facts
