"""A process that dies while a document is submitted: all of it is stored, or nothing (R2)."""

import asyncio
import multiprocessing
import signal
from pathlib import Path

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.outbound.submission import Submitted
from longshore.domain.transactions.model import DeliveryStatus, TransactionId
from longshore.domain.transactions.states import Axis
from longshore.domain.units import WriteUnit
from longshore.kit.faults import arm
from tests.support.clock import START, StoppedClock
from tests.support.database import SqliteEngine
from tests.support.submitting import SubmitSetup, a_submit_setup
from tests.support.trading import LIVE, write

pytestmark = pytest.mark.full("kills processes")

BEFORE = {
    "submission.submit.before_claim",
    "submission.submit.before_draw",
    "submission.send.before_insert",
    "submission.send.before_outbox",
    "submission.submit.before_commit",
}
AGAIN = {
    "submission.reissue.before_draw",
    "submission.send.before_insert",
    "submission.send.before_outbox",
    "submission.reissue.before_commit",
}


async def prepared(engine: SqliteEngine) -> None:
    """Make an account with a partner, a document that was cancelled, and nothing else."""
    await engine.create()
    async with engine.open() as database:
        clock = StoppedClock()
        accounts = AccountService(database.units, clock, database.revocations)
        setup = await a_submit_setup(database, engine, clock, accounts)
        await setup.partner()
        await setup.submit(metadata={"first": "yes"})

        async def cancel(unit: WriteUnit) -> bool:
            pending, cancelled = DeliveryStatus.PENDING, DeliveryStatus.CANCELLED
            return await unit.transactions.step(
                TransactionId(1), Axis.DELIVERY, pending, cancelled, START
            )

        assert await write(database, LIVE, cancel)


async def submit(engine: SqliteEngine) -> Submitted:
    async with engine.open() as database:
        return await SubmitSetup(database, engine, StoppedClock()).submit(idempotency_key="K-1")


async def reissue(engine: SqliteEngine) -> int:
    async with engine.open() as database:
        return await SubmitSetup(database, engine, StoppedClock()).reissue(1, "again")


def die(place: Path, point: str, is_reissue: bool) -> None:  # noqa: FBT001 - of a process
    """Be the process that dies."""
    arm(point)
    engine = SqliteEngine(place)
    asyncio.run(reissue(engine) if is_reissue else submit(engine))


def died(place: Path, point: str, *, is_reissue: bool = False) -> int | None:
    process = multiprocessing.get_context("spawn").Process(
        target=die, args=(place, point, is_reissue)
    )
    process.start()
    process.join(60)
    return process.exitcode


async def counts(engine: SqliteEngine) -> dict[str, int]:
    async with engine.open() as database:
        return {**await SubmitSetup(database, engine, StoppedClock()).counts()}


@pytest.mark.parametrize("point", sorted({*BEFORE, "submission.submit.after_commit"}))
async def test_whoever_asks_again_under_the_key_has_it_once(tmp_path: Path, point: str) -> None:
    engine = SqliteEngine(tmp_path / "data")
    await prepared(engine)
    before = await counts(engine)
    assert died(engine.place, point) == -signal.SIGKILL
    is_stored = point not in BEFORE
    assert (await counts(engine) == before) is not is_stored
    again = await submit(engine)
    assert (again.transaction_id, again.is_replayed) == (2, is_stored)
    after = await counts(engine)
    assert (after["transactions"], after["outbox"], after["idempotency_keys"]) == (2, 2, 1)
    assert again.members()["control_numbers"] == {"isa": "000000002", "gs": "2", "st": ["0001"]}


@pytest.mark.parametrize("point", sorted({*AGAIN, "submission.reissue.after_commit"}))
async def test_a_set_is_sent_again_whole_or_not_at_all(tmp_path: Path, point: str) -> None:
    engine = SqliteEngine(tmp_path / "data")
    await prepared(engine)
    before = await counts(engine)
    assert died(engine.place, point, is_reissue=True) == -signal.SIGKILL
    after = await counts(engine)
    if point in AGAIN:
        assert after == before
    else:
        grown = {table: count - before.get(table, 0) for table, count in after.items()}
        assert {table: count for table, count in grown.items() if count} == {
            "interchanges": 1,
            "functional_groups": 1,
            "transactions": 1,
            "transaction_references": 1,
            "acks": 1,
            "outbox": 1,
            "events": 2,
            "audit_entries": 1,
        }
