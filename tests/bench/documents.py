"""Documents for the benchmarks: made from a seed, written row by row, counted while written.

The counts come from the rows, not from any reader, so that an output can be checked against them
before it is timed.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from longshore.x12.segment_table import is_composite

SEED = 20_260_301
SAMPLES = Path(__file__).parents[2] / "samples"

Row = list[str]
"""One segment: its id, then its elements."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Separators of a document; ``repetition`` is empty where none is in force."""

    element: str = "*"
    segment: str = "~"
    component: str = ">"
    repetition: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """Size of a document. ``pieces`` are elements with ids, as many as the floor counts."""

    characters: int
    segments: int
    pieces: int
    fields: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a document is made: ``rows`` yields its segments, always the same for one seed."""

    about: str
    rows: Callable[[Random], Iterator[Row]]
    marks: Marks = Marks()
    findings: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A document on disk, and what a right answer about it says."""

    name: str
    about: str
    path: str
    marks: Marks
    counts: Counts
    findings: int


def write(name: str, recipe: Recipe, folder: Path) -> Document:
    """Write a document in flat memory and return what is known about it."""
    marks, path = recipe.marks, folder / f"{name}.edi"
    characters = segments = pieces = fields = 0
    with path.open("w", encoding="ascii", newline="") as file:
        for row in recipe.rows(Random(SEED)):
            characters += file.write(marks.element.join(row) + marks.segment)
            segments += 1
            pieces += len(row)
            fields += fields_of(row, marks)
    counts = Counts(characters, segments, pieces, fields)
    return Document(name, recipe.about, str(path), marks, counts, recipe.findings)


def fields_of(row: Row, marks: Marks) -> int:
    """Count the keys one segment gives (fields-and-mapping.md section 2.1)."""
    if row[0] == "ISA":
        return sum(1 for element in row[1:] if element.strip())
    count = 0
    for position, element in enumerate(row[1:], start=1):
        repeats = element.split(marks.repetition) if marks.repetition else [element]
        count += sum(1 for repeat in repeats if repeat)
        if marks.component in element and is_composite(row[0], position):
            parts = [r.split(marks.component) for r in repeats if marks.component in r]
            count += sum(1 for part in itertools.chain.from_iterable(parts) if part)
    return count


def interchange(
    sets: Iterable[list[Row]], *, group: str = "PO", guide: str = "004010", marks: Marks
) -> Iterator[Row]:
    """Wrap transaction sets, given without ST and SE, in one group and one interchange."""
    newer = guide.startswith("005010")
    sender, receiver = "BENCHSENDER", "BENCHRECEIVER"
    parties = ["ZZ", sender.ljust(15), "ZZ", receiver.ljust(15)]
    control = ["260301", "1200", marks.repetition or "U", "00501" if newer else "00401"]
    blanks = ["00", " " * 10, "00", " " * 10]
    yield ["ISA", *blanks, *parties, *control, "000000001", "0", "T", marks.component]
    yield ["GS", group, sender, receiver, "20260301", "1200", "1", "X", guide]
    count = 0
    for count, (start, *body) in enumerate(sets, start=1):
        number = f"{count:04}"
        yield ["ST", *start, number, *([guide] if newer else [])]
        yield from body
        yield ["SE", str(len(body) + 2), number]
    yield ["GE", str(count), "1"]
    yield ["IEA", "1", "000000001"]


# ---- purchase orders ------------------------------------------------------------------------

WORDS = ["amber", "basalt", "cedar", "delta", "ember", "flint", "grove", "harbour", "iris", "kelp"]


def order(random: Random, lines: int) -> list[Row]:
    """Return one purchase order of 16 + 2 * ``lines`` segments, ST and SE included."""
    rows: list[Row] = [
        ["850"],
        ["BEG", "00", "SA", f"PO-{random.randrange(10**8):08}", "", "20260301"],
        ["CUR", "BY", "USD"],
        ["REF", "DP", f"{random.randrange(1000):04}"],
        ["DTM", "002", "20260316"],
        ["DTM", "001", "20260330"],
        ["TD5", "", "", "", "M", "Ground, call the dock first"],
    ]
    for role in ("BT", "ST"):
        rows += [
            [
                "N1",
                role,
                f"{random.choice(WORDS).title()} Home Goods and Garden",
                "92",
                str(random.randrange(9999)),
            ],
            ["N3", f"{random.randrange(1, 400)} {random.choice(WORDS)} row", "Dock 4"],
            ["N4", "Port Merrin", "ME", "04998", "US"],
        ]
    for number in range(1, lines + 1):
        quantity, cents = random.randrange(1, 500), random.randrange(100, 99_999)
        part = f"{random.choice(WORDS)}-{random.randrange(10**6):06}".upper()
        price = f"{cents // 100}.{cents % 100:02}"
        rows += [
            ["PO1", str(number), str(quantity), "EA", price, "", "BP", part, "VP", f"V{part}"],
            [
                "PID",
                "F",
                "",
                "",
                "",
                f"{random.choice(WORDS)} and {random.choice(WORDS)}, boxed by the dozen",
            ],
        ]
    rows += [["CTT", str(lines)], ["AMT", "TT", str(random.randrange(10**6))]]
    return rows


def orders(count: int, lines: int = 6, marks: Marks = Marks()) -> Callable[[Random], Iterator[Row]]:
    """Return the rows of one interchange of ``count`` purchase orders."""
    return lambda random: interchange((order(random, lines) for _ in range(count)), marks=marks)


def faulty_orders(count: int) -> Callable[[Random], Iterator[Row]]:
    """Return orders of which every fourth SE is wrong: its count or, by turns, its number."""

    def rows(random: Random) -> Iterator[Row]:
        faults = itertools.cycle([None, None, None, "99", None, None, None, "9999"])
        for row in orders(count)(random):
            fault = next(faults) if row[0] == "SE" else None
            if fault == "99":
                yield ["SE", fault, row[2]]
            elif fault:
                yield ["SE", row[1], fault]
            else:
                yield row

    return rows


# ---- health care ----------------------------------------------------------------------------

HEALTH = Marks(component=":", repetition="^")


def remittance(random: Random, claims: int) -> list[Row]:
    """Return one payment advice with ``claims`` claims of two services each."""
    rows: list[Row] = [
        ["835"],
        ["BPR", "I", "1000", "C", "ACH", "CCP", *[""] * 10, "20260301"],
        ["TRN", "1", "EFT-1", "1999999984"],
        ["N1", "PR", "Bench plan"],
        ["N1", "PE", "Bench clinic", "XX", "1234567893"],
        ["LX", "1"],
    ]
    for claim in range(claims):
        paid = random.randrange(10, 500)
        rows += [
            ["CLP", f"C{claim:06}", "1", str(paid + 20), str(paid), "20", "12", f"K{claim}", "11"],
            ["NM1", "QC", "1", "SAMPLE", random.choice(WORDS), "", "", "", "MI", f"M{claim}"],
            ["DTM", "232", "20260301"],
        ]
        for code in ("G0438", "G0444"):
            rows += [
                ["SVC", f"HC:{code}:59", str(paid), str(paid - 9), "", "1"],
                ["DTM", "472", "20260301"],
                ["CAS", "CO", "45", "9", "", "PR", "3", "20"],
                ["AMT", "B6", str(paid)],
            ]
    return rows


def claim(random: Random, number: int) -> list[Row]:
    """Return the segments of one claim with diagnoses, repetitions and two services."""
    rows: list[Row] = [
        ["CLM", f"C{number:06}", "185", "", "", "11:B:1", "Y", "A", "Y", "Y", "P", "EM:OA"],
        ["HI", "ABK:Z0000^ABF:R5383", f"ABF:R{random.randrange(1000, 9999)}"],
        ["NM1", "82", "1", "EXAMPLE", random.choice(WORDS), "", "", "", "XX", "1234567893"],
    ]
    for line in ("1", "2"):
        rows += [
            ["LX", line],
            ["SV1", f"HC:G{random.randrange(1000, 9999)}:59", "92.5", "UN", "1", "", "", "1:2"],
            ["DTP", "472", "D8", "20260301"],
            ["REF", "6R", f"{number}-{line}"],
        ]
    return rows


def claims(random: Random, count: int) -> list[Row]:
    """Return one claim set with ``count`` claims of one subscriber."""
    rows: list[Row] = [
        ["837"],
        ["BHT", "0019", "00", "BENCH", "20260301", "1200", "CH"],
        ["NM1", "41", "2", "BENCH CLINIC", "", "", "", "", "46", "BENCHSENDER"],
        ["HL", "1", "", "20", "1"],
        ["NM1", "85", "2", "BENCH CLINIC", "", "", "", "", "XX", "1234567893"],
        ["HL", "2", "1", "22", "0"],
        ["SBR", "P", "18", "GRP-1", "", "", "", "", "", "CI"],
    ]
    for number in range(count):
        rows += claim(random, number)
    return rows


def health_care(
    group: str, guide: str, make: Callable[[Random, int], list[Row]], sets: int, size: int
) -> Callable[[Random], Iterator[Row]]:
    """Return the rows of one interchange of ``sets`` health care sets."""
    return lambda random: interchange(
        (make(random, size) for _ in range(sets)), group=group, guide=guide, marks=HEALTH
    )


def sample_claims(sets: int) -> Callable[[Random], Iterator[Row]]:
    """Return the rows of an interchange of ``sets`` times the set of the sample 837P."""
    text = (SAMPLES / "837p_claim" / "input.edi").read_text("ascii").replace("\n", "")
    rows = [line.split("*") for line in text.split("~")]
    body: list[Row] = [["837"], *rows[3 : [row[0] for row in rows].index("SE")]]
    return lambda _: interchange([body] * sets, group="HC", guide="005010X222A1", marks=HEALTH)


def components(random: Random) -> Iterator[Row]:
    """Yield an order of segments nobody knows, whose elements are nothing but components."""
    element = "^".join(":".join(str(random.randrange(10)) for _ in range(9)) for _ in range(5))
    body: list[Row] = [["850"], *(["QQ1", *[element] * 10] for _ in range(1050))]
    return interchange([body], guide="005010", marks=HEALTH)


RECIPES = {
    "850-1k": Recipe("one purchase order", orders(1)),
    "850-1m": Recipe("1,000 purchase orders of 28 segments", orders(1_000)),
    "850-10m": Recipe("10,000 purchase orders", orders(10_000)),
    "850-100m": Recipe("100,000 purchase orders in one group", orders(100_000)),
    "850-10m-one": Recipe("one purchase order of 100,000 lines", orders(1, lines=100_000)),
    "850-1m-lf": Recipe("as 850-1m, LF ends a segment", orders(1_000), Marks(segment="\n")),
    "850-1m-crlf": Recipe("as 850-1m, CR LF ends a segment", orders(1_000), Marks(segment="\r\n")),
    "850-1m-faults": Recipe("as 850-1m, every fourth SE wrong", faulty_orders(1_000), findings=250),
    "835-1m": Recipe(
        "payments for 3,300 claims",
        health_care("HP", "005010X221A1", remittance, 33, 100),
        HEALTH,
    ),
    "837-1m": Recipe(
        "3,600 claims: composites and repetitions",
        health_care("HC", "005010X222A1", claims, 36, 100),
        HEALTH,
    ),
    "837-guide": Recipe(
        "60 times the claims of samples/837p_claim, valid by their guide", sample_claims(60), HEALTH
    ),
    "components-1m": Recipe("adversarial: 470,000 components", components, HEALTH),
}
