"""Transactions: stored, listed by every filter and in every order, and changed step by step."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import AccountId, Scope
from longshore.domain.transactions.lists import SORTS, Position, TransactionFilters
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    States,
    Transaction,
    TransactionId,
    TransactionStatus,
    ValidationStatus,
)
from longshore.domain.transactions.states import Axis, AxisStatus, derived_status
from longshore.domain.transactions.store import (
    Links,
    PageRequest,
    SealedFacts,
    SealedTransaction,
    SearchDigests,
    TransactionQuery,
    TransactionRow,
)
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.clock import START
from tests.support.database import Database, Engine
from tests.support.trading import (
    FOREIGN_LIVE,
    LIVE,
    PRODUCTION,
    RECEIVING,
    SANDBOX,
    SENDING,
    TEST,
    a_partner,
    a_record,
    an_interchange,
    any_key,
    read,
    set_facts,
    stored_interchange,
    stored_transaction,
    write,
)

HOUR = timedelta(hours=1)
WRITERS = 8
EVERYTHING = TransactionQuery(filters=TransactionFilters())
FIRST = TransactionId(1)
FIRST_PAGE = PageRequest(limit=50)


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


async def find(
    database: Database, number: int = 1, given: Scope = TEST
) -> SealedTransaction | None:
    async def work(unit: ReadUnit) -> SealedTransaction | None:
        return await unit.transactions.find(TransactionId(number))

    return await read(database, given, work)


async def ids(
    database: Database,
    query: TransactionQuery = EVERYTHING,
    given: Scope = LIVE,
    page: PageRequest = FIRST_PAGE,
) -> tuple[list[int], int]:
    """Return the ids of a page, and how many fit."""

    async def work(unit: ReadUnit) -> tuple[list[int], int]:
        found = await unit.transactions.list(query, page)
        return [each.transaction.id for each in found], await unit.transactions.count(query)

    return await read(database, given, work)


async def test_a_transaction_comes_back_as_it_was_stored(database: Database) -> None:
    partner_id = await a_partner(database)
    interchange_id, group_id = await stored_interchange(database, an_interchange())
    record = a_record(
        partner_id=partner_id, interchange_id=interchange_id, doc_id=5501, parent_id=FIRST
    )
    await stored_transaction(database, record, group_id=group_id)
    transaction = Transaction(
        id=FIRST,
        account_id=AccountId(1),
        record=record,
        partner_name="Northwind Retail",
        attempts=0,
        created_at=START,
        updated_at=START,
    )
    assert await find(database) == SealedTransaction(
        transaction=transaction,
        group_id=1,
        output_doc_id=None,
        sealed=SealedFacts(version=1, wrapped_key=b"k" * 65, facts=b"sealed facts"),
    )
    assert await find(database, 1, FOREIGN_LIVE) is None


async def test_what_is_sealed_stays_out_of_the_record(database: Database) -> None:
    record = a_record(business_key="PO-1", metadata={"a": "b"})
    await stored_transaction(database, record)
    stored = await find(database)
    assert stored is not None
    assert stored.transaction.record == replace(record, business_key="", metadata={})


async def test_each_scope_lists_its_own(database: Database) -> None:
    for given in (TEST, LIVE, FOREIGN_LIVE):
        environment = given.environment
        await stored_transaction(database, a_record(environment=environment), given)
    assert await ids(database, given=TEST) == ([1], 1)
    assert await ids(database, given=LIVE) == ([2, 1], 2)
    assert await ids(database, given=FOREIGN_LIVE) == ([3], 1)
    live = TransactionQuery(filters=TransactionFilters(is_test=False))
    assert [await ids(database, live, given) for given in (TEST, LIVE)] == [([], 0), ([2], 1)]


@pytest.fixture
async def filled(database: Database) -> Database:
    """Six transactions an hour apart, of two partners."""
    await a_partner(database)
    await a_partner(database, "Southern Freight")
    failed = States(*SENDING[:2], DeliveryStatus.FAILED, AckStatus.NOT_EXPECTED)
    of_first = a_record(partner_id=PartnerId(1))
    records = (
        of_first,
        replace(of_first, facts=set_facts(tx_set="855", st_control_number="0002")),
        a_record(partner_id=PartnerId(2), states=failed),
        a_record(
            set_facts(tx_set="", isa_control_number=""),
            direction=Direction.INBOUND,
            states=RECEIVING,
        ),
        a_record(set_facts(tx_set="850 855", gs_control_number="77"), environment=PRODUCTION),
        replace(
            a_record(set_facts(tx_set="810"), states=states_of(ack=AckStatus.REJECTED)),
            parent_id=TransactionId(1),
        ),
    )
    for hours, record in enumerate(records):
        references = (b"PO-1", b"PO-2") if hours in {0, 5} else (b"other",)
        await stored_transaction(database, record, LIVE, START + hours * HOUR, references)
    await stored_transaction(database, a_record(), FOREIGN_LIVE, START, (b"PO-1",))
    return database


def states_of(delivery: DeliveryStatus = SENDING.delivery, ack: AckStatus = SENDING.ack) -> States:
    return SENDING._replace(delivery=delivery, ack=ack)


CASES: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [6, 5, 4, 3, 2, 1]),
    ({"direction": frozenset({Direction.INBOUND})}, [4]),
    ({"tx_set": frozenset({"850"})}, [3, 1]),
    ({"tx_set": frozenset({"850", "855"})}, [3, 2, 1]),
    ({"tx_set": frozenset({"85"})}, []),
    ({"partner_id": frozenset({PartnerId(1)})}, [2, 1]),
    ({"partner_id": frozenset({PartnerId(1), PartnerId(2)})}, [3, 2, 1]),
    ({"status": frozenset({TransactionStatus.QUEUED})}, [5, 2, 1]),
    ({"status": frozenset({TransactionStatus.FAILED, TransactionStatus.REJECTED})}, [6, 3]),
    ({"processing_status": frozenset({ProcessingStatus.RECEIVED})}, [4]),
    ({"validation_status": frozenset({ValidationStatus.NOT_CHECKED})}, [4]),
    ({"delivery_status": frozenset({DeliveryStatus.FAILED})}, [3]),
    ({"ack_status": frozenset({AckStatus.REJECTED, AckStatus.ACCEPTED})}, [6]),
    ({"control_number": "000000123"}, [6, 5, 3, 2, 1]),
    ({"control_number": "0002"}, [2]),
    ({"control_number": "77"}, [5]),
    ({"control_number": "2"}, []),
    ({"is_test": True}, [6, 4, 3, 2, 1]),
    ({"is_test": False}, [5]),
    ({"since": START + 2 * HOUR}, [6, 5, 4, 3]),
    ({"before": START + 2 * HOUR}, [2, 1]),
    ({"q": "3"}, [3]),
    ({"q": "77"}, [5]),
    ({"q": "SOUTH"}, [3]),
    ({"q": "freight"}, []),
    ({"q": "%"}, []),
    ({"q": "9" * 30}, []),
    ({"tx_set": frozenset({"850"}), "partner_id": frozenset({PartnerId(2)})}, [3]),
    ({"parent_id": TransactionId(1)}, [6]),
    ({"parent_id": TransactionId(2)}, []),
    ({"is_open": True}, [6, 5, 4, 3, 2]),
    ({"is_open": False}, [1]),
    ({"q": "000000123", "partner_id": frozenset({PartnerId(2)})}, [3]),
    ({"q": "SOUTH", "partner_id": frozenset({PartnerId(1)})}, []),
]
SANDBOX_CASES: list[tuple[dict[str, Any], list[int]]] = [
    ({"partner_id": frozenset({PartnerId(1)}), "tx_set": frozenset({"855"})}, [2]),
    ({"tx_set": frozenset({"850"}), "delivery_status": frozenset({DeliveryStatus.FAILED})}, [3]),
    ({"status": frozenset({TransactionStatus.FAILED}), "tx_set": frozenset({"850"})}, [3]),
    (
        {"status": frozenset({TransactionStatus.QUEUED}), "partner_id": frozenset({PartnerId(1)})},
        [2, 1],
    ),
    ({"direction": frozenset({Direction.INBOUND})}, [4]),
    ({"control_number": "77"}, []),
    ({"q": "south"}, [3]),
    ({"parent_id": TransactionId(1), "tx_set": frozenset({"810"})}, [6]),
    ({"is_open": False}, [1]),
]
CASES += [({"is_test": True, **filters}, expected) for filters, expected in SANDBOX_CASES]


@pytest.mark.parametrize(("filters", "expected"), CASES)
async def test_a_list_is_filtered_and_counted(
    filled: Database, filters: dict[str, Any], expected: list[int]
) -> None:
    query = TransactionQuery(filters=TransactionFilters(**filters))
    assert await ids(filled, query) == (expected, len(expected))
    oldest = SORTS["created_at"]
    assert await ids(filled, query, page=PageRequest(limit=50, sort=oldest)) == (
        expected[::-1],
        len(expected),
    )


async def test_references_are_found_by_their_keyed_hash(filled: Database) -> None:
    by_key = TransactionFilters(business_key="PO-2")
    digests = SearchDigests(test=b"PO-2", live=b"nothing")
    assert await ids(filled, TransactionQuery(filters=by_key, business_key=digests)) == ([6, 1], 2)
    by_word = TransactionFilters(q="PO-1")
    swapped = SearchDigests(test=b"nothing", live=b"PO-1")
    assert await ids(filled, TransactionQuery(filters=by_word, q=swapped)) == ([6, 1], 2)
    assert await ids(filled, TransactionQuery(filters=by_key)) == ([], 0)


@pytest.mark.parametrize("word", SORTS)
async def test_pages_follow_one_another_in_every_order_by_offset_and_by_cursor(
    filled: Database, word: str
) -> None:
    for number in (2, 5):  # an order of their own, and two that are equal
        await touch(filled, number)
    everything, total = await ids(filled, page=PageRequest(limit=50, sort=SORTS[word]))
    assert (sorted(everything), total) == ([1, 2, 3, 4, 5, 6], 6)
    by_offset = [
        (await ids(filled, page=PageRequest(limit=2, offset=offset, sort=SORTS[word])))[0]
        for offset in (0, 2, 4, 6)
    ]
    assert by_offset == [everything[0:2], everything[2:4], everything[4:6], []]
    by_cursor: list[int] = []
    behind = None
    request = PageRequest(limit=2, sort=SORTS[word])
    while page := (await ids(filled, page=replace(request, behind=behind)))[0]:
        by_cursor += page
        last = await find(filled, page[-1], LIVE)
        assert last is not None
        times = last.transaction
        moment = times.updated_at if "updated" in word else times.created_at
        behind = Position(moment, TransactionId(page[-1]))
    assert by_cursor == everything


async def touch(database: Database, number: int) -> None:
    async def work(unit: WriteUnit) -> None:
        await unit.transactions.link(TransactionId(number), Links(doc_id=7), START + 30 * HOUR)

    await write(database, LIVE, work)


async def test_orders_are_those_that_are_named(filled: Database) -> None:
    await touch(filled, 2)
    for word, expected in (
        ("-created_at", [6, 5, 4, 3, 2, 1]),
        ("created_at", [1, 2, 3, 4, 5, 6]),
        ("-updated_at", [2, 6, 5, 4, 3, 1]),
        ("updated_at", [1, 3, 4, 5, 6, 2]),
        ("-id", [6, 5, 4, 3, 2, 1]),
        ("id", [1, 2, 3, 4, 5, 6]),
    ):
        assert (await ids(filled, page=PageRequest(limit=50, sort=SORTS[word])))[0] == expected


async def test_the_derived_status_of_the_filter_is_that_of_the_table(database: Database) -> None:
    """Every combination of the axes that there is, outbound and inbound."""
    outbound = [
        (Direction.OUTBOUND, States(ProcessingStatus.NOT_APPLICABLE, *axes))
        for axes in product(ValidationStatus, DeliveryStatus, AckStatus)
    ]
    inbound = [
        (
            Direction.INBOUND,
            States(processing, validation, DeliveryStatus.NOT_APPLICABLE, AckStatus.NOT_EXPECTED),
        )
        for processing, validation in product(ProcessingStatus, ValidationStatus)
        if processing is not ProcessingStatus.NOT_APPLICABLE
    ]
    rows = [*outbound, *inbound]

    async def work(unit: WriteUnit) -> None:
        for direction, states in rows:
            record = a_record(direction=direction, states=states)
            row = TransactionRow(record=record, facts=b"")
            await unit.transactions.insert(AccountId(1), row, any_key, START)

    await write(database, TEST, work)
    for status in TransactionStatus:
        query = TransactionQuery(filters=TransactionFilters(status=frozenset({status})))
        expected = [n for n, row in enumerate(rows, 1) if derived_status(*row) is status]
        found, total = await ids(database, query, TEST, PageRequest(limit=10_000))
        assert (sorted(found), total) == (expected, len(expected)), status


Steps = tuple[Axis, Any, Any]  # the two are statuses of the axis
STEPS: list[Steps] = [
    (Axis.PROCESSING, ProcessingStatus.NOT_APPLICABLE, ProcessingStatus.PROCESSING),
    (Axis.VALIDATION, ValidationStatus.VALID, ValidationStatus.INVALID),
    (Axis.DELIVERY, DeliveryStatus.PENDING, DeliveryStatus.SENDING),
    (Axis.ACK, AckStatus.PENDING, AckStatus.OVERDUE),
]


async def test_a_step_from_another_state_changes_nothing(database: Database) -> None:
    await stored_transaction(database, a_record())
    before = await find(database)
    for axis, start, to in STEPS:

        async def work(unit: WriteUnit, each: Steps = (axis, to, start)) -> bool:
            return await unit.transactions.step(FIRST, *each, START + HOUR)

        assert not await write(database, TEST, work), axis
    assert await find(database) == before


@pytest.mark.parametrize(("axis", "start", "to"), STEPS)
async def test_one_of_eight_writers_makes_a_step_of_an_axis(
    engine: Engine, database: Database, axis: Axis, start: AxisStatus, to: AxisStatus
) -> None:
    await stored_transaction(database, a_record())
    async with engine.open() as other:

        async def attempt(number: int) -> bool:
            async def work(unit: WriteUnit) -> bool:
                await unit.transactions.find(FIRST)
                return await unit.transactions.step(FIRST, axis, start, to, START + HOUR)

            return await write((database, other)[number % 2], TEST, work)

        assert sum(await asyncio.gather(*map(attempt, range(WRITERS)))) == 1
    stored = await find(database)
    assert stored is not None
    states = stored.transaction.record.states
    moved = dict(zip(Axis, states, strict=True))
    assert moved == {**dict(zip(Axis, SENDING, strict=True)), axis: to}
    assert stored.transaction.updated_at == START + HOUR


async def test_all_sets_of_an_interchange_are_delivered_together(database: Database) -> None:
    interchange_id, _ = await stored_interchange(database, an_interchange())
    for states in (SENDING, SENDING, states_of(delivery=DeliveryStatus.CANCELLED)):
        record = a_record(interchange_id=interchange_id, states=states)
        await stored_transaction(database, record)

    async def work(unit: WriteUnit) -> list[list[int]]:
        transactions = unit.transactions
        await transactions.count_attempt(interchange_id, START)
        steps = ((DeliveryStatus.PENDING, DeliveryStatus.SENDING),) * 2
        return [
            sorted(await transactions.step_deliveries(interchange_id, *each, START))
            for each in steps
        ]

    assert await write(database, TEST, work) == [[1, 2], []]

    async def look(unit: ReadUnit) -> list[tuple[int, str]]:
        found = await unit.transactions.list_of_interchange(interchange_id)
        rows = [each.transaction for each in found]
        return [(each.attempts, each.record.states.delivery.value) for each in rows]

    assert await read(database, TEST, look) == [(1, "sending")] * 2 + [(1, "cancelled")]


async def test_sealed_facts_follow_their_version(database: Database) -> None:
    await stored_transaction(database, a_record())

    async def store(version: int) -> bool:
        async def work(unit: WriteUnit) -> bool:
            new = SealedFacts(version=version, wrapped_key=b"w", facts=bytes([version]))
            return await unit.transactions.set_facts(FIRST, new, START)

        return await write(database, TEST, work)

    assert [await store(version) for version in (1, 3, 2, 2, 3)] == [
        False,
        False,
        True,
        False,
        True,
    ]
    stored = await find(database)
    assert stored is not None
    assert stored.sealed == SealedFacts(version=3, wrapped_key=b"w", facts=b"\x03")


async def test_what_belongs_to_a_transaction_is_added_and_the_rest_stays(
    database: Database,
) -> None:
    partner_id = await a_partner(database)
    await stored_transaction(database, a_record(doc_id=5501))

    async def work(unit: WriteUnit) -> None:
        await unit.transactions.link(FIRST, Links(partner_id=partner_id), START)
        await unit.transactions.link(FIRST, Links(output_doc_id=9, duplicate_of=FIRST), START)

    await write(database, TEST, work)
    stored = await find(database)
    assert stored is not None
    record = stored.transaction.record
    assert (record.partner_id, record.doc_id, record.duplicate_of) == (1, 5501, 1)
    assert (stored.output_doc_id, stored.transaction.partner_name) == (9, "Northwind Retail")


async def test_the_same_content_of_a_partner_is_found(database: Database) -> None:
    partner_id = await a_partner(database)
    inbound = a_record(partner_id=partner_id, direction=Direction.INBOUND, states=RECEIVING)
    for hours, record in enumerate((
        inbound,
        inbound,
        replace(inbound, direction=Direction.OUTBOUND),
    )):
        await stored_transaction(database, record, LIVE, START + hours * HOUR, digest=b"set")

    async def work(unit: ReadUnit) -> list[list[int]]:
        asked = ((SANDBOX, b"set", START), (SANDBOX, b"set", START + HOUR), (SANDBOX, b"x", START))
        twins = unit.transactions.list_duplicates
        return [[*await twins(env, partner_id, digest, since)] for env, digest, since in asked]

    assert await read(database, LIVE, work) == [[1, 2], [2], []]
