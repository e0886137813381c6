"""The resend chain of a transaction: all that was made of it, and what it was made of.

A correction or a reissue makes a new transaction of an old one, and another may be made of that.
The members of a chain stand for one document, so sending two of them would send it twice. Whoever
sends a document again therefore locks the interchange that goes out, then the chain, and looks at
the other members. A correction that was received and is not processed yet is a receipt alone; it
counts as well.

Sets of one interchange never replace each other: where bytes that could not be read were
corrected, several sets were made of one record.

Source: contract.md sections 5 (actions) and 6; decision 0017.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from longshore.domain.delivery.model import OutboxState
from longshore.domain.ports import BlindIndex, BlindPurpose
from longshore.domain.transactions.errors import ActionRefusedError, ReplacedError
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    ProcessingStatus,
    States,
    Transaction,
    TransactionId,
    TransactionStatus,
)
from longshore.domain.transactions.states import derived_status
from longshore.domain.units import ReadUnit, WriteUnit

_FALLEN: Final = frozenset({
    TransactionStatus.INVALID,
    TransactionStatus.FAILED,
    TransactionStatus.REJECTED,
    TransactionStatus.CANCELLED,
    TransactionStatus.QUARANTINED,
    TransactionStatus.DUPLICATE,
})
"""The statuses of a transaction that can be superseded again, unless it is on its way."""
_LEAVING: Final = frozenset({
    DeliveryStatus.PENDING,
    DeliveryStatus.HELD,
    DeliveryStatus.SENDING,
    DeliveryStatus.SENT,
})
_COMING: Final = frozenset({ProcessingStatus.RECEIVED, ProcessingStatus.PROCESSING})


class ActiveReplacement(NamedTuple):
    """A transaction because of which another one, ``to_send``, must not be sent."""

    id: TransactionId
    status: TransactionStatus
    to_send: TransactionId
    """The transaction that should be sent; not always the first of the chain."""
    parent_id: TransactionId | None
    """The transaction of which it was made; None if ``to_send`` descends from it instead."""

    def refusal(self, param: str | None = None) -> ReplacedError:
        """Return the error that tells of it. ``param`` is what would allow it all the same."""
        message = f"Transaction {self.id} was made of transaction {self.parent_id} before, and is"
        if self.parent_id is None:
            message = f"Transaction {self.id}, of which transaction {self.to_send} was made, is"
        return ReplacedError(f"{message} {self.status}: look at it first.", self.id, param)


async def lock_chains(
    unit: WriteUnit,
    interchange_ids: Collection[InterchangeId],
    ids: Iterable[TransactionId] = (),
) -> None:
    """Lock interchanges and the resend chains of their transactions until the unit ends.

    Interchanges first, each kind by ascending ids, so that nobody waits for each other.
    """
    related = {*ids}
    for interchange_id in sorted({*interchange_ids}):
        await unit.transactions.hold_interchange(interchange_id)
        related |= {*await unit.transactions.list_related(interchange_id)}
    originals = {(await _path(unit, each))[-1].id for each in related}
    for original in sorted(originals):
        await unit.transactions.lock_chain(original)


async def original_of(unit: ReadUnit, transaction_id: TransactionId) -> Transaction:
    """Return the first of a resend chain, as far as the unit sees."""
    return (await _path(unit, transaction_id))[-1]


async def check_alone(
    unit: ReadUnit, interchange_id: InterchangeId, ids: Collection[TransactionId]
) -> None:
    """Make sure that nothing stands in the place of any of these sets of an interchange.

    Raises:
        ReplacedError: Something does.
    """
    related = await unit.transactions.list_related(interchange_id)
    by_original: dict[TransactionId, list[list[Transaction]]] = {}
    for each in sorted({*related}.intersection(ids)):
        path = await _path(unit, each)
        by_original.setdefault(path[-1].id, []).append(path)
    for paths in by_original.values():  # each chain is read once
        replacement = await _find_replacement(unit, paths)
        if replacement is not None:
            raise replacement.refusal()


async def find_active_replacement(
    unit: ReadUnit, transaction_id: TransactionId
) -> ActiveReplacement | None:
    """Return the newest that stands in the place of a transaction."""
    return await _find_replacement(unit, [await _path(unit, transaction_id)])


async def _find_replacement(
    unit: ReadUnit, paths: Sequence[Sequence[Transaction]]
) -> ActiveReplacement | None:
    """Return the newest transaction of a chain that replaces one of those to be sent.

    ``paths`` is of each what goes, what that was made of, and so on.
    """
    going, original = {path[0].id for path in paths}, paths[0][-1]
    chain = [original, *await _made_of(unit, original.id)]
    made = {origin.id: child for path in paths for child, origin in pairwise(path)}
    passed = going | _siblings([each for path in paths for each in path], chain)
    for each in reversed(chain):
        if each.id in passed:
            continue
        status = await _status_if_active(unit, each, made.get(each.id))
        if status is not None:
            parent_id = None if each.id in made else each.record.parent_id
            return ActiveReplacement(each.id, status, paths[0][0].id, parent_id)
    return None


async def _path(unit: ReadUnit, transaction_id: TransactionId) -> list[Transaction]:
    """Return a transaction, what it was made of, and so on, as far as the unit sees."""
    stored = await unit.transactions.find(transaction_id)
    assert stored is not None  # the caller has seen it, and none is ever removed
    path = [stored.transaction]
    while stored is not None and stored.transaction.record.parent_id is not None:
        stored = await unit.transactions.find(stored.transaction.record.parent_id)
        path += [] if stored is None else [stored.transaction]
    return path


async def _made_of(unit: ReadUnit, original: TransactionId) -> list[Transaction]:
    """Return what was made of the first transaction of a chain, oldest first."""
    found = [
        await unit.transactions.find(each)
        for each in await unit.transactions.list_made_of(original)
    ]
    return [each.transaction for each in found if each is not None]


def _siblings(path: Sequence[Transaction], chain: Iterable[Transaction]) -> set[TransactionId]:
    """Return the other sets of the interchanges of paths, and what was made of those.

    ``chain`` is oldest first.
    """
    ids = {each.id for each in path}
    interchanges = {each.record.interchange_id for each in path} - {None}
    found: set[TransactionId] = set()
    for each in chain:
        is_sibling = each.record.interchange_id in interchanges or each.record.parent_id in found
        if is_sibling and each.id not in ids:
            found.add(each.id)
    return found


async def _status_if_active(
    unit: ReadUnit, other: Transaction, made: Transaction | None
) -> TransactionStatus | None:
    """Return the status of one that stands in a place, else None.

    ``made`` is what was made of it, if what goes was: then it stands only if it went after that.
    """
    states, facts = other.record.states, other.record.facts
    status = derived_status(other.record.direction, states)
    if _is_in_progress(states):
        return TransactionStatus.QUEUED if status in _FALLEN else status
    is_empty = not facts.tx_set and not facts.segment_count  # it gave way to what it turned out as
    if status in _FALLEN or is_empty:
        return None
    return status if made is None or await _went_since(unit, other, made) else None


def _is_in_progress(states: States) -> bool:
    return states.delivery in _LEAVING or states.processing in _COMING


async def _went_since(unit: ReadUnit, origin: Transaction, made: Transaction) -> bool:
    """Tell whether a transaction was sent or passed on after another was made of it."""
    interchange_id = origin.record.interchange_id
    assert interchange_id is not None  # what arrived was in one
    entries = await unit.outbox.list_of_interchange(interchange_id)
    return any(
        each.state is OutboxState.DONE and each.created_at > made.created_at for each in entries
    )


class CorrectionWaitsError(ActionRefusedError):
    """A correction of the same resend chain was received before, and waits to be processed."""

    def __init__(self, original: int, receipt_id: int) -> None:
        super().__init__(
            f"A correction of transaction {original} was received before, as receipt {receipt_id},"
            " and is not processed yet: wait for what becomes of it."
        )


def correction_digest(index: BlindIndex, original: Transaction) -> bytes:
    """Return what receipts that correct this transaction, or what was made of it, are found by."""
    owner = (original.account_id, original.record.environment)
    return index.digest(BlindPurpose.CORRECTION, owner, str(original.id).encode())


async def check_nothing_waits(unit: ReadUnit, index: BlindIndex, original: Transaction) -> None:
    """Make sure that no correction of a resend chain waits to be processed.

    ``original`` is the first transaction of the chain.
    Look at it before the records of the resend chain: what waits becomes one of those.

    Raises:
        CorrectionWaitsError: One does.
    """
    waiting = await unit.receipts.find_correction(correction_digest(index, original))
    if waiting is not None:
        raise CorrectionWaitsError(original.id, waiting)
