"""Decides what a received application answer, a 277CA or an 824, changes of what we sent.

Pure decisions, like those of ``matching``. The worse of what the functional acknowledgement and the
application answers say of a set holds, in whatever order they come.

Source: x12.md section 2.10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final, NamedTuple

from longshore.domain.acks.matching import (
    AckDecision,
    AckOrigin,
    Match,
    PendingEvent,
    SentGroup,
    SentSetState,
    SetDecision,
    is_copy,
    one_of,
    with_sets,
    worse_of,
)
from longshore.domain.acks.meanings import CLAIM_CATEGORIES, meaning
from longshore.domain.acks.model import AckClaim, ClaimCounts, ClaimResult
from longshore.domain.events.model import EventType
from longshore.domain.transactions.model import AckStatus, TransactionId
from longshore.x12.acks.read_answers import AdviceAck, AdvisedOriginal, AnsweredClaim, ClaimAck

MAX_CLAIMS: Final = 1_000  # of one 277CA that are listed; the document has the others
_STATUSES: Final[Mapping[str, AckStatus]] = {
    "A": AckStatus.ACCEPTED,
    "C": AckStatus.ACCEPTED_WITH_ERRORS,
    "E": AckStatus.ACCEPTED_WITH_ERRORS,
    "P": AckStatus.PARTIALLY_ACCEPTED,
    "R": AckStatus.REJECTED,
}
_WHOLE: Final = frozenset("TGB")  # OTI01 of a set, a group or a batch; I is of an item
_RESULTS: Final[Mapping[bool | None, ClaimResult]] = {
    True: ClaimResult.ACCEPTED,
    False: ClaimResult.REJECTED,
    None: ClaimResult.UNCLEAR,
}
_ORDER: Final = (ClaimResult.REJECTED, ClaimResult.UNCLEAR, ClaimResult.ACCEPTED)


class OurClaim(NamedTuple):
    """A claim in our document."""

    path: str
    """The key of its CLM01."""
    offset: int
    """0-based character of CLM01."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOutcome:
    """The outcome of a 277CA for an 837 of ours."""

    status: AckStatus | None
    """None: it does not tell."""
    is_ambiguous: bool
    claims: tuple[AckClaim, ...]
    """The rejected ones first, at most ``MAX_CLAIMS``."""
    counts: ClaimCounts


def claim_outcome(ack: ClaimAck, ours: Mapping[str, Sequence[OurClaim]] | None) -> ClaimOutcome:
    """Return what a 277CA says of an 837.

    Args:
        ack: The answer to it.
        ours: The claims of our document by CLM01; None if it was not looked at.
    """
    seen: Counter[str] = Counter()
    found = [_claim(each, ours, seen) for each in ack.claims]
    counts = Counter(each.result for each in found)
    is_ours = [ours is None or each.our_path != "" for each in found]
    own = Counter(each.result for each, own in zip(found, is_ours, strict=True) if own)
    total = None if ours is None else sum(map(len, ours.values()))
    listed = sorted(found, key=lambda each: _ORDER.index(each.result))[:MAX_CLAIMS]
    status = _status(ack, own, total)
    is_doubtful = bool(counts[ClaimResult.UNCLEAR]) or not all(is_ours) or ours is None
    return ClaimOutcome(
        status=status,
        is_ambiguous=is_doubtful or status is None,
        claims=tuple(listed),
        counts=ClaimCounts(
            accepted=counts[ClaimResult.ACCEPTED],
            rejected=counts[ClaimResult.REJECTED],
            unclear=counts[ClaimResult.UNCLEAR],
            not_ours=is_ours.count(False),
            unanswered=None if total is None else total - own.total(),
            listed=len(listed),
        ),
    )


def _claim(
    claim: AnsweredClaim, ours: Mapping[str, Sequence[OurClaim]] | None, seen: Counter[str]
) -> AckClaim:
    """Return a claim with its place; of several of ours with one number, one after the other."""
    number, status = claim.number, claim.status
    places = () if ours is None else ours.get(number, ())
    place = places[seen[number]] if seen[number] < len(places) else None
    seen[number] += 1
    return AckClaim(
        claim_number=number,
        result=_RESULTS[status.is_accepted],
        category=status.category,
        category_meaning=meaning(CLAIM_CATEGORIES, status.category),
        code=status.code,
        entity=status.entity,
        amount=status.amount,
        payer_claim_number=claim.payer_number,
        reason=status.reason,
        our_path="" if place is None else place.path,
        our_offset=None if place is None else place.offset,
    )


def _status(ack: ClaimAck, own: Counter[ClaimResult], total: int | None) -> AckStatus | None:
    """Return the outcome by claims of ours; without any, by the answer as a whole."""
    if ack.status.is_accepted is False:
        return AckStatus.REJECTED
    rejected = own[ClaimResult.REJECTED]
    if rejected:
        is_all = rejected >= (own.total() if total is None else total)
        return AckStatus.REJECTED if is_all else AckStatus.PARTIALLY_ACCEPTED
    if ack.has_rejected_provider:
        return AckStatus.PARTIALLY_ACCEPTED
    if own[ClaimResult.ACCEPTED]:
        return AckStatus.ACCEPTED
    is_accepted = ack.status.is_accepted and not ack.claims
    return AckStatus.ACCEPTED if is_accepted else None


def reconcile_claims(
    ack: ClaimAck,
    digest: bytes,
    origin: AckOrigin,
    candidates: Sequence[SentGroup],
    outcomes: Mapping[TransactionId, ClaimOutcome],
) -> AckDecision:
    """Return what a 277CA changes.

    Args:
        ack: Its answer to one 837.
        digest: Of its content.
        origin: Its envelope.
        candidates: The sets we sent with this trace, each in a group with itself alone.
        outcomes: What the answer says of our documents that were looked at.
    """
    found = _matching(origin, candidates)
    if found is None:
        return _unmatched(digest)
    group, match = found
    state = group.sets[0]
    outcome = outcomes.get(state.transaction_id) or claim_outcome(ack, None)
    decision = AckDecision(
        digest=digest, answered=group, match=match, is_duplicate=is_copy(digest, group)
    )
    decided = _decide_set(state, outcome.status, is_ambiguous=outcome.is_ambiguous)
    return with_sets(decision, (decided,))


def reconcile_advice(
    ack: AdviceAck, digest: bytes, origin: AckOrigin, candidates: Sequence[SentGroup]
) -> AckDecision:
    """Return what an 824 changes of the sets of one group, or of one set known by its number."""
    named = [(each, *_named(ack.originals, each.sets)) for each in candidates]
    found = _matching(origin, [group for group, sets, _ in named if sets])
    if found is None:
        unmatched = (PendingEvent(EventType.ACK_UNMATCHED),)
        return AckDecision(digest=digest, unknown_originals=tuple(ack.originals), events=unmatched)
    group, match = found
    sets, unknown = next((sets, unknown) for each, sets, unknown in named if each is group)
    decision = AckDecision(
        digest=digest,
        answered=group,
        match=match,
        is_duplicate=is_copy(digest, group),
        unknown_originals=unknown,
    )
    decided = []
    for state, original in sets:
        status = status_of_original(original)
        is_ambiguous = status is None
        decided.append(_decide_set(state, status, is_ambiguous=is_ambiguous, original=original))
    return with_sets(decision, tuple(decided))


Named = tuple[tuple[SentSetState, AdvisedOriginal], ...]


def _named(
    originals: Iterable[AdvisedOriginal], sets: Sequence[SentSetState]
) -> tuple[Named, tuple[AdvisedOriginal, ...]]:
    """Return which OTI is about each set, of several the worst, and those about none.

    An OTI without a set number is about all sets of the group, or all with its set id.
    """
    numbers = {"", *(each.control_number for each in sets)}
    ids = {"", *(each.set_id for each in sets)}
    chosen: dict[tuple[str, str], AdvisedOriginal] = {}
    unknown = []
    for each in originals:
        if each.set_id not in ids or each.set_number not in numbers:
            unknown.append(each)
            continue
        key = (each.set_number, each.set_id)
        before = chosen.get(key)
        chosen[key] = each if before is None else _graver(before, each)
    named = []
    for state in sets:
        number, set_id = state.control_number, state.set_id
        keys = ((number, set_id), (number, ""), ("", set_id), ("", ""))
        about = [chosen[key] for key in keys if key in chosen]
        if about:
            named.append((state, reduce(_graver, about)))
    return tuple(named), tuple(unknown)


def _graver(one: AdvisedOriginal, other: AdvisedOriginal) -> AdvisedOriginal:
    """Return the one of two statements that is worse; the first of two equal ones."""
    first, second = status_of_original(one), status_of_original(other)
    if second is None or first is second:
        return one
    return other if first is None or worse_of(first, second) is second else one


def status_of_original(original: AdvisedOriginal) -> AckStatus | None:
    """Return what OTI01 says of a set: ``TR``, ``GA``; a rejected item leaves others accepted."""
    level, result = original.status[:1], _STATUSES.get(original.status[1:])
    if result is None or level in _WHOLE:
        return result if level in _WHOLE else None
    if level != "I":
        return None
    return AckStatus.PARTIALLY_ACCEPTED if result is AckStatus.REJECTED else result


def _matching(origin: AckOrigin, candidates: Sequence[SentGroup]) -> tuple[SentGroup, Match] | None:
    own = origin.pair.swapped()
    of_pair = [each for each in candidates if each.pair == own]
    addresses = (origin.gs_receiver, origin.gs_sender)
    exact = [each for each in of_pair if (each.gs_sender, each.gs_receiver) == addresses]
    return one_of(exact or of_pair, origin.received_at, is_weak=not exact)


def _unmatched(digest: bytes) -> AckDecision:
    return AckDecision(digest=digest, events=(PendingEvent(EventType.ACK_UNMATCHED),))


def _decide_set(
    state: SentSetState,
    answer: AckStatus | None,
    *,
    is_ambiguous: bool,
    original: AdvisedOriginal | None = None,
) -> SetDecision:
    """Return what an application answer changes of a set: it makes it no better."""
    is_first = state.is_resent or not state.is_answered
    ack = state.ack if answer is None else answer
    if answer is not None and not is_first:
        ack = worse_of(state.ack, answer)
    was_answered = state.ack is AckStatus.REJECTED or state.application is not None
    return SetDecision(
        sent=state,
        answer=answer,
        ack=ack,
        result=answer,
        is_conflict=not is_first and answer is not None and ack is not answer and was_answered,
        is_ambiguous=is_ambiguous,
        original=original,
    )
