"""What tracking needs of a unit: a part of what most slices see."""

from typing import Protocol

from longshore.domain.acks.store import AcksReadUnit
from longshore.domain.delivery.store import DeliveryReadUnit
from longshore.domain.dispatch.units import DispatchWriteUnit
from longshore.domain.events.store import EventsReadUnit
from longshore.domain.idempotency.store import IdempotencyReadUnit, IdempotencyWriteUnit
from longshore.domain.ports import Units
from longshore.domain.reception.store import ReceptionReadUnit
from longshore.domain.transactions.store import TransactionsReadUnit


class TrackingReadUnit(
    TransactionsReadUnit,
    ReceptionReadUnit,
    AcksReadUnit,
    DeliveryReadUnit,
    EventsReadUnit,
    IdempotencyReadUnit,
    Protocol,
):
    """What is read of a transaction."""


class TrackingWriteUnit(DispatchWriteUnit, IdempotencyWriteUnit, Protocol):
    """What an action reads and changes."""


TrackingUnits = Units[TrackingReadUnit, TrackingWriteUnit]
