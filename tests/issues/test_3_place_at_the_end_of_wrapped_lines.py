"""Issue 3, found by fuzzing: an element missing at the end of wrapped lines lies in the document.

Where the last line was full, its place was that of the line after it, which does not exist.
"""

from longshore.engine import parse
from tests.unit.x12.generated import wrapped


def test_the_place_is_just_behind_the_last_character() -> None:
    segments = "ST*850*0001~SE*2*0001~GS*PO*SENDER*RECEIVER*20260115"
    for width in range(4, 50):
        text = wrapped(segments[: len(segments) // width * width], width, "\r\n")
        for finding in (*parse(text).errors, *parse(text).warnings):
            assert (finding.offset or 0) <= len(text)
            assert (finding.line or 1) <= text.count("\n") + 1
