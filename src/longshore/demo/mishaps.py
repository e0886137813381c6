"""What is in every demo, however short: the order to look for, and all that can fail."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from longshore.demo.acts import (
    GarbageReceived,
    Receiving,
    Repeating,
    Sending,
    with_wrong_date,
    with_wrong_quantity,
)
from longshore.demo.cast import (
    BLUEBIRD,
    BY_NAME,
    CEDAR,
    HARBORLINE,
    JUNIPER,
    LAKESIDE,
    MAPLE,
    NORTHWIND,
    QUARRY,
)
from longshore.demo.draws import RandomNumbers
from longshore.demo.letters import SimulatedInterchange
from longshore.demo.maps import SPECIAL, USUAL
from longshore.demo.orders import Order
from longshore.demo.plan import DemoPlan, Moments
from longshore.domain.partners.model import Identity

REJECTED_ORDER: Final = "PO-12345"
"""To Northwind Retail, rejected for what our map writes."""

_NOTE: Final = "Hello,\nplease find the order list of this week attached.\n"
_STRANGER: Final = Identity(qualifier="ZZ", isa_id="NOBODYKNOWN")
_HOUR: Final = timedelta(hours=1)


def mishaps(wanted: DemoPlan) -> Moments:
    """Yield them all; where no moment says otherwise, at parts of the period."""
    yield from _rejected(wanted)
    yield from _unanswered(wanted)
    yield from _undelivered(wanted)
    yield from _set_aside(wanted)
    yield from _odd(wanted)


def _order(wanted: DemoPlan, name: str, number: str, moment: datetime) -> Order:
    draws = RandomNumbers(wanted.seed, "mishap", number)
    return wanted.order(BY_NAME[name], number, moment.date(), draws)


def _rejected(wanted: DemoPlan) -> Moments:
    for number, part in ((REJECTED_ORDER, 0.8), ("PO-12290", 0.35), ("PO-12318", 0.6)):
        moment = wanted.period.morning(part) + _HOUR
        order = _order(wanted, NORTHWIND, number, moment)
        yield moment, Sending(player=BY_NAME[NORTHWIND], tx_set="850", order=order, kind=SPECIAL)


def _unanswered(wanted: DemoPlan) -> Moments:
    """Yield orders to partners that owe the acknowledgement by the end."""
    for at, name in enumerate((BLUEBIRD, CEDAR, BLUEBIRD)):
        moment = wanted.period.trouble_from + (at + 1) * 7 * _HOUR
        order = _order(wanted, name, f"PO-1250{at}", moment)
        yield moment, Sending(player=BY_NAME[name], tx_set="850", order=order, kind=USUAL)


def _undelivered(wanted: DemoPlan) -> Moments:
    """Yield documents to the partner that has broken down, and one while it is overloaded."""
    moments = [wanted.period.trouble_from + hours * _HOUR for hours in (2, 20, 45)]
    for at, moment in enumerate((wanted.period.morning(0.4) + _HOUR / 2, *moments)):
        order = _order(wanted, HARBORLINE, f"HO-6900{at}", moment)
        yield moment, Sending(player=BY_NAME[HARBORLINE], tx_set="856", order=order)


def _set_aside(wanted: DemoPlan) -> Moments:
    """Yield what is quarantined: of who takes part not yet, what is no document, a broken one."""
    morning = wanted.period.morning
    for at, part in enumerate((0.7, 0.9)):
        order = _order(wanted, QUARRY, f"QTW-{at + 1}", morning(part))
        yield morning(part) + _HOUR, Receiving(player=BY_NAME[QUARRY], tx_set="850", order=order)
    for part in (0.3, 0.75):
        yield morning(part) + 2 * _HOUR, GarbageReceived(player=BY_NAME[JUNIPER], text=_NOTE)
    order = _order(wanted, JUNIPER, "JHG-69001", morning(0.85))
    yield (
        morning(0.85) + 3 * _HOUR,
        Receiving(player=BY_NAME[JUNIPER], tx_set="850", order=order, seal=_too_short),
    )


def _odd(wanted: DemoPlan) -> Moments:
    """Yield what is processed, but not as it should be."""
    morning = wanted.period.morning
    for at, (part, seal) in enumerate((
        (0.45, _as_live),
        (0.65, _of_a_stranger),
        (0.88, _as_live),
    )):
        moment = morning(part) + 4 * _HOUR
        order = _order(wanted, MAPLE, f"MSG-6900{at}", moment)
        yield moment, Receiving(player=BY_NAME[MAPLE], tx_set="850", order=order, seal=seal)
    for at, (part, spoil) in enumerate(((0.5, with_wrong_date), (0.86, with_wrong_quantity))):
        moment = morning(part) + 5 * _HOUR
        order = _order(wanted, JUNIPER, f"JHG-6901{at}", moment)
        yield moment, Receiving(player=BY_NAME[JUNIPER], tx_set="850", order=order, spoil=spoil)
    for at, part in enumerate((0.25, 0.55, 0.83)):
        moment = morning(part)
        order = _order(wanted, LAKESIDE, f"LF-6900{at}", moment)
        yield moment, Receiving(player=BY_NAME[LAKESIDE], tx_set="850", order=order)
        yield moment + 30 * _HOUR, Repeating(player=BY_NAME[LAKESIDE], number=order.number)


def _as_live(letter: SimulatedInterchange) -> SimulatedInterchange:
    return letter.changed(usage="P")


def _of_a_stranger(letter: SimulatedInterchange) -> SimulatedInterchange:
    return letter.changed(sender=_STRANGER)


def _too_short(letter: SimulatedInterchange) -> SimulatedInterchange:
    return letter.changed(width=0)
