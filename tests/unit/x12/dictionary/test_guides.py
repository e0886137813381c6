"""Guides narrow the standard: which position each line is about, and what it may say."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.model import ElementRule, Loop
from tests.unit.x12.dictionary.texts import (
    GUIDE,
    defined,
    faults,
    loop_at,
    outline,
    small,
    use_at,
)

ON = 'guide 005010X999 on 837@005010 "x"\n'


def refused(lines: str) -> list[tuple[int, str]]:
    known = small({"guides/005010X999.xd": ON + lines})
    with pytest.raises(DictionaryError) as raised:
        known.definition("837", "005010", "005010X999")
    return faults(raised)


def test_a_guide_is_a_body_of_its_own() -> None:
    guide = defined("837", "005010", "005010X999")
    assert (guide.guide, guide.layer, guide.title) == (
        "005010X999",
        "005010X999",
        "Claim as we like it",
    )
    assert guide.base == defined("837", "005010")
    assert outline(guide.body) == [
        *("BHT R1", "REF S1 as version"),
        *("loop 1000A R1 as submitter", ["NM1 R1"]),
        *("loop 1000B R1 as receiver", ["NM1 R1"]),
        "loop 2000A R* as providers",
        [
            "HL R1",
            *("loop 2010AA R1 as provider", ["NM1 R1"]),
            "loop 2000B R* as subscribers",
            [
                "HL R1",
                *("loop 2300 S100 as claims", ["CLM R1", "HI R1 as principal", "HI S2 as others"]),
            ],
        ],
    ]


def test_rules_carry_the_guide_as_layer_down_to_components() -> None:
    guide = defined("837", "005010", "005010X999")
    layer = "005010X999"
    version = use_at(guide, "version")
    assert version.rules == {
        1: ElementRule(requirement="R", codes=("87",), layer=layer),
        2: ElementRule(requirement="R", minimum=5, maximum=20, layer=layer),
    }
    assert (version.is_closed, version.layer) == (True, layer)
    assert not use_at(guide, "receiver", "NM1").is_closed
    claim = use_at(guide, "providers", "subscribers", "claims", "CLM")
    assert claim.rules[2].components == {
        1: ElementRule(requirement="R", codes=("11", "1 2"), layer=layer),
        2: ElementRule(requirement="S", layer=layer),
    }
    others = use_at(guide, "providers", "subscribers", "claims", "others")
    assert others.rules[2].repeat == 2


def test_what_the_standard_demands_is_asked_of_the_first_of_several() -> None:
    guide = defined("837", "005010", "005010X999")
    outer = loop_at(guide, "providers")
    inner = loop_at(guide, "providers", "subscribers")
    assert (outer.base_requirement, inner.base_requirement) == ("M", "O")
    assert (outer.base_maximum, inner.base_maximum) == (0, 0)
    loops = [node for node in guide.body if isinstance(node, Loop)]
    assert [(loop.base_requirement, loop.base_maximum) for loop in loops[:2]] == [("O", 10)] * 2
    assert use_at(guide, "BHT").base_requirement == "M"


def test_a_position_not_used_is_left_out() -> None:
    guide = defined("837", "005010", "005010X999")
    assert GUIDE.count("  REF ") == 2
    assert [use.label for _, use in guide.positions() if use.segment.id == "REF"] == ["version"]


def test_where_the_standard_has_several_alike_the_next_one_forward_is_narrowed() -> None:
    text = 'set 837 HC 005010 "x"\n  REF M3\n  BHT O1\n  REF O5\n'
    known = small({"sets/837.xd": text, "guides/005010X999.xd": f"{ON}{LINES}"})
    body = defined("837", "005010", "005010X999", known).body
    assert [(node.label, node.base_requirement, node.base_maximum) for node in body] == [
        ("a", "M", 3),
        ("b", "O", 3),
        ("", "O", 1),
        ("c", "O", 5),
    ]


LINES = """  REF R1 as a when REF.01=AA : 01R
  REF S1 as b when REF.01=BB : 01R
  BHT R1
  REF S1 as c : 01R
"""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("N3 S1", "the standard has no N3 at this place"),
        ("loop 1000 R1\n    BHT R1", "the standard has no 1000 at this place"),
        ("REF S4", "the standard allows REF 3 times here"),
        ("REF S*", "the standard allows REF 3 times here"),
        ("REF S1 : 01R 05S", "REF has no position 05"),
        ("REF S1 : 00R 01R", "REF has no position 00"),
        ("REF S1 : 02R", "the standard demands REF.01"),
        ("REF S1 : 01N", "the standard demands REF.01"),
        ("REF S1 : 01Rx2", "the standard allows REF.01 1 times"),
        ("REF S1 : 01R:1/3", "the standard allows REF.01 2 to 3 characters"),
        ("REF S1 : 01R:2/4", "the standard allows REF.01 2 to 3 characters"),
        ("REF S1 : 01R:3/2", "the standard allows REF.01 2 to 3 characters"),
        ("REF S1 : 01R=A", "the code A does not fit element 128 of 2 to 3"),
        ("REF S1 : 01R(01R)", "REF.01 has no components"),
        ("REF S1 : 01R 04S=AA", "REF.04 is a composite: its components have codes and lengths"),
        ("REF S1 : 01R 04S:1/2", "REF.04 is a composite: its components have codes and lengths"),
        ("REF S1 : 01R 04S(01R)", "the standard demands REF.04.02"),
        ("REF S1 : 01R 04S(01R 02R 09S)", "REF.04 has no position 09"),
        ("REF S1 when REF.07=AA", "REF has no element 07"),
    ],
)
def test_what_a_guide_may_not_say(line: str, reason: str) -> None:
    assert refused(f"  {line}\n") == [(2, reason)]


def test_levels_need_a_standard_with_levels() -> None:
    text = 'set 837 HC 005010 "x"\n  BHT O1\n'
    guide = f"{ON}  loop 2000A R1\n    HL R1\n"
    known = small({"sets/837.xd": text, "guides/005010X999.xd": guide})
    with pytest.raises(DictionaryError) as raised:
        known.definition("837", "005010", "005010X999")
    assert faults(raised) == [(2, "the standard has no 2000A at this place")]


def test_all_faults_of_a_guide_are_named_at_once() -> None:
    assert refused("  BHT R2\n  loop 2000A R1\n    HL R1 : 01R\n    CLM R1\n") == [
        (2, "the standard allows BHT 1 times here"),
        (4, "the standard demands HL.03"),
        (5, "the standard has no CLM at this place"),
    ]


def test_a_guide_over_two_sets_stands_in_two_files() -> None:
    text = 'guide 005010X999 on 850@005010 "y"\n  BEG R1\n'
    known = small({"guides/005010X999.850.xd": text})
    assert defined("850", "005010", "005010X999", known).title == "y"
    assert defined("837", "005010", "005010X999", known).title == "Claim as we like it"
    assert known.guides() == ("005010X999",)
