"""Requests that are carried out once: of twins at once one claims the key (R12)."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.idempotency.store import (
    KEY_RETENTION,
    NewKey,
    Purpose,
    StoredRequest,
    StoredRequestId,
    associated_data_of,
)
from longshore.domain.ports import AccountId, AssociatedData, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.clock import START
from tests.support.database import Database, Engine
from tests.support.trading import FOREIGN_LIVE, LIVE, PRODUCTION, SANDBOX, TEST, read, write

TWINS = 64
KEY = NewKey(
    account_id=AccountId(1),
    environment=SANDBOX,
    purpose=Purpose.SUBMIT,
    key_digest=b"k" * 32,
    request_digest=b"r" * 32,
)


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


async def claim(
    database: Database, key: NewKey = KEY, now: datetime = START, given: Scope = TEST
) -> StoredRequestId | None:
    async def work(unit: WriteUnit) -> StoredRequestId | None:
        return await unit.idempotency.claim(key, now, now - KEY_RETENTION)

    return await write(database, given, work)


async def find(database: Database, key: NewKey = KEY, given: Scope = TEST) -> StoredRequest | None:
    async def work(unit: ReadUnit) -> StoredRequest | None:
        return await unit.idempotency.find(key)

    return await read(database, given, work)


async def test_what_was_answered_is_kept(database: Database) -> None:
    async def work(unit: WriteUnit) -> None:
        claimed = await unit.idempotency.claim(KEY, START, START - KEY_RETENTION)
        assert claimed == 1
        await unit.idempotency.finish(claimed, 200, 10042)
        await unit.idempotency.set_answer(claimed, b"w" * 65, b"sealed")

    await write(database, TEST, work)
    assert await find(database, replace(KEY, request_digest=b"other")) == StoredRequest(
        id=StoredRequestId(1),
        request_digest=b"r" * 32,
        status=200,
        subject_id=10042,
        created_at=START,
        wrapped_key=b"w" * 65,
        answer=b"sealed",
    )
    place = AssociatedData(
        account_id=AccountId(1), environment=SANDBOX, kind="idempotency_key", id=1
    )
    assert associated_data_of(KEY, StoredRequestId(1)) == place


async def test_a_key_is_claimed_once_in_its_place(database: Database) -> None:
    assert await claim(database) == 1
    assert await claim(database, replace(KEY, request_digest=b"other")) is None
    others = [
        replace(KEY, purpose=Purpose.RECEIVE_KEY),
        replace(KEY, key_digest=b"o" * 32),
        replace(KEY, environment=PRODUCTION),
    ]
    assert None not in [await claim(database, each, given=LIVE) for each in others]
    foreign = replace(KEY, account_id=AccountId(2))
    assert await find(database, foreign, FOREIGN_LIVE) is None
    assert await claim(database, foreign, given=FOREIGN_LIVE) is not None


async def test_a_key_is_kept_for_seven_days_and_may_be_claimed_again_then(
    database: Database,
) -> None:
    first = await claim(database)
    assert await claim(database, now=START + KEY_RETENTION) is None
    again = await claim(database, now=START + KEY_RETENTION + timedelta(microseconds=1))
    assert again not in {None, first}


async def test_a_unit_that_fails_claims_nothing(database: Database) -> None:
    async def work(unit: WriteUnit) -> None:
        await unit.idempotency.claim(KEY, START, START)
        raise KeyError

    with pytest.raises(KeyError):
        await write(database, TEST, work)
    assert await find(database) is None
    assert await claim(database) is not None


async def test_one_of_64_twins_claims_and_the_others_find_its_answer(engine: Engine) -> None:
    async def twin(database: Database) -> tuple[bool, int | None]:
        async def work(unit: WriteUnit) -> tuple[bool, int | None]:
            claimed = await unit.idempotency.claim(KEY, START, START - KEY_RETENTION)
            if claimed is not None:
                await unit.idempotency.finish(claimed, 200, 7)
            kept = await unit.idempotency.find(KEY)
            assert kept is not None
            return claimed is not None, kept.subject_id

        return await write(database, TEST, work)

    async with engine.open() as one, engine.open() as other:
        answers = await asyncio.gather(*map(twin, [one, other] * (TWINS // 2)))
    assert sorted(answers) == [*[(False, 7)] * (TWINS - 1), (True, 7)]


async def test_old_keys_are_forgotten_oldest_first(database: Database) -> None:
    for number in range(4):
        key = replace(KEY, key_digest=bytes([number]) * 32)
        await claim(database, key, START + timedelta(hours=number))

    async def forget(most: int) -> int:
        async def work(unit: WriteUnit) -> int:
            return await unit.idempotency.delete_older(START + timedelta(hours=3), most)

        return await write(database, TEST, work)

    assert [await forget(2), await forget(2), await forget(2)] == [2, 1, 0]
    left = [await find(database, replace(KEY, key_digest=bytes([each]) * 32)) for each in range(4)]
    assert [each is None for each in left] == [True, True, True, False]
