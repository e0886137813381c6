"""Received acknowledgements: their rows, and their errors mapped back to our documents.

There is one row for each set that an acknowledgement names, and one for a TA1.

Source: contract.md section 7, x12.md section 2.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from longshore.domain.acks.application import ClaimOutcome, OurClaim
from longshore.domain.acks.back_mapping import (
    MAX_ERRORS,
    errors_of,
    noted_positions,
    our_claims,
    our_sets,
    rules_by_target,
)
from longshore.domain.acks.matching import (
    AckDecision,
    AckOrigin,
    SentGroup,
    SentInterchange,
    SetDecision,
)
from longshore.domain.acks.model import AckError, AckFacts, AckForm, AckRowStatus, NewAck
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.formats.charset import decode
from longshore.formats.x12doc import LATIN_1
from longshore.kit.environment import Environment
from longshore.x12.acks.read import GroupAck, ReceivedTa1, SetAck, is_rejecting
from longshore.x12.acks.read_answers import AdviceAck, AdvisedOriginal, ClaimAck
from longshore.x12.dictionary.library import shipped
from longshore.x12.walk import Walk

_RESULTS: Final[Mapping[str, AckStatus]] = {
    "A": AckStatus.ACCEPTED,
    "E": AckStatus.ACCEPTED_WITH_ERRORS,
    "P": AckStatus.PARTIALLY_ACCEPTED,
}
MAX_STRAY_SETS: Final = 100  # the document tells of the others
Errors = Mapping[TransactionId, tuple[AckError, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AckInterchange:
    """The interchange an acknowledgement came in."""

    environment: Environment
    interchange_id: InterchangeId
    isa_control_number: str
    received_at: datetime
    partner_id: PartnerId | None = None
    """Whose token it came under."""


def group_rows(
    ack: GroupAck, decision: AckDecision, arrival: AckInterchange, errors: Errors
) -> tuple[NewAck, ...]:
    """Return the rows of a 997 or 999, those of our sets first; of a duplicate there are none.

    ``result`` of our sets is what holds from then on: a set that stays rejected is not shown as
    accepted. ``errors`` is by set of ours, as ``back_mapping`` made them.
    """
    if decision.is_duplicate:
        return ()
    facts = _facts(ack, arrival)
    row = row_of(facts, decision, arrival)
    of_ours = [
        _of_set(replace(row, facts=_with_part(facts, each.sent.set_id, each)), each, errors)
        for each in decision.sets
    ]
    of_others = [
        replace(
            row, facts=_with_unknown(facts, part), is_matched=False, result=_result(part.status)
        )
        for part in decision.unknown[:MAX_STRAY_SETS]
    ]
    alone = [] if of_ours or of_others else [replace(row, result=_result(ack.status))]
    return (*of_ours, *of_others, *alone)


def ta1_row(ta1: ReceivedTa1, decision: AckDecision, arrival: AckInterchange) -> NewAck | None:
    """Return the row of a TA1, which is about an interchange and no set; None for a duplicate."""
    if decision.is_duplicate:
        return None
    facts = AckFacts(
        ack_type=AckForm.TA1,
        isa_control_number=arrival.isa_control_number,
        transaction_code=ta1.status,
        transaction_error_codes=(ta1.code,) if ta1.code else (),
    )
    row = row_of(facts, decision, arrival)
    is_conflict = any(each.is_conflict for each in decision.sets)
    return replace(row, result=_result(ta1.status), is_conflict=is_conflict)


def _facts(ack: GroupAck, arrival: AckInterchange) -> AckFacts:
    return AckFacts(
        ack_type=AckForm(ack.ack_type),
        functional_group=ack.functional_id,
        isa_control_number=arrival.isa_control_number,
        acked_gs_control_number=ack.control_number,
        group_code=ack.status,
        group_error_codes=ack.codes,
        sets_included=ack.included,
        sets_received=ack.received,
        sets_accepted=ack.accepted,
    )


def row_of(facts: AckFacts, decision: AckDecision, arrival: AckInterchange) -> NewAck:
    """Return a row of what a decision says of a received acknowledgement, of no set yet."""
    answered, match = decision.answered, decision.match
    is_matched = answered is not None
    return NewAck(
        environment=arrival.environment,
        direction=Direction.INBOUND,
        status=AckRowStatus.RECEIVED,
        facts=facts,
        is_matched=is_matched,
        is_weak_match=match is not None and match.is_weak,
        is_ambiguous=match is not None and match.is_ambiguous,
        partner_id=arrival.partner_id,
        interchange_id=arrival.interchange_id,
        acked_interchange_id=_interchange_of(answered),
        acked_group_id=answered.group_id if isinstance(answered, SentGroup) else None,
        digest=decision.digest,
        received_at=arrival.received_at,
    )


def _interchange_of(answered: SentGroup | SentInterchange | None) -> InterchangeId | None:
    return None if answered is None else answered.interchange_id


def _of_set(row: NewAck, decided: SetDecision, errors: Errors) -> NewAck:
    own = decided.sent.transaction_id
    return replace(
        row,
        facts=replace(row.facts, errors=errors.get(own, ())),
        result=decided.result,
        transaction_id=own,
        is_ambiguous=row.is_ambiguous or decided.is_ambiguous,
        is_conflict=decided.is_conflict,
    )


def _with_part(facts: AckFacts, set_id: str, decided: SetDecision) -> AckFacts:
    part = decided.part
    return replace(
        facts,
        tx_set=set_id,
        acked_st_control_number=decided.sent.control_number,
        transaction_code=part.status if part else "",
        transaction_error_codes=part.codes if part else (),
    )


def _with_unknown(facts: AckFacts, part: SetAck) -> AckFacts:
    return replace(
        facts,
        tx_set=part.set_id,
        acked_st_control_number=part.control_number,
        transaction_code=part.status,
        transaction_error_codes=part.codes,
    )


def _result(status: str) -> AckStatus | None:
    return AckStatus.REJECTED if is_rejecting(status) else _RESULTS.get(status)


ReceivedAnswer = GroupAck | ReceivedTa1 | ClaimAck | AdviceAck


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedAck:
    """An acknowledgement as it was read: a 997 or 999, a TA1, or what a 277CA or 824 answers."""

    ack: ReceivedAnswer
    origin: AckOrigin
    digest: bytes
    """Its ``matching.content_digest``: of the segments from ST to SE, or of the TA1."""
    reference: bytes = b""
    """The keyed hash of the trace or business number by which its set is found, if it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedAck:
    """An acknowledgement, and what took long to find out about it.

    ``received.digest`` is keyed by now.
    """

    received: ReceivedAck
    expected: InterchangeId | None = None
    """The interchange that it answered when that was looked up, None for none."""
    errors: Errors = field(default_factory=dict)
    """Brought back to our document, by transaction."""
    claims: Mapping[TransactionId, ClaimOutcome] = field(default_factory=dict)
    """The outcome of a 277CA for the claims of our document, by transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedAcks:
    """The acknowledgements of one interchange, in its order."""

    owner: tuple[AccountId, Environment]
    """Whose it is, and where."""
    acks: tuple[PreparedAck, ...]


MAX_OF_ONE: Final = 20  # a partner corrects himself once or twice


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSetAck:
    """The statement of an acknowledgement about a set of ours."""

    tx_index: int
    """The index of the set in the document, from 1."""
    form: AckForm
    ack: SetAck | AdvisedOriginal


def bounded(received: Iterable[ReceivedAck]) -> Iterator[ReceivedAck]:
    """Yield acknowledgements in order; of those about one group or interchange, the first 20.

    Each can change every set of its group. So one document that repeats a small acknowledgement
    of a large group would cost the product of both.
    """
    counts: Counter[tuple[object, ...]] = Counter()
    for each in received:
        about = _about(each)
        counts[about] += 1
        if counts[about] <= MAX_OF_ONE:
            yield each


def _about(received: ReceivedAck) -> tuple[object, ...]:
    """Return what an acknowledgement is about; leading zeros of its number do not count."""
    ack, pair = received.ack, received.origin.pair
    if isinstance(ack, ClaimAck):
        return pair, AckForm.F277CA, ack.reference
    if isinstance(ack, AdviceAck):
        return pair, AckForm.F824, ack.group_number, received.reference
    number = ack.control_number.lstrip("0")
    if isinstance(ack, GroupAck):
        return pair, ack.functional_id, number
    return pair, number, ack.date, ack.time


def note_count(ack: SetAck | AdvisedOriginal) -> int:
    """Return how many errors of a set are kept, at most."""
    if isinstance(ack, AdvisedOriginal):
        return min(len(ack.notes), MAX_ERRORS)
    return min(sum(1 + len(each.elements) for each in ack.segments), MAX_ERRORS)


def errors_in(
    content: bytes, complaints: Sequence[ReceivedSetAck], lineage: str | None
) -> list[tuple[AckError, ...]]:
    """Return the errors of each complaint, as they stand in our document.

    ``content`` is the document as we sent it. ``lineage`` is the stored ``explain`` of the
    conversion that made it, None where no map did.
    """
    text, charset = decode(content)
    positions: dict[int, frozenset[int]] = {}
    for each in complaints:
        known = positions.get(each.tx_index, frozenset())
        positions[each.tx_index] = known | noted_positions(each.ack)
    rules = {} if lineage is None else rules_by_target(lineage)
    walk = Walk(lambda: (text,), is_single_octet=charset == LATIN_1)
    ours = our_sets(walk, positions, shipped(), rules)
    return [errors_of(each.ack, each.form, ours[each.tx_index]) for each in complaints]


def claims_in(content: bytes, tx_index: int) -> dict[str, list[OurClaim]]:
    """Return the claims of a set of ours by CLM01; ``content`` is the document as we sent it."""
    text, charset = decode(content)
    walk = Walk(lambda: (text,), is_single_octet=charset == LATIN_1)
    return our_claims(walk, tx_index)
