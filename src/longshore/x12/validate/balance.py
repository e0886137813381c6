"""Balancing (SNIP level 3): amounts and counts of a set that have to agree.

Each balance takes the segments of one set in order and reports the segment whose amount disagrees.
An amount that is not a number is left to the element checks, and sums that include it are not
compared.

Source: x12.md section 2.7; for 835 and 837 the balancing rules of the implementation guides, in our
words in docs/reference/balancing.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Final

from longshore.x12.control import element_at
from longshore.x12.findings import FindingCode
from longshore.x12.validate.amount_balance import (
    AmountBalance,
    AmountRef,
    Balance,
    BalanceFault,
    BalanceSpan,
    Sum,
)
from longshore.x12.validate.amounts import CENTS, ZERO, amount, cents, total
from longshore.x12.validate.line_totals import LINES, QUANTITIES, TOTALS, totals_faults

_ADJUSTMENTS: Final = slice(3, 19, 3)  # CAS03, 06, … 18
_PROVIDER_ADJUSTMENTS: Final = slice(4, 15, 2)  # PLB04, 06, … 14
_IT102, _IT103 = 2, 3
_UNIT_PRICE: Final = frozenset(("", "UM", "PE"))  # bases of a price that is for one unit


class PaymentBalance(AmountBalance):
    """835: each service, each claim, and the payment as a whole."""

    wanted = frozenset(("BPR", "CLP", "SVC", "CAS", "PLB"))

    def __init__(self) -> None:
        super().__init__()
        self._payment: Sum | None = None
        self._claim: Sum | None = None
        self._service: Sum | None = None

    def take_segment(self, tag: str, row: list[str], place: AmountRef) -> None:
        """Take a BPR, CLP, SVC, CAS or PLB."""
        if tag == "CAS":
            part = total(row[_ADJUSTMENTS])
            if self._service is not None:
                self._service.subtract(part)
            if self._claim is not None:
                self._claim.subtract(part)
        elif tag == "SVC":
            self._end_service()
            self._service = Sum(amount(row, 3), place, 3, amount(row, 2))
        elif tag == "CLP":
            self._end_claim()
            paid = amount(row, 4)
            self._claim = Sum(paid, place, 4, amount(row, 3))
            if self._payment is not None:
                self._payment.add(paid)
        elif tag == "BPR":
            self._payment = Sum(amount(row, 2), place, 2)
        else:
            self._end_claim()
            if self._payment is not None:
                self._payment.subtract(total(row[_PROVIDER_ADJUSTMENTS]))

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
        self._claim: Sum | None = None
        self._has_lines = False
        self._charge: Decimal | None = None
        self._paid: Sum | None = None

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
            self._paid = Sum(amount(row, 2), place, 2, self._charge)
        elif tag == "CAS":
            if self._paid is not None:
                self._paid.subtract(total(row[_ADJUSTMENTS]))
        else:
            self.finish()
            if tag == "CLM":
                self._claim = Sum(amount(row, 2), place, 2)

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


class RemittanceBalance(AmountBalance):
    """820: the payment against the open items that it pays and the adjustments.

    Partners differ in whether adjustments change the payment or only explain the difference
    between an item and what is paid for it. Each of these sums is right. A payment is not compared
    if an item has no amount or if something else is paid with it, such as taxes and deductions.
    """

    wanted = frozenset(("BPR", "ENT", "RMR", "ADX", "AMT", "DED", "LX", "RYL", "TXP"))

    def __init__(self) -> None:
        super().__init__()
        self._stated: tuple[Decimal | None, AmountRef] | None = None
        self._paid: Decimal | None = None
        self._is_compared = True
        self._is_in_item = False
        self._adjusted = {False: ZERO, True: ZERO}  # by whether it is in an item

    def take_segment(self, tag: str, row: list[str], place: AmountRef) -> None:
        """Take the payment, an item, an adjustment, or what makes the payment incomparable."""
        if tag == "BPR":
            self._stated = amount(row, 2), place
        elif tag == "ENT":
            self._is_in_item = False
        elif tag == "RMR":
            self._is_in_item = True
            self._paid = self._sum(self._paid or ZERO, element_at(row, 4))
        elif tag == "ADX":
            inside = self._is_in_item
            self._adjusted[inside] = self._sum(self._adjusted[inside], element_at(row, 1))
        else:
            self._is_compared = False

    def finish(self) -> None:
        """Compare the payment, if all that it consists of is known."""
        if not self._is_compared or self._stated is None or self._paid is None:
            return
        (stated, place), outside = self._stated, self._adjusted[False]
        sums = self._paid, self._paid + outside, self._paid + outside + self._adjusted[True]
        if stated is not None and stated not in sums:
            message = "BPR02 is not the sum of RMR04, with or without adjustments (ADX01)"
            code = FindingCode.REMITTANCE_OUT_OF_BALANCE
            self.faults.append(BalanceFault(code, message, 2, place))

    def _sum(self, before: Decimal, text: str) -> Decimal:
        """Return a sum; nothing is compared if the text is no amount."""
        part = total([text]) if text else None
        self._is_compared = self._is_compared and part is not None
        return before + (part or ZERO)


class InvoiceBalance(AmountBalance):
    """810: the total against lines, allowances, charges and taxes; the number of lines.

    An invoice whose prices are not all for one unit, or whose allowances are no plain amounts, is
    not balanced: the total cannot be known then.
    """

    wanted = frozenset(("IT1", "SAC", "TXI", "TDS", "CTT"))

    def __init__(self) -> None:
        super().__init__()
        self._total: Decimal | None = ZERO
        self._lines = 0
        self._quantities: list[str] = []
        self._stated: Sum | None = None

    def take_segment(self, tag: str, row: list[str], place: AmountRef) -> None:
        """Take a line, an allowance or charge, a tax, the total, or the count of lines."""
        if tag == "IT1":
            self._lines += 1
            self._quantities += row[_IT102:_IT103]
            self._add(_line_total(row))
        elif tag == "SAC":
            self._add(_allowance(row))
        elif tag == "TXI":
            self._add(_tax(row))
        elif tag == "TDS":
            self._stated = Sum(cents(row, 1), place, 1)
        else:
            for fault in totals_faults(row, self._lines, QUANTITIES["810"], self._quantities):
                self.faults.append(BalanceFault(*fault, place))

    def finish(self) -> None:
        """Compare the total, which allowances and taxes may follow."""
        if self._stated is not None and self._lines:
            self._stated.total = None if self._total is None else self._total.quantize(CENTS)
            message = "TDS01 is not the sum of lines, charges, allowances and taxes"
            self.check(self._stated, FindingCode.INVOICE_OUT_OF_BALANCE, message)

    def _add(self, part: Decimal | None) -> None:
        self._total = None if self._total is None or part is None else self._total + part


def _line_total(row: list[str]) -> Decimal | None:
    quantity, price = amount(row, 2), amount(row, 4)
    if quantity is None or price is None or element_at(row, 5) not in _UNIT_PRICE:
        return None
    return (quantity * price).quantize(CENTS)


def _allowance(row: list[str]) -> Decimal | None:
    kind, part = element_at(row, 1), cents(row, 5)
    if part is None or not element_at(row, 5) or kind not in {"A", "C"}:
        return None
    return -part if kind == "A" else part


def _tax(row: list[str]) -> Decimal | None:
    return amount(row, 2) if element_at(row, 2) else None


class LineBalance:
    """Sets whose CTT counts lines and adds up quantities, and that state no other amounts."""

    def __init__(self, tx_set: str) -> None:
        self.faults: list[BalanceFault] = []
        self._line = LINES[tx_set]
        self._quantity = QUANTITIES.get(tx_set)
        self._count = 0
        self._quantities: list[str] = []

    def take(self, span: BalanceSpan) -> None:
        """Count the lines of a stretch, and compare the totals where they are stated."""
        tags, start = span.tags, 0
        for _ in range(tags.count(TOTALS)):
            at = tags.index(TOTALS, start)
            row = span.rows[at]
            self._count_lines(span, start, at, is_added=bool(element_at(row, 2)))
            faults = totals_faults(row, self._count, self._quantity, self._quantities)
            self.faults += (BalanceFault(*each, (span, at)) for each in faults)
            start = at + 1
        self._count_lines(span, start, len(tags), is_added=start == 0)

    def finish(self) -> None:
        """Nothing is open."""

    def _count_lines(self, span: BalanceSpan, start: int, end: int, *, is_added: bool) -> None:
        """Count lines; the quantities are ``is_added`` only if a CTT02 may need them."""
        self._count += span.tags[start:end].count(self._line)
        if is_added and self._quantity is not None:
            segment_id, position = self._quantity
            self._quantities += [
                row[position]
                for row in span.rows[start:end]
                if row[0] == segment_id and len(row) > position
            ]


AMOUNTS: Final[Mapping[str, type[AmountBalance]]] = {
    "810": InvoiceBalance,
    "820": RemittanceBalance,
    "835": PaymentBalance,
    "837": ClaimBalance,
}
"""Sets whose amounts are compared."""

BALANCES: Final[Mapping[str, Callable[[], Balance]]] = {
    **{tx_set: partial(LineBalance, tx_set) for tx_set in LINES},
    **AMOUNTS,
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
