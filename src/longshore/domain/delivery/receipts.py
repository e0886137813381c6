"""Receipts (MDN) of partners: what one means for the message, and those that come later.

The MICs of a message whose receipt comes in a connection of its own are stored before it is sent,
because the receipt may be there before the answer. Whoever comes second, the receipt or the result
of the attempt, ends the delivery: both lock the row of the receipt first.

A result counts for the attempt that its row names, and only while that attempt has no other result
than that it was lost or that its receipt was overdue.

Source: transports.md section 2.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from longshore.as2.receipt_facts import As2Receipt
from longshore.domain.as2.encryption import change_receipt, open_awaited_receipt, store_receipt
from longshore.domain.as2.model import AwaitedReceipt, ReceiptResult
from longshore.domain.as2.store import NewReceiptRow
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import Sent, answered, failed
from longshore.domain.partners.model import Direction

if TYPE_CHECKING:
    from longshore.as2.algorithms import Mic
    from longshore.domain.delivery.model import DeliveryAttempt, OutboxEntry
    from longshore.domain.ports import Sealer
    from longshore.domain.units import ReadUnit, WriteUnit

_OK: Final = 200
_OPEN_CODES: Final = frozenset({FailureKind.LEASE_LOST, FailureKind.RECEIPT_OVERDUE})


def result_of(receipt: As2Receipt, mics: Sequence[Mic]) -> ReceiptResult:
    """Return what a receipt for a message means; its signature was verified."""
    kind, text = None, ""
    if not receipt.is_positive:
        kind = FailureKind.RECEIPT_NEGATIVE
        text = f"The receipt of the partner says: {receipt.disposition}."
    elif receipt.mic is None or all(each.algorithm != receipt.mic.algorithm for each in mics):
        kind, text = FailureKind.MIC_MISMATCH, "The receipt of the partner names no MIC to compare."
    elif receipt.mic not in mics:
        kind = FailureKind.MIC_MISMATCH
    return ReceiptResult(code="" if kind is None else kind.value, message=text)


def sent_of(result: ReceiptResult, status: int = _OK) -> Sent:
    """Return the result of an attempt whose receipt has come."""
    if result.code:
        return failed(FailureKind(result.code), result.message)
    return answered(status, "", None)


async def await_receipt(
    unit: WriteUnit,
    sealer: Sealer,
    entry: OutboxEntry,
    message_id: str,
    mics: Sequence[Mic],
    now: datetime,
) -> None:
    """Store the MICs of a message that is about to be sent for an entry."""
    assert entry.new.partner_id is not None
    awaited = AwaitedReceipt(mics=tuple(mics))
    found = await unit.as2_receipts.find_awaited(entry.new.partner_id, message_id)
    if found is None:
        new = NewReceiptRow(
            account_id=entry.account_id,
            environment=entry.new.environment,
            direction=Direction.INBOUND,
            partner_id=entry.new.partner_id,
            outbox_id=entry.id,
            message_id=message_id,
            attempt=entry.attempt,
        )
        await store_receipt(unit, sealer, new, awaited, now)
        return
    locked = await unit.as2_receipts.lock(found.new.outbox_id)
    assert locked is not None  # it was found in this unit, and rows stay
    moved = replace(locked.new, outbox_id=entry.id, attempt=entry.attempt)
    await change_receipt(unit, sealer, replace(locked, new=moved), awaited, now)


async def find_early_result(
    unit: WriteUnit, sealer: Sealer, entry: OutboxEntry
) -> ReceiptResult | None:
    """Return what the receipt said that came before the result of the attempt; None without it."""
    locked = await unit.as2_receipts.lock(entry.id)
    if locked is None or locked.new.attempt != entry.attempt:
        return None
    return open_awaited_receipt(sealer, locked).result


async def find_open_result(
    unit: ReadUnit, sealer: Sealer, entry: OutboxEntry
) -> tuple[int, ReceiptResult] | None:
    """Return an attempt that a receipt has come for and that nobody has ended; None without one."""
    stored = await unit.as2_receipts.find_of_entry(entry.id)
    if stored is None:
        return None
    result, number = open_awaited_receipt(sealer, stored).result, stored.new.attempt
    assert entry.new.interchange_id is not None
    attempts = await unit.outbox.list_attempts(entry.new.interchange_id)
    is_open = any(_is_open(each, entry, number) for each in attempts)
    return (number, result) if result is not None and is_open else None


def _is_open(attempt: DeliveryAttempt, entry: OutboxEntry, number: int) -> bool:
    if (attempt.outbox_id, attempt.attempt) != (entry.id, number):
        return False
    return attempt.result is None or attempt.result.error_code in _OPEN_CODES
