"""The documents of the demo: transaction sets without their envelopes, and orders as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from longshore.demo.orders import Order, OrderLine

Segments = Sequence[str]
"""The segments between ST and SE, without terminators: ``BEG*00*NE*PO-1**20260302``."""

FUNCTIONAL_IDS: Final[Mapping[str, str]] = {
    "850": "PO",
    "855": "PR",
    "856": "SH",
    "810": "IN",
    "997": "FA",
    "999": "FA",
}
_CENTS: Final = 100
_TRANSIT: Final = timedelta(days=3)


def purchase_order(order: Order, day: date) -> Segments:
    """Return the segments of an 850, which the buyer sends."""
    return (
        f"BEG*00*NE*{order.number}**{_day(order.day)}",
        "CUR*BY*USD",
        "REF*DP*0420",
        f"DTM*002*{_day(day + timedelta(days=14))}",
        *_parties(order),
        *_lines(order, "PO1"),
        f"CTT*{len(order.lines)}",
    )


def order_answer(order: Order, day: date) -> Segments:
    """Return the segments of an 855 that accepts all lines, which the seller sends."""
    ships = _day(day + timedelta(days=1))
    return (
        f"BAK*00*AC*{order.number}*{_day(order.day)}****SO-{order.number}*{_day(day)}",
        "CUR*SE*USD",
        f"N1*VN*{order.seller}*92*B1",
        *_lines(order, "PO1", lambda line: (f"ACK*IA*{line.quantity}*EA*068*{ships}",)),
        f"CTT*{len(order.lines)}",
    )


def ship_notice(order: Order, day: date) -> Segments:
    """Return the segments of an 856 with one item level for each line, which the seller sends."""
    items = [
        segment
        for at, line in enumerate(order.lines)
        for segment in (
            f"HL*{at + 3}*2*I",
            f"LIN*{at + 1}*VP*{line.product.sku}",
            f"SN1*{at + 1}*{line.quantity}*{line.product.unit}",
        )
    ]
    code, name, street, city, postcode = order.ship_to
    return (
        f"BSN*00*SN-{order.number}*{_day(day)}*1640*0001",
        "HL*1**S",
        "TD5****M*Ground",
        f"REF*BM*BOL-{order.number}",
        f"DTM*011*{_day(day)}",
        f"DTM*017*{_day(day + _TRANSIT)}",
        f"N1*SF*{order.seller}*92*B1",
        f"N1*ST*{name}*92*{code}",
        f"N3*{street}",
        f"N4*{city}*ME*{postcode}*US",
        "HL*2*1*O",
        f"PRF*{order.number}***{_day(order.day)}",
        *items,
        f"CTT*{len(order.lines) + 2}",
    )


def invoice(order: Order, day: date) -> Segments:
    """Return the segments of an 810, which the seller sends."""
    return (
        f"BIG*{_day(day)}*INV-{order.number}*{_day(order.day)}*{order.number}***DI",
        "CUR*SE*USD",
        f"REF*SI*SN-{order.number}",
        *_parties(order),
        f"DTM*011*{_day(day)}",
        *_lines(order, "IT1"),
        f"TDS*{order.amount}",
        f"CTT*{len(order.lines)}",
    )


WRITERS: Final[Mapping[str, Callable[[Order, date], Segments]]] = {
    "850": purchase_order,
    "855": order_answer,
    "856": ship_notice,
    "810": invoice,
}
"""The function that writes each transaction set, from an order and the day of the document."""


def json_order(order: Order, kind: str) -> str:
    """Return an order as JSON of the web shop.

    Args:
        order: The order.
        kind: The kind of the first article; all others are ``standard``.
    """
    code, name, street, city, postcode = order.ship_to
    members = {
        "number": order.number,
        "date": order.day.isoformat(),
        "ship_to": {
            "id": code,
            "name": name,
            "street": street,
            "city": city,
            "state": "ME",
            "postcode": postcode,
        },
        "lines": [
            {
                "number": at,
                "article": line.product.sku,
                "kind": kind if at == 1 else "standard",
                "name": line.product.name,
                "quantity": line.quantity,
                "unit": line.product.unit,
                "price": _amount(line.product.price),
            }
            for at, line in enumerate(order.lines, 1)
        ],
    }
    return json.dumps({"order": members}, indent=2)


def transaction_set(set_id: str, body: Segments, number: str = "0001", guide: str = "") -> str:
    """Return a transaction set from ST to SE, with ST03 if a guide is given."""
    inside = (f"ST*{set_id}*{number}{f'*{guide}' if guide else ''}", *body)
    return "~".join((*inside, f"SE*{len(inside) + 1}*{number}", ""))


def _parties(order: Order) -> Iterator[str]:
    code, name, street, city, postcode = order.ship_to
    yield f"N1*BT*{order.buyer}*92*1000"
    yield f"N1*ST*{name}*92*{code}"
    yield f"N3*{street}"
    yield f"N4*{city}*ME*{postcode}*US"
    yield f"N1*VN*{order.seller}*92*B1"


def _nothing(_: OrderLine) -> Segments:
    return ()


def _lines(
    order: Order, tag: str, more: Callable[[OrderLine], Segments] = _nothing
) -> Iterator[str]:
    for at, line in enumerate(order.lines, 1):
        of, price = line.product, _amount(line.product.price)
        yield f"{tag}*{at}*{line.quantity}*{of.unit}*{price}**VP*{of.sku}"
        yield f"PID*F****{of.name}"
        yield from more(line)


def _day(day: date) -> str:
    return day.strftime("%Y%m%d")


def _amount(cents: int) -> str:
    return f"{cents // _CENTS}.{cents % _CENTS:02d}"
