"""Applies received acknowledgements to what they answer.

``prepare`` runs before the unit: it looks up the candidates and maps errors back to our documents,
which takes long. ``apply`` runs inside the unit and decides again by what is stored then. It locks
the row of the answered interchange until the unit ends, so that of two copies of an acknowledgement
the second finds the digest of the first. Rows are locked in the order of their ids.

Source: x12.md section 2.6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from longshore.domain.acks.application import (
    ClaimOutcome,
    claim_outcome,
    reconcile_advice,
    reconcile_claims,
)
from longshore.domain.acks.effects import ReconciliationEffects
from longshore.domain.acks.matching import AckDecision, reconcile_group, reconcile_ta1
from longshore.domain.acks.model import AckError, AckForm
from longshore.domain.acks.received import (
    AckInterchange,
    PreparedAck,
    PreparedAcks,
    ReceivedAck,
    ReceivedAnswer,
    ReceivedSetAck,
    bounded,
    claims_in,
    errors_in,
    note_count,
)
from longshore.domain.acks.store import AckReadStore
from longshore.domain.events.model import NewEvent
from longshore.domain.interchanges.encryption import open_interchange
from longshore.domain.interchanges.store import Interchange, SealedContent
from longshore.domain.ports import AccountId, BlindPurpose, Ports, Scope, Sealer
from longshore.domain.transactions.encryption import reference_digest
from longshore.domain.transactions.model import InterchangeId, TransactionId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.vault.model import SealedRecord, VaultDocumentId
from longshore.domain.vault.service import open_document
from longshore.kit.environment import Environment
from longshore.x12.acks.claims import CLAIMS
from longshore.x12.acks.read import GroupAck, ReceivedTa1, SetAck
from longshore.x12.acks.read_answers import AdviceAck, AdvisedOriginal, ClaimAck

_LONG_BYTES = 262_144  # below it opening is done sooner than a thread is woken


@dataclass(frozen=True, slots=True, kw_only=True)
class SentDocument:
    """A sealed interchange."""

    interchange: Interchange
    sealed: SealedContent
    indexes: Mapping[TransactionId, int]
    """The index of each transaction's set, from 1."""
    converted: SealedRecord | None
    """The document of the vault that a map made it as, None where none did."""

    @property
    def is_long(self) -> bool:
        """Return whether it is large enough to be opened outside the event loop."""
        return len(self.sealed.content) > _LONG_BYTES


async def find_document(unit: ReadUnit, interchange_id: InterchangeId) -> SentDocument:
    """Return an interchange of ours."""
    found = await unit.interchanges.find(interchange_id)
    assert found is not None  # a group of it was found, and interchanges are kept
    sets = await unit.transactions.list_of_interchange(interchange_id)
    doc_id = next((each.transaction.record.doc_id for each in sets), None)
    return SentDocument(
        interchange=found[0],
        sealed=found[1],
        indexes={each.transaction.id: index for index, each in enumerate(sets, 1)},
        converted=None if doc_id is None else await unit.vault.find(VaultDocumentId(doc_id)),
    )


def open_sent(sealer: Sealer, document: SentDocument) -> tuple[bytes, str | None]:
    """Return the bytes that were sent, and the lineage of the conversion that made them.

    Raises:
        SealBrokenError: They are not what was stored.
    """
    opened = open_interchange(sealer, document.interchange, document.sealed)
    record = document.converted
    return opened.content, None if record is None else open_document(sealer, record).explain


MAX_ERRORS_OF_ALL: Final = 10_000  # of one interchange; the document tells of the others
_MANY_NOTES: Final = 50  # some milliseconds

Errors = dict[TransactionId, tuple[AckError, ...]]


class _Noted(NamedTuple):
    """The complaints of the acknowledgement at ``at`` about a set of ours."""

    at: int
    interchange_id: InterchangeId
    transaction_id: TransactionId
    form: AckForm
    ack: SetAck | AdvisedOriginal


class AckReconciler:
    """Acknowledgements of all accounts."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def prepare(self, scope: Scope, received: Sequence[ReceivedAck]) -> PreparedAcks:
        """Look up what acknowledgements of one interchange answer, and bring errors back to it.

        ``scope`` is of the account, in the environment of the interchange. Of those about one group
        the first 20 are taken.

        Raises:
            SealBrokenError: A document of ours is not what was stored.
            LongshoreError: ``limit_exceeded``: a document of ours takes too long to be read.
        """
        assert scope.account_id is not None
        assert scope.environment is not None
        owner = (scope.account_id, scope.environment)
        keyed = (self._keyed(owner, each) for each in received)
        taken = [PreparedAck(received=each) for each in bounded(keyed)]
        if len(taken) == 1 and _says_no_more(taken[0].received.ack):
            return PreparedAcks(owner=owner, acks=tuple(taken))

        async def look_up(unit: ReadUnit) -> list[AckDecision]:
            return [await _find_and_decide(unit.acks, owner[1], each) for each in taken]

        decisions = await self._ports.units.read(scope, look_up)
        errors = await self._errors(scope, [each.received for each in taken], decisions)
        return PreparedAcks(
            owner=owner,
            acks=tuple([
                replace(
                    each,
                    expected=_answered(decision),
                    errors=found,
                    claims=await self._claims(scope, each.received.ack, decision),
                )
                for each, decision, found in zip(taken, decisions, errors, strict=True)
            ]),
        )

    def _keyed(self, owner: tuple[AccountId, Environment], received: ReceivedAck) -> ReceivedAck:
        """Return an acknowledgement with the keyed hashes by which it and its set are found."""
        index, reference = self._ports.index, _reference_of(received.ack)
        return replace(
            received,
            digest=index.digest(BlindPurpose.ACK_BODY, owner, received.digest),
            reference=reference_digest(index, owner, reference) if reference else b"",
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
        for interchange_id in sorted(held):
            await unit.interchanges.hold(interchange_id, now)
        effects = ReconciliationEffects(unit, self._ports.sealer, account_id, arrival, now)
        for each in prepared.acks:
            decision = await _find_and_decide(unit.acks, environment, each)
            # Another than was looked up: the state has changed, and may until this one is held too.
            while (other := _answered(decision)) is not None and other not in held:
                await unit.interchanges.hold(other, now)
                held.add(other)
                decision = await _find_and_decide(unit.acks, environment, each)
            await effects.take(each, decision)
        return tuple(effects.events)

    async def _errors(
        self, scope: Scope, taken: Sequence[ReceivedAck], decisions: Sequence[AckDecision]
    ) -> list[Errors]:
        """Return the errors that each acknowledgement lists, by set of ours."""
        errors: list[Errors] = [{} for _ in taken]
        noted: dict[InterchangeId, list[_Noted]] = {}
        room = MAX_ERRORS_OF_ALL
        for at, (received, decision) in enumerate(zip(taken, decisions, strict=True)):
            for note in _notes(at, received, decision):
                errors[at][note.transaction_id] = ()
                room -= note_count(note.ack)
                if room >= 0:
                    noted.setdefault(note.interchange_id, []).append(note)
        for interchange_id, notes in noted.items():  # one document at a time: they can be large
            for note, found in zip(
                notes, await self._placed(scope, interchange_id, notes), strict=True
            ):
                errors[note.at][note.transaction_id] = found
        return errors

    async def _claims(
        self, scope: Scope, ack: ReceivedAnswer, decision: AckDecision
    ) -> dict[TransactionId, ClaimOutcome]:
        """Return what a 277CA says of the claims of the document that it answers."""
        if not isinstance(ack, ClaimAck) or not decision.sets:
            return {}
        assert decision.answered is not None  # it has sets
        interchange_id, own = decision.answered.interchange_id, decision.sets[0].sent.transaction_id

        async def find(unit: ReadUnit) -> SentDocument:
            return await find_document(unit, interchange_id)

        document = await self._ports.units.read(scope, find)
        content, _ = await self._opened(document)
        work = (
            self._ports.compute.submit_to_executor if document.is_long else self._ports.compute.run
        )
        ours = await work(claims_in, content, document.indexes[own])
        return {own: claim_outcome(ack, ours)}

    async def _opened(self, document: SentDocument) -> tuple[bytes, str | None]:
        opening = (
            self._ports.threads.submit_to_executor if document.is_long else self._ports.threads.run
        )
        return await opening(open_sent, self._ports.sealer, document)

    async def _placed(
        self, scope: Scope, interchange_id: InterchangeId, notes: Sequence[_Noted]
    ) -> list[tuple[AckError, ...]]:
        async def find(unit: ReadUnit) -> SentDocument:
            return await find_document(unit, interchange_id)

        document = await self._ports.units.read(scope, find)
        content, lineage = await self._opened(document)
        indexes = document.indexes
        complaints = [
            ReceivedSetAck(tx_index=indexes[each.transaction_id], form=each.form, ack=each.ack)
            for each in notes
        ]
        is_many = sum(note_count(each.ack) for each in complaints) > _MANY_NOTES
        work = self._ports.compute.submit_to_executor if is_many else self._ports.compute.run
        return await work(errors_in, content, complaints, lineage)


def _notes(at: int, received: ReceivedAck, decision: AckDecision) -> Iterator[_Noted]:
    """Yield what is complained about; a TA1 speaks of no segment."""
    for each in decision.sets:
        if isinstance(received.ack, GroupAck) and each.part is not None and each.part.segments:
            assert decision.answered is not None
            form, interchange_id = AckForm(received.ack.ack_type), decision.answered.interchange_id
            yield _Noted(at, interchange_id, each.sent.transaction_id, form, each.part)
        elif each.original is not None and each.original.notes:
            assert decision.answered is not None
            interchange_id, own = decision.answered.interchange_id, each.sent.transaction_id
            yield _Noted(at, interchange_id, own, AckForm.F824, each.original)


def _says_no_more(ack: ReceivedAnswer) -> bool:
    """Tell whether an acknowledgement speaks of nothing within the sets that it answers.

    Then no document of ours is read for it. If it comes alone, the unit itself finds what it
    answers; of several, what they answer has to be known before the first of it is held.
    """
    if isinstance(ack, GroupAck):
        return not any(each.segments for each in ack.sets)
    return isinstance(ack, ReceivedTa1)


def _answered(decision: AckDecision) -> InterchangeId | None:
    return None if decision.answered is None else decision.answered.interchange_id


def _reference_of(ack: ReceivedAnswer) -> str:
    """Return the number by which the set that is answered is found, ``""`` if by its group."""
    if isinstance(ack, ClaimAck):
        return ack.reference
    if isinstance(ack, AdviceAck) and not ack.group_number:
        return ack.originals[0].reference
    return ""


async def _find_and_decide(
    acks: AckReadStore, environment: Environment, prepared: PreparedAck
) -> AckDecision:
    """Return what an acknowledgement changes of what is stored."""
    received = prepared.received
    ack, origin, digest = received.ack, received.origin, received.digest
    own = origin.pair.swapped()
    if isinstance(ack, GroupAck):
        groups = await acks.list_sent_groups(environment, own, ack.control_number)
        return reconcile_group(ack, digest, origin, groups)
    if isinstance(ack, ReceivedTa1):
        interchanges = await acks.list_sent_interchanges(environment, own, ack.control_number)
        return reconcile_ta1(ack, digest, origin, interchanges)
    if isinstance(ack, AdviceAck) and ack.group_number:
        groups = await acks.list_sent_groups(environment, own, ack.group_number)
        return reconcile_advice(ack, digest, origin, groups)
    tx_set = CLAIMS if isinstance(ack, ClaimAck) else ack.originals[0].set_id
    found = await acks.list_sent_by_reference(environment, own, tx_set, received.reference)
    if isinstance(ack, ClaimAck):
        return reconcile_claims(ack, digest, origin, found, prepared.claims)
    return reconcile_advice(ack, digest, origin, found)
