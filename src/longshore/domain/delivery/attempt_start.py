"""The start of an attempt: its row is stored before anything is sent.

So there is a record of everything that was sent: an attempt whose worker ended in the middle has no
result, and the next attempt marks it as lost. The message id is drawn once for an interchange and
is the same in all its attempts and retries, so that the destination recognises a repeat. A retry by
hand of what the destination has received and could not use has a new one: as a repeat it would only
get the same receipt again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from longshore.domain.as2.encryption import open_keys
from longshore.domain.as2.model import As2Keys
from longshore.domain.delivery.attempt_decision import find_suspended
from longshore.domain.delivery.circuit_breaker import Destination
from longshore.domain.delivery.held_entries import HeldEntry, hold
from longshore.domain.delivery.model import DeliveryAttempt, Lease, OutboxEntry, OutboxState
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import OnComposed, OutboundMessage
from longshore.domain.interchanges.store import Interchange, SealedContent
from longshore.domain.outbound.checks import SIMULATE
from longshore.domain.partners.connections import (
    As2Connection,
    Connection,
    ConnectionType,
    simulates,
)
from longshore.domain.partners.encryption import partner_of, terms_with_secrets
from longshore.domain.partners.status import hold_reason
from longshore.domain.partners.store import StoredPartner
from longshore.domain.ports import Ports
from longshore.domain.transactions.encryption import open_transaction
from longshore.domain.transactions.model import DeliveryStatus, InterchangeId
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import WriteUnit
from longshore.kit.faults import fault_point

LEASE: Final = timedelta(seconds=30)
TRIAL_SPAN: Final = timedelta(seconds=10)
"""For so long the trial of a suspended document says something about that document."""

SHORT_BYTES: Final = 262_144
"""Up to it content is read in the unit that begins, and decrypted sooner than a thread is woken."""

StoredContent = tuple[Interchange, SealedContent]

_ID_BYTES: Final = 16
_SET_CODE: Final = re.compile("[A-Z0-9]{3}")
_FAILED_RECEIPTS: Final = frozenset({FailureKind.MIC_MISMATCH, FailureKind.RECEIPT_NEGATIVE})
_TO_DELIVER: Final = frozenset({DeliveryStatus.PENDING, DeliveryStatus.SENDING})


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptStart:
    """An attempt that may send."""

    interchange_id: InterchangeId
    connection: Connection
    message_id: str
    simulate: str
    """The behaviour that the sender asks of the simulator; ``""`` if none."""
    stored: StoredContent | None
    """The content of a short interchange; None for one that is read outside the unit."""
    as2_keys: As2Keys | None
    """The identity that an AS2 connection sends as; None for others, and if there is none."""
    simulator_keys: As2Keys | None
    """The identity that the simulator receives as, if it is the AS2 partner; else None."""
    tx_set: str
    """The code of the first set; ``""`` if the interchange has none."""

    def message(
        self,
        entry: OutboxEntry,
        interchange: Interchange,
        content: bytes,
        on_composed: OnComposed,
    ) -> OutboundMessage:
        """Return the message to be sent."""
        return OutboundMessage(
            connection=self.connection,
            environment=entry.new.environment,
            content=content,
            message_id=self.message_id,
            file_name=outbound_file_name(self.tx_set, interchange),
            simulate=self.simulate,
            as2_keys=self.as2_keys,
            simulator_keys=self.simulator_keys,
            on_composed=on_composed,
        )


class AttemptStarter:
    """Begins attempts."""

    def __init__(self, ports: Ports, sendable: Collection[ConnectionType]) -> None:
        """Begin attempts over connections of these types, for which there is a transport."""
        self._ports = ports
        self._sendable = frozenset(sendable)

    async def begin(self, unit: WriteUnit, entry: OutboxEntry) -> AttemptStart | None:
        """Store that an attempt begins; return None if nothing is to be sent now.

        That is the case if another worker has the lease by now or begins this attempt first, if the
        partner takes no documents (the entry is held), if the circuit breaker of the destination is
        open (the entry is due at the next probe), and if no set of it has to be delivered any more,
        because an acknowledgement proved that it arrived or because it was cancelled (the entry is
        done).
        """
        new, lease, now = (
            entry.new,
            Lease(id=entry.id, attempt=entry.attempt),
            self._ports.clock.now(),
        )
        assert new.interchange_id is not None
        assert new.partner_id is not None
        if not await unit.outbox.renew(lease, now + LEASE):
            return None
        if entry.attempt > 1:  # else no worker before can have begun one
            await unit.outbox.lose_attempts(lease, now)
        stored = await unit.partners.find(new.partner_id)
        assert stored is not None  # who is traded with stays
        partner = partner_of(stored)
        reason = hold_reason(partner, new.environment, self._sendable)
        if reason is not None:
            holding = HeldEntry(entry=entry, partner=partner, reason=reason)
            await hold(unit, self._ports, holding, now)
            return None
        sets = await unit.transactions.list_of_interchange(new.interchange_id)
        if sets and not any(_is_to_deliver(each) for each in sets):
            await unit.outbox.finish(lease, OutboxState.DONE, now)
            return None
        retry_at = await _admit(unit, stored, entry, now)
        if retry_at is not None:
            await unit.outbox.put_back(lease, retry_at, now)
            return None
        message_id = self._message_id(entry, await unit.outbox.list_attempts(new.interchange_id))
        if await unit.outbox.begin_attempt(entry, message_id, now) is None:
            return None
        await unit.transactions.step_deliveries(
            new.interchange_id, DeliveryStatus.PENDING, DeliveryStatus.SENDING, now
        )
        connection = terms_with_secrets(self._ports.sealer, stored).connections.of(new.environment)
        is_short = 0 < _file_size(sets) <= SHORT_BYTES
        content = await unit.interchanges.find(new.interchange_id) if is_short else None
        is_simulated = simulates(connection, new.environment)
        fault_point("dispatch.begin.before_commit")
        return AttemptStart(
            interchange_id=new.interchange_id,
            connection=connection,
            message_id=message_id,
            simulate=self._simulate(sets) if is_simulated and sets else "",
            stored=content,
            as2_keys=await self._as2_keys(unit, entry, connection),
            simulator_keys=(
                await self._as2_keys(unit, entry, connection, of_partner=True)
                if is_simulated
                else None
            ),
            tx_set=sets[0].transaction.record.facts.tx_set if sets else "",
        )

    async def _as2_keys(
        self,
        unit: WriteUnit,
        entry: OutboxEntry,
        connection: Connection,
        *,
        of_partner: bool = False,
    ) -> As2Keys | None:
        if not isinstance(connection, As2Connection):
            return None
        name = connection.as2_to if of_partner else connection.as2_from
        stored = await unit.as2_identities.find(entry.new.environment, name)
        return None if stored is None else open_keys(self._ports.sealer, stored)

    def _message_id(self, entry: OutboxEntry, attempts: Sequence[DeliveryAttempt]) -> str:
        last = attempts[-1] if attempts else None
        if last is None or (last.outbox_id != entry.id and _has_failed_receipt(last)):
            return self._ports.ids.token_bytes(_ID_BYTES).hex()
        return last.message_id

    def _simulate(self, sets: Sequence[SealedTransaction]) -> str:
        """Return what the sender asks the simulator to do; it is the same in all sets."""
        return open_transaction(self._ports.sealer, sets[0]).record.metadata.get(SIMULATE, "")


def outbound_file_name(tx_set: str, interchange: Interchange) -> str:
    """Return the name of the file that an interchange is sent as: ``850_000000123_20261127….edi``.

    It is made of the code of the first set (``TA1`` without sets), of ISA13 and of when the
    interchange was stored, so it is the same in each attempt. Nothing else of a document gets into
    it.
    """
    code = tx_set or "TA1"
    parts = (
        code if _SET_CODE.fullmatch(code) else "EDI",
        re.sub("[^0-9]", "", interchange.new.isa_control_number),
        f"{interchange.created_at.astimezone(UTC):%Y%m%d%H%M%S}",
    )
    return f"{'_'.join(parts)}.edi"


def _has_failed_receipt(attempt: DeliveryAttempt) -> bool:
    """Tell whether the partner would answer a repeat with the same failed receipt."""
    return attempt.result is not None and attempt.result.error_code in _FAILED_RECEIPTS


def _file_size(sets: Sequence[SealedTransaction]) -> int:
    """Return the bytes of the interchange that the sets are in; 0 without sets."""
    return sets[0].transaction.record.facts.file_size if sets else 0


async def _admit(
    unit: WriteUnit, stored: StoredPartner, entry: OutboxEntry, now: datetime
) -> datetime | None:
    """Let an attempt begin: return None, or when it may be tried again.

    A trial goes out at once, whatever the breaker says. If it comes late it proves nothing of the
    suspended document, which then is first again.
    """
    suspended = await find_suspended(unit, entry)
    if suspended is None:
        return await Destination(unit, stored, entry.new.environment, now).admit()
    if now - suspended.updated_at <= TRIAL_SPAN:
        return None
    due_at = suspended.new.due_at
    start, to = OutboxState.SUSPENDED, OutboxState.DUE
    await unit.outbox.change_waiting(suspended.id, start, to, due_at, now)
    return now


def _is_to_deliver(stored: SealedTransaction) -> bool:
    return stored.transaction.record.states.delivery in _TO_DELIVER
