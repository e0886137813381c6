"""What a transaction waits for before it is sent: its time, or another transaction.

Source: contract.md section 15 (``deliveries``, ``timeline``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from longshore.domain.delivery.store import WAITING_STATES, OutboxState
from longshore.domain.ports import RequestContext
from longshore.domain.transactions.actions import found_transaction
from longshore.domain.transactions.model import TransactionId
from longshore.domain.units import ReadUnit, Units


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingDelivery:
    """What a transaction waits for before it is sent."""

    waits_behind: TransactionId | None = None
    """The first set of the document that is sent before it; None: it is the next one."""
    next_attempt_at: datetime | None = None
    """When it is sent; None: it waits behind another one, is held, or does not wait."""


class PendingDeliveries:
    """What transactions wait for, each through the scope of the caller."""

    def __init__(self, units: Units) -> None:
        self._units = units

    async def find(self, context: RequestContext, transaction_id: int) -> PendingDelivery:
        """Return what a transaction waits for.

        Raises:
            TransactionNotFoundError: The scope has none of this id.
        """

        async def read(unit: ReadUnit) -> PendingDelivery:
            return await _find(unit, transaction_id)

        return await self._units.read(context.scope, read)


async def _find(unit: ReadUnit, transaction_id: int) -> PendingDelivery:
    number = (await found_transaction(unit, transaction_id)).transaction.record.interchange_id
    entries = [] if number is None else await unit.outbox.list_of_interchange(number)
    waiting = [each for each in entries if each.state in WAITING_STATES]
    if not waiting:
        return PendingDelivery()
    blocking = await unit.outbox.find_blocking(waiting[-1])
    if blocking is None:
        is_due = waiting[-1].state is OutboxState.DUE
        return PendingDelivery(next_attempt_at=waiting[-1].new.due_at if is_due else None)
    assert blocking.new.interchange_id is not None  # what has an order is delivered
    ids = await unit.transactions.list_ids(blocking.new.interchange_id)
    return PendingDelivery(waits_behind=min(ids, default=None))
