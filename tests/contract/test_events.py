"""The feed of events: a reader who goes on after the last id it saw misses nothing."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.events.model import EventId, EventType, NewEvent, SealedEvent
from longshore.domain.events.writer import EventWriter, open_message
from longshore.domain.ports import AccountId, Scope, SealBrokenError
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START
from tests.support.database import Database, Engine
from tests.support.trading import (
    FOREIGN_LIVE,
    LIVE,
    PRODUCTION,
    SANDBOX,
    TEST,
    read,
    write,
)
from tests.support.vault import a_sealer

WRITERS, UNITS = 8, 25
QUEUED = NewEvent(
    type=EventType.TRANSACTION_QUEUED,
    data={"transaction_id": 7, "status": "queued"},
    transaction_id=7,
    actor="key 3",
)


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


async def record(
    database: Database, *events: NewEvent, given: Scope = TEST, environment: Environment = SANDBOX
) -> tuple[EventId, ...]:
    async def work(unit: WriteUnit) -> tuple[EventId, ...]:
        assert given.account_id is not None
        writer = EventWriter(unit, a_sealer(), (given.account_id, environment))
        return await writer.record_at_once(events, START)

    return await write(database, given, work)


async def after(
    database: Database,
    position: int,
    limit: int = 1_000,
    given: Scope = TEST,
    types: frozenset[EventType] = frozenset(),
) -> list[SealedEvent]:
    assert given.environment is not None
    environment = given.environment

    async def work(unit: ReadUnit) -> list[SealedEvent]:
        return [*await unit.events.list_after(environment, position, limit, types)]

    return await read(database, given, work)


async def test_an_event_comes_back_as_it_was_recorded(database: Database) -> None:
    said = replace(QUEUED, message="Sent again: the partner had lost it.")
    assert await record(database, QUEUED, said) == (1, 2)
    first, second = await after(database, 0)
    assert first == SealedEvent(
        id=EventId(1),
        account_id=AccountId(1),
        environment=SANDBOX,
        type=EventType.TRANSACTION_QUEUED,
        data={"transaction_id": 7, "status": "queued"},
        transaction_id=7,
        actor="key 3",
        created_at=START,
    )
    assert open_message(a_sealer(), first) == ""
    assert open_message(a_sealer(), second) == "Sent again: the partner had lost it."
    with pytest.raises(SealBrokenError):
        open_message(a_sealer(), replace(second, id=EventId(3)))


async def append(
    database: Database, *groups: tuple[NewEvent, ...], given: Scope = TEST
) -> Sequence[EventId]:
    """Record groups of events in one unit; return the ids that the unit sees before it ends."""

    async def work(unit: WriteUnit) -> Sequence[EventId]:
        assert given.account_id is not None
        for events in groups:
            await EventWriter(unit, a_sealer(), (given.account_id, SANDBOX)).record(events, START)
        return [each.id for each in await unit.events.list_after(SANDBOX, 0, 1_000)]

    return await write(database, given, work)


async def test_nothing_recorded_draws_no_id(database: Database) -> None:
    assert await append(database, ()) == []
    assert await record(database, QUEUED) == (1,)


async def test_ids_are_drawn_when_the_unit_ends_unless_a_message_needs_one(
    database: Database,
) -> None:
    others = [replace(QUEUED, transaction_id=number) for number in range(1, 6)]
    said = replace(QUEUED, message="Said 'it' \\ \u0000 ü: \ud7ff", transaction_id=6)
    assert await append(database, (others[0], others[1])) == []
    assert await append(database, (others[2],), (said,), (others[3], others[4])) == [1, 2, 3, 4]
    found = await after(database, 0)
    assert [(each.id, each.transaction_id) for each in found] == [
        *((1, 1), (2, 2), (3, 3), (4, 6), (5, 4), (6, 5)),
    ]
    assert found[4] == replace(found[0], id=EventId(5), transaction_id=4)
    assert [open_message(a_sealer(), each) for each in found[3:5]] == [said.message, ""]


async def test_pages_follow_one_another_in_each_environment(database: Database) -> None:
    for environment in (SANDBOX, PRODUCTION, SANDBOX, SANDBOX):
        await record(database, QUEUED, given=LIVE, environment=environment)
    await record(database, QUEUED, given=FOREIGN_LIVE)
    pages = [[each.id for each in await after(database, at, 2)] for at in (0, 3, 4)]
    assert pages == [[1, 3], [4], []]
    assert [each.id for each in await after(database, 0, given=LIVE)] == [2]
    assert [each.id for each in await after(database, 0, given=FOREIGN_LIVE)] == []


async def test_events_are_found_by_type_and_by_transaction(database: Database) -> None:
    stored = NewEvent(type=EventType.DOCUMENT_STORED)
    await record(database, QUEUED, stored, replace(QUEUED, transaction_id=8), QUEUED)
    types = frozenset({EventType.DOCUMENT_STORED, EventType.MAP_SAVED})
    assert [each.id for each in await after(database, 0, types=types)] == [2]

    async def work(unit: ReadUnit) -> tuple[list[int], object, object]:
        timeline = [each.id for each in await unit.events.list_of_transaction(7)]
        return [*timeline], await unit.events.find(EventId(2)), await unit.events.find(EventId(9))

    timeline, found, none = await read(database, TEST, work)
    assert (timeline, none) == ([1, 4], None)
    assert isinstance(found, SealedEvent)
    assert found.type is EventType.DOCUMENT_STORED


async def test_a_unit_that_fails_leaves_no_gap(database: Database) -> None:
    async def work(unit: WriteUnit) -> None:
        writer = EventWriter(unit, a_sealer(), (AccountId(1), SANDBOX))
        await writer.record([QUEUED], START)
        await writer.record_at_once([QUEUED], START)
        await writer.record([QUEUED], START)
        raise KeyError

    with pytest.raises(KeyError):
        await write(database, TEST, work)
    assert await record(database, QUEUED) == (1,)


async def test_a_reader_beside_racing_writers_misses_no_event(engine: Engine) -> None:
    async with engine.open() as one, engine.open() as other, engine.open() as third:
        running = WRITERS

        async def writing(database: Database) -> None:
            nonlocal running
            for number in range(UNITS):
                said = replace(QUEUED, message="said" * (number % 5 == 0))
                await append(database, (said,) * (1 + number % 3))
            running -= 1

        async def reading() -> list[int]:
            seen: list[int] = []
            is_last = False
            while not is_last:
                is_last = running == 0  # and then once more
                seen += [each.id for each in await after(third, seen[-1] if seen else 0, 7)]
                is_last &= not await after(third, seen[-1] if seen else 0, 1)
            return seen

        writers = [writing(each) for each in [one, other] * (WRITERS // 2)]
        seen, *_ = await asyncio.gather(reading(), *writers)
    total = WRITERS * sum(1 + number % 3 for number in range(UNITS))
    assert seen == [*range(1, total + 1)]
