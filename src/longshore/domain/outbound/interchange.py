"""Store an interchange that is to be sent, inside the write unit of another use case.

The rows are stored in this order: the interchange, its groups, a record of each set with the
acknowledgement that is expected for it, and last the entry in the outbox. The caller has drawn the
control numbers before, and records the events after all other rows.

An interchange that cannot be sent is stored as well, so that it can be looked at: with a
``refusal``, only the interchange and the records are stored.

Fault points: ``submission.send.before_insert``,
``submission.send.before_outbox``.

Source: contract.md sections 5 to 7, reliability.md section 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from longshore.domain.acks.encryption import store_ack
from longshore.domain.acks.model import AckFacts, AckForm, AckId, AckRowStatus, GroupId, NewAck
from longshore.domain.acks.overdue import expected_by
from longshore.domain.delivery.model import JobKind, NewOutboxEntry, OutboxId, order_key
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.interchanges.encryption import SealedParts, store_interchange
from longshore.domain.interchanges.store import InterchangeStatus, NewInterchange
from longshore.domain.outbound.outlines import GroupOutline, InterchangeOutline, SetOutline
from longshore.domain.pairing.overdue import response_due_at
from longshore.domain.pairing.writer import PairingWriter, TracedSet
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.envelopes import INFORMATION
from longshore.domain.partners.model import Direction, Partner, PartnerTerms
from longshore.domain.partners.status import missing_connection
from longshore.domain.ports import AccountId, BlindPurpose, Ports
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    LastError,
    NewTransaction,
    ProcessingStatus,
    Source,
    States,
    TransactionId,
    ValidationStatus,
)
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point
from longshore.x12.acks.assessment import NEVER_ACKNOWLEDGED, form_of
from longshore.x12.acks.profile import AckType

DOCUMENT_INVALID: Final = "document_invalid"
_VALIDATION_EVENTS: Final[Mapping[ValidationStatus, EventType | None]] = {
    ValidationStatus.NOT_CHECKED: None,
    ValidationStatus.VALID: EventType.TRANSACTION_VALIDATED,
    ValidationStatus.VALID_WITH_WARNINGS: EventType.TRANSACTION_VALIDATED,
    ValidationStatus.INVALID: EventType.TRANSACTION_INVALID,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenInterchange:
    """The content of an interchange, with all its control numbers."""

    text: str = field(repr=False)
    outline: InterchangeOutline
    parts: SealedParts
    """The text, encrypted."""
    file_size: int
    """The length of the text in bytes."""
    body_digest: bytes
    """The hash of the text, as of a received one (``interchanges.digests``)."""
    is_allotted: bool
    """We drew its control numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundInterchange:
    """An interchange to be stored: one that is sent, or one that cannot be sent."""

    account_id: AccountId
    environment: Environment
    partner: Partner
    written: WrittenInterchange
    source: Source
    kind: JobKind = JobKind.DOCUMENT
    """``DOCUMENT`` or ``ACKNOWLEDGEMENT``."""
    refusal: LastError | None = None
    """Why it is not sent; None if it is."""
    validation: Mapping[int, ValidationStatus] = field(default_factory=dict)
    """The status of each set by its index; sets not named are valid."""
    business_key: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    parent_id: TransactionId | None = None
    origin: str = ""
    """Why and from which transaction it was made, for the timeline of every record."""
    doc_id: int | None = None
    actor: str = ""
    due_at: datetime | None = None
    """When it may be sent; None: at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredOutbound:
    """The rows of an interchange that was stored."""

    interchange_id: InterchangeId
    transaction_ids: tuple[TransactionId, ...]
    ack_ids: tuple[AckId, ...]
    outbox_id: OutboxId | None
    is_held: bool
    """It is not sent until it is released."""
    ack_due_at: datetime | None
    """Until when acknowledgements are expected; None if none is, or nothing is sent yet."""
    events: tuple[NewEvent, ...]
    """To be recorded after all other rows."""


def is_held(partner: Partner, environment: Environment) -> bool:
    """Tell whether documents of an environment wait, since there is no way to send them."""
    return partner.terms.connections.of(environment).type is ConnectionType.NONE


def expected_ack_form(
    group: GroupOutline, outline: InterchangeOutline, ack_type: AckType
) -> AckForm | None:
    """Return the acknowledgement that a partner is expected to send for a group, if any.

    Acknowledgements are not acknowledged, nor are interchanges that ISA15 calls information.
    """
    header = group.header
    is_ack_expected = ack_type is not AckType.NONE and outline.usage != INFORMATION
    if header is None or not is_ack_expected or header.functional_id == NEVER_ACKNOWLEDGED:
        return None
    return AckForm(form_of(header.version, outline.version, ack_type).set_id)


async def store_outgoing(
    unit: WriteUnit, ports: Ports, outgoing: OutboundInterchange, now: datetime
) -> StoredOutbound:
    """Store an interchange with all its rows."""
    return await _Storing(unit, ports, outgoing, now).run()


class _Storing:
    """Stores one interchange."""

    def __init__(
        self,
        unit: WriteUnit,
        ports: Ports,
        outgoing: OutboundInterchange,
        now: datetime,
    ) -> None:
        self._unit = unit
        self._ports = ports
        self._out = outgoing
        self._outline = outgoing.written.outline
        self._now = now
        self._writer = TransactionWriter(unit, ports.sealer, ports.index, outgoing.account_id)
        self._is_sent = outgoing.refusal is None
        self._is_held = self._is_sent and is_held(outgoing.partner, outgoing.environment)
        self._expected_by = ack_due_at(outgoing.partner.terms, now, is_held=self._is_held)
        self._transactions: list[TransactionId] = []
        self._acks: list[AckId] = []
        self._events: list[NewEvent] = []
        self._traced: list[TracedSet] = []

    async def run(self) -> StoredOutbound:
        """Store everything."""
        fault_point("submission.send.before_insert")
        new = self._interchange()
        ports, parts = self._ports, self._out.written.parts
        interchange_id = await store_interchange(
            self._unit, ports.sealer, self._out.account_id, new, parts, self._now
        )
        for group in self._outline.groups:
            await self._store_group((interchange_id, new), group)
        await self._pair()
        fault_point("submission.send.before_outbox")
        return StoredOutbound(
            interchange_id=interchange_id,
            transaction_ids=tuple(self._transactions),
            ack_ids=tuple(self._acks),
            outbox_id=await self._enqueue(interchange_id) if self._is_sent else None,
            is_held=self._is_held,
            ack_due_at=self._expected_by if self._acks else None,
            events=tuple(self._events),
        )

    def _interchange(self) -> NewInterchange:
        out, written, outline = self._out, self._out.written, self._outline
        key = (out.account_id, out.environment)
        return NewInterchange(
            environment=out.environment,
            direction=Direction.OUTBOUND,
            status=InterchangeStatus.QUEUED if self._is_sent else InterchangeStatus.FAILED,
            source=out.source,
            pair=outline.pair,
            isa_control_number=outline.control_number,
            isa_date=outline.date,
            isa_time=outline.time,
            version=outline.version,
            usage_indicator=outline.usage,
            is_allotted=written.is_allotted,
            file_size=written.file_size,
            digest=self._ports.index.digest(
                BlindPurpose.INTERCHANGE_BODY, key, written.body_digest
            ),
            reason=None if out.refusal is None else out.refusal.code,
            partner_id=out.partner.id,
            doc_id=out.doc_id,
        )

    async def _store_group(
        self, of: tuple[InterchangeId, NewInterchange], group: GroupOutline
    ) -> None:
        group_id = None
        if group.header is not None and self._is_sent:
            group_id = await self._unit.interchanges.insert_group(
                self._out.account_id, of, group.header, self._now
            )
        form = None
        if self._is_sent:
            form = expected_ack_form(group, self._outline, self._out.partner.terms.ack_type)
        for each in group.sets:
            ack = AckStatus.NOT_EXPECTED if form is None else AckStatus.PENDING
            record = self._record(of[0], group, each, ack)
            transaction_id = await self._writer.insert(record, self._now, group_id=group_id)
            self._transactions.append(transaction_id)
            self._note_traces(each, transaction_id)
            self._events += self._validation_events(transaction_id, of[0], record.states)
            if form is not None:
                awaited = self._awaited(record, form, transaction_id, (of[0], group_id))
                await self._expect(awaited)

    def _note_traces(self, one: SetOutline, transaction_id: TransactionId) -> None:
        """Note a request or response that is sent."""
        if one.numbers.traces is None or not self._is_sent:
            return
        self._traced.append(
            TracedSet(
                transaction_id=transaction_id,
                set_id=one.set_id,
                direction=Direction.OUTBOUND,
                pair=self._outline.pair,
                partner_id=self._out.partner.id,
                traces=one.numbers.traces,
                due_at=response_due_at(self._now, self._out.partner.terms.settings.response_hours),
            )
        )

    async def _pair(self) -> None:
        """Store the trace numbers of requests, and link responses to what they answer."""
        owner = (self._out.account_id, self._out.environment)
        writer = PairingWriter(self._unit, self._ports.index, owner, self._now)
        for each in self._traced:
            self._events += await writer.store(each)

    def _record(
        self, interchange_id: InterchangeId, group: GroupOutline, each: SetOutline, ack: AckStatus
    ) -> NewTransaction:
        out = self._out
        states = States(
            ProcessingStatus.NOT_APPLICABLE,
            out.validation.get(each.tx_index, ValidationStatus.VALID),
            self._delivery(),
            ack,
        )
        return NewTransaction(
            environment=out.environment,
            partner_id=out.partner.id,
            direction=Direction.OUTBOUND,
            facts=self._outline.facts(group, each, out.written.file_size),
            states=states,
            source=out.source,
            business_key=out.business_key,
            interchange_id=interchange_id,
            doc_id=out.doc_id,
            parent_id=out.parent_id,
            last_error=out.refusal or self._hold_error(),
            metadata=out.metadata,
        )

    def _hold_error(self) -> LastError | None:
        if not self._is_held:
            return None
        reason = missing_connection(self._out.partner, self._out.environment)
        return LastError(code=reason.code, message=reason.message, at=self._now)

    def _delivery(self) -> DeliveryStatus:
        if not self._is_sent:
            return DeliveryStatus.NOT_APPLICABLE
        return DeliveryStatus.HELD if self._is_held else DeliveryStatus.PENDING

    def _awaited(
        self,
        record: NewTransaction,
        form: AckForm,
        transaction_id: TransactionId,
        of: tuple[InterchangeId, GroupId | None],
    ) -> NewAck:
        facts, (interchange_id, group_id) = record.facts, of
        return NewAck(
            environment=record.environment,
            direction=Direction.INBOUND,
            status=AckRowStatus.PENDING,
            facts=AckFacts(
                ack_type=form,
                tx_set=facts.tx_set,
                functional_group=facts.functional_group,
                acked_gs_control_number=facts.gs_control_number,
                acked_st_control_number=facts.st_control_number,
            ),
            transaction_id=transaction_id,
            partner_id=record.partner_id,
            acked_interchange_id=interchange_id,
            acked_group_id=group_id,
            expected_by=self._expected_by,
        )

    async def _expect(self, awaited: NewAck) -> None:
        ports = self._ports
        self._acks.append(
            await store_ack(self._unit, ports.sealer, self._out.account_id, awaited, self._now)
        )

    def _validation_events(
        self, transaction_id: TransactionId, interchange_id: InterchangeId, states: States
    ) -> list[NewEvent]:
        """Return what is reported a record: what validation said, and what is done with it."""
        first = _VALIDATION_EVENTS[states.validation]
        held, queued = EventType.TRANSACTION_HELD, EventType.TRANSACTION_QUEUED
        types = [first] if first is not None else []
        if self._is_sent:
            types.append(held if self._is_held else queued)
        event = NewEvent(
            type=EventType.TRANSACTION_QUEUED,
            data={
                "transaction_id": transaction_id,
                "interchange_id": interchange_id,
                "partner_id": self._out.partner.id,
            },
            transaction_id=transaction_id,
            actor=self._out.actor,
            message=self._out.origin,
        )
        # Where it comes from is said with the first of them.
        events = [
            replace(event, type=each, message="" if at else event.message)
            for at, each in enumerate(types)
        ]
        error = self._hold_error()
        if error is not None:
            message = f"{events[-1].message} {error.message}".strip()
            data = {**event.data, "code": error.code}
            events[-1] = replace(events[-1], data=data, message=message)
        return events

    async def _enqueue(self, interchange_id: InterchangeId) -> OutboxId:
        out, groups = self._out, self._outline.groups
        first = groups[0].header if groups else None
        functional_id = "" if first is None else first.functional_id
        entry = NewOutboxEntry(
            kind=out.kind,
            environment=out.environment,
            due_at=out.due_at or self._now,
            partner_id=out.partner.id,
            order_key=order_key(out.kind, out.partner.id, functional_id),
            interchange_id=interchange_id,
            is_held=self._is_held,
        )
        return await self._unit.outbox.insert(self._out.account_id, entry, self._now)


def ack_due_at(terms: PartnerTerms, now: datetime, *, is_held: bool) -> datetime | None:
    """Return until when an answer is expected; what is held is reported when it is sent."""
    return None if is_held else expected_by(now, terms.ack_hours)
