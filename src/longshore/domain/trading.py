"""Exchanging documents: all its services, joined from the ports they need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from longshore.domain.accounts.store import AccountsReadUnit, AccountsWriteUnit
from longshore.domain.acks.service import AckService
from longshore.domain.acks.store import AcksReadUnit, AcksWriteUnit
from longshore.domain.audit.service import AuditService
from longshore.domain.audit.store import AuditReadUnit, AuditWriteUnit
from longshore.domain.blind_index import BlindIndex
from longshore.domain.control_numbers.service import (
    ControlNumberService,
    ControlNumbersReadUnit,
)
from longshore.domain.control_numbers.store import ControlNumbersWriteUnit
from longshore.domain.delivery.store import DeliveryReadUnit, DeliveryWriteUnit
from longshore.domain.dispatch.backlog import Backlog
from longshore.domain.dispatch.returned import ReturnedAcknowledgements
from longshore.domain.events.service import EventService
from longshore.domain.events.store import EventsReadUnit, EventsWriteUnit
from longshore.domain.exports.service import ExportPorts, ExportService
from longshore.domain.idempotency.store import IdempotencyReadStore, IdempotencyWriteUnit
from longshore.domain.maps.store import MapsWriteUnit
from longshore.domain.overview.service import OverviewService
from longshore.domain.overview.store import OverviewReadUnit
from longshore.domain.partners.identities import IdentityService
from longshore.domain.partners.service import PartnerService
from longshore.domain.partners.simulators import AccountProvisioner
from longshore.domain.partners.store import PartnersReadUnit, PartnersWriteUnit
from longshore.domain.partners.targets import DestinationRules
from longshore.domain.ports import Compute, Sealer, Units
from longshore.domain.reception.intake import IntakeService
from longshore.domain.reception.interchanges import InterchangeService
from longshore.domain.reception.quarantine import QuarantineService
from longshore.domain.reception.store import ReceptionReadUnit, ReceptionWriteUnit
from longshore.domain.submission.ports import Converter, SubmitPorts
from longshore.domain.submission.service import SubmitService
from longshore.domain.tracking.service import TrackingPorts, TransactionService
from longshore.domain.transactions.store import TransactionsReadUnit, TransactionsWriteUnit
from longshore.domain.vault.service import VaultService
from longshore.domain.vault.store import VaultReadUnit, VaultWriteUnit
from longshore.kit.clock import Clock
from longshore.kit.ids import IdSource


# The stores of whole slices, none of them joined already: bases have to agree on one order.
class TradingReadUnit(
    AccountsReadUnit,
    ControlNumbersReadUnit,
    PartnersReadUnit,
    ReceptionReadUnit,
    TransactionsReadUnit,
    AcksReadUnit,
    DeliveryReadUnit,
    VaultReadUnit,
    EventsReadUnit,
    AuditReadUnit,
    OverviewReadUnit,
    Protocol,
):
    """What all services together read with."""

    @property
    def idempotency(self) -> IdempotencyReadStore:
        """What is kept of requests."""


class TradingWriteUnit(
    AccountsWriteUnit,
    IdempotencyWriteUnit,
    PartnersWriteUnit,
    ControlNumbersWriteUnit,
    ReceptionWriteUnit,
    TransactionsWriteUnit,
    AcksWriteUnit,
    DeliveryWriteUnit,
    VaultWriteUnit,
    MapsWriteUnit,
    EventsWriteUnit,
    AuditWriteUnit,
    Protocol,
):
    """What all services together write with."""


TradingUnits = Units[TradingReadUnit, TradingWriteUnit]


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingPorts:
    """What the services are made of.

    ``beside``: where long bytes are sealed and opened. ``cursor_key``: 32 secret bytes of this
    installation. ``destinations``: where connections of partners may lead.
    """

    units: TradingUnits
    clock: Clock
    ids: IdSource
    sealer: Sealer
    index: BlindIndex
    compute: Compute
    beside: Compute
    converter: Converter
    destinations: DestinationRules
    cursor_key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trading:
    """The services. ``equipment`` gives accounts what they begin with."""

    partners: PartnerService
    identities: IdentityService
    control_numbers: ControlNumberService
    equipment: AccountProvisioner
    backlog: Backlog

    submissions: SubmitService
    intake: IntakeService
    returned_acks: ReturnedAcknowledgements
    interchanges: InterchangeService
    quarantine: QuarantineService
    transactions: TransactionService
    acks: AckService
    events: EventService
    audit: AuditService
    overview: OverviewService
    exports: ExportService


def open_trading(ports: TradingPorts) -> Trading:
    """Return the services over the same ports."""
    units, clock, sealer, ids = ports.units, ports.clock, ports.sealer, ports.ids
    audit = AuditService(units, sealer)
    return Trading(
        partners=PartnerService(units, clock, sealer, ids, ports.destinations),
        identities=IdentityService(units, clock, sealer),
        control_numbers=ControlNumberService(units, clock),
        equipment=AccountProvisioner(units, clock, sealer, ids),
        backlog=Backlog(units, clock),
        submissions=_open_submissions(ports),
        intake=IntakeService(units, clock, sealer, ports.index, ports.beside),
        returned_acks=ReturnedAcknowledgements(units, clock, sealer),
        interchanges=InterchangeService(units, clock, sealer, ports.beside),
        quarantine=QuarantineService(units, clock, sealer, ports.index),
        transactions=_open_tracking(ports),
        acks=AckService(units, sealer),
        events=EventService(ports.units),
        audit=audit,
        overview=OverviewService(units, clock),
        exports=ExportService(
            ExportPorts(units=units, clock=clock, sealer=sealer, index=ports.index, audit=audit)
        ),
    )


def _open_submissions(ports: TradingPorts) -> SubmitService:
    return SubmitService(
        SubmitPorts(
            units=ports.units,
            clock=ports.clock,
            sealer=ports.sealer,
            index=ports.index,
            compute=ports.compute,
            beside=ports.beside,
            converter=ports.converter,
        )
    )


def _open_tracking(ports: TradingPorts) -> TransactionService:
    vault = VaultService(ports.units, ports.clock, ports.sealer, ports.beside)
    return TransactionService(
        TrackingPorts(
            units=ports.units,
            clock=ports.clock,
            sealer=ports.sealer,
            index=ports.index,
            vault=vault,
            beside=ports.beside,
            cursor_key=ports.cursor_key,
        )
    )
