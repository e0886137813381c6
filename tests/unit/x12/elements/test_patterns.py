"""Patterns alone, in a larger pattern, under attack, and the store of those in use."""

import re
import time

import pytest

from longshore.x12.dictionary.model import (
    CodeList,
    CompositeType,
    Definition,
    ElementRule,
    ElementType,
    ElementUse,
    RelationalNote,
    SegmentType,
    SegmentUse,
)
from longshore.x12.elements.check import check
from longshore.x12.elements.faults import Charset, SetContext
from longshore.x12.elements.patterns import MAX_VARIANTS, pattern_of, patterns_for
from tests.unit.x12.elements.segments import CONTEXT, OLD, PLAIN, use_of


def accepts(text: str, use: SegmentUse | None = None, context: SetContext = CONTEXT) -> bool:
    """Tell whether the pattern of a segment matches ``text``."""
    source = pattern_of(use or use_of(text.split("*", 1)[0]), context)
    assert source is not None
    return re.fullmatch(source, text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "N1*ST*ACME*92*0001", "N1*ST* ACME ", "N1*ST**92*12", "REF*DP*1**D9:2:::", "LE*A***",
        "DTM*002*20240229", "DTM*002****RD8*20240101-20240131", "DTP*472*UN*ANY*", "MEA***1*",
        "PO1*1*10*EA*9.25**BP*1*VP*2", "PO1**-.5*CA", "PO1**1*C:", "AMT*TT*-0012*240229*991231",
        "SV*HC:1^AD:2:12*10^20*D8*::D8:20240229", "HI*C:D*A:B:DT:202401012359^C:D",
    ],
)  # fmt: skip
def test_texts_that_are_right(text: str) -> None:
    assert check(text.split("*"), use_of(text.split("*", 1)[0]), CONTEXT) == []
    assert accepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "N1*ST*ACME*92", "N1*ST", "n1*ST*ACME", "N1*ST*A^B", "N1*ST*ACME~", "DTM*002*20230229",
        "PO1**1*C", "DTP*472*D8*240229", "DTP*472*TM*20240101", "REF*DP*1**D9", "SV*HC:1^AD",
        "REF*DP*1**D9:2:D9", "",
    ],
)  # fmt: skip
def test_texts_that_are_wrong(text: str) -> None:
    assert not accepts(text, use_of(text.split("*", 1)[0].upper() or "N1"))


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("PO1**1E2*EA", CONTEXT),
        ("REF*DP*1**:::", CONTEXT),
        ("N1*ST*ACME**^", CONTEXT),
        ("SV*HC:1*10^^20", CONTEXT),
        ("LE*A\nB", SetContext(PLAIN._replace(segment="\r\n"), "005010")),
    ],
)
def test_texts_that_are_left_to_the_check(text: str, context: SetContext) -> None:
    use = use_of(text.split("*", 1)[0])
    assert check(text.split("*"), use, context) == []
    assert not accepts(text, use, context)


FORMATTED = ElementType("1251", "AN", 1, 35)


@pytest.mark.parametrize(
    ("use", "context"),
    [
        (use_of("BIN"), CONTEXT),
        (use_of("LE"), SetContext(PLAIN._replace(release="?"), "007040")),
        (use_of("LE"), SetContext(PLAIN._replace(element="-"), "005010")),
        (use_of("LE"), SetContext(PLAIN._replace(component="."), "005010")),
        (use_of("DTP", {3: ElementRule(codes=("20240101",))}), CONTEXT),
    ],
)
def test_what_has_no_pattern(use: SegmentUse, context: SetContext) -> None:
    assert pattern_of(use, context) is None


def test_a_pattern_is_not_too_long() -> None:
    codes = CodeList("long", {f"{n:06d}": "" for n in range(0, 900_000, 37)}, is_strict=True)
    element = ElementUse(ElementType("1", "ID", 6, 6, codes))
    many = SegmentUse(segment=SegmentType("AB", (element,)), requirement="O", maximum=1)
    assert pattern_of(many, CONTEXT) is None


def with_codes(kind: str, codes: CodeList) -> SegmentUse:
    element = ElementUse(ElementType("1", kind, 1, 3, codes))
    return SegmentUse(segment=SegmentType("AB", (element,)), requirement="O", maximum=1)


def test_codes_and_blocks_of_codes_together() -> None:
    blocks = (("0", "123"), ("AX", "A", "A~"), ("QRST",))
    use = with_codes(
        "ID", CodeList("some", {"A": "", "01": "", "0": "", "*": ""}, is_strict=True, blocks=blocks)
    )
    tried = ("A", "0", "00", "01", "03", "04", "AA", "AAA", "XAA", "BAA", "Q", "T", "U", "*", "AA~")
    right = [each for each in tried if accepts(f"AB*{each}", use)]
    assert right == ["A", "0", "01", "03", "AAA", "XAA", "Q", "T"]
    assert [each for each in tried[:-2] if check(["AB", each], use, CONTEXT) == []] == right


def test_blocks_of_codes_of_what_is_no_text_are_left_to_the_check() -> None:
    use = with_codes("N0", CodeList("some", {}, is_strict=True, blocks=(("1", "23"),)))
    assert pattern_of(use, CONTEXT) is None
    assert [bool(check(["AB", each], use, CONTEXT)) for each in ("12", "14")] == [False, True]


def test_codes_that_nothing_can_hold() -> None:
    use = use_of("N1", {2: ElementRule(codes=("A*", "B~", "C^", "", "A" * 99))})
    assert not accepts("N1*ST*A*", use)
    assert accepts("N1*ST**92*AB", use)
    assert not accepts("N1*ST*A", use_of("N1", {2: ElementRule(minimum=9, maximum=3)}))
    assert not accepts("DTP*472*D8*20240101", use_of("DTP", {3: ElementRule(maximum=5)}))
    assert not accepts("DTM*002*20240101", use_of("DTM", {2: ElementRule(maximum=7)}))


def test_a_date_of_a_length_that_no_date_has() -> None:
    element, other = (
        ElementUse(ElementType("1", "DT", 7, 7)),
        ElementUse(ElementType("2", "AN", 1, 1)),
    )
    use = SegmentUse(segment=SegmentType("AB", (element, other)), requirement="O", maximum=1)
    assert not accepts("AB*2024010", use)
    assert accepts("AB**X", use)


def test_codes_that_begin_alike() -> None:
    use = use_of("N1", {2: ElementRule(codes=("A", "AB", "ABCD", "ABD", "B-"))})
    right = [
        each
        for each in ("A", "AB", "ABC", "ABCD", "ABD", "B", "B-")
        if accepts(f"N1*ST*{each}", use)
    ]
    assert right == ["A", "AB", "ABCD", "ABD", "B-"]


@pytest.mark.parametrize(
    ("value", "charset", "release", "is_right"),
    [
        ("ACME & CO", "basic", "005010", True),
        ("Acme", "basic", "005010", False),
        ("A:B", "basic", "005010", True),
        ("Acme", "extended", "004010", True),
        ("A`", "extended", "004010", False),
        ("A`", "extended", "005010", True),
        ("é", "extended", "005010", False),
        ("é", None, "005010", True),
    ],
)
def test_character_sets(value: str, charset: Charset | None, release: str, is_right: bool) -> None:  # noqa: FBT001 - a row of the table
    where = SetContext(PLAIN, release, charset)
    assert accepts(f"N1*ST*{value}*92*12", use_of("N1"), where) is is_right


def test_a_contradictory_segment_is_never_right() -> None:
    must = ElementUse(ElementType("1", "AN", 1, 5), is_mandatory=True)
    segment = SegmentType("AB", (must, must), (RelationalNote("E", (1, 2)),))
    use = SegmentUse(segment=segment, requirement="O", maximum=1)
    for text in ("AB", "AB*A", "AB**A", "AB*A*A"):
        assert not accepts(text, use)


def test_patterns_stand_in_a_larger_one() -> None:
    sources = [pattern_of(use_of(each), OLD) for each in ("N1", "REF", "PO1", "DTM")]
    assert all(sources)
    whole = re.compile(f"(?:(?:{'|'.join(map(str, sources))})~)*+")
    texts = ["N1*ST*ACME*92*12", "REF*DP*1", "PO1*1*10*EA*9.25", "DTM*002*20240229"]
    assert whole.fullmatch("".join(f"{each}~" for each in texts * 50))
    for at, bad in enumerate(("N1*ST", "REF*DP", "PO1*1*X*EA", "DTM*002*20230229")):
        wrong = [*texts[:at], bad, *texts[at + 1 :]]
        assert not whole.fullmatch("".join(f"{each}~" for each in texts * 50 + wrong))


# ---- cost ----------------------------------------------------------------------------------------


def seconds(pattern: re.Pattern[str], text: str) -> float:
    """Return the least processor time of some matches."""

    def once() -> float:
        start = time.process_time()
        for _ in range(20):
            assert pattern.fullmatch(text) is None
        return time.process_time() - start

    return min(once() for _ in range(5))


HOSTILE = [
    ("LE", "LE*", "*", ""),
    ("LE", "LE*A", " ", "A"),
    ("N1", "N1*ST*A*92*AB*AB*", "A", "*"),
    ("PO1", "PO1*1*", "1", "."),
    ("PO1", "PO1*1*", "1.", "*"),
    ("REF", "REF*DP*1**", ":", "^"),
    ("HI", "HI*", "A:B:D8:20240101^", "x"),
    ("SV", "SV*HC:1*", "98^", "9"),
    ("MEA", "MEA****", ":", "*1*1*1"),
    ("DTP", "DTP*472*D8*", "20240101-", "x"),
]


@pytest.mark.parametrize(("segment_id", "head", "repeated", "tail"), HOSTILE)
def test_cost_grows_no_faster_than_the_text(
    segment_id: str, head: str, repeated: str, tail: str
) -> None:
    element = ElementUse(ElementType("1", "AN", 1, 1_000_000), repeat=0)
    part = ElementUse(ElementType("2", "R", 1, 1_000_000))
    wide = use_of(segment_id)
    if segment_id in {"LE", "HI"}:
        composite = CompositeType("C001", (part,) * 3, (RelationalNote("L", (1, 2, 3)),))
        uses = (element, ElementUse(composite, repeat=0), part)
        wide = SegmentUse(segment=SegmentType(segment_id, uses), requirement="O", maximum=1)
    source = pattern_of(wide, CONTEXT)
    assert source is not None
    pattern = re.compile(source)
    small, large = (head + repeated * size + tail + "~" for size in (2_000, 32_000))
    assert seconds(pattern, large) < 16 * 4 * max(seconds(pattern, small), 1e-4)


# ---- the store -----------------------------------------------------------------------------------


def definition(name: str) -> Definition:
    return Definition(
        tx_set=name,
        release="005010",
        functional_id="PO",
        title="",
        body=(use_of("N1"), use_of("BIN")),
    )


def context(number: int, mark: str = "") -> SetContext:
    return SetContext(PLAIN._replace(element=mark or chr(0x4E00 + number)), "005010")


def test_a_pattern_is_made_once() -> None:
    known = patterns_for(definition("901"), CONTEXT)
    assert known is not None
    use, binary = definition("901").body
    assert isinstance(use, SegmentUse)
    assert isinstance(binary, SegmentUse)
    first = known.of(use)
    assert first is not None
    assert first.fullmatch("N1*ST*A")
    assert known.of(use) is first
    assert known.of(binary) is None
    assert patterns_for(definition("901"), CONTEXT) is known


def test_releases_that_make_no_difference_share_patterns() -> None:
    one, two, old = (SetContext(PLAIN, each) for each in ("005010", "006020", "004010"))
    known = patterns_for(definition("902"), one)
    assert patterns_for(definition("902"), two) is known
    assert patterns_for(definition("902"), old) is not known


def test_odd_separators_beyond_the_fourth_have_no_patterns() -> None:
    own = definition("903")
    known = [patterns_for(own, context(number)) for number in range(MAX_VARIANTS)]
    assert None not in known
    assert patterns_for(own, context(MAX_VARIANTS)) is None
    assert [patterns_for(own, context(number)) for number in range(MAX_VARIANTS)] == known
    assert patterns_for(definition("904"), context(MAX_VARIANTS)) is not None


def test_common_separators_take_the_place_of_odd_ones() -> None:
    own = definition("905")
    for number in range(MAX_VARIANTS):
        patterns_for(own, context(number))
    common = [
        SetContext(PLAIN._replace(segment=each), "005010") for each in ("~", "\n", "\r\n", "\r")
    ]
    known = [patterns_for(own, each) for each in common]
    assert None not in known
    assert patterns_for(own, context(0)) is None
    assert patterns_for(own, SetContext(PLAIN._replace(component=">"), "005010")) is None
    assert [patterns_for(own, each) for each in common] == known


def test_the_store_forgets_definitions_not_asked_for() -> None:
    own = definition("906")
    first = patterns_for(own, CONTEXT)
    for number in range(100):
        patterns_for(definition(f"X{number}"), CONTEXT)
    assert patterns_for(own, CONTEXT) is not first
