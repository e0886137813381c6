"""What an acknowledgement complains of, as codes and places without any value."""

from dataclasses import replace

import pytest

from longshore.domain.acks.complaints import (
    MAX_COMPLAINTS,
    ErrorPlace,
    complaint_of,
    complaints_of,
    reason_in,
)
from longshore.domain.acks.model import AckError, AckFacts, AckForm
from tests.support.complaints import INVALID_CODE

SEGMENT = replace(INVALID_CODE, element_position=None, code="3", source="AK3")
REJECTED = AckFacts(
    ack_type=AckForm.F997, group_error_codes=("2",), transaction_error_codes=("5", "4")
)


def words(facts: AckFacts) -> list[str]:
    return [each.word for each in complaints_of(facts)]


def test_each_code_and_place_is_told_once_and_no_value() -> None:
    other = replace(INVALID_CODE, segment_position=9, bad_value="YY")
    part = replace(INVALID_CODE, component_position=2)
    facts = replace(REJECTED, errors=(INVALID_CODE, SEGMENT, other, part))
    assert words(facts) == ["7@PO1.06", "3@PO1", "7@PO1.06.02"]


def test_without_a_segment_the_codes_of_the_set_count_then_those_of_the_group() -> None:
    assert words(REJECTED) == ["5@ST", "4@ST"]
    assert words(replace(REJECTED, transaction_error_codes=())) == ["2@GS"]
    assert words(AckFacts(ack_type=AckForm.F997)) == []
    assert words(replace(REJECTED, ack_type=AckForm.TA1, transaction_error_codes=("022",))) == [
        "022@ISA"
    ]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (replace(INVALID_CODE, segment_id="PO 1"), "7@?.06"),
        (replace(INVALID_CODE, code="7 @"), "?@PO1.06"),
        (replace(INVALID_CODE, element_position=10**12), "7@PO1.?"),
        (replace(SEGMENT, segment_id="", code=""), "?@?"),
    ],
    ids=["segment", "code", "position", "all"],
)
def test_what_a_partner_wrote_into_them_is_no_word(error: AckError, expected: str) -> None:
    assert words(replace(REJECTED, errors=(error,))) == [expected]


def test_of_one_acknowledgement_the_first_fifty_count() -> None:
    errors = tuple(replace(INVALID_CODE, element_position=number) for number in range(1, 80))
    told = words(replace(REJECTED, errors=errors))
    assert (len(told), told[-1]) == (MAX_COMPLAINTS, "7@PO1.50")


@pytest.mark.parametrize(
    ("word", "meaning", "path"),
    [
        ("7@PO1.06", "Invalid code value", "PO1.06"),
        ("3@PO1", "Mandatory segment missing", "PO1"),
        ("5@ST", "Segments in error", ""),
        ("2@GS", "Version not supported", ""),
        ("022@ISA", "Control structure invalid", ""),
        ("?@PO1", "Not a code that X12 knows", "PO1"),
    ],
)
def test_a_word_is_read_back(word: str, meaning: str, path: str) -> None:
    complaint = complaint_of(word)
    assert (complaint.word, complaint.meaning, complaint.path) == (word, meaning, path)
    assert complaint == ErrorPlace(*word.split("@"))


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ([], "No reason given"),
        (["3@PO1", "5@ST"], "PO1: Mandatory segment missing (3); Segments in error (5)"),
        (
            ["7@PO1.06", "2@GS", "?@?", "1@N1", "1@N2"],
            (
                "PO1.06: Invalid code value (7); Version not supported (2); ?: Not a code that X12"
                " knows (?); and 2 more"
            ),
        ),
    ],
    ids=["none", "two", "many"],
)
def test_people_are_told_the_first_three_and_how_many_more(told: list[str], text: str) -> None:
    assert reason_in(told) == text
