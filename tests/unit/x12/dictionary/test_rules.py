"""Element rules of guides."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.lines import DictionaryError, FileLine, Releases
from longshore.x12.dictionary.model import STANDARD, ElementRule
from longshore.x12.dictionary.rules import read_rules
from tests.unit.x12.dictionary.texts import faults

LINE = FileLine("g.xd", 7, 1, ("REF",), Releases())


def test_requirement_repetitions_lengths_and_codes() -> None:
    assert read_rules(LINE, '01R=A|"B C"  02Sx3:1/30 03N 05-06S:2/2=Z', STANDARD) == {
        1: ElementRule(requirement="R", codes=("A", "B C")),
        2: ElementRule(requirement="S", repeat=3, minimum=1, maximum=30),
        3: ElementRule(requirement="N"),
        5: ElementRule(requirement="S", minimum=2, maximum=2, codes=("Z",)),
        6: ElementRule(requirement="S", minimum=2, maximum=2, codes=("Z",)),
    }


def test_components_of_a_range_of_composites() -> None:
    parts = {1: ElementRule(requirement="R", codes=("BK",)), 2: ElementRule(requirement="S")}
    assert read_rules(LINE, "01-02S(01R=BK 02S)", STANDARD) == {
        1: ElementRule(requirement="S", components=parts),
        2: ElementRule(requirement="S", components=parts),
    }


def test_rules_and_those_of_components_belong_to_their_guide() -> None:
    rule = read_rules(LINE, "01R(01R)", "G")[1]
    assert (rule.layer, rule.components[1].layer) == ("G", "G")


def test_no_rules() -> None:
    assert read_rules(LINE, "", STANDARD) == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1R", "no element rule such as 02R=1|2: 1R"),
        ("01M", "no element rule such as 02R=1|2: 01M"),
        ("01R=", "no element rule such as 02R=1|2: ="),
        ("01R 01S", "position 01 is ruled twice"),
        ("02S 01-03R", "position 02 is ruled twice"),
        ("01R)", "a parenthesis too many"),
        ("01R(02R", "a parenthesis is not closed"),
        ("01R(02R(01R))", "a component has no components"),
        ("03-01R", "03-01 is no range"),
    ],
)
def test_wrong_rules(text: str, reason: str) -> None:
    with pytest.raises(DictionaryError) as raised:
        read_rules(LINE, text, "G")
    assert faults(raised) == [(7, reason)]
