"""The tables of trading: partners, what was received and sent, acknowledgements, the outbox.

Plain columns hold ids, control numbers, interchange identities, codes of sets, states and times;
all else is sealed (reliability.md section 7), and last in its row: what a list skips lies behind
what it reads. ``digest`` columns hold keyed hashes (``domain/ports.py``), but that of a
token, which nobody can guess. ``version`` counts how often a row was changed, ``sealed_version``
how often what is sealed in it was.

Changes read the table itself, not the rows of an account: an index for them begins with the column
they ask for, one for reads with the account.
"""

from typing import Final

import sqlalchemy as sa

from longshore.storage.schema.declarations import (
    ID,
    columns,
    index,
    metadata,
    once,
    refers,
    tenant_table,
)

_OWNER: Final = ("account_id", "environment")
_BY_TIME: Final = ("created_at", "id")
_AXES: Final = (
    "direction",
    "processing_status",
    "validation_status",
    "delivery_status",
    "ack_status",
)
_UNUSUAL: Final = (
    "delivery_status NOT IN ('delivered', 'not_applicable') OR ack_status = 'rejected'"
    " OR processing_status NOT IN ('done', 'not_applicable') OR validation_status = 'invalid'"
)
_OPEN: Final = "state IN ('due', 'leased', 'held')"
_READY: Final = "state IN ('due', 'leased') AND is_first = 1"
_DELIVERED: Final = "kind IN ('document', 'acknowledgement')"
_CALLED: Final = "kind = 'webhook'"
_PROCESSED: Final = "kind NOT IN ('document', 'acknowledgement', 'webhook')"

identities = tenant_table(
    "identities",
    "qualifier:text isa_id:text gs_id:text created_at:integer",
    once("identities", "account_id", "qualifier", "isa_id", "gs_id"),
)

partners = tenant_table(
    "partners",
    "name:text folded_name:text partner_status:text status_before:text?"
    " isa_qualifier:text isa_id:text gs_id:text own_identity_id:integer? tx_sets:text version:text"
    " ack_type:text ack_hours:integer industry:text contact_email:text"
    " test_connection_type:text live_connection_type:text"
    " test_connection_status:text live_connection_status:text"
    " test_breaker:text test_opened_at:integer? test_probe_at:integer?"
    " live_breaker:text live_opened_at:integer? live_probe_at:integer?"
    " row_version:integer last_activity_at:integer? created_at:integer updated_at:integer"
    " connections:text settings:text routes:text test_as2_to:text? live_as2_to:text?"
    " sealed_version:integer wrapped_key:blob secrets:blob",
    refers("partners", "own_identity_id", "identities"),
    once("partners", "account_id", "folded_name"),
)
index(partners, "account_id", "isa_qualifier", "isa_id")
index(partners, "account_id", "test_as2_to", within="test_as2_to IS NOT NULL")
index(partners, "account_id", "live_as2_to", within="live_as2_to IS NOT NULL")

partner_tokens = tenant_table(
    "partner_tokens",
    "partner_id:integer environment:text digest:blob created_at:integer expires_at:integer?"
    " revoked_at:integer? wrapped_key:blob sealed_token:blob",
    refers("partner_tokens", "partner_id", "partners"),
    once("partner_tokens", "digest"),
)
index(partner_tokens, "partner_id", "account_id")

as2_identities = tenant_table(
    "as2_identities",
    "as2_name:text certificates:text created_at:integer updated_at:integer"
    " sealed_version:integer wrapped_key:blob private_keys:blob",
    once("as2_identities", "as2_name"),
    has_environment=True,
)

control_counters = tenant_table(
    "control_counters",
    "kind:text own_qualifier:text own_id:text peer_qualifier:text peer_id:text last:integer"
    " reserve_id:integer updated_at:integer",
    sa.UniqueConstraint(
        *("account_id", "environment", "kind"),
        *("own_qualifier", "own_id", "peer_qualifier", "peer_id"),
        name="uq_control_counters_pair",
    ),
    has_environment=True,
)

number_reserves = sa.Table(
    "number_reserves",
    metadata,
    sa.Column("id", ID, sa.Identity(), primary_key=True),
    *columns("numbers:integer restored_at:integer"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""The control numbers that each counter skips, one row for each restore."""

receipts = tenant_table(
    "receipts",
    "partner_id:integer? token_id:integer? source:text status:text byte_count:integer"
    " digest:blob key_digest:blob? created_at:integer finished_at:integer?"
    " facts:blob wrapped_key:blob content:blob",
    refers("receipts", "partner_id", "partners"),
    refers("receipts", "token_id", "partner_tokens"),
    has_environment=True,
)
index(receipts, "account_id", "digest")
index(receipts, "account_id", "created_at", within="status = 'received'")
index(receipts, "account_id", "key_digest", within="key_digest IS NOT NULL")

interchanges = tenant_table(
    "interchanges",
    "direction:text status:text reason:text? partner_id:integer? receipt_id:integer? source:text"
    " sender_qualifier:text sender_id:text receiver_qualifier:text receiver_id:text"
    " isa_control_number:text isa_number:integer? isa_date:text isa_time:text version:text"
    " usage_indicator:text allotted:integer file_size:integer doc_id:integer?"
    " sent_at:integer? created_at:integer updated_at:integer"
    " digest:blob facts:blob wrapped_key:blob content:blob",
    refers("interchanges", "partner_id", "partners"),
    refers("interchanges", "receipt_id", "receipts"),
    has_environment=True,
)
index(
    interchanges,
    *("account_id", "sender_id", "receiver_id", "isa_number"),
)
index(interchanges, "account_id", "receipt_id")
index(interchanges, *_OWNER, *_BY_TIME, called="by_time")
index(interchanges, *_OWNER, "status", *_BY_TIME, called="by_status")

functional_groups = tenant_table(
    "functional_groups",
    "interchange_id:integer direction:text functional_id:text sender_code:text receiver_code:text"
    " gs_control_number:text gs_number:integer? version:text allotted:integer"
    " sent_at:integer? created_at:integer",
    refers("functional_groups", "interchange_id", "interchanges"),
    has_environment=True,
)
index(functional_groups, "interchange_id", "account_id")
index(functional_groups, "account_id", "gs_number")
index(functional_groups, "account_id", "receiver_code", "gs_number")

transactions = tenant_table(
    "transactions",
    "interchange_id:integer? group_id:integer? partner_id:integer? direction:text tx_set:text"
    " processing_status:text validation_status:text delivery_status:text ack_status:text"
    " format:text version:text functional_group:text"
    " isa_control_number:text gs_control_number:text st_control_number:text"
    " sender_qualifier:text sender_id:text receiver_qualifier:text receiver_id:text"
    " usage_indicator:text segment_count:integer file_size:integer doc_id:integer?"
    " output_doc_id:integer? parent_id:integer? duplicate_of:integer? attempts:integer source:text"
    " created_at:integer updated_at:integer digest:blob?"
    " sealed_version:integer wrapped_key:blob facts:blob",
    refers("transactions", "interchange_id", "interchanges"),
    refers("transactions", "group_id", "functional_groups"),
    refers("transactions", "partner_id", "partners"),
    has_environment=True,
)
# Of both environments at once. All rows are within it; only what says so uses it. SQLite would take
# it for the lists of one environment too.
index(transactions, "account_id", *_BY_TIME, within="updated_at > 0", called="of_both")
index(transactions, *_OWNER, *_BY_TIME, "tx_set", *_AXES, "partner_id", called="by_time")
index(transactions, *_OWNER, "tx_set", *_BY_TIME, *_AXES, "partner_id", called="by_set")
index(
    transactions,
    *(*_OWNER, "partner_id", *_BY_TIME, "tx_set", *_AXES),
    called="by_partner",
)
index(
    transactions,
    *(*_OWNER, *_BY_TIME, *_AXES, "tx_set", "partner_id"),
    within=_UNUSUAL,
    called="unusual",
)
index(transactions, "account_id", "isa_control_number")
index(transactions, "account_id", "gs_control_number")
index(transactions, "account_id", "st_control_number")
index(transactions, "account_id", "parent_id", within="parent_id IS NOT NULL")
index(transactions, "interchange_id", "account_id")
index(transactions, "account_id", "group_id")
index(transactions, "account_id", "digest")

transaction_references = tenant_table(
    "transaction_references",
    "transaction_id:integer digest:blob",
    refers("transaction_references", "transaction_id", "transactions"),
    once("transaction_references", "transaction_id", "digest"),
    has_environment=True,
)
index(transaction_references, "account_id", "digest", "transaction_id")

request_traces = tenant_table(
    "request_traces",
    "transaction_id:integer direction:text kind:text element:text position:integer total:integer"
    " state:text due_at:integer? created_at:integer digest:blob",
    refers("request_traces", "transaction_id", "transactions"),
    once("request_traces", "transaction_id", "digest"),
    has_environment=True,
)
"""The numbers by which responses name requests."""
index(request_traces, "digest", "account_id", "transaction_id")
index(
    request_traces,
    *("account_id", "due_at"),
    within="state = 'open' AND due_at IS NOT NULL",
    called="awaited",
)

response_traces = tenant_table(
    "response_traces",
    "transaction_id:integer direction:text kind:text element:text position:integer total:integer"
    " request_id:integer? ambiguous:integer created_at:integer digest:blob",
    refers("response_traces", "transaction_id", "transactions"),
    refers("response_traces", "request_id", "transactions"),
    once("response_traces", "transaction_id", "digest"),
    has_environment=True,
)
"""The numbers that responses give back, each with the request that has it."""
index(response_traces, "account_id", "request_id", within="request_id IS NOT NULL")

acks = tenant_table(
    "acks",
    "ack_type:text direction:text status:text result:text? overdue:integer"
    " matched:integer weak_match:integer ambiguous:integer conflict:integer"
    " transaction_id:integer? partner_id:integer? interchange_id:integer?"
    " acked_interchange_id:integer? acked_group_id:integer? tx_set:text functional_group:text"
    " isa_control_number:text acked_gs_control_number:text acked_st_control_number:text"
    " group_code:text group_error_codes:text transaction_code:text"
    " transaction_error_codes:text complaints:text sets_included:integer? sets_received:integer?"
    " sets_accepted:integer? doc_id:integer?"
    " expected_by:integer? received_at:integer? sent_at:integer?"
    " created_at:integer updated_at:integer version:integer"
    " digests:blob sealed_version:integer wrapped_key:blob facts:blob",
    refers("acks", "transaction_id", "transactions"),
    refers("acks", "partner_id", "partners"),
    refers("acks", "interchange_id", "interchanges"),
    refers("acks", "acked_interchange_id", "interchanges"),
    refers("acks", "acked_group_id", "functional_groups"),
    has_environment=True,
)
index(acks, "account_id", *_BY_TIME)
index(acks, *_OWNER, "status", *_BY_TIME, within="ack_type <> 'TA1'", called="by_status")
index(
    acks,
    *(*_OWNER, "result", *_BY_TIME, "direction", "ack_type", "matched"),
    *("complaints", "partner_id", "transaction_id"),
    within="result = 'rejected'",
    called="rejected",
)
index(
    acks,
    *(*_OWNER, "received_at", "sent_at"),
    within="direction = 'inbound' AND sent_at IS NOT NULL",
    called="latencies",
)
index(acks, "account_id", "transaction_id")
index(acks, "account_id", "interchange_id")
index(acks, "account_id", "acked_group_id")
index(acks, "account_id", "acked_interchange_id")
index(acks, "account_id", "expected_by", within="status = 'pending' AND overdue = 0")

outbox = tenant_table(
    "outbox",
    "kind:text partner_id:integer? order_key:text? state:text due_at:integer attempt:integer"
    " is_first:integer lease_owner:text? interchange_id:integer? transaction_id:integer?"
    " receipt_id:integer? ack_id:integer? trial_of:integer? created_at:integer updated_at:integer",
    refers("outbox", "partner_id", "partners"),
    refers("outbox", "interchange_id", "interchanges"),
    refers("outbox", "transaction_id", "transactions"),
    refers("outbox", "receipt_id", "receipts"),
    refers("outbox", "ack_id", "acks"),
    has_environment=True,
)
# What waits behind another is in neither of the first two, so a claim does not pass it.
index(outbox, "due_at", "id", within=f"{_READY} AND {_DELIVERED}", called="ready_deliveries")
index(outbox, "due_at", "id", within=f"{_READY} AND {_PROCESSED}", called="ready_others")
index(outbox, "due_at", "id", within=f"{_READY} AND {_CALLED}", called="ready_webhooks")
index(outbox, "account_id", "environment", "order_key", "id", within=_OPEN, called="order")
index(outbox, "id", within="state = 'leased'", called="leased")
index(outbox, "environment", "partner_id", "id", within="state = 'held'", called="held")
index(outbox, "account_id", "interchange_id")
index(outbox, "partner_id", "due_at", within="state = 'due' AND attempt > 0", called="retries")
index(outbox, "account_id", "order_key", within="state = 'suspended'", called="suspended")
index(outbox, "due_at", "id", within="state = 'awaiting'", called="awaiting")
index(outbox, "environment", "partner_id", "id", within="state = 'awaiting'", called="files")

webhook_endpoints = tenant_table(
    "webhook_endpoints",
    "url:text description:text events:text partner_ids:text status:text disabled_reason:text"
    " position:integer replays:integer breaker:text opened_at:integer? probe_at:integer?"
    " failing_since:integer? last_success_at:integer? last_failure_at:integer?"
    " created_at:integer updated_at:integer"
    " sealed_version:integer wrapped_key:blob secrets:blob",
    has_environment=True,
)
index(webhook_endpoints, "position", within="status = 'active'", called="active")

webhook_deliveries = tenant_table(
    "webhook_deliveries",
    "endpoint_id:integer outbox_id:integer event_position:integer event_type:text replay:integer"
    " message_id:text created_at:integer",
    refers("webhook_deliveries", "endpoint_id", "webhook_endpoints"),
    refers("webhook_deliveries", "outbox_id", "outbox"),
    once("webhook_deliveries", "outbox_id"),
    once("webhook_deliveries", "endpoint_id", "message_id"),
    has_environment=True,
)
index(webhook_deliveries, "endpoint_id", "id")

delivery_attempts = tenant_table(
    "delivery_attempts",
    "outbox_id:integer partner_id:integer? interchange_id:integer? attempt:integer"
    " endpoint_id:integer? started_at:integer finished_at:integer? outcome:text?"
    " http_status:integer? error_code:text?"
    " next_attempt_at:integer? message_id:text wrapped_key:blob facts:blob",
    refers("delivery_attempts", "outbox_id", "outbox"),
    refers("delivery_attempts", "partner_id", "partners"),
    refers("delivery_attempts", "interchange_id", "interchanges"),
    refers("delivery_attempts", "endpoint_id", "webhook_endpoints"),
    once("delivery_attempts", "outbox_id", "attempt"),
    has_environment=True,
)
index(delivery_attempts, "account_id", "interchange_id")
index(delivery_attempts, "partner_id", "id")

as2_receipts = tenant_table(
    "as2_receipts",
    "direction:text partner_id:integer outbox_id:integer message_id:text attempt:integer"
    " created_at:integer updated_at:integer sealed_version:integer wrapped_key:blob facts:blob",
    refers("as2_receipts", "partner_id", "partners"),
    refers("as2_receipts", "outbox_id", "outbox"),
    has_environment=True,
)
"""Receipts that are awaited for what was sent by AS2, and those to be sent for what came."""
index(as2_receipts, "account_id", "outbox_id")
index(as2_receipts, "account_id", "message_id", within="direction = 'inbound'", called="awaited")
index(as2_receipts, "partner_id", "account_id")
index(delivery_attempts, "endpoint_id", "id", within="endpoint_id IS NOT NULL", called="webhooks")
