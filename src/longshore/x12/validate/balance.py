"""Balancing (SNIP level 3): amounts and counts of a set that have to agree.

Each balance takes the segments of one set in order and reports the segment whose amount disagrees.
An amount that is not a number is left to the element checks, and sums that include it are not
compared.

Source: x12.md section 2.7; for 835 and 837 the balancing rules of the implementation guides, in our
words in docs/reference/balancing.md.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import ClassVar, Final, NamedTuple, Protocol

from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.findings import FindingCode

_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{0,18})?|-?\.[0-9]{1,18}")
_IN_NUMBERS: Final = "0123456789.-"
_MAX_CHARS: Final = 18  # of a number whose length needs no check
_INTEGER = re.compile("-?[0-9]{1,18}")
_ZERO: Final = Decimal(0)
_CENTS: Final = Decimal("0.01")
_ADJUSTMENTS: Final = slice(3, 19, 3)  # CAS03, 06, … 18
_PROVIDER_ADJUSTMENTS: Final = slice(4, 15, 2)  # PLB04, 06, … 14
_UNIT_PRICE: Final = frozenset(("", "UM", "PE"))  # bases of a price that is for one unit


class BalanceSpan(NamedTuple):
    """A stretch of a set: its rows and segment ids, and how often each id came before it."""

    span: SegmentSpan | None
    """None if positions are not needed."""
    rows: list[list[str]]
    tags: list[str]
    earlier: Mapping[str, int]

    def number(self, ahead: int) -> int:
        """Return which segment of its id in the set the one at index ``ahead`` of it is, from 1."""
        tag = self.tags[ahead]
        return self.earlier.get(tag, 0) + self.tags[: ahead + 1].count(tag)


AmountRef = tuple[BalanceSpan, int]
"""The segment of an amount: its span, and its index there. Made for each one balanced."""


class BalanceFault(NamedTuple):
    """An amount that disagrees: what to call it, in words, where, and at which 1-based element."""

    code: FindingCode
    message: str
    place: AmountRef
    element: int


class Balance(Protocol):
    """Follows one transaction set."""

    faults: list[BalanceFault]
    """The amounts that disagree so far; the caller may empty the list."""

    def take(self, span: BalanceSpan) -> None:
        """Take a stretch; what ends in it is balanced."""
        ...

    def finish(self) -> None:
        """Balance what is open at the end of the set."""
        ...


def amount(row: list[str], position: int) -> Decimal | None:
    """Return the number at a position; zero if the element is absent, None if it is no number."""
    return _number(row[position]) if position < len(row) else _ZERO


def cents(row: list[str], position: int) -> Decimal | None:
    """Return the amount at a position that counts in cents, as ``amount`` does."""
    text = element_at(row, position)
    if not text:
        return _ZERO
    return Decimal(text) * _CENTS if _INTEGER.fullmatch(text) else None


def _number(text: str) -> Decimal | None:
    if not text:
        return _ZERO
    if len(text) > _MAX_CHARS:
        return Decimal(text) if _NUMBER.fullmatch(text) else None
    if text.strip(_IN_NUMBERS):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _sum(texts: list[str]) -> Decimal | None:
    """Return the sum of numbers; None if one is none."""
    total = _ZERO
    for text in texts:
        part = _number(text)
        if part is None:
            return None
        total += part
    return total


class _Sum:
    """An amount, and what has to add up to it."""

    __slots__ = ("element", "expected", "place", "total")

    def __init__(
        self,
        expected: Decimal | None,
        place: AmountRef,
        element: int,
        total: Decimal | None = _ZERO,
    ) -> None:
        self.expected = expected
        self.place = place
        self.element = element
        self.total = total

    def add(self, part: Decimal | None) -> None:
        self.total = None if self.total is None or part is None else self.total + part

    def subtract(self, part: Decimal | None) -> None:
        self.total = None if self.total is None or part is None else self.total - part


class AmountBalance:
    """Base class of balances of amounts."""

    wanted: ClassVar[frozenset[str]]
    """Ids of the segments that matter."""

    def __init__(self) -> None:
        self.faults: list[BalanceFault] = []

    def take(self, span: BalanceSpan) -> None:
        """Take a stretch; what ends in it is balanced."""
        rows, wanted = span.rows, self.wanted
        for ahead, tag in enumerate(span.tags):
            if tag in wanted:
                self.take_segment(tag, rows[ahead], (span, ahead))

    @abstractmethod
    def take_segment(self, tag: str, row: list[str], place: AmountRef) -> None:
        """Take one of the segments wanted."""

    @abstractmethod
    def finish(self) -> None:
        """Balance what is open at the end of the set."""

    def check(self, take_segment: _Sum | None, code: FindingCode, message: str) -> None:
        """Compare an amount with its sum, if both are known."""
        if take_segment is None or take_segment.total is None or take_segment.expected is None:
            return
        if take_segment.total != take_segment.expected:
            self.faults.append(
                BalanceFault(code, message, take_segment.place, take_segment.element)
            )


class PaymentBalance(AmountBalance):
    """835: each service, each claim, and the payment as a whole."""

    wanted = frozenset(("BPR", "CLP", "SVC", "CAS", "PLB"))

    def __init__(self) -> None:
        super().__init__()
        self._payment: _Sum | None = None
        self._claim: _Sum | None = None
        self._service: _Sum | None = None

    def take_segment(self, tag: str, row: list[str], place: AmountRef) -> None:
        """Take a BPR, CLP, SVC, CAS or PLB."""
        if tag == "CAS":
            part = _sum(row[_ADJUSTMENTS])
            if self._service is not None:
                self._service.subtract(part)
            if self._claim is not None:
                self._claim.subtract(part)
        elif tag == "SVC":
            self._end_service()
            self._service = _Sum(amount(row, 3), place, 3, amount(row, 2))
        elif tag == "CLP":
            self._end_claim()
            paid = amount(row, 4)
            self._claim = _Sum(paid, place, 4, amount(row, 3))
            if self._payment is not None:
                self._payment.add(paid)
        elif tag == "BPR":
            self._payment = _Sum(amount(row, 2), place, 2)
        else:
            self._end_claim()
            if self._payment is not None:
                self._payment.subtract(_sum(row[_PROVIDER_ADJUSTMENTS]))

    def finish(self) -> None:
        """Balance the last claim and the payment."""
        self._end_claim()
        message = "BPR02 is not what the claims pay less the provider adjustments"
        self.check(self._payment, FindingCode.PAYMENT_OUT_OF_BALANCE, message)

    def _end_claim(self) -> None:
        self._end_service()
        message = "CLP04 is not the charge less the adjustments of the claim and its services"
        self.check(self._claim, FindingCode.CLAIM_OUT_OF_BALANCE, message)
        self._claim = None

    def _end_service(self) -> None:
        message = "SVC03 is not the charge less the adjustments of the service"
        self.check(self._service, FindingCode.SERVICE_OUT_OF_BALANCE, message)
        self._service = None


# Where a service line of an 837 has its charge.
_LINE_CHARGE: Final[Mapping[str, int]] = {"SV1": 2, "SV2": 3, "SV3": 2}


class ClaimBalance(AmountBalance):
    """837: the charge of a claim against its lines; a line against what another payer paid."""

    wanted = frozenset(("CLM", "SV1", "SV2", "SV3", "SVD", "CAS", "HL", "LX"))

    def __init__(self) -> None:
        super().__init__()
        self._claim: _Sum | None = None
        self._has_lines = False
        self._charge: Decimal | None = None
        self._paid: _Sum | None = None

    def take_segment(self, tag: str, row: list[str], place: AmountRef) -> None:
        """Take a CLM, a service line, an SVD, a CAS, or what begins the next level."""
        if tag in _LINE_CHARGE:
            self._has_lines = True
            self._charge = amount(row, _LINE_CHARGE[tag])
            if self._claim is not None:
                self._claim.add(self._charge)
        elif tag == "LX":
            self._end_line()
            self._charge = None
        elif tag == "SVD":
            self._end_line()
            self._paid = _Sum(amount(row, 2), place, 2, self._charge)
        elif tag == "CAS":
            if self._paid is not None:
                self._paid.subtract(_sum(row[_ADJUSTMENTS]))
        else:
            self.finish()
            if tag == "CLM":
                self._claim = _Sum(amount(row, 2), place, 2)

    def finish(self) -> None:
        """Balance the claim that is open."""
        self._end_line()
        if self._has_lines:
            message = "CLM02 is not the sum of the charges of its service lines"
            self.check(self._claim, FindingCode.CLAIM_OUT_OF_BALANCE, message)
        self._claim, self._has_lines, self._charge = None, False, None

    def _end_line(self) -> None:
        message = "SVD02 is not the charge of the line less its adjustments"
        self.check(self._paid, FindingCode.SERVICE_OUT_OF_BALANCE, message)
        self._paid = None


class InvoiceBalance(AmountBalance):
    """810: the total against lines, allowances, charges and taxes; the number of lines.

    An invoice whose prices are not all for one unit, or whose allowances are no plain amounts, is
    not balanced: the total cannot be known then.
    """

    wanted = frozenset(("IT1", "SAC", "TXI", "TDS", "CTT"))

    def __init__(self) -> None:
        super().__init__()
        self._total: Decimal | None = _ZERO
        self._lines = 0
        self._stated: _Sum | None = None

    def take_segment(self, tag: str, row: list[str], place: AmountRef) -> None:
        """Take a line, an allowance or charge, a tax, the total, or the count of lines."""
        if tag == "IT1":
            self._lines += 1
            self._add(_line_total(row))
        elif tag == "SAC":
            self._add(_allowance(row))
        elif tag == "TXI":
            self._add(_tax(row))
        elif tag == "TDS":
            self._stated = _Sum(cents(row, 1), place, 1)
        else:
            check_count(row, place, self._lines, self.faults)

    def finish(self) -> None:
        """Compare the total, which allowances and taxes may follow."""
        if self._stated is not None and self._lines:
            self._stated.total = None if self._total is None else self._total.quantize(_CENTS)
            message = "TDS01 is not the sum of lines, charges, allowances and taxes"
            self.check(self._stated, FindingCode.INVOICE_OUT_OF_BALANCE, message)

    def _add(self, part: Decimal | None) -> None:
        self._total = None if self._total is None or part is None else self._total + part


def _line_total(row: list[str]) -> Decimal | None:
    quantity, price = amount(row, 2), amount(row, 4)
    if quantity is None or price is None or element_at(row, 5) not in _UNIT_PRICE:
        return None
    return (quantity * price).quantize(_CENTS)


def _allowance(row: list[str]) -> Decimal | None:
    kind, part = element_at(row, 1), cents(row, 5)
    if part is None or not element_at(row, 5) or kind not in {"A", "C"}:
        return None
    return -part if kind == "A" else part


def _tax(row: list[str]) -> Decimal | None:
    return amount(row, 2) if element_at(row, 2) else None


class LineCount:
    """Sets that state their number of lines in CTT01: so many segments of one id there are."""

    def __init__(self, line: str) -> None:
        self.faults: list[BalanceFault] = []
        self._line = line
        self._count = 0

    def take(self, span: BalanceSpan) -> None:
        """Count the lines of a stretch, and compare their number where it is stated."""
        tags, start = span.tags, 0
        for _ in range(tags.count("CTT")):
            at = tags.index("CTT", start)
            self._count += tags[start:at].count(self._line)
            check_count(span.rows[at], (span, at), self._count, self.faults)
            start = at + 1
        self._count += tags[start:].count(self._line)

    def finish(self) -> None:
        """Nothing is open."""


def check_count(row: list[str], place: AmountRef, count: int, faults: list[BalanceFault]) -> None:
    """Compare CTT01 with the number of lines."""
    text = element_at(row, 1)
    if not text or text == str(count):
        return
    stated = amount(row, 1)
    if stated is not None and stated != count:
        message = f"CTT01 is wrong: the set has {count} lines"
        faults.append(BalanceFault(FindingCode.LINE_COUNT_WRONG, message, place, 1))


AMOUNTS: Final[Mapping[str, type[AmountBalance]]] = {
    "810": InvoiceBalance,
    "835": PaymentBalance,
    "837": ClaimBalance,
}
"""Sets whose amounts are compared."""

LINES: Final[Mapping[str, str]] = {"850": "PO1", "855": "PO1", "856": "HL"}
"""Sets that state how many segments of an id they have."""

BALANCES: Final[Mapping[str, Callable[[], Balance]]] = {
    **AMOUNTS,
    **{tx_set: partial(LineCount, line) for tx_set, line in LINES.items()},
}
"""The balance of each set id; other sets state no amounts or counts that could disagree."""


def is_balanced(balance: Balance, rows: list[list[str]]) -> bool:
    """Return whether all amounts and counts of a whole set agree.

    Args:
        balance: A new balance of the set.
        rows: The segments that matter to it, or all segments.
    """
    balance.take(BalanceSpan(None, rows, [row[0] for row in rows], {}))
    balance.finish()
    return not balance.faults
