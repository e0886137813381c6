"""Documents for the benchmarks: made from a seed, written row by row, counted while written.

The counts come from the rows, not from any reader, so that an output can be checked against them
before it is timed.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from longshore.x12.segment_table import is_composite
from tests.bench.rows import USUAL, WORDS, Marks, Row, interchange, order
from tests.bench.sets import invalid_orders, samples

SEED = 20_260_301


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
    marks: Marks = USUAL
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


def orders(count: int, lines: int = 6, marks: Marks = USUAL) -> Callable[[Random], Iterator[Row]]:
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
MEGABYTE = 1_000_000
# The samples whose sets are measured like the purchase orders above, and GS01 of each.
RETAIL_AND_TRANSPORT = {
    "855_order_acknowledgment": "PR",
    "856_ship_notice": "SH",
    "810_invoice": "IN",
    "204_load_tender": "SM",
    "214_shipment_status": "QM",
}


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
    "850-1m-one": Recipe("one purchase order of 9,000 lines", orders(1, lines=9_000)),
    "850-200": Recipe("one purchase order of 200 lines", orders(1, lines=200)),
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
        "the claims of samples/837p_claim again and again, valid by their guide",
        samples("837p_claim", "HC", "005010X222A1", HEALTH, 62_000),
        HEALTH,
    ),
    "837-guide-1m": Recipe(
        "as 837-guide", samples("837p_claim", "HC", "005010X222A1", HEALTH, MEGABYTE), HEALTH
    ),
    "835-guide-1m": Recipe(
        "the payments of samples/835_remittance, valid by their guide",
        samples("835_remittance", "HP", "005010X221A1", HEALTH, MEGABYTE),
        HEALTH,
    ),
    **{
        f"{folder[:3]}-1m": Recipe(
            f"samples/{folder} again and again",
            samples(folder, group, "004010", USUAL, MEGABYTE),
        )
        for folder, group in RETAIL_AND_TRANSPORT.items()
    },
    "850-1m-invalid": Recipe(
        "as 850-1m, one wrong element in every fourth order", invalid_orders(1_000), findings=250
    ),
    "components-1m": Recipe("adversarial: 470,000 components", components, HEALTH),
}
