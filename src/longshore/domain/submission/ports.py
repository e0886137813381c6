"""What submissions need from outside, and what of a unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from longshore.domain.acting import RequestContext
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
class MapConversion:
    """A document to be converted by a saved map."""

    document: str = field(repr=False)
    map_id: int
    map_version: int | None
    """None: the newest."""
    tx_set: str
    """The set of the output, where the map says none."""
    version: str = ""
    """GS08 of the output, where no rule writes it: as agreed with the partner."""


class ConvertedPart(NamedTuple):
    """An output of a map: of a document that it converts set by set, that of one set."""

    text: str
    explain: str
    """The lineage: the text of a JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertedDocument:
    """The output of a map for a whole document."""

    parts: tuple[ConvertedPart, ...] = field(repr=False)
    """In the order of the source, at least one."""
    format: str
    """``x12``, ``json``, ``csv`` or ``xml``."""
    map_id: int
    map_version: int
    """The version that ran."""
    source_format: str
    """As ``format``."""
    source_set: str
    """The first set of an X12 source, else ``""``."""
    warnings: tuple[Mapping[str, str], ...] = ()
    """Those of the conversion, as its answer has them."""


class Converter(Protocol):
    """Converts by saved maps."""

    async def convert(self, acting: RequestContext, conversion: MapConversion) -> ConvertedDocument:
        """Return what the map makes of the document: of each set, if it converts them one by one.

        Raises:
            LongshoreError: ``not_found``: there is no such map; ``conversion_failed``: it would
                convert only a part of the document, or nothing; else as a conversion.
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
