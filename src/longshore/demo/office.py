"""The demo's part of the composition: the services of one account, its partners and its maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from longshore.compute.documents import convert_result
from longshore.compute.inline import InlineCompute
from longshore.demo.cast import CAST
from longshore.demo.draws import RandomNumbers
from longshore.demo.letters import FIRST_NUMBER
from longshore.demo.maps import order_map, reading_map
from longshore.demo.orders import OUR_NAME, draw_order
from longshore.demo.plan import DemoPlan
from longshore.demo.post import Post
from longshore.demo.scope import MovedClock, SandboxUnits
from longshore.domain.accounts.model import Account
from longshore.domain.acks.overdue import OverdueClock
from longshore.domain.delivery.worker import Worker
from longshore.domain.inbound.processor import Processor
from longshore.domain.maps.model import Authorship, MapDefinition, MapId
from longshore.domain.maps.runner import SavedMapRunner
from longshore.domain.maps.service import MapService
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import Identity, PartnerId
from longshore.domain.ports import OPERATOR, BlindIndex, Ports, RequestContext, Sealer
from longshore.domain.trading import Trading, open_trading
from longshore.domain.units import Units
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource
from longshore.transport.addresses import Destinations

_BY: Final = Authorship(saved_by="cli", note="Made by longshore demo.")
_OWNER: Final = "demo"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledAccount:
    """What is filled: an equipped account, its database, and what seals there."""

    account: Account
    units: Units
    sealer: Sealer
    index: BlindIndex
    ids: IdSource
    cursor_key: bytes = field(repr=False)

    @property
    def context(self) -> RequestContext:
        """Who asks for everything in the demo: the operator, in the sandbox."""
        return RequestContext(
            account_id=self.account.id, environment=Environment.SANDBOX, actor=OPERATOR
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterpart:
    """A partner as it is stored. ``numbers``: those of its own interchanges."""

    id: PartnerId
    token: str = field(repr=False)
    numbers: Iterator[int] = field(default_factory=lambda: count(FIRST_NUMBER))


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoServices:
    """What the desk works with. ``own``: who we are; ``order_map``: the id of "Order to 850"."""

    context: RequestContext
    units: SandboxUnits
    clock: MovedClock
    trading: Trading
    worker: Worker
    overdue: OverdueClock
    post: Post
    own: Identity
    order_map: int
    counterparts: Mapping[str, Counterpart]


async def open_office(
    place: FilledAccount, wanted: DemoPlan, own: Identity, compute: InlineCompute
) -> DemoServices:
    """Store the partners and maps, and return what the desk works with."""
    clock = MovedClock(wanted.period.start)
    units = SandboxUnits(place.units, place.account.id)
    maps = MapService(units, place.sealer, clock, compute)
    ports = Ports(
        units=units,
        clock=clock,
        ids=place.ids,
        sealer=place.sealer,
        index=place.index,
        compute=compute,
        threads=compute,
        maps=SavedMapRunner(maps, clock, compute, convert_result),
        destinations=Destinations(),
        cursor_key=place.cursor_key,
    )
    trading, post = open_trading(ports), Post(clock, wanted.period)

    async def store(definition: MapDefinition) -> MapId:
        return (await maps.create(place.context, definition, _BY)).map.head.id

    draws, first_day = RandomNumbers(wanted.seed, "sample"), wanted.period.start.date()
    sample = draw_order(draws, "PO-1", first_day, buyer=OUR_NAME, seller=CAST[0].name)
    return DemoServices(
        context=place.context,
        units=units,
        clock=clock,
        trading=trading,
        worker=_worker(ports, post, wanted.seed),
        overdue=OverdueClock(units, place.sealer, clock),
        post=post,
        own=own,
        order_map=await store(order_map(sample)),
        counterparts=await _counterparts(trading, place.context, await store(reading_map())),
    )


async def _counterparts(
    trading: Trading, context: RequestContext, reading_map_id: MapId
) -> Mapping[str, Counterpart]:
    """Store the partners; return them by name."""
    found = {}
    for player in CAST:
        known = await trading.partners.create(context, player.partner(reading_map_id))
        token = known.tokens[Environment.SANDBOX]
        found[player.name] = Counterpart(id=known.partner.id, token=token)
    return found


def _worker(ports: Ports, post: Post, seed: int) -> Worker:
    return Worker(
        replace(ports, ids=RandomNumbers(seed, "worker")),
        {ConnectionType.HTTP: post, ConnectionType.SIMULATOR: post},
        Processor(ports),
        owner=_OWNER,
    )
