"""ST03, which names the guide: where it is required, and what contradicts it."""

import pytest

from longshore.engine import validate
from tests.unit.x12.documents import interchange, isa

REQUIRED = ("element_missing", "005010X231A1", 1, 3, "1705", {"segment": "8", "element": "1"})
UNEXPECTED = ("set_reference_unexpected", "standard", 1, 3, "1705", {"set": "19"})
GUIDE = "005010X231A1"


def a_999(reference: str | None, version: str = GUIDE) -> str:
    opening = "ST*999*0001" if reference is None else f"ST*999*0001*{reference}"
    body = (opening, "AK1*HC*17*005010X222A1", "AK9*A*1*1*1", "SE*4*0001")
    group = (f"GS*FA*SENDER*RECEIVER*20240115*0930*7*X*{version}", *body, "GE*1*7")
    return interchange(*group, "IEA*1*000000101", head=isa(e11="^", e12="00501", e16=":"))


def of_st(text: str, guide: str = "") -> list[tuple[object, ...]]:
    return [
        (
            each.code,
            each.layer,
            each.segment_position,
            each.element_position,
            each.element_ref,
            each.ack_code,
        )
        for each in validate(text, guide=guide).findings
        if each.segment_id == "ST" and each.severity == "error"
    ]


@pytest.mark.parametrize(
    ("reference", "version", "guide", "found"),
    [
        (GUIDE, GUIDE, "", []),
        (None, GUIDE, "", [REQUIRED]),
        ("", GUIDE, "", [REQUIRED]),
        ("005010X231", GUIDE, "", [UNEXPECTED]),
        ("X", GUIDE, "", [UNEXPECTED]),
        (GUIDE, "005010", "", []),
        (GUIDE, "005010X231", "", [UNEXPECTED]),
        (None, "005010", "", []),
        ("X", "005010", "", []),
        (None, "005010", GUIDE, [REQUIRED]),
        ("005010X231", "005010", GUIDE, [UNEXPECTED]),
    ],
)
def test_a_guide_requires_its_reference(
    reference: str | None, version: str, guide: str, found: list[tuple[object, ...]]
) -> None:
    assert of_st(a_999(reference, version), guide) == found


def claim(opening: str) -> str:
    """Return an 837 of which only ST03 is validated here."""
    group = (
        "GS*HC*SENDER*RECEIVER*20240115*0930*7*X*005010X222A1",
        *(opening, "BHT*0019*00*1*20240115*0930*CH", "SE*3*0001", "GE*1*7"),
    )
    return interchange(*group, "IEA*1*000000101", head=isa(e11="^", e12="00501", e16=":"))


def test_a_999_names_the_missing_reference_and_a_997_knows_of_no_guide() -> None:
    text = claim("ST*837*0001")
    assert "~AK2*837*0001~IK3*ST*1**8~IK4*3*1705*1~" in validate(text, ack_type="999").ack
    assert "*1705*" not in validate(text, ack_type="997").ack


def test_another_reference_is_an_error_of_the_set() -> None:
    text = claim("ST*837*0001*005010X999A9")
    assert "*I6~" in validate(text, ack_type="999").ack
    assert "IK3*ST*" not in validate(text, ack_type="999").ack


@pytest.mark.parametrize("reference", [None, "005010X221A1"])
def test_the_guide_of_the_835_has_no_reference_and_bears_one(reference: str | None) -> None:
    opening = "ST*835*0001" if reference is None else f"ST*835*0001*{reference}"
    header = "GS*HP*SENDER*RECEIVER*20240115*0930*7*X*005010X221A1"
    segments = (header, opening, "SE*2*0001", "GE*1*7", "IEA*1*000000101")
    text = interchange(*segments, head=isa(e11="^", e12="00501", e16=":"))
    assert validate(text).validation.guide == "005010X221A1"
    assert of_st(text) == []


def test_a_fragment_is_held_to_the_guide_that_is_asked_for() -> None:
    text = "ST*999*0001~AK1*HC*17*005010X222A1~AK9*A*1*1*1~SE*4*0001~"
    assert of_st(text) == []
    assert of_st(text, GUIDE) == [REQUIRED]
