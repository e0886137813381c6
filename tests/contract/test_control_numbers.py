"""R7: control numbers that racing writers draw are distinct and gapless, around the end as well."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import LiteralString

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    RangeExhaustedError,
)
from longshore.domain.control_numbers.store import (
    Allotment,
    Counter,
    MissingNumbers,
    MissingQuery,
    NumberRequest,
)
from longshore.domain.partners.model import Direction, Pair
from longshore.domain.ports import AccountId, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.storage.control_numbers import SqlControlNumberStore
from longshore.storage.queries import Row, Sql, SqlValue
from tests.support.clock import START
from tests.support.database import CURRENT, Database, Engine, PostgresEngine
from tests.support.trading import (
    FOREIGN_LIVE,
    IN,
    LIVE,
    OUT,
    PO_GROUP,
    PRODUCTION,
    SANDBOX,
    TEST,
    an_interchange,
    read,
    stored_interchange,
    write,
)

WRITERS = 8
DRAWS = int(os.environ.get("CONTROL_NUMBER_DRAWS", "800"))
"""How many numbers are drawn at once; the release is tested with 8,000."""

WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'"""

OWN_TEST, OWN_LIVE = (AccountId(1), SANDBOX), (AccountId(1), PRODUCTION)
ISA = CounterKey(NumberKind.ISA, "ZZ", "ACMECORP", "01", "123456789")
GS = CounterKey(NumberKind.GS, "", "ACME", "", "NWRETAIL")
MOST = NumberRange().most
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


def wanted(
    count: int = 1, key: CounterKey = ISA, least: int = 1, most: int = MOST
) -> NumberRequest:
    numbers = NumberRange(least=least, most=most)
    return NumberRequest(key=key, numbers=numbers, count=count, skip_since=START - 30 * DAY)


async def draw(
    database: Database,
    request: NumberRequest,
    owner: tuple[AccountId, Environment] = OWN_TEST,
    given: Scope = LIVE,
) -> tuple[int, ...]:
    async def work(unit: WriteUnit) -> tuple[int, ...]:
        return (await unit.control_numbers.draw(owner, request, START)).numbers

    return await write(database, given, work)


async def test_numbers_begin_with_the_least_and_follow_one_another(database: Database) -> None:
    drawn = [await draw(database, wanted(count)) for count in (1, 3, 2)]
    assert drawn == [(1,), (2, 3, 4), (5, 6)]


async def test_who_waits_for_a_number_longest_has_it_first(
    database: Database, engine: Engine
) -> None:
    if not isinstance(engine, PostgresEngine):
        pytest.skip("SQLite has one writer, and its queue has an order")
    await draw(database, wanted())
    drawn: list[asyncio.Task[tuple[int, ...]]] = []
    connected = partial(engine.server.connected, CURRENT.name)
    async with connected() as admin, connected() as other, other.transaction():
        await other.execute("SELECT last FROM control_counters FOR UPDATE")
        for count in range(1, 6):
            drawn.append(asyncio.create_task(draw(database, wanted())))
            while await admin.fetchval(WAITING) < count:  # noqa: ASYNC110 - the server sends no event
                await asyncio.sleep(0.01)
    assert await asyncio.gather(*drawn) == [(2,), (3,), (4,), (5,), (6,)]


async def test_each_key_environment_and_account_counts_for_itself(database: Database) -> None:
    swapped = CounterKey(NumberKind.ISA, "01", "123456789", "ZZ", "ACMECORP")
    assert await draw(database, wanted(5)) == (1, 2, 3, 4, 5)
    for key in (swapped, GS, GS._replace(kind=NumberKind.ST)):
        assert await draw(database, wanted(key=key)) == (1,)
    assert await draw(database, wanted(), OWN_LIVE) == (1,)
    assert await draw(database, wanted(), (AccountId(2), SANDBOX), FOREIGN_LIVE) == (1,)


@pytest.mark.parametrize(
    ("least", "most", "draws", "expected"),
    [
        (1, MOST, [MOST], [MOST]),
        (1, MOST, [MOST, 1], [MOST, 1]),
        (1, MOST, [MOST - 1, 3], [MOST - 1, 2]),
        (100, 102, [2, 2, 3], [101, 100, 100]),
        (7, 7, [1, 1], [7, 7]),
    ],
)
async def test_after_the_most_comes_the_least(
    database: Database, least: int, most: int, draws: list[int], expected: list[int]
) -> None:
    for count, last in zip(draws, expected, strict=True):
        request = wanted(1, least=least, most=most)
        if count < 1_000:
            numbers = (await draw(database, replace(request, count=count)))[-count:]
        else:
            numbers = (await moved_to(database, last),)
        assert numbers[-1] == last


async def moved_to(database: Database, last: int) -> int:
    """Let the counter stand at a number, as if all before it had been drawn."""
    (number,) = await draw(database, wanted(1, least=last))
    return number


async def test_a_draw_goes_around_the_end(database: Database) -> None:
    await moved_to(database, MOST - 1)
    assert await draw(database, wanted(3)) == (MOST, 1, 2)


async def test_a_counter_outside_a_new_range_begins_with_its_least(database: Database) -> None:
    await draw(database, wanted(500))
    assert await draw(database, wanted(2, least=1_000, most=1_999)) == (1_000, 1_001)
    assert await draw(database, wanted(2, least=1, most=99)) == (1, 2)


async def test_a_draw_of_more_than_the_range_is_refused_and_moves_nothing(
    database: Database,
) -> None:
    await draw(database, wanted(2, most=3))
    with pytest.raises(RangeExhaustedError):
        await draw(database, wanted(4, most=3))
    assert await draw(database, wanted(1, most=3)) == (3,)


async def test_a_unit_that_fails_leaves_no_gap(database: Database) -> None:
    async def work(unit: WriteUnit) -> None:
        await unit.control_numbers.draw(OWN_TEST, wanted(5), START)
        raise KeyError

    with pytest.raises(KeyError):
        await write(database, LIVE, work)
    assert await draw(database, wanted()) == (1,)


async def test_numbers_that_were_used_are_skipped_whoever_numbered_them(
    database: Database,
) -> None:
    for number in ("000000002", "000000003", "000000005"):
        group = replace(PO_GROUP, gs_control_number=str(int(number) + 1))
        await stored_interchange(database, an_interchange(number, is_allotted=False), group=group)
    await stored_interchange(database, an_interchange("000000001"))  # allotted
    received = an_interchange("000000004", pair=IN, direction=Direction.INBOUND)
    await stored_interchange(database, replace(received, is_allotted=False))
    assert await draw(database, wanted(4)) == (4, 6, 7, 8)
    assert await draw(database, wanted(4, GS)) == (1, 2, 5, 7)
    assert await draw(database, wanted(4), OWN_LIVE) == (1, 2, 3, 4)


async def test_what_was_used_long_ago_is_drawn_again(database: Database) -> None:
    used = an_interchange("000000002", is_allotted=False)
    await stored_interchange(database, used, at=START - 31 * DAY)
    assert await draw(database, wanted(2)) == (1, 2)


@pytest.mark.parametrize("is_allotted", [True, False])
async def test_a_range_that_is_used_up_is_refused_wherever_it_begins(
    database: Database, *, is_allotted: bool
) -> None:
    for number in ("000000005", "000000006", "000000007", "000000008"):
        await stored_interchange(database, an_interchange(number, is_allotted=is_allotted))
    for last in (None, 5, 7):
        if last is not None:
            await moved_to_used(database, last)
        with pytest.raises(RangeExhaustedError):
            await draw(database, wanted(1, least=5, most=7))
    assert await draw(database, wanted(1, least=5, most=9)) == (9,)


async def moved_to_used(database: Database, last: int) -> None:
    """Let the counter stand at a number, though it is used."""
    request = replace(wanted(1, least=last), skip_since=START + DAY)
    assert await draw(database, request) == (last,)


async def test_around_the_end_what_is_used_there_is_passed_over(database: Database) -> None:
    for number in ("000000010", "000000001", "000000002", "000000004"):
        group = replace(PO_GROUP, gs_control_number=str(int(number)))
        await stored_interchange(database, an_interchange(number), group=group)
    for key in (ISA, GS):
        assert await draw(database, wanted(2, key, least=8, most=10)) == (8, 9)
        assert await draw(database, wanted(2, key, most=10)) == (3, 5)
        assert await draw(database, wanted(4, key, most=10)) == (6, 7, 8, 9)


async def test_a_draw_says_where_the_counter_stood_whatever_it_passed_over(
    database: Database,
) -> None:
    for number in ("000000003", "000000004"):
        await stored_interchange(database, an_interchange(number))

    async def work(unit: WriteUnit) -> list[Allotment]:
        requests = [wanted(2, most=6), wanted(1, most=6), wanted(1, most=6), wanted(2, most=6)]
        return [await unit.control_numbers.draw(OWN_TEST, each, START) for each in requests]

    assert await write(database, LIVE, work) == [((1, 2), 0), ((5,), 2), ((6,), 5), ((1, 2), 0)]


@pytest.mark.parametrize("last", [5, 7, 9])
async def test_where_too_few_are_free_the_counter_stays_and_used_numbers_can_follow(
    database: Database, last: int
) -> None:
    for number in (5, 6, 7, 9):
        await stored_interchange(database, an_interchange(f"{number:09d}"))
    await moved_to_used(database, last)
    ring = [5, 6, 7, 8, 9] * 3
    at = ring.index(last) + 1

    async def work(unit: WriteUnit) -> list[tuple[int, ...]]:
        request = wanted(2, least=5, most=9)
        with pytest.raises(RangeExhaustedError):
            await unit.control_numbers.draw(OWN_TEST, request, START)
        requests = [request, replace(request, count=7)]
        return [
            await unit.control_numbers.draw_even_if_used(OWN_TEST, each, START) for each in requests
        ]

    assert await write(database, LIVE, work) == [
        tuple(ring[at : at + 2]),
        tuple(ring[at + 2 : at + 9]),
    ]


async def test_more_than_a_range_has_go_around_it_from_its_least(database: Database) -> None:
    async def work(unit: WriteUnit) -> tuple[int, ...]:
        request = wanted(5, least=7, most=9)
        with pytest.raises(RangeExhaustedError):
            await unit.control_numbers.draw(OWN_TEST, request, START)
        return await unit.control_numbers.draw_even_if_used(OWN_TEST, request, START)

    assert await write(database, LIVE, work) == (7, 8, 9, 7, 8)


class CountingSql:
    """Counts what is asked of a database."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self.count = 0

    async def fetch_one(self, name: LiteralString, /, **values: SqlValue) -> Row | None:
        self.count += 1
        return await self._sql.fetch_one(name, **values)

    async def fetch_all(self, name: LiteralString, /, **values: SqlValue) -> Sequence[Row]:
        self.count += 1
        return await self._sql.fetch_all(name, **values)

    async def execute_for_each(
        self, name: LiteralString, rows: Sequence[Mapping[str, SqlValue]], /
    ) -> None:
        self.count += 1
        await self._sql.execute_for_each(name, rows)

    async def execute(self, name: LiteralString, /, **values: SqlValue) -> None:
        self.count += 1
        await self._sql.execute(name, **values)


async def test_however_many_used_numbers_follow_they_are_passed_over_at_once(
    database: Database,
) -> None:
    used = 40

    async def drawing(unit: WriteUnit) -> tuple[tuple[int, ...], int]:
        assert isinstance(unit.control_numbers, SqlControlNumberStore)
        sql = CountingSql(unit.control_numbers._sql)  # noqa: SLF001 - what it asks is counted
        allotted = await SqlControlNumberStore(sql).draw(OWN_TEST, wanted(), START)
        return allotted.numbers, sql.count

    assert await write(database, LIVE, drawing) == ((1,), 2)
    for number in range(2, used + 2):
        await stored_interchange(database, an_interchange(f"{number:09d}"))
    assert await write(database, LIVE, drawing) == ((used + 2,), 6)
    assert await write(database, LIVE, drawing) == ((used + 3,), 2)


async def test_who_holds_a_counter_learns_where_it_stands_and_when_a_number_was_used(
    database: Database,
) -> None:
    await stored_interchange(database, an_interchange("000000007"), at=START + DAY)

    async def work(unit: WriteUnit) -> list[object]:
        numbers = unit.control_numbers
        before = await numbers.hold(OWN_TEST, ISA, START)
        await numbers.draw(OWN_TEST, wanted(9), START)
        uses = [await numbers.used(OWN_TEST, ISA, number) for number in (7, 8)]
        uses += [await numbers.used(OWN_TEST, GS, number) for number in (123, 7)]
        st = GS._replace(kind=NumberKind.ST)
        return [
            before,
            await numbers.hold(OWN_TEST, ISA, START),
            *uses,
            await numbers.used(OWN_TEST, st, 1),
        ]

    later = START + DAY
    assert await write(database, LIVE, work) == [None, 10, later, None, later, None, None]


async def test_the_counters_of_a_partner_are_listed(database: Database) -> None:
    await draw(database, wanted(3))
    await draw(database, wanted(2), OWN_LIVE)
    await draw(database, wanted(key=GS))
    await draw(database, wanted(), (AccountId(2), SANDBOX), FOREIGN_LIVE)

    async def work(unit: ReadUnit) -> list[Counter]:
        return [*await unit.control_numbers.list([("01", "123456789"), ("", "NWRETAIL")])]

    found = [(each.key, each.environment, each.last) for each in await read(database, LIVE, work)]
    assert found == [(ISA, PRODUCTION, 2), (ISA, SANDBOX, 3), (GS, SANDBOX, 1)]
    assert len(await read(database, TEST, work)) == 2


# ---- what was received ---------------------------------------------------------------------------


async def received(
    database: Database,
    *numbers: str,
    at: datetime = START,
    environment: Environment = SANDBOX,
    pair: Pair = IN,
) -> None:
    for number in numbers:
        inbound = an_interchange(
            number, pair=pair, direction=Direction.INBOUND, environment=environment
        )
        await stored_interchange(database, replace(inbound, is_allotted=False), at=at)


def gap(
    first: int, last: int, since: datetime = START, environment: Environment = SANDBOX
) -> MissingNumbers:
    return MissingNumbers(
        kind=NumberKind.ISA, environment=environment, first=first, last=last, since=since
    )


async def missing(database: Database, given: Scope = LIVE, most: int = 100) -> list[MissingNumbers]:
    query = MissingQuery(key=ISA, since=START - 90 * DAY, widest=1_000, most=most)

    async def work(unit: ReadUnit) -> list[MissingNumbers]:
        return [*await unit.control_numbers.list_missing(query)]

    return await read(database, given, work)


async def test_what_a_partner_passed_over_is_missing_until_it_comes(database: Database) -> None:
    await received(database, "000000041", "000000044", "000000044", "000000046")
    assert await missing(database) == [gap(45, 45), gap(42, 43)]
    assert await missing(database, most=1) == [gap(45, 45)]
    await received(database, "000000043", at=START + DAY)
    assert await missing(database) == [gap(45, 45), gap(42, 42)]
    await received(database, "000000042", "000000045", at=START + DAY)
    assert await missing(database) == []


async def test_gaps_are_of_a_pair_an_environment_and_an_account(database: Database) -> None:
    await received(database, "000000001", "000000003")
    await received(database, "000000011", "000000013", environment=PRODUCTION, at=START + DAY)
    await received(database, "000000006", pair=OUT)
    await stored_interchange(database, an_interchange("000000007"))
    of_production = gap(12, 12, START + DAY, PRODUCTION)
    assert await missing(database) == [of_production, gap(2, 2)]
    assert await missing(database, TEST) == [gap(2, 2)]
    assert await missing(database, FOREIGN_LIVE) == []
    assert await missing(database, most=1) == [of_production]


async def test_old_numbers_and_other_counts_make_no_gaps(database: Database) -> None:
    await received(database, "000000001", at=START - 91 * DAY)
    await received(database, "000000000", "NONUMBER1", "999999999", "000000005", "000001005")
    assert await missing(database) == [gap(6, 1_004)]
    await received(database, "000002006")
    assert await missing(database) == [gap(1_006, 2_005), gap(6, 1_004)]
    await received(database, "000003008")
    assert await missing(database) == [gap(1_006, 2_005), gap(6, 1_004)]


# ---- races ---------------------------------------------------------------------------------------


async def test_numbers_of_racing_writers_are_distinct_and_gapless(engine: Engine) -> None:
    async with engine.open() as one, engine.open() as other:
        databases = [one, other] * (WRITERS // 2)

        async def drawing(database: Database) -> list[int]:
            found: list[int] = []
            while len(found) < DRAWS // WRITERS:
                found += await draw(database, wanted())
            return found

        drawn = await asyncio.gather(*map(drawing, databases))
    assert all(each == sorted(each) for each in drawn)
    assert sorted(number for each in drawn for number in each) == [*range(1, DRAWS + 1)]


async def test_the_race_finds_numbers_that_are_read_and_then_written(
    engine: Engine, database: Database
) -> None:
    """The control of the race: who looks first and writes later draws a number twice."""
    await draw(database, wanted())

    async def last(unit: ReadUnit) -> int:
        (counter,) = await unit.control_numbers.list([("01", "123456789")])
        assert counter.last is not None
        return counter.last

    async with engine.open() as other:
        drawn = [await read(each, LIVE, last) + 1 for each in (database, other)]
        for number in drawn:
            await moved_to(database, number)
    assert sorted(drawn) != [2, 3]
