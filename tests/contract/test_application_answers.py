"""A received 277CA or 824 changes the status of what we sent: x12.md section 2.10, both databases.

From a document submitted and delivered to the answer that the partner makes of it and pushes.
"""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.complaints import complaints_of
from longshore.domain.acks.model import AckClaim, AckErrorLevel, ClaimCounts, ClaimResult
from longshore.domain.partners.model import Direction, PartnerStatus
from longshore.domain.transactions.model import AckStatus
from longshore.engine import acknowledge
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.exchange import HOUR, MINUTE, US, Exchange, an_exchange, letter, orders
from tests.support.processing import ACME, OWN
from tests.unit.x12.acks.test_claim_answer import BAD, GOOD, HEADING, PROVIDER, SUBSCRIBER
from tests.unit.x12.documents import a_set

GUIDE = "005010X222A1"
HEAD = {"e11": "^", "e12": "00501", "e13": "000000055", "e16": ":"}
CLAIMS = "".join((HEADING, PROVIDER, SUBSCRIBER, GOOD, BAD.replace("ABK:", "ABK:Z0000")))


@pytest.fixture
async def exchange(accounts: AccountService, database: Database, clock: StoppedClock) -> Exchange:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await an_exchange(database, clock, status=PartnerStatus.TESTING)


def an_837(claims: str = CLAIMS) -> str:
    """Return our 837, group 55."""
    body = claims.rstrip("~").split("~")
    one = (f"ST*837*0001*{GUIDE}", *body, f"SE*{len(body) + 2}*0001")
    of_us = {"sender": OWN, "receiver": ACME, "group": "55", "version": GUIDE}
    return letter("HC", one, head=HEAD, **of_us)  # type: ignore[arg-type]  # each as its parameter


def answer_to(document: str, ack_type: str, number: str = "000000901") -> str:
    """Return what the partner's own Longshore answers to a document of ours."""
    text = acknowledge(document, ack_type=ack_type).text
    assert text
    return text.replace("000000001", number)


async def claims_sent(exchange: Exchange) -> None:
    await exchange.submit(an_837(), tx_set="837")
    await exchange.work()


async def states(exchange: Exchange) -> list[str]:
    """Return what is known of the acknowledgement of our 837s and orders, oldest first."""
    records = [each.record for each in await exchange.records(Direction.OUTBOUND)]
    return [each.states.ack.value for each in records if each.facts.tx_set in {"837", "850"}]


async def test_a_277ca_says_of_each_claim_what_became_of_it(exchange: Exchange) -> None:
    await claims_sent(exchange)
    exchange.clock.move(MINUTE)
    await exchange.push(answer_to(an_837(), "999"))
    exchange.clock.move(MINUTE)
    mixed = answer_to(an_837(CLAIMS.replace("*90*", "*91*", 1)), "277CA", "000000902")
    await exchange.push(mixed)
    assert await states(exchange) == ["partially_accepted"]
    functional, of_claims = [
        each.row for each in await exchange.acks() if each.row.direction is Direction.INBOUND
    ]
    assert (functional.facts.ack_type, functional.result) == ("999", AckStatus.ACCEPTED)
    assert (of_claims.facts.ack_type, of_claims.result) == ("277CA", AckStatus.PARTIALLY_ACCEPTED)
    assert (of_claims.is_matched, of_claims.is_ambiguous, of_claims.is_conflict) == (
        True,
        False,
        False,
    )
    assert of_claims.facts.claim_counts == ClaimCounts(
        accepted=1, rejected=1, unanswered=0, listed=2
    )
    rejected, accepted = of_claims.facts.claims
    assert rejected == AckClaim(
        claim_number="A-2",
        result=ClaimResult.REJECTED,
        category="A8",
        category_meaning="Rejected, values contradict each other",
        code="400",
        entity="",
        amount="91",
        payer_claim_number="",
        reason="CLM02 in segment 26, CLM02 is not the sum of the charges of its service lines",
        our_path="CLM[2].01",
        our_offset=an_837().index("A-2*90"),
    )
    assert (accepted.claim_number, accepted.result, accepted.our_path) == (
        "A-1",
        ClaimResult.ACCEPTED,
        "CLM.01",
    )
    timeline = await exchange.trading.transactions.timeline(US, 1)
    assert [each.message for each in timeline if each.message.startswith("277CA")] == [
        "277CA by claim: 1 accepted, 1 rejected."
    ]


async def test_a_277ca_ends_the_wait_and_a_late_999_makes_it_no_better(
    exchange: Exchange,
) -> None:
    await claims_sent(exchange)
    all_rejected = answer_to(an_837(CLAIMS.replace("PER*IC*DESK*TE*2075550161~", "")), "277CA")
    await exchange.push(all_rejected)
    assert await states(exchange) == ["rejected"]
    exchange.clock.move(72 * HOUR)
    assert await exchange.overdue.run_once() == 0
    await exchange.push(answer_to(an_837(), "999", "000000902"))
    assert await states(exchange) == ["rejected"]
    found = [
        (each.row.facts.ack_type.value, each.row.result, each.row.is_conflict)
        for each in await exchange.acks()
        if each.row.direction is Direction.INBOUND
    ]
    assert found == [
        ("277CA", AckStatus.REJECTED, False),
        ("999", AckStatus.ACCEPTED, False),
    ]


async def test_a_999_that_rejects_is_not_undone_by_a_277ca(exchange: Exchange) -> None:
    await claims_sent(exchange)
    await exchange.push(answer_to(an_837(CLAIMS.replace("Z0000", "")), "999"))
    await exchange.push(answer_to(an_837(), "277CA", "000000902"))
    assert await states(exchange) == ["rejected"]
    assert "ack.conflict" in await exchange.ack_events()


async def test_the_same_twice_claims_of_others_and_unknown_traces_change_nothing(
    exchange: Exchange,
) -> None:
    await claims_sent(exchange)
    accepted = answer_to(an_837(), "277CA")
    await exchange.push(accepted)
    await exchange.push(accepted.replace("000000901", "000000902"))  # its BHT03 is another
    events = await exchange.ack_events()
    assert events.count("transaction.acknowledged") == 1
    foreign = answer_to(an_837(CLAIMS.replace("A-1", "B-1").replace("A-2", "B-2")), "277CA")
    await exchange.push(foreign.replace("000000901", "000000903"))
    unknown = answer_to(an_837(CLAIMS.replace("BATCH-1", "BATCH-9")), "277CA")
    await exchange.push(unknown.replace("000000901", "000000904"))
    assert await states(exchange) == ["accepted"]
    rows = [each.row for each in await exchange.acks() if each.row.direction is Direction.INBOUND]
    assert [(each.is_matched, each.is_ambiguous, each.result) for each in rows] == [
        (True, False, AckStatus.ACCEPTED),
        (True, False, AckStatus.ACCEPTED),
        (True, True, None),
        (False, False, AckStatus.ACCEPTED),
    ]
    counts = rows[2].facts.claim_counts
    assert counts is not None
    assert (counts.not_ours, counts.unanswered) == (2, 2)
    assert "ack.unmatched" in await exchange.ack_events()


async def test_an_824_names_a_set_by_its_numbers_and_the_place_of_its_fault(
    exchange: Exchange,
) -> None:
    await exchange.send(orders("0001", "0002"))
    broken = orders("0001", "0002").replace("PO1*1*1*EA*9.25", "PO1*1*x*EA*9.25", 1)
    await exchange.push(answer_to(broken, "824"))
    assert await states(exchange) == ["rejected", "accepted"]
    first = next(
        each.row for each in await exchange.acks() if each.row.direction is Direction.INBOUND
    )
    assert (first.facts.ack_type.value, first.facts.transaction_code) == ("824", "TR")
    (error,) = first.facts.errors
    assert (error.level, error.code, error.our_value, error.our_path) == (
        AckErrorLevel.ELEMENT,
        "848",
        "1",
        "PO1.02",
    )
    assert error.message == "element holds a character its type does not allow"


async def test_an_824_names_a_set_by_its_business_number(exchange: Exchange) -> None:
    await exchange.send(orders())
    advice = a_set(
        *("BGN*11*1*20240115*0930", "OTI*TE*TN*PO-1*******850", "TED*ZZZ*SEE CALL"),
        *("TED*848**PO1*3", "TED*848**PO1*2", "TED*848**N1*99"),
        *("OTI*TR*TN*PO-2*******850",),
        set_id="824",
    )
    await exchange.push(letter("AG", advice, head={"e13": "000000900"}))
    assert await states(exchange) == ["accepted_with_errors"]
    rows = [each.row for each in await exchange.acks() if each.row.direction is Direction.INBOUND]
    assert [(each.is_matched, each.result) for each in rows] == [
        (True, AckStatus.ACCEPTED_WITH_ERRORS),
        (False, AckStatus.REJECTED),
    ]
    first, *others = rows[0].facts.errors
    assert (first.level, first.code_meaning, first.message) == (
        AckErrorLevel.SET,
        "As agreed between partners",
        "SEE CALL",
    )
    assert [(each.level, each.our_path) for each in others] == [
        (AckErrorLevel.SEGMENT, "PO1"),
        (AckErrorLevel.SEGMENT, ""),
        (AckErrorLevel.SEGMENT, ""),
    ]
    assert [each.text for each in complaints_of(rows[0].facts)] == [
        "As agreed between partners (ZZZ)",
        "PO1: Incorrect data (848)",
        "N1: Incorrect data (848)",
    ]


async def test_an_answer_that_is_itself_rejected_changes_nothing(exchange: Exchange) -> None:
    await claims_sent(exchange)
    await exchange.push(answer_to(an_837(), "277CA").replace("HL*1**20*1", "HL*1**99*1"))
    assert await states(exchange) == ["pending"]


async def test_more_originals_than_are_taken_set_the_document_aside(exchange: Exchange) -> None:
    await exchange.send(orders())
    names = (f"OTI*TA*TN*PO-{number}" for number in range(1_001))
    advice = a_set("BGN*11*1*20240115*0930", *names, set_id="824")
    await exchange.push(letter("AG", advice, head={"e13": "000000900"}))
    assert await states(exchange) == ["pending"]
    (interchange,) = await exchange.interchanges()
    assert interchange.new.reason == "limit_exceeded"
