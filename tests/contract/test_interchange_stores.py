"""Receipts, interchanges and functional groups, on both engines."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.interchanges.store import (
    Interchange,
    InterchangeQuery,
    InterchangeStatus,
    NewReceipt,
    ReceiptId,
    ReceiptStatus,
    StoredReceipt,
)
from longshore.domain.partners.model import Direction, InboundToken, InboundTokenId, PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.clock import START
from tests.support.database import Database, Engine
from tests.support.trading import (
    FOREIGN_LIVE,
    IN,
    LIVE,
    OUT,
    PO_GROUP,
    PRODUCTION,
    SANDBOX,
    SEALED,
    TEST,
    a_partner,
    a_receipt,
    an_interchange,
    any_key,
    read,
    stored_interchange,
    write,
)

HOUR = timedelta(hours=1)
WRITERS = 8
TOKEN = InboundTokenId(1)
RECEIVED, QUARANTINED = InterchangeStatus.RECEIVED, InterchangeStatus.QUARANTINED


@pytest.fixture(autouse=True)
async def a_token(database: Database, accounts: AccountService) -> None:
    """Two accounts, the first with a partner and a token."""
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    partner_id = await a_partner(database)

    async def work(unit: WriteUnit) -> None:
        token = InboundToken(
            id=TOKEN,
            account_id=AccountId(1),
            partner_id=partner_id,
            environment=SANDBOX,
            digest=b"digest",
            created_at=START,
        )
        await unit.tokens.insert(token, b"", any_key)

    await write(database, LIVE, work)


async def receive(database: Database, new: NewReceipt, hours: int = 0) -> ReceiptId:
    async def work(unit: WriteUnit) -> ReceiptId:
        at = START + hours * HOUR
        return await unit.receipts.insert(AccountId(1), new, SEALED, any_key, at)

    return await write(database, LIVE, work)


async def test_a_receipt_comes_back_as_it_was_stored(database: Database) -> None:
    new = a_receipt(partner_id=PartnerId(1), token_id=TOKEN, key_digest=b"key")
    assert await receive(database, new) == 1

    async def work(unit: ReadUnit) -> object:
        return await unit.receipts.find(ReceiptId(1))

    stored = StoredReceipt(
        id=ReceiptId(1),
        account_id=AccountId(1),
        new=new,
        status=ReceiptStatus.RECEIVED,
        created_at=START,
        finished_at=None,
    )
    assert await read(database, TEST, work) == (stored, replace(SEALED, wrapped_key=b"k" * 65))
    assert await read(database, FOREIGN_LIVE, work) is None


async def test_a_twin_is_found_on_its_token_since_a_moment(database: Database) -> None:
    new = a_receipt(token_id=TOKEN, key_digest=b"key")
    for hours in (0, 2, 4):
        await receive(database, new, hours)
    await receive(database, a_receipt(digest=b"other"), 5)

    async def work(unit: ReadUnit) -> list[Any]:
        receipts = unit.receipts
        moments = [START, START + HOUR, START + 5 * HOUR]
        twins = [await receipts.find_duplicate(TOKEN, new.digest, each) for each in moments]
        twins += [await receipts.find_by_key(TOKEN, b"key", each) for each in moments]
        none = await receipts.find_duplicate(InboundTokenId(2), new.digest, START)
        none_of_key = await receipts.find_by_key(TOKEN, b"another", START)
        return [each and each.id for each in (*twins, none, none_of_key)]

    assert await read(database, TEST, work) == [1, 2, None, 1, 2, None, None, None]


async def test_what_nobody_has_processed_is_listed_oldest_first(database: Database) -> None:
    for hours in (0, 1, 2):
        await receive(database, a_receipt(), hours)

    async def finish(unit: WriteUnit) -> list[bool]:
        done = ReceiptStatus.PROCESSED
        return [await unit.receipts.finish(ReceiptId(2), done, START) for _ in range(2)]

    assert await write(database, TEST, finish) == [True, False]

    async def work(unit: ReadUnit) -> list[list[int]]:
        pages = ((START + 3 * HOUR, 9), (START + 2 * HOUR, 9), (START + 3 * HOUR, 1))
        return [[one.id for one in await unit.receipts.list_unfinished(*each)] for each in pages]

    assert await read(database, TEST, work) == [[1, 3], [1], [1]]


async def find(database: Database, number: int) -> Interchange:
    async def work(unit: ReadUnit) -> Interchange:
        found = await unit.interchanges.find(InterchangeId(number))
        assert found is not None
        assert found[1] == replace(SEALED, wrapped_key=b"k" * 65)
        return found[0]

    return await read(database, LIVE, work)


async def test_an_interchange_comes_back_with_its_groups(database: Database) -> None:
    await receive(database, a_receipt())
    new = an_interchange(
        "000000077",
        pair=IN,
        direction=Direction.INBOUND,
        status=QUARANTINED,
        reason="unknown_sender",
        receipt_id=ReceiptId(1),
        partner_id=PartnerId(1),
        doc_id=5501,
    )
    assert await stored_interchange(database, new) == (1, 1)
    assert await find(database, 1) == Interchange(
        id=InterchangeId(1),
        account_id=AccountId(1),
        new=new,
        sent_at=None,
        created_at=START,
        updated_at=START,
    )

    async def work(unit: ReadUnit) -> list[object]:
        of_receipt = [each.id for each in await unit.interchanges.list_of_receipt(ReceiptId(1))]
        return [*await unit.interchanges.list_groups(InterchangeId(1)), *of_receipt]

    assert await read(database, TEST, work) == [(1, PO_GROUP), 1]
    assert await read(database, FOREIGN_LIVE, work) == []


async def test_what_came_under_the_same_number_is_listed_newest_first(database: Database) -> None:
    received = an_interchange(pair=IN, direction=Direction.INBOUND)
    for number in ("000000123", "000000124", "123", "ABC"):
        await stored_interchange(database, replace(received, isa_control_number=number))
    await stored_interchange(database, replace(received, environment=PRODUCTION))
    await stored_interchange(database, an_interchange(pair=IN))
    await stored_interchange(database, replace(received, pair=OUT))

    async def work(unit: ReadUnit) -> list[list[int]]:
        numbers = ("000000123", "0123", "ABC")
        return [
            [each.id for each in await unit.interchanges.list_same_number(SANDBOX, IN, number)]
            for number in numbers
        ]

    assert await read(database, LIVE, work) == [[3, 1], [3, 1], []]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, [4, 3, 2, 1]),
        ({"statuses": frozenset({QUARANTINED, RECEIVED})}, [3, 2]),
        ({"direction": Direction.OUTBOUND}, [4, 1]),
        ({"partner_id": PartnerId(1)}, [3]),
        ({"since": START + 2 * HOUR}, [4, 3]),
        ({"before": START + 2 * HOUR}, [2, 1]),
        ({"environment": PRODUCTION}, [5]),
    ],
)
async def test_interchanges_are_filtered_counted_and_paged(
    database: Database, filters: dict[str, Any], expected: list[int]
) -> None:
    received = an_interchange(direction=Direction.INBOUND, status=RECEIVED)
    held = replace(received, status=QUARANTINED, partner_id=PartnerId(1))
    rows = (an_interchange(), received, held, an_interchange())
    for hours, new in enumerate((*rows, an_interchange(environment=PRODUCTION))):
        await stored_interchange(database, new, at=START + hours * HOUR)
    query = InterchangeQuery(**{"environment": SANDBOX, **filters})

    async def work(unit: ReadUnit) -> tuple[list[int], int, list[int]]:
        found = [each.id for each in await unit.interchanges.list(query, 50, 0)]
        page = [each.id for each in await unit.interchanges.list(query, 2, 1)]
        return [*found], await unit.interchanges.count(query), [*page]

    assert await read(database, LIVE, work) == (expected, len(expected), expected[1:3])


async def test_the_latest_sending_is_kept_of_an_interchange_and_its_groups(
    database: Database,
) -> None:
    await stored_interchange(database, an_interchange())

    async def work(unit: WriteUnit) -> None:
        for hours in (1, 3, 2):
            await unit.interchanges.set_sent(InterchangeId(1), START + hours * HOUR, START)
        await unit.interchanges.assign(InterchangeId(1), PartnerId(1), START + 4 * HOUR)

    await write(database, TEST, work)
    stored = await find(database, 1)
    assert (stored.sent_at, stored.new.partner_id) == (START + 3 * HOUR, 1)
    assert stored.updated_at == START + 4 * HOUR


@pytest.mark.parametrize("kind", ["interchange", "receipt"])
async def test_one_of_eight_writers_makes_a_step(
    engine: Engine, database: Database, kind: str
) -> None:
    await stored_interchange(database, an_interchange(status=QUARANTINED))
    await receive(database, a_receipt())
    async with engine.open() as other:

        async def attempt(number: int) -> bool:
            async def work(unit: WriteUnit) -> bool:
                if kind == "receipt":
                    return await unit.receipts.finish(ReceiptId(1), ReceiptStatus.FAILED, START)
                return await unit.interchanges.step(
                    InterchangeId(1), QUARANTINED, RECEIVED, None, START
                )

            return await write((database, other)[number % 2], TEST, work)

        assert sum(await asyncio.gather(*map(attempt, range(WRITERS)))) == 1
