"""Examples 41 and 52 to 61 of x12.md section 5.2: what a partner's answers change of what we sent.

From a document submitted and delivered to the 997 that the partner pushes, on both engines.
``tests/docs/test_examples.py`` compares the numbers with the page.
"""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.model import Ack
from longshore.domain.acks.store import AckQuery
from longshore.domain.pages import PageParameters
from longshore.domain.partners.model import Identity, PartnerStatus
from longshore.domain.transactions.model import TransactionId
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.exchange import HOUR, MINUTE, US, Exchange, an_exchange, letter, orders
from tests.support.processing import a_sender, terms
from tests.support.submitting import an_action

GROUP = "AK1*PO*55"
ACCEPTED, REJECTED = ("delivered", "accepted"), ("delivered", "rejected")
WAITING = ("delivered", "pending")
LATER = {"e13": "000000901"}
B = Identity(qualifier="ZZ", isa_id="BSTORES")


@pytest.fixture
async def exchange(accounts: AccountService, database: Database, clock: StoppedClock) -> Exchange:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await an_exchange(database, clock, status=PartnerStatus.TESTING)


async def page(exchange: Exchange) -> list[Ack]:
    """Return the rows of 997s as they are listed, oldest first."""
    return [*(await exchange.trading.acks.page(US, AckQuery(), PageParameters(limit=100))).acks][
        ::-1
    ]


def outcome(acks: list[Ack]) -> list[tuple[str, str | None, bool]]:
    return [(each.row.status.value, each.row.result, each.row.is_conflict) for each in acks]


async def test_41_an_unknown_status_is_kept_with_a_warning_and_never_answered(
    exchange: Exchange,
) -> None:
    await exchange.send(orders())
    await exchange.answer(GROUP, "AK2*850*0001", "AK5*Q", "AK9*A*1*1*1", head={"e14": "1"})
    assert exchange.delivered == [orders()]
    assert [each.row.facts.transaction_code for each in await page(exchange)] == ["", "Q"]
    (interchange,) = await exchange.interchanges()
    _, facts = await exchange.content(interchange)
    (warning,) = facts["findings"]
    assert (warning["code"], warning["severity"]) == ("ack_code_unknown", "warning")
    assert (warning["segment_id"], warning["segment_position"], warning["tx_index"]) == (
        "AK5",
        4,
        1,
    )
    assert await exchange.ack_states() == [WAITING]


async def test_52_of_one_group_number_sent_to_two_partners_the_swapped_pair_decides(
    exchange: Exchange, database: Database
) -> None:
    second = await a_sender(database, terms(name="B", identity=B), PartnerStatus.TESTING)
    await exchange.send(orders())
    await exchange.send(orders(to=B), second)
    await exchange.answer(GROUP, "AK9*A*1*1*1")
    assert await exchange.ack_states() == [ACCEPTED, WAITING]
    answered = [each.row.transaction_id for each in await page(exchange) if each.row.result]
    assert answered == [1]


async def test_53_leading_zeros_of_a_group_number_do_not_count(exchange: Exchange) -> None:
    await exchange.send(orders())
    await exchange.answer("AK1*PO*000000055", "AK9*A*1*1*1")
    assert await exchange.ack_states() == [ACCEPTED]


async def test_54_an_accepted_group_that_lists_nothing_accepts_both_sets(
    exchange: Exchange,
) -> None:
    await exchange.send(orders("0001", "0002"))
    await exchange.answer(GROUP, "AK9*A*2*2*2")
    assert await exchange.ack_states() == [ACCEPTED, ACCEPTED]


async def test_55_a_partial_group_that_lists_the_rejected_set_accepts_the_others(
    exchange: Exchange,
) -> None:
    await exchange.send(orders("0001", "0002", "0003"))
    await exchange.answer(GROUP, "AK2*850*0002", "AK5*R*5", "AK9*P*3*3*2")
    assert await exchange.ack_states() == [ACCEPTED, REJECTED, ACCEPTED]
    assert [each.row.is_ambiguous for each in await page(exchange)] == [False] * 3


async def test_56_a_rejected_group_that_lists_nothing_rejects_both_sets(
    exchange: Exchange,
) -> None:
    await exchange.send(orders("0001", "0002"))
    await exchange.answer(GROUP, "AK9*R*2*2*0*5")
    assert await exchange.ack_states() == [REJECTED, REJECTED]
    codes = [each.row.facts.group_error_codes for each in await page(exchange)]
    assert codes == [("5",), ("5",)]


async def test_57_the_same_997_again_changes_nothing_and_is_told_once(exchange: Exchange) -> None:
    await exchange.send(orders())
    await exchange.answer(GROUP, "AK9*A*1*1*1")
    before = await page(exchange)
    await exchange.answer(GROUP, "AK9*A*1*1*1", head=LATER)
    assert await page(exchange) == before
    assert await exchange.ack_events() == ["ack.received", "transaction.acknowledged"]
    assert await exchange.ack_states() == [ACCEPTED]


async def test_58_a_rejection_after_an_acceptance_is_a_conflict_and_wins(
    exchange: Exchange,
) -> None:
    await exchange.send(orders())
    await exchange.answer(GROUP, "AK9*A*1*1*1")
    await exchange.answer(GROUP, "AK9*R*1*1*0", head=LATER)
    assert await exchange.ack_states() == [REJECTED]
    assert outcome(await page(exchange)) == [("received", "rejected", True)]
    history = await exchange.trading.transactions.timeline(US, 1)
    told = [each.status for each in history if each.ack_id == 1]
    assert told == ["accepted", "rejected", "rejected"]


async def test_59_an_answer_to_an_unknown_group_is_listed_as_unmatched(exchange: Exchange) -> None:
    await exchange.send(orders())
    await exchange.answer("AK1*PO*56", "AK9*A*1*1*1")
    _, stray = await page(exchange)
    assert (stray.row.is_matched, stray.row.transaction_id) == (False, None)
    assert stray.row.facts.acked_gs_control_number == "56"
    assert await exchange.ack_events() == ["ack.unmatched"]
    assert await exchange.ack_states() == [WAITING]


async def test_60_what_does_not_come_in_time_is_overdue_once_until_it_comes(
    exchange: Exchange,
) -> None:
    await exchange.send(orders())
    exchange.clock.move(48 * HOUR)
    assert await exchange.overdue.run_once() == 0  # it is expected by this very moment
    exchange.clock.move(MINUTE)
    assert [await exchange.overdue.run_once() for _ in range(2)] == [1, 0]
    (row,) = await page(exchange)
    assert (row.row.is_overdue, row.row.status.value) == (True, "pending")
    assert await exchange.ack_states() == [("delivered", "overdue")]
    assert await exchange.ack_events() == ["ack.overdue"]
    await exchange.answer(GROUP, "AK9*A*1*1*1")
    (row,) = await page(exchange)
    assert (row.row.is_overdue, row.row.status.value) == (False, "received")
    assert await exchange.ack_states() == [ACCEPTED]


TA1 = "TA1*000000055*240115*0930*R*006"


async def test_61_a_997_against_a_ta1_that_rejects_is_a_conflict_and_undoes_nothing(
    exchange: Exchange,
) -> None:
    await exchange.send(orders())
    exchange.clock.move(MINUTE)
    await exchange.push(letter("FA", head={"e13": "000000899"}).replace("~GS*", f"~{TA1}~GS*"))
    assert await exchange.ack_states() == [REJECTED]
    await exchange.answer(GROUP, "AK9*A*1*1*1")
    assert await exchange.ack_states() == [REJECTED]
    assert outcome(await page(exchange)) == [("received", "rejected", True)]
    assert (await exchange.ack_events())[-1] == "ack.conflict"
    own = TransactionId(1)
    await exchange.trading.transactions.reissue(
        US, an_action(own, "The partner knows our address now.")
    )
    await exchange.work()
    await exchange.answer("AK1*PO*1", "AK9*A*1*1*1", head=LATER)
    assert await exchange.ack_states() == [REJECTED, ACCEPTED]


async def test_61_to_send_again_decides_and_the_next_answer_wins(exchange: Exchange) -> None:
    refused = letter("FA", head={"e13": "000000899"}).replace("~GS*", f"~{TA1}~GS*")
    await exchange.send(orders())
    exchange.clock.move(MINUTE)
    await exchange.push(refused)
    exchange.clock.move(MINUTE)
    transactions = exchange.trading.transactions
    await transactions.retry(US, an_action(TransactionId(1), "They know us now."))
    await exchange.work()
    assert await exchange.ack_states() == [REJECTED]
    exchange.clock.move(MINUTE)
    await exchange.answer(GROUP, "AK9*A*1*1*1")
    assert await exchange.ack_states() == [ACCEPTED]
    await exchange.answer(GROUP, "AK9*R*1*1*0", head=LATER)
    assert await exchange.ack_states() == [REJECTED]
