"""What takes the place of another transaction: one does, however many people try at once.

Source: contract.md section 6 (``parent_id``, ``again_after``).
"""

from __future__ import annotations

from typing import Final

from longshore.domain.blind_index import BlindIndex
from longshore.domain.delivery.store import OutboxState
from longshore.domain.reception.corrections import check_nothing_waits
from longshore.domain.submission.errors import SeveralSetsError, StillUnderWayError
from longshore.domain.submission.orders import SubmitOrder
from longshore.domain.submission.ports import SubmitWriteUnit
from longshore.domain.transactions.errors import ReplacedError, TransactionNotFoundError
from longshore.domain.transactions.model import (
    ProcessingStatus,
    Transaction,
    TransactionId,
)
from longshore.domain.transactions.replaced import standing_beside

_AGAIN_AFTER: Final = "again_after"


async def find_parent(
    unit: SubmitWriteUnit, index: BlindIndex, order: SubmitOrder, set_count: int
) -> Transaction | None:
    """Return what an order of ``set_count`` sets corrects, whose place is free; None: nothing.

    On trial the place need not be free.

    Raises:
        SeveralSetsError: It is one transaction set, and the document holds several.
        LongshoreError: As ``take_the_place``.
    """
    if order.parent_id is None:
        return None
    parent_id = TransactionId(order.parent_id)
    if order.dry_run:
        parent = await held(unit, parent_id)
    else:
        parent = await take_the_place(unit, index, parent_id, order.again_after)
    facts = parent.record.facts
    is_set = facts.tx_set or facts.segment_count  # of bytes that could not be read: neither
    if is_set and set_count > 1:
        raise SeveralSetsError(parent_id, set_count)
    return parent


async def take_the_place(
    unit: SubmitWriteUnit, index: BlindIndex, parent_id: TransactionId, again_after: int | None
) -> Transaction:
    """Make sure that nothing stands in the place of a transaction until the unit ends; return it.

    ``again_after``: what stands there as the caller knows, and may go on doing so.

    Raises:
        TransactionNotFoundError: There is no such transaction.
        StillUnderWayError: It is being sent once more, or processed.
        CorrectionWaitsError: A correction of it waits to be processed.
        ReplacedError: Another one stands in its place.
    """
    parent = await held(unit, parent_id)
    if await _is_under_way(unit, parent):
        raise StillUnderWayError(parent_id)
    await check_nothing_waits(unit, index, parent)
    standing = await standing_beside(unit, parent_id)
    if standing is not None and standing.id != again_after:
        raise ReplacedError(*standing, _AGAIN_AFTER)
    return parent


async def check_nothing_stands(unit: SubmitWriteUnit, transaction_id: TransactionId) -> None:
    """Make sure that nothing stands in the place of a transaction that is held.

    Raises:
        ReplacedError: Something does.
    """
    standing = await standing_beside(unit, transaction_id)
    if standing is not None:
        raise ReplacedError(*standing)


async def held(unit: SubmitWriteUnit, transaction_id: TransactionId) -> Transaction:
    """Return a transaction that no other unit holds until this one ends.

    Raises:
        TransactionNotFoundError: There is none.
    """
    is_there = await unit.transactions.hold(transaction_id)
    stored = await unit.transactions.find(transaction_id) if is_there else None
    if stored is None:
        raise TransactionNotFoundError
    return stored.transaction


async def _is_under_way(unit: SubmitWriteUnit, transaction: Transaction) -> bool:
    """Tell whether it is processed, or is sent once more after an attempt or by a retry.

    Who corrects what was just submitted for the first time knows that it goes.
    """
    if transaction.record.states.processing in _COMING:
        return True
    number = transaction.record.interchange_id
    entries = [] if number is None else await unit.outbox.list_of_interchange(number)
    is_repeated = len(entries) > 1 or any(each.attempt for each in entries)
    return is_repeated and any(each.state in _LIVE for each in entries)


_COMING: Final = frozenset({ProcessingStatus.RECEIVED, ProcessingStatus.PROCESSING})
_LIVE: Final = frozenset({OutboxState.DUE, OutboxState.HELD, OutboxState.LEASED})
