"""Documents read and acknowledged, with findings made by hand in place of validation's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from longshore.formats.charset import decode
from longshore.x12.acks.build import AckPlan, WrittenAck, preview_acks
from longshore.x12.acks.profile import DEFAULT_PROFILE, AckProfile, Ta1Rule, UnknownSets
from longshore.x12.findings import Finding, Severity, Trigger
from longshore.x12.results import SetResult
from longshore.x12.walk import Walk
from tests.unit.x12.documents import a_set, interchange, isa

CASES = Path(__file__).resolve().parents[3] / "cases"
ON_ERROR = AckProfile(ta1=Ta1Rule.ON_ERROR)
GUIDE = "005010X222A1"


def walked(document: str) -> Walk:
    """Return the walk through a document, at its end."""
    walk = Walk(lambda: (document,))
    for _ in walk.span_lists():
        pass
    return walk


def case(number: int) -> str:
    """Return the text of a document in tests/cases."""
    (path,) = CASES.glob(f"{number:02d}_*")
    return decode(path.read_bytes())[0]


def an_error(  # noqa: PLR0913 - a finding has as many members
    segment_id: str | None,
    position: int,
    segment: str,
    element: str = "",
    *,
    at: int | None = None,
    component: int | None = None,
    repeat: int | None = None,
    ref: str | None = None,
    value: str | None = None,
    layer: str = "standard",
    loop: str | None = None,
    trigger: Trigger | None = None,
) -> Finding:
    """Return an error about a segment, or about its element ``at`` if ``element`` is a code."""
    ack_code = {"segment": segment, "element": element} if element else {"segment": segment}
    return Finding(
        code="made_by_hand",
        severity=Severity.ERROR,
        layer=layer,
        message="",
        tx_index=1,
        segment_id=segment_id,
        segment_position=position,
        loop_id=loop,
        element_position=at,
        component_position=component,
        repeat=repeat,
        element_ref=ref,
        ack_code=ack_code,
        bad_value=value,
        trigger=trigger,
    )


def a_result(*findings: Finding) -> SetResult:
    """Return what validation says of a set with these errors."""
    result = SetResult()
    for finding in findings:
        result.add(finding)
    return result


def acknowledgements(
    document: str,
    results: Mapping[int, SetResult] | None = None,
    profile: AckProfile = DEFAULT_PROFILE,
) -> list[tuple[AckPlan, WrittenAck]]:
    """Return the acknowledgement of each interchange in preview numbers.

    Its sets are accepted though nobody has checked them: what is found is made by hand.
    """
    accepting = replace(profile, unknown_sets=UnknownSets.ACCEPT)
    return list(preview_acks(walked(document).envelope, results or {}, accepting))


def the_ack(
    document: str,
    results: Mapping[int, SetResult] | None = None,
    profile: AckProfile = DEFAULT_PROFILE,
) -> str:
    """Return the text of the only acknowledgement, ``""`` if there is none."""
    made = acknowledgements(document, results, profile)
    assert len(made) <= 1
    return made[0][1].text if made else ""


def inside(text: str, first: str) -> str:
    """Return what stands from the segment ``first`` to the SE, both left out."""
    body = text.split(f"{first}*", 1)[1].split("~SE*", 1)[0]
    return body.split("~", 1)[1] + "~"


def notes(
    *findings: Finding,
    version: str = "004010",
    set_id: str = "850",
    body: Sequence[str] = (),
    profile: AckProfile = DEFAULT_PROFILE,
) -> str:
    """Return what an acknowledgement says of a set between AK2 and AK9."""
    result = a_result(*findings)
    document = a_document(version, a_set(*body, set_id=set_id))
    text = inside(the_ack(document, {1: result}, profile), "AK2")
    return text.split("AK9*", 1)[0]


def a_document(version: str, *sets: Sequence[str], group_id: str = "PO", **elements: str) -> str:
    """Return an interchange with one group of this GS08; ``e14="1"`` sets ISA14."""
    if version >= "005010":
        elements = {"e11": "^", "e12": "00501", "e16": ":"} | elements
    gs = f"GS*{group_id}*THEM*US*20240115*0930*101*X*{version}"
    segments = [segment for each in sets for segment in each]
    return interchange(
        gs, *segments, f"GE*{len(sets)}*101", "IEA*1*000000101", head=isa(padded=True, **elements)
    )
