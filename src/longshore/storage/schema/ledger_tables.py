"""The tables that tell what happened: events, the audit log, and requests that were made once.

``position`` counts from 1 within an account, without a gap and in the order of commits.
"""

from longshore.storage.schema.declarations import index, once, tenant_table

account_sequences = tenant_table(
    "account_sequences",
    "kind:text last:integer",
    once("account_sequences", "account_id", "kind"),
)

events = tenant_table(
    "events",
    "position:integer type:text transaction_id:integer? actor:text data:text created_at:integer"
    " wrapped_key:blob facts:blob",
    once("events", "account_id", "position"),
    has_environment=True,
)
index(events, "account_id", "transaction_id", "position")

audit_entries = tenant_table(
    "audit_entries",
    "position:integer actor:text action:text object:text ip:text request_id:text"
    " created_at:integer wrapped_key:blob facts:blob hash:blob",
    once("audit_entries", "account_id", "position"),
)
index(audit_entries, "account_id", "object", "position")

idempotency_keys = tenant_table(
    "idempotency_keys",
    "purpose:text key_digest:blob request_digest:blob status:integer? subject_id:integer?"
    " created_at:integer wrapped_key:blob answer:blob",
    once("idempotency_keys", "account_id", "environment", "purpose", "key_digest"),
    has_environment=True,
)
index(idempotency_keys, "account_id", "created_at")
