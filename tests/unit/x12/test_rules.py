"""What accepts the sets of one definition: the pattern that takes all segments at one stroke."""

import re

import pytest

from longshore.x12.dictionary.model import SegmentUse
from longshore.x12.elements.faults import Context
from longshore.x12.elements.patterns import Patterns
from longshore.x12.loops.table import Table, table_of
from longshore.x12.validate import rules
from longshore.x12.validate.rules import _Joint
from tests.unit.x12.loops.sets import CLAIM, CLAIM_GUIDE, DELIMITERS, ORDER, definition


class Counted(Patterns):
    """The patterns of a set; with ``is_own`` each use has one of its own."""

    def __init__(self, *, is_own: bool) -> None:
        super().__init__(Context(DELIMITERS, "005010"))
        self._is_own = is_own
        self._uses: list[SegmentUse] = []

    def of(self, use: SegmentUse) -> re.Pattern[str] | None:
        """Return a pattern that takes the elements A and B, and perhaps a number nobody has."""
        self._uses.append(use)
        own = f"|{len(self._uses)}" if self._is_own else ""
        return re.compile(f"{use.segment.id}(?:\\*(?:A|B{own}))*+")


def joint(table: Table, *, is_own: bool = False) -> _Joint:
    return _Joint(table, Counted(is_own=is_own), "~")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_JOINED_AFTER", 1)


def test_the_pattern_knows_the_segments_it_has_seen() -> None:
    table = table_of(definition(ORDER))
    one = joint(table)
    slots = [table.everywhere[tag][0] for tag in ("BEG", "CUR", "PO1")]
    assert not one.accepts(["BEG*A"])
    one.learn(slots[:2])
    assert one.accepts(["BEG*A", "CUR*B*A", "BEG"])
    assert not one.accepts(["BEG*C"])
    assert not one.accepts(["PO1*A"])
    assert (one.knows(slots[:2]), one.knows(slots)) == (True, False)
    one.learn(slots)
    assert one.accepts(["PO1*A", "BEG*B"])


def test_no_pattern_is_made_where_the_segment_id_does_not_tell() -> None:
    table = table_of(definition(ORDER))
    one = joint(table, is_own=True)
    currencies = table.everywhere["CUR"]  # in two places
    assert len(currencies) == 2
    one.learn(currencies)
    one.learn([table.everywhere["BEG"][0]])
    assert not one.accepts(["BEG*A"])


def test_no_pattern_is_made_under_a_guide_or_without_patterns() -> None:
    guided, plain = table_of(definition(CLAIM, CLAIM_GUIDE)), table_of(definition(ORDER))
    for one in (joint(guided), _Joint(plain, None, "~")):
        one.learn([*guided.everywhere["BHT"]])
        assert not one.accepts(["BHT*A"])


def test_patterns_are_made_so_often_and_no_more() -> None:
    table = table_of(definition(ORDER))
    one = joint(table)
    slots = [each[0] for each in table.everywhere.values()]
    for slot in slots:
        one.learn([slot])
    accepted = [slot.tag for slot in slots if one.accepts([slot.tag])]
    assert accepted == [slot.tag for slot in slots][:8]
