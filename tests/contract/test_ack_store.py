"""Acknowledgements, and what of ours they are compared with, on both engines."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.matching import SentGroup, SentInterchange, SentSetState
from longshore.domain.acks.model import Ack, AckForm, AckId, AckRowStatus, GroupId, NewAck
from longshore.domain.acks.store import AckQuery, SealedErrors, StoredAck
from longshore.domain.partners.model import Address, Direction, Pair, PartnerId
from longshore.domain.ports import AccountId, Scope
from longshore.domain.transactions.model import (
    AckStatus,
    InterchangeId,
    TransactionId,
)
from longshore.domain.transactions.store import SealedFacts
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.clock import START
from tests.support.database import Database, Engine
from tests.support.trading import (
    FOREIGN_LIVE,
    FOREIGN_TEST,
    IN,
    LIVE,
    OUT,
    PO_GROUP,
    PRODUCTION,
    SANDBOX,
    TEST,
    US,
    a_partner,
    a_record,
    an_ack,
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
FIRST = AckId(1)
ACCEPTED, REJECTED = AckStatus.ACCEPTED, AckStatus.REJECTED
RECEIVED, PENDING = AckRowStatus.RECEIVED, AckRowStatus.PENDING
ONE, TWO = b"1" * 32, b"2" * 32


@pytest.fixture(autouse=True)
async def sent(database: Database, accounts: AccountService) -> None:
    """Two accounts, and an interchange of two sets that the first had sent."""
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    await a_partner(database)
    interchange_id, group_id = await stored_interchange(database, an_interchange())
    for number in ("0001", "0002"):
        facts = set_facts(st_control_number=number)
        record = a_record(facts, interchange_id=interchange_id, partner_id=PartnerId(1))
        await stored_transaction(database, record, group_id=group_id)


async def store(
    database: Database, new: NewAck, given: Scope = LIVE, at: datetime = START
) -> AckId:
    async def work(unit: WriteUnit) -> AckId:
        assert given.account_id is not None
        return await unit.acks.insert(given.account_id, new, b"sealed errors", any_key, at)

    return await write(database, given, work)


async def find(database: Database, number: int = 1, given: Scope = TEST) -> StoredAck | None:
    async def work(unit: ReadUnit) -> StoredAck | None:
        return await unit.acks.find(AckId(number))

    return await read(database, given, work)


def waiting() -> NewAck:
    """Return a row that waits for what is answered to the first set."""
    return an_ack(
        transaction_id=TransactionId(1),
        partner_id=PartnerId(1),
        acked_interchange_id=InterchangeId(1),
        acked_group_id=GroupId(1),
    )


def answered(digest: bytes = ONE, result: AckStatus = ACCEPTED, hours: int = 1) -> NewAck:
    at = START + hours * HOUR
    return replace(waiting(), status=RECEIVED, result=result, digest=digest, received_at=at)


async def test_a_row_comes_back_as_it_was_stored(database: Database) -> None:
    facts = replace(
        an_ack().facts,
        group_code="P",
        group_error_codes=("5",),
        transaction_code="R",
        transaction_error_codes=("5", "23"),
        sets_included=2,
        sets_received=2,
        sets_accepted=1,
    )
    new = replace(answered(), facts=facts, is_conflict=True, doc_id=5502, expected_by=START)
    await store(database, new)
    ack = Ack(
        id=FIRST,
        account_id=AccountId(1),
        row=new,
        partner_name="Northwind Retail",
        created_at=START,
        updated_at=START,
    )
    sealed = SealedErrors(version=1, wrapped_key=b"k" * 65, facts=b"sealed errors")
    about = SealedFacts(version=1, wrapped_key=b"k" * 65, facts=b"sealed facts")
    assert await find(database) == StoredAck(ack=ack, version=1, sealed=sealed, about=about)
    assert await find(database, 1, FOREIGN_LIVE) is None


async def test_an_answer_closes_the_row_that_waited(database: Database) -> None:
    await store(database, replace(waiting(), expected_by=START))

    async def answer(version: int, new: NewAck) -> bool:
        sealed = SealedErrors(version=version + 1, wrapped_key=b"w", facts=bytes([version]))

        async def work(unit: WriteUnit) -> bool:
            return await unit.acks.answer(FIRST, version, new, sealed, START + HOUR)

        return await write(database, TEST, work)

    tries = ((2, answered()), (1, answered()), (1, answered(TWO)), (2, answered(TWO, REJECTED, 2)))
    assert [await answer(*each) for each in tries] == [False, True, False, True]
    stored = await find(database)
    assert stored is not None
    assert (stored.version, stored.ack.row) == (3, answered(TWO, REJECTED, 2))
    assert stored.sealed == SealedErrors(version=3, wrapped_key=b"w", facts=b"\x02")
    (group,) = await groups(database)
    assert group.answers == {ONE, TWO}


async def test_nothing_is_answered_to_a_row_that_is_not_there(database: Database) -> None:
    async def work(unit: WriteUnit) -> bool:
        sealed = SealedErrors(version=2, wrapped_key=b"", facts=b"")
        return await unit.acks.answer(AckId(9), 1, answered(), sealed, START)

    assert not await write(database, TEST, work)


async def groups(
    database: Database, pair: Pair = OUT, number: str = "000123", given: Scope = LIVE
) -> list[SentGroup]:
    async def work(unit: ReadUnit) -> list[SentGroup]:
        return [*await unit.acks.list_sent_groups(SANDBOX, pair, number)]

    return await read(database, given, work)


def a_set(number: int) -> SentSetState:
    return SentSetState(
        transaction_id=TransactionId(number),
        set_id="850",
        control_number=f"{number:04}",
        ack=AckStatus.PENDING,
    )


async def test_a_group_we_sent_is_found_by_pair_and_number(database: Database) -> None:
    expected = SentGroup(
        group_id=GroupId(1),
        interchange_id=InterchangeId(1),
        pair=OUT,
        gs_sender="ACME",
        gs_receiver="NWRETAIL",
        functional_id="PO",
        control_number="123",
        sent_at=None,
        sets=(a_set(1), a_set(2)),
    )
    assert await groups(database) == [expected]
    others = [
        await groups(database, IN),
        await groups(database, Pair(US, Address("01", "OTHER"))),
        await groups(database, number="124"),
        await groups(database, number="ABC"),
        await groups(database, given=FOREIGN_LIVE),
    ]
    assert others == [[]] * 5


async def test_only_what_we_sent_in_the_environment_is_a_candidate(database: Database) -> None:
    for new in (
        an_interchange(environment=PRODUCTION),
        an_interchange(direction=Direction.INBOUND),
    ):
        await stored_interchange(database, new)
    again = replace(PO_GROUP, gs_control_number="0000123", functional_id="IN")
    await stored_interchange(database, an_interchange(), group=again)
    assert [each.group_id for each in await groups(database)] == [1, 4]


async def test_an_interchange_we_sent_is_found_by_pair_and_number(database: Database) -> None:
    await store(database, answered())
    ta1 = replace(waiting().facts, ack_type=AckForm.TA1)
    await store(database, replace(answered(TWO, REJECTED), facts=ta1, acked_group_id=None))

    async def work(unit: ReadUnit) -> list[SentInterchange]:
        numbers = ("123", "124")
        return [
            each
            for number in numbers
            for each in await unit.acks.list_sent_interchanges(SANDBOX, OUT, number)
        ]

    (found,) = await read(database, TEST, work)
    assert found == SentInterchange(
        interchange_id=InterchangeId(1),
        pair=OUT,
        control_number="000000123",
        date="260115",
        time="1405",
        sent_at=None,
        sets=(a_set(1), a_set(2)),
        answers=frozenset({TWO}),
    )
    (group,) = await groups(database)
    assert group.answers == {ONE}


@pytest.mark.parametrize(("sent_after", "expected"), [(1, False), (2, False), (3, True)])
async def test_what_was_sent_after_its_answer_is_resent(
    database: Database, sent_after: int, *, expected: bool
) -> None:
    await store(database, answered(hours=1))
    await store(database, answered(TWO, hours=2))

    async def work(unit: WriteUnit) -> None:
        await unit.interchanges.set_sent(InterchangeId(1), START + sent_after * HOUR, START)

    await write(database, TEST, work)
    (group,) = await groups(database)
    assert [each.is_resent for each in group.sets] == [expected, False]


@pytest.mark.parametrize(
    ("result", "sent_after", "expected"),
    [(REJECTED, 2, [False, False]), (REJECTED, 4, [True, True]), (None, 2, [True, False])],
)
async def test_a_ta1_that_refuses_answers_every_set(
    database: Database, result: AckStatus | None, sent_after: int, expected: list[bool]
) -> None:
    """After one hour comes an answer about the first set, after three the TA1."""
    await store(database, answered(hours=1))
    facts = replace(waiting().facts, ack_type=AckForm.TA1)
    ta1 = replace(answered(TWO, hours=3), facts=facts, result=result)
    await store(database, replace(ta1, transaction_id=None, acked_group_id=None))

    async def work(unit: WriteUnit) -> None:
        await unit.interchanges.set_sent(InterchangeId(1), START + sent_after * HOUR, START)

    await write(database, TEST, work)
    (group,) = await groups(database)
    assert [each.is_resent for each in group.sets] == expected


CASES: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [5, 3, 2, 1]),
    ({"ack_types": frozenset({AckForm.TA1})}, [4]),
    ({"ack_types": frozenset()}, [5, 4, 3, 2, 1]),
    ({"statuses": frozenset({RECEIVED})}, [2]),
    ({"statuses": frozenset({PENDING})}, [5, 3, 1]),
    ({"results": frozenset({ACCEPTED, REJECTED})}, [2]),
    ({"direction": Direction.OUTBOUND}, [3]),
    ({"partner_id": PartnerId(1)}, [2, 1]),
    ({"transaction_id": TransactionId(1)}, [2, 1]),
    ({"tx_sets": frozenset({"810"})}, [3]),
    ({"tx_sets": frozenset({"8", "10"})}, []),
    ({"is_overdue": True}, [1]),
    ({"is_overdue": False}, [5, 3, 2]),
    ({"is_due": True}, [1]),
    ({"is_due": False, "statuses": frozenset({PENDING}), "is_test": True}, [3]),
    ({"is_open": True}, [5, 3, 2, 1]),
    ({"is_open": False}, []),
    ({"is_test": True}, [3, 2, 1]),
    ({"is_test": False}, [5]),
    ({"since": START + 2 * HOUR}, [5, 3]),
    ({"before": START + 2 * HOUR}, [2, 1]),
]


@pytest.mark.parametrize(("filters", "expected"), CASES)
async def test_rows_are_filtered_counted_and_paged(
    database: Database, filters: dict[str, Any], expected: list[int]
) -> None:
    of_810 = replace(an_ack().facts, tx_set="810")
    ta1 = replace(an_ack().facts, ack_type=AckForm.TA1)
    rows = [
        replace(waiting(), is_overdue=True, expected_by=START),
        answered(),
        an_ack(facts=of_810, direction=Direction.OUTBOUND),
        an_ack(facts=ta1),
        an_ack(environment=PRODUCTION),
    ]
    for hours, row in enumerate(rows):
        await store(database, row, at=START + hours * HOUR)
    query = AckQuery(**filters)

    async def work(unit: ReadUnit) -> tuple[list[int], int, list[int]]:
        found = [each.ack.id for each in await unit.acks.list(query, 50, 0)]
        page = [each.ack.id for each in await unit.acks.list(query, 1, 1)]
        return [*found], await unit.acks.count(query), [*page]

    assert await read(database, LIVE, work) == (expected, len(expected), expected[1:2])
    assert (await read(database, FOREIGN_LIVE, work))[1] == 0


async def test_the_rows_of_a_transaction_are_listed_oldest_first(database: Database) -> None:
    for row in (waiting(), an_ack(), answered()):
        await store(database, row)

    async def work(unit: ReadUnit) -> list[int]:
        return [each.ack.id for each in await unit.acks.list_of_transaction(TransactionId(1))]

    assert await read(database, TEST, work) == [1, 3]


async def overdue(database: Database, now: datetime, most: int = 9) -> list[int]:
    async def work(unit: ReadUnit) -> list[int]:
        return [each.ack.id for each in await unit.acks.list_overdue(now, most)]

    return await read(database, LIVE, work)


async def test_what_is_overdue_is_listed_until_it_is_marked(database: Database) -> None:
    for hours in (3, 1, 2):
        await store(database, replace(waiting(), expected_by=START + hours * HOUR))
    await store(database, replace(answered(), expected_by=START))
    await store(database, waiting())
    assert await overdue(database, START + HOUR) == []
    assert await overdue(database, START + 4 * HOUR) == [2, 3, 1]
    assert await overdue(database, START + 4 * HOUR, 1) == [2]

    async def mark(unit: WriteUnit) -> list[bool]:
        now = START + 3 * HOUR
        return [await unit.acks.mark_overdue(AckId(each), now) for each in (2, 2, 1, 4, 5)]

    assert await write(database, TEST, mark) == [True, False, False, False, False]
    assert await overdue(database, START + 4 * HOUR) == [3, 1]
    marked = await find(database, 2)
    assert marked is not None
    assert (marked.ack.row.is_overdue, marked.ack.row.status) == (True, PENDING)


async def test_a_sending_moves_what_is_expected_while_it_waits(database: Database) -> None:
    await store(database, waiting())
    await store(database, answered())

    async def work(unit: WriteUnit) -> list[bool]:
        times = (START + HOUR, START + 49 * HOUR, START + HOUR)
        return [await unit.acks.expect(AckId(each), *times) for each in (1, 2)]

    assert await write(database, TEST, work) == [True, False]
    stored = await find(database)
    assert stored is not None
    row = stored.ack.row
    assert (row.sent_at, row.expected_by) == (START + HOUR, START + 49 * HOUR)


async def test_ours_is_sent_once_even_after_it_was_given_up(database: Database) -> None:
    ours = an_ack(direction=Direction.OUTBOUND)
    for row in (ours, ours, waiting(), ours):
        await store(database, row)

    async def work(unit: WriteUnit) -> list[bool]:
        tries = (
            (1, AckRowStatus.SENT),
            (1, AckRowStatus.FAILED),
            (2, AckRowStatus.FAILED),
            (2, AckRowStatus.FAILED),
            (3, AckRowStatus.SENT),
            (4, AckRowStatus.FAILED),
            (4, AckRowStatus.SENT),
        )
        return [await unit.acks.finish_ours(AckId(each), to, START) for each, to in tries]

    assert await write(database, TEST, work) == [True, False, True, False, False, True, True]
    rows = [await find(database, number) for number in (1, 2, 4)]
    assert [row and (row.ack.row.status, row.ack.row.sent_at) for row in rows] == [
        (AckRowStatus.SENT, START),
        (AckRowStatus.FAILED, None),
        (AckRowStatus.SENT, START),
    ]


async def test_the_rows_of_an_interchange_are_listed_oldest_first(database: Database) -> None:
    for number in (1, 2):
        await stored_interchange(database, an_interchange(f"00000000{number}"))
    for number in (1, 2, 1):
        row = an_ack(direction=Direction.OUTBOUND, interchange_id=InterchangeId(number))
        await store(database, row)

    async def work(unit: ReadUnit) -> list[int]:
        return [each.ack.id for each in await unit.acks.list_of_interchange(InterchangeId(1))]

    assert await read(database, TEST, work) == [1, 3]
    assert await read(database, FOREIGN_TEST, work) == []


ANSWER = SealedErrors(version=2, wrapped_key=b"w", facts=b"f")
RACES: Mapping[str, Callable[[WriteUnit], Awaitable[bool]]] = {
    "answer": lambda unit: unit.acks.answer(FIRST, 1, answered(), ANSWER, START),
    "overdue": lambda unit: unit.acks.mark_overdue(FIRST, START + HOUR),
    "finish": lambda unit: unit.acks.finish_ours(AckId(2), AckRowStatus.SENT, START),
}


@pytest.mark.parametrize("name", RACES)
async def test_one_of_eight_writers_wins_each_conditional_change(
    engine: Engine, database: Database, name: str
) -> None:
    await store(database, replace(waiting(), expected_by=START))
    await store(database, an_ack(direction=Direction.OUTBOUND))
    async with engine.open() as other:

        async def attempt(number: int) -> bool:
            async def work(unit: WriteUnit) -> bool:
                await unit.acks.find(FIRST)
                return await RACES[name](unit)

            return await write((database, other)[number % 2], TEST, work)

        assert sum(await asyncio.gather(*map(attempt, range(WRITERS)))) == 1
