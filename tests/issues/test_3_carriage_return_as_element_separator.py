"""Issue 3, found by fuzzing: a CR cannot separate elements where LF ends a segment.

A CR before the terminator LF belongs to the end of the segment, so ``BIN`` and CR LF read as a
segment with or without an empty element, depending on where a piece of the document ended.
"""

import pytest

from longshore.engine import parse
from longshore.kit.errors import LongshoreError
from tests.unit.x12.documents import an_850
from tests.unit.x12.test_chunks import what_the_walk_gives


def test_a_fragment_whose_ids_are_followed_by_line_breaks_reads_alike_in_pieces() -> None:
    text = "BIN\r\n*99\r\n*x|\r\n" * 3
    whole = what_the_walk_gives([text])
    for cut in range(1, len(text)):
        assert what_the_walk_gives([text[:cut], text[cut:]]) == whole


def test_an_isa_that_separates_with_cr_and_ends_with_lf_is_refused() -> None:
    text = an_850("BEG*00*SA*PO-1**20260115").replace("*", "\r").replace("~", "\n")
    with pytest.raises(LongshoreError) as refused:
        parse(text)
    assert refused.value.details[0].code == "delimiter_invalid"


def test_the_same_separators_cannot_be_asked_for() -> None:
    with pytest.raises(LongshoreError) as refused:
        parse(an_850(), elem_sep="0x0D", seg_term="\\n")
    assert refused.value.details[0].message == "seg_term and elem_sep must differ"
