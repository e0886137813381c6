"""The 277CAs and 824s that we send for received documents, on both engines: x12.md section 2.11."""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import JobKind
from longshore.domain.inbound import application_answers
from longshore.domain.inbound.intake import Incoming, IncomingDocument
from longshore.domain.maps.model import Authorship
from longshore.domain.partners.encryption import TokenWriter, facts_of
from longshore.domain.partners.model import (
    Direction,
    PartnerStatus,
    PartnerTerms,
    Route,
)
from longshore.domain.partners.setting_kinds import AdviceRule
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import AccountId, Scope
from longshore.domain.units import WriteUnit
from longshore.engine import validate
from longshore.kit.environment import Environment
from longshore.x12.acks.profile import AckType, RejectLevel
from tests.contract.test_application_answers import CLAIMS, an_837, states
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.exchange import PEER_IP, Exchange, an_exchange, letter, orders
from tests.support.maps import a_map, a_map_service
from tests.support.processing import ACME, BOTH_WAYS, OWN, SEALER, terms
from tests.support.trading import SANDBOX, write
from tests.support.vault import context

PLAN = AccountId(2)
OF_PLAN = Scope(account_id=PLAN, environment=Environment.PRODUCTION)
BY_CLAIM = PartnerSettings(claim_acks=True, reject_level=RejectLevel.LENIENT)
ADVISED = PartnerSettings(application_advice=AdviceRule.ON_ERROR)


@pytest.fixture(autouse=True)
async def account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


def sets_of(text: str) -> list[str]:
    """Return the ids of the sets in an interchange."""
    return [each.split("*")[1] for each in text.split("~") if each.startswith("ST*")]


def from_partner(claims: str = CLAIMS) -> str:
    """Return the 837 of a partner to us."""
    ours, theirs = f"14*{OWN.isa_id:15}", f"ZZ*{ACME.isa_id:15}"
    text = an_837(claims).replace(f"{ours}*{theirs}", f"{theirs}*{ours}")
    return text.replace(f"GS*HC*{OWN.isa_id}*{ACME.isa_id}", f"GS*HC*{ACME.isa_id}*{OWN.isa_id}")


async def of_partner(
    database: Database, clock: StoppedClock, settings: PartnerSettings, **members: object
) -> Exchange:
    agreed = terms(settings=settings, **members)
    return await an_exchange(database, clock, agreed, status=PartnerStatus.TESTING)


async def a_plan(database: Database, accounts: AccountService) -> None:
    """Let a second account be ACME, with us as its partner, which it answers claim by claim."""
    await accounts.create("plan", AccountType.ENTERPRISE)
    us = PartnerTerms(name="Clinic", identity=OWN, connections=BOTH_WAYS, settings=BY_CLAIM)

    async def insert(unit: WriteUnit) -> None:
        await unit.identities.insert(PLAN, ACME, START)
        number = await unit.partners.insert(PLAN, facts_of(us), PartnerStatus.TESTING, START)
        assert number is not None
        await TokenWriter(unit, SEALER, (PLAN, number)).insert("plan token", SANDBOX, START)

    await write(database, OF_PLAN, insert)


async def test_two_accounts_exchange_claims_and_their_answers(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> None:
    await a_plan(database, accounts)
    exchange = await of_partner(database, clock, PartnerSettings())
    bad_code = CLAIMS.replace("HC:G0463*90*UN", "HC:G0463*90*ZZ")
    await exchange.submit(an_837(bad_code), tx_set="837")
    await exchange.work()
    (sent,) = exchange.delivered
    channel = await exchange.trading.intake.channel("plan token", PEER_IP)
    incoming = Incoming(documents=(IncomingDocument(content=sent.encode()),))
    await exchange.trading.intake.receive(channel, incoming)
    await exchange.work()
    answers = exchange.delivered[1:]
    assert sorted(map(sets_of, answers)) == [["277"], ["999"]]
    assert all(validate(each).is_valid for each in answers)
    for each in answers:
        await exchange.push(each)
    assert await states(exchange) == ["partially_accepted"]
    claims = next(
        each.row.facts
        for each in await exchange.acks()
        if each.row.facts.ack_type == "277CA" and each.row.direction is Direction.INBOUND
    )
    assert [(each.claim_number, each.category) for each in claims.claims] == [
        ("A-2", "A7"),
        ("A-1", "A2"),
    ]


async def test_a_277ca_has_numbers_of_ours_and_is_acknowledged_itself(
    database: Database, clock: StoppedClock
) -> None:
    exchange = await of_partner(database, clock, BY_CLAIM, ack_type=AckType.AUTO)
    await exchange.push(from_partner())
    functional, of_claims = sorted(exchange.delivered, key=sets_of, reverse=True)
    assert (sets_of(functional), sets_of(of_claims)) == (["999"], ["277"])
    assert "TRN*2*BATCH-1~" in of_claims
    assert of_claims.count("STC*A2:20*") == 2
    isa = {each.split("*")[13] for each in (functional, of_claims)}
    assert len(isa) == 2
    records = {
        each.record.facts.tx_set: each for each in await exchange.records(Direction.OUTBOUND)
    }
    assert records["277"].record.states.ack.value == "pending"
    timeline = await exchange.trading.transactions.timeline(context(1, SANDBOX), records["277"].id)
    assert "Answers interchange 1." in [each.message for each in timeline]


@pytest.mark.parametrize(
    ("settings", "content"),
    [
        (PartnerSettings(), from_partner()),
        (PartnerSettings(claim_acks=True), from_partner(CLAIMS.replace("ABK:Z0000", "ABK:"))),
        (BY_CLAIM, orders(to=ACME)),
        (BY_CLAIM, from_partner().replace("*0*T*:", "*0*I*:")),
    ],
)
async def test_no_277ca_answers_what_is_not_accepted_or_no_claim_or_not_wanted(
    database: Database, clock: StoppedClock, settings: PartnerSettings, content: str
) -> None:
    exchange = await of_partner(database, clock, settings)
    await exchange.push(content)
    assert ["277"] not in [sets_of(each) for each in exchange.delivered]


async def test_more_claims_than_are_answered_are_not_answered_and_that_is_noted(
    database: Database, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application_answers, "MAX_ANSWERED_CLAIMS", 1)
    exchange = await of_partner(database, clock, BY_CLAIM)
    await exchange.push(from_partner())
    assert [sets_of(each) for each in exchange.delivered] == [["999"]]
    (interchange,) = await exchange.interchanges()
    _, facts = await exchange.content(interchange)
    assert [each["message"] for each in facts["notices"]] == [
        "No 837 is answered by a 277CA: there are more than 10,000 claims."
    ]


@pytest.mark.parametrize(("kind", "count"), [(JobKind.REPLAY, 1), (JobKind.REPLAY_ACKNOWLEDGED, 2)])
async def test_what_is_processed_again_is_answered_again_if_a_person_wants_it(
    database: Database, clock: StoppedClock, kind: JobKind, count: int
) -> None:
    exchange = await of_partner(database, clock, BY_CLAIM)
    await exchange.push(from_partner())
    (interchange,) = await exchange.interchanges()
    await exchange.let_go(interchange)
    await exchange.ask(interchange, kind)
    await exchange.work()
    assert [sets_of(each) for each in exchange.delivered].count(["277"]) == count


async def test_an_837_with_too_many_errors_has_no_277ca_and_that_is_noted(
    database: Database, clock: StoppedClock
) -> None:
    exchange = await of_partner(database, clock, BY_CLAIM)
    await exchange.push(from_partner(CLAIMS + "DTP*472*D8*20269999~" * 5_001))
    assert [sets_of(each) for each in exchange.delivered] == [["999"]]
    (interchange,) = await exchange.interchanges()
    _, facts = await exchange.content(interchange)
    assert "claims_not_answered" in [each["code"] for each in facts["notices"]]


async def test_a_map_that_fails_is_answered_by_an_824_but_never_one_about_an_answer(
    database: Database, clock: StoppedClock
) -> None:
    await a_map_service(database, clock).create(
        context(1, SANDBOX), a_map(), Authorship(saved_by="cli", note="")
    )
    routes = tuple(
        Route(tx_set=each, map_id=9, save_to_vault=True) for each in ("850", "824", "277")
    )
    exchange = await of_partner(database, clock, ADVISED, routes=routes)
    order = orders(to=ACME)
    theirs = letter("PO", order_set(order), sender=ACME, receiver=OWN)
    await exchange.push(theirs)
    advice = next(each for each in exchange.delivered if sets_of(each) == ["824"])
    assert validate(advice).is_valid
    assert "~OTI*TR*TN*PO-1*ACMERETAIL*0614141SUPPLIER*20240115*0930*101*0001*850*004010~" in advice
    assert "~TED*024*" in advice
    about = advice.replace(
        "14*0614141SUPPLIER*ZZ*ACMERETAIL     ", "ZZ*ACMERETAIL     *14*0614141SUPPLIER"
    )
    count = len(exchange.delivered)
    await exchange.push(
        about.replace("GS*AG*0614141SUPPLIER*ACMERETAIL", "GS*AG*ACMERETAIL*0614141SUPPLIER")
    )
    records = [each.record for each in await exchange.records()]
    assert [(each.facts.tx_set, each.states.processing.value) for each in records] == [
        ("850", "failed"),
        ("824", "failed"),
    ]
    assert [sets_of(each) for each in exchange.delivered[count:]] == [["997"]]


def order_set(text: str) -> list[str]:
    """Return the segments of the set in an interchange."""
    return text[text.index("ST*") : text.index("GE*")].rstrip("~").split("~")
