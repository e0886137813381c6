"""What the lint says of dictionary files, exactly."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.lint import lint, name_below_data
from tests.unit.x12.dictionary.texts import ELEMENTS, SEGMENTS, SOURCES, TEXTS

HEAD = f'{SOURCES}\nset 850 PO 004010..005010 "x"\n'


def errors(changes: dict[str, str]) -> list[str]:
    report = lint(TEXTS | changes)
    assert report.warnings == () or not report.errors
    return [str(fault) for fault in report.errors]


def in_order(lines: str) -> list[str]:
    return errors({"sets/850.xd": HEAD + lines})


def test_the_small_dictionary_is_clean() -> None:
    assert errors({}) == []


def test_unused_definitions_are_warnings() -> None:
    changes = {
        "segments.xd": f"{SEGMENTS}ZZ1 98\nISA 98\n",
        "composites.xd": f"{TEXTS['composites.xd']}C999 98\n",
        "elements.xd": f"{ELEMENTS}9999 AN 1/1\n",
        "codes/lists.xd": f"{TEXTS['codes/lists.xd']}list other\n  1 x\n",
    }
    report = lint(TEXTS | changes)
    assert report.errors == ()
    assert [fault.reason for fault in report.warnings] == [
        "the code list other is not used",
        "the composite C999 is not used",
        "the element 9999 is not used",
        "the segment ZZ1 is not used",
    ]


@pytest.mark.parametrize("name", ["segments.xd", "codes/lists.xd", "sets/850.xd"])
def test_a_file_says_its_sources(name: str) -> None:
    text = TEXTS[name].replace(SOURCES, "# sources:")
    assert errors({name: text}) == [f"{name}:0: the file does not say its sources: # sources: …"]


FIRST = "the one before it has no condition and takes every such segment"
OTHER = "the one before it has a condition on another element"
TWICE = "the one before it takes BB too"
LOOP = "  loop N1 O1\n    N1 M1\n"


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ("  REF O1\n  REF O1\n", 4, f"REF is ambiguous: {FIRST}, see line 3"),
        (
            "  REF O1\n  REF O1 when REF.01=AA\n",
            4,
            f"REF is ambiguous: {FIRST}, see line 3",
        ),
        (
            "  REF O1 when REF.01=AA|BB\n  REF O1 when REF.01=CC|BB\n",
            4,
            f"REF is ambiguous: {TWICE}, see line 3",
        ),
        (
            "  REF O1 when REF.01=AA\n  REF O1 when REF.02=AA\n",
            4,
            f"REF is ambiguous: {OTHER}, see line 3",
        ),
        (
            "  REF O1 when REF.04.01=AA\n  REF O1 when REF.04.03=AA\n",
            4,
            f"REF is ambiguous: {OTHER}, see line 3",
        ),
        (LOOP + LOOP, 5, f"N1 is ambiguous: {FIRST}, see line 3"),
        (f"  N1 O1\n{LOOP}", 4, f"N1 is ambiguous: {FIRST}, see line 3"),
        (f"{LOOP}    N3 O1\n    N3 O1\n", 6, f"N3 is ambiguous: {FIRST}, see line 5"),
        ("  REF O1 as a\n  CUR O1 as a\n", 4, "the label a stands twice, see line 3"),
    ],
)
def test_neighbours_that_cannot_be_reported_apart(lines: str, line: int, reason: str) -> None:
    assert in_order(lines) == [f"sets/850.xd:{line}: {reason}"]


@pytest.mark.parametrize(
    "lines",
    [
        "  REF O1 when REF.01=AA\n  REF O1 when REF.01=BB\n  REF O1\n",
        "  REF O1\n  CUR O1\n  REF O1\n",
        "  REF O1 @..004010\n  REF O2 @005010..\n",
        "  loop N1 O1 when N1.01=AA\n    N1 M1\n  loop N1 O1\n    N1 M1\n",
        "  loop N1 O1\n    N1 M1\n    REF O1\n  REF O1\n",
        "  loop N1 O1 as a\n    N1 M1 as a\n",
    ],
)
def test_neighbours_that_can_be_reported_apart(lines: str) -> None:
    assert in_order(lines) == []


def test_each_of_a_group_is_compared_with_each() -> None:
    lines = "".join(f"  REF O1 when REF.01={code}\n" for code in ("AA", "BB", "AA"))
    assert in_order(lines) == [
        "sets/850.xd:5: REF is ambiguous: the one before it takes AA too, see line 3"
    ]


def test_everything_wrong_is_named_at_once_and_once() -> None:
    changes = {
        "segments.xd": f"{SEGMENTS}ZZ1 9999\n",
        "elements.xd": f"{ELEMENTS}888 ID 2/1\n",
        "sets/850.xd": HEAD + "  REF O1\n  huh\n",
        "guides/005010X999.xd": f'{SOURCES}\nguide 005010X999 on 837@005010 "x"\n  BHT R2\n',
    }
    assert errors(changes) == [
        "elements.xd:35: the minimum length 2 is above the maximum 1, or zero",
        "guides/005010X999.xd:3: the standard allows BHT 1 times here",
        "sets/850.xd:4: an id and an occurrence such as M1 or O* are needed",
    ]
    changes["elements.xd"] = ELEMENTS
    assert errors(changes) == [
        "guides/005010X999.xd:3: the standard allows BHT 1 times here",
        "segments.xd:18: element 9999 is not defined in 004010",
        "segments.xd:18: element 9999 is not defined in 005010",
        "sets/850.xd:4: an id and an occurrence such as M1 or O* are needed",
    ]


def test_a_composite_and_an_element_are_looked_up_in_every_release() -> None:
    changes = {
        "composites.xd": f"{TEXTS['composites.xd']}C999 98 888\n",
        "elements.xd": f"{ELEMENTS}888 ID 2/2 @005010\n889 ID 1/1 codes=nope @004010\n",
    }
    assert errors(changes) == [
        "composites.xd:5: element 888 is not defined in 004010",
        "elements.xd:36: there is no code list nope",
    ]


def test_a_guide_on_nothing() -> None:
    text = f'{SOURCES}\nguide 004010X001 on 837@004010 "x"\n  BHT R1\n'
    assert errors({"guides/more.xd": text}) == ["guides/more.xd:2: there is no set 837 in 004010"]


def test_two_files_of_one_set() -> None:
    assert errors({"sets/851.xd": TEXTS["sets/850.xd"]}) == [
        "sets/851.xd:2: the set 850 exists twice"
    ]


def test_overlays_are_put_on_their_standard_and_need_no_sources() -> None:
    good = 'overlay acme on 850@004010 "x"\nCUR drop\n'
    bad = 'overlay acme on 850@004010 "x"\nBEG drop\n'
    lost = 'overlay acme on 850@006010 "x"\n'
    assert errors({"overlays/a.xd": good}) == []
    assert errors({"overlays/a.xd": bad, "overlays/b.xd": lost}) == [
        "overlays/a.xd:2: BEG would allow more than before (not used): say extend",
        "overlays/b.xd:0: there is no set 850 in 006010",
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('set 850 PO 004010..005010 "x"', "sets/850.xd"),
        ('set 850 PO 004010 "x"', "sets/_home_my_file.xd"),
        ('set 851 PO 004010 "x"', "sets/_home_my_file.xd"),
        ('guide 005010X999 on 837@005010 "x"', "guides/005010X999.xd"),
        ('guide 005010X999 on 850@005010 "x"', "guides/_home_my_file.xd"),
        ("set 850 PO", "sets/_home_my_file.xd"),
        ("overlay a on 850@004010", "overlays/_home_my_file.xd"),
        ("list x\n  1 a", "codes/_home_my_file.xd"),
        ("# note\n\n353 ID 2/2", "elements/_home_my_file.xd"),
        ("C040 128", "composites/_home_my_file.xd"),
        ("REF 128", "segments/_home_my_file.xd"),
        ("", "segments/_home_my_file.xd"),
    ],
)
def test_the_name_of_a_file_of_ones_own(text: str, name: str) -> None:
    assert name_below_data("/home/my file.xd", text, TEXTS) == name


def test_a_file_called_as_one_that_stays_gets_a_name_of_its_own() -> None:
    text = 'set 850 PO 004010 "x"'
    assert name_below_data("850.xd", text, TEXTS) == "sets/own_850.xd"
