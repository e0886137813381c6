"""The joint ``:``: what stands directly in the set or in a loop, and in no loop inside it."""

import pytest

from tests.unit.mapping.outcomes import outcome_of, rule, values_of
from tests.unit.mapping.test_sources_x12 import interchange

BODY = (
    "850 BEG*00*SA*1**20240101~REF*DP*heading~N1*ST*buyer~N4*X~REF*ZZ*of the party~"
    "PO1*1*1*EA~REF*IA*line 1~N9*ZZ*x~MSG*a~N1*ST*depot~N4*Y~REF*ZZ*of the depot~"
    "PO1*2*1*EA~REF*IA*line 2~REF*IB*line 2 too~CTT*2~"
)
ORDER = interchange(BODY, release="004010", version="00401")
TREE = interchange(
    "856 BSN*00*1*20240101*1200~HL*1**S~TD1*CTN~N1*SF*from~N4*A~HL*2*1*O~PRF*1~HL*3*2*I~LIN**UP*1~"
    "HL*4*1*O~PRF*2~"
)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        (":REF[*].02", ["heading"]),
        (":N1[*].02", ["buyer"]),
        (":N1[*]:REF[*].02", ["of the party"]),
        (":PO1[*].01", ["1", "2"]),
        ("PO1[*]:REF[*].02", ["line 1", "line 2", "line 2 too"]),
        ("PO1[*]>REF[*].02", ["line 1", "of the depot", "line 2", "line 2 too"]),
        ("PO1[2]:REF[-1].02", ["line 2 too"]),
        ("PO1[*]:N1[*]:N4[*].01", ["Y"]),
        ("PO1[*]:N4[*].01", []),
        ("PO1:REF[01=IA].02", ["line 1"]),
        (":N4[*].01", []),
        (":BEG03", ["1"]),
        ("BEG:REF[*].02", []),
    ],
)
def test_inner_loops_are_left_out(path: str, values: list[str]) -> None:
    outcome = outcome_of([rule(path, "t", on_duplicate="append")], ORDER)
    assert [value for _, value in outcome.writes[0].entries] == values
    assert not outcome.warnings


def test_a_wildcard_counts_what_is_left() -> None:
    outcome = outcome_of([rule("PO1[*]:REF[*].02", "t[*].u[*]")], ORDER)
    assert outcome.writes[0].entries == [
        ((0, 0), "line 1"),
        ((1, 0), "line 2"),
        ((1, 1), "line 2 too"),
    ]


@pytest.mark.parametrize(
    ("path", "values"),
    [
        (":HL[*].01", ["1", "2", "3", "4"]),
        ("HL[01=1]:HL[*].01", ["2", "4"]),
        ("HL[01=1]:N1[*].02", ["from"]),
        ("HL[01=1]:N4[*].01", []),
        ("HL[*]:PRF.01", ["1", "2"]),
    ],
)
def test_a_level_holds_its_own_segments_and_its_children(path: str, values: list[str]) -> None:
    outcome = outcome_of([rule(path, "t", on_duplicate="append")], TREE)
    assert [value for _, value in outcome.writes[0].entries] == values


def test_without_a_structure_table_it_is_guessed_and_said() -> None:
    text = interchange("123 N1*ST~REF*A*1~PO1*1~REF*A*2~")
    outcome = outcome_of([rule(":REF[*].02", "a[*]"), rule("PO1:REF.02", "b")], text)
    assert [each.entries for each in outcome.writes] == [[((0,), "1"), ((1,), "2")], [((), "2")]]
    assert [each.code for each in outcome.warnings] == ["loop_scope_guessed"] * 2


def test_what_has_no_place_stands_directly_nowhere() -> None:
    text = ORDER.replace("MSG*a~", "ZZZ*1~REF*ZZ*lost~")
    assert values_of(rule("PO1[*]:ZZZ[*].01", "t[*].u[*]"), text) == []
    assert values_of(rule("ZZZ:REF.02"), text) == ["lost"]
    assert values_of(rule("ZZZ[1].01"), text) == ["1"]


def test_what_comes_too_late_stands_where_it_should_have_come() -> None:
    text = ORDER.replace("PO1*1*1*EA~", "PO1*1*1*EA~CTB*OR*x~CUR*BY*USD~").replace(
        "BEG*00*SA*1**20240101~REF*DP*heading~",
        "BEG*00*SA*1**20240101~DTM*002*20240102~REF*DP*heading~",
    )
    assert values_of(rule("PO1[1]:CUR.02"), text) == ["USD"]
    assert values_of(rule(":REF[*].02", "t[*]"), text) == ["heading"]
    assert values_of(rule(":DTM[*].02", "t[*]"), text) == ["20240102"]
    assert values_of(rule("PO1[1]:REF[*].02", "t[*]"), text) == ["line 1"]
    assert values_of(rule("PO1[1]>CUR.02"), text) == ["USD"]
    assert values_of(rule(":CUR.02"), text) == []
