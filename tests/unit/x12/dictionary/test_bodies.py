"""Sets and guides as indented lines."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.bodies import RawNode, read_head, read_set
from longshore.x12.dictionary.lines import DictionaryError, Releases
from longshore.x12.dictionary.model import ElementRule, ValueCondition
from tests.unit.x12.dictionary.texts import CLAIM, GUIDE, ORDER, faults

SET = 'set 850 PO 004010..005010 "Purchase order"\n'
ON = 'guide G1 on 850@004010 "Our order"\n'


def nested(body: tuple[RawNode, ...]) -> list[object]:
    lines: list[object] = []
    for node in body:
        lines += [node.id] if node.body is None else [node.id, nested(node.body)]
    return lines


def test_a_set() -> None:
    raw = read_set("sets/850.xd", ORDER)
    assert (raw.kind, raw.name, raw.functional_id, raw.title, raw.base) == (
        "set",
        "850",
        "PO",
        "Purchase order",
        None,
    )
    assert raw.releases == Releases("004010", "005010")
    assert nested(raw.body) == [
        *("BEG", "CUR", "CUR", "REF", "DTM", "NTE", "N1", ["N1", "N3", "REF"]),
        *("PO1", ["PO1", "PID", ["PID", "NTE"], "DTM"], "CTT", ["CTT"]),
    ]
    assert raw.body[3].label == "references"


def test_a_guide() -> None:
    raw = read_set("g.xd", GUIDE)
    assert (raw.kind, raw.name, raw.base) == ("guide", "005010X999", ("837", "005010"))
    assert raw.releases == Releases("005010", "005010")
    version = raw.body[1]
    assert version.when == ValueCondition(1, None, ("87",))
    assert version.rules == {
        1: ElementRule(requirement="R", codes=("87",), layer="005010X999"),
        2: ElementRule(requirement="R", minimum=5, maximum=20, layer="005010X999"),
    }
    principal = raw.body[-1].body[-1].body[-1].body[1]  # type: ignore[index]
    assert principal.when == ValueCondition(1, 1, ("ABK",))


def test_the_head_alone() -> None:
    for text in (ORDER, CLAIM, GUIDE):
        head, whole = read_head("a.xd", text), read_set("a.xd", text)
        assert head.body == ()
        assert (head.name, head.releases, head.base) == (whole.name, whole.releases, whole.base)
        assert head.line == whole.line


def test_a_condition_may_have_quoted_values() -> None:
    raw = read_set("a.xd", f'{SET}  REF O1 when REF.01="A B"|C|"D|E" as x\n')
    assert raw.body[0].when == ValueCondition(1, None, ("A B", "C", "D|E"))
    assert raw.body[0].label == "x"


NO_HEAD = "the file must begin with: set …, or: guide …"
SET_HEAD = 'a set begins with: set 850 PO 004010..005010 "title"'
GUIDE_HEAD = 'a guide begins with: guide 005010X222A1 on 837@005010 "title"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(0, NO_HEAD)]),
        ("  BEG M1", [(1, NO_HEAD)]),
        ("BEG M1", [(1, NO_HEAD)]),
        ("set 850 PO 004010", [(1, SET_HEAD)]),
        ('set 85 PO 004010 "x"', [(1, SET_HEAD)]),
        ('set 850 P1 004010 "x"', [(1, SET_HEAD)]),
        ('set 850 PO 4010 "x"', [(1, SET_HEAD)]),
        ('set 850 PO 005010..004010 "x"', [(1, SET_HEAD)]),
        ("guide X on 837", [(1, GUIDE_HEAD)]),
        ('guide X at 837@005010 "x"', [(1, GUIDE_HEAD)]),
        ('guide X on 837@5010 "x"', [(1, GUIDE_HEAD)]),
        (SET, [(1, "the set has no segments")]),
    ],
)
def test_a_wrong_head(text: str, expected: list[tuple[int, str]]) -> None:
    with pytest.raises(DictionaryError) as raised:
        read_set("a.xd", text)
    assert faults(raised) == expected


MISSING = "an id and an occurrence such as M1 or O* are needed"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("BEG", MISSING),
        ("loop N1", MISSING),
        ("BEG X1", "X1 is not an occurrence: one of MO, then a number or *"),
        ("BEG R1", "R1 is not an occurrence: one of MO, then a number or *"),
        ("BEG M0", "M0 is not an occurrence: one of MO, then a number or *"),
        ("BEG M", "M is not an occurrence: one of MO, then a number or *"),
        ("beg M1", "beg is not a segment id"),
        ("BEG M1 as Head", "Head is not a label: lower-case letters, digits and _"),
        ("BEG M1 as a as b", "as is not expected here"),
        ("BEG M1 as", "as is not expected here"),
        ("BEG M1 when", "when is not expected here"),
        ("BEG M1 huh", "huh is not expected here"),
        ("BEG M1 when BEG.1=A", "BEG.1=A is not a condition such as N1.01=ST|BT"),
        ("BEG M1 when BEG.01", "BEG.01 is not a condition such as N1.01=ST|BT"),
        ("BEG M1 when BEG.01=", "BEG.01= is not a condition such as N1.01=ST|BT"),
        ("BEG M1 when REF.01=A", "the condition must be on BEG, not on REF"),
        ("BEG M1 : 01R", "element rules belong to the segments of a guide"),
        ("loop N1 O1", "loop N1 must begin with the segment that triggers it"),
        ("  BEG M1", "indented deeper than the body it stands in"),
    ],
)
def test_a_wrong_line(line: str, reason: str) -> None:
    with pytest.raises(DictionaryError) as raised:
        read_set("a.xd", f"{SET}  REF O1\n  {line}\n")
    assert faults(raised) == [(3, reason)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("  loop n1 O1\n    N1 M1\n", [(2, "n1 is not a loop id")]),
        (
            "  loop N1 O1\n    loop N1 O1\n      N1 M1\n",
            [(2, "loop N1 must begin with the segment that triggers it")],
        ),
        ("  loop N1 O1\n    N1 O1\n", [(3, "the trigger of loop N1 must be M1, in guides R1")]),
        ("  loop N1 O1\n    N1 M2\n", [(3, "the trigger of loop N1 must be M1, in guides R1")]),
        (
            "  loop N1 O1 when REF.01=A\n    N1 M1\n",
            [(2, "the condition must be on N1, not on REF")],
        ),
        ("  BEG M1\nBEG M1\n", [(3, "only one set stands in a file")]),
        (
            "  BEG M\n  REF O1\n  CUR\n",
            [
                (2, "M is not an occurrence: one of MO, then a number or *"),
                (4, MISSING),
            ],
        ),
        (
            "  loop N1 O1\n  BEG M1\n    REF O1\n",
            [
                (2, "loop N1 must begin with the segment that triggers it"),
                (4, "indented deeper than the body it stands in"),
            ],
        ),
    ],
)
def test_a_wrong_body(lines: str, expected: list[tuple[int, str]]) -> None:
    with pytest.raises(DictionaryError) as raised:
        read_set("a.xd", SET + lines)
    assert faults(raised) == expected


def test_a_loop_of_a_guide_has_no_rules_of_its_own() -> None:
    with pytest.raises(DictionaryError) as raised:
        read_set("a.xd", f"{ON}  loop N1 R1 : 01R\n    N1 R1\n")
    assert faults(raised) == [(2, "element rules belong to the segments of a guide")]


def test_letters_of_a_guide() -> None:
    with pytest.raises(DictionaryError) as raised:
        read_set("a.xd", f"{ON}  BEG M1\n")
    assert faults(raised) == [(2, "M1 is not an occurrence: one of RSN, then a number or *")]


def test_a_whole_guide_without_rules_uses_everything() -> None:
    raw = read_set("a.xd", f"{ON}  BEG R1\n  REF S1 :\n")
    assert [node.rules for node in raw.body] == [None, {}]
