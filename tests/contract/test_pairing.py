"""A received 271, 277 or 278 is linked to the request it answers: x12.md section 2.12.

From a request submitted and delivered to the response that the partner pushes, on both databases.
"""

from datetime import datetime

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.pairing.model import (
    PairedTransaction,
    Pairing,
    PairingFinding,
    PairingFindingCode,
)
from longshore.domain.pairing.overdue import OverdueResponseChecker
from longshore.domain.partners.model import Direction, PartnerStatus
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.transactions.model import TransactionId
from longshore.x12.traces import PairingRole
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.exchange import HOUR, US, Exchange, an_exchange, letter
from tests.support.processing import ACME, OWN, SEALER, terms
from tests.unit.x12.documents import a_set


@pytest.fixture
async def exchange(accounts: AccountService, database: Database, clock: StoppedClock) -> Exchange:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await an_exchange(database, clock, status=PartnerStatus.TESTING)


def sent(set_id: str, *body: str, group: str = "HS") -> str:
    """Return a document of ours."""
    one = a_set(*body, set_id=set_id)
    return letter(group, one, sender=OWN, receiver=ACME, group="55", head={"e13": "000000055"})


def asked(*traces: str, reference: str = "REF-1") -> str:
    """Return a 270 of ours that asks about one subscriber for each trace number."""
    body = [f"BHT*0022*13*{reference}*20240115*0930", "HL*1**20*1", "NM1*PR*2*PAYER*****PI*P1"]
    body += ["HL*2*1*21*1", "NM1*1P*2*CLINIC*****XX*1234567893"]
    for number, trace in enumerate(traces, 3):
        body += [f"HL*{number}*2*22*0", f"TRN*1*{trace}*9ORIGIN001", "NM1*IL*1*DOE", "EQ*30"]
    return sent("270", *body)


def answered(*traces: str, reference: str = "REF-1", number: str = "000000201") -> str:
    """Return the partner's 271."""
    body = [f"BHT*0022*11*{reference}*20240115*0930", "HL*1**20*1", "NM1*PR*2*PAYER*****PI*P1"]
    body += ["HL*2*1*21*1", "NM1*1P*2*CLINIC*****XX*1234567893"]
    for at, trace in enumerate(traces, 3):
        body += [f"HL*{at}*2*22*0", "TRN*1*PAYER-1*9PAYER0001", f"TRN*2*{trace}*9ORIGIN001"]
        body += ["NM1*IL*1*DOE", "EB*1"]
    return letter("HB", a_set(*body, set_id="271"), head={"e13": number})


async def send(exchange: Exchange, document: str, tx_set: str = "270") -> None:
    """Submit a document of ours and deliver it."""
    await exchange.submit(document, tx_set=tx_set)
    await exchange.work()


async def pairing(exchange: Exchange, transaction_id: int) -> Pairing | None:
    found = await exchange.trading.transactions.get(US, transaction_id)
    return await exchange.trading.pairings.find(US, found.transaction)


async def numbers(exchange: Exchange, tx_set: str) -> list[int]:
    """Return the ids of the transactions of a set, oldest first."""
    every = [
        *await exchange.records(Direction.OUTBOUND),
        *await exchange.records(Direction.INBOUND),
    ]
    return sorted(each.id for each in every if each.record.facts.tx_set == tx_set)


async def events_of(exchange: Exchange) -> list[tuple[str, int | None]]:
    """Return the events of pairs: what happened, and to which transaction."""
    return [each for each in await exchange.events() if each[0].startswith("response.")]


def pair(found: Pairing | None) -> tuple[int, int, list[tuple[int, int, bool]]]:
    """Return the numbers of a set, those of them that are paired, and with what."""
    assert found is not None
    others = [
        (int(each.transaction_id), each.number_count, each.is_ambiguous)
        for each in found.transactions
    ]
    return found.number_count, found.paired_count, others


async def test_a_271_is_linked_to_the_270_and_the_270_to_it(exchange: Exchange) -> None:
    await send(exchange, asked("S-1", "S-2"))
    await exchange.push(answered("S-2"))
    (request,), (response,) = await numbers(exchange, "270"), await numbers(exchange, "271")
    assert await pairing(exchange, request) == Pairing(
        role=PairingRole.REQUEST,
        number_count=2,
        paired_count=1,
        due_at=START + 72 * HOUR,
        transactions=(
            PairedTransaction(
                transaction_id=TransactionId(response), number_count=2, is_ambiguous=False, total=2
            ),
        ),
        findings=(),
        finding_count=0,
    )
    assert pair(await pairing(exchange, response)) == (1, 1, [(request, 2, False)])
    assert await events_of(exchange) == [("response.matched", request)]
    timeline = await exchange.trading.transactions.timeline(US, request)
    assert [(each.kind, each.message) for each in timeline if each.kind == "response"] == [
        ("response", f"271 of transaction {response} has 2 of its numbers.")
    ]
    assert await exchange.ack_states() == [("delivered", "pending"), ("delivered", "not_expected")]


async def test_a_number_of_no_request_is_a_finding_at_its_place(exchange: Exchange) -> None:
    await send(exchange, asked("S-1"))
    await exchange.push(answered("S-1", "S-7"))
    await exchange.push(answered("S-8", "S-9", reference="REF-9", number="000000202"))
    first, second = await numbers(exchange, "271")
    found = await pairing(exchange, first)
    assert found is not None
    assert found.findings == (
        PairingFinding(
            code=PairingFindingCode.RESPONSE_WITHOUT_REQUEST,
            message="No request that was sent has this number.",
            element="TRN02",
            segment_position=14,
        ),
    )
    assert pair(await pairing(exchange, second)) == (2, 0, [])
    (request,) = await numbers(exchange, "270")
    assert await events_of(exchange) == [
        ("response.matched", request),
        ("response.unmatched", first),
        ("response.unmatched", second),
    ]
    timeline = await exchange.trading.transactions.timeline(US, second)
    (message,) = (each.message for each in timeline if each.kind == "response")
    assert message == (
        "TRN02 in segment 9: No request that was sent has this number."
        " The same holds for 1 more of its numbers."
    )


async def test_a_response_without_trn02_answers_the_request_with_its_bht03(
    exchange: Exchange,
) -> None:
    await send(exchange, asked("S-1", "S-2"))
    await exchange.push(answered())
    (request,), (response,) = await numbers(exchange, "270"), await numbers(exchange, "271")
    assert pair(await pairing(exchange, request)) == (2, 2, [(response, 1, False)])
    assert pair(await pairing(exchange, response)) == (1, 1, [(request, 1, False)])


async def test_of_two_open_requests_with_a_number_the_newest_is_taken_as_ambiguous(
    exchange: Exchange,
) -> None:
    await send(exchange, asked("S-1", reference="REF-1"))
    await send(exchange, asked("S-1", reference="REF-2").replace("000000055", "000000056"))
    await exchange.push(answered("S-1", reference="OTHER"))
    first, second = await numbers(exchange, "270")
    (response,) = await numbers(exchange, "271")
    assert pair(await pairing(exchange, response)) == (1, 1, [(second, 1, True)])
    assert pair(await pairing(exchange, first)) == (1, 1, [])
    assert pair(await pairing(exchange, second)) == (1, 1, [(response, 1, True)])
    await exchange.push(answered("S-1", reference="OTHER", number="000000202"))
    _, repeated = await numbers(exchange, "271")
    assert pair(await pairing(exchange, repeated)) == (1, 1, [(second, 1, False)])


async def test_our_271_is_linked_to_the_270_that_was_received(exchange: Exchange) -> None:
    theirs = letter("HS", asked("S-1").split("~")[2:-3], head={"e13": "000000201"})
    await exchange.push(theirs)
    body = answered("S-1").split("~")[2:-3]
    ours = letter("HB", body, sender=OWN, receiver=ACME, head={"e13": "000000055"})
    await send(exchange, ours, "271")
    (request,), (response,) = await numbers(exchange, "270"), await numbers(exchange, "271")
    assert pair(await pairing(exchange, request)) == (1, 1, [(response, 2, False)])
    assert pair(await pairing(exchange, response)) == (1, 1, [(request, 2, False)])
    await send(exchange, ours.replace("S-1", "S-9").replace("000000055", "000000056"), "271")
    found = await pairing(exchange, (await numbers(exchange, "271"))[1])
    assert found is not None
    assert [each.message for each in found.findings] == [
        "No request that was received has this number."
    ]


async def test_a_request_awaits_nothing_of_a_response_that_is_not_compared_as_a_whole(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    await send(exchange, asked("S-1", "S-2"))
    monkeypatch.setattr("longshore.x12.traces.MAX_TRACES", 2)  # of the response alone
    await exchange.push(answered("S-1", "S-2"))
    (request,), (response,) = await numbers(exchange, "270"), await numbers(exchange, "271")
    assert pair(await pairing(exchange, request)) == (2, 1, [(response, 2, False)])
    assert pair(await pairing(exchange, response)) == (1, 1, [(request, 2, False)])


async def test_a_response_that_is_rejected_and_other_documents_pair_nothing(
    exchange: Exchange,
) -> None:
    await send(exchange, asked("S-1"))
    await exchange.push(answered("S-1").replace("EB*1", "EB*1111"))
    (request,), (response,) = await numbers(exchange, "270"), await numbers(exchange, "271")
    assert await pairing(exchange, response) is None
    assert pair(await pairing(exchange, request)) == (1, 0, [])
    assert await events_of(exchange) == []
    acknowledgement = await numbers(exchange, "997")
    assert await pairing(exchange, acknowledgement[0]) is None


async def test_sets_without_a_number_say_so(exchange: Exchange) -> None:
    await send(exchange, asked("").replace("TRN*1**9ORIGIN001~", "").replace("REF-1", ""))
    await exchange.push(answered(reference=""))
    (request,), (response,) = await numbers(exchange, "270"), await numbers(exchange, "271")
    for transaction_id in (request, response):
        found = await pairing(exchange, transaction_id)
        assert found is not None
        assert [(each.code, each.element, each.segment_position) for each in found.findings] == [
            (PairingFindingCode.TRACE_MISSING, "", None)
        ]
    assert await events_of(exchange) == [("response.unmatched", response)]


async def test_a_277_and_a_278_are_linked_to_their_requests(exchange: Exchange) -> None:
    levels = ["HL*1**20*1", "NM1*PR*2*PAYER*****PI*P1", "HL*2*1*21*1", "NM1*41*2*US*****46*U1"]
    claim = [*levels, "HL*3*2*19*1", "NM1*1P*2*CLINIC*****SV*10", "HL*4*3*22*0"]
    asking = [*claim, "DMG*D8*19800101*F", "NM1*IL*1*DOE", "TRN*1*C-1"]
    await send(exchange, sent("276", "BHT*0010*13*R-1*20240115*0930", *asking, group="HR"), "276")
    telling = [*claim, "NM1*IL*1*DOE", "TRN*2*C-1", "STC*A1>19*20240115"]
    status = a_set("BHT*0010*08*P-1*20240115*0930*DG", *telling, set_id="277")
    await exchange.push(letter("HN", status, head={"e13": "000000201"}))
    review = [*levels[:2], "HL*2*1*SS*0", "TRN*1*E-1*9ORIGIN001", "UM*HS*I"]
    asking = ["BHT*0078*13*R-2*20240115*0930", *review]
    await send(exchange, sent("278", *asking, group="HI").replace("000000055", "000000056"), "278")
    telling = [each.replace("TRN*1", "TRN*2") for each in review]
    outcome = a_set("BHT*0078*11*R-2*20240115*0930", *telling, set_id="278")
    await exchange.push(letter("HI", outcome, head={"e13": "000000202"}))
    asked_id, told_id = (*await numbers(exchange, "276"), *await numbers(exchange, "277"))
    assert pair(await pairing(exchange, asked_id)) == (1, 1, [(told_id, 1, False)])
    asked_id, told_id = await numbers(exchange, "278")
    assert pair(await pairing(exchange, asked_id)) == (1, 1, [(told_id, 2, False)])


async def overdue(exchange: Exchange) -> int:
    """Mark what is overdue; return how many requests were."""
    units, clock = exchange.database.units, exchange.clock
    return await OverdueResponseChecker(units, SEALER, clock).run_once()


async def findings(exchange: Exchange, transaction_id: int) -> list[tuple[str, int | None]]:
    found = await pairing(exchange, transaction_id)
    assert found is not None
    return [(each.code.value, each.segment_position) for each in found.findings]


async def test_a_request_without_a_response_in_time_is_told_once(exchange: Exchange) -> None:
    await send(exchange, asked("S-1", "S-2"))
    await exchange.push(answered("S-1"))
    (request,) = await numbers(exchange, "270")
    exchange.clock.move(72 * HOUR)
    assert await overdue(exchange) == 0
    exchange.clock.move(HOUR)
    assert (await overdue(exchange), await overdue(exchange)) == (1, 0)
    assert await findings(exchange, request) == [("response_overdue", 12)]
    assert await events_of(exchange) == [
        ("response.matched", request),
        ("response.overdue", request),
    ]
    assert ("response.overdue", f"transaction {request}", "") in await exchange.audited()
    await exchange.push(answered("S-2", number="000000202"))
    assert await findings(exchange, request) == []


async def test_a_request_that_is_answered_meanwhile_is_not_marked(exchange: Exchange) -> None:
    class Answered(StoppedClock):
        """Stands for an answer between the look and the mark: the second time is earlier."""

        def now(self) -> datetime:
            self.move(-100 * HOUR)
            return super().now()

    await send(exchange, asked("S-1"))
    clock = Answered()
    clock.move(200 * HOUR)
    assert await OverdueResponseChecker(exchange.database.units, SEALER, clock).run_once() == 0
    assert await events_of(exchange) == []


async def test_what_is_not_sent_or_is_rejected_or_received_is_not_awaited(
    exchange: Exchange,
) -> None:
    await send(exchange, asked("S-1"))
    await exchange.answer("AK1*HS*55", "AK2*270*0001", "AK5*R*5", "AK9*R*1*1*0")
    await exchange.push(letter("HS", asked("S-3").split("~")[2:-3], head={"e13": "000000202"}))
    await exchange.submit(asked("S-2").replace("000000055", "000000056"), tx_set="270")
    exchange.clock.move(100 * HOUR)
    assert await overdue(exchange) == 0
    await exchange.work()
    exchange.clock.move(72 * HOUR)
    assert await overdue(exchange) == 0
    exchange.clock.move(HOUR)
    assert await overdue(exchange) == 1
    _, _, sent_late = await numbers(exchange, "270")
    assert await findings(exchange, sent_late) == [("response_overdue", 8)]


async def test_of_a_partner_that_answers_elsewhere_nothing_is_awaited(
    accounts: AccountService, database: Database, clock: StoppedClock
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    agreed = terms(settings=PartnerSettings(response_hours=0))
    exchange = await an_exchange(database, clock, agreed, status=PartnerStatus.TESTING)
    await send(exchange, asked("S-1"))
    found = await pairing(exchange, 1)
    assert found is not None
    assert (found.due_at, await overdue(exchange)) == (None, 0)
