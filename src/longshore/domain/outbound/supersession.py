"""Superseding a transaction: one succeeds, however many people try at once.

Source: contract.md section 6 (``parent_id``, ``supersedes``).
"""

from __future__ import annotations

from typing import Final

from longshore.domain.delivery.model import OPEN_STATES
from longshore.domain.outbound.errors import (
    OtherDirectionError,
    SeveralSetsError,
    StillInProgressError,
)
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.ports import BlindIndex
from longshore.domain.transactions.errors import TransactionNotFoundError
from longshore.domain.transactions.model import ProcessingStatus, Transaction, TransactionId
from longshore.domain.transactions.resend_chain import (
    check_nothing_waits,
    find_active_replacement,
    lock_chains,
    original_of,
)
from longshore.domain.units import WriteUnit

_SUPERSEDES: Final = "supersedes"
_COMING: Final = frozenset({ProcessingStatus.RECEIVED, ProcessingStatus.PROCESSING})


async def find_parent(
    unit: WriteUnit, index: BlindIndex, order: SubmitOrder, set_count: int
) -> Transaction | None:
    """Return what an order of ``set_count`` sets corrects, whose place is free; None: nothing.

    On trial the place need not be free.

    Raises:
        TransactionNotFoundError: There is no such transaction.
        OtherDirectionError: It was received, and this is to be sent, or the other way round.
        SeveralSetsError: It is one transaction set, and the document holds several.
        LongshoreError: As ``supersede``.
    """
    if order.parent_id is None:
        return None
    stored = await unit.transactions.find(TransactionId(order.parent_id))
    if stored is None:
        raise TransactionNotFoundError
    parent = stored.transaction
    if parent.record.direction is not order.direction:
        raise OtherDirectionError(parent.id, parent.record.direction)
    facts = parent.record.facts
    is_set = facts.tx_set or facts.segment_count  # of bytes that could not be read: neither
    if is_set and set_count > 1:
        raise SeveralSetsError(parent.id, set_count)
    if not order.dry_run:
        await supersede(unit, index, parent, order.supersedes)
    return parent


async def supersede(
    unit: WriteUnit, index: BlindIndex, parent: Transaction, supersedes: int | None
) -> None:
    """Make sure that nothing stands in the place of a transaction until the unit ends.

    ``supersedes`` is what stands there as the caller knows, and may go on doing so.

    Raises:
        StillInProgressError: It is being sent once more, or processed.
        CorrectionWaitsError: A correction of its resend chain waits to be processed.
        ReplacedError: Another one stands in its place.
    """
    await _hold(unit, parent)
    if await _is_being_processed(unit, parent.id) or await _is_resending(unit, parent):
        raise StillInProgressError(parent.id)
    await check_nothing_waits(unit, index, await original_of(unit, parent.id))
    replacement = await find_active_replacement(unit, parent.id)
    if replacement is not None and replacement.id != supersedes:
        raise replacement.refusal(_SUPERSEDES)


async def ensure_not_superseded(unit: WriteUnit, transaction: Transaction) -> None:
    """Make sure that a set may be sent again by itself, and nobody else does until the unit ends.

    Raises:
        StillInProgressError: Its interchange is being sent once more.
        ReplacedError: Another one stands in its place.
    """
    await _hold(unit, transaction)
    if await _is_resending(unit, transaction):
        raise StillInProgressError(transaction.id)
    replacement = await find_active_replacement(unit, transaction.id)
    if replacement is not None:
        raise replacement.refusal()


async def _hold(unit: WriteUnit, transaction: Transaction) -> None:
    """Let nobody else send a transaction, or one of its resend chain, until the unit ends."""
    interchange_id = transaction.record.interchange_id
    await lock_chains(unit, () if interchange_id is None else (interchange_id,), (transaction.id,))


async def _is_resending(unit: WriteUnit, transaction: Transaction) -> bool:
    """Tell whether the interchange of a transaction is to be sent, and not for the first time.

    A first delivery that is still in progress does not stop a correction.
    """
    interchange_id = transaction.record.interchange_id
    entries = (
        [] if interchange_id is None else await unit.outbox.list_of_interchange(interchange_id)
    )
    is_repeated = len(entries) > 1 or any(each.attempt for each in entries)
    return is_repeated and any(each.state in OPEN_STATES for each in entries)


async def _is_being_processed(unit: WriteUnit, transaction_id: TransactionId) -> bool:
    """Tell whether a transaction is to be processed, as it stands now that it is held."""
    stored = await unit.transactions.find(transaction_id)
    assert stored is not None  # none is ever removed
    return stored.transaction.record.states.processing in _COMING
