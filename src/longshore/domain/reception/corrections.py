"""What was received in place of another record, and is not processed yet: a receipt alone so far.

Source: contract.md section 6.
"""

from __future__ import annotations

from longshore.domain.blind_index import BlindIndex, BlindPurpose
from longshore.domain.transactions.errors import ActionRefusedError
from longshore.domain.transactions.model import Transaction
from longshore.domain.units import ReadUnit


class CorrectionWaitsError(ActionRefusedError):
    """A correction of the same family was received before, and waits to be processed."""

    def __init__(self, root: int, receipt_id: int) -> None:
        super().__init__(
            f"A correction of transaction {root} was received before, as receipt {receipt_id}, and"
            " is not processed yet: wait for what becomes of it."
        )


def correction_digest(index: BlindIndex, root: Transaction) -> bytes:
    """Return what receipts that correct this transaction, or what was made of it, are found by."""
    owner = (root.account_id, root.record.environment)
    return index.digest(BlindPurpose.CORRECTION, owner, str(root.id).encode())


async def check_nothing_waits(unit: ReadUnit, index: BlindIndex, root: Transaction) -> None:
    """Make sure that no correction of a family waits to be processed; ``root``: its first.

    Look at it before the records of the family: what waits becomes one of those.

    Raises:
        CorrectionWaitsError: One does.
    """
    waiting = await unit.receipts.find_correction(correction_digest(index, root))
    if waiting is not None:
        raise CorrectionWaitsError(root.id, waiting)
