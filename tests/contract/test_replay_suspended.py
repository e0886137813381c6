"""A replay passes on what was kept back, and nothing a second time, on both engines."""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import JobKind
from longshore.domain.inbound.preparation import StalePreparationError
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import Route
from longshore.domain.partners.setting_kinds import OnError
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.units import WriteUnit
from tests.contract.test_processing_effects import saved_map
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.processing import Trade, a_trade, case, segments, summary, terms
from tests.support.trading import LIVE, write

DONE, REJECTED = ("850", "done", "valid", "accepted"), ("850", "done", "invalid", "rejected")
KEPT = ("850", "quarantined", "valid", "accepted")


@pytest.fixture
async def trade(accounts: AccountService, database: Database, clock: StoppedClock) -> Trade:
    await accounts.create("own", AccountType.ENTERPRISE)
    await saved_map(database, clock)
    settings = PartnerSettings(on_error=OnError.SUSPEND_GROUP)
    order = Route(tx_set="850", map_id=1, save_to_vault=True)
    return await a_trade(database, clock, terms(routes=(order,), settings=settings))


def two_groups(*, is_good_first: bool) -> bytes:
    """Return an interchange with a group of one good set, and one whose second set is rejected."""
    good, bad = (case(number).decode().replace("\n", "").split("~") for number in (1, 29))
    group = "~".join(good[1:-2]).replace("0930*101*X", "0930*77*X").replace("GE*1*101", "GE*1*77")
    groups = [group, "~".join(bad[1:-2])]
    trailer = bad[-2].replace("IEA*1*", "IEA*2*")
    return "~".join((bad[0], *(groups if is_good_first else groups[::-1]), trailer, "")).encode()


async def outputs(trade: Trade) -> list[int | None]:
    return [each.output_doc_id for each in await trade.stored()]


async def replay(trade: Trade, kind: JobKind = JobKind.REPLAY) -> list[tuple[str, int | None]]:
    """Return what is told of a replay."""
    (interchange,) = await trade.interchanges()
    before = len(await trade.events())
    await trade.let_go(interchange)
    await trade.again(interchange, kind)
    return (await trade.events())[before:]


@pytest.mark.parametrize("is_good_first", [True, False])
async def test_only_what_was_suspended_is_passed_on(trade: Trade, *, is_good_first: bool) -> None:
    passed, kept, rejected = (0, 1, 2) if is_good_first else (2, 0, 1)
    await trade.receive(two_groups(is_good_first=is_good_first))
    first, made = await trade.stored(), await outputs(trade)
    said = {passed: DONE, kept: KEPT, rejected: REJECTED}
    assert summary(await trade.records()) == [said[at] for at in range(3)]
    assert [each is not None for each in made] == [at == passed for at in range(3)]
    told = await replay(trade)
    number = first[kept].transaction.id
    assert told == [("transaction.validated", number), ("document.stored", number)]
    assert summary(await trade.records()) == [{**said, kept: DONE}[at] for at in range(3)]
    again = await outputs(trade)
    assert [again[passed], again[rejected]] == [made[passed], None]
    assert again[kept] not in {None, made[passed]}


async def test_once_nothing_is_suspended_all_is_processed_again(trade: Trade) -> None:
    await trade.receive(two_groups(is_good_first=True))
    await replay(trade)
    told = await replay(trade)
    assert told.count(("document.stored", 1)) == told.count(("document.stored", 2)) == 1


async def test_a_replay_that_was_given_up_passes_nothing_on_twice_afterwards(trade: Trade) -> None:
    await trade.receive(two_groups(is_good_first=True))
    made = await outputs(trade)
    (interchange,) = await trade.interchanges()
    await trade.let_go(interchange)
    await trade.ask(interchange, JobKind.REPLAY)
    (entry,) = await trade.claim(JobKind.REPLAY)
    await trade.processor.give_up(entry, "internal_error")
    failed = [("850", "failed", *KEPT[2:]), ("850", "failed", *REJECTED[2:])]
    assert summary(await trade.records()) == [DONE, *failed]
    told = await replay(trade)
    assert told == [("transaction.validated", 2), ("document.stored", 2)]
    assert summary(await trade.records()) == [DONE, DONE, REJECTED]
    assert (await outputs(trade))[0] == made[0]


async def test_a_replay_that_answers_tells_of_all_sets(trade: Trade) -> None:
    await trade.receive(two_groups(is_good_first=True))
    told = await replay(trade, JobKind.REPLAY_ACKNOWLEDGED)
    assert [number for kind, number in told if kind == "document.stored"] == [2]
    first, again = await trade.answers()
    assert segments(again, "AK1", "AK5", "AK9") == segments(first, "AK1", "AK5", "AK9")


async def test_a_record_that_stands_elsewhere_is_not_overwritten(trade: Trade) -> None:
    await trade.receive(two_groups(is_good_first=True))
    (interchange,) = await trade.interchanges()
    before = summary(await trade.records())
    await trade.ask(interchange, JobKind.REPLAY)
    now, received = trade.clock.now(), InterchangeStatus.RECEIVED

    async def step(unit: WriteUnit) -> None:
        await unit.interchanges.step(
            interchange.id, InterchangeStatus.PROCESSED, received, None, now
        )

    await write(trade.database, LIVE, step)
    (entry,) = await trade.claim(JobKind.REPLAY)
    with pytest.raises(StalePreparationError):
        await trade.processor.run(entry)
    assert summary(await trade.records()) == before
