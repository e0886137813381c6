"""The partners of the demo: their names, how much they trade, and how they fail.

All are invented, and their addresses end in ``.example``, which nobody can own (RFC 2606).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import Final

from longshore.demo.interchanges import ack_set_id
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
    """The relation of a partner to us."""

    SELLER = "seller"
    """Receives our orders."""
    BUYER = "buyer"
    """Sends us orders."""
    NEWCOMER = "newcomer"
    """Sends orders, but is still pending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPartner:
    """A partner and how it behaves."""

    name: str
    identity: Identity
    role: Role
    industry: str
    version: str = "004010"
    weight: int = 10
    """Its share of the traffic, relative to the other partners."""
    max_answer_minutes: int = 90
    """The longest time that acknowledging a document takes."""
    reject_percent: int = 2
    """The share of our documents that it rejects."""
    error_percent: int = 2
    """The share of its own documents that have errors."""
    stops_answering: bool = False
    """It acknowledges nothing during the last days."""
    stops_accepting: bool = False
    """It refuses connections during the last days."""
    maps_orders: bool = False
    """The map "850 to order" reads its orders."""
    connection: Connection = field(default_factory=SimulatorConnection)

    @property
    def ack_type(self) -> AckType:
        """The acknowledgement that it sends and expects."""
        return AckType(ack_set_id(self.version))

    def partner(self, reading_map: int) -> NewPartner:
        """Return the data from which the partner is created; ``reading_map`` is a map's id."""
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
        if self.stops_accepting:
            settings = PartnerSettings(delivery_deadline_hours=DEADLINE_HOURS)
            terms = replace(terms, settings=settings)
        if self.maps_orders:
            route = Route(tx_set="850", map_id=reading_map, save_to_vault=True)
            terms = replace(terms, routes=(route,))
        return NewPartner(terms=terms, status=PartnerStatus.PENDING if is_new else None)


def _known_as(isa_id: str, gs_id: str = "") -> Identity:
    return Identity(qualifier="ZZ", isa_id=isa_id, gs_id=gs_id)


PARTNERS: Final = (
    DemoPartner(
        name=NORTHWIND,
        identity=_known_as("NORTHWIND", "NWRETAIL"),
        role=Role.SELLER,
        industry="retail",
        weight=24,
        max_answer_minutes=120,
    ),
    DemoPartner(
        name=LAKESIDE,
        identity=_known_as("LAKESIDE"),
        role=Role.BUYER,
        industry="food",
        version="005010",
        weight=20,
        max_answer_minutes=30,
        maps_orders=True,
    ),
    DemoPartner(
        name=BLUEBIRD,
        identity=_known_as("BLUEBIRD"),
        role=Role.SELLER,
        industry="hardware",
        weight=12,
        max_answer_minutes=300,
        stops_answering=True,
    ),
    DemoPartner(
        name=CEDAR,
        identity=_known_as("CEDARVALLEY"),
        role=Role.SELLER,
        industry="building supplies",
        version="005010",
        weight=8,
        max_answer_minutes=600,
        stops_answering=True,
    ),
    DemoPartner(
        name=HARBORLINE,
        identity=_known_as("HARBORLINE"),
        role=Role.BUYER,
        industry="outdoor",
        weight=8,
        stops_accepting=True,
        connection=HttpConnection(url="https://edi.harborline.example/receive"),
    ),
    DemoPartner(
        name=JUNIPER,
        identity=_known_as("JUNIPER"),
        role=Role.BUYER,
        industry="home goods",
        weight=12,
        reject_percent=5,
        error_percent=15,
    ),
    DemoPartner(
        name=MAPLE,
        identity=_known_as("MAPLESTREET"),
        role=Role.BUYER,
        industry="food",
        weight=16,
        max_answer_minutes=15,
        reject_percent=1,
        error_percent=1,
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
PARTNERS_BY_NAME: Final = {each.name: each for each in PARTNERS}
PARTNERS_BY_ISA_ID: Final = {each.identity.isa_id: each for each in PARTNERS}
