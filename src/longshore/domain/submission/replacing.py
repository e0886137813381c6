"""What takes the place of another transaction: one does, however many people try at once.

Source: contract.md section 6 (``parent_id``, ``again``).
"""

from __future__ import annotations

from typing import Final

from longshore.domain.submission.errors import CorrectedAlreadyError
from longshore.domain.submission.ports import SubmitWriteUnit
from longshore.domain.transactions.errors import TransactionNotFoundError
from longshore.domain.transactions.model import TransactionId, TransactionStatus
from longshore.domain.transactions.query import TransactionFilters
from longshore.domain.transactions.states import derived_status
from longshore.domain.transactions.store import PageRequest, TransactionQuery

_FALLEN: Final = frozenset({
    TransactionStatus.INVALID,
    TransactionStatus.FAILED,
    TransactionStatus.REJECTED,
    TransactionStatus.CANCELLED,
    TransactionStatus.QUARANTINED,
    TransactionStatus.DUPLICATE,
})
"""What a transaction is that was made of another one and does not stand in its place."""

_MOST_LOOKED_AT: Final = 200


async def take_the_place(unit: SubmitWriteUnit, parent_id: TransactionId, *, again: bool) -> None:
    """Make sure that nothing stands in the place of a transaction yet, until the unit ends.

    ``again``: something may.

    Raises:
        TransactionNotFoundError: There is no such transaction.
        CorrectedAlreadyError: Another one stands in its place.
    """
    if not await unit.transactions.hold(parent_id):
        raise TransactionNotFoundError
    if again:
        return
    query = TransactionQuery(filters=TransactionFilters(parent_id=parent_id))
    for each in await unit.transactions.list(query, PageRequest(limit=_MOST_LOOKED_AT)):
        record = each.transaction.record
        status = derived_status(record.direction, record.states)
        if status not in _FALLEN:
            raise CorrectedAlreadyError(parent_id, each.transaction.id, status)
