"""Interchanges that were sent, or are to be, in any state: for tests of what is done about them."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from longshore.domain.acks.encryption import store_ack
from longshore.domain.acks.model import AckRowStatus
from longshore.domain.delivery.model import (
    ClaimRequest,
    JobKind,
    Lease,
    NewOutboxEntry,
    OutboxEntry,
    OutboxState,
    order_key,
)
from longshore.domain.interchanges.encryption import seal_content, store_interchange
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import SYSTEM, AccountId, RequestContext, Scope
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    NewTransaction,
    ProcessingStatus,
    Reference,
    States,
    TransactionId,
    ValidationStatus,
)
from longshore.domain.transactions.service import TransactionService
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.trading import LIVE, SANDBOX, a_record, an_ack, an_interchange, set_facts
from tests.support.vault import a_sealer, an_index

OWN = AccountId(1)
CONTENT = b"ISA*00*the whole interchange~"
LEASE = timedelta(seconds=30)
_D = DeliveryStatus
_ENTRY = {
    _D.PENDING: OutboxState.DUE,
    _D.HELD: OutboxState.HELD,
    _D.SENDING: OutboxState.LEASED,
    _D.DELIVERED: OutboxState.DONE,
    _D.FAILED: OutboxState.DEAD,
    _D.CANCELLED: OutboxState.CANCELLED,
}
"""How far the outbox is when delivery stands there."""

_INTERCHANGE = {
    _D.DELIVERED: InterchangeStatus.SENT,
    _D.FAILED: InterchangeStatus.FAILED,
    _D.CANCELLED: InterchangeStatus.CANCELLED,
}


def context(
    environment: Environment = SANDBOX, account: int = 1, actor: str = "user 5"
) -> RequestContext:
    return RequestContext(
        account_id=AccountId(account),
        environment=environment,
        actor=actor,
        ip="192.0.2.7",
        request_id="req_1",
    )


def states(delivery: DeliveryStatus, ack: AckStatus = AckStatus.PENDING) -> States:
    """Return the states of what is sent."""
    return States(ProcessingStatus.NOT_APPLICABLE, ValidationStatus.VALID, delivery, ack)


def a_tracker(database: Database, clock: StoppedClock) -> TransactionService:
    return TransactionService(some_ports(database, clock))


@dataclass(frozen=True)
class Shipping:
    """Stores what is sent to one partner of the first account."""

    database: Database
    partner_id: PartnerId

    async def interchange(
        self,
        *sets: States,
        entry: OutboxState | None = None,
        environment: Environment = SANDBOX,
        content: bytes = CONTENT,
        kind: JobKind = JobKind.DOCUMENT,
        parent_id: TransactionId | None = None,
    ) -> list[TransactionId]:
        """Store an interchange with such sets; an entry of the outbox as the first would have."""

        async def work(unit: WriteUnit) -> tuple[InterchangeId, list[TransactionId]]:
            new = an_interchange(
                environment=environment,
                partner_id=self.partner_id,
                status=_INTERCHANGE.get(sets[0].delivery, InterchangeStatus.QUEUED),
            )
            parts = seal_content(a_sealer(), content, {})
            number = await store_interchange(unit, a_sealer(), OWN, new, parts, START)
            writer = TransactionWriter(unit, a_sealer(), an_index(), OWN)
            ids = []
            for each in sets:
                record = self._record(each, number, environment)
                record = replace(record, parent_id=parent_id)
                ids.append(await writer.insert(record, START))
                await self._await_ack(unit, ids[-1], record)
            return number, ids

        number, ids = await self.database.units.write(LIVE, work)
        new = NewOutboxEntry(
            kind=kind,
            environment=environment,
            due_at=START,
            partner_id=self.partner_id,
            order_key=order_key(JobKind.DOCUMENT, self.partner_id, f"{number}"),  # waits for nobody
            interchange_id=number,
        )
        await self._queue(new, entry or _ENTRY[sets[0].delivery])
        return ids

    def _record(
        self, given: States, number: InterchangeId, environment: Environment
    ) -> NewTransaction:
        reference = Reference("BEG.03", "Purchase order number", f"PO-{number}")
        return a_record(
            set_facts(references=(reference,)),
            states=given,
            interchange_id=number,
            partner_id=self.partner_id,
            environment=environment,
        )

    async def _await_ack(
        self, unit: WriteUnit, transaction_id: TransactionId, record: NewTransaction
    ) -> None:
        row = an_ack(
            environment=record.environment,
            transaction_id=transaction_id,
            acked_interchange_id=record.interchange_id,
            expected_by=START + timedelta(hours=48),
        )
        if record.states.ack is not AckStatus.PENDING:
            row = replace(row, status=AckRowStatus.RECEIVED, received_at=START, expected_by=None)
        await store_ack(unit, a_sealer(), OWN, row, START)

    async def _queue(self, new: NewOutboxEntry, state: OutboxState) -> None:
        async def insert(unit: WriteUnit) -> None:
            held = replace(new, is_held=state is OutboxState.HELD)
            entry_id = await unit.outbox.insert(OWN, held, START)
            if state is OutboxState.CANCELLED:
                due = OutboxState.DUE
                assert await unit.outbox.change_waiting(entry_id, due, state, START, START)

        await self.database.units.write(LIVE, insert)
        if state in {OutboxState.LEASED, OutboxState.DONE, OutboxState.DEAD}:
            (entry,) = await self.claim()
            if state is not OutboxState.LEASED:
                await self._finish(entry, state)

    async def claim(self, at: datetime = START) -> list[OutboxEntry]:
        """Lease all that may be sent, as a worker does."""
        request = ClaimRequest(owner="worker 1", now=at, lease_until=at + LEASE, most=10)

        async def work(unit: WriteUnit) -> list[OutboxEntry]:
            return [*await unit.outbox.claim(request)]

        return await self.database.units.write(SYSTEM, work)

    async def _finish(self, entry: OutboxEntry, to: OutboxState) -> None:
        async def work(unit: WriteUnit) -> bool:
            lease = Lease(id=entry.id, attempt=entry.attempt)
            return await unit.outbox.finish(lease, to, START)

        scope = Scope(account_id=OWN, environment=entry.new.environment)
        assert await self.database.units.write(scope, work)

    async def entries(self, number: int = 1) -> list[OutboxEntry]:
        """Return the entries of an interchange, oldest first."""

        async def work(unit: ReadUnit) -> list[OutboxEntry]:
            return [*await unit.outbox.list_of_interchange(InterchangeId(number))]

        return await self.database.units.read(LIVE, work)
