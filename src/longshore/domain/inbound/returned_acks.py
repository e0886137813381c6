"""The outcome of a receipt for the sender who waits, and acknowledgements in HTTP answers.

A partner that posts a document and asks for the acknowledgement in the HTTP answer has it as soon
as that answer is written. The acknowledgement is marked ``sent`` then and is not delivered over the
connection as well. Until then its outbox entry stays and is not due while the request runs, so an
answer that was lost is delivered the ordinary way. See decision 0021.

Fault points: ``dispatch.returned.before_commit``, ``dispatch.returned.after_commit``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.domain.acks.model import AckRowStatus
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.acknowledgements import finish_own
from longshore.domain.delivery.model import WAITING_STATES, OutboxState
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.interchanges.encryption import open_interchange
from longshore.domain.interchanges.store import InterchangeStatus, ReceiptId, ReceiptStatus
from longshore.domain.interchanges.writer import step_outbound
from longshore.domain.partners.model import Direction
from longshore.domain.ports import Ports, Sealer
from longshore.domain.transactions.encryption import TransactionWriter, open_transaction
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    Transaction,
    TransactionId,
)
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.faults import fault_point


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptOutcome:
    """The records of a receipt, in its order, without what is sealed of them, and our answer."""

    transactions: tuple[Transaction, ...]
    ack: bytes
    """The interchanges that acknowledge it, one behind the other; ``b""`` if none does."""


async def list_answer_ids(unit: ReadUnit, receipt_id: ReceiptId) -> list[InterchangeId]:
    """Return the interchanges that acknowledge what came in a receipt, in its order."""
    return [
        answer_id
        for interchange_id in await _list_received(unit, receipt_id)
        for answer_id in await unit.acks.list_own_answers(interchange_id)
    ]


async def _list_received(unit: ReadUnit, receipt_id: ReceiptId) -> list[InterchangeId]:
    found = await unit.interchanges.list_of_receipt(receipt_id)
    return [each.id for each in found if each.new.direction is not Direction.OUTBOUND]


async def find_outcome(
    unit: ReadUnit, sealer: Sealer, receipt_id: ReceiptId
) -> ReceiptOutcome | None:
    """Return what became of a receipt, None while it is not processed.

    Raises:
        SealBrokenError: An acknowledgement is not what was stored in its row.
    """
    if await unit.receipts.find_status(receipt_id) in {None, ReceiptStatus.RECEIVED}:
        return None
    transactions: list[Transaction] = []
    for interchange_id in await _list_received(unit, receipt_id):
        records = await unit.transactions.list_of_interchange(interchange_id)
        transactions += [each.transaction for each in records]
    answers: list[bytes] = []
    for answer_id in await list_answer_ids(unit, receipt_id):
        answer = await unit.interchanges.find(answer_id)
        assert answer is not None  # the row of the acknowledgement refers to it
        answers.append(open_interchange(sealer, *answer).content)
    return ReceiptOutcome(transactions=tuple(transactions), ack=b"".join(answers))


_UNSENT: Final = (DeliveryStatus.PENDING, DeliveryStatus.HELD)
_MESSAGE: Final = "The partner got it in the answer to its request."


class ReturnedAcknowledgements:
    """Notes what partners got in HTTP answers."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def mark_sent(self, channel: InboundChannel, receipt_ids: Iterable[ReceiptId]) -> None:
        """Note that the acknowledgements of receipts are sent, and need no delivery any more.

        What is being delivered at this moment, or was before, stays as it is.

        Raises:
            LongshoreError: ``storage_unavailable``; nothing is noted, so all of it is delivered.
        """
        now = self._ports.clock.now()

        async def write(unit: WriteUnit) -> None:
            for receipt_id in receipt_ids:
                for interchange_id in await list_answer_ids(unit, receipt_id):
                    await self._mark(unit, channel, interchange_id, now)
            fault_point("dispatch.returned.before_commit")

        await self._ports.units.write(channel.scope, write)
        fault_point("dispatch.returned.after_commit")

    async def _mark(
        self, unit: WriteUnit, channel: InboundChannel, interchange_id: InterchangeId, now: datetime
    ) -> None:
        if not await _end_entry(unit, interchange_id, now):
            return
        await step_outbound(unit.interchanges, interchange_id, InterchangeStatus.SENT, now)
        await unit.interchanges.set_sent(interchange_id, now, now)
        actor = f"token {channel.token_id}"
        events, delivered = [], set[TransactionId]()
        for start in _UNSENT:
            stepped = await unit.transactions.step_deliveries(
                interchange_id, start, DeliveryStatus.DELIVERED, now
            )
            delivered.update(stepped)
            events += [
                NewEvent(
                    type=EventType.TRANSACTION_DELIVERED,
                    data={
                        "transaction_id": each,
                        "interchange_id": interchange_id,
                        "partner_id": channel.partner_id,
                    },
                    transaction_id=each,
                    actor=actor,
                    message=_MESSAGE,
                )
                for each in sorted(stepped)
            ]
        await self._clear_errors(unit, channel, interchange_id, delivered, now)
        events += await finish_own(unit, interchange_id, AckRowStatus.SENT, now)
        owner, sealer = (channel.account_id, channel.environment), self._ports.sealer
        await EventWriter(unit, sealer, owner).record(events, now)
        entry = NewEntry(
            actor=actor,
            action="interchange.deliver",
            object=f"interchange {interchange_id}",
            detail=_MESSAGE,
        )
        await AuditWriter(unit, sealer, channel.account_id).record((entry,), now)

    async def _clear_errors(
        self,
        unit: WriteUnit,
        channel: InboundChannel,
        interchange_id: InterchangeId,
        delivered: Collection[TransactionId],
        now: datetime,
    ) -> None:
        """Remove the reasons why acknowledgements were held that are delivered now."""
        sealer, index = self._ports.sealer, self._ports.index
        writer = TransactionWriter(unit, sealer, index, channel.account_id)
        for stored in await unit.transactions.list_of_interchange(interchange_id):
            error = open_transaction(sealer, stored).record.last_error
            if stored.transaction.id in delivered and error is not None:
                await writer.set_last_error(stored, None, now)


async def _end_entry(unit: WriteUnit, interchange_id: InterchangeId, now: datetime) -> bool:
    """End the entry that waits to deliver an interchange; False if none waits."""
    for entry in await unit.outbox.list_of_interchange(interchange_id):
        if entry.state in WAITING_STATES:
            return await unit.outbox.change_waiting(
                entry.id, entry.state, OutboxState.DONE, now, now
            )
    return False
