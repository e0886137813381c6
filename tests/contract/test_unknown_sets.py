"""Received sets that were not checked: the setting ``unknown_sets`` decides, on both engines."""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import JobKind
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import Scope
from longshore.x12.acks.profile import AckType, UnknownSets
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.other_formats import DOCUMENTS as DOCUMENTS_OF_OTHER_FORMATS
from tests.support.processing import Trade, a_trade, case_text, live, segments, summary, terms
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST
from tests.support.unchecked import UNKNOWN_GUIDES, unknown_sets

(UNKNOWN,) = unknown_sets(1)
UNKNOWN_SET = (("ST*850", f"ST*{UNKNOWN}"),)
UNKNOWN_GUIDE = (("X*004010", "X*005010X999A9"),)
DOCUMENTS = {
    "set": (case_text(1, *UNKNOWN_SET), UNKNOWN, "997"),
    "guide": (case_text(1, *UNKNOWN_GUIDE), "850", "999"),
}
HELD = {
    "set": f"ST: no definition for {UNKNOWN} at 004010: structure not checked",
    "guide": "ST: guide 005010X999A9 is not known; checked against 850 005010 only",
}


@pytest.fixture(autouse=True)
async def account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


async def a_trade_with(
    database: Database, clock: StoppedClock, rule: UnknownSets | None = None, **members: object
) -> Trade:
    settings = PartnerSettings(unknown_sets=rule)
    return await a_trade(database, clock, terms(settings=settings, **members))


async def received(trade: Trade, content: bytes, given: Scope) -> tuple[str, str | None]:
    """Receive a document; return status and reason of its interchange."""
    await trade.receive(live(content) if given is LIVE else content, given)
    (interchange,) = await trade.interchanges(PRODUCTION if given is LIVE else SANDBOX)
    return interchange.new.status.value, interchange.new.reason


async def answered(trade: Trade, given: Scope) -> list[list[str]]:
    answers = await trade.answers(PRODUCTION if given is LIVE else SANDBOX)
    return [segments(each, "TA1", "ST", "AK5", "IK5", "AK9") for each in answers]


async def release(trade: Trade, given: Scope, kind: JobKind = JobKind.RELEASE) -> None:
    (interchange,) = await trade.interchanges(PRODUCTION if given is LIVE else SANDBOX)
    await trade.let_go(interchange)
    await trade.again(interchange, kind)


def accepting(form: str) -> list[list[str]]:
    mark = "AK5" if form == "997" else "IK5"
    version = "" if form == "997" else "*005010X231A1"
    return [[f"ST*{form}*0001{version}", f"{mark}*A", "AK9*A*1*1*1"]]


@pytest.mark.parametrize("rule", [None, UnknownSets.HOLD])
@pytest.mark.parametrize("unknown", DOCUMENTS)
async def test_a_live_set_is_held_and_accepted_by_a_release_alone(
    database: Database, clock: StoppedClock, unknown: str, rule: UnknownSets | None
) -> None:
    content, set_id, form = DOCUMENTS[unknown]
    trade = await a_trade_with(database, clock, rule)
    assert await received(trade, content, LIVE) == ("quarantined", "set_not_checked")
    (record,) = await trade.records()
    assert summary([record]) == [(set_id, "quarantined", "not_checked", "not_expected")]
    assert record.record.last_error is not None
    assert record.record.last_error.code == "set_not_checked"
    assert record.record.last_error.message == (
        f"It holds a transaction set that was not checked ({HELD[unknown]}); release it to accept "
        "it unchecked."
    )
    assert (await answered(trade, LIVE), await trade.acks()) == ([], [])
    await release(trade, LIVE)
    (record,) = await trade.records()
    assert summary([record]) == [(set_id, "done", "not_checked", "accepted")]
    assert record.record.last_error is None
    assert await answered(trade, LIVE) == accepting(form)
    (interchange,) = await trade.interchanges(PRODUCTION)
    assert interchange.new.status.value == "processed"


@pytest.mark.parametrize(
    ("given", "rule"),
    [(TEST, None), (TEST, UnknownSets.ACCEPT), (LIVE, UnknownSets.ACCEPT)],
    ids=["test by default", "test", "live"],
)
@pytest.mark.parametrize("unknown", DOCUMENTS)
async def test_an_accepted_set_is_recorded_as_not_checked(
    database: Database,
    clock: StoppedClock,
    unknown: str,
    given: Scope,
    rule: UnknownSets | None,
) -> None:
    content, set_id, form = DOCUMENTS[unknown]
    trade = await a_trade_with(database, clock, rule)
    assert await received(trade, content, given) == ("processed", None)
    assert summary(await trade.records()) == [(set_id, "done", "not_checked", "accepted")]
    assert await answered(trade, given) == accepting(form)


@pytest.mark.parametrize("given", [TEST, LIVE], ids=["test", "live"])
@pytest.mark.parametrize("unknown", DOCUMENTS)
async def test_a_rejected_set_is_answered_with_code_1(
    database: Database, clock: StoppedClock, unknown: str, given: Scope
) -> None:
    content, set_id, form = DOCUMENTS[unknown]
    trade = await a_trade_with(database, clock, UnknownSets.REJECT)
    assert await received(trade, content, given) == ("processed", None)
    (record,) = await trade.records()
    assert summary([record]) == [(set_id, "done", "invalid", "rejected")]
    assert record.record.last_error is not None
    assert record.record.last_error.code == "set_not_checked"
    [[_, result, group]] = await answered(trade, given)
    assert (result, group) == (f"{accepting(form)[0][1][:3]}*R*1", "AK9*R*1*1*0")


async def test_a_test_set_is_held_where_the_partner_wants_it(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade_with(database, clock, UnknownSets.HOLD)
    content = DOCUMENTS["set"][0].replace(b"*0*T*>~", b"*1*T*>~")
    assert await received(trade, content, TEST) == ("quarantined", "set_not_checked")
    assert await answered(trade, TEST) == [["TA1*000000101*240115*0930*A*000"]]
    await release(trade, TEST)
    assert await answered(trade, TEST) == [
        ["TA1*000000101*240115*0930*A*000"],
        *accepting("997"),
    ]


async def test_an_interchange_is_held_as_a_whole(database: Database, clock: StoppedClock) -> None:
    trade = await a_trade_with(database, clock)
    text = case_text(1).decode()
    order = text[text.index("GS*") : text.index("IEA*")]
    other = order.replace("ST*850", f"ST*{UNKNOWN}")
    other = other.replace("*101*X", "*102*X").replace("GE*1*101", "GE*1*102")
    both = text.replace("IEA*1", f"{other}IEA*2").encode()
    assert await received(trade, both, LIVE) == ("quarantined", "set_not_checked")
    assert [each[1] for each in summary(await trade.records())] == ["quarantined"] * 2
    assert await answered(trade, LIVE) == []
    await release(trade, LIVE)
    assert summary(await trade.records()) == [
        ("850", "done", "valid", "accepted"),
        (UNKNOWN, "done", "not_checked", "accepted"),
    ]


async def test_what_has_an_error_is_rejected_and_not_held(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade_with(database, clock)
    content = case_text(1, *UNKNOWN_SET, ("SE*16", "SE*99"))
    assert await received(trade, content, LIVE) == ("processed", None)
    assert summary(await trade.records()) == [(UNKNOWN, "done", "invalid", "rejected")]


async def test_a_partner_who_is_not_acknowledged_is_held_all_the_same(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade_with(database, clock, ack_type=AckType.NONE)
    content, set_id, _ = DOCUMENTS["set"]
    assert await received(trade, content, LIVE) == ("quarantined", "set_not_checked")
    await release(trade, LIVE)
    assert summary(await trade.records()) == [(set_id, "done", "not_checked", "not_expected")]


async def test_a_replay_of_what_was_released_holds_nothing_again(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade_with(database, clock)
    content, set_id, _ = DOCUMENTS["set"]
    await received(trade, content, LIVE)
    await release(trade, LIVE)
    await release(trade, LIVE, JobKind.REPLAY)
    assert summary(await trade.records()) == [(set_id, "done", "not_checked", "accepted")]
    assert len(await answered(trade, LIVE)) == 1


async def test_a_damaged_interchange_behind_a_good_one_is_in_quarantine(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade_with(database, clock)
    damaged = case_text(1).replace(b"ISA*", b"ISB*", 1)
    await trade.receive(live(case_text(1)) + damaged + b"UNB+UNOC:3+1+2'", LIVE)
    records = await trade.records()
    assert summary(records) == [
        ("850", "done", "valid", "accepted"),
        ("", "quarantined", "not_checked", "not_expected"),
    ]
    assert [each.record.last_error.code for each in records if each.record.last_error] == [
        "no_envelope"
    ]
    assert await answered(trade, LIVE) == accepting("997")


async def test_a_live_group_of_acknowledgements_passes_nothing_unchecked(
    database: Database, clock: StoppedClock
) -> None:
    trade = await a_trade_with(database, clock)
    content = case_text(1, *UNKNOWN_SET, ("GS*PO", "GS*FA"))
    assert await received(trade, content, LIVE) == ("processed", None)
    (record,) = await trade.records()
    assert summary([record]) == [(UNKNOWN, "done", "invalid", "not_expected")]
    assert record.record.last_error is not None
    assert record.record.last_error.code == "set_not_in_group"
    assert await answered(trade, LIVE) == []


@pytest.mark.full("a dozen documents are received")
async def test_no_live_document_that_was_not_checked_is_passed_on_or_acknowledged(
    database: Database, clock: StoppedClock
) -> None:
    """Of each kind some: the library is tested with all of them."""
    kinds = {
        **{each: (("ST*850", f"ST*{each}"),) for each in unknown_sets(3)},
        **{each: (("X*004010", f"X*{each}"),) for each in (*UNKNOWN_GUIDES[:3], "002040")},
    }
    trade = await a_trade_with(database, clock)
    for number, changes in enumerate(kinds.values(), 201):
        own = ("000000101", f"000000{number}")
        await trade.receive(live(case_text(1, *changes, own)), LIVE)
    for document in DOCUMENTS_OF_OTHER_FORMATS.values():
        await trade.receive(document.encode(), LIVE)
    records = await trade.records()
    assert len(records) == len(kinds) + 6
    assert {each[1:] for each in summary(records)} == {
        ("quarantined", "not_checked", "not_expected")
    }
    reasons = [each.record.last_error.code for each in records if each.record.last_error]
    assert reasons == ["set_not_checked"] * len(kinds) + ["document_not_x12"] * 6
    assert (await answered(trade, LIVE), await trade.acks()) == ([], [])
