"""The pattern of a whole set: it matches nothing that placing would object to."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.dictionary.model import Definition
from longshore.x12.loops.levels import level_slots
from longshore.x12.loops.placement import slots_in_order
from longshore.x12.loops.slots import Body, Slot
from longshore.x12.loops.table import table_of
from longshore.x12.validate.cross_checks import CrossChecks
from longshore.x12.validate.set_pattern import set_source
from tests.unit.x12.loops.sets import DELIMITERS, definition, rows_of
from tests.unit.x12.loops.test_any_order import CODES, DEFINITIONS, Rows, a_set


def slots_of(body: Body) -> list[Slot]:
    found = []
    for slot in body.slots:
        found += [slot, *(slots_of(slot.inner) if slot.inner is not None else ())]
    return found


def pattern(of: Definition, known: list[Slot] | None = None) -> re.Pattern[str] | None:
    """Return the pattern of sets whose segments may hold anything; all slots are known, or some."""
    body = table_of(of).start.inner
    assert body is not None
    slots = slots_of(body) if known is None else known
    sources = {slot: rf"{slot.tag}(?:\*[^*~]*+)*+" for slot in slots}
    source = set_source(body, sources, DELIMITERS, "~")
    return None if source is None else re.compile(source)


def is_matched(of: Definition, rows: Rows, known: list[Slot] | None = None) -> bool:
    found, text = pattern(of, known), "".join("*".join(row) + "~" for row in rows)
    return bool(found and found.fullmatch(text)) and CrossChecks(
        table_of(of), DELIMITERS
    ).are_passed("~" + text, "~")


def is_in_order(of: Definition, rows: Rows) -> bool:
    return slots_in_order(table_of(of), DELIMITERS, rows, [row[0] for row in rows]) is not None


def said(of: str, segments: str) -> bool:
    return is_matched(definition(of), rows_of(segments))


@pytest.mark.parametrize("name", DEFINITIONS)
@given(seed=st.integers(0, 10**9))
def test_a_set_in_the_order_of_its_definition_matches(name: str, seed: int) -> None:
    assert is_matched(DEFINITIONS[name], a_set(DEFINITIONS[name], Random(seed)))


@pytest.mark.parametrize("name", DEFINITIONS)
@given(seed=st.integers(0, 10**9), data=st.data())
def test_what_matches_is_in_order_whatever_slots_are_known(
    name: str, data: st.DataObject, seed: int
) -> None:
    of, random = DEFINITIONS[name], Random(seed)
    body = table_of(of).start.inner
    assert body is not None
    rows, slots = a_set(of, random), slots_of(body)
    for _ in range(random.randrange(3)):
        at, tag = random.randrange(len(rows)), random.choice(slots).tag
        row = [tag, *(random.choice(CODES) for _ in range(3))]
        rows[at : at + random.randrange(2)] = [random.choice([row, random.choice(rows)])]
    known = data.draw(st.sampled_from([slots, [each for each in slots if random.random() < 0.9]]))
    if is_matched(of, rows, known):
        assert is_in_order(of, rows)


TWICE = """
  BEG M1
  REF O2 when REF.01=AA
  REF O1
  loop PO1 O3
    PO1 M1
    REF O1
  REF O5
"""


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        ("BEG*1", True),
        ("BEG*1 REF*AA REF*AA REF*B", True),
        ("BEG*1 REF*B REF*AA", False),  # in order, but not in this one
        ("BEG*1 REF*AA REF*AA REF*AA", False),  # not even as the REF that takes any code
        ("BEG*1 REF*B REF*C", False),  # nor as the one behind the loop
        ("BEG*1 PO1*1 REF*B REF*C", False),
        ("BEG*1 PO1*1 PO1*2 REF*B", True),
        ("BEG*1 PO1*1 PO1*2 PO1*3 PO1*4", False),
        ("PO1*1", False),
    ],
)
def test_a_segment_is_taken_by_the_first_slot_it_may_belong_to(
    segments: str, *, expected: bool
) -> None:
    assert said(TWICE, segments) is expected


def test_a_slot_that_is_not_known_leaves_its_segments_to_no_other() -> None:
    of = definition("\n  BEG M1\n  loop PO1 O3\n    PO1 M1\n    REF O1\n  REF O5\n")
    slots = {(slot.tag, slot.body.depth): slot for slot in slots_of(table_of(of).start.inner)}  # type: ignore[arg-type]  # there is a body
    rows = rows_of("BEG*1 PO1*1 REF*A")
    assert is_matched(of, rows)
    without = [slot for key, slot in slots.items() if key != ("REF", 1)]
    assert not is_matched(of, rows, without)
    assert is_matched(of, rows_of("BEG*1 REF*A"), without)


def test_there_is_no_pattern_while_a_required_slot_is_not_known() -> None:
    of = definition("\n  BEG M1\n  loop PO1 M3\n    PO1 M1\n    REF M1\n")
    slots = slots_of(table_of(of).start.inner)  # type: ignore[arg-type]  # there is a body
    assert pattern(of) is not None
    assert pattern(of, [slot for slot in slots if slot.tag != "REF"]) is None


def test_conditions_on_different_elements_are_left_to_the_track() -> None:
    body = (
        "\n  BEG M1\n  REF O1 when REF.01=A\n  loop PO1 O1\n    PO1 M1\n    REF O1 when REF.02=B\n"
    )
    of = definition(body + "  REF O1 when REF.01=C\n")
    assert is_matched(of, rows_of("BEG*1 REF*A PO1*1"))
    assert not is_matched(of, rows_of("BEG*1 PO1*1 REF*C*B"))
    assert is_matched(of, rows_of("BEG*1 REF*C"))


def nested_levels(conditions: tuple[str, str]) -> Definition:
    outer, inner = conditions
    return definition(
        f"\n  BEG M1\n  loop HL O*{outer}\n    HL M1\n    loop HL O*{inner}\n      HL M1\n"
    )


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ((" when HL.03=S", " when HL.03=O"), ["O", "S"]),
        ((" when HL.03=S", ""), None),
        ((" when HL.03=S", " when HL.03=S"), None),
    ],
)
def test_levels_are_reported_apart_by_their_code_alone(
    conditions: tuple[str, str], expected: list[str] | None
) -> None:
    of = nested_levels(conditions)
    slots = level_slots(table_of(of))
    assert (None if slots is None else sorted(slots)) == expected
    marks = CrossChecks(table_of(of), DELIMITERS)
    assert marks.are_passed("~BEG*1~HL*1**S~HL*2*1*O~", "~") is (expected is not None)
    assert not marks.are_passed("~BEG*1~HL*1**S~HL*2*9*O~", "~")
