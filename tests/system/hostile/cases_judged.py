"""X12 documents made to hurt whoever judges them: all that hurt a reader, and as many bad ones.

``CASES`` are for every run; ``FLOODS`` take minutes of processor time and are left to
``make faults``, but for a few.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from tests.system.hostile import cases_x12
from tests.system.hostile.attack import PATIENCE_SECONDS, Case, Expected, a_request
from tests.unit.x12.acks.acknowledged import a_document

PARSE, VALIDATE = "/api/v1/parse", "/api/v1/validate"
MAX_ANSWERED_FINDINGS = 1_000
MAX_MESSAGE_CHARS = 300
JUDGED = Expected(200)
BAD_RELEASE = Expected(400, "invalid_parameter", "invalid_parameter")
GUIDE = "005010X222A1"
EFFORT = 20  # seconds of processor time; cases that take more are floods

Document = Callable[[], str]


def capped(members: dict[str, Any]) -> None:
    """Check that a validation lists no more than it may, and says how many there are."""
    said = members.get("validation", members)
    listed = said["findings"]
    assert len(listed) <= MAX_ANSWERED_FINDINGS
    assert said["finding_count"] >= len(listed)
    assert said["truncated"] is (said["finding_count"] > len(listed))
    assert said["valid"] is not any(each["severity"] == "error" for each in listed)
    assert all(0 < len(each["message"]) <= MAX_MESSAGE_CHARS for each in listed)


def truncated(members: dict[str, Any]) -> None:
    """Check that so many errors were found that not all are listed."""
    capped(members)
    said = members.get("validation", members)
    assert (said["valid"], said["truncated"], len(said["findings"])) == (
        False,
        True,
        MAX_ANSWERED_FINDINGS,
    )


def posting(
    path: str,
    name: str,
    document: Document,
    expected: Expected = JUDGED,
    *,
    check: Callable[[dict[str, Any]], None] = capped,
    cpu_seconds: float = 2,
    **members: object,
) -> Case:
    """Return the case of posting a document to ``path``; only answers are checked further."""

    def body() -> bytes:
        return json.dumps({"document": document(), **members}, ensure_ascii=False).encode()

    return Case(
        name=f"{path.rpartition('/')[2]}: {name}",
        request=lambda victim: a_request(victim.keys.sandbox, "POST", path, body=body()),
        answers=(expected,),
        path=path,
        check=check if expected.status == JUDGED.status else None,
        cpu_seconds=cpu_seconds,
        patience_seconds=max(PATIENCE_SECONDS, 5 * cpu_seconds),
    )


def both(name: str, document: Document, **options: Any) -> Iterator[Case]:  # noqa: ANN401 - of posting
    """Yield the case of a document at both doors that judge."""
    yield posting(VALIDATE, name, document, **options)
    options["cpu_seconds"] = 2 * options.get("cpu_seconds", 2)
    yield posting(PARSE, name, document, include=["validation", "tree"], **options)


# ---- what hurts a reader -----------------------------------------------------------------------

# Validation has no limit of sets: it makes nothing of each that an answer would have to hold.
_OTHERWISE = {"x12: 100,000 sets that never end": JUDGED}


def _read_before() -> Iterator[Case]:
    """Yield the cases of the parser, posted to be judged."""
    for case in cases_x12.CASES:
        (expected,) = case.answers
        expected = _OTHERWISE.get(case.name, expected)
        yield replace(
            case,
            name=f"validate: {case.name}",
            request=partial(_redirected, case),
            answers=(expected,),
            path=VALIDATE,
            check=capped if expected == JUDGED else None,
            cpu_seconds=case.cpu_seconds * 3,
            patience_seconds=max(PATIENCE_SECONDS, 15 * case.cpu_seconds),
        )


def _redirected(case: Case, victim: Any) -> bytes:  # noqa: ANN401 - what the request of a case takes
    line = b"POST %s HTTP/1.1"
    return case.request(victim).replace(line % PARSE.encode(), line % VALIDATE.encode(), 1)


# ---- what hurts a judge ------------------------------------------------------------------------


def order(*body: str) -> str:
    return a_document("004010", ("ST*850*0001", *body, f"SE*{len(body) + 2}*0001"))


def notice(*body: str) -> str:
    body = ("BSN*00*S1*20260115*0930", *body)
    return a_document("005010", ("ST*856*0001", *body, f"SE*{len(body) + 2}*0001"), group_id="SH")


def claim(*body: str) -> str:
    body = ("BHT*0019*00*1*20260115*0930*CH", *body)
    segments = (f"ST*837*0001*{GUIDE}", *body, f"SE*{len(body) + 2}*0001")
    return a_document(GUIDE, segments, group_id="HC")


BAD_LINE = "PO1*1*x*EA*1.2.3*ZZ*BP"
A_SET = ("ST*850*{:04d}", "BEG*00*SA*1**20260115", "PO1*1*1*EA*1", "SE*4*{:04d}")


def sets(number: int, *segments: str) -> str:
    numbered = (tuple(each.format(at, at) for each in segments) for at in range(1, number + 1))
    return a_document("004010", *numbered)


def groups(number: int) -> str:
    line = "GE*1*{0}~GS*PO*SENDER*RECEIVER*20260115*0930*{1}*X*004010~"
    separators = (line.format(at, at + 1) for at in range(1, number))
    first, last = a_document("004010", ("ST*850*0001", "SE*2*0001")).split("GE*", 1)
    between = "ST*850*0001~SE*2*0001~"
    return first + "".join(separator + between for separator in separators) + "GE*" + last


def _levels() -> Iterator[Case]:
    for name, parent in (
        ("20,000 levels in one another", lambda at: at - 1 or ""),
        ("20,000 levels without a parent", lambda _: "x"),
        ("20,000 levels of one parent", lambda _: 1),
        ("levels in a circle of two", lambda at: at ^ 1),
        ("levels in a circle of 20,000", lambda at: at % 20_000 + 1),
        ("levels that are their own parents", lambda at: at),
    ):
        lines = [f"HL*{at}*{parent(at)}*S" for at in range(1, 20_001)]
        yield posting(VALIDATE, name, partial(notice, *lines), cpu_seconds=8)
    for name, code in (("by turns", "22"), ("of one kind", "20")):
        lines = [f"HL*{at}*{at - 1}*{code if at % 2 else 20}*1" for at in range(1, 20_001)]
        yield posting(VALIDATE, f"levels of a guide, {name}", partial(claim, *lines), cpu_seconds=8)
    circle = [f"HL*{at}*{at % 400 + 1}*S" for at in range(1, 401)]
    yield from both("levels in a circle of 400", partial(notice, *circle))


def _repetitions() -> Iterator[Case]:
    codes = ["ABK:A1", "ZZ:B2"] * 50_000
    yield from both("repetitions", lambda: claim("CLM*1*1", f"HI*{'^'.join(codes)}"), cpu_seconds=5)
    yield from both("components", lambda: claim(f"HI*{':'.join(codes)}"), cpu_seconds=5)
    yield from both("elements", lambda: order(f"PO1*{'*'.join(codes)}"), cpu_seconds=5)
    for mark in ":^*":
        yield from both(f"nothing but {mark}", partial(claim, "HI*" + mark * 500_000))
    yield from both("a value of a mebibyte", lambda: order("BEG*00*SA*" + "é" * 500_000))
    yield from both("a number of a mebibyte", lambda: order("PO1*1*" + "9" * 1_000_000))
    yield from both("exponents", lambda: claim("CLM*1*" + "1E9" * 300_000))


def _loops() -> Iterator[Case]:
    lines = ("PO1*1*1*EA*1", "PID*F****A", "SCH*1*EA***002*20260101", "N1*ST*A")
    backwards = tuple(reversed(lines))
    for name, segments in (
        ("loops repeated", lines),
        ("loops backwards", backwards),
        ("late and early in turns", ("PO1*1", "CUR*BY*USD", "N1*ST*A", "REF*DP*1")),
        ("loops without a trigger", ("SCH*1*EA***002*20260101", "ZZZ*1")),
    ):
        yield from both(name, partial(order, *segments * 5_000), cpu_seconds=6)
    for name, line in (
        ("bad segments", BAD_LINE),
        ("unknown segments", "QQQ*1"),
        ("segments of another set", "CLM*1"),
        ("one segment too often", "BEG*00*SA*1**20260115"),
    ):
        document = partial(order, *[line] * 20_000)
        yield from both(name, document, check=truncated, cpu_seconds=6)


def _choices() -> Iterator[Case]:
    good = partial(sets, 1, *A_SET)
    for release in ("4010", "00401", "0040100", "٠٠٤٠١٠", "004010X", "../../", "\0", "9" * 9_000):
        yield posting(VALIDATE, f"release {release[:12]!r}", good, BAD_RELEASE, release=release)
    for release in ("000000", "999999", "004011"):
        yield from both(f"release {release!r}", good, release=release)
    for guide in (
        "../../etc/passwd",
        "005010X999",
        "\0",
        "é" * 99,
        "%s{0}$(id)",
        "x" * 10_000,
        "*",
    ):
        yield from both(f"guide {guide[:16]!r}", good, guide=guide)
    yield posting(VALIDATE, "guide of 10,241", good, BAD_RELEASE, guide="x" * 10_241)
    named = f"ST*837*0001*{'X' * 9_000}"
    yield from both("ST03 without end", lambda: a_document(GUIDE, (named, "SE*2*0001")))
    yield from both("GS08 of other signs", lambda: a_document("٠٠٤٠١٠", ("ST*850*1", "SE*2*1")))
    groups_of_all = [
        each for at in range(2_000) for each in (f"GS*PO*A*B*1*1*1*X*{at:06d}", "ST*850*1")
    ]
    yield from both("2,000 versions", lambda: a_document("004010", groups_of_all), cpu_seconds=4)


def _many() -> Iterator[Case]:
    """Yield what takes long."""
    million = partial(order, *[BAD_LINE] * 10**6)
    yield posting(VALIDATE, "a million bad segments", million, check=truncated, cpu_seconds=60)
    unknown = partial(order, *["Q*1"] * 10**6)
    yield posting(VALIDATE, "a million unknown ones", unknown, check=truncated, cpu_seconds=60)
    backwards = ("CTT*1", *("N1*ST*A", "SCH*1*EA***002*20260101", "PO1*1*1*EA*1") * 100_000)
    yield posting(VALIDATE, "300,000 out of order", partial(order, *backwards), cpu_seconds=60)
    good = partial(sets, 100_000, *A_SET)
    yield posting(VALIDATE, "100,000 sets in a group", good, cpu_seconds=40)
    bad = partial(sets, 100_000, "ST*850*{:04d}", "PO1*x", "SE*3*{:04d}")
    yield posting(VALIDATE, "100,000 bad sets in a group", bad, check=truncated, cpu_seconds=60)
    yield posting(VALIDATE, "10,000 groups", partial(groups, 10_000), cpu_seconds=EFFORT)
    yield posting(PARSE, "10,000 groups", partial(groups, 10_000), cpu_seconds=40)


_ALL = (*_read_before(), *_levels(), *_repetitions(), *_loops(), *_choices(), *_many())
CASES = tuple(case for case in _ALL if case.cpu_seconds <= EFFORT)
FLOODS = tuple(case for case in _ALL if case.cpu_seconds > EFFORT)
