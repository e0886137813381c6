"""What was received in place of another record, and is not processed yet: a receipt alone so far.

Source: contract.md section 6.
"""

from __future__ import annotations

from longshore.domain.blind_index import BlindIndex, BlindPurpose
from longshore.domain.reception.store import ReceiptId, ReceptionReadUnit
from longshore.domain.transactions.errors import ActionRefusedError
from longshore.domain.transactions.model import Transaction


class CorrectionWaitsError(ActionRefusedError):
    """A correction of the same transaction was received before, and waits to be processed."""

    def __init__(self, parent_id: int, receipt_id: int) -> None:
        super().__init__(
            f"A correction of transaction {parent_id} was received before, as receipt {receipt_id},"
            " and is not processed yet: wait for what becomes of it."
        )


def correction_digest(index: BlindIndex, corrected: Transaction) -> bytes:
    """Return what receipts that correct this transaction are found by."""
    owner = (corrected.account_id, corrected.record.environment)
    return index.digest(BlindPurpose.CORRECTION, owner, str(corrected.id).encode())


async def check_nothing_waits(
    unit: ReceptionReadUnit, index: BlindIndex, corrected: Transaction
) -> None:
    """Make sure that no correction of a transaction waits to be processed.

    Raises:
        CorrectionWaitsError: One does.
    """
    waiting: ReceiptId | None = await unit.receipts.find_correction(
        correction_digest(index, corrected)
    )
    if waiting is not None:
        raise CorrectionWaitsError(corrected.id, waiting)
