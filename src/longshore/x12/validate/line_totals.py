"""The totals in CTT: how many lines a set has, and the hash total of their quantities.

The standard adds quantities without decimal points and signs, and cuts the sum to the length of
the element. Many partners write the plain sum instead. Both are right here.

Source: docs/reference/balancing.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.x12.control import element_at
from longshore.x12.findings import FindingCode
from longshore.x12.validate.amounts import amount, number, total

TOTALS: Final = "CTT"
MAX_HASH: Final = 10**10
"""The first number that is too long for CTT02."""
_POINT_AND_SIGN: Final = str.maketrans("", "", ".-")

LINES: Final[Mapping[str, str]] = MappingProxyType({
    **dict.fromkeys(("840", "843", "850", "855"), "PO1"),
    **dict.fromkeys(("830", "832", "846", "852", "862"), "LIN"),
    **dict.fromkeys(("860", "865"), "POC"),
    "810": "IT1",
    "856": "HL",
    "861": "RCD",
})
"""By set, the segment that CTT01 counts."""


class Quantity(NamedTuple):
    """The element that CTT02 adds up."""

    segment_id: str
    position: int

    def __str__(self) -> str:
        """Return the usual spelling, such as ``PO102``."""
        return f"{self.segment_id}{self.position:02d}"


QUANTITIES: Final[Mapping[str, Quantity]] = MappingProxyType({
    **dict.fromkeys(("840", "843", "850", "855"), Quantity("PO1", 2)),
    **dict.fromkeys(("830", "862"), Quantity("FST", 1)),
    **dict.fromkeys(("860", "865"), Quantity("POC", 3)),
    "810": Quantity("IT1", 2),
    "856": Quantity("SN1", 2),
    "861": Quantity("RCD", 2),
})
"""By set, the quantity that CTT02 adds up. What it is in other sets is not certain enough."""


class TotalsFault(NamedTuple):
    """A total that disagrees: its finding, in words, and its position in CTT."""

    code: FindingCode
    message: str
    element: int


def totals_faults(
    row: list[str], lines: int, quantity: Quantity | None, quantities: Sequence[str]
) -> Iterator[TotalsFault]:
    """Yield what is wrong in a CTT.

    Args:
        row: The CTT.
        lines: The number of lines before it.
        quantity: The quantity that CTT02 adds up; None if it is not compared.
        quantities: All values of it before the CTT.
    """
    text = element_at(row, 1)
    stated = amount(row, 1) if text and text != str(lines) else None
    if stated is not None and stated != lines:
        message = f"CTT01 is wrong: the set has {lines} lines"
        yield TotalsFault(FindingCode.LINE_COUNT_WRONG, message, 1)
    text = element_at(row, 2)
    if text and quantity is not None and not is_hash(text, quantities):
        message = f"CTT02 is not the sum of {quantity}"
        yield TotalsFault(FindingCode.HASH_TOTAL_WRONG, message, 2)


def is_hash(text: str, quantities: Sequence[str]) -> bool:
    """Return whether a CTT02 is the sum of quantities, or cannot be compared with it."""
    with suppress(ValueError):  # most quantities are whole numbers
        if text == str(sum(map(int, quantities))):
            return True
    plain, stated = total(quantities), number(text)
    if not text or stated is None or plain is None:
        return True
    return stated in {plain, hash_total(quantities)}


def hash_total(quantities: Sequence[str]) -> int:
    """Return the sum of numbers as the standard adds them: without decimal points and signs."""
    return sum(int(text.translate(_POINT_AND_SIGN)) for text in quantities if text) % MAX_HASH
