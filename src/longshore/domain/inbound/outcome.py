"""What became of a receipt, for the sender who waits for it."""

from __future__ import annotations

from dataclasses import dataclass

from longshore.domain.interchanges.encryption import open_interchange
from longshore.domain.interchanges.store import ReceiptId, ReceiptStatus
from longshore.domain.partners.model import Direction
from longshore.domain.ports import Sealer
from longshore.domain.transactions.model import InterchangeId, Transaction
from longshore.domain.units import ReadUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptOutcome:
    """The records of a receipt, in its order, without what is sealed of them, and our answer.

    ``ack``: the interchanges that acknowledge it, one behind the other; ``b""`` if none does.
    """

    transactions: tuple[Transaction, ...]
    ack: bytes


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
