"""The dictionary that comes with Longshore: sound, and in agreement with the table of segments."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lint import lint
from longshore.x12.dictionary.model import CompositeType, SegmentType
from longshore.x12.dictionary.release import FIRST_CLASS
from longshore.x12.segment_table import KNOWN_SEGMENTS, element_count, is_composite


def test_the_lint_finds_nothing() -> None:
    report = lint(shipped().texts)
    assert (report.errors, report.warnings) == ((), ())


def test_every_file_is_one_of_ours() -> None:
    assert {name.split("/")[0] for name in shipped().texts} <= {
        *("segments.xd", "composites.xd", "elements.xd", "sets", "guides", "codes")
    }
    assert len(shipped().texts) == len(list(shipped().texts))
    assert len(shipped().contents) >= 10


def in_both() -> dict[str, list[SegmentType]]:
    words = shipped().vocabulary
    segments = {
        segment_id: [
            found for release in FIRST_CLASS if (found := words.segment(segment_id, release))
        ]
        for segment_id in sorted(words.segments)
    }
    return {each: found for each, found in segments.items() if each in KNOWN_SEGMENTS}


SEGMENTS = in_both()


@pytest.mark.parametrize("segment_id", SEGMENTS)
def test_the_table_of_segments_has_the_longer_count(segment_id: str) -> None:
    longest = max(len(segment.uses) for segment in SEGMENTS[segment_id])
    assert element_count(segment_id) == longest


@pytest.mark.parametrize("segment_id", SEGMENTS)
def test_the_table_of_segments_has_the_same_composites(segment_id: str) -> None:
    composites = {
        position
        for segment in SEGMENTS[segment_id]
        for position, use in enumerate(segment.uses, 1)
        if isinstance(use.type, CompositeType)
    }
    count = element_count(segment_id) or 0
    assert {at for at in range(1, count + 1) if is_composite(segment_id, at)} == composites
