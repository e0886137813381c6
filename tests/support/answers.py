"""What we had sent as it lies in a real database, and what a partner answers to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from longshore.domain.acks.encryption import open_named_ack, store_ack
from longshore.domain.acks.matching import AckOrigin, content_digest
from longshore.domain.acks.model import Ack, AckForm, GroupId
from longshore.domain.acks.received import AckInterchange, PreparedAcks, ReceivedAck
from longshore.domain.acks.reconciler import AckReconciler
from longshore.domain.acks.store import AckQuery
from longshore.domain.delivery.model import NewOutboxEntry, OutboxId, OutboxState
from longshore.domain.events.model import NewEvent, SealedEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.interchanges.encryption import seal_content, store_interchange
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import AccountId, Scope
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.lists import TransactionFilters
from longshore.domain.transactions.model import (
    AckStatus,
    InterchangeId,
    NewTransaction,
    Source,
    TransactionId,
)
from longshore.domain.transactions.store import PageRequest, TransactionQuery
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.x12.acks.read import read_group_ack, read_ta1
from longshore.x12.delimiters import Delimiters
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.trading import (
    IN,
    PO_GROUP,
    SENDING,
    TEST,
    a_record,
    an_ack,
    an_interchange,
    read,
    set_facts,
    write,
)
from tests.support.vault import a_sealer, an_index

THEM = PartnerId(1)
MARKS = Delimiters("*", "~", ":", "^")
SEALER, INDEX = a_sealer(), an_index()
LATER = START + timedelta(hours=1)
ORDERS = (
    "ISA*00*          *00*          *ZZ*ACMECORP       *01*123456789      *260115*1405*U*00401"
    "*000000123*0*T*>~GS*PO*ACME*NWRETAIL*20260115*1405*123*X*004010~"
    "ST*850*0001~BEG*00*SA*PO-1**20260115~PO1*1*10*EA*9.25**XX*4711~CTT*1~SE*5*0001~"
    "ST*850*0002~BEG*00*SA*PO-2**20260115~PO1*1*7*EA*3**UP*012345678905~CTT*1~SE*5*0002~"
    "GE*2*123~IEA*1*000000123~"
)
"""Two sets, as the rows of ``sent`` say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What was stored of an interchange of ours."""

    interchange_id: InterchangeId
    group_ids: tuple[GroupId, ...]
    transaction_ids: tuple[TransactionId, ...]
    outbox_id: OutboxId


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """How an interchange of ours is stored; ``groups`` name the sets of each."""

    content: str = ORDERS
    groups: Sequence[Sequence[str]] = (("0001", "0002"),)
    gs_sender: str = "ACME"
    sent_at: datetime | None = START
    is_awaited: bool = True
    doc_id: int | None = None
    is_held: bool = False


ORDERS_SENT = Sending()


async def sent(database: Database, sending: Sending = ORDERS_SENT, given: Scope = TEST) -> Sent:
    """Store an interchange as submitting does; delivery has begun no attempt."""

    async def work(unit: WriteUnit) -> Sent:
        return await _store(unit, sending, given)

    return await write(database, given, work)


async def _store(unit: WriteUnit, sending: Sending, given: Scope) -> Sent:
    assert given.account_id is not None
    assert given.environment is not None
    account_id, content = given.account_id, sending.content.encode()
    new = an_interchange(environment=given.environment, file_size=len(content))
    parts = seal_content(SEALER, content, {})
    number = await store_interchange(unit, SEALER, account_id, new, parts, START)
    group_ids, transaction_ids = [], []
    for at, sets in enumerate(sending.groups):
        group = replace(PO_GROUP, gs_control_number=str(123 + at), sender_code=sending.gs_sender)
        group_id = await unit.interchanges.insert_group(account_id, (number, new), group, START)
        group_ids.append(group_id)
        for st_number in sets:
            facts = set_facts(st_control_number=st_number, gs_control_number=str(123 + at))
            links = {"interchange_id": number, "doc_id": sending.doc_id, "partner_id": THEM}
            ack = AckStatus.PENDING if sending.is_awaited else AckStatus.NOT_EXPECTED
            states = SENDING._replace(ack=ack)
            record = a_record(
                facts,
                environment=given.environment,
                states=states,
                business_key=f"PO-{int(st_number)}",
                **links,
            )
            transaction_ids.append(await _store_set(unit, record, group_id, sending, account_id))
    if sending.sent_at is not None:
        await unit.interchanges.set_sent(number, sending.sent_at, START)
    entry = NewOutboxEntry(
        kind="document",
        environment=given.environment,
        due_at=START,
        partner_id=THEM,
        order_key="1/PO",
        interchange_id=number,
        is_held=sending.is_held,
    )
    return Sent(
        interchange_id=number,
        group_ids=tuple(group_ids),
        transaction_ids=tuple(transaction_ids),
        outbox_id=await unit.outbox.insert(account_id, entry, START),
    )


async def _store_set(
    unit: WriteUnit,
    record: NewTransaction,
    group_id: GroupId,
    sending: Sending,
    account_id: AccountId,
) -> TransactionId:
    writer = TransactionWriter(unit, SEALER, INDEX, account_id)
    number = await writer.insert(record, START, group_id=group_id)
    if sending.is_awaited:
        row = an_ack(
            environment=record.environment,
            transaction_id=number,
            partner_id=THEM,
            acked_interchange_id=record.interchange_id,
            acked_group_id=group_id,
            expected_by=START + timedelta(hours=48),
            sent_at=sending.sent_at,
        )
        facts = replace(row.facts, acked_st_control_number=record.facts.st_control_number)
        await store_ack(unit, SEALER, account_id, replace(row, facts=facts), START)
    return number


# ---- what is answered ----------------------------------------------------------------------------

ORIGIN = AckOrigin(IN, "NWRETAIL", "ACME", LATER)


def a_997(*segments: str, origin: AckOrigin = ORIGIN, set_id: str = "997") -> ReceivedAck:
    """Return a 997 of these segments, such as ``AK1*PO*123``."""
    rows = [each.split("*") for each in (f"ST*{set_id}*0001", *segments, "SE*9*0001")]
    return ReceivedAck(ack=read_group_ack(rows, MARKS), origin=origin, digest=content_digest(rows))


def a_ta1(segment: str, origin: AckOrigin = ORIGIN) -> ReceivedAck:
    """Return a TA1, such as ``TA1*000000123*260115*1405*R*006``."""
    row = segment.split("*")
    return ReceivedAck(ack=read_ta1(row, 2), origin=origin, digest=content_digest([row]))


def a_reconciler(database: Database) -> AckReconciler:
    return AckReconciler(some_ports(database, StoppedClock(), sealer=SEALER, index=INDEX))


async def receive(
    database: Database, *received: ReceivedAck, at: datetime = LATER, given: Scope = TEST
) -> list[NewEvent]:
    """Receive acknowledgements in one interchange of the partner; return the events."""
    prepared = await a_reconciler(database).prepare(given, received)
    return await apply(database, prepared, at, given)


async def apply(
    database: Database, prepared: PreparedAcks, at: datetime = LATER, given: Scope = TEST
) -> list[NewEvent]:
    """Do what the processing of a receipt does with what is prepared."""

    async def work(unit: WriteUnit) -> list[NewEvent]:
        return await applied(unit, a_reconciler(database), prepared, at, given)

    return await write(database, given, work)


async def applied(
    unit: WriteUnit, reconciler: AckReconciler, prepared: PreparedAcks, at: datetime, given: Scope
) -> list[NewEvent]:
    assert given.account_id is not None
    assert given.environment is not None
    new = an_interchange(
        number="000000077",
        environment=given.environment,
        direction=Direction.INBOUND,
        status=InterchangeStatus.PROCESSED,
        source=Source.RECEIVE,
        pair=IN,
    )
    parts = seal_content(SEALER, b"ISA*...", {})
    arrival = AckInterchange(
        environment=given.environment,
        interchange_id=await store_interchange(unit, SEALER, given.account_id, new, parts, at),
        isa_control_number="000000077",
        received_at=at,
        partner_id=THEM,
    )
    events = await reconciler.apply(unit, prepared, arrival, at)
    writer = EventWriter(unit, SEALER, (given.account_id, given.environment))
    await writer.record(events, at)
    return [*events]


# ---- what is stored afterwards -------------------------------------------------------------------


async def acks(database: Database, *forms: AckForm, given: Scope = TEST) -> list[Ack]:
    """Return the rows of these forms, else all, opened, oldest first."""

    async def work(unit: ReadUnit) -> list[Ack]:
        found = await unit.acks.list(AckQuery(ack_types=frozenset(forms)), 1_000, 0)
        return sorted((open_named_ack(SEALER, each) for each in found), key=lambda each: each.id)

    return await read(database, given, work)


async def axes(database: Database, given: Scope = TEST) -> list[tuple[str, str]]:
    """Return acknowledgement and delivery of the sets we sent, by id."""

    async def work(unit: ReadUnit) -> list[tuple[str, str]]:
        outbound = TransactionQuery(
            filters=TransactionFilters(direction=frozenset({Direction.OUTBOUND}))
        )
        found = await unit.transactions.list(outbound, PageRequest(limit=1_000))
        records = sorted((each.transaction for each in found), key=lambda each: each.id)
        return [(each.record.states.ack, each.record.states.delivery) for each in records]

    return await read(database, given, work)


async def entry_state(database: Database, sent: Sent, given: Scope = TEST) -> OutboxState:
    """Return how far the work to deliver an interchange is."""

    async def work(unit: ReadUnit) -> OutboxState:
        entry = await unit.outbox.find(sent.outbox_id)
        assert entry is not None
        return entry.state

    return await read(database, given, work)


async def feed(database: Database, given: Scope = TEST) -> list[SealedEvent]:
    """Return all recorded events of the scope's environment, oldest first."""
    environment = given.environment
    assert environment is not None

    async def work(unit: ReadUnit) -> list[SealedEvent]:
        return [*await unit.events.list_after(environment, 0, 10_000)]

    return await read(database, given, work)
