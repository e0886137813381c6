"""Receives AS2 messages: finds whose they are, and stores each of them once with its receipt.

A message is known by its sender and its Message-ID for at least seven days: one that comes again is
answered with the receipt of the first and stored no second time. Document, receipt and the
document's outbox entry are stored in one unit, before anything is answered.

A receipt that the sender wants in a connection of its own is an entry of the outbox, stored in the
same unit as the document.

Points where a test lets the process die: ``as2.receive.before_commit``,
``as2.receive.after_commit``, ``as2.queue_receipt.before_commit`` and
``as2.queue_receipt.after_commit``.

Source: transports.md section 2.3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.as2.headers import MessageHeaders
from longshore.domain.accounts.model import Account
from longshore.domain.as2.encryption import open_keys, store_receipt
from longshore.domain.as2.model import As2Keys, ReceiptToSend
from longshore.domain.as2.store import NewReceiptRow, StoredAs2Identity
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.model import JobKind, NewOutboxEntry
from longshore.domain.encryption import decrypt_row, encrypt_row
from longshore.domain.idempotency.store import (
    KEY_RETENTION,
    NewKey,
    Purpose,
    StoredRequest,
    associated_data_of,
)
from longshore.domain.inbound.channel import WrongTokens
from longshore.domain.inbound.intake import (
    IncomingDocument,
    is_open_for,
    prepare_received,
    takes_from,
)
from longshore.domain.inbound.receipts import store_within_quota
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.interchanges.writer import ReceivedBytes
from longshore.domain.partners.connections import As2Connection
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.partners.store import StoredPartner
from longshore.domain.partners.targets import AddressRefusedError, read_target
from longshore.domain.ports import SYSTEM, AccountId, BlindPurpose, Ports, Scope
from longshore.domain.transactions.model import Source
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

_OK: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class As2Relationship:
    """A partner that may send to one of our identities, and what was agreed with it."""

    account_id: AccountId
    environment: Environment
    partner_id: PartnerId
    keys: As2Keys
    connection: As2Connection

    @property
    def scope(self) -> Scope:
        """The scope of every unit that runs for a message."""
        return Scope(account_id=self.account_id, environment=self.environment)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """A message that is stored, and the answer that its sender gets."""

    receipt_id: ReceiptId
    answer: bytes = field(repr=False)
    """What ``store`` was given when the message came first."""
    is_duplicate: bool


class As2Intake:
    """The receiving end of AS2, for every account."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._refused = WrongTokens(ports.clock)

    def count_refusal(self, ip: str) -> None:
        """Count a message that is refused.

        Raises:
            TooManyWrongTokensError: The address has sent ten such messages in a minute before.
        """
        self._refused.add(ip)

    async def find(self, headers: MessageHeaders, ip: str) -> As2Relationship | None:
        """Return the relationship of a message; None if there is none, or not for this address.

        Raises:
            SealBrokenError: Our keys are not what was stored.
            LongshoreError: ``storage_unavailable``.
        """

        async def identity(unit: ReadUnit) -> tuple[StoredAs2Identity, Account] | None:
            return await unit.as2_identities.find_with_account(headers.receiver)

        found = await self._ports.units.read(SYSTEM, identity)
        if found is None or not is_open_for(found[1], found[0].identity.environment):
            return None
        stored, own = found[0], found[0].identity

        async def partners(unit: ReadUnit) -> list[StoredPartner]:
            return list(await unit.partners.list_as2(own.environment, headers.sender))

        for each in map(partner_of, await self._ports.units.read(own.scope, partners)):
            connection = each.terms.connections.of(own.environment)
            if not isinstance(connection, As2Connection) or not takes_from(ip, each):
                continue
            if (connection.as2_to, connection.as2_from) == (headers.sender, own.name):
                return As2Relationship(
                    account_id=own.account_id,
                    environment=own.environment,
                    partner_id=each.id,
                    keys=open_keys(self._ports.sealer, stored),
                    connection=connection,
                )
        return None

    async def find_answer(self, of: As2Relationship, message_id: str) -> StoredMessage | None:
        """Return the message of this id that was stored before; None if there is none.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        key = self._key(of, message_id)
        oldest = self._ports.clock.now() - KEY_RETENTION

        async def find(unit: ReadUnit) -> StoredRequest | None:
            return await unit.idempotency.find(key)

        found = await self._ports.units.read(of.scope, find)
        is_kept = found is not None and found.created_at >= oldest
        return self._stored(key, found) if found is not None and is_kept else None

    async def store(
        self,
        of: As2Relationship,
        message_id: str,
        document: IncomingDocument,
        answer: bytes,
        later: ReceiptToSend | None = None,
    ) -> StoredMessage:
        """Store the document of a message with the answer to it, unless it was stored before.

        In both cases a receipt that is sent ``later`` is queued.

        Raises:
            StorageQuotaError: The account has used its quota; nothing was stored.
            LongshoreError: ``storage_unavailable``; nothing was stored.
        """
        now = self._ports.clock.now()
        arrival = ReceivedBytes(
            account_id=of.account_id,
            environment=of.environment,
            partner_id=of.partner_id,
            source=Source.AS2,
            content=document.content,
            facts={
                "filename": document.filename,
                "content_type": document.content_type,
                "message_id": message_id,
            },
        )
        prepared = await prepare_received(self._ports, arrival)
        key = self._key(of, message_id)

        async def write(unit: WriteUnit) -> StoredMessage:
            if later is not None:
                await self._queue(unit, of, later, now)
            claimed = await unit.idempotency.claim(key, now, now - KEY_RETENTION)
            if claimed is None:
                known = await unit.idempotency.find(key)
                assert known is not None  # that is why it could not be claimed
                return self._stored(key, known)
            receipt_id = await store_within_quota(
                unit, self._ports.sealer, prepared, now, self._ports.quota
            )
            await unit.idempotency.finish(claimed, _OK, receipt_id)
            sealed = encrypt_row(self._ports.sealer, associated_data_of(key, claimed), answer)
            await unit.idempotency.set_answer(claimed, *sealed)
            fault_point("as2.receive.before_commit")
            return StoredMessage(receipt_id=receipt_id, answer=answer, is_duplicate=False)

        stored = await self._ports.units.write(of.scope, write)
        fault_point("as2.receive.after_commit")
        return stored

    def receipt_url_refusal(self, of: As2Relationship, url: str) -> str:
        """Return why no receipt may be sent to a URL, as far as it shows by itself; else "".

        What its name leads to is decided when the receipt is sent.
        """
        may_be_plain = of.environment is Environment.SANDBOX
        try:
            return self._ports.destinations.refusal(read_target(url), may_be_plain=may_be_plain)
        except AddressRefusedError as error:
            return str(error)

    async def queue_receipt(self, of: As2Relationship, receipt: ReceiptToSend) -> None:
        """Queue a receipt without a new document: for a repeat, or for what is refused.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        now = self._ports.clock.now()

        async def write(unit: WriteUnit) -> None:
            await self._queue(unit, of, receipt, now)
            fault_point("as2.queue_receipt.before_commit")

        await self._ports.units.write(of.scope, write)
        fault_point("as2.queue_receipt.after_commit")

    async def _queue(
        self, unit: WriteUnit, of: As2Relationship, receipt: ReceiptToSend, now: datetime
    ) -> None:
        entry = NewOutboxEntry(
            kind=JobKind.AS2_RECEIPT,
            environment=of.environment,
            due_at=now,
            partner_id=of.partner_id,
        )
        new = NewReceiptRow(
            account_id=of.account_id,
            environment=of.environment,
            direction=Direction.OUTBOUND,
            partner_id=of.partner_id,
            outbox_id=await unit.outbox.insert(of.account_id, entry, now),
            message_id="",
            attempt=0,
        )
        await store_receipt(unit, self._ports.sealer, new, receipt, now)

    async def record_refusal(self, of: As2Relationship, reason: str, ip: str, request: str) -> None:
        """Record in the audit log that something was refused; ``request`` is its request id.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        entry = NewEntry(
            actor="as2",
            action="as2.refuse",
            object=f"partner {of.partner_id}",
            ip=ip,
            request_id=request,
            detail=reason,
        )
        now = self._ports.clock.now()

        async def write(unit: WriteUnit) -> None:
            await AuditWriter(unit, self._ports.sealer, of.account_id).record((entry,), now)

        await self._ports.units.write(of.scope, write)

    def _key(self, of: As2Relationship, message_id: str) -> NewKey:
        owner = (of.account_id, of.environment)
        text = f"{of.partner_id} {message_id}".encode()
        digest = self._ports.index.digest(BlindPurpose.IDEMPOTENCY_KEY, owner, text)
        return NewKey(
            account_id=of.account_id,
            environment=of.environment,
            purpose=Purpose.AS2_MESSAGE,
            key_digest=digest,
            request_digest=digest,
        )

    def _stored(self, key: NewKey, known: StoredRequest) -> StoredMessage:
        associated_data = associated_data_of(key, known.id)
        answer = decrypt_row(self._ports.sealer, associated_data, known.wrapped_key, known.answer)
        assert known.subject_id is not None  # the unit that claimed the key has stored a receipt
        return StoredMessage(
            receipt_id=ReceiptId(known.subject_id), answer=answer, is_duplicate=True
        )
