"""Decides which of our sets a received acknowledgement answers, and what it changes.

Pure decisions; whoever stores them checks that the rows have not changed. The rules:

* the same content again is a duplicate: nothing changes, and there is no event;
* other content for a set that has an answer is a conflict. The latest answer wins, but a rejected
  set stays rejected until a person sends it again; then the next answer wins;
* what a 277CA or 824 said is not undone by a 997 or 999: the worse of the two holds.

Source: x12.md section 2.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar

from longshore.domain.acks.model import GroupId
from longshore.domain.events.model import EventType
from longshore.domain.partners.model import Pair
from longshore.domain.transactions.model import (
    ACK_OUTCOMES,
    AckStatus,
    InterchangeId,
    TransactionId,
)
from longshore.x12.acks.outcome import SentSet, outcomes, unknown_sets
from longshore.x12.acks.read import GroupAck, ReceivedTa1, SetAck
from longshore.x12.acks.read_answers import AdvisedOriginal
from longshore.x12.control import is_same_number
from longshore.x12.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class SentSetState:
    """A set that we had sent, and what was answered so far."""

    transaction_id: TransactionId
    set_id: str
    control_number: str
    ack: AckStatus
    is_resent: bool = False
    """A person had it sent once more after the last answer, or after a TA1 refused it."""
    application: AckStatus | None = None
    """The worst that 277CAs and 824s have said since it was sent last, None if there is none."""
    has_functional: bool = True
    """At least one answer was a 997, a 999 or a TA1."""

    @property
    def is_answered(self) -> bool:
        """Return whether the partner has acknowledged it."""
        return self.ack in ACK_OUTCOMES

    @property
    def is_acknowledged(self) -> bool:
        """Return whether the partner has sent a 997, a 999 or a rejecting TA1 for it."""
        return self.is_answered and self.has_functional


@dataclass(frozen=True, slots=True, kw_only=True)
class SentGroup:
    """A group that we had sent."""

    group_id: GroupId
    interchange_id: InterchangeId
    pair: Pair
    gs_sender: str
    """GS02."""
    gs_receiver: str
    """GS03."""
    functional_id: str
    """GS01."""
    control_number: str
    """GS06."""
    sent_at: datetime | None
    """None: it is not known that it arrived."""
    sets: tuple[SentSetState, ...]
    answers: frozenset[bytes] = frozenset()
    """Digests of the acknowledgements received for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentInterchange:
    """An interchange that we had sent, with its sets."""

    interchange_id: InterchangeId
    pair: Pair
    control_number: str
    date: str
    """ISA09."""
    time: str
    """ISA10."""
    sent_at: datetime | None
    """None: it is not known that it arrived."""
    sets: tuple[SentSetState, ...]
    answers: frozenset[bytes] = frozenset()


class AckOrigin(NamedTuple):
    """The envelope of a received acknowledgement."""

    pair: Pair
    """The identities that its addresses were found to be, so that another case of letters in its
    ISA does no harm.
    """
    gs_sender: str
    """GS02 of the group of the acknowledgement."""
    gs_receiver: str
    """GS03 of the group of the acknowledgement."""
    received_at: datetime


SentT = TypeVar("SentT", SentGroup, SentInterchange)


class Match(NamedTuple):
    """The doubts about which group or interchange of ours an acknowledgement answers."""

    is_weak: bool
    """The application ids did not fit."""
    is_ambiguous: bool
    """More than one that we sent would fit."""


def matching_group(
    ack: GroupAck, origin: AckOrigin, candidates: Sequence[SentGroup]
) -> tuple[SentGroup, Match] | None:
    """Return the group that a 997 or 999 answers, or None.

    ``candidates`` are groups we sent in the same environment; those of other pairs are passed over.
    """
    own = origin.pair.swapped()
    of_pair = [
        each
        for each in candidates
        if each.pair == own
        and each.functional_id == ack.functional_id
        and is_same_number(each.control_number, ack.control_number)
    ]
    exact = [
        each
        for each in of_pair
        if (each.gs_sender, each.gs_receiver) == (origin.gs_receiver, origin.gs_sender)
    ]
    return one_of(exact or of_pair, origin.received_at, is_weak=not exact)


def matching_interchange(
    ta1: ReceivedTa1, origin: AckOrigin, candidates: Sequence[SentInterchange]
) -> tuple[SentInterchange, Match] | None:
    """Return the interchange that a TA1 answers, or None."""
    own = origin.pair.swapped()
    found = [
        each
        for each in candidates
        if each.pair == own
        and is_same_number(each.control_number, ta1.control_number)
        and (each.date, each.time) == (ta1.date, ta1.time)
    ]
    return one_of(found, origin.received_at, is_weak=False)


def one_of(
    found: Sequence[SentT], received_at: datetime, *, is_weak: bool
) -> tuple[SentT, Match] | None:
    """Return the only one; else the latest sent before that is unanswered, else the latest."""
    if not found:
        return None
    sent_before = [each for each in found if each.sent_at and each.sent_at <= received_at]
    waiting = [each for each in sent_before if not any(one.is_answered for one in each.sets)]
    chosen = max(waiting or found, key=_seconds)
    return chosen, Match(is_weak=is_weak, is_ambiguous=len(found) > 1)


def _seconds(sent: SentGroup | SentInterchange) -> float:
    return sent.sent_at.timestamp() if sent.sent_at else 0.0


_TA1_REJECTED: Final = "R"


class PendingEvent(NamedTuple):
    """An event to be raised."""

    type: EventType
    transaction_id: TransactionId | None = None
    """None: it concerns none of our sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDecision:
    """The result of an acknowledgement for one set that we had sent."""

    sent: SentSetState
    answer: AckStatus | None
    """The status that this acknowledgement gives the set, None if it gives none."""
    ack: AckStatus
    """The axis afterwards, which may be what it was."""
    result: AckStatus | None = None
    """The status that its row shows: the answer, or the rejection that it does not undo."""
    is_conflict: bool = False
    is_ambiguous: bool = False
    part: SetAck | None = None
    """The part of it about the set itself, of a 997 or 999."""
    original: AdvisedOriginal | None = None
    """The part of it about the set itself, of an 824."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AckDecision:
    """The changes that an acknowledgement makes."""

    digest: bytes
    """Of its content."""
    answered: SentGroup | SentInterchange | None = None
    """The group or interchange that it is about, None if we sent nothing like it."""
    match: Match | None = None
    is_duplicate: bool = False
    sets: tuple[SetDecision, ...] = ()
    unknown: tuple[SetAck, ...] = ()
    """Sets it speaks of and that we had not sent."""
    unknown_originals: tuple[AdvisedOriginal, ...] = ()
    """The same, of an 824."""
    warnings: tuple[Finding, ...] = ()
    """As findings."""
    events: tuple[PendingEvent, ...] = ()


def content_digest(rows: Iterable[list[str]], codec: str = "utf-8") -> bytes:
    """Return the digest by which a second copy of an acknowledgement is known.

    ``rows`` is its segments; ST and SE are left out, as their numbers are new in each copy.
    ``codec`` is from their texts to the bytes received, which do not depend on the texts around
    them.
    """
    digest = sha256()
    for row in rows:
        if row[0] not in {"ST", "SE"}:
            digest.update("\x1d".join(row).encode(codec, "surrogatepass") + b"\x1c")
    return digest.digest()


def reconcile_group(
    ack: GroupAck, digest: bytes, origin: AckOrigin, candidates: Sequence[SentGroup]
) -> AckDecision:
    """Return what a 997 or 999 changes.

    ``digest`` is of its content, made as those are that the candidates were answered with.
    """
    warnings = tuple(ack.warnings)
    found = matching_group(ack, origin, candidates)
    if found is None:
        events = (PendingEvent(EventType.ACK_UNMATCHED),)
        return AckDecision(digest=digest, unknown=tuple(ack.sets), warnings=warnings, events=events)
    group, match = found
    sent = [SentSet(each.set_id, each.control_number) for each in group.sets]
    pairs = zip(group.sets, outcomes(ack, sent), strict=True)
    return with_sets(
        AckDecision(
            digest=digest,
            answered=group,
            match=match,
            is_duplicate=is_copy(digest, group),
            unknown=tuple(unknown_sets(ack, sent)),
            warnings=warnings,
        ),
        tuple(
            _decide_set(
                state,
                AckStatus(said.outcome) if said.outcome else None,
                said.ack,
                is_ambiguous=said.is_ambiguous,
            )
            for state, said in pairs
        ),
    )


def reconcile_ta1(
    ta1: ReceivedTa1, digest: bytes, origin: AckOrigin, candidates: Sequence[SentInterchange]
) -> AckDecision:
    """Return what a TA1 changes. Only R says something of the sets: all are rejected."""
    found = matching_interchange(ta1, origin, candidates)
    if found is None:
        events = (PendingEvent(EventType.ACK_UNMATCHED),)
        return AckDecision(digest=digest, warnings=ta1.warnings, events=events)
    interchange, match = found
    answer = AckStatus.REJECTED if ta1.status == _TA1_REJECTED else None
    return with_sets(
        AckDecision(
            digest=digest,
            answered=interchange,
            match=match,
            is_duplicate=is_copy(digest, interchange),
            warnings=ta1.warnings,
        ),
        tuple(_decide_set(state, answer, None) for state in interchange.sets),
    )


def is_copy(digest: bytes, sent: SentGroup | SentInterchange) -> bool:
    """Tell whether the same was answered before, to this sending: another may get that again."""
    return digest in sent.answers and not any(each.is_resent for each in sent.sets)


def _decide_set(
    state: SentSetState,
    answer: AckStatus | None,
    part: SetAck | None,
    *,
    is_ambiguous: bool = False,
) -> SetDecision:
    application = None if state.is_resent else state.application
    is_conflict = answer is not None and state.is_acknowledged
    is_kept = is_conflict and _stays_rejected(state, answer)
    result = state.ack if is_kept else answer
    ack = state.ack if result is None else result
    if answer is not None and application is not None:
        ack = worse_of(ack, application)
        is_undone = answer is AckStatus.REJECTED and application is not AckStatus.REJECTED
        is_conflict = is_conflict or is_undone
    return SetDecision(
        sent=state,
        answer=answer,
        ack=ack,
        result=result,
        is_conflict=is_conflict,
        is_ambiguous=is_ambiguous,
        part=part,
    )


def _stays_rejected(state: SentSetState, answer: AckStatus | None) -> bool:
    is_undone = state.ack is AckStatus.REJECTED and answer is not AckStatus.REJECTED
    return is_undone and not state.is_resent


_BY_GRAVITY: Final = (
    AckStatus.ACCEPTED,
    AckStatus.ACCEPTED_WITH_ERRORS,
    AckStatus.PARTIALLY_ACCEPTED,
    AckStatus.REJECTED,
)


def worse_of(one: AckStatus, other: AckStatus) -> AckStatus:
    """Return the graver of two outcomes."""
    return max(one, other, key=_BY_GRAVITY.index)


def with_sets(decision: AckDecision, sets: tuple[SetDecision, ...]) -> AckDecision:
    """Return the decision with what it means for the sets: of a duplicate, nothing."""
    if decision.is_duplicate:
        return decision
    events = (
        PendingEvent(EventType.ACK_RECEIVED),
        *(raised for each in sets for raised in _events(each)),
    )
    return replace(decision, sets=sets, events=events)


_EVENT_TYPES: Final[Mapping[bool, EventType]] = {
    True: EventType.TRANSACTION_REJECTED,
    False: EventType.TRANSACTION_ACKNOWLEDGED,
}


def _events(decided: SetDecision) -> Iterator[PendingEvent]:
    sent = decided.sent
    if decided.ack is not sent.ack:
        yield PendingEvent(_EVENT_TYPES[decided.ack is AckStatus.REJECTED], sent.transaction_id)
    if decided.is_conflict:
        yield PendingEvent(EventType.ACK_CONFLICT, sent.transaction_id)
