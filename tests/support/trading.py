"""Partners, interchanges and transactions for tests of their stores."""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from longshore.domain.acks.model import AckFacts, AckForm, AckRowStatus, GroupId, NewAck
from longshore.domain.interchanges.store import (
    InterchangeStatus,
    NewGroup,
    NewInterchange,
    NewReceipt,
    SealedContent,
)
from longshore.domain.partners.model import (
    Address,
    Direction,
    Identity,
    Pair,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.store import PartnerFacts
from longshore.domain.ports import Scope
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    NewTransaction,
    ProcessingStatus,
    SetFacts,
    Source,
    States,
    TransactionId,
    ValidationStatus,
)
from longshore.domain.transactions.store import TransactionRow
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START
from tests.support.database import Database
from tests.support.vault import scope

T = TypeVar("T")

SANDBOX, PRODUCTION = Environment.SANDBOX, Environment.PRODUCTION
TEST, LIVE = scope(1, SANDBOX), scope(1, PRODUCTION)
FOREIGN_TEST, FOREIGN_LIVE = scope(2, SANDBOX), scope(2, PRODUCTION)

US, THEM = Address("ZZ", "ACMECORP"), Address("01", "123456789")
OUT, IN = Pair(US, THEM), Pair(THEM, US)
SENDING = States(
    ProcessingStatus.NOT_APPLICABLE,
    ValidationStatus.VALID,
    DeliveryStatus.PENDING,
    AckStatus.PENDING,
)
RECEIVING = States(
    ProcessingStatus.RECEIVED,
    ValidationStatus.NOT_CHECKED,
    DeliveryStatus.NOT_APPLICABLE,
    AckStatus.NOT_EXPECTED,
)
SEALED = SealedContent(facts=b"sealed facts", content=b"sealed content")
PO_GROUP = NewGroup(
    functional_id="PO",
    sender_code="ACME",
    receiver_code="NWRETAIL",
    gs_control_number="123",
    version="004010",
)


def any_key(_row_id: int) -> bytes:
    """Return a wrapped key that opens nothing."""
    return b"k" * 65


async def write(
    database: Database, given: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
) -> T:
    return await database.units.write(given, work)


async def read(
    database: Database, given: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]
) -> T:
    return await database.units.read(given, work)


def partner_facts(name: str = "Northwind Retail", **members: object) -> PartnerFacts:
    facts = PartnerFacts(
        name=name,
        folded_name=name.casefold(),
        identity=Identity(qualifier="01", isa_id="123456789", gs_id="NWRETAIL"),
        own_identity_id=None,
        tx_sets=("850", "997"),
        version="004010",
        ack_type="auto",
        ack_hours=48,
        industry="retail",
        contact_email="edi@northwind.example",
        test_type="http",
        live_type="none",
        connections='{"test":{"type":"http","url":"https://edi.example.com/in"}}',
        settings="{}",
        routes="[]",
    )
    return replace(facts, **members)  # type: ignore[arg-type]  # each as its field


async def a_partner(
    database: Database,
    name: str = "Northwind Retail",
    given: Scope = LIVE,
    status: PartnerStatus = PartnerStatus.TESTING,
) -> PartnerId:
    async def insert(unit: WriteUnit) -> PartnerId | None:
        assert given.account_id is not None
        return await unit.partners.insert(given.account_id, partner_facts(name), status, START)

    partner_id = await write(database, given, insert)
    assert partner_id is not None
    return partner_id


def an_interchange(number: str = "000000123", **members: object) -> NewInterchange:
    """Return a test interchange that we send, numbered by us, but for what is given."""
    interchange = NewInterchange(
        environment=SANDBOX,
        direction=Direction.OUTBOUND,
        status=InterchangeStatus.QUEUED,
        source=Source.API,
        pair=OUT,
        isa_control_number=number,
        isa_date="260115",
        isa_time="1405",
        version="00401",
        usage_indicator="T",
        is_allotted=True,
        file_size=812,
        digest=b"body" * 8,
    )
    return replace(interchange, **members)  # type: ignore[arg-type]  # each as its field


async def stored_interchange(
    database: Database,
    new: NewInterchange,
    given: Scope = LIVE,
    at: datetime = START,
    group: NewGroup = PO_GROUP,
) -> tuple[InterchangeId, GroupId]:
    """Store an interchange with one group."""

    async def insert(unit: WriteUnit) -> tuple[InterchangeId, GroupId]:
        assert given.account_id is not None
        number = await unit.interchanges.insert(given.account_id, new, SEALED, any_key, at)
        of = (number, new)
        return number, await unit.interchanges.insert_group(given.account_id, of, group, at)

    return await write(database, given, insert)


def a_receipt(**members: object) -> NewReceipt:
    receipt = NewReceipt(
        environment=SANDBOX,
        partner_id=None,
        token_id=None,
        source=Source.RECEIVE,
        byte_count=573,
        digest=b"bytes" * 6,
    )
    return replace(receipt, **members)  # type: ignore[arg-type]  # each as its field


def set_facts(**members: object) -> SetFacts:
    facts = SetFacts(
        tx_set="850",
        version="004010",
        functional_group="PO",
        isa_control_number="000000123",
        gs_control_number="123",
        st_control_number="0001",
        sender=Identity(qualifier="ZZ", isa_id="ACMECORP"),
        receiver=Identity(qualifier="01", isa_id="123456789"),
        usage_indicator="T",
        segment_count=14,
        file_size=812,
    )
    return replace(facts, **members)  # type: ignore[arg-type]  # each as its field


def a_record(facts: SetFacts | None = None, **members: object) -> NewTransaction:
    """Return a test 850 that we send, but for what is given."""
    record = NewTransaction(
        environment=SANDBOX,
        partner_id=None,
        direction=Direction.OUTBOUND,
        facts=facts or set_facts(),
        states=SENDING,
        source=Source.API,
    )
    return replace(record, **members)  # type: ignore[arg-type]  # each as its field


async def stored_transaction(
    database: Database,
    record: NewTransaction,
    given: Scope = LIVE,
    at: datetime = START,
    references: tuple[bytes, ...] = (),
    **members: object,
) -> TransactionId:
    row = TransactionRow(record=record, facts=b"sealed facts")
    row = replace(row, **members)  # type: ignore[arg-type]  # each as its field

    async def insert(unit: WriteUnit) -> TransactionId:
        assert given.account_id is not None
        number = await unit.transactions.insert(given.account_id, row, any_key, at)
        owner = (given.account_id, record.environment)
        await unit.transactions.add_references(owner, number, references)
        return number

    return await write(database, given, insert)


def an_ack(**members: object) -> NewAck:
    """Return a row that waits for a 997, but for what is given."""
    ack = NewAck(
        environment=SANDBOX,
        direction=Direction.INBOUND,
        status=AckRowStatus.PENDING,
        facts=AckFacts(
            ack_type=AckForm.F997,
            tx_set="850",
            functional_group="PO",
            acked_gs_control_number="123",
            acked_st_control_number="0001",
        ),
    )
    return replace(ack, **members)  # type: ignore[arg-type]  # each as its field
