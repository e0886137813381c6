"""Add up invoices in their text, without splitting it.

Theory. In most invoices each line has a whole quantity and a price with cents, and there is neither
an allowance or charge nor a tax. Their total is one sum of integers. All other invoices, and those
whose totals are not just that sum, are added up segment by segment, which knows the places
(``balance.InvoiceBalance``). So no finding ever comes from here.

Source: docs/reference/balancing.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_OTHER_PARTS: Final = ("SAC", "TXI")  # of the total, besides the lines

# Quantity, price in units and its cents; short enough for exact sums of a million as a decimal too.
_Line = tuple[str, str, str]


class InvoiceSearch:
    """Searches sets 810 that are written with one element separator."""

    def __init__(self, element: str) -> None:
        self._element = element
        self._finders: dict[str, Callable[[str], list[_Line]]] = {}  # by separator

    def is_right(self, text: str, separator: str) -> bool:
        """Return whether the totals are certainly right; False does not mean that one is wrong.

        Args:
            text: The set after its ST, with a separator before each segment.
            separator: The text between two segments.
        """
        element = self._element
        if any(f"{separator}{tag}{element}" in text for tag in _OTHER_PARTS):
            return False
        find = self._finders.get(separator)
        if find is None:
            find = self._finders[separator] = _finder(element, separator)
        line, tds, ctt = (f"{separator}{tag}{element}" for tag in ("IT1", "TDS", "CTT"))
        lines, (_, has_count, totals) = find(text), text.partition(ctt)
        is_plain = text.count(line) == len(lines) and text.count(tds) == 1
        if not lines or not is_plain or line in totals or ctt in totals:
            return False
        quantities, cents = 0, 0
        for quantity, units, part in lines:
            quantities += int(quantity)
            cents += int(quantity) * int(units + (part or "00"))
        count = str(len(lines))
        is_counted = not has_count or totals.split(separator, 1)[0] in {
            count,
            f"{count}{element}{quantities}",
        }
        stated = text[text.find(tds) + len(tds) :].split(separator, 1)[0]
        return is_counted and stated.split(element, 1)[0] == str(cents)


def _finder(element: str, separator: str) -> Callable[[str], list[_Line]]:
    """Return the function that finds the lines."""
    mark, between, end = map(re.escape, (element, separator, separator[0]))
    value = f"[^{mark}{end}]*+"
    return re.compile(
        f"{between}IT1{mark}{value}{mark}([0-9]{{1,9}}){mark}{value}{mark}"
        rf"([0-9]{{1,9}})(?:\.([0-9]{{2}}))?(?={mark}(?:UM|PE)?[{mark}{end}]|{end})"
    ).findall
