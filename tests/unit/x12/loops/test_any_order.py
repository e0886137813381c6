"""Any segments in any order: quick and slow path agree, valid sets are valid, cost is linear."""

import sys
from collections.abc import Callable
from random import Random
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.dictionary.model import Definition, Loop, Node, ValueCondition
from longshore.x12.loops.faults import StructureFault
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.slots import Slot
from longshore.x12.loops.table import table_of
from tests.unit.x12.loops.sets import CLAIM, CLAIM_GUIDE, DELIMITERS, ORDER, definition

DEFINITIONS = {
    "order": definition(ORDER),
    "claim": definition(CLAIM),
    "guide": definition(CLAIM, CLAIM_GUIDE),
}
CODES = ("", "41", "40", "85", "20", "22", "EI", "0B", "431", "BK", "BP:1", "QQ")
Rows = list[list[str]]


def a_row(tag: str, when: ValueCondition | None) -> list[str]:
    """Return a segment that fulfils a condition."""
    row = [tag, "", "", "", ""]
    if when is not None:
        row[when.position] = when.values[0]
    return row


def a_set(of: Definition, random: Random) -> Rows:
    """Return the segments of a valid set, without ST and SE."""
    rows: Rows = []
    _write(of.body, random, rows, "")
    return rows


def _write(body: tuple[Node, ...], random: Random, rows: Rows, parent: str) -> None:
    for node in body:
        minimum = 1 if node.is_required else 0
        for _ in range(random.randint(minimum, min(node.maximum or 3, 3))):
            use = node.trigger if isinstance(node, Loop) else node
            rows.append(row := a_row(use.segment.id, node.when))
            if row[0] == "HL":
                row[1], row[2] = str(len(rows)), parent
            if isinstance(node, Loop):
                _write(node.body[1:], random, rows, row[1] if row[0] == "HL" else parent)


def outcome(of: Definition, rows: Rows, cuts: list[int]) -> tuple[list[Slot | None], object]:
    """Place ``rows``: quickly up to each cut, then one with care."""
    placement = Placement(table_of(of), DELIMITERS, {"ZZZ"})
    slots: list[Slot | None] = []
    for cut in [*cuts, len(rows)]:
        slots += placement.place_all(rows[len(slots) : cut])
        while len(slots) < min(cut + 1, len(rows)):
            slots.append(placement.place(rows[len(slots)]))
    placement.finish()
    return slots, placement.faults


def faults_of(of: Definition, rows: Rows) -> list[StructureFault]:
    placement = Placement(table_of(of), DELIMITERS, ())
    for row in rows:
        placement.place(row)
    placement.finish()
    return placement.faults


@pytest.mark.parametrize("name", DEFINITIONS)
@given(seed=st.integers(0, 10**9))
def test_a_valid_set_is_placed_whole_by_the_fast_way(name: str, seed: int) -> None:
    rows = a_set(DEFINITIONS[name], Random(seed))
    placement = Placement(table_of(DEFINITIONS[name]), DELIMITERS, ())
    assert [slot.tag for slot in placement.place_all(rows)] == [row[0] for row in rows]
    placement.finish()
    assert placement.faults == []


@pytest.mark.parametrize("name", DEFINITIONS)
@given(data=st.data(), seed=st.integers(0, 10**9))
def test_fast_and_slow_path_agree_on_any_segments(
    name: str, data: st.DataObject, seed: int
) -> None:
    of = DEFINITIONS[name]
    tags = st.sampled_from([*table_of(of).everywhere, "ZZZ", "Q"])
    parts = st.sampled_from(CODES)
    some = st.lists(st.builds(lambda *row: list(row), tags, parts, parts, parts), max_size=12)
    rows = a_set(of, Random(seed))
    at = data.draw(st.integers(0, len(rows)))
    rows[at : data.draw(st.integers(at, len(rows)))] = data.draw(some)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    slow = outcome(of, rows, list(range(len(rows))))
    assert outcome(of, rows, cuts) == slow
    assert len(slow[0]) == len(rows)


@pytest.mark.parametrize("name", DEFINITIONS)
@given(seed=st.integers(0, 10**9), data=st.data())
def test_a_foreign_segment_anywhere_is_the_only_fault(
    name: str, data: st.DataObject, seed: int
) -> None:
    rows = a_set(DEFINITIONS[name], Random(seed))
    at = data.draw(st.integers(0, len(rows)))
    (fault,) = faults_of(DEFINITIONS[name], [*rows[:at], ["Q"], *rows[at:]])
    assert (fault.kind.name, fault.position) == ("UNKNOWN_ID", at + 2)


def calls(act: Callable[[], object]) -> int:
    """Return how many functions of the package an act calls.

    Others are called between: hypothesis for example measures each garbage collection.
    """
    count = 0

    def note(frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_globals["__name__"].startswith("longshore.")

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


HOSTILE: dict[str, Callable[[int], Rows]] = {
    "unknown ids": lambda n: [[f"Q{at}"] for at in range(n)],
    "stray triggers": lambda n: [["SCH"]] * n,
    "one too often": lambda n: [["BEG"]] * n,
    "late segments": lambda n: [["BEG"], ["DTM"], *([["CUR"]] * n)],
    "all in the wrong place": lambda n: [["CTT"], *([["PO1"], ["SCH"], ["N1"], ["N3"]] * (n // 4))],
    "loops without end": lambda n: [["BEG"], *([["PO1"], ["SCH"]] * (n // 2))],
    "levels in one another": lambda n: [["HL", str(at), str(at - 1)] for at in range(1, n)],
    "levels of no parent": lambda n: [["HL", str(at), "x"] for at in range(1, n)],
    "codes without end": lambda n: [["HL", "1", "", f"{at}"] for at in range(n)],
}


@pytest.mark.parametrize("name", DEFINITIONS)
@pytest.mark.parametrize("case_kind", HOSTILE)
def test_the_work_grows_with_the_segments_and_no_faster(name: str, case_kind: str) -> None:
    of, build = DEFINITIONS[name], HOSTILE[case_kind]
    faults_of(of, build(40))  # what is learned is learned once
    small = calls(lambda: faults_of(of, build(200)))
    large = calls(lambda: faults_of(of, build(1600)))
    assert large <= 8.5 * small


def test_what_is_learned_is_bounded_by_the_definition() -> None:
    of = definition(CLAIM)
    rows = [[f"Q{at}", "1"] for at in range(500)] + [["HL", str(at)] for at in range(500)]
    faults_of(of, rows)
    table = table_of(of)
    slots = {id(slot): slot for found in table.everywhere.values() for slot in found}
    for slot in [table.start, *slots.values()]:
        assert slot.moves.keys() | slot.choices.keys() <= table.everywhere.keys()
