"""Balancing (SNIP level 3): amounts and counts of a set that have to agree.

Each balance takes the segments of one set in order and reports the segment whose amount disagrees.
An amount that is no number is left to the element checks: what it takes part in is not balanced.

Source: x12.md section 2.7; for 835 and 837 the balancing rules of the implementation guides, in our
own words in docs/reference/balancing.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Final, NamedTuple, Protocol

from longshore.x12.batch import SegmentBatch
from longshore.x12.control import element_at
from longshore.x12.findings import FindingCode

_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{0,18})?|-?\.[0-9]{1,18}")
_INTEGER = re.compile("-?[0-9]{1,18}")
_CENTS: Final = Decimal("0.01")
_ADJUSTMENTS: Final = range(3, 19, 3)  # CAS03, 06, … 18
_PROVIDER_ADJUSTMENTS: Final = range(4, 15, 2)  # PLB04, 06, … 14
_UNIT_PRICE: Final = frozenset(("", "UM", "PE"))  # bases of a price that is for one unit


Anchor = tuple[SegmentBatch, int, int, int]
"""A segment an amount stands in: its batch, index in it, position in the set (ST = 1), and number
among those of its id in the set, from 1. One is made for each segment that is balanced.
"""


class BalanceFault(NamedTuple):
    """An amount that disagrees: what to call it, in words, where, and at which 1-based element."""

    code: FindingCode
    message: str
    place: Anchor
    element: int


class Balance(Protocol):
    """Follows one transaction set. ``tags``: the segments it wants to see."""

    tags: frozenset[str]

    def take(self, row: list[str], place: Anchor) -> Iterator[BalanceFault]:
        """Take one of those segments; what it ends is balanced then."""
        ...

    def finish(self) -> Iterator[BalanceFault]:
        """Balance what is open at the end of the set."""
        ...


def amount(row: list[str], position: int) -> Decimal | None:
    """Return the number at a position; zero if the element is absent, None if it is no number."""
    text = element_at(row, position)
    if not text:
        return Decimal(0)
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def cents(row: list[str], position: int) -> Decimal | None:
    """Return the amount at a position that counts in cents, as ``amount`` does."""
    text = element_at(row, position)
    if not text:
        return Decimal(0)
    return Decimal(text) * _CENTS if _INTEGER.fullmatch(text) else None


def _added(total: Decimal | None, part: Decimal | None) -> Decimal | None:
    return None if total is None or part is None else total + part


def _adjusted(row: list[str]) -> Decimal | None:
    """Return the sum of the adjustments of a CAS."""
    total: Decimal | None = Decimal(0)
    for position in _ADJUSTMENTS:
        total = _added(total, amount(row, position))
    return total


class _Sum:
    """An amount, and what has to add up to it."""

    __slots__ = ("element", "expected", "place", "total")

    def __init__(self, expected: Decimal | None, place: Anchor, element: int) -> None:
        self.expected = expected
        self.place = place
        self.element = element
        self.total: Decimal | None = Decimal(0)

    def add(self, part: Decimal | None) -> None:
        self.total = _added(self.total, part)

    def subtract(self, part: Decimal | None) -> None:
        self.total = _added(self.total, None if part is None else -part)

    def fault(self, code: FindingCode, message: str) -> Iterator[BalanceFault]:
        if self.expected is not None and self.total is not None and self.expected != self.total:
            yield BalanceFault(code, message, self.place, self.element)


class PaymentBalance:
    """835: each service, each claim, and the payment as a whole."""

    tags = frozenset(("BPR", "CLP", "SVC", "CAS", "PLB"))

    def __init__(self) -> None:
        self._payment: _Sum | None = None
        self._claim: _Sum | None = None
        self._service: _Sum | None = None

    def take(self, row: list[str], place: Anchor) -> Iterator[BalanceFault]:
        """Take a BPR, CLP, SVC, CAS or PLB."""
        tag = row[0]
        if tag == "BPR":
            self._payment = _Sum(amount(row, 2), place, 2)
        elif tag == "CLP":
            yield from self._end_claim()
            self._claim = _Sum(amount(row, 4), place, 4)
            self._claim.add(amount(row, 3))
            if self._payment is not None:
                self._payment.add(amount(row, 4))
        elif tag == "SVC":
            yield from self._end_service()
            self._service = _Sum(amount(row, 3), place, 3)
            self._service.add(amount(row, 2))
        elif tag == "CAS":
            for each in (self._service, self._claim):
                if each is not None:
                    each.subtract(_adjusted(row))
        else:
            yield from self._provider_level(row)

    def finish(self) -> Iterator[BalanceFault]:
        """Balance the last claim and the payment."""
        yield from self._end_claim()
        if self._payment is not None:
            message = "BPR02 is not what the claims pay less the provider adjustments"
            yield from self._payment.fault(FindingCode.PAYMENT_OUT_OF_BALANCE, message)

    def _provider_level(self, row: list[str]) -> Iterator[BalanceFault]:
        yield from self._end_claim()
        if self._payment is not None:
            for position in _PROVIDER_ADJUSTMENTS:
                self._payment.subtract(amount(row, position))

    def _end_claim(self) -> Iterator[BalanceFault]:
        yield from self._end_service()
        if self._claim is not None:
            message = "CLP04 is not the charge less the adjustments of the claim and its services"
            yield from self._claim.fault(FindingCode.CLAIM_OUT_OF_BALANCE, message)
            self._claim = None

    def _end_service(self) -> Iterator[BalanceFault]:
        if self._service is not None:
            message = "SVC03 is not the charge less the adjustments of the service"
            yield from self._service.fault(FindingCode.SERVICE_OUT_OF_BALANCE, message)
            self._service = None


# Where a service line of an 837 has its charge.
_LINE_CHARGE: Final[Mapping[str, int]] = {"SV1": 2, "SV2": 3, "SV3": 2}


class ClaimBalance:
    """837: the charge of a claim against its lines; a line against what another payer paid."""

    tags = frozenset(("CLM", "SV1", "SV2", "SV3", "SVD", "CAS", "HL", "LX"))

    def __init__(self) -> None:
        self._claim: _Sum | None = None
        self._has_lines = False
        self._charge: Decimal | None = None
        self._paid: _Sum | None = None

    def take(self, row: list[str], place: Anchor) -> Iterator[BalanceFault]:
        """Take a CLM, a service line, an SVD, a CAS, or what begins the next level."""
        tag = row[0]
        if tag in {"CLM", "HL"}:
            yield from self.finish()
            if tag == "CLM":
                self._claim = _Sum(amount(row, 2), place, 2)
        elif tag == "LX":
            yield from self._end_line()
        elif tag == "SVD":
            yield from self._end_line()
            self._paid = _Sum(amount(row, 2), place, 2)
            self._paid.add(self._charge)
        elif tag == "CAS":
            if self._paid is not None:
                self._paid.subtract(_adjusted(row))
        else:
            self._has_lines = True
            self._charge = amount(row, _LINE_CHARGE[tag])
            if self._claim is not None:
                self._claim.add(self._charge)

    def finish(self) -> Iterator[BalanceFault]:
        """Balance the claim that is open."""
        yield from self._end_line()
        if self._claim is not None and self._has_lines:
            message = "CLM02 is not the sum of the charges of its service lines"
            yield from self._claim.fault(FindingCode.CLAIM_OUT_OF_BALANCE, message)
        self._claim, self._has_lines = None, False

    def _end_line(self) -> Iterator[BalanceFault]:
        if self._paid is not None:
            message = "SVD02 is not the charge of the line less its adjustments"
            yield from self._paid.fault(FindingCode.SERVICE_OUT_OF_BALANCE, message)
            self._paid = None


class InvoiceBalance:
    """810: the total against lines, allowances, charges and taxes; the number of lines.

    An invoice whose prices are not all for one unit, or whose allowances are no plain amounts, is
    not balanced: the total cannot be known then.
    """

    tags = frozenset(("IT1", "SAC", "TXI", "TDS", "CTT"))

    def __init__(self) -> None:
        self._total: Decimal | None = Decimal(0)
        self._lines = 0
        self._stated: _Sum | None = None

    def take(self, row: list[str], place: Anchor) -> Iterator[BalanceFault]:
        """Take a line, an allowance or charge, a tax, the total, or the count of lines."""
        tag = row[0]
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
            yield from count_fault(row, place, self._lines)

    def finish(self) -> Iterator[BalanceFault]:
        """Compare the total, which allowances and taxes may follow."""
        if self._stated is not None and self._lines:
            self._stated.total = None if self._total is None else self._total.quantize(_CENTS)
            message = "TDS01 is not the sum of lines, charges, allowances and taxes"
            yield from self._stated.fault(FindingCode.INVOICE_OUT_OF_BALANCE, message)

    def _add(self, part: Decimal | None) -> None:
        self._total = _added(self._total, part)


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
        self.tags = frozenset((line, "CTT"))
        self._count = 0

    def take(self, row: list[str], place: Anchor) -> Iterator[BalanceFault]:
        """Take a line, or compare their number."""
        if row[0] == "CTT":
            yield from count_fault(row, place, self._count)
        else:
            self._count += 1

    def finish(self) -> Iterator[BalanceFault]:
        """Nothing is open."""
        return iter(())


def count_fault(row: list[str], place: Anchor, count: int) -> Iterator[BalanceFault]:
    """Compare CTT01 with the number of lines."""
    stated = amount(row, 1)
    if stated is not None and element_at(row, 1) and stated != count:
        message = f"CTT01 is wrong: the set has {count} lines"
        yield BalanceFault(FindingCode.LINE_COUNT_WRONG, message, place, 1)


BALANCES: Final[Mapping[str, Callable[[], Balance]]] = {
    "810": InvoiceBalance,
    "835": PaymentBalance,
    "837": ClaimBalance,
    "850": lambda: LineCount("PO1"),
    "855": lambda: LineCount("PO1"),
    "856": lambda: LineCount("HL"),
}
"""What balances a set of each id; sets not named here state nothing that could disagree."""

BALANCED: Final = frozenset(("810", "835", "837"))
"""Sets whose amounts are compared, not only their lines counted."""
