"""Segments of benchmark documents: separators, envelopes, purchase orders."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

Row = list[str]
"""One segment: its id, then its elements."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Separators of a document; ``repetition`` is empty where none is in force."""

    element: str = "*"
    segment: str = "~"
    component: str = ">"
    repetition: str = ""


USUAL = Marks()


def interchange(
    sets: Iterable[list[Row]],
    *,
    group: str = "PO",
    guide: str = "004010",
    marks: Marks,
    has_reference: bool = True,
) -> Iterator[Row]:
    """Wrap transaction sets, given without ST and SE, in one group and one interchange.

    ``has_reference``: each ST names the guide, since 005010.
    """
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
        yield ["ST", *start, number, *([guide] if newer and has_reference else [])]
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
                str(random.randrange(1000, 9999)),
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
