"""An interchange of ours as it was stored, with what is known of how it came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from longshore.domain.ports import Sealer
from longshore.domain.reception.recording import open_interchange
from longshore.domain.reception.store import Interchange, SealedContent
from longshore.domain.transactions.model import InterchangeId, TransactionId
from longshore.domain.units import ReadUnit
from longshore.domain.vault.model import SealedRecord, VaultDocumentId
from longshore.domain.vault.service import open_document

_LONG_BYTES = 262_144  # below it opening is done sooner than a thread is woken


@dataclass(frozen=True, slots=True, kw_only=True)
class SentDocument:
    """A sealed interchange. ``indexes``: which set a transaction is, from 1.

    ``converted``: the document of the vault that a map made it as, None where none did.
    """

    interchange: Interchange
    sealed: SealedContent
    indexes: Mapping[TransactionId, int]
    converted: SealedRecord | None

    @property
    def is_long(self) -> bool:
        """Whether it is better opened beside the event loop."""
        return len(self.sealed.content) > _LONG_BYTES


async def find_document(unit: ReadUnit, interchange_id: InterchangeId) -> SentDocument:
    """Return an interchange of ours."""
    found = await unit.interchanges.find(interchange_id)
    assert found is not None  # a group of it was found, and interchanges are kept
    sets = await unit.transactions.list_of_interchange(interchange_id)
    doc_id = next((each.transaction.record.doc_id for each in sets), None)
    return SentDocument(
        interchange=found[0],
        sealed=found[1],
        indexes={each.transaction.id: index for index, each in enumerate(sets, 1)},
        converted=None if doc_id is None else await unit.vault.find(VaultDocumentId(doc_id)),
    )


def open_sent(sealer: Sealer, document: SentDocument) -> tuple[bytes, str | None]:
    """Return the bytes that were sent, and the lineage of the conversion that made them.

    Raises:
        SealBrokenError: They are not what was stored.
    """
    opened = open_interchange(sealer, document.interchange, document.sealed)
    record = document.converted
    return opened.content, None if record is None else open_document(sealer, record).explain
