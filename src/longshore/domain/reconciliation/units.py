"""What reconciling needs of a unit: a part of what most slices see."""

from typing import Protocol

from longshore.domain.acks.store import AcksReadUnit, AcksWriteUnit
from longshore.domain.delivery.store import DeliveryWriteUnit
from longshore.domain.ports import Units
from longshore.domain.reception.store import ReceptionReadUnit, ReceptionWriteUnit
from longshore.domain.transactions.store import TransactionsReadUnit, TransactionsWriteUnit
from longshore.domain.vault.store import VaultReadUnit


class ReconciliationReadUnit(
    AcksReadUnit, TransactionsReadUnit, ReceptionReadUnit, VaultReadUnit, Protocol
):
    """What is read of what we sent."""


class ReconciliationWriteUnit(
    AcksWriteUnit,
    TransactionsWriteUnit,
    ReceptionWriteUnit,
    DeliveryWriteUnit,
    Protocol,
):
    """What an acknowledgement changes."""


ReconciliationUnits = Units[ReconciliationReadUnit, ReconciliationWriteUnit]
