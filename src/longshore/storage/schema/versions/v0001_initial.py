"""The tables of the first release.

It repeats what ``longshore.storage.schema`` declares, because a released migration never changes.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import sqlalchemy as sa
from alembic import op

_INTEGER: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_Kind = sa.types.TypeEngine[int] | sa.types.TypeEngine[str] | sa.types.TypeEngine[bytes]
_TYPES: Final[Mapping[str, _Kind]] = {
    "integer": _INTEGER,
    "text": sa.Text(),
    "blob": sa.LargeBinary(),
}
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


def upgrade() -> None:
    """Create all tables."""
    _create_accounts()
    _create_maps_and_vault()
    _create_partners()
    _create_documents()
    _create_traces()
    _create_deliveries()
    _create_ledgers()


def _create_accounts() -> None:
    """Create the migrations' own table, accounts, their API keys and users."""
    op.create_table(
        "schema_migrations",
        sa.Column("number", _INTEGER, primary_key=True, autoincrement=False),
        *_columns("name:text sha256:text applied_at:integer"),
        sqlite_strict=True,
    )
    op.create_table(
        "accounts",
        sa.Column("id", _INTEGER, sa.Identity(), primary_key=True),
        *_columns(
            "name:text folded_name:text account_type:text status:text created_at:integer"
            " retention_days:integer?"
        ),
        _once("accounts", "folded_name"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    _tenant_table(
        "account_usage",
        "stored_bytes:integer stored_records:integer is_near_quota:integer"
        " max_bytes:integer? max_records:integer?",
        _once("account_usage", "account_id"),
    )
    _tenant_table(
        "api_keys",
        "digest:blob prefix:text last_four:text scopes:text created_at:integer expires_at:integer?"
        " revoked_at:integer? replaced_by:integer? last_used_at:integer? name:text",
        _refers("api_keys", "replaced_by", "api_keys"),
        _once("api_keys", "digest"),
        has_environment=True,
    )

    _tenant_table(
        "users",
        "email:text folded_email:text role:text password_hash:text? created_at:integer"
        " last_login_at:integer?",
        _once("users", "folded_email"),
        sa.CheckConstraint("role IN ('owner', 'editor', 'viewer')", name="ck_users_role"),
    )

    _tenant_table(
        "sessions",
        "user_id:integer digest:blob ip:text created_at:integer last_seen_at:integer"
        " expires_at:integer",
        _refers("sessions", "user_id", "users"),
        _once("sessions", "digest"),
    )
    _index("sessions", "account_id", "user_id")

    _tenant_table(
        "one_time_links",
        "user_id:integer? digest:blob created_at:integer expires_at:integer used_at:integer?",
        _refers("one_time_links", "user_id", "users"),
        _once("one_time_links", "digest"),
    )


def _create_maps_and_vault() -> None:
    """Create saved maps and stored documents."""
    _tenant_table(
        "maps",
        "name:text source_fmt:text target_fmt:text tx_set:text direction:text version:integer"
        " rule_count:integer locked:integer created_at:integer updated_at:integer",
    )

    _tenant_table(
        "map_versions",
        "map_id:integer version:integer rule_count:integer body:blob wrapped_key:blob added:integer"
        " removed:integer changed:integer note:text saved_by:text saved_at:integer",
        _refers("map_versions", "map_id", "maps"),
        _once("map_versions", "map_id", "version"),
    )

    _tenant_table(
        "definitions",
        "tx_set:text release:text guide:text title:blob format:text file_name:text digest:text"
        " size:integer created_at:integer wrapped_key:blob content:blob",
        _once("definitions", "account_id", "environment", "tx_set", "release", "guide"),
        has_environment=True,
    )

    _tenant_table(
        "vault_documents",
        "filename:text fmt:text direction:text transaction_set:text status:text file_size:integer"
        " transaction_id:integer? map_id:integer? map_version:integer? source_doc_id:integer?"
        " created_at:integer facts:blob wrapped_key:blob content:blob",
        has_environment=True,
    )
    _index("vault_documents", "account_id", "map_id", "id", called="account_id_map_id")
    _index("vault_documents", "account_id", "created_at")
    op.create_table(
        "sealing_keys",
        sa.Column("key_id", sa.LargeBinary, primary_key=True),
        *_columns("created_at:integer"),
        sqlite_strict=True,
    )


def _create_partners() -> None:
    """Create partners and their control numbers."""
    _tenant_table(
        "identities",
        "qualifier:text isa_id:text gs_id:text created_at:integer",
        _once("identities", "account_id", "qualifier", "isa_id", "gs_id"),
    )

    _tenant_table(
        "partners",
        "name:text folded_name:text partner_status:text status_before:text?"
        " isa_qualifier:text isa_id:text gs_id:text own_identity_id:integer? tx_sets:text"
        " version:text ack_type:text ack_hours:integer industry:text contact_email:text"
        " test_connection_type:text live_connection_type:text"
        " test_connection_status:text live_connection_status:text"
        " test_breaker:text test_opened_at:integer? test_probe_at:integer?"
        " live_breaker:text live_opened_at:integer? live_probe_at:integer?"
        " row_version:integer last_activity_at:integer? created_at:integer updated_at:integer"
        " connections:text settings:text routes:text test_as2_to:text? live_as2_to:text?"
        " sealed_version:integer wrapped_key:blob secrets:blob",
        _refers("partners", "own_identity_id", "identities"),
        _once("partners", "account_id", "folded_name"),
    )
    _index("partners", "account_id", "isa_qualifier", "isa_id")
    _index("partners", "account_id", "test_as2_to", within="test_as2_to IS NOT NULL")
    _index("partners", "account_id", "live_as2_to", within="live_as2_to IS NOT NULL")

    _tenant_table(
        "partner_tokens",
        "partner_id:integer environment:text digest:blob created_at:integer expires_at:integer?"
        " revoked_at:integer? wrapped_key:blob sealed_token:blob",
        _refers("partner_tokens", "partner_id", "partners"),
        _once("partner_tokens", "digest"),
    )
    _index("partner_tokens", "partner_id", "account_id")

    _tenant_table(
        "as2_identities",
        "as2_name:text certificates:text created_at:integer updated_at:integer"
        " sealed_version:integer wrapped_key:blob private_keys:blob",
        _once("as2_identities", "as2_name"),
        has_environment=True,
    )

    _tenant_table(
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
    op.create_table(
        "number_reserves",
        sa.Column("id", _INTEGER, sa.Identity(), primary_key=True),
        *_columns("numbers:integer restored_at:integer"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )


def _create_documents() -> None:
    """Create what is received, sent and acknowledged."""
    _tenant_table(
        "receipts",
        "partner_id:integer? token_id:integer? source:text status:text byte_count:integer"
        " digest:blob key_digest:blob? created_at:integer finished_at:integer?"
        " facts:blob wrapped_key:blob content:blob",
        _refers("receipts", "partner_id", "partners"),
        _refers("receipts", "token_id", "partner_tokens"),
        has_environment=True,
    )
    _index("receipts", "account_id", "digest")
    _index("receipts", "account_id", "created_at", within="status = 'received'")
    _index("receipts", "account_id", "key_digest", within="key_digest IS NOT NULL")

    _tenant_table(
        "interchanges",
        "direction:text status:text reason:text? partner_id:integer? receipt_id:integer?"
        " source:text sender_qualifier:text sender_id:text receiver_qualifier:text receiver_id:text"
        " isa_control_number:text isa_number:integer? isa_date:text isa_time:text version:text"
        " usage_indicator:text allotted:integer file_size:integer doc_id:integer?"
        " sent_at:integer? created_at:integer updated_at:integer"
        " digest:blob facts:blob wrapped_key:blob content:blob",
        _refers("interchanges", "partner_id", "partners"),
        _refers("interchanges", "receipt_id", "receipts"),
        has_environment=True,
    )
    _index(
        "interchanges",
        *("account_id", "sender_id", "receiver_id", "isa_number"),
    )
    _index("interchanges", "account_id", "receipt_id")
    _index("interchanges", *_OWNER, *_BY_TIME, called="by_time")
    _index("interchanges", *_OWNER, "status", *_BY_TIME, called="by_status")

    _tenant_table(
        "functional_groups",
        "interchange_id:integer direction:text functional_id:text sender_code:text"
        " receiver_code:text gs_control_number:text gs_number:integer? version:text"
        " allotted:integer sent_at:integer? created_at:integer",
        _refers("functional_groups", "interchange_id", "interchanges"),
        has_environment=True,
    )
    _index("functional_groups", "interchange_id", "account_id")
    _index("functional_groups", "account_id", "gs_number")
    _index("functional_groups", "account_id", "receiver_code", "gs_number")

    _tenant_table(
        "transactions",
        "interchange_id:integer? group_id:integer? partner_id:integer? direction:text tx_set:text"
        " processing_status:text validation_status:text delivery_status:text ack_status:text"
        " format:text version:text functional_group:text"
        " isa_control_number:text gs_control_number:text st_control_number:text"
        " sender_qualifier:text sender_id:text receiver_qualifier:text receiver_id:text"
        " usage_indicator:text segment_count:integer file_size:integer doc_id:integer?"
        " output_doc_id:integer? parent_id:integer? duplicate_of:integer? attempts:integer"
        " source:text created_at:integer updated_at:integer digest:blob?"
        " sealed_version:integer wrapped_key:blob facts:blob",
        _refers("transactions", "interchange_id", "interchanges"),
        _refers("transactions", "group_id", "functional_groups"),
        _refers("transactions", "partner_id", "partners"),
        has_environment=True,
    )
    _index("transactions", "account_id", *_BY_TIME, within="updated_at > 0", called="of_both")
    _index("transactions", *_OWNER, *_BY_TIME, "tx_set", *_AXES, "partner_id", called="by_time")
    _index("transactions", *_OWNER, "tx_set", *_BY_TIME, *_AXES, "partner_id", called="by_set")
    _index(
        "transactions",
        *(*_OWNER, "partner_id", *_BY_TIME, "tx_set", *_AXES),
        called="by_partner",
    )
    _index(
        "transactions",
        *(*_OWNER, *_BY_TIME, *_AXES, "tx_set", "partner_id"),
        within=_UNUSUAL,
        called="unusual",
    )
    _index("transactions", "account_id", "isa_control_number")
    _index("transactions", "account_id", "gs_control_number")
    _index("transactions", "account_id", "st_control_number")
    _index("transactions", "account_id", "parent_id", within="parent_id IS NOT NULL")
    _index("transactions", "interchange_id", "account_id")
    _index("transactions", "account_id", "group_id")
    _index("transactions", "account_id", "digest")

    _tenant_table(
        "transaction_references",
        "transaction_id:integer digest:blob",
        _refers("transaction_references", "transaction_id", "transactions"),
        _once("transaction_references", "transaction_id", "digest"),
        has_environment=True,
    )
    _index("transaction_references", "account_id", "digest", "transaction_id")

    _tenant_table(
        "acks",
        "ack_type:text direction:text status:text result:text? overdue:integer"
        " matched:integer weak_match:integer ambiguous:integer conflict:integer"
        " transaction_id:integer? partner_id:integer? interchange_id:integer?"
        " acked_interchange_id:integer? acked_group_id:integer? tx_set:text functional_group:text"
        " isa_control_number:text acked_gs_control_number:text acked_st_control_number:text"
        " group_code:text group_error_codes:text transaction_code:text"
        " transaction_error_codes:text complaints:text sets_included:integer?"
        " sets_received:integer? sets_accepted:integer? doc_id:integer?"
        " expected_by:integer? received_at:integer? sent_at:integer?"
        " created_at:integer updated_at:integer version:integer"
        " digests:blob sealed_version:integer wrapped_key:blob facts:blob",
        _refers("acks", "transaction_id", "transactions"),
        _refers("acks", "partner_id", "partners"),
        _refers("acks", "interchange_id", "interchanges"),
        _refers("acks", "acked_interchange_id", "interchanges"),
        _refers("acks", "acked_group_id", "functional_groups"),
        has_environment=True,
    )
    _index("acks", "account_id", *_BY_TIME)
    _index("acks", *_OWNER, "status", *_BY_TIME, within="ack_type <> 'TA1'", called="by_status")
    _index(
        "acks",
        *(*_OWNER, "result", *_BY_TIME, "direction", "ack_type", "matched"),
        *("complaints", "partner_id", "transaction_id"),
        within="result = 'rejected'",
        called="rejected",
    )
    _index(
        "acks",
        *(*_OWNER, "received_at", "sent_at"),
        within="direction = 'inbound' AND sent_at IS NOT NULL",
        called="latencies",
    )
    _index("acks", "account_id", "transaction_id")
    _index("acks", "account_id", "interchange_id")
    _index("acks", "account_id", "acked_group_id")
    _index("acks", "account_id", "acked_interchange_id")
    _index("acks", "account_id", "expected_by", within="status = 'pending' AND overdue = 0")


def _create_traces() -> None:
    """Create the numbers by which responses name requests."""
    _tenant_table(
        "request_traces",
        "transaction_id:integer direction:text kind:text element:text position:integer"
        " total:integer state:text due_at:integer? created_at:integer digest:blob",
        _refers("request_traces", "transaction_id", "transactions"),
        _once("request_traces", "transaction_id", "digest"),
        has_environment=True,
    )
    _index("request_traces", "digest", "account_id", "transaction_id")
    _index(
        "request_traces",
        *("account_id", "due_at"),
        within="state = 'open' AND due_at IS NOT NULL",
        called="awaited",
    )
    _tenant_table(
        "response_traces",
        "transaction_id:integer direction:text kind:text element:text position:integer"
        " total:integer request_id:integer? ambiguous:integer created_at:integer digest:blob",
        _refers("response_traces", "transaction_id", "transactions"),
        _refers("response_traces", "request_id", "transactions"),
        _once("response_traces", "transaction_id", "digest"),
        has_environment=True,
    )
    _index("response_traces", "account_id", "request_id", within="request_id IS NOT NULL")


def _create_deliveries() -> None:
    """Create the outbox and its attempts."""
    _tenant_table(
        "outbox",
        "kind:text partner_id:integer? order_key:text? state:text due_at:integer attempt:integer"
        " is_first:integer lease_owner:text? interchange_id:integer? transaction_id:integer?"
        " receipt_id:integer? ack_id:integer? trial_of:integer? created_at:integer"
        " updated_at:integer",
        _refers("outbox", "partner_id", "partners"),
        _refers("outbox", "interchange_id", "interchanges"),
        _refers("outbox", "transaction_id", "transactions"),
        _refers("outbox", "receipt_id", "receipts"),
        _refers("outbox", "ack_id", "acks"),
        has_environment=True,
    )
    _index("outbox", "due_at", "id", within=f"{_READY} AND {_DELIVERED}", called="ready_deliveries")
    _index("outbox", "due_at", "id", within=f"{_READY} AND {_PROCESSED}", called="ready_others")
    _index("outbox", "due_at", "id", within=f"{_READY} AND {_CALLED}", called="ready_webhooks")
    _index("outbox", "account_id", "environment", "order_key", "id", within=_OPEN, called="order")
    _index("outbox", "id", within="state = 'leased'", called="leased")
    _index("outbox", "environment", "partner_id", "id", within="state = 'held'", called="held")
    _index("outbox", "account_id", "interchange_id")
    _index(
        "outbox", "partner_id", "due_at", within="state = 'due' AND attempt > 0", called="retries"
    )
    _index("outbox", "account_id", "order_key", within="state = 'suspended'", called="suspended")
    _index("outbox", "due_at", "id", within="state = 'awaiting'", called="awaiting")
    _index("outbox", "environment", "partner_id", "id", within="state = 'awaiting'", called="files")

    _tenant_table(
        "webhook_endpoints",
        "url:text description:text events:text partner_ids:text status:text disabled_reason:text"
        " position:integer replays:integer breaker:text opened_at:integer? probe_at:integer?"
        " failing_since:integer? last_success_at:integer? last_failure_at:integer?"
        " created_at:integer updated_at:integer"
        " sealed_version:integer wrapped_key:blob secrets:blob",
        has_environment=True,
    )
    _index("webhook_endpoints", "position", within="status = 'active'", called="active")

    _tenant_table(
        "webhook_deliveries",
        "endpoint_id:integer outbox_id:integer event_position:integer event_type:text"
        " replay:integer message_id:text created_at:integer",
        _refers("webhook_deliveries", "endpoint_id", "webhook_endpoints"),
        _refers("webhook_deliveries", "outbox_id", "outbox"),
        _once("webhook_deliveries", "outbox_id"),
        _once("webhook_deliveries", "endpoint_id", "message_id"),
        has_environment=True,
    )
    _index("webhook_deliveries", "endpoint_id", "id")

    _tenant_table(
        "delivery_attempts",
        "outbox_id:integer partner_id:integer? interchange_id:integer? attempt:integer"
        " endpoint_id:integer? started_at:integer finished_at:integer? outcome:text?"
        " http_status:integer? error_code:text? next_attempt_at:integer? message_id:text"
        " wrapped_key:blob facts:blob",
        _refers("delivery_attempts", "outbox_id", "outbox"),
        _refers("delivery_attempts", "partner_id", "partners"),
        _refers("delivery_attempts", "interchange_id", "interchanges"),
        _refers("delivery_attempts", "endpoint_id", "webhook_endpoints"),
        _once("delivery_attempts", "outbox_id", "attempt"),
        has_environment=True,
    )
    _index("delivery_attempts", "account_id", "interchange_id")
    _index("delivery_attempts", "partner_id", "id")
    _index(
        "delivery_attempts",
        *("endpoint_id", "id"),
        within="endpoint_id IS NOT NULL",
        called="webhooks",
    )

    _tenant_table(
        "as2_receipts",
        "direction:text partner_id:integer outbox_id:integer message_id:text attempt:integer"
        " created_at:integer updated_at:integer sealed_version:integer wrapped_key:blob facts:blob",
        _refers("as2_receipts", "partner_id", "partners"),
        _refers("as2_receipts", "outbox_id", "outbox"),
        has_environment=True,
    )
    _index("as2_receipts", "account_id", "outbox_id")
    _index(
        "as2_receipts",
        *("account_id", "message_id"),
        within="direction = 'inbound'",
        called="awaited",
    )
    _index("as2_receipts", "partner_id", "account_id")


def _create_ledgers() -> None:
    """Create events, the audit log and idempotency keys."""
    _tenant_table(
        "account_sequences",
        "kind:text last:integer",
        _once("account_sequences", "account_id", "kind"),
    )

    _tenant_table(
        "events",
        "position:integer type:text transaction_id:integer? actor:text data:text created_at:integer"
        " wrapped_key:blob facts:blob",
        _once("events", "account_id", "position"),
        has_environment=True,
    )
    _index("events", "account_id", "transaction_id", "position")

    _tenant_table(
        "audit_entries",
        "position:integer actor:text action:text object:text ip:text request_id:text"
        " created_at:integer wrapped_key:blob facts:blob hash:blob",
        _once("audit_entries", "account_id", "position"),
    )
    _index("audit_entries", "account_id", "object", "position")

    _tenant_table(
        "idempotency_keys",
        "purpose:text key_digest:blob request_digest:blob status:integer? subject_id:integer?"
        " created_at:integer wrapped_key:blob answer:blob",
        _once("idempotency_keys", "account_id", "environment", "purpose", "key_digest"),
        has_environment=True,
    )
    _index("idempotency_keys", "account_id", "created_at")


def _columns(declared: str) -> Iterator[sa.Column[object]]:
    """Yield columns that are declared as ``name:type`` or, if they may be NULL, ``name:type?``."""
    for each in declared.split():
        name, _, type_name = each.partition(":")
        is_nullable = type_name.endswith("?")
        yield sa.Column(name, _TYPES[type_name.removesuffix("?")], nullable=is_nullable)


def _tenant_table(
    name: str, declared: str, *constraints: sa.Constraint, has_environment: bool = False
) -> None:
    """Make a table whose rows belong to accounts: an id, the owner, then what is declared."""
    own = [
        *_columns("account_id:integer"),
        *(_columns("environment:text") if has_environment else ()),
    ]
    members = [*own, *_columns(declared)]
    constraints = (
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=f"fk_{name}_account_id"),
        *constraints,
    )
    if any(column.name == "environment" for column in members):
        condition = "environment IN ('sandbox', 'production')"
        constraints += (sa.CheckConstraint(condition, name=f"ck_{name}_environment"),)
    op.create_table(
        name,
        sa.Column("id", _INTEGER, sa.Identity(), primary_key=True),
        *members,
        *constraints,
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    _index(name, "account_id", "id")


def _refers(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    """Return that ``column`` of ``table`` is an id of ``target``."""
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=f"fk_{table}_{column}")


def _once(table: str, *names: str) -> sa.UniqueConstraint:
    """Return that no two rows of ``table`` have the same in all these columns."""
    return sa.UniqueConstraint(*names, name=f"uq_{table}_{'_'.join(names)}")


def _index(table: str, *names: str, within: str | None = None, called: str | None = None) -> None:
    """Make an index, ``within`` the rows that this condition holds for.

    Its name ends with ``called``, or else with its columns.
    """
    condition = None if within is None else sa.text(within)
    op.create_index(
        f"ix_{table}_{called or '_'.join(names)}",
        table,
        [*names],
        sqlite_where=condition,
        postgresql_where=condition,
    )
