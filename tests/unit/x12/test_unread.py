"""Text outside every interchange: which of it may be a document, and where it stands."""

import pytest

from longshore.x12.unread import may_be_document
from longshore.x12.walk import Walk
from tests.unit.x12.documents import an_850

ORDER = an_850()
DAMAGED = ORDER.replace("ISA*", "ISB*", 1)
EDIFACT = "UNB+UNOC:3+1+2+260302:0915+77'UNZ+1+77'"


def unread(document: str) -> list[str]:
    """Return what is named as possible documents."""
    walk = Walk(lambda: (document,))
    for spans in walk.span_lists():
        for span in spans:
            walk.numbering.add_later(span.tx_index, [])
    return [document[start:end] for start, end in walk.unread_documents()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("##VAN HDR ISABEL 0001\n", False),
        ("Ship to St. Louis, GS: 4, ST, SE", False),
        ("BEST*PRICE", False),
        ("\n ISA*00*", True),
        ("*ZZ*A~GS*PO*", True),
        ("SE|4|0001", True),
        ("IEA\x1d1", True),
        (f"\r\n{EDIFACT}", True),
        ('{"order": 1}', True),
    ],
)
def test_a_document_is_known_by_its_format_or_a_control_segment(
    text: str,
    expected: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert may_be_document(text, ()) is expected


def test_the_separators_of_the_interchanges_that_were_read_count_as_well() -> None:
    assert [may_be_document("GS+PO+A", each) for each in (["*"], ["*", "+"])] == [False, True]


def test_each_place_that_was_not_read_is_named() -> None:
    assert unread(f"\n{DAMAGED}{ORDER}{DAMAGED}\n{ORDER}{EDIFACT}") == [
        DAMAGED,
        f"{DAMAGED}\n",
        EDIFACT,
    ]
    assert unread(f"##HDR\n{ORDER}##TRL\n") == []
    assert unread(ORDER) == []
