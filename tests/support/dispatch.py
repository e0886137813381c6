"""Documents on their way to a partner, and a worker whose destinations say what a test tells."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from longshore.domain.acks.encryption import store_ack
from longshore.domain.acks.model import AckId
from longshore.domain.acks.store import StoredAck
from longshore.domain.delivery.model import (
    DeliveryAttempt,
    JobKind,
    NewOutboxEntry,
    OutboxEntry,
    OutboxId,
    order_key,
)
from longshore.domain.delivery.ports import JobHandler, OutboundMessage, Sent, Transport, answered
from longshore.domain.delivery.worker import DELIVERIES, Worker
from longshore.domain.events.model import SealedEvent
from longshore.domain.events.writer import open_message
from longshore.domain.interchanges.encryption import seal_content, store_interchange
from longshore.domain.interchanges.store import Interchange
from longshore.domain.partners.connections import ConnectionType, HttpConnection
from longshore.domain.partners.model import (
    Connections,
    Identity,
    NewPartner,
    PartnerId,
    PartnerStatus,
    PartnerTerms,
)
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.partners.store import StoredPartner
from longshore.domain.partners.writer import PartnerWriter
from longshore.domain.ports import Scope
from longshore.domain.transactions.encryption import TransactionWriter, open_transaction
from longshore.domain.transactions.model import InterchangeId, Transaction, TransactionId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from tests.support.clock import START, CountedIds
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.trading import LIVE, SANDBOX, a_record, an_ack, an_interchange, read, write
from tests.support.vault import a_sealer, an_index

TEST_URL, LIVE_URL = "https://test.example.com/in", "https://live.example.com/in"
BOTH = Connections(test=HttpConnection(url=TEST_URL), live=HttpConnection(url=LIVE_URL))
CONTENT = b"ISA*00*...~IEA*1*000000123~"


def terms(connections: Connections = BOTH, **settings: object) -> PartnerTerms:
    return PartnerTerms(
        name="Northwind Retail",
        identity=Identity(qualifier="01", isa_id="123456789", gs_id="NWRETAIL"),
        connections=connections,
        settings=PartnerSettings(**settings),  # type: ignore[arg-type]  # each as its field
    )


async def a_trading_partner(
    database: Database,
    given: PartnerTerms | None = None,
    status: PartnerStatus = PartnerStatus.ACTIVE,
) -> PartnerId:
    async def insert(unit: WriteUnit) -> PartnerId | None:
        assert LIVE.account_id is not None
        writer = PartnerWriter(unit, a_sealer(), LIVE.account_id)
        return await writer.insert(NewPartner(terms=given or terms(), status=status), {}, START)

    partner_id = await write(database, LIVE, insert)
    assert partner_id is not None
    return partner_id


@dataclass(frozen=True, kw_only=True)
class Order:
    """A document to be queued: an interchange with ``sets`` sets, in one group."""

    partner_id: PartnerId
    environment: Environment = SANDBOX
    functional_id: str = "PO"
    kind: JobKind = JobKind.DOCUMENT
    content: bytes = CONTENT
    metadata: dict[str, str] = field(default_factory=dict)
    sets: int = 1
    is_answered: bool = True


@dataclass(frozen=True, kw_only=True)
class Queued:
    """What was queued."""

    interchange_id: InterchangeId
    transaction_ids: tuple[TransactionId, ...]
    ack_ids: tuple[AckId, ...]
    outbox_id: OutboxId
    scope: Scope

    @property
    def environment(self) -> Environment:
        """Whether it is a test."""
        assert self.scope.environment is not None
        return self.scope.environment


async def queued(database: Database, order: Order, at: datetime = START) -> Queued:
    """Store a document with all its rows, as submitting it does."""
    scope = Scope(account_id=LIVE.account_id, environment=order.environment)
    assert scope.account_id is not None
    account_id, sealer = scope.account_id, a_sealer()
    new = an_interchange(environment=order.environment, partner_id=order.partner_id)

    async def work(unit: WriteUnit) -> Queued:
        parts = seal_content(sealer, order.content, {})
        number = await store_interchange(unit, sealer, account_id, new, parts, at)
        writer = TransactionWriter(unit, sealer, an_index(), account_id)
        record = a_record(
            environment=order.environment,
            partner_id=order.partner_id,
            interchange_id=number,
            metadata=order.metadata,
        )
        ids = [await writer.insert(record, at) for _ in range(order.sets)]
        awaited = [an_ack(environment=order.environment, transaction_id=each) for each in ids]
        acks = [
            await store_ack(unit, sealer, account_id, each, at)
            for each in (awaited if order.is_answered else [])
        ]
        entry = NewOutboxEntry(
            kind=order.kind,
            environment=order.environment,
            due_at=at,
            partner_id=order.partner_id,
            order_key=order_key(order.kind, order.partner_id, order.functional_id)
            if order.kind in DELIVERIES
            else None,
            interchange_id=number,
        )
        return Queued(
            interchange_id=number,
            transaction_ids=tuple(ids),
            ack_ids=tuple(acks),
            outbox_id=await unit.outbox.insert(account_id, entry, at),
            scope=scope,
        )

    return await write(database, scope, work)


# ---- the worker ----------------------------------------------------------------------------------

Say = Callable[[OutboundMessage], Awaitable[Sent]]


class Destination:
    """A transport that keeps what it was sent, and says what a test tells; 200 if nothing."""

    def __init__(self, *says: Sent | Say) -> None:
        self.parcels: list[OutboundMessage] = []
        self._says = list(says)

    async def send(self, message: OutboundMessage) -> Sent:
        self.parcels.append(message)
        said = self._says.pop(0) if self._says else OK
        return said if isinstance(said, Sent) else await said(message)

    @property
    def urls(self) -> list[str]:
        """Where the parcels went."""
        connections = [each.connection for each in self.parcels]
        return [each.url for each in connections if isinstance(each, HttpConnection)]


class Jobs:
    """Does what is no delivery: keeps what it was given."""

    def __init__(self, error: Exception | None = None) -> None:
        self.run_ids: list[int] = []
        self.given_up: list[tuple[int, str]] = []
        self._error = error

    async def run(self, entry: OutboxEntry) -> None:
        self.run_ids.append(entry.id)
        if self._error is not None:
            raise self._error

    async def give_up(self, entry: OutboxEntry, code: str) -> None:
        self.given_up.append((entry.id, code))


NO_OTHERS: Mapping[ConnectionType, Transport] = MappingProxyType({})

OK = answered(200, "", None)
BUSY = answered(503, "come back later", None)
ERROR = answered(500, "Internal error.", None)
REFUSED = answered(422, "Unknown item.", None)
GONE = answered(410, "", None)
UNAUTHORISED = answered(401, "", None)


class EvenIds(CountedIds):
    """Draws the middle of every range, so that the schedule has no jitter."""

    def token_bytes(self, count: int) -> bytes:
        drawn = super().token_bytes(count)
        return b"\x80\0\0\0" if count == 4 else drawn


def a_worker(
    database: Database,
    clock: Clock,
    http: Transport,
    *,
    owner: str = "worker 1",
    handler: JobHandler | None = None,
    others: Mapping[ConnectionType, Transport] = NO_OTHERS,
    **changes: object,
) -> Worker:
    """Return a worker; ``changes``: other ports than the usual ones."""
    usual: dict[str, object] = {"ids": EvenIds(owner)}
    ports = some_ports(database, clock, **usual | changes)
    return Worker(ports, {ConnectionType.HTTP: http, **others}, handler or Jobs(), owner=owner)


# ---- what is there afterwards --------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Seen:
    """All rows that a delivery changes."""

    entries: Sequence[OutboxEntry]
    attempts: Sequence[DeliveryAttempt]
    transactions: Sequence[Transaction]
    acks: Sequence[StoredAck]
    interchange: Interchange
    partner: StoredPartner
    events: Sequence[SealedEvent]
    audit: Sequence[str]

    @property
    def states(self) -> list[str]:
        """The states of the entries."""
        return [each.state.value for each in self.entries]

    @property
    def errors(self) -> list[tuple[str, str] | None]:
        """Code and message of the last error of each set."""
        found = [each.record.last_error for each in self.transactions]
        return [None if each is None else (each.code, each.message) for each in found]

    @property
    def messages(self) -> list[str]:
        """What each event says."""
        return [open_message(a_sealer(), each) for each in self.events]

    @property
    def deliveries(self) -> list[str]:
        """Where the sets are."""
        return [each.record.states.delivery.value for each in self.transactions]

    @property
    def outcomes(self) -> list[str | None]:
        """What came of the attempts."""
        return [each.result.outcome.value if each.result else None for each in self.attempts]

    @property
    def event_types(self) -> list[str]:
        """What the feed says."""
        return [each.type.value for each in self.events]


async def _audit(unit: ReadUnit, scope: Scope) -> list[str]:
    assert scope.account_id is not None
    entries = await unit.audit.list_after(scope.account_id, 0, 1_000)
    return [f"{each.entry.action} {each.entry.object}" for each in entries]


async def seen(database: Database, of: Queued) -> Seen:
    """Read all that a delivery changes."""

    async def look(unit: ReadUnit) -> Seen:
        sets = await unit.transactions.list_of_interchange(of.interchange_id)
        found = await unit.interchanges.find(of.interchange_id)
        assert found is not None
        entries = await unit.outbox.list_of_interchange(of.interchange_id)
        partner_id = entries[0].new.partner_id
        assert partner_id is not None
        partner = await unit.partners.find(partner_id)
        assert partner is not None
        acks = [await unit.acks.find(each) for each in of.ack_ids]
        return Seen(
            entries=entries,
            attempts=await unit.outbox.list_attempts(of.interchange_id),
            transactions=[open_transaction(a_sealer(), each) for each in sets],
            acks=[each for each in acks if each is not None],
            interchange=found[0],
            partner=partner,
            events=await unit.events.list_after(of.environment, 0, 1_000),
            audit=await _audit(unit, of.scope),
        )

    return await read(database, of.scope, look)
