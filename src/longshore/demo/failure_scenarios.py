"""The events that every demo has, however short: one of each failure, and the order to look for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from longshore.demo.events import (
    DocumentReceived,
    DocumentSent,
    DuplicateReceived,
    GarbageReceived,
    with_wrong_date,
    with_wrong_quantity,
)
from longshore.demo.interchanges import SimulatedInterchange
from longshore.demo.maps import SPECIAL, STANDARD
from longshore.demo.orders import Order
from longshore.demo.partners import (
    BLUEBIRD,
    CEDAR,
    HARBORLINE,
    JUNIPER,
    LAKESIDE,
    MAPLE,
    NORTHWIND,
    PARTNERS_BY_NAME,
    QUARRY,
)
from longshore.demo.plan import DemoPlan, TimedEvents
from longshore.demo.random_numbers import RandomNumbers
from longshore.domain.partners.model import Identity

REJECTED_ORDER: Final = "PO-12345"
"""The order to Northwind Retail that is rejected for a value that our map writes."""

_NOTE: Final = "Hello,\nplease find the order list of this week attached.\n"
_UNKNOWN_SENDER: Final = Identity(qualifier="ZZ", isa_id="NOBODYKNOWN")
_HOUR: Final = timedelta(hours=1)


def failure_scenarios(plan: DemoPlan) -> TimedEvents:
    """Yield all failures with their times, spread over the period."""
    yield from _rejected(plan)
    yield from _unanswered(plan)
    yield from _undelivered(plan)
    yield from _quarantined(plan)
    yield from _processed_with_problems(plan)


def _sequence(plan: DemoPlan, name: str, number: str, moment: datetime) -> Order:
    random = RandomNumbers(plan.seed, "scenario", number)
    return plan.order(PARTNERS_BY_NAME[name], number, moment.date(), random)


def _rejected(plan: DemoPlan) -> TimedEvents:
    for number, part in ((REJECTED_ORDER, 0.8), ("PO-12290", 0.35), ("PO-12318", 0.6)):
        moment = plan.period.morning(part) + _HOUR
        order = _sequence(plan, NORTHWIND, number, moment)
        yield (
            moment,
            DocumentSent(
                partner=PARTNERS_BY_NAME[NORTHWIND], tx_set="850", order=order, kind=SPECIAL
            ),
        )


def _unanswered(plan: DemoPlan) -> TimedEvents:
    """Yield orders whose acknowledgement is still outstanding at the end."""
    for at, name in enumerate((BLUEBIRD, CEDAR, BLUEBIRD)):
        moment = plan.period.failures_from + (at + 1) * 7 * _HOUR
        order = _sequence(plan, name, f"PO-1250{at}", moment)
        yield (
            moment,
            DocumentSent(partner=PARTNERS_BY_NAME[name], tx_set="850", order=order, kind=STANDARD),
        )


def _undelivered(plan: DemoPlan) -> TimedEvents:
    """Yield documents that the partner refuses: one during an outage, the others until the end."""
    moments = [plan.period.failures_from + hours * _HOUR for hours in (2, 20, 45)]
    for at, moment in enumerate((plan.period.morning(0.4) + _HOUR / 2, *moments)):
        order = _sequence(plan, HARBORLINE, f"HO-6900{at}", moment)
        yield moment, DocumentSent(partner=PARTNERS_BY_NAME[HARBORLINE], tx_set="856", order=order)


def _quarantined(plan: DemoPlan) -> TimedEvents:
    """Yield what is quarantined: from a pending partner, garbage, and a broken header."""
    morning = plan.period.morning
    for at, part in enumerate((0.7, 0.9)):
        order = _sequence(plan, QUARRY, f"QTW-{at + 1}", morning(part))
        yield (
            morning(part) + _HOUR,
            DocumentReceived(partner=PARTNERS_BY_NAME[QUARRY], tx_set="850", order=order),
        )
    for part in (0.3, 0.75):
        yield (
            morning(part) + 2 * _HOUR,
            GarbageReceived(partner=PARTNERS_BY_NAME[JUNIPER], text=_NOTE),
        )
    order = _sequence(plan, JUNIPER, "JHG-69001", morning(0.85))
    yield (
        morning(0.85) + 3 * _HOUR,
        DocumentReceived(
            partner=PARTNERS_BY_NAME[JUNIPER],
            tx_set="850",
            order=order,
            modify_interchange=_with_short_header,
        ),
    )


def _processed_with_problems(plan: DemoPlan) -> TimedEvents:
    """Yield documents that are processed with a problem: wrong envelope, errors, duplicates."""
    morning = plan.period.morning
    for at, (part, modify_interchange) in enumerate((
        (0.45, _marked_as_production),
        (0.65, _from_unknown_sender),
        (0.88, _marked_as_production),
    )):
        moment = morning(part) + 4 * _HOUR
        order = _sequence(plan, MAPLE, f"MSG-6900{at}", moment)
        yield (
            moment,
            DocumentReceived(
                partner=PARTNERS_BY_NAME[MAPLE],
                tx_set="850",
                order=order,
                modify_interchange=modify_interchange,
            ),
        )
    for at, (part, modify_body) in enumerate(((0.5, with_wrong_date), (0.86, with_wrong_quantity))):
        moment = morning(part) + 5 * _HOUR
        order = _sequence(plan, JUNIPER, f"JHG-6901{at}", moment)
        yield (
            moment,
            DocumentReceived(
                partner=PARTNERS_BY_NAME[JUNIPER],
                tx_set="850",
                order=order,
                modify_body=modify_body,
            ),
        )
    for at, part in enumerate((0.25, 0.55, 0.83)):
        moment = morning(part)
        order = _sequence(plan, LAKESIDE, f"LF-6900{at}", moment)
        yield (
            moment,
            DocumentReceived(partner=PARTNERS_BY_NAME[LAKESIDE], tx_set="850", order=order),
        )
        yield (
            moment + 30 * _HOUR,
            DuplicateReceived(partner=PARTNERS_BY_NAME[LAKESIDE], number=order.number),
        )


def _marked_as_production(interchange: SimulatedInterchange) -> SimulatedInterchange:
    return interchange.changed(usage="P")


def _from_unknown_sender(interchange: SimulatedInterchange) -> SimulatedInterchange:
    return interchange.changed(sender=_UNKNOWN_SENDER)


def _with_short_header(interchange: SimulatedInterchange) -> SimulatedInterchange:
    return interchange.changed(width=0)
