"""Effects of storing a received interchange, besides its own rows.

Awaits nothing but the stores of its unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from longshore.domain.acks.received import AckInterchange
from longshore.domain.acks.reconciler import AckReconciler
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.control_numbers.numbers import CounterKey, NumberKind
from longshore.domain.delivery.model import Lease, OutboxEntry, OutboxState
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.inbound.acknowledgements import (
    AcknowledgedInterchange,
    NumberedAck,
    PlannedAck,
    number_answer,
    pair_key,
    store_answer,
)
from longshore.domain.inbound.dispositions import SetDisposition
from longshore.domain.inbound.map_runs import MapOutputs
from longshore.domain.inbound.preparation import (
    Job,
    LeaseLostError,
    NumberKey,
    PreparedInterchange,
    PreparedPiece,
    StalePreparationError,
    find_earlier,
)
from longshore.domain.interchanges.store import plain_pair
from longshore.domain.maps.running import warnings_text
from longshore.domain.pairing.writer import PairingWriter, TracedSet
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import WORKER, Ports, Scope
from longshore.domain.transactions.model import (
    InterchangeId,
    ProcessingStatus,
    TransactionId,
    ValidationStatus,
)
from longshore.domain.transactions.store import Links
from longshore.domain.units import WriteUnit
from longshore.domain.vault.service import DocumentWriter
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

EventData = dict[str, int | str]

_ENDS: Final[Mapping[ProcessingStatus, EventType]] = {
    ProcessingStatus.DUPLICATE: EventType.TRANSACTION_DUPLICATE,
    ProcessingStatus.QUARANTINED: EventType.TRANSACTION_QUARANTINED,
    ProcessingStatus.FAILED: EventType.TRANSACTION_FAILED,
}


class ProcessingEffects:
    """The effects of one job inside one unit."""

    def __init__(self, unit: WriteUnit, ports: Ports, job: Job, now: datetime) -> None:
        self.unit = unit
        self.ports = ports
        self.sealer = ports.sealer
        self.now = now
        self.job = job
        self._acks = AckReconciler(ports)
        self._events: dict[Environment, list[NewEvent]] = {}
        self._entries: list[NewEntry] = []
        self._numbered: dict[int, list[NumberedAck]] = {}

    # ---- first -----------------------------------------------------------------------------------

    async def check(self, prepared: Sequence[PreparedPiece]) -> None:
        """Lock the numbers, and make sure that nothing changed since the assessment.

        Raises:
            StalePreparationError: Something has the number by now, or has it no more.
        """
        found = {each.number: each for each in prepared if isinstance(each, PreparedInterchange)}
        replay = None if self.job.interchange is None else self.job.interchange.id
        for key in sorted(found):
            await self._hold(key)
            stored = await find_earlier(self.unit, key, replay)
            known = [each for each in found[key].earlier if each.interchange_id > 0]
            if [each.interchange_id for each in stored] != [each.interchange_id for each in known]:
                raise StalePreparationError

    async def _hold(self, number_key: NumberKey) -> None:
        """Hold the counter of what the partner sends, though it is not ours to count."""
        (sender, receiver), owner = number_key.pair, (self.job.account_id, number_key.environment)
        key = CounterKey(NumberKind.ISA, *sender, *receiver)
        await self.unit.control_numbers.hold(owner, key, self.now)

    async def draw_ack_numbers(self, prepared: Sequence[PreparedPiece]) -> None:
        """Draw the control numbers of all acknowledgements, always in one order."""
        answers = [
            (pair_key(answer), at, answer)
            for at, each in enumerate(prepared)
            if isinstance(each, PreparedInterchange)
            for answer in _answers_to(each)
        ]
        for _, at, answer in sorted(answers, key=lambda each: each[:2]):
            numbered = await number_answer(self.unit, self.job.account_id, answer, self.now)
            self._numbered.setdefault(at, []).append(numbered)

    # ---- of one interchange ----------------------------------------------------------------------

    async def keep_output(
        self,
        run: MapOutputs,
        environment: Environment,
        data: EventData,
        transaction_id: TransactionId,
    ) -> None:
        """Store what a map made of a set, and link it to the record of the set.

        The event of the stored document has the conversion's warnings, and their codes in its data.
        """
        codes = ",".join(sorted({each.code for each in run.warnings}))
        warnings = {"warnings": codes} if codes else {}
        scope = Scope(account_id=self.job.account_id, environment=environment)
        writer = DocumentWriter(self.unit, self.sealer, scope, self.now)
        stored = await writer.store(run.source, [run.output])
        (output_id,) = stored.output_ids
        links = Links(output_doc_id=output_id, doc_id=stored.source_id)
        await self.unit.transactions.link(transaction_id, links, self.now)
        event = NewEvent(
            type=EventType.DOCUMENT_STORED,
            data={**data, "doc_id": output_id, **warnings},
            transaction_id=transaction_id,
            actor=WORKER,
            message=warnings_text(run.warnings),
        )
        self.emit(environment, event)

    async def answer(self, at: int, answered: AcknowledgedInterchange) -> None:
        """Store the answers to the piece at a place of the document, if any are due."""
        for numbered in self._numbered.get(at, ()):
            events = await store_answer(
                self.unit,
                self.ports,
                numbered,
                answered,
                self.job.origin,
                self.now,
            )
            self.emit(answered.environment, *events)

    async def pair(self, prepared: PreparedInterchange, answered: AcknowledgedInterchange) -> None:
        """Store the trace numbers of requests and responses that are passed on, and pair them."""
        routed, disposition = prepared.routed, prepared.disposition
        if not routed.read.traces or not disposition.is_processed:
            return
        owner = (self.job.account_id, routed.environment)
        writer = PairingWriter(self.unit, self.ports.index, owner, self.now)
        for each in disposition.sets:
            traces = routed.read.traces.get(each.index)
            if traces is None or not each.is_passed_on or each.index in prepared.unchanged:
                continue
            events = await writer.store(
                TracedSet(
                    transaction_id=answered.transactions[each.index],
                    set_id=routed.read.received.sets[each.index].set_id,
                    direction=Direction.INBOUND,
                    pair=plain_pair(routed.pair),
                    partner_id=each.partner_id,
                    traces=traces,
                )
            )
            self.emit(routed.environment, *events)

    async def apply(self, prepared: PreparedInterchange, interchange_id: InterchangeId) -> None:
        """Change what the acknowledgements in an interchange answer."""
        if prepared.acks is None:
            return
        routed = prepared.routed
        arrival = AckInterchange(
            environment=routed.environment,
            interchange_id=interchange_id,
            isa_control_number=prepared.number.isa_control_number,
            received_at=self.job.received_at,
            partner_id=routed.partner.id,
        )
        events = await self._acks.apply(self.unit, prepared.acks, arrival, self.now)
        self.emit(routed.environment, *events)

    async def note_activity(self, partners: set[PartnerId]) -> None:
        """Note that documents of these partners came."""
        for partner_id in sorted(partners):
            await self.unit.partners.record_activity(partner_id, self.now)

    # ---- last ------------------------------------------------------------------------------------

    def emit(self, environment: Environment, *events: NewEvent) -> None:
        """Have events recorded when all else is stored."""
        self._events.setdefault(environment, []).extend(events)

    def emit_set_event(
        self,
        environment: Environment,
        disposition: SetDisposition,
        data: EventData,
        transaction_id: TransactionId,
    ) -> None:
        """Tell what validation said of a set, and where it ended, if not as done."""
        types = []
        if disposition.validation is not ValidationStatus.NOT_CHECKED:
            is_invalid = disposition.validation is ValidationStatus.INVALID
            types.append(
                EventType.TRANSACTION_INVALID if is_invalid else EventType.TRANSACTION_VALIDATED
            )
        if disposition.processing in _ENDS:
            types.append(_ENDS[disposition.processing])
        message = "" if disposition.error is None else disposition.error.message
        self.emit(
            environment,
            *(
                NewEvent(
                    type=each,
                    data=data,
                    transaction_id=transaction_id,
                    actor=WORKER,
                    message=message,
                )
                for each in types
            ),
        )

    def audit(self, action: str, of: str, detail: str = "") -> None:
        """Have something noted in the audit log."""
        self._entries.append(NewEntry(actor=WORKER, action=action, object=of, detail=detail))

    async def finish(self, entry: OutboxEntry, to: OutboxState) -> None:
        """End the entry, and record what was reported.

        Raises:
            LeaseLostError: It is another worker's by now.
        """
        fault_point("processing.record.before_finish")
        lease = Lease(id=entry.id, attempt=entry.attempt)
        if not await self.unit.outbox.finish(lease, to, self.now):
            raise LeaseLostError
        account_id = self.job.account_id
        for environment, events in self._events.items():
            writer = EventWriter(self.unit, self.sealer, (account_id, environment))
            await writer.record(events, self.now)
        await AuditWriter(self.unit, self.sealer, account_id).record(self._entries, self.now)
        fault_point("processing.record.before_commit")


def _answers_to(prepared: PreparedInterchange) -> Iterator[PlannedAck]:
    """Yield what is sent for an interchange: its acknowledgement, then 277CA and 824."""
    routed, plan = prepared.routed, prepared.disposition.plan
    if plan is not None:
        yield PlannedAck(routed, plan)
    for each in prepared.answers:
        yield PlannedAck(routed, each)
