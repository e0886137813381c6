"""The partners of the demo: who they are, what they trade, and what goes wrong with them.

All are invented, and their addresses end in ``.example``, which nobody can own (RFC 2606).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import Final

from longshore.demo.letters import answer_form
from longshore.domain.partners.connections import (
    Connection,
    HttpConnection,
    NoConnection,
    SimulatorConnection,
)
from longshore.domain.partners.model import (
    Connections,
    Identity,
    NewPartner,
    PartnerStatus,
    PartnerTerms,
    Route,
)
from longshore.domain.partners.settings import PartnerSettings
from longshore.x12.acks.profile import AckType

NORTHWIND: Final = "Northwind Retail"
LAKESIDE: Final = "Lakeside Foods"
BLUEBIRD: Final = "Bluebird Hardware"
CEDAR: Final = "Cedar Valley Supply"
HARBORLINE: Final = "Harborline Outfitters"
JUNIPER: Final = "Juniper Home Goods"
MAPLE: Final = "Maple Street Grocers"
QUARRY: Final = "Quarry Tool Works"

_ACK_HOURS: Final = 24
DEADLINE_HOURS: Final = 6


@unique
class Role(Enum):
    """What a partner is to us: who sells gets our orders, who buys sends us theirs."""

    SELLER = "seller"
    BUYER = "buyer"
    NEWCOMER = "newcomer"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPartner:
    """A partner and its ways.

    ``weight``: its part of the traffic. ``slowest_minutes``: until it answers a document.
    ``rejects``: of a hundred documents of ours; ``errs``: of a hundred of its own, with errors.
    ``falls_silent``: whether it answers nothing any more in the last days; ``breaks_down``: whether
    it takes nothing then. ``maps_orders``: whether "850 to order" reads what it sends.
    """

    name: str
    identity: Identity
    role: Role
    industry: str
    version: str = "004010"
    weight: int = 10
    slowest_minutes: int = 90
    rejects: int = 2
    errs: int = 2
    falls_silent: bool = False
    breaks_down: bool = False
    maps_orders: bool = False
    connection: Connection = field(default_factory=SimulatorConnection)

    @property
    def ack_type(self) -> AckType:
        """How it acknowledges, and is acknowledged."""
        return AckType(answer_form(self.version))

    def partner(self, reading_map: int) -> NewPartner:
        """Return what the partner is made from; ``reading_map``: the id of "850 to order"."""
        is_new = self.role is Role.NEWCOMER
        terms = PartnerTerms(
            name=self.name,
            identity=self.identity,
            version=self.version,
            ack_type=self.ack_type,
            ack_hours=_ACK_HOURS,
            industry=self.industry,
            contact_email=f"edi@{self.name.split()[0].lower()}.example",
            connections=Connections(test=self.connection),
        )
        if self.breaks_down:
            settings = PartnerSettings(delivery_deadline_hours=DEADLINE_HOURS)
            terms = replace(terms, settings=settings)
        if self.maps_orders:
            route = Route(tx_set="850", map_id=reading_map, save_to_vault=True)
            terms = replace(terms, routes=(route,))
        return NewPartner(terms=terms, status=PartnerStatus.PENDING if is_new else None)


def _known_as(isa_id: str, gs_id: str = "") -> Identity:
    return Identity(qualifier="ZZ", isa_id=isa_id, gs_id=gs_id)


CAST: Final = (
    DemoPartner(
        name=NORTHWIND,
        identity=_known_as("NORTHWIND", "NWRETAIL"),
        role=Role.SELLER,
        industry="retail",
        weight=24,
        slowest_minutes=120,
    ),
    DemoPartner(
        name=LAKESIDE,
        identity=_known_as("LAKESIDE"),
        role=Role.BUYER,
        industry="food",
        version="005010",
        weight=20,
        slowest_minutes=30,
        maps_orders=True,
    ),
    DemoPartner(
        name=BLUEBIRD,
        identity=_known_as("BLUEBIRD"),
        role=Role.SELLER,
        industry="hardware",
        weight=12,
        slowest_minutes=300,
        falls_silent=True,
    ),
    DemoPartner(
        name=CEDAR,
        identity=_known_as("CEDARVALLEY"),
        role=Role.SELLER,
        industry="building supplies",
        version="005010",
        weight=8,
        slowest_minutes=600,
        falls_silent=True,
    ),
    DemoPartner(
        name=HARBORLINE,
        identity=_known_as("HARBORLINE"),
        role=Role.BUYER,
        industry="outdoor",
        weight=8,
        breaks_down=True,
        connection=HttpConnection(url="https://edi.harborline.example/receive"),
    ),
    DemoPartner(
        name=JUNIPER,
        identity=_known_as("JUNIPER"),
        role=Role.BUYER,
        industry="home goods",
        weight=12,
        rejects=5,
        errs=15,
    ),
    DemoPartner(
        name=MAPLE,
        identity=_known_as("MAPLESTREET"),
        role=Role.BUYER,
        industry="food",
        weight=16,
        slowest_minutes=15,
        rejects=1,
        errs=1,
        maps_orders=True,
    ),
    DemoPartner(
        name=QUARRY,
        identity=_known_as("QUARRY"),
        role=Role.NEWCOMER,
        industry="tools",
        weight=0,
        connection=NoConnection(),
    ),
)
BY_NAME: Final = {each.name: each for each in CAST}
BY_ISA_ID: Final = {each.identity.isa_id: each for each in CAST}
