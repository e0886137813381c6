"""The track: what it remembers, what it does not count, and that counting says the same."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.dictionary.model import Definition
from longshore.x12.loops import automaton
from longshore.x12.loops.automaton import Automaton, automaton_of
from longshore.x12.loops.placement import Placement, slots_in_order
from longshore.x12.loops.slots import USE
from longshore.x12.loops.table import table_of
from tests.unit.x12.loops.sets import DELIMITERS, definition, rows_of, said
from tests.unit.x12.loops.test_any_order import DEFINITIONS, Rows, a_set

MANY = """
  BEG M1
  loop PO1 M100
    PO1 M1
    PID O40
    loop SCH O5
      SCH M1
  CTT O1
"""


def in_order(of: Definition, rows: Rows) -> bool:
    """Tell whether the quick look accepts the order of a whole set."""
    tags = [row[0] for row in rows]
    return slots_in_order(table_of(of), DELIMITERS, rows, tags) is not None


def is_faultless(of: Definition, rows: Rows) -> bool:
    """Tell whether placing segment by segment, with everything counted, finds nothing."""
    placement = Placement(table_of(of), DELIMITERS, ())
    for row in rows:
        placement.place(row)
    placement.finish()
    return not placement.faults


@pytest.mark.parametrize("name", DEFINITIONS)
@given(seed=st.integers(0, 10**9), data=st.data())
def test_a_set_is_in_order_if_counting_finds_no_fault(
    name: str, data: st.DataObject, seed: int
) -> None:
    rows = a_set(DEFINITIONS[name], Random(seed))
    at = data.draw(st.integers(0, len(rows)))
    change = data.draw(st.sampled_from(["none", "drop", "twice", "swap"]))
    if change == "drop":
        del rows[at : at + 1]
    elif change == "twice":
        rows[at:at] = rows[at : at + 1]
    elif change == "swap":
        rows[at : at + 2] = rows[at : at + 2][::-1]
    assert in_order(DEFINITIONS[name], rows) == is_faultless(DEFINITIONS[name], rows)


def test_many_uses_are_added_up_and_counted_where_they_could_be_too_many() -> None:
    of = definition(MANY)
    lines = rows_of("BEG" + " PO1 PID" * 40)
    assert in_order(of, lines)
    # 41 PID could be one too many in one line; only counting tells that they are not.
    assert not in_order(of, rows_of("BEG" + " PO1 PID" * 41))
    assert is_faultless(of, rows_of("BEG" + " PO1 PID" * 41))
    assert said(of, "BEG" + " PO1 PID" * 41) == []
    assert said(of, "BEG" + " PO1" * 101) == ["LOOP_OVER_MAXIMUM PO1 103 PO1"]
    assert said(of, "BEG PO1" + " PID" * 41) == ["SEGMENT_OVER_MAXIMUM PID 44 PO1"]


def test_uses_are_added_up_over_spans() -> None:
    placement = Placement(table_of(definition(MANY)), DELIMITERS, ())
    rows = rows_of("BEG PO1" + " PID" * 41)
    assert len(placement.place_all(rows[:35])) == 35
    assert len(placement.place_all(rows[35:40])) == 5
    assert len(placement.place_all(rows[40:])) == 2  # of three
    assert placement.position == 43


def test_a_state_tells_what_is_within_reach_and_no_more() -> None:
    of = definition(MANY)
    rows = rows_of("BEG" + " PO1 PID PID SCH SCH" * 3)
    slots, state = Automaton(table_of(of).start).follow(
        automaton_of(table_of(of)).start, rows, DELIMITERS
    )
    line, schedule = slots[-5], slots[-1]
    # The line may come 100 times, which is not kept; the PID is past.
    assert state.counts == {line.number: USE, schedule.number: 2 * USE}
    assert state.can_end


def test_states_are_made_once_and_forgotten_when_they_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of = definition(MANY)
    own = Automaton(table_of(of).start)
    rows = rows_of("BEG PO1 PID SCH PO1 PID SCH CTT")
    _, first = own.follow(own.start, rows, DELIMITERS)
    _, again = own.follow(own.start, rows, DELIMITERS)
    assert again is first
    monkeypatch.setattr(automaton, "MAX_STATES", 2)
    _, other = own.follow(own.start, rows_of("BEG PO1 SCH SCH CTT"), DELIMITERS)
    assert other.slot is first.slot
    assert other is not first
    assert own.follow(own.start, rows, DELIMITERS)[1].slot is first.slot


def test_shapes_are_remembered_where_no_code_decides_and_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(automaton, "_MAX_SHAPES", 1)
    own = Automaton(table_of(definition(MANY)).start)
    for text in ("BEG PO1", "BEG PO1 CTT", "BEG PO1"):
        rows = rows_of(text)
        tags = [row[0] for row in rows]
        found = own.slots_of(rows, tags, DELIMITERS)
        assert found is own.slots_of(rows, tags, DELIMITERS)
    long = rows_of("BEG" + " PO1" * 200)
    tags = [row[0] for row in long]
    assert own.slots_of(long, tags, DELIMITERS) is not own.slots_of(long, tags, DELIMITERS)


def test_a_level_of_a_wrong_parent_is_not_in_order() -> None:
    of = DEFINITIONS["claim"]
    assert in_order(of, rows_of("BHT HL*1 HL*2*1"))
    assert not in_order(of, rows_of("BHT HL*1 HL*2*9"))
    assert said(of, "BHT HL*1 HL*2*9") == ["PARENT_UNKNOWN HL 4 2000"]
