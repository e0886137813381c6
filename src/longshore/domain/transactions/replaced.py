"""What stands in the place of a transaction: made of the same one, and not fallen itself.

Of a transaction others are made, by corrections and reissues, and of those others again. Where one
of this family is on its way or has arrived, whoever sends another one doubles the document.

Source: contract.md sections 5 (actions) and 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from longshore.domain.transactions.errors import ReplacedError
from longshore.domain.transactions.model import InterchangeId, TransactionId, TransactionStatus
from longshore.domain.transactions.states import derived_status
from longshore.domain.transactions.store import TransactionsReadUnit

FALLEN: Final = frozenset({
    TransactionStatus.INVALID,
    TransactionStatus.FAILED,
    TransactionStatus.REJECTED,
    TransactionStatus.CANCELLED,
    TransactionStatus.QUARANTINED,
    TransactionStatus.DUPLICATE,
})
"""What a transaction is that stands in nobody's place."""


class Standing(NamedTuple):
    """The newest that stands in the place of another one: of which that was, and its status."""

    of: TransactionId
    id: TransactionId
    status: TransactionStatus


async def standing_beside(
    unit: TransactionsReadUnit, transaction_id: TransactionId
) -> Standing | None:
    """Return what stands in the place of a transaction, or of one that it was made of itself.

    As far as the unit sees. What it was made of does not count: that was to be replaced by it.
    """
    path = await _path(unit, transaction_id)
    for each in await unit.transactions.list_made_of(path[-1]):
        stored = None if each in path else await unit.transactions.find(each)
        if stored is not None:
            record = stored.transaction.record
            status = derived_status(record.direction, record.states)
            if status not in FALLEN:
                return Standing(record.parent_id or path[-1], each, status)
    return None


async def _path(unit: TransactionsReadUnit, transaction_id: TransactionId) -> list[TransactionId]:
    """Return a transaction, what it was made of, and so on."""
    path, number = [transaction_id], await _parent(unit, transaction_id)
    while number is not None:
        path.append(number)
        number = await _parent(unit, number)
    return path


async def _parent(
    unit: TransactionsReadUnit, transaction_id: TransactionId
) -> TransactionId | None:
    stored = await unit.transactions.find(transaction_id)
    return None if stored is None else stored.transaction.record.parent_id


async def check_unreplaced(
    unit: TransactionsReadUnit, interchange_id: InterchangeId, ids: Iterable[TransactionId]
) -> None:
    """Make sure that nothing stands in the place of any of these sets of an interchange.

    Raises:
        ReplacedError: Something does.
    """
    related = await unit.transactions.list_related(interchange_id)
    for each in sorted({*related}.intersection(ids)):
        standing = await standing_beside(unit, each)
        if standing is not None:
            raise ReplacedError(*standing)
