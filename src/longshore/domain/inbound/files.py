"""Stores files of partners as receipts, each once.

A file is known by where it came from and by its content, for at least 7 days.

Fault points: ``mailbox.store.before_commit``, ``mailbox.store.after_commit``.

Source: transports.md section 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from longshore.domain.idempotency.store import KEY_RETENTION, NewKey, Purpose
from longshore.domain.inbound.intake import prepare_received
from longshore.domain.inbound.receipts import store_within_quota
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.interchanges.writer import MAILBOX, ReceivedBytes
from longshore.domain.partners.connections import MailboxUse
from longshore.domain.ports import BlindPurpose, Scope
from longshore.domain.transactions.model import Source
from longshore.kit.faults import fault_point

if TYPE_CHECKING:
    from longshore.domain.partners.model import PartnerId
    from longshore.domain.ports import AccountId, BlindIndex, Ports
    from longshore.domain.units import WriteUnit
    from longshore.kit.environment import Environment

_OK: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedFile:
    """A file that a partner has put somewhere."""

    account_id: AccountId
    environment: Environment
    partner_id: PartnerId
    name: str
    content: bytes = field(repr=False)
    origin: str
    """The text that says where it came from; a repeat has the same."""
    source: Source = Source.SFTP
    use: MailboxUse = MailboxUse.OWN
    """Whose files there are."""

    def key(self, index: BlindIndex) -> NewKey:
        """Return the key by which a repeat is known."""
        owner = (self.account_id, self.environment)
        known_by = sha256(self.content).digest() + self.origin.encode()
        digest = index.digest(BlindPurpose.IDEMPOTENCY_KEY, owner, known_by)
        return NewKey(
            account_id=self.account_id,
            environment=self.environment,
            purpose=Purpose.FETCHED_FILE,
            key_digest=digest,
            request_digest=digest,
        )


async def store_file(ports: Ports, file: ReceivedFile) -> ReceiptId:
    """Store a file, unless it is stored; return its receipt.

    Raises:
        StorageQuotaError: The account has used its quota; nothing was stored.
        LongshoreError: ``storage_unavailable``; nothing was stored.
    """
    now = ports.clock.now()
    arrival = ReceivedBytes(
        account_id=file.account_id,
        environment=file.environment,
        partner_id=file.partner_id,
        source=file.source,
        content=file.content,
        facts={"filename": file.name, "content_type": "", MAILBOX: file.use.value},
    )
    prepared = await prepare_received(ports, arrival)
    key = file.key(ports.index)

    async def write(unit: WriteUnit) -> ReceiptId:
        claimed = await unit.idempotency.claim(key, now, now - KEY_RETENTION)
        if claimed is None:
            known = await unit.idempotency.find(key)
            assert known is not None  # that is why it could not be claimed
            assert known.subject_id is not None  # the unit that claimed it stored a receipt
            return ReceiptId(known.subject_id)
        receipt_id = await store_within_quota(unit, ports.sealer, prepared, now, ports.quota)
        await unit.idempotency.finish(claimed, _OK, receipt_id)
        fault_point("mailbox.store.before_commit")
        return receipt_id

    scope = Scope(account_id=file.account_id, environment=file.environment)
    stored = await ports.units.write(scope, write)
    fault_point("mailbox.store.after_commit")
    return stored
