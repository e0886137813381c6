"""Issue 4, found by fuzzing: a TA1 inside a set moved the findings behind it.

It has its number in the set, but is not placed in it; what stood behind it was reported one segment
too early, and read in pieces elsewhere than as a whole.
"""

from functools import partial

from longshore.x12.validate.validation import Validation, validate
from tests.unit.x12.acks.acknowledged import a_document

DOCUMENT = a_document(
    "004010",
    (
        "ST*850*0001",
        "BEG*00*SA*1**20260115",
        "TA1*1",
        "SCH*1*EA***002*20260101",
        "ZZZ",
        "SE*6*0001",
    ),
)


def places(validation: Validation) -> list[tuple[str, str | None, int | None, str | None]]:
    return [
        (each.code, each.segment_id, each.segment_position, each.path)
        for each in validation.findings
    ]


def test_what_stands_behind_it_is_reported_where_it_stands() -> None:
    assert places(validate(lambda: (DOCUMENT,))) == [
        ("control_structure_invalid", "TA1", 3, "TA1"),
        ("segment_missing", "PO1", 4, None),
        ("segment_unknown", "ZZZ", 5, "ZZZ"),
    ]


def test_it_is_the_same_however_the_document_is_cut() -> None:
    whole = validate(lambda: (DOCUMENT,))
    for cut in range(1, len(DOCUMENT)):
        parts = partial(iter, (DOCUMENT[:cut], DOCUMENT[cut:]))
        assert validate(parts).findings == whole.findings
