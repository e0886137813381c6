"""What is awaited of a partner while a worker sends, fails and holds; on both engines."""

from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.encryption import store_ack
from longshore.domain.acks.model import AckFacts, AckForm, AckRowStatus
from longshore.domain.delivery.held_entries import Releaser
from longshore.domain.delivery.model import JobKind
from longshore.domain.delivery.ports import OutboundMessage
from longshore.domain.delivery.ports import Sent as Answered
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import Direction, PartnerId, PartnerStatus
from longshore.domain.partners.status import PartnerState
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.answers import Sending, a_997, acks, axes, receive, sent
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import (
    BUSY,
    OK,
    UNAUTHORISED,
    Destination,
    Order,
    a_trading_partner,
    a_worker,
    queued,
    seen,
)
from tests.support.ports import some_ports
from tests.support.submitting import an_action
from tests.support.tracking import a_tracker, context
from tests.support.trading import LIVE, TEST, an_ack, read, write
from tests.support.vault import a_sealer

HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
ALL_ACCEPTED = a_997("AK1*PO*123", "AK9*A*2*2*2")
ALL_REJECTED = a_997("AK1*PO*123", "AK9*R*2*2*0*5")


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


@pytest.mark.parametrize("said", [OK, BUSY], ids=["taken", "taken but answered 503"])
async def test_a_rejection_that_comes_while_it_is_sent_is_not_undone_later(
    database: Database, clock: StoppedClock, said: Answered
) -> None:
    await a_trading_partner(database)
    await sent(database, Sending(sent_at=None))

    async def reject_at_once(message: OutboundMessage) -> Answered:
        assert message.content
        clock.move(SECOND)
        await receive(database, ALL_REJECTED, at=clock.now())
        clock.move(SECOND)
        return said

    worker = a_worker(database, clock, Destination(reject_at_once))
    await worker.run_once()
    clock.move(HOUR)
    await worker.run_once()
    events = await receive(database, ALL_ACCEPTED, at=clock.now())
    assert await axes(database) == [("rejected", "delivered")] * 2
    assert [each.type.value for each in events] == ["ack.received", "ack.conflict", "ack.conflict"]


async def test_what_was_sent_counts_from_the_start_of_the_attempt(
    database: Database, clock: StoppedClock
) -> None:
    order = await queued(database, Order(partner_id=await a_trading_partner(database)))

    async def take_long(message: OutboundMessage) -> Answered:
        assert message.content
        clock.move(20 * SECOND)
        return OK

    await a_worker(database, clock, Destination(take_long)).run_once()
    after = await seen(database, order)
    assert (after.interchange.sent_at, after.interchange.updated_at) == (START, clock.now())
    row = after.acks[0].ack.row
    assert (row.sent_at, row.expected_by) == (START, START + 48 * HOUR)


async def own_ack(database: Database, interchange_id: InterchangeId) -> None:
    """Store that an interchange holds an acknowledgement of ours."""
    facts = AckFacts(ack_type=AckForm.TA1)
    new = an_ack(direction=Direction.OUTBOUND, interchange_id=interchange_id, facts=facts)

    async def work(unit: WriteUnit) -> None:
        assert LIVE.account_id is not None
        await store_ack(unit, a_sealer(), LIVE.account_id, new, START)

    await write(database, TEST, work)


async def test_an_acknowledgement_of_ours_that_was_given_up_is_sent_by_a_retry(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    given = Order(partner_id=partner_id, kind=JobKind.ACKNOWLEDGEMENT, functional_id="FA")
    order = await queued(database, given)
    await own_ack(database, order.interchange_id)
    worker = a_worker(database, clock, Destination(*[UNAUTHORISED] * 3, OK))
    for _ in range(3):
        await worker.run_once()
        clock.move(HOUR)
    assert await own_statuses(database) == [(AckRowStatus.FAILED, None)]
    await a_tracker(database, clock).retry(context(), an_action(order.transaction_ids[0]))
    await worker.run_once()
    assert await own_statuses(database) == [(AckRowStatus.SENT, START + 3 * HOUR)]
    types = (await seen(database, order)).event_types
    assert (types.count("ack.failed"), types.count("ack.sent")) == (1, 1)


async def own_statuses(database: Database) -> list[tuple[AckRowStatus, object]]:
    rows = [each.row for each in await acks(database, AckForm.TA1)]
    return [(each.status, each.sent_at) for each in rows]


# ---- what is held --------------------------------------------------------------------------------


async def set_status(database: Database, partner_id: PartnerId, to: PartnerStatus) -> None:
    async def work(unit: WriteUnit) -> bool:
        stored = await unit.partners.find(partner_id)
        assert stored is not None
        return await unit.partners.set_state(partner_id, stored.state, PartnerState(to), START)

    assert await write(database, LIVE, work)


async def test_of_what_is_held_nothing_is_overdue_until_it_is_sent(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    await sent(database, Sending(sent_at=None))
    await set_status(database, partner_id, PartnerStatus.INACTIVE)
    http = Destination()
    worker = a_worker(database, clock, http)
    await worker.run_once()
    assert await expected(database) == [None, None]
    clock.move(50 * HOUR)
    assert await overdue(database, clock) == 0
    await set_status(database, partner_id, PartnerStatus.ACTIVE)
    ways = frozenset({ConnectionType.HTTP})
    await Releaser(some_ports(database, clock), ways).run_once()
    clock.move(HOUR)
    await worker.run_once()
    assert (len(http.parcels), await axes(database)) == (1, [("pending", "delivered")] * 2)
    assert await expected(database) == [START + 99 * HOUR] * 2
    clock.move(49 * HOUR)
    assert await overdue(database, clock) == 2


async def expected(database: Database) -> list[object]:
    return [each.row.expected_by for each in await acks(database)]


async def overdue(database: Database, clock: StoppedClock) -> int:
    async def work(unit: ReadUnit) -> int:
        return len(await unit.acks.list_overdue(clock.now(), 100))

    return await read(database, LIVE, work)
