"""The plan of the demo: every document except acknowledgements, with its time.

Documents belong to orders. An order is answered, shipped and invoiced in the days that follow it,
until the period ends. ``failure_scenarios`` adds the failures that each demo has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from longshore.demo.events import (
    DemoEvent,
    DocumentReceived,
    DocumentSent,
    with_wrong_date,
    with_wrong_quantity,
)
from longshore.demo.maps import SPECIAL, STANDARD
from longshore.demo.orders import OUR_NAME, Order, random_order
from longshore.demo.partners import NORTHWIND, PARTNERS, DemoPartner, Role
from longshore.demo.period import DemoPeriod, next_working_time
from longshore.demo.random_numbers import RandomNumbers
from longshore.domain.transactions.model import Source

_DOCUMENTS_OF_ORDER: Final = 3  # on average
_MAP_PERCENT: Final = 60
_SPECIAL_PERCENT: Final = 12
_BROWSER_PERCENT: Final = 8
_FIRST_SALE, _FIRST_PURCHASE = 70_001, 20_001
_OPENS, _CLOSES, _CLOSES_AT_WEEKENDS = 7 * 60, 18 * 60, 11 * 60
_SATURDAY: Final = 5
_MODIFICATIONS: Final = (with_wrong_date, with_wrong_quantity)


class FollowUp(NamedTuple):
    """A document that may follow an order."""

    tx_set: str
    percent: int
    """The share of orders that it follows."""
    hours: tuple[int, int]
    """The hours after which it follows, at least and at most."""


_STEPS: Final = (
    FollowUp("855", 85, (1, 8)),
    FollowUp("856", 70, (24, 72)),
    FollowUp("810", 65, (48, 144)),
)

TimedEvents = Iterator[tuple[datetime, DemoEvent]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPlan:
    """The size of a demo."""

    period: DemoPeriod
    documents: int
    """About how many documents, besides acknowledgements."""
    seed: int

    def order(self, partner: DemoPartner, number: str, day: date, random: RandomNumbers) -> Order:
        """Return an order from a buyer, or to a seller."""
        parties = {"buyer": OUR_NAME, "seller": partner.name}
        if partner.role is not Role.SELLER:
            parties = {"buyer": partner.name, "seller": OUR_NAME}
        return random_order(random, number, day, **parties)


def order_traffic(plan: DemoPlan) -> TimedEvents:
    """Yield the documents of all orders, order by order."""
    traders = [each for each in PARTNERS for _ in range(each.weight)]
    count = max(1, plan.documents // _DOCUMENTS_OF_ORDER)
    for at, day in enumerate(plan.period.spread(count)):
        random = RandomNumbers(plan.seed, "order", at)
        partner = random.one_of(traders)
        order = plan.order(partner, _number(partner, at), day, random)
        yield from _documents(plan.period, partner, order, random)


def _number(partner: DemoPartner, at: int) -> str:
    if partner.role is Role.SELLER:
        return f"PO-{_FIRST_PURCHASE + at}"
    initials = "".join(word[0] for word in partner.name.split())
    return f"{initials}-{_FIRST_SALE + at}"


def _documents(
    period: DemoPeriod, partner: DemoPartner, order: Order, random: RandomNumbers
) -> TimedEvents:
    moment = _moment(random, order.day)
    if partner.stops_accepting and moment >= period.last_delivery_at:
        return
    first = _ordered(partner, order, random)
    yield moment, first
    if not first.is_valid:
        return
    for step in _STEPS:
        least, most = step.hours
        later = moment + timedelta(minutes=random.between(60 * least, 60 * most))
        if random.happens(step.percent) and _trades(period, partner, next_working_time(later)):
            yield next_working_time(later), _followed(partner, step.tx_set, order, random)


def _ordered(
    partner: DemoPartner, order: Order, random: RandomNumbers
) -> DocumentSent | DocumentReceived:
    """Return the order as a document: sent by us, or by the partner."""
    if partner.role is not Role.SELLER:
        return _received(partner, "850", order, random)
    kind = ""
    if random.happens(_MAP_PERCENT):
        is_special = partner.name == NORTHWIND and random.happens(_SPECIAL_PERCENT)
        kind = SPECIAL if is_special else STANDARD
    return DocumentSent(
        partner=partner, tx_set="850", order=order, kind=kind, source=_source(random)
    )


def _followed(partner: DemoPartner, tx_set: str, order: Order, random: RandomNumbers) -> DemoEvent:
    """Return a document that follows an order, which its seller sends."""
    if partner.role is Role.SELLER:
        return _received(partner, tx_set, order, random)
    return DocumentSent(partner=partner, tx_set=tx_set, order=order, source=_source(random))


def _received(
    partner: DemoPartner, tx_set: str, order: Order, random: RandomNumbers
) -> DocumentReceived:
    if random.happens(partner.error_percent):
        modify_body = random.one_of(_MODIFICATIONS)
        return DocumentReceived(
            partner=partner, tx_set=tx_set, order=order, modify_body=modify_body
        )
    return DocumentReceived(partner=partner, tx_set=tx_set, order=order)


def _source(random: RandomNumbers) -> Source:
    return Source.BROWSER if random.happens(_BROWSER_PERCENT) else Source.API


def _trades(period: DemoPeriod, partner: DemoPartner, moment: datetime) -> bool:
    """Tell whether documents are exchanged with a partner at a moment."""
    is_silent = partner.stops_answering and moment >= period.failures_from
    is_excluded = partner.stops_accepting and moment >= period.last_delivery_at
    return not (is_silent or is_excluded)


def _moment(random: RandomNumbers, day: date) -> datetime:
    closes = _CLOSES if day.weekday() < _SATURDAY else _CLOSES_AT_WEEKENDS
    begin = datetime.combine(day, time(), tzinfo=UTC)
    return begin + timedelta(minutes=random.between(_OPENS, closes), seconds=random.between(0, 59))


def sort_events(
    period: DemoPeriod, events: Sequence[tuple[datetime, DemoEvent]]
) -> list[tuple[datetime, DemoEvent]]:
    """Return the events of a period, ordered by time."""
    happening = (each for each in events if not period.is_over(each[0]))
    return sorted(happening, key=lambda each: each[0])
