"""The course of the demo: every document that is not an answer, with its moment.

Documents belong to orders: an order is answered, shipped and invoiced in the days that follow it,
as far as the period goes. Beside them stand the mishaps, each for certain in any period.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from longshore.demo.acts import Act, Receiving, Sending, with_wrong_date, with_wrong_quantity
from longshore.demo.cast import CAST, NORTHWIND, DemoPartner, Role
from longshore.demo.draws import RandomNumbers
from longshore.demo.maps import SPECIAL, USUAL
from longshore.demo.orders import OUR_NAME, Order, draw_order
from longshore.demo.period import DemoPeriod, shifted
from longshore.domain.transactions.model import Source

_DOCUMENTS_OF_ORDER: Final = 3  # about so many belong to an order
_MAP_PERCENT: Final = 60
_SPECIAL_PERCENT: Final = 12
_BROWSER_PERCENT: Final = 8
_FIRST_SALE, _FIRST_PURCHASE = 70_001, 20_001
_OPENS, _CLOSES, _CLOSES_AT_WEEKENDS = 7 * 60, 18 * 60, 11 * 60
_SATURDAY: Final = 5
_SPOILING: Final = (with_wrong_date, with_wrong_quantity)


class FollowUp(NamedTuple):
    """A document that follows an order: how often, and how many hours later."""

    tx_set: str
    percent: int
    hours: tuple[int, int]


_STEPS: Final = (
    FollowUp("855", 85, (1, 8)),
    FollowUp("856", 70, (24, 72)),
    FollowUp("810", 65, (48, 144)),
)

Moments = Iterator[tuple[datetime, Act]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPlan:
    """What is to happen. ``documents``: about so many besides acknowledgements."""

    period: DemoPeriod
    documents: int
    seed: int

    def order(self, player: DemoPartner, number: str, day: date, draws: RandomNumbers) -> Order:
        """Return an order of a player, or to it."""
        parties = {"buyer": OUR_NAME, "seller": player.name}
        if player.role is not Role.SELLER:
            parties = {"buyer": player.name, "seller": OUR_NAME}
        return draw_order(draws, number, day, **parties)


def trade(wanted: DemoPlan) -> Moments:
    """Yield the documents of all orders, order by order."""
    traders = [each for each in CAST for _ in range(each.weight)]
    count = max(1, wanted.documents // _DOCUMENTS_OF_ORDER)
    for at, day in enumerate(wanted.period.spread(count)):
        draws = RandomNumbers(wanted.seed, "order", at)
        player = draws.one_of(traders)
        order = wanted.order(player, _number(player, at), day, draws)
        yield from _documents(wanted.period, player, order, draws)


def _number(player: DemoPartner, at: int) -> str:
    if player.role is Role.SELLER:
        return f"PO-{_FIRST_PURCHASE + at}"
    initials = "".join(word[0] for word in player.name.split())
    return f"{initials}-{_FIRST_SALE + at}"


def _documents(
    period: DemoPeriod, player: DemoPartner, order: Order, draws: RandomNumbers
) -> Moments:
    moment = _moment(draws, order.day)
    if player.breaks_down and moment >= period.quiet_from:
        return
    first = _ordered(player, order, draws)
    yield moment, first
    if not first.is_good:
        return
    for step in _STEPS:
        least, most = step.hours
        later = moment + timedelta(minutes=draws.between(60 * least, 60 * most))
        if draws.happens(step.percent) and _trades(period, player, shifted(later)):
            yield shifted(later), _followed(player, step.tx_set, order, draws)


def _ordered(player: DemoPartner, order: Order, draws: RandomNumbers) -> Sending | Receiving:
    """Return how an order is made: sent by us, or by the partner."""
    if player.role is not Role.SELLER:
        return _received(player, "850", order, draws)
    kind = ""
    if draws.happens(_MAP_PERCENT):
        is_special = player.name == NORTHWIND and draws.happens(_SPECIAL_PERCENT)
        kind = SPECIAL if is_special else USUAL
    return Sending(player=player, tx_set="850", order=order, kind=kind, source=_source(draws))


def _followed(player: DemoPartner, tx_set: str, order: Order, draws: RandomNumbers) -> Act:
    """Return what follows an order: sent by its seller."""
    if player.role is Role.SELLER:
        return _received(player, tx_set, order, draws)
    return Sending(player=player, tx_set=tx_set, order=order, source=_source(draws))


def _received(player: DemoPartner, tx_set: str, order: Order, draws: RandomNumbers) -> Receiving:
    if draws.happens(player.errs):
        spoil = draws.one_of(_SPOILING)
        return Receiving(player=player, tx_set=tx_set, order=order, spoil=spoil)
    return Receiving(player=player, tx_set=tx_set, order=order)


def _source(draws: RandomNumbers) -> Source:
    return Source.BROWSER if draws.happens(_BROWSER_PERCENT) else Source.API


def _trades(period: DemoPeriod, player: DemoPartner, moment: datetime) -> bool:
    """Tell whether anything goes to a partner, or comes from it, at a moment."""
    is_silent = player.falls_silent and moment >= period.trouble_from
    is_given_up = player.breaks_down and moment >= period.quiet_from
    return not (is_silent or is_given_up)


def _moment(draws: RandomNumbers, day: date) -> datetime:
    closes = _CLOSES if day.weekday() < _SATURDAY else _CLOSES_AT_WEEKENDS
    begin = datetime.combine(day, time(), tzinfo=UTC)
    return begin + timedelta(minutes=draws.between(_OPENS, closes), seconds=draws.between(0, 59))


def in_order(
    period: DemoPeriod, acts: Sequence[tuple[datetime, Act]]
) -> list[tuple[datetime, Act]]:
    """Return what happens within a period, by moment."""
    happening = (each for each in acts if not period.is_over(each[0]))
    return sorted(happening, key=lambda each: each[0])
