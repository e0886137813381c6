"""Records of sets that could not be checked say so, whichever direction they go."""

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.transactions.model import ValidationStatus
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine
from tests.support.processing import a_trade, case_text, segments, summary
from tests.support.submitting import a_set, a_submit_setup, an_interchange
from tests.support.unchecked import unknown_sets

UNKNOWN = unknown_sets()[0]
OF_NO_RELEASE = ("*X*004010~", "*X*002040~")


async def test_a_submitted_set_without_a_definition_is_not_checked(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> None:
    setup = await a_submit_setup(database, engine, clock, accounts)
    await setup.partner()
    content = an_interchange(a_set("N1*ZZ*NOBODY", set_id=UNKNOWN))
    answer = await setup.submit_json(content, tx_set=UNKNOWN)
    validation = answer["validation"]
    assert (validation["valid"], validation["outcome"], validation["errors"]) == (
        None,
        "not_checked",
        [],
    )
    assert [each["message"] for each in validation["warnings"]] == [
        f"no definition for {UNKNOWN} at 004010: structure not checked"
    ]
    states = (await setup.record(1)).record.states
    assert states.validation is ValidationStatus.NOT_CHECKED
    assert answer["status"] == "queued"
    assert [each.type for each in await setup.events()] == ["transaction.queued"]


async def test_a_submitted_set_under_an_unknown_guide_is_not_checked(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> None:
    setup = await a_submit_setup(database, engine, clock, accounts)
    await setup.partner()
    content = an_interchange(a_set()).replace("*X*004010~", "*X*004010X999~")
    await setup.submit(content)
    assert (await setup.record(1)).record.states.validation is ValidationStatus.NOT_CHECKED


async def test_a_received_set_without_a_definition_is_not_checked(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    trade = await a_trade(database, clock)
    await trade.receive(case_text(1, OF_NO_RELEASE))
    (record,) = await trade.records()
    assert summary([record]) == [("850", "done", "not_checked", "accepted")]
    (answer,) = await trade.answers()
    assert segments(answer, "AK5") == ["AK5*A"]
    received = [name for name, number in await trade.events() if number == 1]
    assert received == ["transaction.received"]
