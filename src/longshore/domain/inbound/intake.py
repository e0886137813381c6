"""Receive bytes: store them with an outbox entry, and answer before they are processed.

What is sent twice is stored once. Under an ``Idempotency-Key`` that is known by the key, else by
the same bytes on the same token within 24 hours. Both are claimed in the unit that stores the
receipt, so that of equal requests at the same time one stores, and the others get its id. The files
of one request are stored together or not at all.

Points where a test lets the process die: ``intake.receive.before_insert``,
``intake.receive.before_commit``, ``intake.receive.after_commit``, ``intake.refuse.before_commit``
and ``intake.refuse.after_commit``.

Source: transports.md section 1, reliability.md section 10.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from longshore.domain.accounts.model import Account, AccountStatus, AccountType
from longshore.domain.audit.model import SEPARATION, NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.inbound.channel import (
    InboundChannel,
    UnknownTokenError,
    WrongTokens,
    is_among,
)
from longshore.domain.inbound.receipts import ClaimingReceiver, ReceiptAnswer, request_keys
from longshore.domain.inbound.returned_acks import ReceiptOutcome, find_outcome
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.interchanges.writer import (
    ANSWER_UNTIL,
    PreparedArrival,
    ReceivedBytes,
    prepare_arrival,
)
from longshore.domain.partners.encryption import digest_of, partner_of
from longshore.domain.partners.model import InboundToken, Partner
from longshore.domain.partners.store import StoredPartner
from longshore.domain.ports import SYSTEM, Ports, Scope
from longshore.domain.transactions.model import Source
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

ANSWERED_WITHIN: Final = timedelta(seconds=15)
"""The time that the sender has to take an acknowledgement in the answer before it is sent."""
_LONG_BYTES: Final = 262_144  # below it sealing is done sooner than a thread is woken


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingDocument:
    """One document of a request."""

    content: bytes = field(repr=False)
    filename: str = ""
    """As the sender calls it, ``""`` if not at all."""
    content_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """The documents that a request brings, at least one."""

    documents: tuple[IncomingDocument, ...]
    idempotency_key: str | None = None
    wants_acks: bool = False
    """True if the sender takes the acknowledgements in the answer to this request."""


class IntakeService:
    """The receiving end of every account."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._wrong_tokens = WrongTokens(ports.clock)

    async def channel(self, token_text: str, ip: str) -> InboundChannel:
        """Return what a token stands for. The same work is done whatever the text is.

        Raises:
            UnknownTokenError: Nothing, or nothing any more, or nothing for this address.
            TooManyWrongTokensError: The same, from an address that has tried too many.
            LongshoreError: ``storage_unavailable``.
        """
        digest = digest_of(token_text)

        async def find(unit: ReadUnit) -> tuple[InboundToken, Account] | None:
            return await unit.tokens.find_by_digest(digest)

        found = await self._ports.units.read(SYSTEM, find)
        if found is not None:
            token, account = found
            channel = _channel(token)
            is_open = is_open_for(account, token.environment)
            is_valid = is_open and token.is_valid(self._ports.clock.now())
            if is_valid and await self._lets_in(channel, ip):
                return channel
        self._wrong_tokens.add(ip)
        raise UnknownTokenError

    async def _lets_in(self, channel: InboundChannel, ip: str) -> bool:
        """Tell whether the partner's documents are taken from an address."""

        async def find(unit: ReadUnit) -> StoredPartner | None:
            return await unit.partners.find(channel.partner_id)

        stored = await self._ports.units.read(channel.scope, find)
        # It may have been removed since the token was found.
        return stored is not None and takes_from(ip, partner_of(stored))

    async def note_contradiction(self, channel: InboundChannel, ip: str, request_id: str) -> None:
        """Note that a request named another environment than its address has, and is refused.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        entry = NewEntry(
            actor=f"token {channel.token_id}",
            action=f"{SEPARATION}.env_contradiction",
            object=f"partner {channel.partner_id}",
            ip=ip,
            request_id=request_id,
            detail=f"The request named another environment than its address is of:"
            f" {channel.environment}.",
        )
        now = self._ports.clock.now()

        async def write(unit: WriteUnit) -> None:
            await AuditWriter(unit, self._ports.sealer, channel.account_id).record((entry,), now)
            fault_point("intake.refuse.before_commit")

        await self._ports.units.write(channel.scope, write)
        fault_point("intake.refuse.after_commit")

    async def receive(
        self, channel: InboundChannel, incoming: Incoming
    ) -> tuple[ReceiptAnswer, ...]:
        """Store what came in; return the answers, in the order of the documents.

        Raises:
            IdempotencyMismatchError: The key was used with another body; nothing was stored.
            StorageQuotaError: The account has used its quota; nothing was stored.
            LongshoreError: ``storage_unavailable``; nothing was stored.
        """
        now = self._ports.clock.now()
        answer_until = (now + ANSWERED_WITHIN).isoformat() if incoming.wants_acks else None
        prepared = [
            await prepare_received(self._ports, _arrival(channel, document, answer_until))
            for document in incoming.documents
        ]
        keys = request_keys(self._ports.index, channel, incoming.idempotency_key, prepared)

        async def write(unit: WriteUnit) -> tuple[ReceiptAnswer, ...]:
            fault_point("intake.receive.before_insert")
            receiver = ClaimingReceiver(unit, self._ports.sealer, now, self._ports.quota)
            answers = await receiver.store(prepared, keys)
            fault_point("intake.receive.before_commit")
            return answers

        answers = await self._ports.units.write(channel.scope, write)
        fault_point("intake.receive.after_commit")
        return answers

    async def outcome(self, scope: Scope, receipt_id: ReceiptId) -> ReceiptOutcome | None:
        """Return what became of a receipt, None while it is not processed.

        Raises:
            SealBrokenError: An acknowledgement is not what was stored in its row.
        """

        async def find(unit: ReadUnit) -> ReceiptOutcome | None:
            return await find_outcome(unit, self._ports.sealer, receipt_id)

        return await self._ports.units.read(scope, find)


async def prepare_received(ports: Ports, arrival: ReceivedBytes) -> PreparedArrival:
    """Return an arrival sealed and hashed; a long one is sealed in a thread."""
    if len(arrival.content) <= _LONG_BYTES:
        return prepare_arrival(ports.sealer, ports.index, arrival)
    return await ports.threads.submit_to_executor(
        prepare_arrival, ports.sealer, ports.index, arrival
    )


def is_open_for(account: Account, environment: Environment) -> bool:
    """Tell whether an account takes documents: as a key, live ones need a plan with production."""
    is_live = environment is Environment.PRODUCTION
    has_plan = account.account_type is not AccountType.DEVELOPER or not is_live
    return account.status is AccountStatus.ACTIVE and has_plan


def takes_from(ip: str, partner: Partner) -> bool:
    """Tell whether the documents of a partner are taken from an address."""
    networks = partner.terms.settings.inbound_networks
    return not networks or is_among(ip, networks)


def _channel(token: InboundToken) -> InboundChannel:
    return InboundChannel(
        account_id=token.account_id,
        environment=token.environment,
        partner_id=token.partner_id,
        token_id=token.id,
    )


def _arrival(
    channel: InboundChannel, document: IncomingDocument, answer_until: str | None
) -> ReceivedBytes:
    return ReceivedBytes(
        account_id=channel.account_id,
        environment=channel.environment,
        partner_id=channel.partner_id,
        token_id=channel.token_id,
        source=Source.RECEIVE,
        content=document.content,
        facts={
            "filename": document.filename,
            "content_type": document.content_type,
            **({} if answer_until is None else {ANSWER_UNTIL: answer_until}),
        },
    )
