"""X12 documents made to hurt: cut short, lying, endless, nested, or full of nothing."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.system.hostile.attack import Case, Expected, a_request
from tests.unit.x12.documents import a_set, an_850, interchange, isa

EMPTY = Expected(400, "document_empty", "document_empty")
NOT_X12 = Expected(400, "document_unparseable", "not_x12")
TOO_SHORT = Expected(400, "document_unparseable", "isa_too_short")
DELIMITER = Expected(400, "document_unparseable", "delimiter_invalid")
TOO_LONG = Expected(400, "segment_too_long", "segment_too_long")
READ = Expected(200)
A_MILLION = 10**6


def parsing(
    name: str,
    document: str | Callable[[], str],
    expected: Expected = READ,
    *,
    check: Callable[[dict[str, Any]], None] | None = None,
    cpu_seconds: float = 2,
    **members: object,
) -> Case:
    """Return the case of posting a document to parse."""

    def body() -> bytes:
        text = document if isinstance(document, str) else document()
        return json.dumps({"document": text, **members}, ensure_ascii=False).encode()

    return Case(
        name=f"{members.get('format', 'x12')}: {name}",
        request=lambda victim: a_request(victim.keys.sandbox, body=body()),
        answers=(expected,),
        check=check,
        cpu_seconds=cpu_seconds,
    )


def filling(before: str, repeated: str, behind: str = "", *, mib: int = 32) -> Callable[[], str]:
    """Return what makes a document of one repeated text whose request is just within the limit."""
    room = mib * 2**20 - 1_024 - len(before) - len(behind)
    count = room // len(json.dumps(repeated, ensure_ascii=False)[1:-1].encode())
    return lambda: before + repeated * count + behind


def finds(*codes: str) -> Callable[[dict[str, Any]], None]:
    """Return a check that these findings are among those of the answer."""

    def check(members: dict[str, Any]) -> None:
        found = {each["code"] for each in (*members["warnings"], *members["errors"])}
        assert set(codes) <= found, found

    return check


def keeps(**fields: str) -> Callable[[dict[str, Any]], None]:
    """Return a check that ``MSG_01="text"`` arrives as the field MSG.01."""

    def check(members: dict[str, Any]) -> None:
        for name, value in fields.items():
            assert members["fields"][name.replace("_", ".")] == value

    return check


def _bad_heads() -> Iterator[Case]:
    whole = isa() + "~"
    for chars in (3, 4, 50, 104):
        yield parsing(
            f"ISA cut after {chars} characters",
            whole[:chars],
            TOO_SHORT if chars in {4, 50} else DELIMITER,
        )
    yield parsing("ISA without terminator", whole[:105], DELIMITER)
    for case, separator in (("a letter", "A"), ("a digit", "7"), ("a space", " "), ("NUL", "\0")):
        yield parsing(f"element separator is {case}", isa(separator) + "~", DELIMITER)
    yield parsing("component separator is the element separator", isa(e16="*") + "~", DELIMITER)
    yield parsing("component separator is a letter", isa(e16="c") + "~", DELIMITER)
    yield parsing("terminator is a letter", isa() + "x", DELIMITER)
    yield parsing("terminator is the component separator", isa() + ">", DELIMITER)
    yield parsing("all separators equal", isa("*", e16="*") + "*", DELIMITER)


def _fillers() -> Iterator[Case]:
    yield parsing("nothing", "", EMPTY)
    yield parsing("a million blanks", " " * A_MILLION, EMPTY)
    yield parsing("NUL and Ctrl-Z", "\0\x1a" * 5_000, EMPTY)
    yield parsing("a byte order mark alone", "\ufeff", EMPTY)
    yield parsing("line breaks alone", "\r\n" * 50_000, EMPTY)
    yield parsing("prose", "Dear partner, please find our order attached.", NOT_X12)
    yield parsing("PDF", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", NOT_X12)
    yield parsing("NUL between letters", "\0I\0S\0A\0*", NOT_X12)
    yield parsing("32 MiB of terminators", filling("", "~"), NOT_X12, cpu_seconds=20)
    yield parsing("8 MiB of ISA", filling("", "ISA", mib=8), DELIMITER, cpu_seconds=20)
    yield parsing("8 MiB of ISA*", filling("", "ISA*", mib=8), DELIMITER, cpu_seconds=20)
    yield parsing("32 MiB of blanks", filling("", " "), EMPTY, cpu_seconds=20)
    yield parsing("32 MiB of one digit", filling("", "1"), NOT_X12, cpu_seconds=20)
    yield parsing("32 MiB of backslashes", filling("", "\\"), NOT_X12, cpu_seconds=20)
    yield parsing("32 MiB of lines", filling("", "\n"), EMPTY, cpu_seconds=20)
    yield parsing("32 MiB of NUL", filling("", "\0"), EMPTY, cpu_seconds=20)


def _bombs() -> Iterator[Case]:
    head = isa() + "~"
    late = isa(e11="^", e12="00501") + "~"
    yield parsing(
        "a million empty segments",
        lambda: head + "~" * A_MILLION,
        check=finds("empty_segment", "findings_truncated"),
    )
    yield parsing("1 MiB of empty segments", filling(head, "~", mib=1), cpu_seconds=10)
    yield parsing("1 MiB of two-letter segments", filling(head, "N1~", mib=1), cpu_seconds=10)
    yield parsing("1 MiB of broken ids", filling(head, "?~", mib=1), cpu_seconds=10)
    yield parsing("1 MiB of ISA in an interchange", filling(head, "ISA~", mib=1), cpu_seconds=10)
    yield parsing("1 MiB of IEA", filling(head, "IEA~", mib=1), cpu_seconds=10)
    yield parsing("1 MiB of BIN", filling(head, "BIN*~", mib=1), cpu_seconds=10)
    yield parsing("1 MiB of BIN of one octet", filling(head, "BIN*1*a~", mib=1), cpu_seconds=10)
    yield parsing("a segment of 2 MiB", lambda: head + "MSG*" + "a" * 2**21 + "~", TOO_LONG)
    yield parsing("a segment of 31 MiB", filling(head + "MSG*", "a"), TOO_LONG, cpu_seconds=20)
    yield parsing("a segment of a million elements", lambda: head + "N1" + "*" * A_MILLION + "~")
    yield parsing("100,000 elements", lambda: head + "N1" + "*a" * 100_000 + "~")
    yield parsing("200,000 components", lambda: head + "SV1*" + "a>" * 200_000 + "~", cpu_seconds=5)
    yield parsing("200,000 repetitions", lambda: late + "HI*" + "a^" * 200_000 + "~", cpu_seconds=5)
    yield parsing(
        "composites that repeat", lambda: late + "HI*" + "a>b^" * 100_000 + "~", cpu_seconds=5
    )
    yield parsing("2,000 interchanges", lambda: an_850() * 2_000, cpu_seconds=10)
    yield parsing("20,000 interchanges that never end", lambda: head * 20_000, cpu_seconds=10)
    yield parsing("50,000 sets", lambda: interchange(*a_set() * 50_000), cpu_seconds=10)
    yield parsing(
        "100,000 sets that never end",
        lambda: head + "ST*850*1~" * 100_000,
        Expected(400, "limit_exceeded"),
        cpu_seconds=20,
    )
    yield parsing("100,000 groups", lambda: head + "GS*PO*A*B~" * 100_000, cpu_seconds=20)


def _hierarchies() -> Iterator[Case]:
    def levels(parent_of: Callable[[int], object], count: int) -> Callable[[], str]:
        lines = (f"HL*{at}*{parent_of(at)}*S~" for at in range(1, count + 1))
        return lambda: "ST*856*0001~" + "".join(lines)

    def chain(at: int) -> object:
        return at - 1 or ""

    yield parsing("HL 20,000 deep", levels(chain, 20_000), include=["segments"], cpu_seconds=8)
    # Deeper than this Python's own JSON reader goes no further; tests of the views have 20,000.
    yield parsing("HL 400 deep as a tree", levels(chain, 400), include=["tree"])
    yield parsing("HL that is its own parent", levels(lambda at: at, 1_000), include=["tree"])
    yield parsing("HL in a circle", levels(lambda at: at % 3 + 1, 3_000), include=["tree"])
    yield parsing("HL with unknown parents", levels(lambda at: at + 9, 3_000), include=["tree"])
    yield parsing("HL of one number", levels(lambda _: 1, 20_000), include=["tree"], cpu_seconds=8)


def _lies() -> Iterator[Case]:
    for length in ("99999999999999999999", "-1", "0", "1e9", "²", "٣", "9" * 5_000, "", " 3", "+3"):
        yield parsing(
            f"BIN of length {length[:24]!r}",
            an_850(f"BIN*{length}*abc", "N1*BT"),
            check=keeps(N1_01="BT"),
        )
    yield parsing(
        "BIN longer than the document",
        an_850("BIN*1000*abc"),
        check=finds("binary_length_mismatch"),
    )
    yield parsing(
        "BDS of a lying length", an_850("BDS*ASC*77*abc"), check=finds("binary_length_mismatch")
    )
    yield parsing(
        "an SE count of 5,000 digits",
        interchange("ST*850*0001", f"SE*{'9' * 5_000}*0001", "IEA*0*000000101"),
        check=finds("segment_count_wrong"),
    )
    yield parsing("an SE count of other digits", interchange("ST*850*0001", "SE*٢*0001"))
    yield parsing("an IEA count below zero", interchange("IEA*-1*000000101"))
    yield parsing("ISX without release character", isa(e12="00704") + "~ISX*~N1*a?~")
    yield parsing("a release character at the end", isa(e12="00704") + "~ISX*?~N1*a?")
    yield parsing("ISA inside a set", an_850(isa(), "N1*BT"))
    yield parsing(
        "a document that ends in a second ISA", an_850() + isa()[:60], check=finds("trailing_data")
    )
    yield parsing(
        "path text as ids", interchange(head=isa(e06="../../etc/pass", e08="C:\\con\\nul"))
    )
    yield parsing(
        "control characters and NUL in a value",
        an_850("MSG*a\0\x01\x7f\u202e\u2028b"),
        check=keeps(MSG_01="a\0\x01\x7f\u202e\u2028b"),
    )
    yield parsing(
        "markup in a value",
        an_850('MSG*<script>"\\</script>'),
        check=keeps(MSG_01='<script>"\\</script>'),
    )
    yield parsing("half of a pair of separators", "ST\r850\r0001\r\nSE\r2\r0001", NOT_X12)


def _overrides() -> Iterator[Case]:
    bad = Expected(400, "invalid_parameter", "invalid_parameter")
    document = an_850()
    for value in (
        "a",
        "7",
        " ",
        "**",
        "\\x00",
        "\\xZZ",
        "\\x4",
        "0x",
        "\\u002a",
        "\0",
        "\ud7ff\ue000",
    ):
        yield parsing(f"elem_sep {value!r}", document, bad, elem_sep=value)
    for value in ("z", "~~", "\\x41", "\\n\\n", "\\r\\r\\n"):
        yield parsing(f"seg_term {value!r}", document, bad, seg_term=value)
    yield parsing("both overrides equal", document, bad, elem_sep="|", seg_term="|")
    yield parsing(
        "an override the document never has",
        document,
        elem_sep="|",
        check=finds("separator_override_conflict"),
    )


CASES = (*_bad_heads(), *_fillers(), *_bombs(), *_hierarchies(), *_lies(), *_overrides())
