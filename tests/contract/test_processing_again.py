"""Release, replay, fencing, races and giving up, on both engines."""

from asyncio import gather

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import JobKind, OutboxState
from longshore.domain.inbound.preparation import StalePreparationError
from longshore.domain.interchanges.store import InterchangeStatus, ReceiptStatus
from longshore.domain.partners.encryption import facts_of
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import SealBrokenError
from longshore.domain.transactions.model import ProcessingStatus
from longshore.domain.units import WriteUnit
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.processing import (
    LEASE,
    Trade,
    a_processor,
    a_trade,
    case,
    case_text,
    live,
    segments,
    summary,
    terms,
)
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, write
from tests.support.vault import a_sealer

STRANGER = ("ACMERETAIL     ", "NOBODY         ")


@pytest.fixture
async def trade(accounts: AccountService, database: Database, clock: StoppedClock) -> Trade:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await a_trade(database, clock)


async def again(trade: Trade, kind: JobKind, at: int = 0, *, is_live: bool = False) -> None:
    interchange = (await trade.interchanges(PRODUCTION if is_live else SANDBOX))[at]
    await trade.let_go(interchange)
    await trade.again(interchange, kind)


async def test_what_is_released_is_processed_under_its_record(trade: Trade) -> None:
    await trade.receive(live(case_text(1, STRANGER)), LIVE)
    await again(trade, JobKind.RELEASE, is_live=True)
    (record,) = await trade.records()
    assert summary([record]) == [("850", "done", "valid", "accepted")]
    assert record.record.last_error is None
    (interchange,) = await trade.interchanges(PRODUCTION)
    assert (interchange.new.status.value, interchange.new.reason) == ("processed", None)
    (answer,) = await trade.answers(PRODUCTION)
    assert segments(answer, "TA1", "AK9") == ["AK9*A*1*1*1"]
    assert [each.row.transaction_id for each in await trade.acks()] == [record.id]


async def test_what_a_ta1_refused_is_released_set_by_set(trade: Trade) -> None:
    await trade.receive(case(12))
    await again(trade, JobKind.RELEASE)
    records = await trade.records()
    assert summary(records) == [("850", "done", "invalid", "rejected")]
    (answer,) = await trade.answers()
    assert segments(answer, "TA1", "AK5", "AK9") == ["AK5*R*2", "AK9*R*1*1*0*3"]


async def test_a_release_of_what_came_again_meanwhile_is_a_duplicate(trade: Trade) -> None:
    await trade.receive(case(27))
    await trade.receive(case(27))
    await again(trade, JobKind.RELEASE, at=1)
    await again(trade, JobKind.RELEASE, at=0)
    first, second = await trade.records()
    assert [each.record.states.processing.value for each in (first, second)] == [
        "duplicate",
        "done",
    ]
    assert (first.record.duplicate_of, second.record.duplicate_of) == (second.id, None)


@pytest.mark.parametrize(
    ("kind", "answers"), [(JobKind.REPLAY, 1), (JobKind.REPLAY_ACKNOWLEDGED, 2)]
)
async def test_a_replay_judges_anew_and_answers_if_asked(
    trade: Trade, kind: JobKind, answers: int
) -> None:
    await trade.receive(case(1))
    await agree(trade, ("810",))
    await again(trade, kind)
    ack = "accepted" if kind is JobKind.REPLAY else "rejected"
    assert summary(await trade.records()) == [("850", "done", "invalid", ack)]
    assert len(await trade.answers()) == answers
    told = [each for each, number in await trade.events() if number == 1]
    assert told[-1] == "transaction.invalid"


async def agree(trade: Trade, tx_sets: tuple[str, ...]) -> None:
    """Change what is agreed with the partner."""

    async def change(unit: WriteUnit) -> None:
        facts = facts_of(terms(tx_sets=tx_sets))
        now = trade.clock.now()
        assert await unit.partners.change(PartnerId(trade.partner_id), 1, facts, now)

    await write(trade.database, LIVE, change)


async def test_what_cannot_be_read_stays_set_aside(trade: Trade) -> None:
    await trade.receive(case(40))
    await again(trade, JobKind.RELEASE)
    assert summary(await trade.records()) == [("", "quarantined", "not_checked", "not_expected")]
    (interchange,) = await trade.interchanges()
    assert (interchange.new.status.value, interchange.new.reason) == ("quarantined", "not_x12")


# ---- two at once ---------------------------------------------------------------------------------


async def test_of_two_workers_on_one_entry_one_has_an_effect(trade: Trade) -> None:
    await trade.arrive(case(1))
    (late,) = await trade.claim()
    trade.clock.move(2 * LEASE)
    (entry,) = await trade.claim()
    await trade.processor.run(entry)
    before = (await trade.records(), await trade.answers(), await trade.events())
    await trade.processor.run(late)
    assert (await trade.records(), await trade.answers(), await trade.events()) == before
    assert await trade.entry_state(entry.id) is OutboxState.DONE


async def test_a_late_worker_keeps_nothing_though_it_comes_first(trade: Trade) -> None:
    await trade.arrive(case(1))
    (late,) = await trade.claim()
    trade.clock.move(2 * LEASE)
    (entry,) = await trade.claim()
    await trade.processor.run(late)
    assert (await trade.records(), await trade.answers()) == ([], [])
    await trade.processor.run(entry)
    assert summary(await trade.records()) == [("850", "done", "valid", "accepted")]


async def test_twins_that_are_processed_at_once_are_processed_once(trade: Trade) -> None:
    for _ in range(8):
        await trade.arrive(case(1))
    entries = await trade.claim()
    assert len(entries) == 8
    await gather(*map(trade.processor.run, entries))
    states = sorted(each.record.states.processing.value for each in await trade.records())
    assert states == ["done", *["duplicate"] * 7]
    assert len(await trade.answers()) == 1


# ---- giving up -----------------------------------------------------------------------------------


async def test_a_receipt_that_is_given_up_is_shown_with_its_bytes(trade: Trade) -> None:
    receipt_id = await trade.arrive(case(1) + case(1))
    (entry,) = await trade.claim()
    await trade.processor.give_up(entry, "internal_error")
    (record,) = await trade.records()
    assert summary([record]) == [("", "failed", "not_checked", "not_expected")]
    assert record.record.last_error is not None
    assert record.record.last_error.code == "internal_error"
    (interchange,) = await trade.interchanges()
    assert (interchange.new.status.value, interchange.new.reason) == ("failed", "internal_error")
    assert (await trade.content(interchange))[0] == case(1) + case(1)
    assert await trade.receipt_status(receipt_id) is ReceiptStatus.FAILED
    assert await trade.entry_state(entry.id) is OutboxState.DEAD
    assert await trade.events() == [("transaction.failed", 1)]


async def test_what_was_given_up_is_processed_whole_by_a_replay(trade: Trade) -> None:
    await trade.arrive(case(13))
    (entry,) = await trade.claim()
    await trade.processor.give_up(entry, "internal_error")
    await again(trade, JobKind.REPLAY)
    assert summary(await trade.records()) == [
        ("", "done", "not_checked", "not_expected"),
        ("850", "done", "valid", "accepted"),
        ("850", "done", "invalid", "rejected"),
    ]
    statuses = [each.new.status.value for each in await trade.interchanges()]
    assert statuses == ["processed"] * 3


async def test_a_correction_that_was_given_up_stays_one(trade: Trade) -> None:
    await trade.receive(case(1))
    await trade.arrive(case(13), parent_id=1)
    (entry,) = await trade.claim()
    await trade.processor.give_up(entry, "internal_error")
    await again(trade, JobKind.REPLAY, 1)
    parents = [each.record.parent_id for each in await trade.records()]
    assert parents == [None, 1, 1, 1]


async def test_giving_up_ends_nothing_that_another_has_done(trade: Trade) -> None:
    await trade.arrive(case(1))
    (late,) = await trade.claim()
    trade.clock.move(2 * LEASE)
    (entry,) = await trade.claim()
    await trade.processor.run(entry)
    await trade.processor.give_up(late, "internal_error")
    assert summary(await trade.records()) == [("850", "done", "valid", "accepted")]


async def test_a_replay_that_is_given_up_leaves_failed_records(trade: Trade) -> None:
    await trade.receive(case(1))
    (interchange,) = await trade.interchanges()
    await trade.let_go(interchange)
    await trade.ask(interchange, JobKind.REPLAY)
    (entry,) = await trade.claim(JobKind.REPLAY)
    await trade.processor.give_up(entry, "internal_error")
    assert summary(await trade.records()) == [("850", "failed", "valid", "accepted")]
    (failed,) = await trade.interchanges()
    assert (failed.new.status.value, failed.new.reason) == ("failed", "internal_error")


async def test_a_late_worker_gives_up_nothing(trade: Trade) -> None:
    await trade.arrive(case(1))
    (late,) = await trade.claim()
    trade.clock.move(2 * LEASE)
    (entry,) = await trade.claim()
    await trade.processor.give_up(late, "internal_error")
    assert (await trade.records(), await trade.events()) == ([], [])
    await trade.processor.run(entry)
    assert summary(await trade.records()) == [("850", "done", "valid", "accepted")]


async def test_of_two_workers_on_one_replay_one_has_an_effect(trade: Trade) -> None:
    await trade.receive(case(1))
    (interchange,) = await trade.interchanges()
    await trade.let_go(interchange)
    await trade.ask(interchange, JobKind.REPLAY)
    (late,) = await trade.claim(JobKind.REPLAY)
    trade.clock.move(2 * LEASE)
    (entry,) = await trade.claim(JobKind.REPLAY)
    await trade.processor.run(entry)
    before = await trade.events()
    await trade.processor.run(late)
    await trade.processor.give_up(late, "internal_error")
    assert await trade.events() == before
    assert summary(await trade.records()) == [("850", "done", "valid", "accepted")]


async def test_records_that_stand_elsewhere_are_not_overwritten(trade: Trade) -> None:
    await trade.receive(case(1))
    (interchange,) = await trade.interchanges()
    now, received = trade.clock.now(), InterchangeStatus.RECEIVED

    async def step(unit: WriteUnit) -> None:
        await unit.interchanges.step(
            interchange.id, InterchangeStatus.PROCESSED, received, None, now
        )

    await write(trade.database, LIVE, step)
    await trade.ask(interchange, JobKind.REPLAY)
    (entry,) = await trade.claim(JobKind.REPLAY)
    for attempt in (trade.processor.run(entry), trade.processor.give_up(entry, "internal_error")):
        with pytest.raises(StalePreparationError):
            await attempt
    assert summary(await trade.records()) == [("850", "done", "valid", "accepted")]
    assert await trade.entry_state(entry.id) is OutboxState.LEASED


async def test_what_is_damaged_is_given_up_and_shown_without_bytes(
    trade: Trade, database: Database, clock: StoppedClock
) -> None:
    receipt_id = await trade.arrive(case(1))
    (entry,) = await trade.claim()
    other_key = a_processor(database, clock, sealer=a_sealer(b"other key " * 3 + b"42"))
    with pytest.raises(SealBrokenError):
        await other_key.run(entry)
    await other_key.give_up(entry, "internal_error")
    (record,) = await trade.stored()
    assert record.transaction.record.states.processing is ProcessingStatus.FAILED
    (interchange,) = await trade.interchanges()
    assert (interchange.new.file_size, interchange.new.status.value) == (0, "failed")
    assert await trade.receipt_status(receipt_id) is ReceiptStatus.FAILED


async def test_a_release_answers_nothing_where_nothing_is_to_be_answered(trade: Trade) -> None:
    await trade.receive(live(case_text(31, ("ACMERETAIL     ", "NOBODY         "))), LIVE)
    await again(trade, JobKind.RELEASE, is_live=True)
    (record,) = await trade.records()
    assert summary([record]) == [("", "done", "not_checked", "not_expected")]
    assert await trade.answers(PRODUCTION) == []


async def test_a_set_outside_every_group_is_invalid_when_it_is_released(trade: Trade) -> None:
    await trade.receive(
        case_text(
            1,
            ("GS*PO*ACMERETAIL*0614141SUPPLIER*20240115*0930*101*X*004010~\n", ""),
            ("GE*1*101~\n", ""),
        )
    )
    await again(trade, JobKind.RELEASE)
    (record,) = await trade.records()
    assert summary([record]) == [("850", "done", "invalid", "not_expected")]
    assert record.record.last_error is not None
    assert record.record.last_error.code == "set_outside_group"
