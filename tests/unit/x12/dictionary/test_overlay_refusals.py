"""Edits that are refused: each with its line and reason, and nothing changed."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.overlay import apply, read_overlay_head
from tests.unit.x12.dictionary.test_overlay import refused
from tests.unit.x12.dictionary.texts import defined, faults, order, small

FIRST = "the one before it has no condition and takes every such segment"
NO_CHANGE = "an edit needs a change behind its path, such as drop, M1 or codes A B"
WIDER = "would allow more than before"


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ("BEG O1", f"BEG {WIDER} (not required): say extend"),
        ("BEG drop", f"BEG {WIDER} (not used): say extend"),
        ("CUR O2", f"CUR {WIDER} (2 times): say extend"),
        ("REF O*", f"REF {WIDER} (any number of times): say extend"),
        ("BEG O2", f"BEG {WIDER} (not required, 2 times): say extend"),
        ("REF.01 O", f"REF.01 {WIDER} (not required): say extend"),
        ("REF.01 drop", f"REF.01 {WIDER} (not used): say extend"),
        ("REF.02 len 1/31", f"REF.02 {WIDER} (length 1/31): say extend"),
        ("REF.01 len 1/3", f"REF.01 {WIDER} (length 1/3): say extend"),
        ("REF.02 O2", f"REF.02 {WIDER} (2 times): say extend"),
        ("lines.descriptions PID.01 codes F X",
         f"lines.descriptions.PID.01 {WIDER} (codes X): say extend"),
        ("parties split 01 ST as ship_to M201", f"parties {WIDER} (ship_to 201 times): say extend"),
        ("REF split 01 DP as a O*", f"REF {WIDER} (a * times): say extend"),
        ("lines split 03 EA as each O5", f"lines {WIDER} (not required): say extend"),
    ],
)  # fmt: skip
def test_what_is_wider_says_extend(edit: str, reason: str) -> None:
    assert refused(f"{edit}\n") == [(2, reason)]


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ("NTE drop", "NTE names nothing here"),
        ("nobody drop", "nobody names nothing here"),
        ("parties[ship_to] drop", "parties[ship_to] names nothing here"),
        ("REF[2] drop", "REF[2] names nothing here"),
        ("REF.REF drop", "REF is no loop"),
        ("lines.BEG drop", "BEG names nothing here"),
        ("REF.05 M", "REF has no element 05"),
        ("REF.04.05 M", "REF.04 has no component 05"),
        ("REF.01.01 M", "REF.01 has no component 01"),
        ("REF.01.01.01 M", "REF.01.01.01 is not a path such as BEG.01 or lines.PO1.06"),
        ("REF..01 M", "REF..01 is not a path such as BEG.01 or lines.PO1.06"),
        ("01 M", "01 is not a path such as BEG.01 or lines.PO1.06"),
        ("REF[0] drop", "REF[0] is not a path such as BEG.01 or lines.PO1.06"),
    ],
)
def test_a_path_that_leads_nowhere(edit: str, reason: str) -> None:
    assert refused(f"{edit}\n") == [(2, reason)]


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ("REF", NO_CHANGE),
        ("REF PO1.06", NO_CHANGE),
        ("REF PO1.06 M", "REF is no loop"),
        ("REF extend", "the end of the line is not expected here"),
        ("REF shrink", "shrink is not expected here"),
        ("REF M0", "M0 is not expected here"),
        ("REF R1", NO_CHANGE),  # R1 is a segment
        ("REF len 1/2", "len is for elements: name one, such as .01"),
        ("REF codes A", "codes is for elements: name one, such as .01"),
        ("REF.01 split 01 A as a O1", "split is for segments and loops, not for elements"),
        ("REF.01 M*", "an element repeats a number of times, not without limit"),
        ("REF.02 len", "len needs a minimum and a maximum such as 1/20"),
        ("REF.02 len 20", "len needs a minimum and a maximum such as 1/20"),
        ("REF.02 len 0/20", "len needs a minimum and a maximum such as 1/20"),
        ("REF.02 len 9/2", "len needs a minimum and a maximum such as 1/20"),
        ("REF.01 codes", "codes needs at least one code"),
        ("REF.01 codes extend", "codes needs at least one code"),
        ("REF.01 codes A", "the code A does not fit element 128 of 2 to 3"),
        ("REF.01 codes AA extend BBBB", "the code BBBB does not fit element 128 of 2 to 3"),
        ("REF.02 len 1/2 codes AAA", "the code AAA does not fit element 127 of 1 to 2"),
        (
            "REF.01 codes extend AA",
            "more codes are allowed here than are listed; name those to allow",
        ),
        ("REF.04 codes AA", "a composite has no lengths and codes: name a component"),
        ("REF.04 len 1/2", "a composite has no lengths and codes: name a component"),
        ("lines PO1 M1", "what begins a loop is always there once: edit the loop"),
        ("lines.PO1 drop", "what begins a loop is always there once: edit the loop"),
        ("lines.PO1 split 03 EA as a M1", "what begins a loop is always there once: edit the loop"),
    ],
)
def test_a_change_that_makes_no_sense(edit: str, reason: str) -> None:
    assert refused(f"{edit}\n") == [(2, reason)]


DECIDES = "split needs the element that decides, such as 01 or N1.01"
VARIANT = "a variant is: VALUE as label M1"


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("", DECIDES),
        ("1 ST as a O1", DECIDES),
        ("N1.1 ST as a O1", DECIDES),
        ("01", VARIANT),
        ("01 ST as a", VARIANT),
        ("01 ST is a O1", VARIANT),
        ("01 ST as a O1 |", VARIANT),
        ("01 ST as A O1", "A is not a label: lower-case letters, digits and _"),
        ("01 ST as a O0", "O0 is not an occurrence: one of MO, then a number or *"),
        ("01 ST as a O1 | ST as b O1", "a value stands in two variants"),
        ("REF.01 ST as a O1", "the element that decides must be of N1"),
        ("05 ST as a O1", "N1 has no element 05"),
        ("01 S as a O1", "the code S does not fit element 98 of 2 to 3"),
        ("01 ST as a O1 | BT as a O1", "a label would stand twice in one body"),
        ("01 ST as lines O1", "a label would stand twice in one body"),
    ],
)
def test_a_split_that_makes_no_sense(rest: str, reason: str) -> None:
    assert refused(f"parties split {rest}\n") == [(2, reason)]


def test_a_composite_does_not_decide() -> None:
    assert refused("REF split 04 ST as a O1\n") == [
        (2, "a composite cannot decide: name a component")
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("extend\n", [(2, "extend PATH needs a position behind it, such as REF O5")]),
        ("extend REF\n", [(2, "extend PATH needs a position behind it, such as REF O5")]),
        ("extend REF.01 CUR O1\n", [(2, "extend PATH needs a position behind it, such as REF O5")]),
        ("extend REF ?\n", [(2, "an id and an occurrence such as M1 or O* are needed")]),
        ("extend REF CUR\n", [(2, "an id and an occurrence such as M1 or O* are needed")]),
        ("extend REF ZZZ O1\n", [(2, "segment ZZZ is not defined in 004010")]),
        ("extend REF loop N1 O1\n", [(2, "loop N1 must begin with the segment that triggers it")]),
        ("extend REF loop N1 O1\n  N1 M2\n",
         [(3, "the trigger of loop N1 must be M1, in guides R1")]),
        ("extend REF CUR O1 as lines\n", [(2, "a label would stand twice in one body")]),
        ("extend REF DTM O1 as more\n", [(2, f"two DTM side by side: {FIRST}")]),
        ("  REF drop\n", [(2, "an edit begins at the left margin")]),
        ("REF M1\n  CUR drop\n", [(3, "only a loop that extend adds has lines below it")]),
        ("extend REF CUR O1 as more\n  CUR M1\n",
         [(3, "indented deeper than the body it stands in")]),
        ("BEG drop\nCUR drop\nREF O9\n", [
            (2, f"BEG {WIDER} (not used): say extend"),
            (4, f"REF {WIDER} (9 times): say extend"),
        ]),
    ],
)  # fmt: skip
def test_lines_that_do_not_fit(lines: str, expected: list[tuple[int, str]]) -> None:
    assert refused(lines) == expected


FORM = 'an overlay begins with: overlay NAME on 850@004010 "title"'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", FORM),
        ("REF drop", FORM),
        ("overlay a on 850", FORM),
        ('overlay a/b on 850@004010 "x"', FORM),
        ('overlay a at 850@004010 "x"', FORM),
        ('overlay a on 855@004010 "x"', "this is no overlay on 850@004010"),
        ('overlay a on 850@005010 "x"', "this is no overlay on 850@004010"),
        ('overlay standard on 850@004010 "x"', "standard is the name of another layer"),
    ],
)
def test_a_wrong_head(text: str, reason: str) -> None:
    with pytest.raises(DictionaryError) as raised:
        apply(order(), text, "a.xd", small().vocabulary.segment)
    assert [reason for _, reason in faults(raised)] == [reason]


def test_a_guide_and_its_overlay_differ_in_name() -> None:
    text = 'overlay 005010X999 on 837@005010 "x"'
    with pytest.raises(DictionaryError, match="005010X999 is the name of another layer"):
        apply(defined("837", "005010", "005010X999"), text, "a.xd", small().vocabulary.segment)


def test_the_head_alone_may_be_wrong() -> None:
    with pytest.raises(DictionaryError, match="an overlay begins with"):
        read_overlay_head("a.xd", "set 850")


def test_a_split_name_does_not_stand_for_its_variants() -> None:
    lines = (
        "parties split 01 ST as ship_to O1 | BT as bill_to O1\nparties drop\nREF[ship_to] drop\n"
    )
    assert refused(lines) == [
        (3, "parties names nothing here"),
        (4, "REF[ship_to] names nothing here"),
    ]
