"""Read received bytes and decide how they are processed, before the unit that stores the result.

The unit checks again. If another interchange was stored under the same control number meanwhile,
or one was removed, it raises ``StalePreparationError`` and stores nothing, and the processor
prepares the bytes again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from longshore.domain.acks.matching import AckOrigin
from longshore.domain.acks.received import PreparedAcks, ReceivedAck
from longshore.domain.acks.reconciler import AckReconciler
from longshore.domain.inbound.application_answers import plan_application_answers
from longshore.domain.inbound.decisions import decide, route
from longshore.domain.inbound.dispositions import (
    InterchangeDisposition,
    ProcessingMode,
    ProcessingNotice,
    RoutedInterchange,
    SetDisposition,
)
from longshore.domain.inbound.duplicates import Earlier, Received
from longshore.domain.inbound.map_runs import MapOutputs, run_maps
from longshore.domain.inbound.parser import ParsedInterchange, Piece, UnreadablePiece
from longshore.domain.inbound.routing import ACKNOWLEDGEMENTS, PartnerChannel, sender_of
from longshore.domain.inbound.rows import InterchangeOrigin, read_facts, unreadable_facts
from longshore.domain.inbound.set_dispositions import EarlierSet, unchanged_sets
from longshore.domain.interchanges.encryption import SealedParts, seal_content
from longshore.domain.interchanges.store import Interchange, InterchangeStatus, plain, plain_pair
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import Identity, Pair, Partner
from longshore.domain.ports import AccountId, BlindPurpose, Ports, RequestContext
from longshore.domain.transactions.encryption import open_transaction
from longshore.domain.transactions.model import InterchangeId, ProcessingStatus
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import ReadUnit
from longshore.kit.environment import Environment
from longshore.x12.acks.application import ApplicationPlan


class StalePreparationError(RuntimeError):
    """The facts read before the unit have changed, so that the bytes are prepared again."""


class LeaseLostError(RuntimeError):
    """The work is another worker's by now, or done: nothing of this attempt is kept."""


LONG_BYTES: Final = 262_144  # below it sealing is done sooner than a thread is woken
_COUNTING: Final = frozenset({InterchangeStatus.PROCESSED, InterchangeStatus.RECEIVED})
_CONTENT_DUPLICATE: Final = "The same content came before, under another control number."


class NumberKey(NamedTuple):
    """The key by which duplicates are searched: ISA13 between two, in an environment."""

    environment: Environment
    pair: Pair
    isa_control_number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The document to process, and its account."""

    context: RequestContext
    origin: InterchangeOrigin
    partner: Partner
    mode: ProcessingMode
    pieces: tuple[Piece, ...]
    received_at: datetime
    interchange: Interchange | None = None
    """The stored one that is processed again."""
    is_unread: bool = False
    """Nobody could read it when it came; what is in it now is stored as if it came only now."""

    @property
    def account_id(self) -> AccountId:
        """Whose it is."""
        return self.context.account_id


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedBytes:
    """Bytes that are no interchange, on their way into the unit."""

    piece: UnreadablePiece
    digest: bytes
    """Keyed."""
    parts: SealedParts


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedInterchange:
    """An interchange on its way into the unit; its digests are keyed.

    ``earlier`` are those that had its number when it was assessed; those before it in the same
    document have ids below 0, of which -1 is the first. ``runs`` are outputs by index of the set.
    ``unchanged`` are sets whose records stay as they are though the interchange is processed again.
    """

    routed: RoutedInterchange
    disposition: InterchangeDisposition
    number: NumberKey
    earlier: tuple[Earlier, ...]
    digest: bytes
    set_digests: Mapping[int, bytes]
    runs: Mapping[int, MapOutputs]
    acks: PreparedAcks | None
    parts: SealedParts
    unchanged: frozenset[int]
    answers: tuple[ApplicationPlan, ...] = ()
    """The 277CAs and 824s to be sent."""


PreparedPiece = PreparedInterchange | PreparedBytes


def number_key(routed: RoutedInterchange) -> NumberKey:
    """Return what an interchange's number is known by."""
    header = routed.read.received.summary.header
    return NumberKey(routed.environment, plain_pair(routed.pair), plain(header[13]))


async def find_earlier(
    unit: ReadUnit, key: NumberKey, own: InterchangeId | None
) -> tuple[Earlier, ...]:
    """Return what was processed, or is about to be again, under a number; not ``own``."""
    found = await unit.interchanges.list_same_number(*key)
    return tuple(
        Earlier(
            interchange_id=each.id,
            received=Received(
                sha256=each.new.digest,
                date=each.new.isa_date,
                time=each.new.isa_time,
                received_at=each.created_at,
            ),
        )
        for each in found
        if each.id != own and each.new.status in _COUNTING
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The facts about an interchange from one snapshot; ``originals`` are sets received before."""

    routed: RoutedInterchange
    number: NumberKey
    earlier: tuple[Earlier, ...]
    set_digests: Mapping[int, bytes]
    digest: bytes
    originals: frozenset[int]


class ReceiptPreparer:
    """Finds out about one job."""

    def __init__(self, ports: Ports, job: Job) -> None:
        self._ports = ports
        self._job = job
        self._before: list[EarlierSet] = []

    async def prepare(self) -> tuple[PreparedPiece, ...]:
        """Return all pieces of the document, in order."""
        job = self._job
        known = await self._ports.units.read(job.context.scope, self._look_up)
        self._before = await self._earlier_sets()
        inside: dict[NumberKey, list[Earlier]] = {}
        bodies: set[bytes] = set()
        prepared: list[PreparedPiece] = []
        for at, (piece, found) in enumerate(zip(job.pieces, known, strict=True)):
            if isinstance(piece, UnreadablePiece):
                prepared.append(await self._unreadable(piece))
                continue
            assert found is not None  # it was looked up
            earlier = (*found.earlier, *inside.get(found.number, ()))
            one = await self._interchange(replace(found, earlier=earlier), bodies)
            prepared.append(one)
            if one.disposition.is_processed:
                own = Earlier(interchange_id=InterchangeId(-1 - at), received=self._new(found))
                inside.setdefault(found.number, []).append(own)
                bodies.update(found.set_digests.values())
        return tuple(prepared)

    # ---- from the database -----------------------------------------------------------------------

    async def _look_up(self, unit: ReadUnit) -> list[_Known | None]:
        own = [each.identity for each in await unit.identities.list()]
        reads = [each for each in self._job.pieces if isinstance(each, ParsedInterchange)]
        partners = await self._partners(unit, reads)
        return [
            await self._known(unit, each, own, partners)
            if isinstance(each, ParsedInterchange)
            else None
            for each in self._job.pieces
        ]

    async def _partners(self, unit: ReadUnit, reads: Sequence[ParsedInterchange]) -> list[Partner]:
        """Return the partners that routing may decide between: not all of them are read."""
        senders = {_folded(*each.addressed.pair.sender) for each in reads}
        channel = self._job.partner
        partners = []
        for address in await unit.partners.list_addresses():
            identity = address.identity
            if address.id == channel.id:
                partners.append(channel)
            elif _folded(identity.qualifier, identity.isa_id) in senders:
                stored = await unit.partners.find(address.id)
                assert stored is not None  # of the same snapshot
                partners.append(partner_of(stored))
        return partners

    async def _known(
        self,
        unit: ReadUnit,
        read: ParsedInterchange,
        own: Sequence[Identity],
        partners: Sequence[Partner],
    ) -> _Known:
        job = self._job
        is_shared = job.origin.is_shared
        sender = sender_of(read.addressed.pair, partners) if is_shared else None
        channel = PartnerChannel(
            partner=sender or job.partner,
            environment=job.origin.environment,
            is_shared=is_shared,
        )
        routed = route(read, channel, own, partners, job.mode)
        number = number_key(routed)
        replay = None if job.interchange is None else job.interchange.id
        owner = (job.account_id, routed.environment)
        index = self._ports.index
        digests = {
            at: index.digest(BlindPurpose.SET_BODY, owner, read.set_digests[at])
            for group in read.received.groups
            if group.functional_id != ACKNOWLEDGEMENTS
            for at in group.sets
        }
        return _Known(
            routed=routed,
            number=number,
            earlier=await find_earlier(unit, number, replay),
            set_digests=digests,
            digest=index.digest(BlindPurpose.INTERCHANGE_BODY, owner, read.digest),
            originals=frozenset() if replay else await self._originals(unit, routed, digests),
        )

    async def _originals(
        self, unit: ReadUnit, routed: RoutedInterchange, digests: Mapping[int, bytes]
    ) -> frozenset[int]:
        """Return which sets the partner sent before within the window."""
        window = timedelta(days=routed.partner.terms.settings.dup_window_days)
        since = self._job.received_at - window
        found = set()
        for at, digest in digests.items():
            originals = await unit.transactions.list_duplicates(
                routed.environment, routed.partner.id, digest, since
            )
            if originals:
                found.add(at)
        return frozenset(found)

    async def _earlier_sets(self) -> list[EarlierSet]:
        """Return what the records say of an interchange that is processed again."""
        interchange = self._job.interchange
        if interchange is None:
            return []

        async def find(unit: ReadUnit) -> Sequence[SealedTransaction]:
            return await unit.transactions.list_of_interchange(interchange.id)

        return [
            EarlierSet(
                open_transaction(self._ports.sealer, each).record.last_error,
                each.output_doc_id is not None,
            )
            for each in await self._ports.units.read(self._job.context.scope, find)
        ]

    # ---- assessment, conversion, encryption ------------------------------------------------------

    async def _unreadable(self, piece: UnreadablePiece) -> PreparedBytes:
        owner = (self._job.account_id, self._job.origin.environment)
        return PreparedBytes(
            piece=piece,
            digest=self._ports.index.digest(BlindPurpose.INTERCHANGE_BODY, owner, piece.content),
            parts=await self._sealed(piece.content, unreadable_facts(piece)),
        )

    async def _interchange(self, known: _Known, bodies: set[bytes]) -> PreparedInterchange:
        routed = known.routed
        disposition = decide(routed, self._new(known), known.earlier)
        if disposition.is_processed:
            disposition = replace(
                disposition, notices=(*disposition.notices, *_repeated(known, bodies))
            )
        scope_context = replace(self._job.context, environment=routed.environment)
        unchanged = unchanged_sets(disposition.sets, self._before)
        passed_on = [each for each in disposition.sets if each.index not in unchanged]
        runs = await run_maps(self._ports, scope_context, routed.read, passed_on)
        failed = {at: each for at, each in runs.items() if isinstance(each, ProcessingNotice)}
        sets = tuple(_failed(each, failed.get(each.index)) for each in disposition.sets)
        disposition = replace(disposition, sets=sets)
        answers = plan_application_answers(routed, disposition, unchanged)
        disposition = replace(disposition, notices=(*disposition.notices, *answers.notices))
        return PreparedInterchange(
            routed=routed,
            disposition=disposition,
            number=known.number,
            earlier=known.earlier,
            digest=known.digest,
            set_digests=known.set_digests,
            runs={at: each for at, each in runs.items() if isinstance(each, MapOutputs)},
            acks=await self._received(routed, sets)
            if disposition.is_processed and not unchanged
            else None,
            parts=await self._sealed(
                routed.read.content, read_facts(routed.read, disposition.notices)
            ),
            unchanged=unchanged,
            answers=answers.plans,
        )

    def _new(self, known: _Known) -> Received:
        header = known.routed.read.received.summary.header
        return Received(
            sha256=known.digest,
            date=plain(header[9]),
            time=plain(header[10]),
            received_at=self._job.received_at,
        )

    async def _received(
        self, routed: RoutedInterchange, sets: Sequence[SetDisposition]
    ) -> PreparedAcks | None:
        """Return the acknowledgements in an interchange, looked up in the environment it is of.

        A 277CA or an 824 is a document like others: one that is rejected answers nothing.
        """
        passed_on = {None, *(each.index for each in sets if each.is_passed_on)}
        taken = [each for each in routed.read.acks if each.tx_index in passed_on]
        if not taken:
            return None
        received = [
            ReceivedAck(
                ack=each.ack,
                origin=AckOrigin(
                    plain_pair(routed.pair),
                    plain(each.gs_sender),
                    plain(each.gs_receiver),
                    self._job.received_at,
                ),
                digest=each.digest,
            )
            for each in taken
        ]
        context = replace(self._job.context, environment=routed.environment)
        return await AckReconciler(self._ports).prepare(context.scope, received)

    async def _sealed(self, content: bytes, facts: Mapping[str, object]) -> SealedParts:
        sealer = self._ports.sealer
        if len(content) <= LONG_BYTES:
            return seal_content(sealer, content, facts)
        return await self._ports.threads.submit_to_executor(seal_content, sealer, content, facts)


def _folded(qualifier: str, isa_id: str) -> tuple[str, str]:
    return qualifier.casefold(), isa_id.casefold()


def _repeated(known: _Known, bodies: set[bytes]) -> list[ProcessingNotice]:
    """Return the warnings about sets whose content came before, here or in another document."""
    seen, notices = set(bodies), []
    for at, digest in known.set_digests.items():
        if at in known.originals or digest in seen:
            notices.append(ProcessingNotice("content_duplicate", _CONTENT_DUPLICATE, at))
        seen.add(digest)
    return notices


def _failed(disposition: SetDisposition, notice: ProcessingNotice | None) -> SetDisposition:
    if notice is None:
        return disposition
    return replace(disposition, processing=ProcessingStatus.FAILED, error=notice)
