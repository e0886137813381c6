"""Make amounts and counts of a set agree.

The rules of docs/reference/balancing.md, applied to a set as a whole; the validation goes along
with the segments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Final

from longshore.x12.validate.amounts import total
from longshore.x12.validate.line_totals import LINES, QUANTITIES, TOTALS, hash_total

Row = list[str]
Rows = list[Row]
CHARGES: Final[Mapping[str, int]] = {"SV1": 2, "SV2": 3, "SV3": 2}
"""Segments of service lines, with the element that has the charge."""

_PAID_IN: Final[Mapping[str, int]] = {"ADX": 1, "RMR": 4}
"""Segments of a remittance, with the element that has what is paid."""
_PRICE_BASIS: Final = 5  # of IT1
_EACH: Final = "PE"  # any other basis would say that the price is for several


def balance(tx_set: str, rows: Rows) -> None:
    """Change amounts and counts in place so that they agree."""
    if tx_set in LINES:
        for row in rows:
            if row[0] == TOTALS:
                _put_totals(tx_set, rows, row)
    if tx_set in _BALANCED:
        _BALANCED[tx_set](rows)


def _put_totals(tx_set: str, rows: Rows, totals: Row) -> None:
    totals[1] = str(sum(row[0] == LINES[tx_set] for row in rows))
    if totals[2:3] and totals[2] and tx_set in QUANTITIES:
        tag, position = QUANTITIES[tx_set]
        quantities = [row[position] for row in rows if row[0] == tag and row[position:]]
        if total(quantities) is not None:  # else one of them is wrong on purpose
            totals[2] = str(hash_total(quantities))


def _at(row: Row, position: int) -> Decimal:
    return Decimal((row[position] if position < len(row) else "") or 0)


def _put(row: Row, position: int, amount: Decimal) -> None:
    row += [""] * (position + 1 - len(row))
    row[position] = f"{amount:f}"


def _sum(rows: Iterable[Row], tag: str, positions: range) -> Decimal:
    return sum((_at(row, at) for row in rows if row[0] == tag for at in positions), Decimal(0))


def _adjusted(rows: Iterable[Row]) -> Decimal:
    return _sum(rows, "CAS", range(3, 19, 3))


def _divided(rows: Rows, *tags: str) -> list[Rows]:
    """Divide rows before each segment of these ids; the first piece begins with none of them."""
    pieces: list[Rows] = [[]]
    for row in rows:
        if row[0] in tags:
            pieces.append([])
        pieces[-1].append(row)
    return pieces


def _payment(rows: Rows) -> None:
    claims = [row for row in rows if row[0] != "PLB"]
    paid = Decimal(0)
    for claim in _divided(claims, "CLP")[1:]:
        services = _divided(claim, "SVC")[1:]
        for service in services:
            _pay(service[0], 2, _adjusted(service))
        if services:
            _put(claim[0], 3, sum((_at(each[0], 2) for each in services), Decimal(0)))
        _pay(claim[0], 3, _adjusted(claim))
        paid += _at(claim[0], 4)
    for row in rows:
        if row[0] == "BPR":
            _put(row, 2, paid - _sum(rows, "PLB", range(4, 15, 2)))


def _pay(row: Row, position: int, adjusted: Decimal) -> None:
    """Let a charge be at least what it is adjusted by, and the payment after it the rest."""
    charge = max(_at(row, position), adjusted)
    _put(row, position, charge)
    _put(row, position + 1, charge - adjusted)


def _claims(rows: Rows) -> None:
    for claim in _divided(rows, "CLM", "HL"):
        for line in _divided(claim, "LX")[1:]:
            _pay_line(line)
        charges = [row for row in claim if row[0] in CHARGES]
        if claim and claim[0][0] == "CLM" and charges:
            _put(claim[0], 2, sum((_at(row, CHARGES[row[0]]) for row in charges), Decimal(0)))


def _pay_line(line: Rows) -> None:
    """Let each payer of a line pay its charge less what that payer adjusts."""
    services = [row for row in line if row[0] in CHARGES]
    payers = _divided(line, "SVD")[1:]
    if services and payers:
        service, position = services[-1], CHARGES[services[-1][0]]
        charge = max(_at(service, position), *map(_adjusted, payers))
        _put(service, position, charge)
        for payer in payers:
            _put(payer[0], 2, charge - _adjusted(payer))


def _remittance(rows: Rows) -> None:
    texts = [(*row, *[""] * 4)[_PAID_IN[row[0]]] for row in rows if row[0] in _PAID_IN]
    paid = total(texts)
    for row in rows:
        if row[0] == "BPR" and texts and paid is not None:  # else one is wrong on purpose
            _put(row, 2, paid)


def _invoice(rows: Rows) -> None:
    total = Decimal(0)
    for row in rows:
        if row[0] == "IT1":
            if row[_PRICE_BASIS:] and row[_PRICE_BASIS]:
                row[_PRICE_BASIS] = _EACH
            total += (_at(row, 2) * _at(row, 4)).quantize(Decimal("0.01"))
        elif row[0] == "SAC":
            row[1] = "C"
            total += _at(row, 5) / 100
        elif row[0] == "TXI":
            total += _at(row, 2)
    for row in rows:
        if row[0] == "TDS":
            row[1] = str(int(total.quantize(Decimal("0.01")) * 100))


_BALANCED: Final[Mapping[str, Callable[[Rows], None]]] = {
    "810": _invoice,
    "820": _remittance,
    "835": _payment,
    "837": _claims,
}
