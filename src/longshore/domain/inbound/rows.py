"""The rows of a received interchange: it, its groups and a record for each of its sets. Pure.

Plain columns take what somebody else wrote as ``interchanges.store`` shortens it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from longshore.domain.inbound.dispositions import (
    NO_SET,
    ProcessingNotice,
    RoutedInterchange,
    SetDisposition,
)
from longshore.domain.inbound.parser import ParsedInterchange, UnreadablePiece
from longshore.domain.interchanges.store import (
    InterchangeStatus,
    NewGroup,
    NewInterchange,
    ReceiptId,
    plain,
    plain_group,
    plain_pair,
)
from longshore.domain.partners.model import Address, Direction, Identity, Pair, PartnerId
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    LastError,
    NewTransaction,
    ProcessingStatus,
    SetFacts,
    Source,
    States,
    TransactionId,
    ValidationStatus,
)
from longshore.kit.environment import Environment
from longshore.x12.control import SET_ID, element_at

NOBODY: Final = Pair(Address("", ""), Address("", ""))
"""Of bytes that are no interchange."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterchangeOrigin:
    """Where an interchange came from."""

    environment: Environment
    """Of the channel. ``business_key``, ``metadata`` and ``parent_id``, the record it corrects:
    the members that the sender gave with the document, if it was one of ours.
    """
    partner_id: PartnerId
    receipt_id: ReceiptId
    source: Source
    is_shared: bool = False
    """It came out of a mailbox that many partners share."""
    business_key: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    parent_id: TransactionId | None = None
    note: str = ""
    """Of what it was made and why, as the timeline tells it."""
    answer_until: datetime | None = None
    """When our acknowledgement is sent, unless the sender has got it by then in an HTTP answer."""


# ---- interchanges --------------------------------------------------------------------------------


def read_row(
    routed: RoutedInterchange,
    origin: InterchangeOrigin,
    outcome: tuple[InterchangeStatus, str | None],
    digest: bytes,
) -> NewInterchange:
    """Return the row of an interchange that could be read.

    ``outcome`` is its status, and why it is set aside. ``digest`` is keyed, of its body.
    """
    header = routed.read.received.summary.header
    status, reason = outcome
    return NewInterchange(
        environment=routed.environment,
        direction=Direction.INBOUND,
        status=status,
        source=origin.source,
        pair=plain_pair(routed.pair),
        isa_control_number=plain(header[13]),
        isa_date=plain(header[9]),
        isa_time=plain(header[10]),
        version=plain(header[12]),
        usage_indicator=plain(header[15]),
        is_allotted=False,
        file_size=len(routed.read.content),
        digest=digest,
        reason=reason,
        partner_id=origin.partner_id,
        receipt_id=origin.receipt_id,
    )


def unreadable_row(
    piece: UnreadablePiece, origin: InterchangeOrigin, digest: bytes
) -> NewInterchange:
    """Return the row of bytes that are no interchange. ``digest`` is keyed, of them all."""
    return NewInterchange(
        environment=origin.environment,
        direction=Direction.INBOUND,
        status=InterchangeStatus.QUARANTINED,
        source=origin.source,
        pair=NOBODY,
        isa_control_number="",
        isa_date="",
        isa_time="",
        version="",
        usage_indicator="",
        is_allotted=False,
        file_size=len(piece.content),
        digest=digest,
        reason=piece.code,
        partner_id=origin.partner_id,
        receipt_id=origin.receipt_id,
    )


def read_facts(
    read: ParsedInterchange, notices: Sequence[ProcessingNotice]
) -> Mapping[str, object]:
    """Return what is encrypted with an interchange: the reasons for the states of its sets.

    ``findings`` is in the shape of contract.md section 10; ``tx_index`` of a set is its place among
    the records of the interchange, from 1.
    """
    return {
        "charset": read.charset,
        "notices": [each._asdict() for each in notices],
        "findings": json.loads(read.findings_text()),
        "finding_count": read.finding_count,
    }


def unreadable_facts(piece: UnreadablePiece) -> Mapping[str, object]:
    """Return the same of bytes that are no interchange."""
    return {
        "charset": piece.charset,
        "notices": [ProcessingNotice(piece.code, piece.message)._asdict()],
        "findings": [],
        "finding_count": 0,
    }


def group_rows(read: ParsedInterchange) -> list[NewGroup]:
    """Return the rows of the groups, in order."""
    return [plain_group(group) for group in read.received.groups]


# ---- records -------------------------------------------------------------------------------------


def read_record(
    routed: RoutedInterchange,
    disposition: SetDisposition,
    origin: InterchangeOrigin,
    known: tuple[InterchangeId, TransactionId | None],
    now: datetime,
) -> NewTransaction:
    """Return the record of a set, or of an interchange that has none.

    ``known`` is its interchange, and the record that it is a duplicate of.
    """
    interchange_id, original = known
    return NewTransaction(
        environment=routed.environment,
        partner_id=disposition.partner_id,
        direction=Direction.INBOUND,
        facts=_set_facts(routed, disposition),
        states=States(
            disposition.processing,
            disposition.validation,
            DeliveryStatus.NOT_APPLICABLE,
            disposition.ack,
        ),
        source=origin.source,
        business_key=origin.business_key,
        interchange_id=interchange_id,
        duplicate_of=original,
        last_error=last_error(disposition.error, now),
        metadata=origin.metadata,
        parent_id=origin.parent_id,
    )


def unreadable_record(
    piece: UnreadablePiece, origin: InterchangeOrigin, interchange_id: InterchangeId, now: datetime
) -> NewTransaction:
    """Return the record of bytes that are no interchange."""
    nobody = Identity(qualifier="", isa_id="")
    return NewTransaction(
        environment=origin.environment,
        partner_id=origin.partner_id,
        direction=Direction.INBOUND,
        facts=SetFacts(sender=nobody, receiver=nobody, format="", file_size=len(piece.content)),
        states=States(
            ProcessingStatus.QUARANTINED,
            ValidationStatus.NOT_CHECKED,
            DeliveryStatus.NOT_APPLICABLE,
            AckStatus.NOT_EXPECTED,
        ),
        source=origin.source,
        business_key=origin.business_key,
        interchange_id=interchange_id,
        last_error=last_error(ProcessingNotice(piece.code, piece.message), now),
        metadata=origin.metadata,
        parent_id=origin.parent_id,
    )


def last_error(notice: ProcessingNotice | None, now: datetime) -> LastError | None:
    """Return what a record says is wrong."""
    return None if notice is None else LastError(code=notice.code, message=notice.message, at=now)


def _set_facts(routed: RoutedInterchange, disposition: SetDisposition) -> SetFacts:
    read, pair = routed.read, plain_pair(routed.pair)
    header = read.received.summary.header
    group = None if disposition.group is None else read.received.groups[disposition.group]
    facts = SetFacts(
        functional_group="" if group is None else plain(group.functional_id),
        gs_control_number="" if group is None else plain(group.control_number),
        version=plain(header[12] if group is None else group.version),
        isa_control_number=plain(header[13]),
        sender=Identity(qualifier=pair.sender.qualifier, isa_id=pair.sender.id),
        receiver=Identity(qualifier=pair.receiver.qualifier, isa_id=pair.receiver.id),
        usage_indicator=plain(header[15]),
        file_size=len(read.content),
    )
    return facts if disposition.index == NO_SET else _with_set(facts, read, disposition.index)


def _with_set(facts: SetFacts, read: ParsedInterchange, index: int) -> SetFacts:
    summary = read.received.sets[index]
    return replace(
        facts,
        tx_set=summary.set_id if SET_ID.fullmatch(summary.set_id) else "",
        st_control_number=plain(element_at(summary.header, 2)),
        references=read.references.get(index, ()),
        segment_count=summary.segment_count,
    )
