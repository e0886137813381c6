"""What submissions need from outside, and what of a unit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from longshore.domain.acting import Acting
from longshore.domain.audit.store import AuditWriteUnit
from longshore.domain.blind_index import BlindIndex
from longshore.domain.control_numbers.store import ControlNumbersWriteUnit
from longshore.domain.events.store import EventsWriteUnit
from longshore.domain.idempotency.store import IdempotencyReadUnit, IdempotencyWriteUnit
from longshore.domain.partners.store import PartnersReadUnit, PartnersWriteUnit
from longshore.domain.ports import Compute, Sealer, Units
from longshore.domain.reception.store import ReceptionReadUnit
from longshore.domain.submission.sending import SendingWriteUnit
from longshore.domain.transactions.store import TransactionsReadUnit
from longshore.domain.vault.store import VaultWriteUnit
from longshore.kit.clock import Clock


class SubmitReadUnit(
    PartnersReadUnit, TransactionsReadUnit, ReceptionReadUnit, IdempotencyReadUnit, Protocol
):
    """What submissions read with."""


class SubmitWriteUnit(  # every store that a submission has a row in
    SendingWriteUnit,
    PartnersWriteUnit,
    ControlNumbersWriteUnit,
    IdempotencyWriteUnit,
    VaultWriteUnit,
    EventsWriteUnit,
    AuditWriteUnit,
    Protocol,
):
    """What submissions write with."""


SubmitUnits = Units[SubmitReadUnit, SubmitWriteUnit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """A document to be converted by a saved map. ``map_version`` None: the newest.

    ``tx_set``: the set of the output, where the map says none.
    """

    document: str = field(repr=False)
    map_id: int
    map_version: int | None
    tx_set: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertedDocument:
    """What a map made. ``format`` and ``source_format``: ``x12``, ``json``, ``csv`` or ``xml``.

    ``map_version``: the one that ran. ``source_set``: of an X12 source, else ``""``. ``explain``:
    the lineage, the text of a JSON object.
    """

    text: str = field(repr=False)
    format: str
    map_id: int
    map_version: int
    source_format: str
    source_set: str
    explain: str = field(repr=False)


class Converter(Protocol):
    """Converts by saved maps."""

    async def convert(self, acting: Acting, conversion: Conversion) -> ConvertedDocument:
        """Return what the map makes of the document, its first set where it has several.

        Raises:
            LongshoreError: ``not_found``: there is no such map; else as a conversion.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitPorts:
    """What submissions are made of.

    ``compute``: where documents are read; ``beside``: where long ones are sealed, in this process.
    """

    units: SubmitUnits
    clock: Clock
    sealer: Sealer
    index: BlindIndex
    compute: Compute
    beside: Compute
    converter: Converter
