"""One document, sent once: what stands in the place of a record is not doubled by anybody."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import pairwise

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.audit.writer import open_detail
from longshore.domain.delivery.model import OutboxState
from longshore.domain.outbound.checks import OnInvalid
from longshore.domain.outbound.errors import (
    OtherDirectionError,
    SeveralSetsError,
    StillInProgressError,
)
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.transactions.errors import ReplacedError
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    States,
    TransactionId,
)
from longshore.domain.transactions.resend_chain import CorrectionWaitsError
from longshore.domain.transactions.states import Axis
from longshore.domain.units import WriteUnit
from longshore.kit.errors import ErrorCode
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.interchanges import a_received_interchange
from tests.support.submitting import (
    ACCOUNT,
    SubmitSetup,
    a_failed_submit_setup,
    a_set,
    an_action,
    an_interchange,
    context,
)
from tests.support.tracking import Shipping, a_tracker, states
from tests.support.trading import LIVE, read, write
from tests.support.vault import a_sealer

FAILED = states(DeliveryStatus.FAILED)
REJECTED = states(DeliveryStatus.DELIVERED, AckStatus.REJECTED)
BAD = a_set("BEG*00*SA*PO-1**20240199", "PO1*1*x*EA*1")
STANDS = "Transaction 2 was made of transaction 1 before, and is queued: look at it first."
OF_THEM = an_interchange(sender=("01", "123456789"), receiver=("ZZ", "ACMECORP"))


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    """Return a setup at which the delivery of an interchange of one set, record 1, has failed."""
    return await a_failed_submit_setup(database, engine, clock, accounts)


async def fall(setup: SubmitSetup, number: int) -> None:
    """Cancel the delivery of a record."""
    await a_tracker(setup.database, setup.clock).cancel(context(), an_action(number, "wrong"))


async def fail(setup: SubmitSetup, number: int) -> None:
    """Let the delivery of the only record of an interchange end as failed."""
    await end(setup, number, DeliveryStatus.FAILED, OutboxState.DEAD)


async def end(setup: SubmitSetup, number: int, to: DeliveryStatus, state: OutboxState) -> None:
    interchange_id = (await setup.record(number)).record.interchange_id
    assert interchange_id is not None

    async def work(unit: WriteUnit) -> None:
        entry = (await unit.outbox.list_of_interchange(interchange_id))[-1]
        steps = (entry.id, entry.state, state, entry.new.due_at, START)
        assert await unit.outbox.change_waiting(*steps)
        for start, then in pairwise((DeliveryStatus.PENDING, DeliveryStatus.SENDING, to)):
            await unit.transactions.step_deliveries(interchange_id, start, then, START)

    await write(setup.database, LIVE, work)


Send = Callable[[SubmitSetup, int], Awaitable[object]]


async def retry(setup: SubmitSetup, number: int) -> None:
    await a_tracker(setup.database, setup.clock).retry(context(), an_action(number, "again"))


async def reissue(setup: SubmitSetup, number: int) -> None:
    await setup.reissue(number, "again")


async def correct(setup: SubmitSetup, number: int) -> None:
    await setup.submit(parent_id=number)


async def refused(setup: SubmitSetup, send: Send, number: int) -> str:
    """Return what is said to who would send a record again, of which nothing is stored."""
    before = await setup.counts()
    with pytest.raises(ReplacedError) as error:
        await send(setup, number)
    assert error.value.code is ErrorCode.INVALID_STATE
    assert await changed(setup, before) <= {"audit_entries"}
    return str(error.value)


async def changed(setup: SubmitSetup, before: object) -> set[str]:
    assert isinstance(before, dict)
    after = dict(await setup.counts())
    return {table for table in after if after[table] != before.get(table, 0)}


# ---- what stands in a place ----------------------------------------------------------------------


@pytest.mark.parametrize("send", [retry, reissue, correct])
async def test_what_was_corrected_is_not_sent_again(setup: SubmitSetup, send: Send) -> None:
    await correct(setup, 1)
    assert await refused(setup, send, 1) == STANDS


async def test_what_has_arrived_is_not_sent_by_its_origin_again(setup: SubmitSetup) -> None:
    await correct(setup, 1)
    await end(setup, 2, DeliveryStatus.DELIVERED, OutboxState.DONE)
    assert "transaction 1 before, and is delivered" in await refused(setup, retry, 1)


async def test_of_two_made_of_the_same_the_failed_one_is_not_retried(setup: SubmitSetup) -> None:
    for number in (2, 3):
        await correct(setup, 1)
        if number == 2:
            await fall(setup, 2)
    assert "Transaction 3 was made of transaction 1" in await refused(setup, reissue, 2)


@pytest.mark.parametrize("send", [retry, reissue, correct])
async def test_what_stands_may_be_made_of_what_fell(setup: SubmitSetup, send: Send) -> None:
    await correct(setup, 1)
    await fall(setup, 2)
    await correct(setup, 2)
    assert "Transaction 3 was made of transaction 2" in await refused(setup, send, 1)


async def test_what_it_was_made_of_stands_in_no_ones_way(setup: SubmitSetup) -> None:
    await correct(setup, 1)
    await fall(setup, 2)
    await setup.reissue(2, "again")
    assert (await setup.record(3)).record.parent_id == 2


async def test_what_was_wrong_too_stands_in_no_ones_way(setup: SubmitSetup) -> None:
    await setup.submit(BAD, parent_id=1, on_invalid=OnInvalid.STORE)
    await correct(setup, 1)
    assert (await setup.record(3)).record.parent_id == 1


async def test_what_was_made_of_it_and_fell_stands_in_no_ones_way(setup: SubmitSetup) -> None:
    await correct(setup, 1)
    await fall(setup, 2)
    await retry(setup, 1)
    assert (await setup.record(1)).record.states.delivery is DeliveryStatus.PENDING


@pytest.mark.parametrize("other", [FAILED, REJECTED], ids=["failed", "rejected"])
async def test_a_set_is_not_doubled_by_one_whose_bytes_go_along(
    setup: SubmitSetup, other: States
) -> None:
    shipping = Shipping(setup.database, PartnerId(1))
    content = an_interchange(a_set() + a_set(number="0002")).encode()
    await shipping.interchange(other, FAILED, content=content)
    await correct(setup, 2)
    assert "Transaction 4 was made of transaction 2" in await refused(setup, retry, 3)
    await reissue(setup, 3)


async def test_a_set_is_not_reissued_while_its_bytes_go_along(setup: SubmitSetup) -> None:
    shipping = Shipping(setup.database, PartnerId(1))
    content = an_interchange(a_set() + a_set(number="0002")).encode()
    await shipping.interchange(REJECTED, FAILED, content=content)
    await retry(setup, 3)
    with pytest.raises(StillInProgressError, match=r"^Transaction 2 is on its way itself"):
        await reissue(setup, 2)
    assert (await setup.counts())["interchanges"] == 2


async def test_sets_of_one_interchange_stand_in_nobodys_place(setup: SubmitSetup) -> None:
    """As where bytes that could not be read were corrected: several sets are made of one record."""
    shipping = Shipping(setup.database, PartnerId(1))
    content = an_interchange(a_set() + a_set(number="0002")).encode()
    await shipping.interchange(FAILED, FAILED, content=content, parent_id=TransactionId(1))
    await retry(setup, 2)
    assert (await setup.record(3)).record.states.delivery is DeliveryStatus.PENDING


async def test_a_sister_that_arrived_stands_in_nobodys_place(setup: SubmitSetup) -> None:
    shipping = Shipping(setup.database, PartnerId(1))
    content = an_interchange(a_set() + a_set(number="0002")).encode()
    both = (REJECTED, states(DeliveryStatus.DELIVERED))
    await shipping.interchange(*both, content=content, parent_id=TransactionId(1))
    await reissue(setup, 2)
    assert (await setup.record(4)).record.parent_id == 2


async def test_what_was_rejected_and_goes_once_more_stands_there(setup: SubmitSetup) -> None:
    await correct(setup, 1)
    await end(setup, 2, DeliveryStatus.DELIVERED, OutboxState.DONE)
    await answer(setup, 2, AckStatus.REJECTED)
    await retry(setup, 2)
    assert "Transaction 2 was made of transaction 1" in await refused(setup, correct, 1)
    with pytest.raises(StillInProgressError, match=r"^Transaction 2 is on its way itself"):
        await reissue(setup, 2)


async def answer(setup: SubmitSetup, number: int, to: AckStatus) -> None:
    async def work(unit: WriteUnit) -> bool:
        step = (Axis.ACK, AckStatus.PENDING, to, START)
        return await unit.transactions.step(TransactionId(number), *step)

    assert await write(setup.database, LIVE, work)


async def test_of_what_failed_and_what_was_made_of_it_one_is_retried_in_bulk(
    setup: SubmitSetup,
) -> None:
    await correct(setup, 1)
    await fail(setup, 2)
    done = await a_tracker(setup.database, setup.clock).redrive(context(), [1, 2])
    assert (done.queued, [each.id for each in done.skipped]) == (1, [2])
    assert await refused(setup, retry, 2) == (
        "Transaction 1, of which transaction 2 was made, is queued: look at it first."
    )


async def test_what_arrived_after_all_stands_before_what_was_made_of_it(setup: SubmitSetup) -> None:
    await correct(setup, 1)
    await fail(setup, 2)
    setup.clock.move(timedelta(minutes=1))
    await retry(setup, 1)
    await end(setup, 1, DeliveryStatus.DELIVERED, OutboxState.DONE)
    assert "Transaction 1, of which transaction 2 was made, is" in await refused(setup, retry, 2)


async def test_what_had_arrived_before_may_be_made_anew(setup: SubmitSetup) -> None:
    await retry(setup, 1)
    await end(setup, 1, DeliveryStatus.DELIVERED, OutboxState.DONE)
    setup.clock.move(timedelta(minutes=1))
    await reissue(setup, 1)
    await fail(setup, 2)
    await retry(setup, 2)
    assert (await setup.record(2)).record.states.delivery is DeliveryStatus.PENDING


async def test_a_bulk_retry_passes_over_what_was_corrected(setup: SubmitSetup) -> None:
    await correct(setup, 1)
    done = await a_tracker(setup.database, setup.clock).redrive(context(), [1])
    assert (done.queued, [(each.id, each.code) for each in done.skipped]) == (
        0,
        [(1, ErrorCode.INVALID_STATE)],
    )


# ---- who knows what stands there -----------------------------------------------------------------


async def test_another_one_is_sent_after_the_one_that_was_seen(setup: SubmitSetup) -> None:
    await correct(setup, 1)
    with pytest.raises(ReplacedError) as error:
        await setup.submit(parent_id=1)
    (detail,) = error.value.details
    assert (detail.param, detail.allowed, detail.message) == (
        "supersedes",
        ("2",),
        f'{STANDS} To send another one all the same, say "supersedes": 2.',
    )
    await setup.submit(parent_id=1, supersedes=2)
    with pytest.raises(ReplacedError, match="Transaction 3 was made"):
        await setup.submit(parent_id=1, supersedes=2)
    assert (await setup.counts())["transactions"] == 3


async def test_on_trial_nothing_is_in_the_way(setup: SubmitSetup) -> None:
    await correct(setup, 1)
    assert (await setup.submit_json(parent_id=1, dry_run=True))["status"] == "dry_run"


# ---- at once -------------------------------------------------------------------------------------


async def test_of_many_who_send_it_again_at_once_one_does(
    setup: SubmitSetup, engine: Engine
) -> None:
    async with engine.open() as other:
        there = SubmitSetup(other, engine, setup.clock)
        asked: list[Awaitable[object]] = []
        for each in (setup, there):
            asked += [correct(each, 1), reissue(each, 1), correct(each, 1)]
        retries = [retry(each, 1) for each in (setup, there)]
        *done, first, second = await asyncio.gather(*asked, *retries, return_exceptions=True)
    # The second of two retries has nothing to change: the document is about to be sent.
    is_retried = first is None or second is None
    assert sum(each is None for each in done) + is_retried == 1, (done, first, second)
    count = (await setup.counts())["interchanges"]
    entries = [each for number in range(1, count + 1) for each in await setup.outbox(number)]
    assert [each.state for each in entries].count(OutboxState.DUE) == 1


async def test_of_those_who_send_a_family_at_once_one_does(
    setup: SubmitSetup, engine: Engine
) -> None:
    await correct(setup, 1)
    await fail(setup, 2)
    async with engine.open() as other:
        there = SubmitSetup(other, engine, setup.clock)
        asked = [correct(setup, 1), reissue(there, 2), retry(setup, 2), retry(there, 1)]
        done = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(each is None for each in done) == 1, done


async def test_of_two_who_correct_what_was_received_one_does(
    setup: SubmitSetup, engine: Engine
) -> None:
    await a_received_interchange(setup.database, ACCOUNT, content=OF_THEM.encode(), sets=1)
    async with engine.open() as other:
        done = await asyncio.gather(
            *(receive(each) for each in (setup, SubmitSetup(other, engine, setup.clock))),
            return_exceptions=True,
        )
    (error,) = [each for each in done if each is not None]
    assert isinstance(error, CorrectionWaitsError)
    assert str(error) == (
        "A correction of transaction 2 was received before, as receipt 2, and is not processed yet:"
        " wait for what becomes of it."
    )
    assert (await setup.counts())["receipts"] == 2


async def receive(setup: SubmitSetup) -> None:
    """Correct record 2, which was received."""
    await setup.submit(OF_THEM, direction=Direction.INBOUND, parent_id=2, reason="wrong unit")


# ---- what may stand there ------------------------------------------------------------------------


async def test_what_is_on_its_way_itself_is_not_corrected(setup: SubmitSetup) -> None:
    await retry(setup, 1)
    before = await setup.counts()
    with pytest.raises(StillInProgressError) as error:
        await correct(setup, 1)
    assert str(error.value) == (
        "Transaction 1 is on its way itself. Cancel it, or wait until that has ended, and ask"
        " again."
    )
    assert await changed(setup, before) <= {"audit_entries"}


async def test_what_waits_for_a_trial_behind_it_is_not_corrected(setup: SubmitSetup) -> None:
    """It is due again if the trial fails, so the correction and the document would both go."""
    await retry(setup, 1)
    await end(setup, 1, DeliveryStatus.PENDING, OutboxState.SUSPENDED)
    before = await setup.counts()
    with pytest.raises(StillInProgressError, match=r"^Transaction 1 is on its way itself"):
        await correct(setup, 1)
    assert await changed(setup, before) <= {"audit_entries"}


async def test_what_is_processed_again_is_not_corrected(setup: SubmitSetup) -> None:
    await a_received_interchange(setup.database, ACCOUNT, content=OF_THEM.encode(), sets=1)

    async def begin(unit: WriteUnit) -> bool:
        quarantined, processing = ProcessingStatus.QUARANTINED, ProcessingStatus.PROCESSING
        return await unit.transactions.step(
            TransactionId(2), Axis.PROCESSING, quarantined, processing, START
        )

    assert await write(setup.database, LIVE, begin)
    with pytest.raises(StillInProgressError, match=r"^Transaction 2 is on its way itself"):
        await setup.submit(OF_THEM, direction=Direction.INBOUND, parent_id=2)
    assert (await setup.counts())["receipts"] == 1


@pytest.mark.parametrize("dry_run", [False, True])
async def test_in_place_of_one_set_there_is_one_set(setup: SubmitSetup, *, dry_run: bool) -> None:
    before = await setup.counts()
    with pytest.raises(SeveralSetsError) as error:
        await setup.submit(a_set() + a_set(number="0002"), parent_id=1, dry_run=dry_run)
    (detail,) = error.value.details
    assert (detail.code, detail.param) == (ErrorCode.INVALID_PARAMETER, "content")
    assert detail.message == (
        "Transaction 1 is one transaction set, and this document holds 2: the others would be"
        " exchanged once more. Leave the one that is corrected."
    )
    assert await changed(setup, before) <= {"audit_entries"}


async def test_what_was_sent_is_corrected_by_what_is_sent(setup: SubmitSetup) -> None:
    before = await setup.counts()
    with pytest.raises(OtherDirectionError) as error:
        await setup.submit(OF_THEM, direction=Direction.INBOUND, parent_id=1)
    (detail,) = error.value.details
    assert (detail.code, detail.param, detail.allowed, detail.message) == (
        ErrorCode.INVALID_PARAMETER,
        "direction",
        ("outbound",),
        "Transaction 1 is outbound, so what corrects it has to be so too.",
    )
    assert await changed(setup, before) <= {"audit_entries"}


async def test_a_correction_of_what_was_received_is_audited(setup: SubmitSetup) -> None:
    await a_received_interchange(setup.database, ACCOUNT, content=OF_THEM.encode(), sets=1)
    await receive(setup)
    (entry,) = await read(
        setup.database, LIVE, lambda unit: unit.audit.list_newest(ACCOUNT, None, 10)
    )
    assert (entry.entry.action, entry.entry.object) == ("transaction.correct", "transaction 2")
    assert open_detail(a_sealer(), entry.entry) == "wrong unit"
