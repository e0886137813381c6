"""Documents of every transaction set, made of the samples: valid by our dictionary, of any size.

Each set has the segments of a sample, its reference numbers drawn anew, so that no two are alike.
"""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.bench.rows import USUAL, Marks, Row, interchange, order

SAMPLES = Path(__file__).parents[2] / "samples"

# The elements that say which document it is: by segment id, their positions.
REFERENCES = {
    "BAK": 3,
    "BIG": 2,
    "BSN": 2,
    "B2": 4,
    "B10": 1,
    "BHT": 3,
    "TRN": 2,
    "CLM": 1,
    "CLP": 1,
}


def sample_body(folder: str) -> list[Row]:
    """Return the set of a sample without SE; its first row is ST without the id and number."""
    text = (SAMPLES / folder / "input.edi").read_text("ascii").replace("\n", "")
    rows = [segment.split("*") for segment in text.split("~")]
    tags = [row[0] for row in rows]
    first, last = tags.index("ST"), tags.index("SE")
    return [[rows[first][1]], *rows[first + 1 : last]]


def redrawn(body: list[Row], random: Random) -> list[Row]:
    """Return a set with other reference numbers."""
    rows = [row.copy() for row in body]
    for row in rows:
        if row[0] in REFERENCES:
            row[REFERENCES[row[0]]] = f"R{random.randrange(10**9):09}"
    return rows


def samples(
    folder: str, group: str, guide: str, marks: Marks, characters: int
) -> Callable[[Random], Iterator[Row]]:
    """Return the rows of one interchange of as many sets as fill ``characters``."""
    body = sample_body(folder)
    each = sum(sum(map(len, row)) + len(row) for row in body) + 20  # ST and SE
    count = characters // each

    def rows(random: Random) -> Iterator[Row]:
        sets = (redrawn(body, random) for _ in range(count))
        # An 835 has no ST03.
        return interchange(
            sets, group=group, guide=guide, marks=marks, has_reference=body[0] != ["835"]
        )

    return rows


# One fault for each set that has one: which segment, which element, and what stands there.
FAULTS = (
    ("N1", 4, "7"),  # too short
    ("BEG", 3, ""),  # mandatory
    ("DTM", 2, "20261316"),  # no date
    ("PO1", 2, "A"),  # no number
    ("TD5", 4, "MMM"),  # too long
)


def invalid_orders(count: int) -> Callable[[Random], Iterator[Row]]:
    """Return orders of which every fourth has one element that is wrong."""

    def sets(random: Random) -> Iterator[list[Row]]:
        faults = itertools.cycle(FAULTS)
        for number in range(count):
            rows = order(random, 6)
            if number % 4 == 3:
                tag, position, text = next(faults)
                next(row for row in rows if row[0] == tag)[position] = text
            yield rows

    return lambda random: interchange(sets(random), marks=USUAL)
