"""Whose a received document is, and whether it came before. Examples 64 to 70 of x12.md 5.2."""

from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import JobKind
from longshore.domain.partners.model import Identity, PartnerId, PartnerStatus
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import Scope
from longshore.domain.transactions.model import Transaction
from longshore.kit.environment import Environment
from longshore.x12.acks.profile import AckType, Ta1Rule
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.processing import (
    ACME,
    Trade,
    a_sender,
    a_trade,
    case,
    case_text,
    live,
    segments,
    summary,
    terms,
)
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST

ASKED_LIVE = ("*0*T*>~", "*1*P*>~")
ASKED = ("*0*T*>~", "*1*T*>~")
OTHER = ("PO-4711", "PO-4712")


@pytest.fixture(autouse=True)
async def account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


@pytest.fixture
async def trade(database: Database, clock: StoppedClock) -> Trade:
    return await a_trade(database, clock)


def errors(records: list[Transaction]) -> list[str | None]:
    found = [each.record.last_error for each in records]
    return [None if each is None else each.code for each in found]


def environments(records: list[Transaction]) -> list[Environment]:
    return [each.record.environment for each in records]


async def codes(trade: Trade, at: int = 0, environment: Environment = SANDBOX) -> list[str]:
    """Return the codes of what is told of an interchange."""
    _, facts = await trade.content((await trade.interchanges(environment))[at])
    return [each["code"] for each in facts["notices"]]


STRANGER = ("ACMERETAIL     ", "NOBODY         ")
NOT_OURS = ("0614141SUPPLIER*240115", "SOMEBODY ELSE  *240115")


@pytest.mark.parametrize(
    ("_case", "change", "reason", "ta1"),
    [("67", STRANGER, "unknown_sender", "006"), ("68", NOT_OURS, "unknown_receiver", "009")],
)
async def test_a_live_document_with_wrong_addresses_is_set_aside(
    trade: Trade, _case: str, change: tuple[str, str], reason: str, ta1: str
) -> None:
    await trade.receive(case_text(1, ASKED_LIVE, change), LIVE)
    (interchange,) = await trade.interchanges(PRODUCTION)
    assert (interchange.new.status.value, interchange.new.reason) == ("quarantined", reason)
    records = await trade.records()
    assert summary(records) == [("850", "quarantined", "not_checked", "not_expected")]
    assert errors(records) == [reason]
    (answer,) = await trade.answers(PRODUCTION)
    assert segments(answer, "TA1", "GS") == [f"TA1*000000101*240115*0930*R*{ta1}"]


async def test_69_another_partners_name_is_set_aside_live_and_a_warning_in_test(
    trade: Trade, database: Database
) -> None:
    other = Identity(qualifier="ZZ", isa_id="NOBODY")
    await a_sender(database, terms(name="Nobody", identity=other))
    await trade.receive(case_text(1, ASKED_LIVE, STRANGER), LIVE)
    await trade.receive(case_text(1, STRANGER), TEST)
    records = await trade.records()
    assert errors(records) == ["identity_mismatch", None]
    assert [each.record.partner_id for each in records] == [trade.partner_id] * 2
    assert records[1].record.states.processing == "done"
    assert await codes(trade) == ["identity_mismatch"]


@pytest.mark.parametrize(
    ("_case", "given", "usage", "environment", "noted"),
    [
        ("live", LIVE, "P", PRODUCTION, []),
        ("70", LIVE, "T", SANDBOX, []),
        ("information", LIVE, "I", SANDBOX, []),
        ("70 on a test channel", TEST, "P", SANDBOX, ["usage_mismatch"]),
    ],
)
async def test_test_and_live_stay_apart(
    trade: Trade, _case: str, given: Scope, usage: str, environment: Environment, noted: list[str]
) -> None:
    await trade.receive(case_text(1, ("*0*T*>~", f"*0*{usage}*>~")), given)
    records = await trade.records()
    assert (environments(records), records[0].record.states.processing) == ([environment], "done")
    assert await codes(trade, environment=environment) == noted
    answers = await trade.answers(environment)
    assert len(answers) == (usage != "I")
    answered = "P" if environment is PRODUCTION else "T"  # never as a live document
    assert all(f"*{answered}*>~" in each for each in answers)


async def test_70_a_live_document_on_a_test_channel_has_a_ta1_020(trade: Trade) -> None:
    await trade.receive(case_text(1, ASKED_LIVE), TEST)
    (answer,) = await trade.answers()
    assert segments(answer, "TA1") == ["TA1*000000101*240115*0930*E*020"]


async def test_what_came_as_live_on_a_test_channel_is_never_answered_as_live(
    trade: Trade,
) -> None:
    await trade.receive(case_text(1, ASKED_LIVE), TEST)
    await trade.receive(case_text(1, ASKED_LIVE), TEST)  # a duplicate
    await trade.receive(case_text(27, ASKED_LIVE, ("PO-4711", "PO-1")), TEST)  # refused by TA1
    interchange, *_ = await trade.interchanges()
    await trade.let_go(interchange)
    await trade.again(interchange, JobKind.REPLAY_ACKNOWLEDGED)
    answers = await trade.answers()
    assert [[each[:3] for each in segments(answer, "TA1", "AK9")] for answer in answers] == [
        ["TA1", "AK9"],
        ["TA1"],
        ["TA1"],
        ["AK9"],
    ]
    assert all("*T*>~" in each for each in answers)


async def test_an_inactive_partners_groups_are_set_aside(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade(database, clock, status=PartnerStatus.INACTIVE)
    await trade.receive(case_text(1, ASKED))
    (interchange,) = await trade.interchanges()
    assert (interchange.new.status.value, interchange.new.reason) == (
        "quarantined",
        "partner_inactive",
    )
    assert errors(await trade.records()) == ["partner_inactive"]
    (answer,) = await trade.answers()
    assert segments(answer, "TA1", "GS") == ["TA1*000000101*240115*0930*A*000"]


async def test_of_partners_with_one_address_the_group_names_one(
    trade: Trade, database: Database
) -> None:
    shop = replace(ACME, gs_id="SHOP")
    second = await a_sender(database, terms(name="Shop", identity=shop, tx_sets=("810",)))
    await trade.receive(case_text(1, ("GS*PO*ACMERETAIL", "GS*PO*SHOP")))
    (record,) = await trade.records()
    assert record.record.partner_id == second
    assert errors([record]) == ["set_not_agreed"]


# ---- repetitions ---------------------------------------------------------------------------------


async def test_64_the_same_interchange_is_a_duplicate(trade: Trade) -> None:
    await trade.receive(case_text(14, ASKED))
    await trade.receive(case_text(14, ASKED).replace(b"\n", b""))
    first, _, third, fourth = records = await trade.records()
    assert [each.record.states.processing.value for each in records] == [
        *("done", "done"),
        *("duplicate", "duplicate"),
    ]
    assert (third.record.duplicate_of, fourth.record.duplicate_of) == (first.id, first.id + 1)
    _, again = await trade.interchanges()
    assert (again.new.status.value, again.new.reason) == ("duplicate", None)
    answers = await trade.answers()
    assert len(answers) == 2
    assert segments(answers[1], "TA1", "GS") == ["TA1*000000101*240115*0930*R*025"]
    told = [each for each, number in await trade.events() if number == third.id]
    assert told == ["transaction.received", "transaction.duplicate"]


async def test_a_duplicate_within_one_document_is_one_too(trade: Trade) -> None:
    await trade.receive(case(1) + case(1))
    records = await trade.records()
    assert [each.record.states.processing.value for each in records] == ["done", "duplicate"]
    assert records[1].record.duplicate_of == records[0].id


@pytest.mark.parametrize("given", [LIVE, TEST], ids=["live", "test"])
async def test_65_another_content_under_the_number_is_set_aside_if_live(
    trade: Trade, given: Scope
) -> None:
    is_live = given is LIVE
    change = ASKED_LIVE if is_live else ASKED
    environment = PRODUCTION if is_live else SANDBOX
    await trade.receive(case_text(1, change), given)
    await trade.receive(case_text(1, change, OTHER), given)
    _, second = await trade.interchanges(environment)
    expected = ("quarantined", "025") if is_live else ("processed", None)
    assert (second.new.status.value, second.new.reason) == expected
    assert errors(await trade.records()) == [None, "025" if is_live else None]
    assert await codes(trade, 1, environment) == ([] if is_live else ["duplicate_number"])
    last = (await trade.answers(environment))[-1]
    result = "R*025" if is_live else "A*000"
    assert segments(last, "TA1") == [f"TA1*000000101*240115*0930*{result}"]


async def test_66_an_old_number_has_rolled_over(trade: Trade, clock: StoppedClock) -> None:
    await trade.receive(live(case(1)), LIVE)
    clock.move(timedelta(days=31))
    await trade.receive(live(case_text(1, OTHER, ("*240115*0930*U", "*240215*0930*U"))), LIVE)
    assert errors(await trade.records()) == [None, None]


async def test_what_was_set_aside_blocks_no_number(trade: Trade) -> None:
    await trade.receive(live(case(12)), LIVE)
    await trade.receive(live(case(1)), LIVE)
    first, second = await trade.interchanges(PRODUCTION)
    assert (first.new.status.value, second.new.status.value) == ("quarantined", "processed")


async def test_the_same_set_under_another_number_is_a_warning(trade: Trade) -> None:
    await trade.receive(case(1))
    await trade.receive(case_text(1, ("000000101", "000000102")))
    first, second = await trade.records()
    assert second.record.states == first.record.states
    assert (await codes(trade, 0), await codes(trade, 1)) == ([], ["content_duplicate"])


async def test_the_stored_answer_is_sent_again_where_the_partner_wants_it(
    database: Database, clock: StoppedClock
) -> None:
    settings = PartnerSettings(reack_duplicates=True)
    trade = await a_trade(database, clock, terms(settings=settings))
    await trade.receive(case(1))
    await trade.receive(case(1))
    assert len(await trade.claim_all()) == 1  # the first is not sent yet
    await trade.deliver_all()
    await trade.receive(case(1))
    (entry,) = await trade.claim_all()
    (answer,) = await trade.interchanges(direction=trade.OUTBOUND)
    assert (entry.new.interchange_id, answer.new.status.value) == (answer.id, "queued")
    assert [each.record.states.delivery.value for each in await trade.records(trade.OUTBOUND)] == [
        "pending"
    ]


# ---- what was agreed -----------------------------------------------------------------------------


async def test_a_set_that_was_not_agreed_is_rejected(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade(database, clock, terms(tx_sets=("810",)))
    await trade.receive(case(1))
    records = await trade.records()
    assert summary(records) == [("850", "done", "invalid", "rejected")]
    assert errors(records) == ["set_not_agreed"]
    (answer,) = await trade.answers()
    assert segments(answer, "AK5", "AK9") == ["AK5*R*1", "AK9*R*1*1*0"]


async def test_no_answer_is_made_where_none_was_agreed(
    database: Database, clock: StoppedClock
) -> None:
    settings = PartnerSettings(ta1=Ta1Rule.ON_ERROR)
    trade = await a_trade(database, clock, terms(ack_type=AckType.NONE, settings=settings))
    await trade.receive(case(1))
    assert summary(await trade.records()) == [("850", "done", "valid", "not_expected")]
    assert await trade.answers() == []
    await trade.receive(case(27))
    (answer,) = await trade.answers()
    assert segments(answer, "TA1") == ["TA1*000000101*240115*0930*R*001"]


async def test_activity_of_the_partner_is_noted(trade: Trade) -> None:
    await trade.receive(case(1))
    assert await trade.last_activity(PartnerId(trade.partner_id)) is not None


async def test_a_file_of_a_shared_mailbox_is_of_the_partners_that_its_interchanges_name(
    trade: Trade, database: Database
) -> None:
    other = Identity(qualifier="ZZ", isa_id="NOBODY")
    other_id = await a_sender(database, terms(name="Nobody", identity=other))
    both = case_text(1) + case_text(1, STRANGER, OTHER)
    lost = case_text(1, ("ACMERETAIL     ", "SOMEBODY       "))
    await trade.receive(both + lost, TEST, mailbox="shared")
    records = await trade.records()
    assert [each.record.partner_id for each in records] == [
        *(trade.partner_id, other_id, trade.partner_id),
    ]
    assert errors(records) == [None, None, "unknown_sender"]
    states = [each.record.states.processing.value for each in records]
    assert states == ["done", "done", "quarantined"]
    assert await codes(trade, 1) == []
