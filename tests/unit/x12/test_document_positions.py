"""Places in a document, asked for in any order."""

from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.document_positions import DocumentPositions
from longshore.x12.layout import scout
from tests.unit.x12.documents import an_850
from tests.unit.x12.generated import wrapped


def test_places_are_right_in_descending_order_too() -> None:
    text = an_850().replace("~", "~\n")
    positions = DocumentPositions(scout([text], NO_OVERRIDES))
    positions.set_buffer(text, 0)
    offsets = [*range(0, len(text), 50), *range(len(text) - 1, 0, -50)]
    found = [positions.of(offset) for offset in offsets]
    assert found == [(offset, text.count("\n", 0, offset) + 1) for offset in offsets]


def test_the_line_breaks_of_a_wrapped_document_are_no_part_of_the_buffer() -> None:
    text = an_850()
    positions = DocumentPositions(scout([wrapped(text, 80, "\n")], NO_OVERRIDES))
    positions.set_buffer(text, 0)
    assert positions.breaks_before(200) == 0
    assert positions.of(200) == (202, 3)
