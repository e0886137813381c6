"""Transactions as the wire has them, and what is asked for as the domain has it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import msgspec

from longshore.domain.transactions.lists import TransactionFilters, read_filters
from longshore.domain.transactions.model import LastError, Transaction, TransactionId
from longshore.domain.transactions.states import derived_status
from longshore.http.api_v1.transaction_shapes import (
    LastErrorItem,
    ReferenceItem,
    TransactionRecord,
)
from longshore.http.envelope import utc_text
from longshore.http.listing import LARGEST_ID, id_of, moment_after, moment_from
from longshore.x12.set_names import set_name


def record_of(transaction: Transaction) -> TransactionRecord:
    """Return a transaction as contract.md section 5 writes it."""
    record, facts = transaction.record, transaction.record.facts
    states = record.states
    return TransactionRecord(
        id=transaction.id,
        partner_id=record.partner_id,
        partner_name=transaction.partner_name,
        direction=record.direction.value,
        tx_set=facts.tx_set,
        tx_set_name=set_name(facts.tx_set),
        status=derived_status(record.direction, states),
        processing_status=states.processing,
        validation_status=states.validation,
        delivery_status=states.delivery,
        ack_status=states.ack,
        environment=record.environment.value,
        is_test=transaction.is_test,
        format=facts.format,
        version=facts.version,
        functional_group=facts.functional_group,
        isa_control_number=facts.isa_control_number,
        gs_control_number=facts.gs_control_number,
        st_control_number=facts.st_control_number,
        sender_qualifier=facts.sender.qualifier,
        sender_id=facts.sender.isa_id,
        receiver_qualifier=facts.receiver.qualifier,
        receiver_id=facts.receiver.isa_id,
        usage_indicator=facts.usage_indicator,
        business_key=record.business_key,
        references=[
            ReferenceItem(element=each.element, name=each.name, value=each.value)
            for each in facts.references
        ],
        segment_count=facts.segment_count,
        file_size=facts.file_size,
        doc_id=record.doc_id,
        interchange_id=record.interchange_id,
        parent_id=record.parent_id,
        duplicate_of=record.duplicate_of,
        attempts=transaction.attempts,
        last_error=_error(record.last_error),
        metadata=dict(record.metadata),
        source=record.source.value,
        created_at=utc_text(transaction.created_at),
        updated_at=utc_text(transaction.updated_at),
    )


def texts_of(asked: msgspec.Struct) -> dict[str, str]:
    """Return the members that say something; what is absent, null or empty says nothing."""
    members = msgspec.structs.asdict(asked).items()
    return {name: value for name, value in members if isinstance(value, str) and value}


def filters_of(given: Mapping[str, str], faults: dict[str, str]) -> TransactionFilters:
    """Return the filters; what makes no sense is noted in ``faults`` and left out."""
    since = moment_from(given.get("date_from", ""), "date_from", faults)
    before = moment_after(given.get("date_to", ""), "date_to", faults)
    if any(int(each) > LARGEST_ID for each in filter(None, given.get("partner_id", "").split(","))):
        faults["partner_id"] = f"must be ids of at most {LARGEST_ID}"
        given = {**given, "partner_id": ""}
    parent_id = id_of(given.get("parent_id", ""), "parent_id", faults)
    filters = read_filters(given, since, before)
    return replace(filters, parent_id=None if parent_id is None else TransactionId(parent_id))


def _error(error: LastError | None) -> LastErrorItem | None:
    if error is None:
        return None
    return LastErrorItem(code=error.code, message=error.message, at=utc_text(error.at))


RECORD_EXAMPLE: Final = {
    "id": 10042,
    "partner_id": 7,
    "partner_name": "Northwind Retail",
    "direction": "outbound",
    "tx_set": "850",
    "tx_set_name": "Purchase order",
    "status": "acknowledged",
    "processing_status": "not_applicable",
    "validation_status": "valid",
    "delivery_status": "delivered",
    "ack_status": "accepted",
    "environment": "sandbox",
    "is_test": True,
    "format": "x12",
    "version": "004010",
    "functional_group": "PO",
    "isa_control_number": "000000123",
    "gs_control_number": "123",
    "st_control_number": "0001",
    "sender_qualifier": "ZZ",
    "sender_id": "ACMECORP",
    "receiver_qualifier": "01",
    "receiver_id": "123456789",
    "usage_indicator": "T",
    "business_key": "PO-12345",
    "references": [{"element": "BEG.03", "name": "Purchase order number", "value": "PO-12345"}],
    "segment_count": 14,
    "file_size": 812,
    "doc_id": 5501,
    "interchange_id": 9001,
    "parent_id": None,
    "duplicate_of": None,
    "attempts": 1,
    "last_error": None,
    "metadata": {},
    "source": "api",
    "created_at": "2026-01-15T14:05:09",
    "updated_at": "2026-01-15T14:06:41",
}
