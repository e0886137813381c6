"""Nothing is dropped: each character is in a segment, in skipped filler, or a finding names it."""

import json
import re

from hypothesis import given

from longshore.engine import parse
from longshore.kit.errors import LongshoreError
from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.layout import FILLER, scout
from tests.unit.x12.documents import an_850, segments_of
from tests.unit.x12.generated import documents, wrapped_documents

COUNT = re.compile(r"([0-9]+) characters")
COUNTED = re.compile(r"(empty_segment|trailing_data) ([0-9]+)")


def unaccounted(text: str) -> str:
    """Return the characters that no segment, terminator, or finding accounts for."""
    parsed = parse(text, include=["segments"])
    result = json.loads(parsed.result_json())
    covered = [False] * len(text)

    def cover(start: int, end: int) -> None:
        assert 0 <= start <= end <= len(text)
        covered[start:end] = [True] * (end - start)

    is_wrapped = any(each["code"] == "wrapped_lines" for each in result["warnings"])
    fragment = scout((text,), NO_OVERRIDES).fragment
    terminators = {each["seg_term"] for each in result["interchanges"]}
    terminators |= {fragment.segment} if fragment else set()
    for segment in result["segments"]:
        start, end = segment["span"]
        cover(start, end)
        if is_wrapped:
            end += len(text[end:]) - len(text[end:].lstrip("\r\n"))
        for terminator in terminators:
            if text.startswith(terminator, end):
                cover(end, end + len(terminator))
    for finding in (*result["warnings"], *result["errors"]):
        at = finding["offset"]
        if finding["code"] in {"leading_garbage", "trailing_data"}:
            count = COUNT.match(finding["message"])
            assert count is not None
            cover(at, at + int(count[1]))
        elif finding["code"] == "empty_segment":
            cover(at, at + 1)
    runs = uncovered_runs(text, covered)
    return "".join(without_counted(runs, result["warnings"], terminators))


def uncovered_runs(text: str, covered: list[bool]) -> list[str]:
    """Return the stretches that nothing covers and that are more than filler, in order."""
    marked = "".join(
        "\0" if is_covered else character if character != "\0" else " "
        for character, is_covered in zip(text, covered, strict=True)
    )
    return [run for each in marked.split("\0") if (run := each.strip(FILLER))]


def without_counted(
    runs: list[str], warnings: list[dict[str, str]], terminators: set[str]
) -> list[str]:
    """Leave out what a full list of findings only counts: empty segments, data not read."""
    counts: dict[str, int] = {}
    for each in warnings:
        if each["code"] == "findings_truncated":
            counts |= {code: int(count) for code, count in COUNTED.findall(each["message"])}
    ends = "|".join(re.escape(each) for each in sorted(terminators, key=len, reverse=True))
    empty = [run for run in runs if re.fullmatch(f"(?:{ends})+", run)]
    if sum(len(re.findall(ends, run)) for run in empty) <= counts.get("empty_segment", 0):
        runs = [run for run in runs if run not in empty]
    return runs if len(runs) > counts.get("trailing_data", 0) else []


@given(text=documents)
def test_every_character_of_any_text_is_accounted_for(text: str) -> None:
    try:
        left = unaccounted(text)
    except LongshoreError:
        return  # refused as a whole
    assert left == ""


@given(text=wrapped_documents)
def test_every_character_of_a_wrapped_document_is_accounted_for(text: str) -> None:
    assert unaccounted(text) == ""


def test_empty_segments_beyond_the_list_of_findings_are_counted() -> None:
    document = an_850("MSG*" + "*".join(["é"] * 400), "", "", "REF*DP*1")
    assert unaccounted(document) == ""
    warnings = json.loads(parse(document).result_json())["warnings"]
    assert warnings[-1]["code"] == "findings_truncated"
    assert warnings[-1]["message"].endswith("more: empty_segment 2")


def test_the_elements_of_a_segment_and_its_id_make_up_its_text() -> None:
    document = an_850("BEG*00**PO-1* *", "ref*A**", break_="\r\n")
    for segment in segments_of(document):
        start, end = segment["span"]
        elements = [each for each in segment["e"] if isinstance(each, str)]
        assert document[start:end] == "*".join([segment["id"], *elements])
