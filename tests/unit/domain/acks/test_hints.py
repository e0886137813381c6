"""What would have been allowed where a partner complains about a code."""

import pytest

from longshore.domain.acks.meanings import codes_hint
from longshore.domain.acks.model import AckError, AckErrorLevel
from longshore.x12.dictionary.library import shipped

GUIDE = shipped().definition("837", "005010", "005010X222A1")
STANDARD = shipped().definition("850", "004010")


def an_error(
    segment_id: str, position: int | None, component: int | None = None, loop_id: str = ""
) -> AckError:
    return AckError(
        level=AckErrorLevel.ELEMENT,
        segment_id=segment_id,
        segment_position=1,
        loop_id=loop_id,
        element_position=position,
        component_position=component,
        code="7",
        code_meaning="Invalid code value",
        source="IK4",
    )


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (an_error("BHT", 2), "Allowed here: 00, 18"),
        (an_error("NM1", 1, loop_id="2010AA"), "Allowed here: 85"),
        (an_error("CLM", 5, 2), "Allowed here: B"),
        (an_error("CLM", 1), ""),
        (an_error("CLM", 5, 9), ""),
        (an_error("CLM", 50), ""),
        (an_error("CLM", None), ""),
        (an_error("QQQ", 1), ""),
    ],
)
def test_the_guide_says_what_is_allowed(error: AckError, hint: str) -> None:
    assert GUIDE is not None
    assert codes_hint(GUIDE, error) == hint


def test_without_a_loop_every_place_of_the_segment_counts() -> None:
    assert GUIDE is not None
    hint = codes_hint(GUIDE, an_error("NM1", 1))
    assert hint.startswith("Allowed here: 41, 40, 85, 87, ")
    assert codes_hint(GUIDE, an_error("NM1", 1, loop_id="9999")) == hint


def test_a_long_list_is_whole() -> None:
    assert STANDARD is not None
    hint = codes_hint(STANDARD, an_error("PO1", 6))
    codes = hint.removeprefix("Allowed here: ").split(", ")
    assert len(codes) == 33
    assert "VP" in codes
