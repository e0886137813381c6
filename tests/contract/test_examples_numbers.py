"""Examples 62 to 66 of x12.md section 5.2: control numbers of ours, and of interchanges received.

On both engines; ``tests/docs/test_examples.py`` compares the numbers with the page.
"""

import asyncio
import multiprocessing
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.control_numbers.numbers import NumberRange, isa_counter
from longshore.domain.control_numbers.store import NumberRequest
from longshore.domain.outbound.service import SubmitService
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.model import Direction
from longshore.domain.units import WriteUnit
from longshore.kit.faults import arm
from tests.support import submitting
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine, SqliteEngine
from tests.support.exchange import ORDER, Exchange, an_exchange, letter
from tests.support.processing import segments
from tests.support.submitting import ACCOUNT, SubmitSetup, a_submit_setup, context
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, write
from tests.unit.x12.documents import a_set

DAY = timedelta(days=1)
RACERS, AT_ONCE, DEATH = 50, 5, 20
OF_EACH = ("interchanges", "functional_groups", "transactions", "acks", "outbox")
"""Tables with one row for each document submitted."""
OTHER = a_set("BEG*00*SA*PO-2**20240115", "PO1*1*1*EA*9.25")
ASKED_LIVE = {"e14": "1", "e15": "P"}


# ---- ours ----------------------------------------------------------------------------------------


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    setup = await a_submit_setup(database, engine, clock, accounts)
    await setup.partner()
    return setup


def numbers(first: int, count: int) -> list[str]:
    return [f"{number:09d}" for number in range(first, first + count)]


async def submitted(count: int, *services: SubmitService) -> list[str]:
    """Submit that many documents at once, by each in turn; return the ISA13s as told, sorted."""
    order = SubmitOrder(
        partner_id=1, tx_set="850", direction=Direction.OUTBOUND, content=submitting.a_set()
    )
    turns = (services[at % len(services)] for at in range(count))
    done = await asyncio.gather(*(each.submit(context(), order) for each in turns))
    return sorted(str(each.members()["control_numbers"])[9:18] for each in done)


async def test_62_after_999999999_comes_000000001(setup: SubmitSetup) -> None:
    key = isa_counter(submitting.US, submitting.THEM)
    at_the_end = NumberRange(least=NumberRange().most)
    last = NumberRequest(key=key, numbers=at_the_end, count=1, skip_since=START)

    async def count_to_the_end(unit: WriteUnit) -> tuple[int, ...]:
        return (await unit.control_numbers.draw((ACCOUNT, SANDBOX), last, START)).numbers

    assert await write(setup.database, LIVE, count_to_the_end) == (999_999_999,)
    assert await submitted(1, setup.service) == ["000000001"]
    assert segments(await setup.sent(), "IEA") == ["IEA*1*000000001"]


async def test_63_of_50_submits_at_once_each_has_the_next_number(
    setup: SubmitSetup, engine: Engine
) -> None:
    async with engine.open() as one, engine.open() as other:
        told = await submitted(RACERS, setup.served(one), setup.served(other))
    assert told == numbers(1, RACERS)
    counts = await setup.counts()
    assert {counts[table] for table in OF_EACH} == {RACERS}


async def submit_until_death(engine: SqliteEngine) -> None:
    arm(f"submission.send.before_outbox:{DEATH}")  # rows are there, and their delivery is not
    async with engine.open() as database:
        service = SubmitSetup(database, engine, StoppedClock()).service
        for _ in range(RACERS // AT_ONCE):
            await submitted(AT_ONCE, service)


def die(place: Path) -> None:
    """Be the process that dies."""
    asyncio.run(submit_until_death(SqliteEngine(place)))


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
async def test_63_a_crash_leaves_no_half_state(setup: SubmitSetup, engine: SqliteEngine) -> None:
    process = multiprocessing.get_context("spawn").Process(target=die, args=(engine.place,))
    process.start()
    await asyncio.to_thread(process.join, 60)
    assert process.exitcode == -signal.SIGKILL
    counts = await setup.counts()
    whole = counts["interchanges"]
    assert DEATH - AT_ONCE <= whole < DEATH
    assert {counts[table] for table in OF_EACH} == {whole}
    stored = [segments(await setup.sent(at + 1), "IEA")[0][6:] for at in range(whole)]
    assert sorted(stored) == numbers(1, whole)
    assert await submitted(RACERS, setup.service) == numbers(whole + 1, RACERS)


# ---- theirs --------------------------------------------------------------------------------------


@pytest.fixture
async def exchange(accounts: AccountService, database: Database, clock: StoppedClock) -> Exchange:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await an_exchange(database, clock)


async def processed(exchange: Exchange) -> list[str]:
    """Return what became of the sets received, oldest first."""
    return [each.record.states.processing.value for each in await exchange.records()]


async def test_64_the_same_interchange_again_is_a_duplicate_and_not_processed(
    exchange: Exchange,
) -> None:
    order = letter("PO", ORDER, head={"e14": "1"})
    await exchange.push(order)
    exchange.clock.move(29 * DAY)
    again = await exchange.push(order)
    assert (again.is_duplicate, await processed(exchange)) == (False, ["done", "duplicate"])
    first, second = await exchange.records()
    assert second.record.duplicate_of == first.id
    _, answer = exchange.delivered
    assert segments(answer, "TA1", "GS") == ["TA1*000000101*240115*0930*R*025"]


async def test_64_within_a_day_the_sender_gets_its_first_receipt_again(exchange: Exchange) -> None:
    first = await exchange.push(letter("PO", ORDER))
    again = await exchange.push(letter("PO", ORDER))
    assert (again.receipt_id, again.is_duplicate) == (first.receipt_id, True)
    assert await processed(exchange) == ["done"]


async def test_65_other_bytes_under_the_number_are_set_aside_if_live(exchange: Exchange) -> None:
    await exchange.push(letter("PO", ORDER, head=ASKED_LIVE), PRODUCTION)
    await exchange.push(letter("PO", OTHER, head=ASKED_LIVE), PRODUCTION)
    assert await processed(exchange) == ["done", "quarantined"]
    _, second = await exchange.interchanges(PRODUCTION)
    assert (second.new.status.value, second.new.reason) == ("quarantined", "025")
    _, answer = exchange.delivered
    assert segments(answer, "TA1", "GS") == ["TA1*000000101*240115*0930*R*025"]


async def test_65_without_a_wish_for_a_ta1_they_are_set_aside_in_silence(
    exchange: Exchange,
) -> None:
    for each in (ORDER, OTHER):
        await exchange.push(letter("PO", each, head={"e15": "P"}), PRODUCTION)
    assert await processed(exchange) == ["done", "quarantined"]
    assert len(exchange.delivered) == 1


async def test_66_after_31_days_the_number_has_come_round(exchange: Exchange) -> None:
    await exchange.push(letter("PO", ORDER, head=ASKED_LIVE), PRODUCTION)
    exchange.clock.move(31 * DAY)
    await exchange.push(letter("PO", OTHER, head={"e9": "240215", **ASKED_LIVE}), PRODUCTION)
    assert await processed(exchange) == ["done", "done"]
    assert segments(exchange.delivered[1], "TA1") == ["TA1*000000101*240215*0930*A*000"]
