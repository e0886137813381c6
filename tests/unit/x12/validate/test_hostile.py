"""Hostile documents: validated and acknowledged in linear time, with a limited list of findings."""

import gc
import time
from collections.abc import Callable

import pytest

from longshore.engine.validate import validate
from longshore.x12.validate.reports import MAX_ERRORS
from longshore.x12.validate.validation import MAX_ANSWERED_FINDINGS
from tests.unit.x12.acks.acknowledged import a_document

GUIDE = "005010X222A1"
SMALL = 1_500  # segments, or whatever a kind is made of; the larger document has four times as many
MAX_TIMES = 7.0
MAX_MESSAGE = 300
LEAST_SECONDS = 0.02  # below it a ratio says nothing


def order(*body: str) -> str:
    return a_document("004010", ("ST*850*0001", *body, f"SE*{len(body) + 2}*0001"))


def notice(*body: str) -> str:
    body = ("BSN*00*S1*20260115*0930", *body)
    return a_document("005010", ("ST*856*0001", *body, f"SE*{len(body) + 2}*0001"), group_id="SH")


def claim(*body: str) -> str:
    body = ("BHT*0019*00*1*20260115*0930*CH", *body)
    segments = (f"ST*837*0001*{GUIDE}", *body, f"SE*{len(body) + 2}*0001")
    return a_document(GUIDE, segments, group_id="HC")


def cycle(count: int, *segments: str) -> list[str]:
    return [*segments] * (count // len(segments))


LINES = ("PO1*1*1*EA*1", "PID*F****A", "SCH*1*EA***002*20260101", "N1*ST*A")
KINDS: dict[str, Callable[[int], str]] = {
    "bad elements": lambda n: order(*cycle(n, "PO1*1*x*EA*1.2.3*ZZ*BP")),
    "unknown segments": lambda n: order(*cycle(n, "QQQ*1")),
    "unknown segments, each another": lambda n: order(*(f"Q{at:X}*1" for at in range(n))),
    "segments of other sets": lambda n: order(*cycle(n, "CLM*1")),
    "segments out of order": lambda n: order(*cycle(n, "CTT*1", "BEG*00*SA*1**20260115")),
    "one segment too often": lambda n: order(*cycle(n, "BEG*00*SA*1**20260115")),
    "loops in the wrong order": lambda n: order("CTT*1", *cycle(n, *reversed(LINES))),
    "loops repeated": lambda n: order("BEG*00*SA*1**20260115", *cycle(n, *LINES)),
    "loops without a trigger": lambda n: order(*cycle(n, "SCH*1*EA***002*20260101", "ZZZ*1")),
    "late and early in turns": lambda n: order(
        *cycle(n, "PO1*1", "CUR*BY*USD", "N1*ST*A", "REF*DP*1")
    ),
    "levels in one another": lambda n: notice(*(f"HL*{at}*{at - 1}*S" for at in range(1, n))),
    "levels without a parent": lambda n: notice(*(f"HL*{at}*x*S" for at in range(1, n))),
    "levels of one number": lambda n: notice(*cycle(n, "HL*1*1*S")),
    "levels nested by a guide": lambda n: claim(
        *(f"HL*{at}*{at - 1}*{20 + 2 * (at % 2)}*1" for at in range(1, n))
    ),
    "codes a guide does not have": lambda n: claim(*(f"NM1*{at % 900}*2*A" for at in range(n))),
    "claims without anything": lambda n: claim("HL*1**20*1", "HL*2*1*22*0", *cycle(n, "CLM*1*1")),
    "repetitions": lambda n: claim("CLM*1*1", "HI*" + "^".join(cycle(n, "ABK:A1", "ZZ:B2"))),
    "repetitions of a code": lambda n: claim("CLM*1*1", "EB*1**" + "^".join(cycle(n, "30", "x"))),
    "components": lambda n: claim("CLM*1*1", "HI*" + ":".join(cycle(n, "ABK"))),
    "elements": lambda n: order("PO1*" + "*".join(cycle(n, "EA"))),
    "element separators": lambda n: order("PO1" + "*" * n * 20),
    "component separators": lambda n: claim("HI*" + ":" * n * 20),
    "repetition separators": lambda n: claim("HI*" + "^" * n * 20),
    "sets": lambda n: a_document("004010", *cycle(n, ("ST*850*1", "PO1*x", "SE*3*1"))),  # type: ignore[arg-type]  # tuples of one length
    "set headers": lambda n: a_document("004010", cycle(n, "ST*850*0001")),
    "control segments in a set": lambda n: order(*cycle(n, "TA1*1", "PO1*x")),
    "sets that no definition knows": lambda n: a_document(
        "004010", [f"ST*{at % 900 + 100}*{at:04d}" for at in range(n)]
    ),
    "versions of the group": lambda n: a_document(
        "004010",
        [each for at in range(n // 2) for each in (f"GS*PO*A*B*1*1*1*X*{at:06d}", "ST*850*1")],
    ),
}


def seconds(document: str) -> float:
    """Return the CPU time of one run, without what the collector makes of all other objects."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    validate(document)
    spent = time.process_time() - start
    gc.enable()
    return spent


@pytest.mark.parametrize("kind", KINDS)
def test_the_time_grows_with_the_document_and_no_faster(kind: str) -> None:
    build = KINDS[kind]
    validate(build(60))  # patterns are compiled once
    ratio, small, large = 0.0, [], []
    for _ in range(5):  # another process may disturb some of them
        small.append(seconds(build(SMALL)))
        large.append(seconds(build(4 * SMALL)))
        ratio = min(large) / max(min(small), LEAST_SECONDS)
        if ratio < MAX_TIMES:
            return
    pytest.fail(f"four times the document took {ratio:.1f} times the time")


@pytest.mark.parametrize("kind", KINDS)
def test_the_findings_listed_are_limited_and_all_are_counted(kind: str) -> None:
    validated = validate(KINDS[kind](SMALL))
    validation = validated.validation
    assert len(validation.findings) <= min(validation.finding_count, MAX_ANSWERED_FINDINGS)
    assert validation.is_truncated == (len(validation.findings) < validation.finding_count)
    assert all(len(each.message) < MAX_MESSAGE for each in validation.findings)


def test_a_count_beyond_the_list_is_exact() -> None:
    validated = validate(KINDS["unknown segments"](12_000))
    assert validated.validation.error_count == 12_000 + 2  # BEG and PO1 are missing
    (result,) = validated.validation.results.values()
    assert result.error_count == 12_000 + 2
    assert len(result.findings) == MAX_ERRORS
    assert validated.acknowledgement.is_truncated
