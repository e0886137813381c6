"""Writes receipts that arrive and the status of interchanges that are sent, in a unit of others.

Received bytes are stored as a receipt with an outbox entry that has them processed. The status of
an interchange that is sent follows the outcome of its delivery.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from longshore.domain.delivery.model import JobKind, NewOutboxEntry
from longshore.domain.interchanges.encryption import SealedParts, seal_content, store_receipt
from longshore.domain.interchanges.store import (
    InterchangeStatus,
    InterchangeStore,
    NewReceipt,
    ReceiptId,
)
from longshore.domain.partners.model import InboundTokenId, PartnerId
from longshore.domain.ports import AccountId, BlindIndex, BlindPurpose, Sealer
from longshore.domain.transactions.model import InterchangeId, Source
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment

ANSWER_UNTIL: Final = "answer_until"
"""The member of ``facts`` that says until when the sender may get the acknowledgement in the answer
to its request, as an ISO 8601 text."""


MAILBOX: Final = "mailbox"
"""The member of ``facts`` that says whose files lie in the mailbox that the bytes are from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedBytes:
    """Bytes that came in."""

    account_id: AccountId
    environment: Environment
    partner_id: PartnerId
    source: Source
    content: bytes = field(repr=False)
    token_id: InboundTokenId | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    """What JSON can say of them, such as their file name; sealed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedArrival:
    """An arrival on its way into a unit."""

    account_id: AccountId
    new: NewReceipt
    parts: SealedParts
    sha256: str
    """Of its bytes, in hexadecimal."""


def prepare_arrival(sealer: Sealer, index: BlindIndex, arrival: ReceivedBytes) -> PreparedArrival:
    """Return an arrival sealed and hashed."""
    owner = (arrival.account_id, arrival.environment)
    new = NewReceipt(
        environment=arrival.environment,
        partner_id=arrival.partner_id,
        token_id=arrival.token_id,
        source=arrival.source,
        byte_count=len(arrival.content),
        digest=index.digest(BlindPurpose.RECEIVED_BYTES, owner, arrival.content),
    )
    return PreparedArrival(
        account_id=arrival.account_id,
        new=new,
        parts=seal_content(sealer, arrival.content, arrival.facts),
        sha256=sha256(arrival.content).hexdigest(),
    )


async def store_arrival(
    unit: WriteUnit, sealer: Sealer, prepared: PreparedArrival, now: datetime
) -> ReceiptId:
    """Store a receipt, and the entry of the outbox that has it processed; return its id."""
    account_id, new = prepared.account_id, prepared.new
    receipt_id = await store_receipt(unit, sealer, account_id, new, prepared.parts, now)
    entry = NewOutboxEntry(
        kind=JobKind.RECEIVE,
        environment=new.environment,
        due_at=now,
        partner_id=new.partner_id,
        receipt_id=receipt_id,
    )
    await unit.outbox.insert(account_id, entry, now)
    return receipt_id


_S = InterchangeStatus
_STARTS: Final[Mapping[InterchangeStatus, tuple[InterchangeStatus, ...]]] = MappingProxyType({
    _S.QUEUED: (_S.SENT, _S.FAILED),
    _S.SENT: (_S.QUEUED, _S.FAILED),
    _S.FAILED: (_S.QUEUED,),
    _S.CANCELLED: (_S.QUEUED, _S.FAILED),
})


async def step_outbound(
    interchanges: InterchangeStore,
    interchange_id: InterchangeId,
    to: InterchangeStatus,
    now: datetime,
) -> None:
    """Set the status of an interchange, unless its status does not allow the step.

    ``to`` is ``queued`` if it will be sent again, ``sent`` if it arrived, ``failed`` if it was
    given up, and ``cancelled`` if it was cancelled.
    """
    for start in _STARTS[to]:
        if await interchanges.step(interchange_id, start, to, None, now):
            return
