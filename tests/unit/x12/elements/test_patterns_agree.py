"""The patterns and the exact check say the same of any segment."""

import re
from functools import cache

from hypothesis import event, given
from hypothesis import strategies as st

from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import SegmentUse
from longshore.x12.elements.check import check
from longshore.x12.elements.faults import SetContext
from longshore.x12.elements.patterns import pattern_of
from tests.unit.x12.elements.segments import CONTEXTS, SEGMENTS, segment_uses, texts_for, use_of


def is_left_to_the_check(text: str, context: SetContext) -> bool:
    """Tell whether a text holds something that patterns leave to the check on purpose."""
    marks = context.delimiters
    if context.release >= "004020" and re.search("[0-9.]E-?[0-9]", text):
        return True
    for element in text.split(marks.element)[1:]:
        parts = element.split(marks.repetition) if marks.repetition else [element]
        if element and not all(part.strip(marks.component) for part in parts):
            return True
    return False


def assert_agreement(
    text: str, pattern: re.Pattern[str], faults: object, context: SetContext
) -> None:
    event("valid" if not faults else "invalid")
    if pattern.fullmatch(text):
        assert faults == []
    elif not faults:
        assert is_left_to_the_check(text, context)


@given(st.data(), st.sampled_from(CONTEXTS))
def test_any_segment(data: st.DataObject, context: SetContext) -> None:
    use = data.draw(segment_uses())
    source = pattern_of(use, context)
    if source is None:
        return
    pattern = re.compile(source)
    for _ in range(8):
        text = data.draw(texts_for(use, context))
        faults = check(text.split(context.delimiters.element), use, context)
        assert_agreement(text, pattern, faults, context)


USES = [
    use_of(line.split()[0]) for line in SEGMENTS.splitlines() if line and not line.startswith("BIN")
]


@given(st.data(), st.sampled_from(USES), st.sampled_from(CONTEXTS))
def test_common_segments(data: st.DataObject, use: SegmentUse, context: SetContext) -> None:
    source = pattern_of(use, context)
    assert source is not None
    text = data.draw(texts_for(use, context))
    faults = check(text.split(context.delimiters.element), use, context)
    assert_agreement(text, re.compile(source), faults, context)


@cache
def shipped_uses() -> list[SegmentUse]:
    dictionary = shipped()
    definitions = [
        dictionary.definition(entry.tx_set, guide[:6] if guide else release, guide)
        for entry in dictionary.contents
        for release in entry.releases
        for guide in (None, *entry.guides)
    ]
    return [use for each in definitions if each for _, use in each.positions()]


@given(st.data(), st.sampled_from(CONTEXTS))
def test_shipped_segments(data: st.DataObject, context: SetContext) -> None:
    use = data.draw(st.sampled_from(shipped_uses()))
    source = pattern_of(use, context)
    if source is None:
        assert use.segment.id in {"BIN", "BDS"}
        return
    text = data.draw(texts_for(use, context))
    faults = check(text.split(context.delimiters.element), use, context)
    assert_agreement(text, re.compile(source), faults, context)
