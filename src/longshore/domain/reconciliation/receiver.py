"""Finds what received acknowledgements answer, and changes it: the port ``acks.AckReceiver``.

Before the unit (``prepare``) the candidates are looked up and what was complained about is brought
back to our documents, which takes long. Inside it (``apply``) all is decided again by what stands
there then. Twins of one acknowledgement that arrive at once are in each other's way on purpose:
whoever applies one holds the row of the interchange it answers until the unit ends, so that the
second finds the digest of the first. The rows are held in the order of their ids.

Source: x12.md section 2.6, architecture.md section 6 (a received 997).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from longshore.domain.acks.model import AckError, AckForm
from longshore.domain.acks.preparing import ReceivedSetAck, bounded, errors_in, note_count
from longshore.domain.acks.receiving import PreparedAck, PreparedAcks, ReceivedAck
from longshore.domain.acks.reconcile import AckDecision, reconcile_group, reconcile_ta1
from longshore.domain.acks.rows import AckInterchange
from longshore.domain.acks.store import AckReadStore
from longshore.domain.blind_index import BlindPurpose
from longshore.domain.events.model import NewEvent
from longshore.domain.ports import Ports, Scope
from longshore.domain.reconciliation.effects import ReconciliationEffects
from longshore.domain.reconciliation.sent_documents import (
    SentDocument,
    find_document,
    open_sent,
)
from longshore.domain.transactions.model import InterchangeId, TransactionId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.x12.acks.read import GroupAck, SetAck

MOST_ERRORS_OF_ALL: Final = 10_000  # of one interchange; the document tells of the others
_MANY_NOTES: Final = 50  # some milliseconds

Errors = dict[TransactionId, tuple[AckError, ...]]


class _Noted(NamedTuple):
    """What the acknowledgement at ``at`` complains about in a set of ours."""

    at: int
    interchange_id: InterchangeId
    transaction_id: TransactionId
    form: AckForm
    ack: SetAck


class AckReconciler:
    """Acknowledgements of all accounts."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def prepare(self, scope: Scope, received: Sequence[ReceivedAck]) -> PreparedAcks:
        """Look up what acknowledgements of one interchange answer, and bring errors back to it.

        ``scope``: of the account, in the environment of the interchange. Of those about one group
        the first 20 are taken.

        Raises:
            SealBrokenError: A document of ours is not what was stored.
            LongshoreError: ``limit_exceeded``: a document of ours takes too long to be read.
        """
        assert scope.account_id is not None
        assert scope.environment is not None
        owner = (scope.account_id, scope.environment)
        taken = [
            replace(
                each, digest=self._ports.index.digest(BlindPurpose.ACK_BODY, owner, each.digest)
            )
            for each in bounded(received)
        ]

        async def look_up(unit: ReadUnit) -> list[AckDecision]:
            return [await _decided(unit.acks, owner[1], each) for each in taken]

        decisions = await self._ports.units.read(scope, look_up)
        errors = await self._errors(scope, taken, decisions)
        return PreparedAcks(
            owner=owner,
            acks=tuple(
                PreparedAck(received=each, expected=_answered(decision), errors=found)
                for each, decision, found in zip(taken, decisions, errors, strict=True)
            ),
        )

    async def apply(
        self,
        unit: WriteUnit,
        prepared: PreparedAcks,
        arrival: AckInterchange,
        now: datetime,
    ) -> tuple[NewEvent, ...]:
        """Change what is answered, as it stands now; return the events that are to be recorded."""
        account_id, environment = prepared.owner
        assert arrival.environment is environment
        held = {each.expected for each in prepared.acks if each.expected is not None}
        for number in sorted(held):
            await unit.interchanges.hold(number, now)
        effects = ReconciliationEffects(unit, self._ports.sealer, account_id, arrival, now)
        for each in prepared.acks:
            decision = await _decided(unit.acks, environment, each.received)
            # Another than was looked up: the state has changed, and may until this one is held too.
            while (other := _answered(decision)) is not None and other not in held:
                await unit.interchanges.hold(other, now)
                held.add(other)
                decision = await _decided(unit.acks, environment, each.received)
            await effects.take(each, decision)
        return tuple(effects.events)

    async def _errors(
        self, scope: Scope, taken: Sequence[ReceivedAck], decisions: Sequence[AckDecision]
    ) -> list[Errors]:
        """Return the errors that each acknowledgement lists, by set of ours."""
        errors: list[Errors] = [{} for _ in taken]
        noted: dict[InterchangeId, list[_Noted]] = {}
        room = MOST_ERRORS_OF_ALL
        for at, (received, decision) in enumerate(zip(taken, decisions, strict=True)):
            for note in _notes(at, received, decision):
                errors[at][note.transaction_id] = ()
                room -= note_count(note.ack)
                if room >= 0:
                    noted.setdefault(note.interchange_id, []).append(note)
        for number, notes in noted.items():  # one document at a time: they can be large
            for note, found in zip(notes, await self._placed(scope, number, notes), strict=True):
                errors[note.at][note.transaction_id] = found
        return errors

    async def _placed(
        self, scope: Scope, number: InterchangeId, notes: Sequence[_Noted]
    ) -> list[tuple[AckError, ...]]:
        async def find(unit: ReadUnit) -> SentDocument:
            return await find_document(unit, number)

        document = await self._ports.units.read(scope, find)
        opening = self._ports.threads.hand_over if document.is_long else self._ports.threads.run
        content, lineage = await opening(open_sent, self._ports.sealer, document)
        indexes = document.indexes
        complaints = [
            ReceivedSetAck(tx_index=indexes[each.transaction_id], form=each.form, ack=each.ack)
            for each in notes
        ]
        is_many = sum(note_count(each.ack) for each in complaints) > _MANY_NOTES
        work = self._ports.compute.hand_over if is_many else self._ports.compute.run
        return await work(errors_in, content, complaints, lineage)


def _notes(at: int, received: ReceivedAck, decision: AckDecision) -> Iterator[_Noted]:
    """Yield what is complained about; a TA1 speaks of no segment."""
    for each in decision.sets:
        if isinstance(received.ack, GroupAck) and each.part is not None and each.part.segments:
            assert decision.answered is not None
            form, number = AckForm(received.ack.ack_type), decision.answered.interchange_id
            yield _Noted(at, number, each.sent.transaction_id, form, each.part)


def _answered(decision: AckDecision) -> InterchangeId | None:
    return None if decision.answered is None else decision.answered.interchange_id


async def _decided(
    acks: AckReadStore, environment: Environment, received: ReceivedAck
) -> AckDecision:
    """Return what an acknowledgement changes of what is stored."""
    ack, origin = received.ack, received.origin
    own = origin.pair.swapped()
    if isinstance(ack, GroupAck):
        groups = await acks.list_sent_groups(environment, own, ack.control_number)
        return reconcile_group(ack, received.digest, origin, groups)
    interchanges = await acks.list_sent_interchanges(environment, own, ack.control_number)
    return reconcile_ta1(ack, received.digest, origin, interchanges)
