"""Every combination of present parts under a note, every day and time: pattern and check agree."""

import re
from itertools import product

import pytest

from longshore.x12.dictionary.model import (
    CompositeType,
    ElementType,
    ElementUse,
    RelationalNote,
    SegmentType,
    SegmentUse,
)
from longshore.x12.elements.check import check
from longshore.x12.elements.patterns import pattern_of
from tests.unit.x12.elements.segments import CONTEXT, use_of

COUNT = 6
POSITIONS = ((1, 2), (2, 1), (1, 2, 3), (1, 4), (5, 2), (1, 6), (6, 1), (2, 5, 6), (3, 1, 6))


def segment(uses: tuple[ElementUse, ...], notes: tuple[RelationalNote, ...] = ()) -> SegmentUse:
    return SegmentUse(segment=SegmentType("AB", uses, notes), requirement="O", maximum=1)


def disagreements(use: SegmentUse, texts: list[str]) -> list[str]:
    """Return the texts of which pattern and check say different things."""
    source = pattern_of(use, CONTEXT)
    assert source is not None
    pattern = re.compile(source)
    verdicts = [(text, check(text.split("*"), use, CONTEXT) == []) for text in texts]
    assert {is_right for _, is_right in verdicts} == {True, False}
    return [text for text, is_right in verdicts if bool(pattern.fullmatch(text)) is not is_right]


def combinations(separator: str) -> list[str]:
    """Return all presences of parts, each with and without separators at the end."""
    rows = [separator.join(row) for row in product(("", "X"), repeat=COUNT)]
    return [*rows, *(row.rstrip(separator) for row in rows)]


@pytest.mark.parametrize("kind", "PRECL")
@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("must", [0, 3])
def test_notes_over_elements(kind: str, positions: tuple[int, ...], must: int) -> None:
    uses = tuple(
        ElementUse(ElementType("1", "AN", 1, 5), is_mandatory=number == must)
        for number in range(1, COUNT + 1)
    )
    use = segment(uses, (RelationalNote(kind, positions),))
    assert disagreements(use, ["AB", *(f"AB*{row}" for row in combinations("*"))]) == []


@pytest.mark.parametrize("kind", "PRECL")
@pytest.mark.parametrize("positions", POSITIONS)
def test_notes_over_components(kind: str, positions: tuple[int, ...]) -> None:
    uses = (ElementUse(ElementType("1", "AN", 1, 5)),) * COUNT
    composite = CompositeType("C001", uses, (RelationalNote(kind, positions),))
    last = ElementUse(ElementType("1", "AN", 1, 5))
    use = segment((ElementUse(composite, is_mandatory=True), last))
    texts = [f"AB*{row}{tail}" for row in combinations(":") for tail in ("", "*", "*X")]
    assert disagreements(use, texts) == []


@pytest.mark.parametrize("pair", [("P", "E"), ("R", "C"), ("L", "R"), ("C", "C"), ("E", "L")])
def test_notes_that_overlap(pair: tuple[str, str]) -> None:
    uses = (ElementUse(ElementType("1", "AN", 1, 5)),) * COUNT
    one, two = pair
    texts = ["AB", *(f"AB*{row}" for row in combinations("*"))]
    for first, second in zip(POSITIONS[::2], POSITIONS[4:], strict=True):
        assert (
            disagreements(
                segment(uses, (RelationalNote(one, first), RelationalNote(two, second))), texts
            )
            == []
        )


DAYS = [f"{month:02d}{day:02d}" for month in range(14) for day in range(33)]


def test_every_day() -> None:
    long, short = (segment((ElementUse(ElementType("1", "DT", size, size)),)) for size in (8, 6))
    years = ("0000", "1900", "2000", "2023", "2024")
    assert disagreements(long, [f"AB*{year}{day}" for year in years for day in DAYS]) == []
    texts = [f"AB*{year:02d}{day}" for year in range(100) for day in DAYS[::60]]
    assert disagreements(short, [*texts, *(f"AB*{year:02d}0229" for year in range(100))]) == []


@pytest.mark.parametrize(
    "qualifier", ["D8", "RD8", "D6", "DT", "RTS", "RDT", "TM", "CM", "DB", "UN"]
)
def test_every_form(qualifier: str) -> None:
    days = [
        "20240229",
        "20230229",
        "00000101",
        "02292024",
        "02292023",
        "02290000",
        "240229",
        "202402",
    ]
    moments = [
        day + time for day in (*days, "") for time in ("", "2359", "2400", "235959", "2359599")
    ]
    values = [*moments, *(f"{one}-{two}" for one in moments for two in moments), "ANY"]
    texts = [f"DTP*472*{qualifier}*{value}" for value in values]
    assert disagreements(use_of("DTP"), texts) == []
    assert disagreements(use_of("HI"), [f"HI*A:B:{qualifier}:{value}" for value in values]) == []


def test_every_time() -> None:
    use = segment((ElementUse(ElementType("1", "TM", 4, 8)),))
    clock = [f"{hour:02d}{minute:02d}" for hour in range(26) for minute in range(0, 64, 7)]
    rest = ("", "5", "59", "60", "595", "5959", "59595")
    assert disagreements(use, [f"AB*{start}{end}" for start in clock for end in rest]) == []
