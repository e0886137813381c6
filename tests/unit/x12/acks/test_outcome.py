"""What a received acknowledgement means for the sets that were sent."""

import pytest

from longshore.x12.acks.outcome import AckOutcome, SentSet, SetOutcome, outcomes, unknown_sets
from tests.unit.x12.acks.test_read import read

SENT = [SentSet("850", "0001"), SentSet("850", "0002"), SentSet("850", "0003")]


def outcome_of(*segments: str, count: int = 3) -> list[tuple[str | None, bool]]:
    found = outcomes(read("AK1*PO*55", *segments), SENT[:count])
    return [(each.outcome, each.is_ambiguous) for each in found]


ACCEPTED, REJECTED = ("accepted", False), ("rejected", False)


@pytest.mark.parametrize(
    ("ak9", "outcome"),
    [
        ("AK9*A*2*2*2", ACCEPTED),
        ("AK9*R*2*2*0*5", REJECTED),
        ("AK9*M*2*2*0", REJECTED),
        ("AK9*W*2*2*0", REJECTED),
        ("AK9*X*2*2*0", REJECTED),
        ("AK9*E*2*2*2", ("accepted_with_errors", False)),
        ("AK9*P*2*2*1", ("partially_accepted", True)),
        ("AK9*P*2*2*2", ACCEPTED),
        ("AK9*P", ("partially_accepted", True)),
        ("AK9*P*2*2", ("partially_accepted", True)),
        ("AK9*Q*2*2*2", (None, True)),
        ("", (None, True)),
    ],
)
def test_a_set_that_is_not_listed_has_the_outcome_of_its_group(
    ak9: str, outcome: tuple[str | None, bool]
) -> None:
    assert outcome_of(ak9, count=2) == [outcome, outcome]


def test_the_code_of_the_group_is_there_where_it_rejects_without_sets() -> None:
    ack = read("AK1*PO*55", "AK9*R*2*2*0*5")
    assert (ack.status, ack.codes) == ("R", ("5",))


def test_sets_that_are_not_listed_are_accepted_where_all_rejected_ones_are() -> None:
    rejected = ("AK2*850*0002", "AK5*R*5")
    assert outcome_of(*rejected, "AK9*P*3*3*2") == [ACCEPTED, REJECTED, ACCEPTED]
    partial = ("partially_accepted", True)
    assert outcome_of(*rejected, "AK9*P*3*3*1") == [partial, REJECTED, partial]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("A", ACCEPTED),
        ("E", ("accepted_with_errors", False)),
        ("P", ("partially_accepted", False)),
        ("R", REJECTED),
        ("M", REJECTED),
        ("W", REJECTED),
        ("X", REJECTED),
        ("Q", (None, True)),
    ],
)
def test_a_listed_set_has_its_own_outcome(status: str, outcome: tuple[str | None, bool]) -> None:
    found = outcome_of("AK2*850*0001", f"AK5*{status}", "AK9*E*1*1*1", count=1)
    assert found == [outcome]


def test_a_listed_set_without_result_has_the_outcome_of_its_group() -> None:
    assert outcome_of("AK2*850*0001", "AK9*A*1*1*1", count=1) == [ACCEPTED]


def test_a_rejected_group_rejects_what_it_lists_as_accepted() -> None:
    listed = ("AK2*850*0001", "AK5*A")
    assert outcome_of(*listed, "AK9*R*1*1*0*3", count=1) == [("rejected", True)]
    assert outcome_of(*listed, "AK9*R*1*1*1", count=1) == [ACCEPTED]


def test_a_set_is_found_by_id_and_exact_number_and_its_first_result_counts() -> None:
    segments = (
        *("AK2*850*1", "AK5*R*5", "AK2*855*0001", "AK5*R*5"),
        *("AK2*850*0001", "AK5*A", "AK2*850*0001", "AK5*R*23", "AK9*P*4*4*1"),
    )
    ack = read("AK1*PO*55", *segments)
    own = ack.sets[2]
    assert outcomes(ack, SENT[:1]) == [SetOutcome(AckOutcome.ACCEPTED, is_ambiguous=False, ack=own)]
    assert unknown_sets(ack, SENT[:1]) == ack.sets[:2]
    assert unknown_sets(read("AK1*PO*55", "AK9*A*1*1*1"), SENT) == []
