"""Amounts and counts of generated documents, made to agree.

By the rules of docs/reference/x12.md section 2.7 and the guides: written here once more, from the
document as a whole, where the validation goes along with the segments.
"""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Final

Row = list[str]
Rows = list[Row]
_LINES: Final = {"810": "IT1", "850": "PO1", "855": "PO1", "856": "HL"}
_CHARGES: Final = {"SV1": 2, "SV2": 3, "SV3": 2}


def agree(tx_set: str, rows: Rows) -> None:
    """Change amounts and counts so that they agree."""
    for row in rows:
        if row[0] == "CTT" and tx_set in _LINES:
            row[1] = str(sum(each[0] == _LINES[tx_set] for each in rows))
    if tx_set in _BALANCED:
        _BALANCED[tx_set](rows)


def _at(row: Row, position: int) -> Decimal:
    return Decimal((row[position] if position < len(row) else "") or 0)


def _set(row: Row, position: int, amount: Decimal) -> None:
    row[position] = f"{amount:f}"


def _sum(rows: Iterable[Row], tag: str, positions: range) -> Decimal:
    return sum((_at(row, at) for row in rows if row[0] == tag for at in positions), Decimal(0))


def _adjusted(rows: Iterable[Row]) -> Decimal:
    return _sum(rows, "CAS", range(3, 19, 3))


def _cut(rows: Rows, *tags: str) -> list[Rows]:
    """Cut rows before each segment of these ids; the first piece begins with none of them."""
    pieces: list[Rows] = [[]]
    for row in rows:
        if row[0] in tags:
            pieces.append([])
        pieces[-1].append(row)
    return pieces


def _payment(rows: Rows) -> None:
    level = [row for row in rows if row[0] != "PLB"]
    paid = Decimal(0)
    for claim in _cut(level, "CLP")[1:]:
        for service in _cut(claim, "SVC")[1:]:
            _set(service[0], 3, _at(service[0], 2) - _adjusted(service))
        _set(claim[0], 4, _at(claim[0], 3) - _adjusted(claim))
        paid += _at(claim[0], 4)
    for row in rows:
        if row[0] == "BPR":
            _set(row, 2, paid - _sum(rows, "PLB", range(4, 15, 2)))


def _claims(rows: Rows) -> None:
    for claim in _cut(rows, "CLM", "HL"):
        charges = [row for row in claim if row[0] in _CHARGES]
        if claim and claim[0][0] == "CLM" and charges:
            total = sum((_at(row, _CHARGES[row[0]]) for row in charges), Decimal(0))
            _set(claim[0], 2, total)
        charge = Decimal(0)
        for part in _cut(claim, "LX", "SVD"):
            if part and part[0][0] == "LX":
                charge = Decimal(0)
            elif part and part[0][0] == "SVD":
                _set(part[0], 2, charge - _adjusted(part))
            for row in part:
                if row[0] in _CHARGES:
                    charge = _at(row, _CHARGES[row[0]])


def _invoice(rows: Rows) -> None:
    cents = Decimal(0)
    for row in rows:
        if row[0] == "IT1":
            if row[2] and row[4]:
                row[2], row[4] = row[2].replace(".", ""), row[4].replace(".", "")
            row[5] = "PE" if row[5] else ""
            cents += 100 * _at(row, 2) * _at(row, 4)
        elif row[0] == "SAC":
            row[1] = "C"
            cents += _at(row, 5)
        elif row[0] == "TXI":
            row[2] = row[2].replace(".", "")
            cents += 100 * _at(row, 2)
    for row in rows:
        if row[0] == "TDS":
            row[1] = str(int(cents))


_BALANCED: Final[dict[str, Callable[[Rows], None]]] = {
    "810": _invoice,
    "835": _payment,
    "837": _claims,
}
