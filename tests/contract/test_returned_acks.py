"""Acknowledgements that a partner got in the answer to its own request, on both databases."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.model import Ack
from longshore.domain.delivery.model import JobKind, OutboxEntry, OutboxId, OutboxState
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.inbound.intake import (
    ANSWERED_WITHIN,
    Incoming,
    IncomingDocument,
    IntakeService,
)
from longshore.domain.inbound.returned_acks import ReturnedAcknowledgements
from longshore.domain.interchanges.store import InterchangeStatus, ReceiptId
from longshore.domain.partners.encryption import TokenWriter
from longshore.domain.partners.model import Connections
from longshore.domain.ports import AccountId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.http.cycle import WRITTEN_SECONDS
from longshore.http.waiting import WAIT_SECONDS
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.processing import Trade, a_trade, case, terms
from tests.support.trading import LIVE, SANDBOX, read, write
from tests.support.vault import a_sealer

ACKNOWLEDGEMENT = JobKind.ACKNOWLEDGEMENT
MESSAGE = "The partner got it in the answer to its request."


@dataclass(frozen=True, kw_only=True)
class Inbox:
    """Where a partner posts documents, and what becomes of the acknowledgements."""

    trade: Trade
    intake: IntakeService
    returned: ReturnedAcknowledgements
    channel: InboundChannel

    async def receive(self, *, wants_acks: bool) -> ReceiptId:
        """Post a document, and process it."""
        incoming = Incoming(documents=(IncomingDocument(content=case(1)),), wants_acks=wants_acks)
        (answer,) = await self.intake.receive(self.channel, incoming)
        for entry in await self.trade.claim():
            await self.trade.processor.run(entry)
        return answer.receipt_id

    async def ack(self) -> Ack:
        (ack,) = await self.trade.acks()
        return ack

    async def entry(self) -> OutboxEntry:
        """Return the entry that delivers the acknowledgement."""

        async def find(unit: ReadUnit) -> OutboxEntry | None:
            return await unit.outbox.find(OutboxId(2))

        found = await read(self.trade.database, LIVE, find)
        assert found is not None
        return found


@pytest.fixture
async def trade(accounts: AccountService, database: Database, clock: StoppedClock) -> Trade:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await a_trade(database, clock)


async def an_inbox(trade: Trade) -> Inbox:
    database, clock, sealer = trade.database, trade.clock, a_sealer()
    owner = (AccountId(1), trade.partner_id)

    async def insert(unit: WriteUnit) -> None:
        await TokenWriter(unit, sealer, owner).insert("test token", SANDBOX, START)

    await write(database, LIVE, insert)
    ports = some_ports(database, clock, sealer=sealer)
    intake = IntakeService(ports)
    return Inbox(
        trade=trade,
        intake=intake,
        returned=ReturnedAcknowledgements(ports),
        channel=await intake.channel("test token", "192.0.2.7"),
    )


@pytest.fixture
async def inbox(trade: Trade) -> Inbox:
    return await an_inbox(trade)


async def test_what_was_taken_in_the_answer_is_sent_and_is_not_delivered_as_well(
    inbox: Inbox, clock: StoppedClock
) -> None:
    receipt_id = await inbox.receive(wants_acks=True)
    assert ((await inbox.ack()).row.status, (await inbox.ack()).row.sent_at) == ("queued", None)
    assert await inbox.trade.claim(ACKNOWLEDGEMENT) == []
    clock.move(timedelta(seconds=1))
    await inbox.returned.mark_sent(inbox.channel, [receipt_id])
    sent_at = START + timedelta(seconds=1)
    assert ((await inbox.ack()).row.status, (await inbox.ack()).row.sent_at) == ("sent", sent_at)
    assert (await inbox.entry()).state is OutboxState.DONE
    (interchange,) = await inbox.trade.interchanges(direction=inbox.trade.OUTBOUND)
    assert (interchange.new.status, interchange.sent_at) == (InterchangeStatus.SENT, sent_at)
    (record,) = await inbox.trade.records(inbox.trade.OUTBOUND)
    assert record.record.states.delivery == "delivered"
    assert (await inbox.trade.events())[-2:] == [("transaction.delivered", 2), ("ack.sent", 1)]
    assert ("interchange.deliver", "interchange 2", MESSAGE) in await inbox.trade.audited()
    clock.move(ANSWERED_WITHIN)
    assert await inbox.trade.claim(ACKNOWLEDGEMENT) == []


async def test_it_is_noted_once(inbox: Inbox) -> None:
    receipt_id = await inbox.receive(wants_acks=True)
    await inbox.returned.mark_sent(inbox.channel, [receipt_id])
    events, audited = await inbox.trade.events(), await inbox.trade.audited()
    await inbox.returned.mark_sent(inbox.channel, [receipt_id])
    assert (await inbox.trade.events(), await inbox.trade.audited()) == (events, audited)


async def test_an_answer_that_was_lost_is_delivered_when_the_request_is_over(
    inbox: Inbox, clock: StoppedClock
) -> None:
    await inbox.receive(wants_acks=True)
    clock.move(ANSWERED_WITHIN - timedelta(microseconds=1))
    assert await inbox.trade.claim(ACKNOWLEDGEMENT) == []
    clock.move(timedelta(microseconds=1))
    (entry,) = await inbox.trade.claim(ACKNOWLEDGEMENT)
    assert (entry.new.interchange_id, (await inbox.ack()).row.status) == (2, "queued")


async def test_what_is_being_delivered_already_stays_as_it_is(
    inbox: Inbox, clock: StoppedClock
) -> None:
    receipt_id = await inbox.receive(wants_acks=True)
    clock.move(ANSWERED_WITHIN)
    (entry,) = await inbox.trade.claim(ACKNOWLEDGEMENT)
    await inbox.returned.mark_sent(inbox.channel, [receipt_id])
    assert (await inbox.entry()).state is OutboxState.LEASED
    assert ((await inbox.ack()).row.status, entry.attempt) == ("queued", 1)


async def test_who_does_not_ask_for_it_in_the_answer_gets_it_delivered_at_once(
    inbox: Inbox,
) -> None:
    await inbox.receive(wants_acks=False)
    (entry,) = await inbox.trade.claim(ACKNOWLEDGEMENT)
    assert entry.new.interchange_id == 2


async def test_a_partner_without_a_connection_takes_it_in_the_answer(
    database: Database, accounts: AccountService, clock: StoppedClock
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    inbox = await an_inbox(await a_trade(database, clock, terms(connections=Connections())))
    receipt_id = await inbox.receive(wants_acks=True)
    assert (await inbox.entry()).state is OutboxState.HELD
    (held,) = await inbox.trade.records(inbox.trade.OUTBOUND)
    assert held.record.last_error is not None
    await inbox.returned.mark_sent(inbox.channel, [receipt_id])
    assert ((await inbox.entry()).state, (await inbox.ack()).row.status) == ("done", "sent")
    (record,) = await inbox.trade.records(inbox.trade.OUTBOUND)
    assert (record.record.states.delivery, record.record.last_error) == ("delivered", None)


def test_delivery_waits_longer_than_a_request_takes() -> None:
    assert timedelta(seconds=WAIT_SECONDS + WRITTEN_SECONDS) < ANSWERED_WITHIN
