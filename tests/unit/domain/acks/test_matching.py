"""Which of our groups an acknowledgement answers. Examples 52, 53 and 59 of x12.md section 5.2."""

import pytest

from longshore.domain.acks.matching import AckDecision, SentGroup
from longshore.domain.acks.model import GroupId
from longshore.domain.transactions.model import AckStatus
from tests.unit.domain.acks.sending import (
    TO_B,
    a_sent_group,
    a_sent_interchange,
    a_sent_set,
    events,
    reconciled,
    reconciled_ta1,
)
from tests.unit.domain.trading import HOUR, MINUTE, NOW

ANSWERED = a_sent_set(ack=AckStatus.ACCEPTED)


def answered(*candidates: SentGroup, number: str = "55") -> AckDecision:
    return reconciled(f"AK1*PO*{number}", "AK9*A*1*1*1", candidates=candidates)


def group_of(decision: AckDecision) -> tuple[GroupId, bool, bool] | None:
    if not isinstance(decision.answered, SentGroup) or decision.match is None:
        return None
    return decision.answered.group_id, decision.match.is_weak, decision.match.is_ambiguous


def test_52_the_same_number_sent_to_another_partner_is_not_matched() -> None:
    ours = a_sent_group(group_id=1)
    theirs = a_sent_group(group_id=2, pair=TO_B)
    assert group_of(answered(theirs, ours)) == (1, False, False)


def test_53_numbers_compare_as_numbers() -> None:
    assert group_of(answered(a_sent_group(), number="000000055")) == (1, False, False)
    assert group_of(answered(a_sent_group(control_number="0055"))) == (1, False, False)


@pytest.mark.parametrize(
    "candidate",
    [
        a_sent_group(control_number="56"),
        a_sent_group(functional_id="IN"),
        a_sent_group(pair=TO_B),
        a_sent_group(pair=a_sent_group().pair.swapped()),
    ],
    ids=["number", "kind", "partner", "direction"],
)
def test_59_what_we_did_not_send_is_unmatched_and_told(candidate: SentGroup) -> None:
    decision = answered(candidate)
    assert (decision.answered, decision.match, decision.sets) == (None, None, ())
    assert events(decision) == [("ack.unmatched", None)]


def test_other_application_ids_make_a_weak_match() -> None:
    assert group_of(answered(a_sent_group(gs_sender="OTHER"))) == (1, True, False)


def test_a_group_with_the_right_application_ids_goes_before_a_weak_match() -> None:
    weak, exact = a_sent_group(group_id=1, gs_sender="OTHER"), a_sent_group(group_id=2)
    assert group_of(answered(weak, exact)) == (2, False, False)


def test_of_several_the_latest_unanswered_sent_before_is_meant() -> None:
    older = a_sent_group(group_id=1, sent_at=NOW - 3 * HOUR)
    newer = a_sent_group(group_id=2, sent_at=NOW - 2 * HOUR)
    done = a_sent_group(ANSWERED, group_id=3, sent_at=NOW - HOUR)
    later = a_sent_group(group_id=4, sent_at=NOW + MINUTE)
    unsent = a_sent_group(group_id=5, sent_at=None)
    assert group_of(answered(older, newer, done, later, unsent)) == (2, False, True)


def test_of_several_that_are_answered_the_latest_is_meant() -> None:
    first = a_sent_group(ANSWERED, group_id=1, sent_at=NOW - 2 * HOUR)
    second = a_sent_group(ANSWERED, group_id=2, sent_at=NOW - HOUR)
    assert group_of(answered(second, first)) == (2, False, True)


def test_the_only_one_is_meant_even_if_nothing_is_known_to_have_arrived() -> None:
    assert group_of(answered(a_sent_group(sent_at=None))) == (1, False, False)


def test_31_a_ta1_answers_by_number_date_and_time() -> None:
    decision = reconciled_ta1("TA1*000000077*240114*2359*A*000", a_sent_interchange())
    assert decision.answered == a_sent_interchange()
    other_day = a_sent_interchange(date="240115")
    other_number = a_sent_interchange(control_number="000000078")
    missed = reconciled_ta1("TA1*000000077*240114*2359*A*000", other_day, other_number)
    assert (missed.answered, events(missed)) == (None, [("ack.unmatched", None)])
