"""Shows interchanges, and lets people decide about those that were received.

    release     quarantined                     → received, for the partner that is named
    discard     quarantined                     → discarded, which ends it
    replay      processed, duplicate, failed    → received, to be processed again

Whoever makes the step of the interchange has won: of several at once one acts, and the
others are refused with its state. What is released or replayed is processed by a worker, whose
job is stored in the same unit. Release of one of a sandbox by a session of production is an event
of the sandbox.

Points where a test lets the process die: ``quarantine.decide.before_insert``,
``quarantine.decide.before_commit`` and ``quarantine.decide.after_commit``.

Source: contract.md section 15, transports.md section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.model import JobKind, NewOutboxEntry
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.interchanges.errors import (
    InterchangeBusyError,
    InterchangeStateError,
    MissingChoiceError,
)
from longshore.domain.interchanges.service import audit_entry, found_interchange
from longshore.domain.interchanges.store import Interchange, InterchangeStatus
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.partners.status import is_visible
from longshore.domain.ports import BlindIndex, Ports, RequestContext
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    InterchangeId,
    LastError,
    ProcessingStatus,
    ValidationStatus,
)
from longshore.domain.transactions.resend_chain import (
    check_alone,
    check_nothing_waits,
    lock_chains,
    original_of,
)
from longshore.domain.transactions.states import Axis
from longshore.domain.transactions.store import Links, SealedTransaction
from longshore.domain.units import WriteUnit
from longshore.kit.faults import fault_point

REPLAYABLE: Final = (
    InterchangeStatus.PROCESSED,
    InterchangeStatus.DUPLICATE,
    InterchangeStatus.FAILED,
)
"""The statuses from which an interchange may be processed again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantineDecision:
    """A decision about an interchange: its author, its object, its reason and its words."""

    context: RequestContext
    interchange_id: InterchangeId
    verb: str
    reason: str
    allowed: tuple[InterchangeStatus, ...]
    kind: JobKind | None = None


class QuarantineService:
    """Decides about the interchanges of every account."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def release(
        self,
        context: RequestContext,
        interchange_id: InterchangeId,
        reason: str,
        *,
        partner_id: PartnerId | None = None,
    ) -> None:
        """Let a quarantined interchange be processed, for ``partner_id`` or for whose it is.

        Raises:
            InterchangeNotFoundError: The scope has none of this id.
            InterchangeStateError: It is not quarantined.
            MissingChoiceError: No reason is given, or nobody knows whose it is.
            PartnerNotFoundError: There is no such partner that the caller sees.
            ReplacedError: A record of it was corrected, and that stands.
            CorrectionWaitsError: A correction of one waits to be processed.
        """
        await self._decide(
            QuarantineDecision(
                context=context,
                interchange_id=interchange_id,
                verb="release",
                reason=reason.strip(),
                allowed=(InterchangeStatus.QUARANTINED,),
                kind=JobKind.RELEASE,
            ),
            partner_id,
        )

    async def replay(
        self,
        context: RequestContext,
        interchange_id: InterchangeId,
        reason: str,
        *,
        acknowledge: bool,
    ) -> None:
        """Have an interchange processed again; with ``acknowledge`` it is answered again too.

        Raises:
            InterchangeNotFoundError: The scope has none of this id.
            InterchangeStateError: It is not one of ``REPLAYABLE``.
            MissingChoiceError: No reason is given.
            ReplacedError: A record that was not passed on was corrected, and that stands.
            CorrectionWaitsError: A correction of one waits to be processed.
        """
        kind = JobKind.REPLAY_ACKNOWLEDGED if acknowledge else JobKind.REPLAY
        await self._decide(
            QuarantineDecision(
                context=context,
                interchange_id=interchange_id,
                verb="replay",
                reason=reason.strip(),
                allowed=REPLAYABLE,
                kind=kind,
            )
        )

    async def discard(
        self, context: RequestContext, interchange_id: InterchangeId, reason: str
    ) -> None:
        """End a quarantined interchange without processing it; its bytes are kept.

        Raises:
            InterchangeNotFoundError: The scope has none of this id.
            InterchangeStateError: It is not quarantined.
            MissingChoiceError: No reason is given.
        """
        await self._decide(
            QuarantineDecision(
                context=context,
                interchange_id=interchange_id,
                verb="discard",
                reason=reason.strip(),
                allowed=(InterchangeStatus.QUARANTINED,),
            )
        )

    async def _decide(
        self, decision: QuarantineDecision, partner_id: PartnerId | None = None
    ) -> None:
        if not decision.reason:
            raise MissingChoiceError("reason", f"say why, to {decision.verb} this interchange")
        now = self._ports.clock.now()

        async def write(unit: WriteUnit) -> None:
            fault_point("quarantine.decide.before_insert")
            deciding = QuarantineChange(unit, decision, now)
            await lock_chains(unit, (decision.interchange_id,))
            interchange = await deciding.step()
            if decision.kind is JobKind.RELEASE:
                await deciding.assign(interchange, partner_id)
            records = await unit.transactions.list_of_interchange(interchange.id)
            if decision.kind is None:
                account_id = interchange.account_id
                writer = TransactionWriter(unit, self._ports.sealer, self._ports.index, account_id)
                await deciding.end(records, writer)
            else:
                await deciding.begin_again(records, partner_id)
                await deciding.check_alone(records, self._ports.index)
                await deciding.queue(interchange, partner_id)
            owner = (interchange.account_id, interchange.new.environment)
            events = _events(decision, interchange.id, records)
            await EventWriter(unit, self._ports.sealer, owner).record(events, now)
            entry = audit_entry(decision.context, decision.verb, interchange.id, decision.reason)
            await AuditWriter(unit, self._ports.sealer, interchange.account_id).record(
                (entry,), now
            )
            fault_point("quarantine.decide.before_commit")

        await self._ports.units.write(decision.context.scope, write)
        fault_point("quarantine.decide.after_commit")


class QuarantineChange:
    """Carries out a decision inside a unit."""

    def __init__(self, unit: WriteUnit, decision: QuarantineDecision, now: datetime) -> None:
        self._unit = unit
        self._decision = decision
        self._now = now

    async def step(self) -> Interchange:
        """Make the step of the interchange, which only one can make; return it as it was.

        Raises:
            InterchangeNotFoundError: The unit's scope has none of this id.
            InterchangeStateError: It was sent, or its state does not allow the step.
        """
        decision = self._decision
        interchange, _ = await found_interchange(self._unit, decision.interchange_id)
        new, allowed = interchange.new, decision.allowed
        if new.direction is Direction.OUTBOUND:
            raise InterchangeStateError(
                f"An interchange that was sent cannot be used to {decision.verb}.", ()
            )
        is_ended = decision.kind is None
        to = InterchangeStatus.DISCARDED if is_ended else InterchangeStatus.RECEIVED
        code = new.reason if is_ended else None
        if new.status not in allowed or not await self._unit.interchanges.step(
            interchange.id, new.status, to, code, self._now
        ):
            # Another may have made a step since it was read.
            current, _ = await found_interchange(self._unit, interchange.id)
            raise InterchangeStateError(
                f"This interchange is {current.new.status}. To {decision.verb} is possible for one"
                f" that is {' or '.join(allowed)}.",
                allowed,
            )
        return interchange

    async def assign(self, interchange: Interchange, partner_id: PartnerId | None) -> None:
        """Make it the partner's that is named.

        Raises:
            MissingChoiceError: None is named, and nobody knows whose it is.
            PartnerNotFoundError: There is no such partner that the caller sees.
        """
        if partner_id is None:
            if interchange.new.partner_id is None:
                raise MissingChoiceError("partner_id", "nobody knows whose this interchange is")
            return
        partner = await self._unit.partners.find(partner_id)
        environment = self._decision.context.environment
        if partner is None or not is_visible(partner.state.status, environment):
            raise PartnerNotFoundError
        await self._unit.interchanges.assign(interchange.id, partner_id, self._now)

    async def end(self, records: Sequence[SealedTransaction], writer: TransactionWriter) -> None:
        """Note on the records that nothing will become of them.

        Raises:
            InterchangeBusyError: One has changed since it was read.
        """
        text = f"Discarded by {self._decision.context.actor}: {self._decision.reason}"
        error = LastError(code="discarded", message=text, at=self._now)
        for record in records:
            if not await writer.set_last_error(record, error, self._now):
                raise InterchangeBusyError

    async def begin_again(
        self, records: Sequence[SealedTransaction], partner_id: PartnerId | None
    ) -> None:
        """Let the records stand at ``processing``, until a worker has said what they are.

        Raises:
            InterchangeBusyError: One has changed since it was read.
        """
        for record in records:
            number, start = record.transaction.id, record.transaction.record.states.processing
            if not await self._unit.transactions.step(
                number, Axis.PROCESSING, start, ProcessingStatus.PROCESSING, self._now
            ):
                raise InterchangeBusyError
            await self._unit.transactions.link(number, Links(partner_id=partner_id), self._now)

    async def check_alone(self, records: Sequence[SealedTransaction], index: BlindIndex) -> None:
        """Make sure that nothing stands, or soon will, in the place of what is to be passed on.

        ``records`` is as they were before the decision.

        Raises:
            CorrectionWaitsError: A correction of one waits to be processed.
            ReplacedError: Another transaction stands in the place of one.
        """
        numbers = [each.transaction.id for each in records if not _was_passed_on(each)]
        if numbers and await self._unit.receipts.has_corrections():
            for each in numbers:
                root = await original_of(self._unit, each)
                await check_nothing_waits(self._unit, index, root)
        await check_alone(self._unit, self._decision.interchange_id, numbers)

    async def queue(self, interchange: Interchange, partner_id: PartnerId | None) -> None:
        """Store the work that it is to be processed."""
        decision, new = self._decision, interchange.new
        assert decision.kind is not None  # that is what is queued
        entry = NewOutboxEntry(
            kind=decision.kind,
            environment=new.environment,
            due_at=self._now,
            partner_id=partner_id or new.partner_id,
            interchange_id=interchange.id,
            receipt_id=new.receipt_id,
        )
        await self._unit.outbox.insert(interchange.account_id, entry, self._now)


def _was_passed_on(record: SealedTransaction) -> bool:
    """Tell whether a replay leaves a record as it is: it was processed, and found valid."""
    states = record.transaction.record.states
    is_valid = states.validation is not ValidationStatus.INVALID
    return states.processing is ProcessingStatus.DONE and is_valid


def _events(
    decision: QuarantineDecision,
    interchange_id: InterchangeId,
    records: Sequence[SealedTransaction],
) -> list[NewEvent]:
    """Return what is reported a decision: of each record, or of the interchange if it has none."""
    is_ended = decision.kind is None
    of_all = NewEvent(
        type=EventType.TRANSACTION_CANCELLED if is_ended else EventType.TRANSACTION_RELEASED,
        data={"interchange_id": interchange_id, "action": decision.verb},
        actor=decision.context.actor,
        message=decision.reason,
    )
    numbers = [each.transaction.id for each in records]
    return [
        replace(of_all, transaction_id=number, data={**of_all.data, "transaction_id": number})
        for number in numbers
    ] or [of_all]
