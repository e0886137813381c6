"""What an acknowledgement changes. Examples 41 and 54 to 61 of x12.md section 5.2."""

from collections.abc import Sequence

import pytest

from longshore.domain.acks.matching import content_digest
from longshore.domain.transactions.model import AckStatus
from tests.unit.domain.acks.sending import (
    a_sent_group,
    a_sent_interchange,
    a_sent_set,
    axes,
    digest_of,
    events,
    reconciled,
    reconciled_ta1,
    rows_of,
)

AK1 = "AK1*PO*55"
ALL_ACCEPTED = (AK1, "AK9*A*2*2*2")
TWO = (a_sent_set(1), a_sent_set(2))


def axes_of(*segments: str, count: int = 2) -> list[str]:
    sets = [a_sent_set(number) for number in range(1, count + 1)]
    return axes(reconciled(*segments, candidates=[a_sent_group(*sets)]))


def test_54_sets_that_are_not_listed_are_accepted_with_their_group() -> None:
    decision = reconciled(*ALL_ACCEPTED, candidates=[a_sent_group(*TWO)])
    assert axes(decision) == ["accepted"] * 2
    assert events(decision) == [
        ("ack.received", None),
        ("transaction.acknowledged", 10001),
        ("transaction.acknowledged", 10002),
    ]
    assert not any(each.is_conflict or each.is_ambiguous for each in decision.sets)


def test_55_of_a_partial_group_the_others_are_accepted() -> None:
    found = axes_of(AK1, "AK2*850*0002", "AK5*R*5", "AK9*P*3*3*2", count=3)
    assert found == ["accepted", "rejected", "accepted"]


def test_a_partial_group_that_does_not_add_up_is_ambiguous() -> None:
    group = a_sent_group(*TWO)
    decision = reconciled(AK1, "AK9*P*2*2*1", candidates=[group])
    assert axes(decision) == ["partially_accepted"] * 2
    assert all(each.is_ambiguous for each in decision.sets)


def test_56_a_rejected_group_rejects_its_sets_and_its_code_is_kept() -> None:
    decision = reconciled(AK1, "AK9*R*2*2*0*5", candidates=[a_sent_group(*TWO)])
    assert axes(decision) == ["rejected"] * 2
    assert events(decision)[1:] == [
        ("transaction.rejected", 10001),
        ("transaction.rejected", 10002),
    ]


def test_57_the_same_again_changes_nothing_and_tells_nobody() -> None:
    first = digest_of(*ALL_ACCEPTED)
    done = [a_sent_set(number, AckStatus.ACCEPTED) for number in (1, 2)]
    group = a_sent_group(*done, answers=frozenset({first}))
    decision = reconciled(*ALL_ACCEPTED, candidates=[group])
    assert decision.is_duplicate
    assert (decision.sets, decision.events) == ((), ())
    assert decision.answered == group


def test_a_copy_under_other_control_numbers_is_the_same() -> None:
    copy = [["ST", "997", "0099"], *rows_of(*ALL_ACCEPTED)[1:-1], ["SE", "4", "0099"]]
    assert content_digest(copy) == digest_of(*ALL_ACCEPTED)
    assert digest_of(AK1, "AK9*A*2*2*1") != digest_of(*ALL_ACCEPTED)


def test_what_is_sent_again_may_get_the_same_answer_again() -> None:
    answers = frozenset({digest_of(*ACCEPTS)})
    for is_resent in (False, True):
        state = a_sent_set(1, AckStatus.REJECTED, is_resent=is_resent)
        found = reconciled(*ACCEPTS, candidates=[a_sent_group(state, answers=answers)])
        assert found.is_duplicate is not is_resent
        assert [each.ack for each in found.sets] == [AckStatus.ACCEPTED] * is_resent


def changed(
    segments: Sequence[str],
    ack: AckStatus,
    *,
    is_resent: bool = False,
) -> tuple[str, bool, list[str]]:
    """Return the axis of a set that was answered, whether it is a conflict, and the events."""
    state = a_sent_set(1, ack, is_resent=is_resent)
    group = a_sent_group(state, answers=frozenset({b"other"}))
    decision = reconciled(*segments, candidates=[group])
    (only,) = decision.sets
    return only.ack.value, only.is_conflict, [name for name, _ in events(decision)]


ACCEPTS, REJECTS = (AK1, "AK9*A*1*1*1"), (AK1, "AK9*R*1*1*0")


def test_58_a_rejection_after_an_acceptance_wins_as_a_conflict() -> None:
    assert changed(REJECTS, AckStatus.ACCEPTED) == (
        "rejected",
        True,
        ["ack.received", "transaction.rejected", "ack.conflict"],
    )


def test_of_two_answers_that_accept_the_latest_wins_as_a_conflict() -> None:
    with_errors = (AK1, "AK9*E*1*1*1")
    assert changed(with_errors, AckStatus.ACCEPTED) == (
        "accepted_with_errors",
        True,
        ["ack.received", "transaction.acknowledged", "ack.conflict"],
    )


def test_an_acceptance_after_a_rejection_undoes_it_only_if_it_was_sent_again() -> None:
    told = ["ack.received", "ack.conflict"]
    assert changed(ACCEPTS, AckStatus.REJECTED) == ("rejected", True, told)
    assert changed(ACCEPTS, AckStatus.REJECTED, is_resent=True) == (
        "accepted",
        True,
        ["ack.received", "transaction.acknowledged", "ack.conflict"],
    )
    assert changed(REJECTS, AckStatus.REJECTED) == ("rejected", True, told)


def test_60_a_late_answer_still_counts() -> None:
    assert changed(ACCEPTS, AckStatus.OVERDUE) == (
        "accepted",
        False,
        ["ack.received", "transaction.acknowledged"],
    )


def test_what_was_not_expected_counts_too() -> None:
    assert changed(REJECTS, AckStatus.NOT_EXPECTED)[:2] == ("rejected", False)


def test_41_an_unknown_code_changes_nothing_and_warns() -> None:
    segments = (AK1, "AK2*850*0001", "AK5*Q", "AK9*A*1*1*1")
    decision = reconciled(*segments, candidates=[a_sent_group()])
    (only,) = decision.sets
    assert (only.answer, only.ack, only.is_ambiguous) == (None, AckStatus.PENDING, True)
    assert only.part is not None
    assert only.part.status == "Q"
    assert [each.code for each in decision.warnings] == ["ack_code_unknown"]


def test_counts_that_contradict_each_other_warn() -> None:
    decision = reconciled(AK1, "AK9*A*2*2*1", candidates=[a_sent_group(*TWO)])
    assert [each.code for each in decision.warnings] == ["ack_counts"]
    assert axes(decision) == ["accepted"] * 2


def test_sets_we_had_not_sent_are_told_apart() -> None:
    segments = (AK1, "AK2*850*0009", "AK5*A", "AK9*A*1*1*1")
    decision = reconciled(*segments, candidates=[a_sent_group()])
    assert [each.control_number for each in decision.unknown] == ["0009"]
    unmatched = reconciled(*segments, candidates=[])
    assert [each.control_number for each in unmatched.unknown] == ["0009"]


def test_a_ta1_that_rejects_rejects_every_set() -> None:
    sent = a_sent_interchange(a_sent_set(1), a_sent_set(2, AckStatus.ACCEPTED))
    decision = reconciled_ta1("TA1*000000077*240114*2359*R*006", sent)
    assert axes(decision) == ["rejected"] * 2
    assert [each.is_conflict for each in decision.sets] == [False, True]


@pytest.mark.parametrize("status", ["A", "E", "?"])
def test_31_another_ta1_does_not_end_waiting(status: str) -> None:
    sent = a_sent_interchange()
    decision = reconciled_ta1(f"TA1*000000077*240114*2359*{status}*000", sent)
    assert axes(decision) == ["pending"]
    assert events(decision) == [("ack.received", None)]


def test_the_same_ta1_again_changes_nothing() -> None:
    row = "TA1*000000077*240114*2359*R*006"
    digest = content_digest([row.split("*")])
    decision = reconciled_ta1(row, a_sent_interchange(answers=frozenset({digest})))
    assert (decision.is_duplicate, decision.sets, decision.events) == (True, (), ())
