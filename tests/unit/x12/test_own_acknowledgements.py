"""What we send as acknowledgement is faultless by the definitions we validate others by."""

from pathlib import Path

import pytest

from longshore.engine import validate
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import Definition, ElementType, Loop, Node, SegmentUse
from tests.docs.pages import ROOT

CLAIM = (Path(ROOT) / "samples/837p_claim/input.edi").read_text(encoding="utf-8")


def uses(body: tuple[Node, ...]) -> list[SegmentUse]:
    """Return all segments of a body, those in loops included."""
    found: list[SegmentUse] = []
    for node in body:
        found += uses(node.body) if isinstance(node, Loop) else [node]
    return found


def loop_id_lengths(definition: Definition | None) -> set[tuple[int, int]]:
    """Return the limits of element 447 in a definition."""
    assert definition is not None
    types = [each.type for use in uses(definition.body) for each in use.segment.uses]
    simple = [each for each in types if isinstance(each, ElementType)]
    return {(each.minimum, each.maximum) for each in simple if each.number == "447"}


@pytest.mark.parametrize(
    ("set_id", "release", "guide", "lengths"),
    [
        ("997", "004010", None, (1, 4)),
        ("997", "005010", None, (1, 6)),
        ("999", "005010", "005010X231A1", (1, 6)),
    ],
)
def test_a_loop_id_has_room_for_those_of_guides_since_005010(
    set_id: str, release: str, guide: str | None, lengths: tuple[int, int]
) -> None:
    assert loop_id_lengths(shipped().definition(set_id, release, guide)) == {lengths}


def test_a_999_that_names_a_loop_of_six_characters_is_valid() -> None:
    text = CLAIM.replace("N4*EASTLING*ME*", "N4**ME*")
    ack = validate(text).ack
    assert "~IK3*N4*10*2010AA*8~IK4*1*19*1~" in ack
    validated = validate(ack)
    assert (validated.findings, validated.validation.guide) == ((), "005010X231A1")
    assert validated.validation.definition == "exact"


def test_a_999_that_names_a_missing_st03_is_valid() -> None:
    ack = validate(CLAIM.replace("*0731*005010X222A1~", "*0731~")).ack
    assert "~IK3*ST*1**8~IK4*3*1705*1~IK5*R*I5~" in ack
    assert validate(ack).findings == ()
