"""The outbox: claimed by one worker at a time, in order, and fenced (R22, R23)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import (
    NO_RESERVED_SLOTS,
    AttemptId,
    AttemptResult,
    ClaimRequest,
    DeliveryAttempt,
    JobKind,
    Lease,
    NewOutboxEntry,
    OutboxEntry,
    OutboxId,
    OutboxState,
    ReservedSlots,
)
from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.delivery.worker import DELIVERIES
from longshore.domain.ports import SYSTEM, AccountId, Scope
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.clock import START
from tests.support.database import Database, Engine
from tests.support.trading import (
    FOREIGN_LIVE,
    LIVE,
    PRODUCTION,
    SANDBOX,
    TEST,
    a_partner,
    an_interchange,
    read,
    stored_interchange,
    write,
)

WORKERS, WRITERS = 4, 8
LEASE = timedelta(seconds=30)
SECOND = timedelta(seconds=1)
DOCUMENT = NewOutboxEntry(kind="document", environment=SANDBOX, due_at=START)
DUE, HELD, DONE, DEAD = OutboxState.DUE, OutboxState.HELD, OutboxState.DONE, OutboxState.DEAD


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


async def put(database: Database, *entries: NewOutboxEntry, given: Scope = LIVE) -> list[OutboxId]:
    async def work(unit: WriteUnit) -> list[OutboxId]:
        account_id = given.account_id
        assert account_id is not None
        return [await unit.outbox.insert(account_id, each, START) for each in entries]

    return await write(database, given, work)


async def claim(
    database: Database,
    now: datetime = START,
    most: int = 100,
    owner: str = "worker 1",
    reserved: ReservedSlots = NO_RESERVED_SLOTS,
) -> list[OutboxEntry]:
    until = now + LEASE
    request = ClaimRequest(owner=owner, now=now, lease_until=until, most=most, reserved=reserved)

    async def work(unit: WriteUnit) -> list[OutboxEntry]:
        return [*await unit.outbox.claim(request)]

    return await write(database, SYSTEM, work)


async def claimed(database: Database, now: datetime = START, most: int = 100) -> list[int]:
    return [each.id for each in await claim(database, now, most)]


async def finish(
    database: Database, lease: Lease, to: OutboxState = DONE, given: Scope = TEST
) -> bool:
    async def work(unit: WriteUnit) -> bool:
        return await unit.outbox.finish(lease, to, START)

    return await write(database, given, work)


def lease(number: int, attempt: int = 1) -> Lease:
    return Lease(id=OutboxId(number), attempt=attempt)


async def test_an_entry_is_leased_to_who_claims_it(database: Database) -> None:
    partner_id = await a_partner(database)
    interchange_id, _ = await stored_interchange(database, an_interchange())
    new = replace(DOCUMENT, partner_id=partner_id, order_key="1/PO", interchange_id=interchange_id)
    assert await put(database, new) == [1]
    (entry,) = await claim(database)
    assert entry == OutboxEntry(
        id=OutboxId(1),
        account_id=AccountId(1),
        new=replace(new, due_at=START + LEASE),
        state=OutboxState.LEASED,
        attempt=1,
        lease_owner="worker 1",
        created_at=START,
        updated_at=START,
    )

    async def look(unit: ReadUnit) -> list[object]:
        of_interchange = await unit.outbox.list_of_interchange(interchange_id)
        return [await unit.outbox.find(OutboxId(1)), *of_interchange]

    assert await read(database, TEST, look) == [entry, entry]
    assert await read(database, FOREIGN_LIVE, look) == [None]


async def test_what_one_worker_has_leased_is_told_apart(database: Database) -> None:
    await put(database, DOCUMENT, DOCUMENT, DOCUMENT, DOCUMENT)
    for owner, most in (("one", 2), ("other", 1)):
        await claim(database, most=most, owner=owner)
    await finish(database, lease(1))

    async def leased(unit: ReadUnit) -> list[list[int]]:
        owners = ("one", "other", "nobody")
        return [[each.id for each in await unit.outbox.list_leased(owner)] for owner in owners]

    assert await read(database, SYSTEM, leased) == [[2], [3], []]


async def test_no_account_claims_only_the_system_scope_does(database: Database) -> None:
    await put(database, DOCUMENT, replace(DOCUMENT, environment=PRODUCTION))
    await put(database, DOCUMENT, given=FOREIGN_LIVE)
    assert await claimed(database) == [1, 2, 3]


async def test_what_is_due_is_claimed_the_longest_due_first(database: Database) -> None:
    dues = (3, 1, 2, 9)
    await put(database, *[replace(DOCUMENT, due_at=START + each * SECOND) for each in dues])
    assert await claimed(database, START) == []
    assert await claimed(database, START + 3 * SECOND, 2) == [2, 3]
    assert await claimed(database, START + 3 * SECOND, 2) == [1]

    async def next_due(unit: ReadUnit) -> datetime | None:
        return await unit.outbox.next_due()

    assert await read(database, SYSTEM, next_due) == START + 9 * SECOND
    assert await claimed(database, START + 9 * SECOND) == [4]


async def test_reserved_slots_come_before_what_has_been_due_for_longer(database: Database) -> None:
    kinds = ["receive"] * 4 + ["document"] * 3
    dues = [START + number * SECOND for number in range(len(kinds))]
    await put(
        database,
        *[replace(DOCUMENT, kind=kind, due_at=at) for kind, at in zip(kinds, dues, strict=True)],
    )
    found = [
        [each.id for each in await claim(database, dues[-1], most, reserved=ReservedSlots(*slots))]
        for most, *slots in ((1, 1, 1), (2, 0, 0), (2, 5, 1), (9, 5, 5))
    ]
    assert found == [[5], [1, 2], [6, 7], [3, 4]]


async def test_slots_of_deliveries_are_for_all_kinds_that_are_sent(database: Database) -> None:
    kinds = [*JobKind]
    await put(database, *[replace(DOCUMENT, kind=each) for each in kinds])
    count = len(DELIVERIES)
    found = await claim(database, most=count, reserved=ReservedSlots(deliveries=count))
    assert {each.new.kind for each in found} == DELIVERIES
    rest = [each.new.kind for each in await claim(database)]
    assert rest == [each for each in kinds if each not in {*DELIVERIES, JobKind.WEBHOOK}]


async def test_a_later_entry_of_a_key_waits_for_the_earlier(database: Database) -> None:
    first, other, free = (replace(DOCUMENT, order_key=each) for each in ("1/PO", "1/IN", None))
    late = replace(first, due_at=START + 9 * SECOND)
    await put(database, first, first, other, free, free, late)
    await put(database, first, given=FOREIGN_LIVE)
    await put(database, replace(first, environment=PRODUCTION))
    assert await claimed(database) == [1, 3, 4, 5, 7, 8]
    assert await claimed(database) == []
    assert await finish(database, lease(1))
    assert await claimed(database) == [2]
    assert await finish(database, lease(2), DEAD)
    assert await claimed(database, START + 9 * SECOND) == [6]


@pytest.mark.parametrize("to", [DONE, DEAD, OutboxState.CANCELLED])
async def test_an_entry_that_waits_holds_up_the_later_until_it_ends(
    database: Database, to: OutboxState
) -> None:
    keyed = replace(DOCUMENT, order_key="1/PO")
    await put(database, replace(keyed, is_held=True), keyed)
    assert await claimed(database) == []

    async def change(unit: WriteUnit) -> list[bool]:
        steps = ((DUE, DONE), (HELD, to), (HELD, to), (OutboxState.LEASED, DONE))
        outbox = unit.outbox
        return [await outbox.change_waiting(OutboxId(1), *each, START, START) for each in steps]

    assert await write(database, TEST, change) == [False, True, False, False]
    assert await claimed(database) == [2]


async def test_a_lease_that_ended_is_due_again_and_counts_one_more(database: Database) -> None:
    await put(database, DOCUMENT)
    assert await claimed(database) == [1]
    assert await claimed(database, START + LEASE - SECOND) == []
    (again,) = await claim(database, START + LEASE, owner="worker 2")
    assert (again.attempt, again.lease_owner) == (2, "worker 2")


async def test_a_worker_whose_lease_ended_is_fenced(database: Database) -> None:
    await put(database, DOCUMENT)
    (stale,) = await claim(database)
    (current,) = await claim(database, START + LEASE, owner="worker 2")

    async def late(unit: WriteUnit) -> list[bool]:
        outbox, old = unit.outbox, lease(1, stale.attempt)
        return [
            await outbox.renew(old, START + 9 * LEASE),
            await outbox.put_back(old, START, START),
            await outbox.finish(old, DONE, START),
        ]

    assert await write(database, TEST, late) == [False, False, False]
    assert await finish(database, lease(1, current.attempt))
    assert not await finish(database, lease(1, current.attempt))


async def test_a_lease_is_prolonged_and_given_back(database: Database) -> None:
    await put(database, DOCUMENT)
    await claim(database)

    async def work(unit: WriteUnit) -> bool:
        return await unit.outbox.renew(lease(1), START + 2 * LEASE)

    assert await write(database, TEST, work)
    assert await claimed(database, START + LEASE) == []

    async def give_back(unit: WriteUnit) -> bool:
        return await unit.outbox.put_back(lease(1), START + 5 * SECOND, START)

    assert await write(database, TEST, give_back)
    assert await claimed(database, START + 4 * SECOND) == []
    (again,) = await claim(database, START + 5 * SECOND)
    assert again.attempt == 2


async def test_a_foreign_account_ends_nothing(database: Database) -> None:
    await put(database, DOCUMENT)
    await claim(database)
    assert not await finish(database, lease(1), given=FOREIGN_LIVE)
    assert await finish(database, lease(1))


FAILED = AttemptResult(
    finished_at=START + SECOND,
    outcome=AttemptOutcome.FAILED,
    http_status=503,
    error_code="http_503",
    next_attempt_at=START + 6 * SECOND,
    wrapped_key=b"k",
    facts=b"sealed",
)
ENTRY = OutboxEntry(
    id=OutboxId(1),
    account_id=AccountId(1),
    new=DOCUMENT,
    state=OutboxState.LEASED,
    attempt=1,
    lease_owner="worker 1",
    created_at=START,
    updated_at=START,
)
RACES: Mapping[str, Callable[[WriteUnit], Awaitable[object]]] = {
    "finish": lambda unit: unit.outbox.finish(lease(1), DONE, START),
    "dead": lambda unit: unit.outbox.finish(lease(1), DEAD, START),
    "put back": lambda unit: unit.outbox.put_back(lease(1), START, START),
    "hold": lambda unit: unit.outbox.change_waiting(OutboxId(2), DUE, HELD, START, START),
    "begin": lambda unit: unit.outbox.begin_attempt(ENTRY, "<1@here>", START),
    "end": lambda unit: unit.outbox.end_attempt(lease(3), FAILED),
    "lose": lambda unit: unit.outbox.lose_attempts(lease(3, 2), START),
}


@pytest.mark.parametrize("name", RACES)
async def test_one_of_eight_writers_wins_each_conditional_change(
    engine: Engine, database: Database, name: str
) -> None:
    await put(database, DOCUMENT)
    await claim(database)
    await put(database, DOCUMENT, DOCUMENT)

    async def begin(unit: WriteUnit) -> None:
        await unit.outbox.begin_attempt(replace(ENTRY, id=OutboxId(3)), "<3@here>", START)

    await write(database, TEST, begin)
    async with engine.open() as other:

        async def attempt(number: int) -> bool:
            async def work(unit: WriteUnit) -> bool:
                return bool(await RACES[name](unit))

            return await write((database, other)[number % 2], TEST, work)

        assert sum(await asyncio.gather(*map(attempt, range(WRITERS)))) == 1


@pytest.mark.parametrize("keys", [0, 5], ids=["no order", "five keys"])
async def test_no_entry_is_claimed_twice_by_racing_workers(engine: Engine, keys: int) -> None:
    count = 60
    async with engine.open() as one, engine.open() as other:
        order = [None if keys == 0 else f"1/{number % keys}" for number in range(count)]
        await put(one, *[replace(DOCUMENT, order_key=each) for each in order])
        done: list[int] = []
        active: set[str] = set()

        async def working(database: Database, owner: str) -> None:
            while len(done) < count:
                for entry in await claim(database, most=7, owner=owner):
                    key = entry.new.order_key or str(entry.id)
                    assert key not in active
                    active.add(key)
                    await asyncio.sleep(0)
                    active.remove(key)
                    done.append(entry.id)
                    assert await finish(database, lease(entry.id, entry.attempt))

        workers = enumerate([one, other] * (WORKERS // 2))
        await asyncio.gather(*(working(each, f"worker {number}") for number, each in workers))
    assert sorted(done) == [*range(1, count + 1)]
    for key in set(order) - {None}:
        of_key = [number for number in done if order[number - 1] == key]
        assert of_key == sorted(of_key)


async def test_an_attempt_is_noted_before_and_after(database: Database) -> None:
    interchange_id, _ = await stored_interchange(database, an_interchange())
    await put(database, replace(DOCUMENT, interchange_id=interchange_id))
    (entry,) = await claim(database)

    async def work(unit: WriteUnit) -> list[object]:
        outbox = unit.outbox
        begun = [await outbox.begin_attempt(entry, "<1@here>", START) for _ in range(2)]
        again = replace(entry, attempt=2)
        begun.append(await outbox.begin_attempt(again, "<1@here>", START + LEASE))
        return [*begun, await outbox.lose_attempts(lease(1, 2), START + LEASE)]

    first, none, second, lost = await write(database, TEST, work)
    assert (first, none, lost) == (1, None, 1)
    assert second is not None

    async def end(unit: WriteUnit) -> list[bool]:
        return [await unit.outbox.end_attempt(lease(1, each), FAILED) for each in (1, 2, 2)]

    assert await write(database, TEST, end) == [False, True, False]
    attempts = await attempts_of(database, interchange_id)
    assert [(each.attempt, each.result and each.result.outcome) for each in attempts] == [
        (1, AttemptOutcome.LOST),
        (2, AttemptOutcome.FAILED),
    ]
    assert attempts[1] == DeliveryAttempt(
        id=attempts[1].id,
        account_id=AccountId(1),
        environment=SANDBOX,
        outbox_id=OutboxId(1),
        attempt=2,
        message_id="<1@here>",
        started_at=START + LEASE,
        result=FAILED,
    )
    assert attempts[0].id == AttemptId(1)


async def attempts_of(database: Database, interchange_id: InterchangeId) -> list[DeliveryAttempt]:
    async def look(unit: ReadUnit) -> list[DeliveryAttempt]:
        return [*await unit.outbox.list_attempts(interchange_id)]

    return await read(database, TEST, look)


async def following(
    database: Database, ended: OutboxEntry, now: datetime = START, given: Scope = TEST
) -> list[int]:
    request = ClaimRequest(owner="worker 1", now=now, lease_until=now + LEASE, most=1)

    async def work(unit: WriteUnit) -> OutboxEntry | None:
        return await unit.outbox.claim_following(ended, request)

    entry = await write(database, given, work)
    return [] if entry is None else [entry.id]


async def test_what_waited_for_an_entry_is_claimed_when_that_has_ended(database: Database) -> None:
    first, other = (replace(DOCUMENT, order_key=each) for each in ("1/PO", "1/IN"))
    late = replace(first, due_at=START + 9 * SECOND)
    await put(database, first, other, first, late)
    entries = await claim(database)
    assert [each.id for each in entries] == [1, 2]
    assert await following(database, entries[0]) == []
    assert await finish(database, lease(1))
    assert await following(database, entries[0], given=FOREIGN_LIVE) == []
    assert await following(database, entries[0]) == [3]
    assert await following(database, entries[0]) == []
    assert await finish(database, lease(3))
    assert await following(database, entries[0]) == []
    assert await following(database, entries[0], START + 9 * SECOND) == [4]


async def test_nothing_follows_what_has_no_order(database: Database) -> None:
    await put(database, DOCUMENT, DOCUMENT)
    (first,) = await claim(database, most=1)
    assert await finish(database, lease(first.id))
    assert await following(database, first) == []
