"""Receipts in connections of their own, awaited and sent; on both engines."""

from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.as2.algorithms import Mic
from longshore.as2.receipt_facts import As2Receipt
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.as2.encryption import open_awaited_receipt, open_receipt_to_send
from longshore.domain.as2.errors import As2ReceiptRefusedError
from longshore.domain.as2.intake import As2Intake, As2Relationship
from longshore.domain.as2.model import As2Keys, ReceiptToSend
from longshore.domain.as2.receipt_delivery import As2ReceiptSender
from longshore.domain.as2.receipt_intake import As2ReceiptIntake
from longshore.domain.audit.writer import open_detail
from longshore.domain.delivery.model import JobKind, OutboxState
from longshore.domain.delivery.overdue_receipts import OverdueReceiptChecker
from longshore.domain.delivery.ports import JobHandlers, OutboundMessage, Sent
from longshore.domain.delivery.worker import Worker
from longshore.domain.partners.connections import As2Connection, ConnectionType, MdnMode
from longshore.domain.partners.model import Connections, PartnerId
from longshore.domain.ports import AccountId, SealBrokenError
from longshore.domain.transactions.timeline import History, timeline_of
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import (
    BUSY,
    OK,
    REFUSED,
    Destination,
    EvenIds,
    Jobs,
    Order,
    Queued,
    Say,
    Seen,
    a_trading_partner,
    a_worker,
    queued,
    seen,
    terms,
)
from tests.support.ports import some_ports
from tests.support.submitting import an_action
from tests.support.tracking import a_tracker, context
from tests.support.trading import SANDBOX, TEST, read, write
from tests.support.vault import a_sealer

MIC, OTHER = Mic(b"d" * 32, "sha256"), Mic(b"e" * 32, "sha256")
CONNECTION = As2Connection(
    url="https://them.example.com/", as2_from="US", as2_to="THEM", mdn=MdnMode.ASYNC
)
SECOND, HALF_HOUR = timedelta(seconds=1), timedelta(minutes=30)


class Scene:
    """A document on its way to a partner that sends receipts later."""

    def __init__(self, database: Database, clock: StoppedClock, *says: Say | Sent) -> None:
        self.database, self.clock = database, clock
        ports = some_ports(database, clock)
        self.receipts = As2ReceiptIntake(ports)
        self.overdue = OverdueReceiptChecker(some_ports(database, clock, ids=EvenIds("overdue")))
        self.as2 = Destination(*(says or [take] * 20))
        self.partner_id = PartnerId(0)
        others = {ConnectionType.AS2: self.as2}
        self.worker = a_worker(database, clock, Destination(), others=others)

    async def prepare(self) -> Queued:
        connections = Connections(test=CONNECTION)
        self.partner_id = await a_trading_partner(self.database, terms(connections))
        return await self.order()

    async def order(self) -> Queued:
        return await queued(self.database, Order(partner_id=self.partner_id))

    async def take(self, mic: Mic | None = MIC, number: int = -1, **changes: object) -> bool:
        """Take the receipt for a message that was sent."""
        message_id = f"<{self.as2.parcels[number].message_id}@longshore>"
        receipt = As2Receipt(
            original_message_id=message_id, disposition="processed", mic=mic, is_signed=True
        )
        return await self.receipts.take(
            relationship(self.partner_id),
            replace(receipt, **changes),  # type: ignore[arg-type]  # each as its field
        )


def relationship(partner_id: PartnerId) -> As2Relationship:
    return As2Relationship(
        account_id=AccountId(1),
        environment=SANDBOX,
        partner_id=partner_id,
        keys=As2Keys(name="US", pairs=()),
        connection=CONNECTION,
    )


async def take(message: OutboundMessage) -> Sent:
    await message.on_composed((MIC,))
    return replace(OK, awaits_receipt=True)


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


def states(found: Seen) -> tuple[str, str, str | None]:
    """Return the state of the entry, of the document, and the last error."""
    record = found.transactions[0].record
    error = record.last_error
    return (
        found.entries[-1].state.value,
        record.states.delivery.value,
        None if error is None else error.code,
    )


async def test_a_document_waits_for_its_receipt_and_no_other_waits_for_it(
    database: Database, clock: StoppedClock
) -> None:
    scene = Scene(database, clock)
    first, second = await scene.prepare(), await scene.order()
    assert await scene.worker.run_once() == 2
    found = await seen(database, first)
    assert states(found) == ("awaiting", "sent", None)
    assert (found.entries[0].new.due_at, found.attempts[0].receipt_due_at) == (
        START + HALF_HOUR,
        START + HALF_HOUR,
    )
    history = History(
        transaction=found.transactions[0], events=(), attempts=found.attempts, acks=()
    )
    shown = timeline_of(a_sealer(), history)[-1]
    assert (shown.status, shown.message) == (
        "awaiting_receipt",
        "The partner has taken it. Its receipt (MDN) is awaited.",
    )
    clock.move(SECOND)
    assert await scene.take(number=0)
    found = await seen(database, first)
    assert states(found) == ("done", "delivered", None)
    (attempt,) = found.attempts
    assert attempt.result is not None
    assert (attempt.result.outcome.value, attempt.receipt_due_at) == ("succeeded", None)
    assert found.interchange.sent_at == START
    assert states(await seen(database, second)) == ("awaiting", "sent", None)
    # Another copy of the receipt changes nothing.
    assert not await scene.take(number=0)
    assert not await scene.take(OTHER, number=0)
    assert states(await seen(database, first)) == ("done", "delivered", None)


async def test_a_receipt_may_come_before_the_answer(
    database: Database, clock: StoppedClock
) -> None:
    async def take_early(message: OutboundMessage) -> Sent:
        sent = await take(message)
        assert await scene.take()
        return sent

    scene = Scene(database, clock, take_early)
    first = await scene.prepare()
    await scene.worker.run_once()
    assert states(await seen(database, first)) == ("done", "delivered", None)


async def test_a_receipt_that_came_before_a_worker_died_ends_the_delivery(
    database: Database, clock: StoppedClock
) -> None:
    async def die(message: OutboundMessage) -> Sent:
        await take(message)
        assert await scene.take()
        raise MemoryError

    scene = Scene(database, clock, die)
    first = await scene.prepare()
    with pytest.raises(MemoryError):
        await scene.worker.run_once()
    clock.move(timedelta(minutes=1))
    await scene.worker.run_once()
    found = await seen(database, first)
    assert states(found) == ("done", "delivered", None)
    assert (len(scene.as2.parcels), len(found.attempts)) == (1, 1)


async def test_a_worker_that_is_late_does_not_end_the_attempt_of_another(
    database: Database, clock: StoppedClock
) -> None:
    async def be_late(message: OutboundMessage) -> Sent:
        sent = await take(message)
        clock.move(timedelta(minutes=1))
        others = {ConnectionType.AS2: scene.as2}
        other = a_worker(database, clock, Destination(), owner="worker 2", others=others)
        await other.run_once()
        assert await scene.take()
        return sent

    scene = Scene(database, clock, be_late, take)
    first = await scene.prepare()
    await scene.worker.run_once()
    found = await seen(database, first)
    assert states(found) == ("done", "delivered", None)
    outcomes = [each.result.outcome.value for each in found.attempts if each.result is not None]
    assert outcomes == ["lost", "succeeded"]


async def test_without_a_receipt_in_time_the_same_message_is_sent_again(
    database: Database, clock: StoppedClock
) -> None:
    scene = Scene(database, clock)
    first = await scene.prepare()
    await scene.worker.run_once()
    clock.move(HALF_HOUR - SECOND)
    assert await scene.overdue.run_once() == 0
    clock.move(SECOND)
    assert await scene.overdue.run_once() == 1
    found = await seen(database, first)
    assert states(found) == ("due", "pending", "receipt_overdue")
    assert found.entries[0].new.due_at == clock.now() + SECOND
    clock.move(SECOND)
    await scene.worker.run_once()
    assert states(await seen(database, first)) == ("awaiting", "sent", "receipt_overdue")
    assert len({each.message_id for each in scene.as2.parcels}) == 1
    assert len(scene.as2.parcels) == 2
    assert await scene.take()
    assert states(await seen(database, first)) == ("done", "delivered", None)


async def test_a_late_receipt_is_as_good_while_the_message_waits_to_be_sent_again(
    database: Database, clock: StoppedClock
) -> None:
    scene = Scene(database, clock)
    first = await scene.prepare()
    await scene.worker.run_once()
    clock.move(HALF_HOUR)
    await scene.overdue.run_once()
    assert await scene.take()
    await scene.worker.run_once()
    found = await seen(database, first)
    assert states(found) == ("done", "delivered", None)
    assert (len(scene.as2.parcels), found.transactions[0].attempts) == (1, 1)


async def test_a_partner_that_never_sends_receipts_gets_the_message_as_often_as_any_other(
    database: Database, clock: StoppedClock
) -> None:
    scene = Scene(database, clock)
    first = await scene.prepare()
    for _ in range(14):
        clock.move(timedelta(hours=30))
        await scene.worker.run_once()
        clock.move(HALF_HOUR)
        await scene.overdue.run_once()
    assert states(await seen(database, first)) == ("dead", "failed", "receipt_overdue")
    assert len(scene.as2.parcels) == 14
    assert not await scene.take(OTHER)
    assert states(await seen(database, first)) == ("dead", "failed", "receipt_overdue")
    # It was received all the same.
    assert await scene.take()
    assert states(await seen(database, first)) == ("done", "delivered", None)


@pytest.mark.parametrize(
    ("mic", "text"),
    [
        (OTHER, "The destination received something else than was sent."),
        (None, "The receipt of the partner names no MIC to compare."),
        (Mic(b"d" * 20, "sha1"), "The receipt of the partner names no MIC to compare."),
    ],
)
async def test_a_receipt_for_other_bytes_ends_the_delivery_and_a_retry_is_another_message(
    database: Database, clock: StoppedClock, mic: Mic | None, text: str
) -> None:
    scene = Scene(database, clock)
    first = await scene.prepare()
    await scene.worker.run_once()
    assert await scene.take(mic)
    found = await seen(database, first)
    assert states(found) == ("dead", "failed", "mic_mismatch")
    error = found.transactions[0].record.last_error
    assert error is not None
    assert error.message == text
    await a_tracker(database, clock).retry(context(), an_action(first.transaction_ids[0]))
    await scene.worker.run_once()
    assert len({each.message_id for each in scene.as2.parcels}) == 2
    assert await scene.take()
    assert states(await seen(database, first))[:2] == ("done", "delivered")


async def test_a_negative_receipt_is_a_refusal_that_is_tried_again_as_the_same_message(
    database: Database, clock: StoppedClock
) -> None:
    scene = Scene(database, clock)
    first = await scene.prepare()
    await scene.worker.run_once()
    assert await scene.take(disposition="processed/error: decryption-failed")
    found = await seen(database, first)
    assert states(found) == ("due", "pending", "receipt_negative")
    clock.move(timedelta(seconds=6))
    await scene.worker.run_once()
    assert len({each.message_id for each in scene.as2.parcels}) == 1
    assert states(await seen(database, first)) == ("awaiting", "sent", "receipt_negative")


async def test_a_delivery_that_ended_meanwhile_stays_ended(
    database: Database, clock: StoppedClock
) -> None:
    scene = Scene(database, clock)
    first = await scene.prepare()
    await scene.worker.run_once()

    async def cancel(unit: WriteUnit) -> bool:
        # As an acknowledgement does, which proves that the document arrived.
        start, to = OutboxState.AWAITING, OutboxState.CANCELLED
        return await unit.outbox.change_waiting(first.outbox_id, start, to, START, START)

    assert await write(database, first.scope, cancel)
    clock.move(HALF_HOUR)
    assert await scene.overdue.run_once() == 0
    assert not await scene.take()


async def test_receipts_for_nothing_that_was_sent_are_refused(
    database: Database, clock: StoppedClock
) -> None:
    scene = Scene(database, clock)
    first = await scene.prepare()
    await scene.worker.run_once()
    for changes in (
        {"original_message_id": "<0@longshore>"},
        {"original_message_id": "<1@them>"},
        {"is_signed": False},
    ):
        with pytest.raises(As2ReceiptRefusedError) as refused:
            await scene.take(**changes)
        signed = "The receipt is not signed, as was agreed."
        unknown = "The receipt is for no message that was sent to this partner."
        assert refused.value.reason == (signed if "is_signed" in changes else unknown)
    own, scene.partner_id = scene.partner_id, PartnerId(scene.partner_id + 1)
    with pytest.raises(As2ReceiptRefusedError):
        await scene.take()
    scene.partner_id = own
    assert states(await seen(database, first)) == ("awaiting", "sent", None)


# ---- receipts of ours ----------------------------------------------------------------------------

RECEIPT = ReceiptToSend(
    url="https://them.example.com/mdn",
    sender="US",
    receiver="THEM",
    message_id="<7@longshore>",
    entity=b"Content-Type: multipart/report\r\n\r\n...",
)


class Receiver:
    """A transport that keeps the receipts that it was given."""

    def __init__(self, *says: Sent) -> None:
        self.taken: list[tuple[ReceiptToSend, Environment]] = []
        self._says = list(says)

    async def send_receipt(self, receipt: ReceiptToSend, environment: Environment) -> Sent:
        self.taken.append((receipt, environment))
        return self._says.pop(0)


async def a_receipt_to_send(
    database: Database, clock: StoppedClock, *says: Sent
) -> tuple[Worker, Receiver]:
    partner_id = await a_trading_partner(database)
    ports, receiver = some_ports(database, clock), Receiver(*says)
    await As2Intake(ports).queue_receipt(relationship(partner_id), RECEIPT)
    handlers = JobHandlers({JobKind.AS2_RECEIPT: As2ReceiptSender(ports, receiver)}, Jobs())
    return a_worker(database, clock, Destination(), handler=handlers), receiver


async def given_up(database: Database) -> list[str]:
    async def find(unit: ReadUnit) -> list[str]:
        found = [each.entry for each in await unit.audit.list_after(AccountId(1), 0, 100)]
        return [
            open_detail(a_sealer(), each) for each in found if each.action == "as2.give_up_receipt"
        ]

    return await read(database, TEST, find)


async def test_a_receipt_is_sent_until_it_is_taken(database: Database, clock: StoppedClock) -> None:
    worker, receiver = await a_receipt_to_send(database, clock, BUSY, OK)
    assert await worker.run_once() == 1
    assert await worker.run_once() == 0
    clock.move(2 * SECOND)
    assert await worker.run_once() == 1
    clock.move(timedelta(days=1))
    assert await worker.run_once() == 0
    assert receiver.taken == [(RECEIPT, SANDBOX)] * 2
    assert await given_up(database) == []


async def test_a_receipt_that_nobody_takes_is_given_up_in_the_audit_log(
    database: Database, clock: StoppedClock
) -> None:
    worker, receiver = await a_receipt_to_send(database, clock, *[REFUSED] * 3)
    for _ in range(5):
        await worker.run_once()
        clock.move(timedelta(minutes=1))
    assert len(receiver.taken) == 3
    assert await given_up(database) == ["The destination answered with status 422."]


async def test_a_receipt_that_cannot_be_sent_for_a_fault_of_ours_is_given_up(
    database: Database, clock: StoppedClock
) -> None:
    worker, _ = await a_receipt_to_send(database, clock)
    for _ in range(14):
        for entry in await worker.claim():
            await worker.record_failure(entry)
        clock.move(timedelta(hours=30))
    assert await given_up(database) == ["It could not be sent: internal_error."]
    assert await worker.run_once() == 0


async def test_a_worker_that_lost_its_lease_stores_no_result(
    database: Database, clock: StoppedClock
) -> None:
    worker, receiver = await a_receipt_to_send(database, clock, BUSY, OK, OK)
    (entry,) = await worker.claim()
    clock.move(timedelta(minutes=1))
    (again,) = await worker.claim()
    await worker.do(entry)
    await worker.do(replace(entry, attempt=entry.attempt))
    assert len(receiver.taken) == 2
    await worker.do(again)
    clock.move(timedelta(days=1))
    assert await worker.run_once() == 0


async def test_what_is_sealed_in_a_row_is_one_of_both(
    database: Database, clock: StoppedClock
) -> None:
    scene = Scene(database, clock)
    first = await scene.prepare()
    await scene.worker.run_once()
    await As2Intake(some_ports(database, clock)).queue_receipt(
        relationship(scene.partner_id), RECEIPT
    )

    async def check(unit: ReadUnit) -> None:
        awaited = await unit.as2_receipts.find_of_entry(first.outbox_id)
        to_send = await unit.as2_receipts.find_of_entry(type(first.outbox_id)(first.outbox_id + 1))
        assert awaited is not None
        assert to_send is not None
        assert open_receipt_to_send(a_sealer(), to_send) == RECEIPT
        assert open_awaited_receipt(a_sealer(), awaited).mics == (MIC,)
        with pytest.raises(SealBrokenError):
            open_receipt_to_send(a_sealer(), awaited)
        with pytest.raises(SealBrokenError):
            open_awaited_receipt(a_sealer(), to_send)

    await read(database, first.scope, check)
