"""Any text gives a result or a refusal of the catalogue; the result is sound JSON."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.engine import parse
from longshore.kit.errors import LongshoreError
from longshore.x12.findings import ACK_CODES, FindingCode, Severity
from tests.unit.x12.documents import result_of
from tests.unit.x12.generated import documents

KEY = re.compile(
    r"(ST\[(0|[1-9][0-9]*)\]/)?[A-Za-z0-9]{1,15}(\[[1-9][0-9]*\])?\.[0-9]{2,3}"
    r"(\[[1-9][0-9]*\])?(\.[0-9]{2,3})?"
)
REFUSALS = {"document_empty", "document_unparseable", "document_not_x12"}
WORDS = {each.value for each in FindingCode}
any_text = st.one_of(documents, st.text(max_size=300), st.text(max_size=40).map("ISA*".__add__))


def result_or_refusal(
    document: str | bytes, include: Sequence[str] = ()
) -> dict[str, object] | None:
    """Return the result; None if it is refused with a code of the catalogue."""
    try:
        return result_of(document, include=include)
    except LongshoreError as refused:
        if refused.code in REFUSALS:
            return None
        raise


@given(text=any_text)
def test_any_text_gives_sound_json_or_a_refusal(text: str) -> None:
    result = result_or_refusal(text, include=["segments", "tree"])
    if result is None:
        return
    assert isinstance(result["fields"], dict)
    assert [key for key in result["fields"] if not KEY.fullmatch(key)] == []
    assert isinstance(result["segments"], list)
    assert len(result["segments"]) == result["segment_count"]


@given(data=st.binary(max_size=300))
def test_any_octets_give_a_result_or_a_refusal(data: bytes) -> None:
    result_or_refusal(data)


@given(text=documents)
def test_findings_name_a_place_in_the_document_and_their_words_are_closed(text: str) -> None:
    try:
        parsed = parse(text)
    except LongshoreError:
        return
    lines = text.count("\n") + 1
    for finding in (*parsed.errors, *parsed.warnings):
        assert finding.code in WORDS
        assert finding.ack_code == ACK_CODES.get(FindingCode(finding.code))
        assert (finding.severity is Severity.ERROR) == (finding in parsed.errors)
        assert finding.offset is not None
        assert 0 <= finding.offset <= len(text)
        assert finding.line == 1 + text.count("\n", 0, finding.offset) <= lines


@pytest.mark.timeout(300)  # a long text may be drawn while the machine is busy
@given(text=documents)
def test_every_filled_element_is_in_fields_or_its_segment_in_a_finding(text: str) -> None:
    result = result_or_refusal(text, include=["segments"])
    if result is None:
        return
    fields, segments, findings = result["fields"], result["segments"], result["warnings"]
    assert isinstance(fields, dict)
    assert isinstance(segments, list)
    assert isinstance(findings, list)
    if any(each["code"] == FindingCode.FINDINGS_TRUNCATED for each in findings):
        return  # it says that there are more than it names
    starts = {each["offset"] for each in findings}
    for segment in segments:
        for position, element in enumerate(segment["e"], 1):
            key = f"{segment['key']}.{position:02d}"
            first = element[0] if isinstance(element, list) else element
            if isinstance(first, dict):
                first = first["b64"]
            if first.rstrip(" ") and segment["span"][0] not in starts:
                assert fields[key] == first if segment["id"] != "ISA" else fields[key]
