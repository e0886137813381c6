"""What processing needs: of a unit, a part of what most slices see; and of other use cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from longshore.domain.acks.receiving import AckReceiver
from longshore.domain.audit.store import AuditWriteUnit
from longshore.domain.blind_index import BlindIndex
from longshore.domain.events.store import EventsWriteUnit
from longshore.domain.partners.store import PartnersReadUnit, PartnersWriteUnit
from longshore.domain.ports import Compute, Sealer, Units
from longshore.domain.processing.acknowledging import AcknowledgingWriteUnit
from longshore.domain.processing.mapping_runs import MapRunner
from longshore.domain.reception.store import ReceptionReadUnit
from longshore.domain.transactions.store import TransactionsReadUnit
from longshore.domain.vault.store import VaultWriteUnit
from longshore.kit.clock import Clock


class ProcessingReadUnit(PartnersReadUnit, ReceptionReadUnit, TransactionsReadUnit, Protocol):
    """What processing reads with."""


class ProcessingWriteUnit(
    AcknowledgingWriteUnit,
    PartnersWriteUnit,
    VaultWriteUnit,
    EventsWriteUnit,
    AuditWriteUnit,
    Protocol,
):
    """What processing writes with."""


ProcessingUnits = Units[ProcessingReadUnit, ProcessingWriteUnit]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessingPorts:
    """What a processor is made of.

    ``compute``: where documents are read. ``beside``: where long bytes are sealed and opened; a
    thread of this process, as what seals cannot be handed to another.
    """

    units: ProcessingUnits
    clock: Clock
    sealer: Sealer
    index: BlindIndex
    compute: Compute
    beside: Compute
    maps: MapRunner
    acks: AckReceiver[ProcessingWriteUnit]


class OutdatedError(RuntimeError):
    """What was read before the unit does not stand any more: it has to be judged again."""


class LeaseLostError(RuntimeError):
    """The work is another worker's by now, or done: nothing of this attempt is kept."""
