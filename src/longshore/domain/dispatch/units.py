"""What the worker needs of a unit: a part of what most slices see."""

from typing import Protocol

from longshore.domain.acks.store import AcksReadUnit, AcksWriteUnit
from longshore.domain.audit.store import AuditWriteUnit
from longshore.domain.delivery.store import DeliveryReadUnit, DeliveryWriteUnit
from longshore.domain.events.store import EventsWriteUnit
from longshore.domain.partners.store import PartnersReadUnit, PartnersWriteUnit
from longshore.domain.ports import Units
from longshore.domain.reception.store import ReceptionReadUnit, ReceptionWriteUnit
from longshore.domain.transactions.store import TransactionsReadUnit, TransactionsWriteUnit


class DispatchReadUnit(
    DeliveryReadUnit,
    PartnersReadUnit,
    ReceptionReadUnit,
    TransactionsReadUnit,
    AcksReadUnit,
    Protocol,
):
    """What is read of a delivery."""


class DispatchWriteUnit(
    DeliveryWriteUnit,
    PartnersWriteUnit,
    ReceptionWriteUnit,
    TransactionsWriteUnit,
    AcksWriteUnit,
    EventsWriteUnit,
    AuditWriteUnit,
    Protocol,
):
    """What an attempt changes."""


DispatchUnits = Units[DispatchReadUnit, DispatchWriteUnit]
