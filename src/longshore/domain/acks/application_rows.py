"""The rows of received application answers: one for a 277CA, one for each set that an 824 names.

Source: contract.md section 7, x12.md section 2.10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from longshore.domain.acks.application import ClaimOutcome, claim_outcome, status_of_original
from longshore.domain.acks.back_mapping import OurSet, errors_of
from longshore.domain.acks.matching import AckDecision, SentGroup, SetDecision
from longshore.domain.acks.model import AckFacts, AckForm, NewAck
from longshore.domain.acks.received import (
    MAX_STRAY_SETS,
    AckInterchange,
    Errors,
    PreparedAck,
    row_of,
)
from longshore.x12.acks.read_answers import AdviceAck, ClaimAck

_SET_NOT_READ: Final = OurSet(segments={})


def application_rows(
    prepared: PreparedAck, decision: AckDecision, arrival: AckInterchange
) -> tuple[NewAck, ...]:
    """Return the rows of a 277CA or 824, those of our sets first; there is at least one."""
    ack = prepared.received.ack
    if isinstance(ack, ClaimAck):
        return (_claim_row(ack, prepared, decision, arrival),)
    assert isinstance(ack, AdviceAck)  # the caller has taken the others
    return (*_advice_rows(ack, decision, arrival, prepared.errors),)


def _claim_row(
    ack: ClaimAck, prepared: PreparedAck, decision: AckDecision, arrival: AckInterchange
) -> NewAck:
    decided = decision.sets[0] if decision.sets else None
    known: ClaimOutcome | None = None
    if decided is not None:
        known = prepared.claims.get(decided.sent.transaction_id)
    outcome = known or claim_outcome(ack, None)
    facts = AckFacts(
        ack_type=AckForm.F277CA,
        tx_set="" if decided is None else decided.sent.set_id,
        isa_control_number=arrival.isa_control_number,
        transaction_code=ack.status.category,
        transaction_error_codes=(ack.status.code,) if ack.status.is_accepted is False else (),
        claims=outcome.claims,
        claim_counts=outcome.counts,
    )
    facts = _with_numbers(facts, decision, decided)
    row = row_of(facts, decision, arrival)
    return replace(row, result=outcome.status) if decided is None else _of_set(row, decided)


def _advice_rows(
    ack: AdviceAck, decision: AckDecision, arrival: AckInterchange, errors: Errors
) -> Iterator[NewAck]:
    base = AckFacts(
        ack_type=AckForm.F824,
        isa_control_number=arrival.isa_control_number,
        acked_gs_control_number=ack.group_number,
    )
    for decided in decision.sets:
        original = decided.original
        assert original is not None  # each set is decided about by an OTI
        own = decided.sent.transaction_id
        found = errors.get(own)
        facts = replace(
            base,
            tx_set=decided.sent.set_id,
            transaction_code=original.status,
            errors=errors_of(original, AckForm.F824, _SET_NOT_READ) if found is None else found,
        )
        facts = _with_numbers(facts, decision, decided)
        yield _of_set(row_of(facts, decision, arrival), decided)
    for original in decision.unknown_originals[:MAX_STRAY_SETS]:
        facts = replace(
            base,
            tx_set=original.set_id,
            acked_st_control_number=original.set_number,
            transaction_code=original.status,
            errors=errors_of(original, AckForm.F824, _SET_NOT_READ),
        )
        row = row_of(facts, decision, arrival)
        yield replace(row, is_matched=False, result=status_of_original(original))


def _with_numbers(facts: AckFacts, decision: AckDecision, decided: SetDecision | None) -> AckFacts:
    """Return facts with the numbers of what is answered, as we had sent them."""
    group = decision.answered
    if decided is None or not isinstance(group, SentGroup):
        return facts
    return replace(
        facts,
        functional_group=group.functional_id,
        acked_gs_control_number=group.control_number,
        acked_st_control_number=decided.sent.control_number,
    )


def _of_set(row: NewAck, decided: SetDecision) -> NewAck:
    return replace(
        row,
        result=decided.result,
        transaction_id=decided.sent.transaction_id,
        is_ambiguous=row.is_ambiguous or decided.is_ambiguous,
        is_conflict=decided.is_conflict,
    )
