"""A processor over a real database, a partner that sends, and what was made of what came."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Final

from longshore.domain.acks.encryption import open_ack
from longshore.domain.acks.model import Ack
from longshore.domain.acks.store import AckQuery
from longshore.domain.audit.model import ChainedEntry
from longshore.domain.audit.writer import open_detail
from longshore.domain.delivery.model import (
    ClaimRequest,
    JobKind,
    Lease,
    NewOutboxEntry,
    OutboxEntry,
    OutboxId,
    OutboxState,
)
from longshore.domain.inbound.processor import Processor
from longshore.domain.interchanges.encryption import open_interchange
from longshore.domain.interchanges.store import (
    Interchange,
    InterchangeQuery,
    InterchangeStatus,
    ReceiptId,
    ReceiptStatus,
)
from longshore.domain.interchanges.writer import (
    ReceivedBytes,
    prepare_arrival,
    step_outbound,
    store_arrival,
)
from longshore.domain.maps.running import MapRunner
from longshore.domain.partners.connections import HttpConnection
from longshore.domain.partners.encryption import facts_of
from longshore.domain.partners.model import (
    Connections,
    Direction,
    Identity,
    PartnerId,
    PartnerStatus,
    PartnerTerms,
)
from longshore.domain.ports import SYSTEM, AccountId, Scope, Sealer
from longshore.domain.transactions.encryption import open_transaction
from longshore.domain.transactions.lists import TransactionFilters
from longshore.domain.transactions.model import (
    DeliveryStatus,
    ProcessingStatus,
    Source,
    Transaction,
)
from longshore.domain.transactions.states import Axis
from longshore.domain.transactions.store import PageRequest, SealedTransaction, TransactionQuery
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.formats.charset import decode
from longshore.kit.environment import Environment
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.trading import LIVE, TEST, read, write
from tests.support.vault import a_sealer, an_index

SEALER, INDEX = a_sealer(), an_index()
CASES: Final = Path(__file__).resolve().parents[1] / "cases"
OWN = Identity(qualifier="14", isa_id="0614141SUPPLIER")
ACME = Identity(qualifier="ZZ", isa_id="ACMERETAIL")
PUSH = HttpConnection(url="https://edi.example.com/in")
BOTH_WAYS = Connections(test=PUSH, live=PUSH)
LEASE = timedelta(seconds=30)
Facts = dict[str, Any]  # what JSON says


def case(number: int) -> bytes:
    """Return the bytes of a document in tests/cases."""
    (path,) = CASES.glob(f"{number:02d}_*")
    return path.read_bytes()


def case_text(number: int, *changes: tuple[str, str]) -> bytes:
    """Return a document with texts replaced, each of which stands in it."""
    text = decode(case(number))[0]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text.encode()


def live(content: bytes) -> bytes:
    """Return a document as a live one."""
    return content.replace(b"*T*>~", b"*P*>~")


def terms(**members: object) -> PartnerTerms:
    """Return what is agreed with the partner that the cases are from."""
    given = PartnerTerms(name="Acme Retail", identity=ACME, connections=BOTH_WAYS)
    return replace(given, **members)  # type: ignore[arg-type]  # each as its field


async def a_sender(
    database: Database,
    agreed: PartnerTerms | None = None,
    status: PartnerStatus = PartnerStatus.ACTIVE,
) -> PartnerId:
    """Store the partner that the cases are from."""

    async def insert(unit: WriteUnit) -> PartnerId | None:
        facts = facts_of(agreed or terms())
        return await unit.partners.insert(AccountId(1), facts, status, StoppedClock().now())

    partner_id = await write(database, LIVE, insert)
    assert partner_id is not None
    return partner_id


async def own_identity(database: Database, identity: Identity = OWN) -> None:
    async def insert(unit: WriteUnit) -> None:
        await unit.identities.insert(AccountId(1), identity, StoppedClock().now())

    await write(database, LIVE, insert)


@dataclass(frozen=True, kw_only=True)
class Trade:
    """A processor and what surrounds it."""

    OUTBOUND: ClassVar = Direction.OUTBOUND
    database: Database
    clock: StoppedClock
    processor: Processor
    partner_id: PartnerId

    async def arrive(self, content: bytes, given: Scope = TEST, **facts: object) -> ReceiptId:
        """Store bytes as they come in."""
        assert given.account_id is not None
        assert given.environment is not None
        arrival = ReceivedBytes(
            account_id=given.account_id,
            environment=given.environment,
            partner_id=self.partner_id,
            source=Source.RECEIVE,
            content=content,
            facts=facts,
        )
        prepared = prepare_arrival(SEALER, INDEX, arrival)
        now = self.clock.now()

        async def store(unit: WriteUnit) -> ReceiptId:
            return await store_arrival(unit, SEALER, prepared, now)

        return await write(self.database, given, store)

    async def claim(self, *kinds: JobKind) -> list[OutboxEntry]:
        """Lease what is to be processed, or entries of other kinds; the rest is put back."""
        now, of_kinds = self.clock.now(), kinds or (JobKind.RECEIVE,)
        request = ClaimRequest(owner="worker", now=now, lease_until=now + LEASE, most=100)

        async def claim(unit: WriteUnit) -> list[OutboxEntry]:
            found = await unit.outbox.claim(request)
            for each in found:
                if each.new.kind not in of_kinds:
                    await unit.outbox.put_back(Lease(id=each.id, attempt=each.attempt), now, now)
            return [each for each in found if each.new.kind in of_kinds]

        return await write(self.database, SYSTEM, claim)

    async def receive(self, content: bytes, given: Scope = TEST, **facts: object) -> ReceiptId:
        """Store bytes, and process them."""
        receipt_id = await self.arrive(content, given, **facts)
        for entry in await self.claim():
            await self.processor.run(entry)
        return receipt_id

    async def let_go(self, interchange: Interchange) -> None:
        """Let an interchange and its records stand as a person's decision leaves them."""
        now = self.clock.now()

        async def step(unit: WriteUnit) -> None:
            start, received = interchange.new.status, InterchangeStatus.RECEIVED
            assert await unit.interchanges.step(interchange.id, start, received, None, now)
            for record in await unit.transactions.list_of_interchange(interchange.id):
                at, to = record.transaction.record.states.processing, ProcessingStatus.PROCESSING
                number = record.transaction.id
                assert await unit.transactions.step(number, Axis.PROCESSING, at, to, now)

        await write(self.database, LIVE, step)

    async def ask(self, interchange: Interchange, kind: JobKind) -> None:
        """Have an interchange processed again; its rows stand as a person's decision left them."""
        entry = NewOutboxEntry(
            kind=kind,
            environment=interchange.new.environment,
            due_at=self.clock.now(),
            partner_id=interchange.new.partner_id,
            interchange_id=interchange.id,
            receipt_id=interchange.new.receipt_id,
        )

        async def insert(unit: WriteUnit) -> OutboxId:
            return await unit.outbox.insert(AccountId(1), entry, self.clock.now())

        await write(self.database, LIVE, insert)

    async def again(self, interchange: Interchange, kind: JobKind) -> None:
        """Have an interchange processed again, and process it."""
        await self.ask(interchange, kind)
        (entry,) = await self.claim(kind)
        await self.processor.run(entry)

    async def claim_all(self) -> list[OutboxEntry]:
        """Lease the deliveries that are due."""
        return await self.claim(JobKind.ACKNOWLEDGEMENT, JobKind.DOCUMENT)

    async def deliver_all(self) -> None:
        """End all deliveries as a worker does that has sent them."""
        self.clock.move(2 * LEASE)
        entries = await self.claim_all()

        async def end(unit: WriteUnit) -> None:
            for entry in entries:
                lease, now = Lease(id=entry.id, attempt=entry.attempt), self.clock.now()
                assert await unit.outbox.finish(lease, OutboxState.DONE, now)
                assert entry.new.interchange_id is not None
                interchange_id, pending = entry.new.interchange_id, DeliveryStatus.PENDING
                sending = DeliveryStatus.SENDING
                await unit.transactions.step_deliveries(interchange_id, pending, sending, now)
                await unit.transactions.step_deliveries(
                    interchange_id, sending, DeliveryStatus.DELIVERED, now
                )
                await step_outbound(unit.interchanges, interchange_id, InterchangeStatus.SENT, now)

        await write(self.database, LIVE, end)

    async def last_activity(self, partner_id: PartnerId) -> datetime | None:
        async def find(unit: ReadUnit) -> datetime | None:
            stored = await unit.partners.find(partner_id)
            assert stored is not None
            return stored.last_activity_at

        return await read(self.database, LIVE, find)

    # ---- what is stored --------------------------------------------------------------------------

    async def interchanges(
        self,
        environment: Environment = Environment.SANDBOX,
        direction: Direction = Direction.INBOUND,
    ) -> list[Interchange]:
        """Return the interchanges of an environment, oldest first."""
        query = InterchangeQuery(environment=environment, direction=direction)

        async def find(unit: ReadUnit) -> list[Interchange]:
            return [*await unit.interchanges.list(query, 100, 0)][::-1]

        return await read(self.database, LIVE, find)

    async def stored(self, direction: Direction = Direction.INBOUND) -> list[SealedTransaction]:
        """Return the records of both environments, oldest first."""
        query = TransactionQuery(filters=TransactionFilters(direction=frozenset({direction})))

        async def find(unit: ReadUnit) -> list[SealedTransaction]:
            return [*await unit.transactions.list(query, PageRequest(limit=1_000))][::-1]

        return await read(self.database, LIVE, find)

    async def records(self, direction: Direction = Direction.INBOUND) -> list[Transaction]:
        """Return the same opened."""
        return [open_transaction(SEALER, each) for each in await self.stored(direction)]

    async def content(self, interchange: Interchange) -> tuple[bytes, Facts]:
        """Return the bytes of an interchange, and what is told of them."""

        async def find(unit: ReadUnit) -> tuple[bytes, Facts]:
            found = await unit.interchanges.find(interchange.id)
            assert found is not None
            opened = open_interchange(SEALER, *found)
            return opened.content, dict(opened.facts)

        return await read(self.database, LIVE, find)

    async def answers(self, environment: Environment = Environment.SANDBOX) -> list[str]:
        """Return the acknowledgements to be sent, oldest first."""
        outbound = await self.interchanges(environment, Direction.OUTBOUND)
        return [(await self.content(each))[0].decode() for each in outbound]

    async def acks(self) -> list[Ack]:
        """Return the rows of acknowledgements, oldest first."""
        query = AckQuery(ack_types=frozenset())

        async def find(unit: ReadUnit) -> list[Ack]:
            return [open_ack(SEALER, each) for each in await unit.acks.list(query, 100, 0)][::-1]

        return await read(self.database, LIVE, find)

    async def events(
        self, environment: Environment = Environment.SANDBOX
    ) -> list[tuple[str, int | None]]:
        """Return the feed of an environment: types and transactions."""

        async def find(unit: ReadUnit) -> list[tuple[str, int | None]]:
            found = await unit.events.list_after(environment, 0, 1_000)
            return [(each.type.value, each.transaction_id) for each in found]

        return await read(self.database, LIVE, find)

    async def audited(self) -> list[tuple[str, str, str]]:
        """Return what was done to what, and the details, oldest first."""

        async def find(unit: ReadUnit) -> Sequence[ChainedEntry]:
            return await unit.audit.list_after(AccountId(1), 0, 1_000)

        entries = [each.entry for each in await read(self.database, LIVE, find)]
        return [(each.action, each.object, open_detail(SEALER, each)) for each in entries]

    async def receipt_status(self, receipt_id: ReceiptId) -> ReceiptStatus:
        async def find(unit: ReadUnit) -> ReceiptStatus:
            found = await unit.receipts.find(receipt_id)
            assert found is not None
            return found[0].status

        return await read(self.database, LIVE, find)

    async def entry_state(self, entry_id: OutboxId) -> OutboxState:
        async def find(unit: ReadUnit) -> OutboxState:
            found = await unit.outbox.find(entry_id)
            assert found is not None
            return found.state

        return await read(self.database, LIVE, find)


def a_processor(
    database: Database,
    clock: StoppedClock,
    sealer: Sealer = SEALER,
    maps: MapRunner | None = None,
    **others: object,
) -> Processor:
    ports = some_ports(database, clock, sealer=sealer, index=INDEX, **others)
    return Processor(ports if maps is None else replace(ports, maps=maps))


async def a_trade(
    database: Database,
    clock: StoppedClock,
    agreed: PartnerTerms | None = None,
    **status: PartnerStatus,
) -> Trade:
    """Return a trade with one partner, whose documents the cases are."""
    await own_identity(database)
    partner_id = await a_sender(database, agreed, **status)
    return Trade(
        database=database,
        clock=clock,
        processor=a_processor(database, clock),
        partner_id=partner_id,
    )


def segments(answer: str, *ids: str) -> list[str]:
    """Return the segments of an acknowledgement that have these ids."""
    return [each for each in answer.split("~") if each.split("*")[0] in ids]


def summary(records: Sequence[Transaction]) -> list[tuple[str, ...]]:
    """Return what is known of records: set, and the axes that count for received ones."""
    return [
        (
            each.record.facts.tx_set,
            each.record.states.processing.value,
            each.record.states.validation.value,
            each.record.states.ack.value,
        )
        for each in records
    ]
