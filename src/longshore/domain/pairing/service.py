"""Reads which transactions a request or response is paired with.

Source: contract.md section 5, x12.md section 2.12.
"""

from __future__ import annotations

from longshore.domain.pairing.findings import request_pairing, response_pairing
from longshore.domain.pairing.model import Pairing
from longshore.domain.ports import RequestContext
from longshore.domain.transactions.model import Transaction
from longshore.domain.units import ReadUnit, Units
from longshore.x12.traces import PAIRED_SETS


class PairingService:
    """The pairs of all accounts, each through the scope of its caller."""

    def __init__(self, units: Units) -> None:
        self._units = units

    async def find(self, context: RequestContext, transaction: Transaction) -> Pairing | None:
        """Return what a transaction is paired with; None if nothing of it was compared."""
        if transaction.record.facts.tx_set not in PAIRED_SETS:
            return None
        transaction_id, direction = transaction.id, transaction.record.direction

        async def read(unit: ReadUnit) -> Pairing | None:
            asked = await unit.pairing.list_of_request(transaction_id)
            if asked:
                responses = await unit.pairing.list_responses(transaction_id)
                return request_pairing(asked, responses)
            answered = await unit.pairing.list_of_response(transaction_id)
            return response_pairing(answered, direction) if answered else None

        return await self._units.read(context.scope, read)
