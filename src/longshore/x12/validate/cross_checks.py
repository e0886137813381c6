"""Check what a pattern of a whole set cannot: parents of levels, counts of lines, amounts.

These checks only decide whether a set whose segments all match is consistent; ``balance`` and
``levels`` report what disagrees. Only the segments that matter are split.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from longshore.x12.delimiters import Delimiters
from longshore.x12.loops.levels import Levels, level_slots
from longshore.x12.loops.slots import HL
from longshore.x12.loops.table import LoopTable
from longshore.x12.validate.amount_balance import AmountBalance
from longshore.x12.validate.balance import AMOUNTS, InvoiceBalance, is_balanced
from longshore.x12.validate.invoice_search import InvoiceSearch
from longshore.x12.validate.line_totals import LINES, QUANTITIES, TOTALS, is_hash


class CrossChecks:
    """The cross checks for sets of one definition, written with the same separators."""

    def __init__(self, table: LoopTable, marks: Delimiters) -> None:
        tx_set = table.definition.tx_set
        self._element = marks.element
        self._table = table
        self._level_slots = level_slots(table) if HL in table.everywhere else None
        self._line = LINES.get(tx_set) if tx_set not in AMOUNTS else None
        self._quantity = QUANTITIES.get(tx_set)
        self._balance = AMOUNTS.get(tx_set)
        self._invoices = InvoiceSearch(marks.element) if self._balance is InvoiceBalance else None
        self._finders: dict[str, Callable[[str], list[str]]] = {}  # by joint
        self._quantity_finders: dict[str, Callable[[str], list[str]]] = {}  # likewise

    def are_passed(self, text: str, separator: str) -> bool:
        """Return whether all checks pass for a text with a separator before each segment."""
        return (
            (HL not in self._table.everywhere or self._are_levels_right(text, separator))
            and (
                self._line is None
                or self._are_lines_counted(text, separator + self._line, separator)
            )
            and (self._balance is None or self._are_amounts_right(self._balance, text, separator))
        )

    def _are_amounts_right(self, balance: type[AmountBalance], text: str, separator: str) -> bool:
        if self._invoices is not None and self._invoices.is_right(text, separator):
            return True
        find = self._finders.get(separator)
        if find is None:
            tags, end = "|".join(sorted(balance.wanted)), re.escape(separator[0])
            source = f"{re.escape(separator)}((?:{tags}){re.escape(self._element)}[^{end}]*)"
            find = self._finders[separator] = re.compile(source).findall
        element = self._element
        return is_balanced(balance(), [each.split(element) for each in find(text)])

    def _are_levels_right(self, text: str, separator: str) -> bool:
        if self._level_slots is None:
            return False
        levels = Levels(has_nested=self._table.has_nested_levels)
        for piece in text.split(f"{separator}{HL}{self._element}")[1:]:
            row = [HL, *piece.split(separator, 1)[0].split(self._element)]
            if not levels.enter(row, self._level_slots[row[3]]):
                return False
        return True

    def _are_lines_counted(self, text: str, line: str, separator: str) -> bool:
        element = self._element
        totals = f"{separator}{TOTALS}{element}"
        before, found, after = text.partition(totals)
        if not found:
            return True
        if totals in after:
            return False
        lines, _, rest = after.split(separator, 1)[0].partition(element)
        if lines != str(before.count(line + element)):
            return False
        stated = rest.split(element, 1)[0] if self._quantity is not None else ""
        return not stated or self._is_hash(stated, before, separator)

    def _is_hash(self, stated: str, text: str, separator: str) -> bool:
        find, quantity = self._quantity_finders.get(separator), self._quantity
        if find is None:
            assert quantity is not None  # else nothing is compared
            element = re.escape(self._element)
            value = f"[^{element}{re.escape(separator[0])}]*+"
            skipped = f"(?:{value}{element}){{{quantity.position - 1}}}"
            source = f"{re.escape(separator)}{quantity.segment_id}{element}{skipped}({value})"
            find = self._quantity_finders[separator] = re.compile(source).findall
        return is_hash(stated, find(text))
