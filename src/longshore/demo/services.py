"""The demo's part of the composition: the services of one account, its partners and its maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from longshore.compute.documents import convert_result
from longshore.compute.inline import InlineCompute
from longshore.demo.interchanges import FIRST_NUMBER
from longshore.demo.maps import order_map, reading_map
from longshore.demo.orders import OUR_NAME, random_order
from longshore.demo.partners import PARTNERS
from longshore.demo.plan import DemoPlan
from longshore.demo.random_numbers import RandomNumbers
from longshore.demo.sandbox_units import SandboxUnits, SimulatedClock
from longshore.demo.transport import DemoTransport
from longshore.domain.accounts.model import Account
from longshore.domain.acks.overdue import OverdueAckChecker
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
class DemoTarget:
    """The account to fill, with its database and keys."""

    account: Account
    units: Units
    sealer: Sealer
    index: BlindIndex
    ids: IdSource
    cursor_key: bytes = field(repr=False)

    @property
    def context(self) -> RequestContext:
        """The context of all requests of the demo: the operator, in the sandbox."""
        return RequestContext(
            account_id=self.account.id, environment=Environment.SANDBOX, actor=OPERATOR
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPartnerRecord:
    """A partner in the database."""

    id: PartnerId
    token: str = field(repr=False)
    """The token of its URL for sending to us."""
    numbers: Iterator[int] = field(default_factory=lambda: count(FIRST_NUMBER))
    """The control numbers of its own interchanges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoServices:
    """The services that the runner uses."""

    context: RequestContext
    units: SandboxUnits
    clock: SimulatedClock
    trading: Trading
    worker: Worker
    overdue: OverdueAckChecker
    transport: DemoTransport
    own: Identity
    """The identity of the account."""
    order_map: int
    """The id of the map "Order to 850"."""
    stored_partners: Mapping[str, DemoPartnerRecord]
    """The partners by name."""


async def open_services(
    target: DemoTarget, plan: DemoPlan, own: Identity, compute: InlineCompute
) -> DemoServices:
    """Store the partners and maps, and return the services of the runner."""
    clock = SimulatedClock(plan.period.start)
    units = SandboxUnits(target.units, target.account.id)
    maps = MapService(units, target.sealer, clock, compute)
    ports = Ports(
        units=units,
        clock=clock,
        ids=target.ids,
        sealer=target.sealer,
        index=target.index,
        compute=compute,
        threads=compute,
        maps=SavedMapRunner(maps, clock, compute, convert_result),
        destinations=Destinations(),
        cursor_key=target.cursor_key,
    )
    trading, transport = open_trading(ports), DemoTransport(clock, plan.period)

    async def store(definition: MapDefinition) -> MapId:
        return (await maps.create(target.context, definition, _BY)).map.head.id

    random, first_day = RandomNumbers(plan.seed, "sample"), plan.period.start.date()
    sample = random_order(random, "PO-1", first_day, buyer=OUR_NAME, seller=PARTNERS[0].name)
    return DemoServices(
        context=target.context,
        units=units,
        clock=clock,
        trading=trading,
        worker=_worker(ports, transport, plan.seed),
        overdue=OverdueAckChecker(units, target.sealer, clock),
        transport=transport,
        own=own,
        order_map=await store(order_map(sample)),
        stored_partners=await _store_partners(trading, target.context, await store(reading_map())),
    )


async def _store_partners(
    trading: Trading, context: RequestContext, reading_map_id: MapId
) -> Mapping[str, DemoPartnerRecord]:
    """Store the partners; return them by name."""
    found = {}
    for partner in PARTNERS:
        known = await trading.partners.create(context, partner.partner(reading_map_id))
        token = known.tokens[Environment.SANDBOX]
        found[partner.name] = DemoPartnerRecord(id=known.partner.id, token=token)
    return found


def _worker(ports: Ports, transport: DemoTransport, seed: int) -> Worker:
    return Worker(
        replace(ports, ids=RandomNumbers(seed, "worker")),
        {ConnectionType.HTTP: transport, ConnectionType.SIMULATOR: transport},
        Processor(ports),
        owner=_OWNER,
    )
