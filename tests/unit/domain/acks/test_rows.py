"""The rows of a received acknowledgement, and when one is overdue. Examples 58 to 60."""

from dataclasses import replace

import pytest

from longshore.domain.acks.matching import SentGroup
from longshore.domain.acks.meanings import (
    ELEMENT_MEANINGS,
    GROUP_MEANINGS,
    SEGMENT_MEANINGS,
    SET_MEANINGS,
    meaning,
)
from longshore.domain.acks.model import AckError, AckErrorLevel, AckForm, AckRowStatus, NewAck
from longshore.domain.acks.overdue import (
    is_awaited,
    overdue_step,
)
from longshore.domain.acks.received import AckInterchange, group_rows, ta1_row
from longshore.domain.partners.model import PartnerId
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.kit.environment import Environment
from longshore.x12.acks import codes
from longshore.x12.acks.profile import AckType
from longshore.x12.acks.read import read_ta1
from tests.unit.domain.acks.sending import (
    a_997,
    a_sent_group,
    a_sent_interchange,
    a_sent_set,
    digest_of,
    reconciled,
    reconciled_ta1,
)
from tests.unit.domain.trading import NOW

ARRIVAL = AckInterchange(
    environment=Environment.SANDBOX,
    interchange_id=InterchangeId(9100),
    isa_control_number="000000031",
    received_at=NOW,
    partner_id=PartnerId(7),
)
ERROR = AckError(
    level=AckErrorLevel.SEGMENT,
    segment_id="PO1",
    segment_position=8,
    loop_id="",
    code="3",
    code_meaning="Mandatory segment missing",
    source="AK3",
)


def rows(*segments: str, candidates: list[SentGroup]) -> tuple[NewAck, ...]:
    decision = reconciled(*segments, candidates=candidates)
    return group_rows(a_997(*segments), decision, ARRIVAL, {TransactionId(10001): (ERROR,)})


def test_each_set_of_ours_has_a_row_that_says_all() -> None:
    segments = ("AK1*PO*55", "AK2*850*0001", "AK5*R*5", "AK9*P*2*2*1*5")
    first, second = rows(*segments, candidates=[a_sent_group(a_sent_set(1), a_sent_set(2))])
    assert (first.result, first.transaction_id) == (AckStatus.REJECTED, 10001)
    assert (first.acked_group_id, first.acked_interchange_id, first.interchange_id) == (
        *(1, 9001),
        9100,
    )
    facts = first.facts
    assert (facts.tx_set, facts.functional_group, facts.isa_control_number) == (
        *("850", "PO"),
        "000000031",
    )
    assert (facts.acked_gs_control_number, facts.acked_st_control_number) == ("55", "0001")
    assert (facts.group_code, facts.group_error_codes) == ("P", ("5",))
    assert (facts.transaction_code, facts.transaction_error_codes) == ("R", ("5",))
    assert (facts.sets_included, facts.sets_received, facts.sets_accepted) == (2, 2, 1)
    assert facts.errors == (ERROR,)
    assert (second.result, second.facts.transaction_code) == (AckStatus.ACCEPTED, "")
    assert (second.facts.acked_st_control_number, second.facts.errors) == ("0002", ())
    assert (first.status, first.received_at) == (AckRowStatus.RECEIVED, NOW)
    assert first.digest == digest_of(*segments)


def test_59_an_unmatched_one_has_a_row_for_each_set_it_lists() -> None:
    segments = ("AK1*PO*55", "AK2*850*0001", "AK5*E*5", "AK2*850*0002", "AK5*P", "AK9*E*2*2*2")
    first, second = rows(*segments, candidates=[])
    assert (first.is_matched, first.transaction_id, first.acked_group_id) == (False, None, None)
    assert (first.result, second.result) == (
        AckStatus.ACCEPTED_WITH_ERRORS,
        AckStatus.PARTIALLY_ACCEPTED,
    )
    assert second.facts.acked_st_control_number == "0002"


def test_of_many_sets_that_are_not_ours_the_first_100_have_a_row() -> None:
    listed = [f"AK2*850*{number:04d}" for number in range(101)]
    found = rows("AK1*PO*55", *listed, "AK9*A*101*101*101", candidates=[])
    assert [each.facts.acked_st_control_number for each in found][-1] == "0099"
    assert len(found) == 100


@pytest.mark.parametrize(("status", "result"), [("A", "accepted"), ("R", "rejected"), ("?", None)])
def test_an_unmatched_one_that_lists_nothing_has_one_row(status: str, result: str | None) -> None:
    (only,) = rows("AK1*PO*55", f"AK9*{status}*1*1*1", candidates=[])
    assert (only.is_matched, only.result, only.facts.tx_set) == (False, result, "")


def test_doubts_are_marked() -> None:
    weak = [a_sent_group(group_id=each, gs_sender="OTHER") for each in (1, 2)]
    (row,) = rows("AK1*PO*55", "AK9*A*1*1*1", candidates=weak)
    assert (row.is_weak_match, row.is_ambiguous, row.is_conflict) == (True, True, False)
    answered = [a_sent_group(a_sent_set(ack=AckStatus.ACCEPTED))]
    (row,) = rows("AK1*PO*55", "AK9*R*1*1*0", candidates=answered)
    assert (row.is_conflict, row.result, row.is_ambiguous) == (True, AckStatus.REJECTED, False)


def test_a_set_that_stays_rejected_is_not_shown_as_accepted() -> None:
    rejected = [a_sent_group(a_sent_set(ack=AckStatus.REJECTED))]
    (row,) = rows("AK1*PO*55", "AK9*A*1*1*1", candidates=rejected)
    assert (row.result, row.facts.group_code, row.is_conflict) == (AckStatus.REJECTED, "A", True)


def test_an_answer_that_does_not_tell_has_no_result() -> None:
    accepted = [a_sent_group(a_sent_set(ack=AckStatus.ACCEPTED))]
    (row,) = rows("AK1*PO*55", "AK2*850*0001", "AK5*Q", "AK9*A*1*1*1", candidates=accepted)
    assert (row.result, row.facts.transaction_code, row.is_conflict) == (None, "Q", False)


def test_a_duplicate_has_no_row() -> None:
    segments = ("AK1*PO*55", "AK9*A*1*1*1")
    group = a_sent_group(answers=frozenset({digest_of(*segments)}))
    assert rows(*segments, candidates=[group]) == ()


@pytest.mark.parametrize(
    ("status", "result"),
    [("A", "accepted"), ("E", "accepted_with_errors"), ("R", "rejected"), ("", None)],
)
def test_a_ta1_has_one_row_about_its_interchange(status: str, result: str | None) -> None:
    segment = f"TA1*000000077*240114*2359*{status}*006"
    decision = reconciled_ta1(segment, a_sent_interchange())
    row = ta1_row(read_ta1(segment.split("*"), 2), decision, ARRIVAL)
    assert row is not None
    assert (row.facts.ack_type, row.result, row.acked_interchange_id) == (
        *(AckForm.TA1, result),
        9001,
    )
    assert (row.acked_group_id, row.facts.transaction_error_codes) == (None, ("006",))
    again = replace(decision, is_duplicate=True)
    assert ta1_row(read_ta1(segment.split("*"), 2), again, ARRIVAL) is None


def test_only_what_waits_becomes_overdue() -> None:
    changed = {each for each in AckStatus if overdue_step(each) is not each}
    assert changed == {AckStatus.PENDING}
    assert overdue_step(AckStatus.PENDING) is AckStatus.OVERDUE


@pytest.mark.parametrize(
    ("ack_type", "group", "usage", "awaited"),
    [
        (AckType.AUTO, "PO", "P", True),
        (AckType.A999, "HC", "T", True),
        (AckType.NONE, "PO", "P", False),
        (AckType.AUTO, "FA", "P", False),
        (AckType.AUTO, "PO", "I", False),
    ],
)
def test_an_acknowledgement_is_awaited_where_one_is_agreed(
    ack_type: AckType, group: str, usage: str, *, awaited: bool
) -> None:
    assert is_awaited(ack_type, group, usage) is awaited


def test_every_known_code_has_a_meaning() -> None:
    assert set(SEGMENT_MEANINGS) == codes.SEGMENT_CODES
    assert set(ELEMENT_MEANINGS) == codes.ELEMENT_CODES
    assert set(SET_MEANINGS) == codes.SET_CODES
    assert set(GROUP_MEANINGS) == codes.GROUP_CODES
    assert meaning(SEGMENT_MEANINGS, "99") == "Not a code that X12 knows"
    assert meaning(SEGMENT_MEANINGS, "") == ""
