"""What a review by other eyes found: broken documents, and what is said of each.

From the text of a document to its findings and acknowledgement, as users meet them. Source:
docs/reference/x12.md sections 1.2, 1.3, 2.2 and 2.4.
"""

from pathlib import Path

import pytest

from longshore.engine.validate import validate
from longshore.x12.acks.build import preview_acks
from longshore.x12.findings import Severity
from longshore.x12.validate.validation import Options
from longshore.x12.validate.validation import validate as validate_text
from tests.unit.x12.documents import a_set, an_850, interchange, isa

CLAIM = Path(__file__).parents[3] / "samples" / "837p_claim" / "input.edi"
GUIDE = "005010X222A1"
BEG = "BEG*00*SA*PO-1**20240115"
LINE = "PO1*1*1*EA*9"
LEAD_TIME = "LDT*AF*5*DA*20240101"


def released(*body: str) -> str:
    """Return an 850 in an interchange of 007040 in which ``?`` is the release character."""
    group = "GS*PO*SENDER*RECEIVER*20240115*0930*7*X*005010"
    head = isa(e11="^", e12="00704")
    inside = ("ISX*?", group, *a_set(BEG, *body), "GE*1*7", "IEA*1*000000101")
    return interchange(*inside, head=head)


def a_claim(old: str, new: str, *, segments: int = 43) -> str:
    """Return a claim of 43 segments with one text changed."""
    text = CLAIM.read_text("utf-8")
    assert old in text
    return text.replace(old, new, 1).replace("SE*43*", f"SE*{segments}*")


def said(text: str) -> list[tuple[str, int | None, int | None, int | None, str]]:
    """Return the errors: code, position, element, component and layer."""
    return [
        (
            each.code,
            each.segment_position,
            each.element_position,
            each.component_position,
            each.layer,
        )
        for each in validate(text).findings
        if each.severity is Severity.ERROR
    ]


def answer(text: str, ack_type: str = "auto") -> str:
    """Return the acknowledgement from behind AK2 to the result of the set."""
    segments = validate(text, ack_type=ack_type).ack.split("~")
    first = next(at for at, each in enumerate(segments) if each.startswith("AK2*"))
    last = next(at for at, each in enumerate(segments) if each.startswith("AK9*"))
    return "~".join(segments[first + 1 : last])


# ---- a release character ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "segment", ["REF*DP*A?*B", "REF*DP*1?^2", "REF*DP*1**DP>A?>B", "REF*DP*" + "A" * 49 + "??"]
)
def test_a_released_separator_is_data_of_its_element(segment: str) -> None:
    assert said(released(segment, LINE)) == []


def test_a_released_separator_is_no_excuse_for_the_rest() -> None:
    text = released("REF*DP*" + "A" * 50 + "?*", "REF*DP*1**DP>A?>B>ZZ", LINE)
    assert said(text) == [
        ("element_too_long", 3, 2, None, "standard"),
        ("element_condition_missing", 4, 4, 4, "standard"),
    ]
    assert answer(text) == "AK3*REF*3**8~AK4*2*127*5~AK3*REF*4**8~AK4*4>4*127*2~AK5*R*5"


# ---- what surrounds an error --------------------------------------------------------------------


def test_a_997_names_the_loop_that_ls_begins() -> None:
    text = an_850(BEG, LINE, "LS*LDT", LEAD_TIME.replace("*5*", "*x*"), "LE*LDT")
    assert answer(text) == "AK3*LDT*5*LDT*8~AK4*2*380*6~AK5*R*5"
    assert answer(an_850(BEG, LINE, "LS*LDT", LEAD_TIME)) == "AK3*LE*6*LDT*3~AK5*R*5"


def test_a_999_names_the_claim() -> None:
    text = a_claim("*D8*20260324", "*D8*20260230")
    assert answer(text) == ("IK3*DTP*23*2400*8~CTX*CLM01:WL-30071~IK4*3*1251*8*20260230~IK5*R*5")


def test_a_ta1_alone_needs_nothing_of_that() -> None:
    text = an_850(BEG, LINE, "LS*LDT", LEAD_TIME)
    ack = validate(text, ack_type="TA1").ack
    assert ack.split("~")[1] == "TA1*000000101*240115*0930*A*000"


# ---- what only the guide forbids ----------------------------------------------------------------


def test_a_segment_that_only_the_guide_does_not_use() -> None:
    text = a_claim("N3*12 WINTERS", "N2*X~\nN3*12 WINTERS", segments=44)
    assert said(text) == [("segment_not_used", 9, None, None, GUIDE)]
    assert answer(text).endswith("*I4~IK5*R*I5")
    assert answer(text, "997") == "AK5*A"


def test_a_place_that_only_the_guide_refuses() -> None:
    text = a_claim("HI*ABK:Z0000", "DTP*472*D8*20260324~\nHI*ABK:Z0000", segments=44)
    assert said(text) == [("segment_unexpected", 20, None, None, GUIDE)]
    assert answer(text) == "IK3*DTP*20*2300*2~CTX*CLM01:WL-30071~IK5*R*I5"
    assert answer(text, "997") == "AK5*A"


def test_a_level_that_only_the_guide_orders() -> None:
    text = a_claim("HL*2*1*22", "HL*2*1*23")
    assert {layer for *_, layer in said(text)} == {GUIDE}
    assert answer(text, "997") == "AK5*A"


def test_a_place_that_the_standard_refuses_too() -> None:
    address = "N3*12 WINTERS LANE~\n"
    text = a_claim(address + "N4*EASTLING*ME*049970001~\n", f"N4*EASTLING*ME*049970001~\n{address}")
    assert said(text) == [("segment_out_of_order", 10, None, None, "standard")]
    assert answer(text, "997") == "AK3*N3*10**7~AK5*R*5"


# ---- order, words -------------------------------------------------------------------------------


def test_notes_stand_in_the_order_of_the_set() -> None:
    text = a_claim("HL*2*1*22", "HL*2*1*23")
    positions = [
        int(each.split("*")[2]) for each in answer(text).split("~") if each.startswith("IK3*")
    ]
    assert positions[0] == 12
    assert positions == sorted(positions)


@pytest.mark.parametrize(
    ("segment", "length", "maximum"),
    [
        ("REF*DP*" + "A" * 200, 200, 30),
        ("REF*DP*1**DP>" + "A" * 120, 120, 30),
        ("PO1*1*-1234567890.123456*EA", 16, 15),
    ],
)
def test_a_message_tells_the_length_that_counts(segment: str, length: int, maximum: int) -> None:
    finding = validate(an_850(BEG, segment, LINE)).findings[0]
    assert finding.message.endswith(f" has {length} characters, at most {maximum} are allowed")


# ---- the frame, and segments of nothing ---------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "note"),
    [
        ("ST*850*0001", "SE*4*0001*X", "AK3*SE*4**8~AK4*3**3*X"),
        ("ST*850*0001", "SE*4*0001**X", "AK3*SE*4**8~AK4*3**3"),
        ("ST*850*0001*X", "SE*4*0001", "AK3*ST*1**8~AK4*3**3*X"),
        ("ST*850*0001*X", "SE*4*0001***Y", "AK3*ST*1**8~AK4*3**3*X~AK3*SE*4**8~AK4*3**3"),
    ],
)
def test_a_frame_with_too_many_elements(first: str, last: str, note: str) -> None:
    text = an_850(BEG, LINE).replace("ST*850*0001", first).replace("SE*4*0001", last)
    assert {each[0] for each in said(text)} == {"too_many_elements"}
    assert answer(text) == f"{note}~AK5*R*5"


def test_a_frame_that_is_as_it_should_be() -> None:
    text = an_850(BEG, LINE)
    assert said(text) == []
    assert said(text.replace("SE*4*0001", "SE*4*0001***")) == []
    newer = text.replace("*004010~", "*005010~")
    assert said(newer.replace("ST*850*0001", "ST*850*0001*X")) == []


def test_the_frame_of_a_release_or_set_we_do_not_know_is_left_alone() -> None:
    text = an_850(BEG, LINE).replace("ST*850*0001", "ST*850*0001*X")
    assert said(text.replace("*004010~", "*004060~")) == []
    assert said(text.replace("*004010~", "*002040~")) == []
    unknown = text.replace("ST*850", "ST*199")
    assert said(unknown) == []


@pytest.mark.parametrize("segment", ["PO1", "PO1*", "PO1***"])
def test_a_segment_has_one_element_at_least(segment: str) -> None:
    text = an_850(BEG, segment)
    assert said(text) == [("element_missing", 3, 1, None, "standard")]
    assert answer(text) == "AK3*PO1*3**8~AK4*1*350*1~AK5*R*5"


# ---- leniency -----------------------------------------------------------------------------------


def test_what_is_only_a_warning_is_in_no_acknowledgement() -> None:
    text = an_850(BEG, LINE).replace("GS*PO*", "GS*IN*")
    options = Options(leniency={"set_not_in_group": Severity.WARNING})
    validation = validate_text(lambda: (text,), options=options)
    assert [each.severity for each in validation.findings] == [Severity.WARNING]
    [(_, written)] = preview_acks(validation.envelope, validation.results)
    assert "~AK5*A~AK9*A*1*1*1~" in written.text
    assert "~AK5*R*6~" in validate(text).ack
