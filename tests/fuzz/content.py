"""Changes of what stands in a set: its segments, their order, their elements and versions.

The other changes break the grammar; these leave it whole, to reach validation.
"""

from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz.mutations import mutate as break_grammar

_VALUES = (
    *("", "A", "00", "05", "ZZ", "1", "-1", "0", "1.5", "1.", ".", "1E3", "-", "9" * 19, "X" * 81),
    *("20260230", "20240229", "00000101", "260101", "2460", "1200", "120000", "12000099", "D8"),
    *("RD8", "20260101-20260231", "ABK", "ABK:Z1", ":", ":::", "^", "A^", "A^B^C", "A:B:C:D:E:F"),
    *(" ", " A", "A ", "é", "\t", "a", "11:B:1", "HC:99213", "I4", "R", "E", "8", "999999999"),
)
_VERSIONS = (
    *("004010", "005010", "005010", "004030", "003040", "006020", "005010X222A1", "005010X221A1"),
    *("005010X231A1", "004010VICS", "00401", "X", "", "005010X222"),
)
_SETS = ("850", "855", "856", "810", "204", "214", "997", "999", "835", "837", "123", "")
_TAGS = (
    *(
        "N1",
        "REF",
        "DTM",
        "HL",
        "PO1",
        "CLM",
        "NM1",
        "LX",
        "ZZZ",
        "Q",
        "LS",
        "LE",
        "CTX",
        "SE",
        "ST",
    ),
    *(
        "HI",
        "SVC",
        "CAS",
        "CLP",
        "IK4",
        "AK4",
        "PID",
        "CTT",
        "S5",
        "AT7",
        "TA1",
        "BIN",
        "ref",
        "TOOLONG",
    ),
)
Rows = list[list[str]]
Change = Callable[[Rows, Sequence[str], Random], None]


def _some_row(rows: Rows, draw: Random) -> list[str]:
    return draw.choice(rows) if rows else []


def _span(rows: Rows, draw: Random) -> slice:
    start = draw.randint(0, len(rows))
    return slice(start, start + draw.choice((1, 1, 1, 2, 3, 8)))


def drop(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    del texts
    del rows[_span(rows, draw)]


def repeat(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    del texts
    span = _span(rows, draw)
    rows[span.stop : span.stop] = [[*row] for row in rows[span]] * draw.choice((1, 1, 2, 12))


def move(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    del texts
    span = _span(rows, draw)
    moved = rows[span]
    del rows[span]
    at = draw.randint(0, len(rows))
    rows[at:at] = moved


def borrow(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    """Put segments of another document in."""
    others = rows_of(draw.choice(texts))
    at = draw.randint(0, len(rows))
    rows[at:at] = others[_span(others, draw)]


def invent(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    del texts
    row = [draw.choice(_TAGS), *draw.choices(_VALUES, k=draw.randint(0, 6))]
    rows.insert(draw.randint(0, len(rows)), row)


def rename(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    del texts
    row = _some_row(rows, draw)
    row[:1] = [draw.choice(_TAGS)]


def set_value(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    del texts
    row = _some_row(rows, draw)
    at = draw.randint(1, max(1, len(row)))
    row[at : at + 1] = [draw.choice(_VALUES)]


def take_value(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    """Give an element the value of another one, which is likely to be a code of some list."""
    del texts
    row, other = _some_row(rows, draw), _some_row(rows, draw)
    if len(row) > 1 and len(other) > 1:
        row[draw.randrange(1, len(row))] = other[draw.randrange(1, len(other))]


def drop_value(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    del texts
    row = _some_row(rows, draw)
    if len(row) > 1:
        del row[draw.randrange(1, len(row))]


def add_value(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    del texts
    row = _some_row(rows, draw)
    row.insert(draw.randint(1, max(1, len(row))), draw.choice(_VALUES))


def extend_value(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    """Add repetitions, components or characters to an element."""
    del texts
    row = _some_row(rows, draw)
    if len(row) > 1:
        at = draw.randrange(1, len(row))
        row[at] += draw.choice("^:>~ 0AZ") * draw.choice((1, 1, 4)) + draw.choice(_VALUES)


def change_version(rows: Rows, texts: Sequence[str], draw: Random) -> None:
    """Let the set be validated by another release, guide or set."""
    del texts
    for row in rows:
        if row[0] == "GS" and len(row) > 8 and draw.randrange(3):
            row[8] = draw.choice(_VERSIONS)
        if row[0] == "ST" and len(row) > 1 and draw.randrange(3) == 0:
            row[1] = draw.choice(_SETS)
            row[3:] = draw.choice(((), (draw.choice(_VERSIONS),)))


CHANGES: Sequence[Change] = (
    *(drop, drop, repeat, move, move, borrow, invent, rename, set_value, set_value, set_value),
    *(take_value, take_value, drop_value, add_value, extend_value, change_version),
)


def rows_of(text: str) -> Rows:
    return [part.split("*") for part in text.replace("\n", "").split("~")]


def mutate(texts: Sequence[str], draw: Random) -> str:
    """Return a document with one to eight changes of its content, sometimes of its grammar too."""
    if draw.randrange(6) == 0:
        return break_grammar(texts, draw)
    rows = rows_of(draw.choice(texts))
    for _ in range(draw.choice((1, 1, 2, 3, 8))):
        draw.choice(CHANGES)(rows, texts, draw)
    text = "~".join(map("*".join, rows))
    return break_grammar((text,), draw) if draw.randrange(6) == 0 else text
