"""A million transactions and all that belongs to them, stored past the services: in SQL alone.

What is sealed is stored plainly, for a sealer that seals nothing: it costs the same to open for one
page, however much is stored. Row ``i`` of each table has the id ``i``, of ``count``; the rows are
spread over a year that ends at ``END_US``, two parts in three are sent, one in three is received.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from longshore.storage.queries import Dialect
from longshore.storage.times import to_us
from tests.support.clock import START

PARTNERS: Final = 40
END_US: Final = to_us(START)
YEAR_US: Final = 365 * 86_400_000_000
PENDING: Final = 2_000
"""The newest of what was sent is not acknowledged yet."""

_FACTS: Final = '{"business_key": "PO-1", "references": [["BEG.03", "Number", "PO-1"]],'
_FACTS_END: Final = ' "metadata": {}, "last_error": null}'
_OWNER: Final = {"account_id": "1", "environment": "'production'"}
_SENT: Final = "i % 3 > 0"
_PARTNER: Final = f"1 + i * 7919 % {PARTNERS}"
_SET: Final = "substr('850855856810997', CAST(1 + 3 * (i * 31 % 5) AS integer), 3)"
_ADDRESSES: Final = {
    "sender_qualifier": "'ZZ'",
    "sender_id": "'ACMECORP'",
    "receiver_qualifier": "'01'",
    "receiver_id": "'123456789'",
}


def inserts(dialect: Dialect, count: int) -> Iterator[str]:
    """Yield the statements that fill an empty database, in order: of no rows the account alone."""
    yield _insert(dialect, "accounts", 1, {
        "name": "'Demo'", "folded_name": "'demo'", "account_type": "'enterprise'",
        "status": "'active'", "created_at": "1",
    })  # fmt: skip
    if not count:
        return
    at = f"{END_US} - ({count} - i) * {YEAR_US // count}"
    is_new = f"i > {count - PENDING}"
    yield _insert(dialect, "partners", PARTNERS, _partner(dialect))
    yield _insert(dialect, "interchanges", count, _interchange(dialect, at))
    yield _insert(dialect, "transactions", count, _transaction(dialect, at, is_new))
    yield _insert(dialect, "transaction_references", count, {
        **_OWNER, "transaction_id": "i", "digest": _blob(dialect, _text(dialect, "i")),
    })  # fmt: skip
    yield _insert(dialect, "acks", count, _ack(dialect, at, is_new))
    yield _insert(dialect, "events", count, {
        **_OWNER, "position": "i", "type": "'transaction.delivered'", "transaction_id": "i",
        "actor": "'worker'", "data": "'{}'", "created_at": at,
        "wrapped_key": _blob(dialect, "''"), "facts": _blob(dialect, "''"),
    })  # fmt: skip
    yield _insert(dialect, "audit_entries", count, {
        "account_id": "1", "position": "i", "actor": "'user 1'", "action": "'document.read'",
        "object": "'document 7'", "ip": "''", "request_id": "''", "created_at": at,
        "wrapped_key": _blob(dialect, "''"), "facts": _blob(dialect, "''"),
        "hash": _blob(dialect, "'h'"),
    })  # fmt: skip
    yield _insert(dialect, "account_sequences", 2, {
        "account_id": "1", "kind": "CASE i WHEN 1 THEN 'audit' ELSE 'events' END",
        "last": str(count),
    })  # fmt: skip


def _insert(dialect: Dialect, table: str, count: int, columns: Mapping[str, str]) -> str:
    if dialect is Dialect.SQLITE:
        numbers = (
            "WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers"
            f" WHERE i < {count}) SELECT {{}} FROM numbers"
        )
    else:
        numbers = f"SELECT {{}} FROM generate_series(1::bigint, {count}) AS numbers(i)"
    chosen = numbers.format(", ".join(columns.values()))
    return f"INSERT INTO {table} ({', '.join(columns)}) {chosen}"


def _blob(dialect: Dialect, text: str) -> str:
    if dialect is Dialect.SQLITE:
        return f"CAST({text} AS BLOB)"
    return f"convert_to({text}, 'UTF8')"


def _text(dialect: Dialect, number: str) -> str:
    return (
        f"printf('%032d', {number})"
        if dialect is Dialect.SQLITE
        else f"lpad({number}::text, 32, '0')"
    )


def _partner(dialect: Dialect) -> Mapping[str, str]:
    return {
        "account_id": "1", "name": "'Partner ' || i", "folded_name": "'partner ' || i",
        "partner_status": "'active'", "isa_qualifier": "'01'",
        "isa_id": "'12345678' || i", "gs_id": "''", "tx_sets": "'[]'", "version": "'004010'",
        "ack_type": "'auto'", "ack_hours": "48", "industry": "''", "contact_email": "''",
        "test_connection_type": "'none'", "live_connection_type": "'http'",
        "test_connection_status": "'not_configured'",
        "live_connection_status": "CASE i WHEN 3 THEN 'failing' ELSE 'connected' END",
        "test_breaker": "'closed'", "live_breaker": "'closed'",
        "row_version": "1", "created_at": "1", "updated_at": "1",
        "connections": "'{}'", "settings": "'{}'", "routes": "'[]'", "sealed_version": "0",
        "wrapped_key": _blob(dialect, "''"), "secrets": _blob(dialect, "''"),
    }  # fmt: skip


def _interchange(dialect: Dialect, at: str) -> Mapping[str, str]:
    return {
        **_OWNER, **_ADDRESSES,
        "direction": f"CASE WHEN {_SENT} THEN 'outbound' ELSE 'inbound' END",
        "status": f"CASE WHEN {_SENT} THEN 'sent' WHEN i % 1000 = 0 THEN 'quarantined'"
        " ELSE 'processed' END",
        "reason": "CASE WHEN i % 1000 = 0 THEN 'unknown_sender' END", "partner_id": _PARTNER,
        "source": "'api'", "isa_control_number": _text(dialect, "i"), "isa_number": "i",
        "isa_date": "'260115'", "isa_time": "'1405'", "version": "'00401'",
        "usage_indicator": "'P'", "allotted": "1", "file_size": "812", "sent_at": at,
        "created_at": at, "updated_at": at, "digest": _blob(dialect, _text(dialect, "i")),
        "facts": _blob(dialect, "'{\"sha256\": \"00\"}'"),
        "wrapped_key": _blob(dialect, "''"), "content": _blob(dialect, "'ISA'"),
    }  # fmt: skip


def _transaction(dialect: Dialect, at: str, is_new: str) -> Mapping[str, str]:
    return {
        **_OWNER, **_ADDRESSES, "interchange_id": "i", "partner_id": _PARTNER,
        "direction": f"CASE WHEN {_SENT} THEN 'outbound' ELSE 'inbound' END", "tx_set": _SET,
        "processing_status": f"CASE WHEN {_SENT} THEN 'not_applicable'"
        " WHEN i % 1000 = 0 THEN 'quarantined' ELSE 'done' END",
        "validation_status": "CASE WHEN i % 300 = 0 THEN 'invalid' ELSE 'valid' END",
        "delivery_status": f"CASE WHEN NOT {_SENT} THEN 'not_applicable'"
        " WHEN i % 500 = 1 THEN 'failed' ELSE 'delivered' END",
        "ack_status": f"CASE WHEN NOT {_SENT} THEN 'accepted' WHEN {is_new} THEN 'pending'"
        " WHEN i % 200 = 2 THEN 'rejected' WHEN i % 500 = 1 THEN 'pending' ELSE 'accepted' END",
        "format": "'x12'", "version": "'004010'", "functional_group": "'PO'",
        "isa_control_number": _text(dialect, "i"), "gs_control_number": "'123'",
        "st_control_number": "'0001'", "usage_indicator": "'P'", "segment_count": "14",
        "file_size": "812", "attempts": "1", "source": "'api'", "created_at": at,
        "updated_at": at, "sealed_version": "1", "wrapped_key": _blob(dialect, "''"),
        "facts": _blob(dialect, f"'{_FACTS}{_FACTS_END}'"),
    }  # fmt: skip


def _ack(dialect: Dialect, at: str, is_new: str) -> Mapping[str, str]:
    is_pending = f"{_SENT} AND ({is_new} OR i % 500 = 1)"
    is_rejected = f"{_SENT} AND i % 200 = 2"
    return {
        **_OWNER, "ack_type": "'997'", "transaction_id": "i", "partner_id": _PARTNER,
        "direction": f"CASE WHEN {_SENT} THEN 'inbound' ELSE 'outbound' END",
        "status": f"CASE WHEN {is_pending} THEN 'pending' WHEN {_SENT} THEN 'received'"
        " ELSE 'sent' END",
        "result": f"CASE WHEN {is_pending} THEN NULL WHEN {is_rejected} THEN 'rejected'"
        " ELSE 'accepted' END",
        "overdue": f"CASE WHEN {is_pending} AND NOT {is_new} THEN 1 ELSE 0 END",
        "matched": "1", "weak_match": "0", "ambiguous": "0", "conflict": "0", "tx_set": _SET,
        "functional_group": "'PO'", "isa_control_number": "'1'",
        "acked_gs_control_number": "'123'", "acked_st_control_number": "'0001'",
        "group_code": "'A'", "group_error_codes": "'[]'", "transaction_code": "'A'",
        "transaction_error_codes": "'[]'",
        "complaints": f"CASE WHEN {is_rejected} THEN ' 7@PO1.06 ' ELSE '' END",
        "expected_by": at, "sent_at": at,
        "received_at": f"CASE WHEN NOT ({is_pending}) THEN {at} + i % 7200 * 1000000 END",
        "created_at": at, "updated_at": at, "version": "1", "digests": _blob(dialect, "''"),
        "sealed_version": "1", "wrapped_key": _blob(dialect, "''"),
        "facts": _blob(dialect, "'[]'"),
    }  # fmt: skip
