"""What people do about what was sent: retry, cancel, redrive; and who wins when several do."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.encryption import store_ack
from longshore.domain.acks.model import AckId, AckRowStatus, NewAck
from longshore.domain.audit.writer import open_detail
from longshore.domain.delivery.model import JobKind, OutboxEntry, OutboxState
from longshore.domain.delivery.store import OutboxStore
from longshore.domain.events.model import EventType
from longshore.domain.events.writer import open_message
from longshore.domain.idempotency.claims import StoredResponse
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import Direction, PartnerStatus
from longshore.domain.ports import RequestContext
from longshore.domain.transactions.actions import InterchangeActions
from longshore.domain.transactions.errors import (
    ActionRefusedError,
    ConcurrentChangeError,
    InProgressError,
    InvalidQueryError,
    ReasonRequiredError,
    TransactionNotFoundError,
)
from longshore.domain.transactions.lists import TransactionFilters
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    States,
    Transaction,
    TransactionId,
)
from longshore.domain.transactions.redrive import MAX_REDRIVEN
from longshore.domain.transactions.service import TransactionService
from longshore.domain.transactions.timeline import Redriven, Skipped
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.errors import ErrorCode
from tests.support.clock import START, StoppedClock
from tests.support.database import CountedUnits, Database
from tests.support.ports import some_ports
from tests.support.submitting import an_action
from tests.support.tracking import OWN, Shipping, context, states
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, a_partner, an_ack, read, write
from tests.support.vault import a_sealer

ME, FOREIGN, LIVE_ME = context(), context(account=2), context(PRODUCTION)
D = DeliveryStatus
PENDING, HELD, SENDING = states(D.PENDING), states(D.HELD), states(D.SENDING)
DELIVERED, FAILED, CANCELLED = states(D.DELIVERED), states(D.FAILED), states(D.CANCELLED)
ACCEPTED = states(D.DELIVERED, AckStatus.ACCEPTED)
LATER = timedelta(hours=3)
TWINS = 8
WHY = "The partner lost it."


@pytest.fixture
async def shipping(database: Database, accounts: AccountService) -> Shipping:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return Shipping(database, await a_partner(database))


@pytest.fixture
def service(database: Database, units: CountedUnits, clock: StoppedClock) -> TransactionService:
    return TransactionService(some_ports(database, clock, units=units))


@dataclass(frozen=True)
class Traces:
    """All that an action leaves: of sets, outbox, acknowledgements, events and audit log."""

    interchange: InterchangeStatus
    deliveries: list[DeliveryStatus]
    entries: list[OutboxState]
    expected_in_hours: list[float | None]
    events: list[tuple[EventType, int | None, str, str]]
    audit: list[tuple[str, str, str, str]]


def hours(row: NewAck) -> float | None:
    return None if row.expected_by is None else (row.expected_by - START) / timedelta(hours=1)


async def traces(shipping: Shipping, interchange: int = 1) -> Traces:
    async def work(unit: ReadUnit) -> Traces:
        found = await unit.interchanges.find(InterchangeId(interchange))
        assert found is not None
        sets = await unit.transactions.list_of_interchange(InterchangeId(interchange))
        ids = [each.transaction.id for each in sets]
        rows = [row for each in ids for row in await unit.acks.list_of_transaction(each)]
        events = await unit.events.list_after(SANDBOX, 0, 100)
        entries = [each.entry for each in await unit.audit.list_after(OWN, 0, 100)]
        return Traces(
            interchange=found[0].new.status,
            deliveries=[each.transaction.record.states.delivery for each in sets],
            entries=[
                each.state
                for each in await unit.outbox.list_of_interchange(InterchangeId(interchange))
            ],
            expected_in_hours=[hours(each.ack.row) for each in rows],
            events=[
                (each.type, each.transaction_id, each.actor, open_message(a_sealer(), each))
                for each in events
            ],
            audit=[
                (each.actor, each.action, each.object, open_detail(a_sealer(), each))
                for each in entries
            ],
        )

    return await read(shipping.database, LIVE, work)


# ---- retry ---------------------------------------------------------------------------------------

AGAIN = "Its interchange is sent again, with the same control numbers"


async def test_a_retry_queues_the_same_interchange_behind_the_others(
    shipping: Shipping, service: TransactionService, clock: StoppedClock
) -> None:
    await shipping.interchange(FAILED, FAILED)
    clock.move(LATER)
    again = await service.retry(ME, an_action(2))
    assert again == StoredResponse(b"2 queued")
    assert await traces(shipping) == Traces(
        interchange=InterchangeStatus.QUEUED,
        deliveries=[D.PENDING, D.PENDING],
        entries=[OutboxState.DEAD, OutboxState.DUE],
        expected_in_hours=[3 + 48, 3 + 48],
        events=[
            (EventType.TRANSACTION_QUEUED, 1, "user 5", f"{AGAIN}."),
            (EventType.TRANSACTION_QUEUED, 2, "user 5", f"{AGAIN}."),
        ],
        audit=[("user 5", "transaction.retry", "transaction 2", "")],
    )


async def test_a_retry_is_the_same_work_once_more(
    shipping: Shipping, service: TransactionService, clock: StoppedClock
) -> None:
    await shipping.interchange(FAILED)
    clock.move(LATER)
    await service.retry(ME, an_action(1))
    before, after = await shipping.entries()
    assert after.new == replace(before.new, due_at=START + LATER)
    assert after.id > before.id


async def test_what_was_delivered_is_sent_again_for_a_reason(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(DELIVERED, FAILED, ACCEPTED)
    await service.retry(ME, an_action(1, f" {WHY} "))
    left = await traces(shipping)
    assert left.deliveries == [D.PENDING, D.PENDING, D.PENDING]
    assert left.expected_in_hours == [48, 48, None]  # what was answered is not awaited
    assert {message for *_, message in left.events} == {f"{AGAIN}: {WHY}"}
    assert left.audit == [("user 5", "transaction.retry", "transaction 1", WHY)]


async def test_what_arrived_stays_so_when_a_failed_set_is_retried(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(FAILED, ACCEPTED)
    await service.retry(ME, an_action(1))
    left = await traces(shipping)
    assert left.deliveries == [D.PENDING, D.DELIVERED]
    assert [number for _, number, *_ in left.events] == [1]


@pytest.mark.parametrize("reason", ["", " \n"])
async def test_what_was_delivered_is_not_sent_again_without_a_reason(
    shipping: Shipping, service: TransactionService, reason: str
) -> None:
    await shipping.interchange(DELIVERED)
    before = await traces(shipping)
    with pytest.raises(ReasonRequiredError):
        await service.retry(ME, an_action(1, reason))
    assert await traces(shipping) == before


@pytest.mark.parametrize("start", [HELD, SENDING, CANCELLED])
async def test_a_retry_is_refused_in_other_states(
    shipping: Shipping, service: TransactionService, start: States
) -> None:
    await shipping.interchange(start)
    before = await traces(shipping)
    with pytest.raises(
        ActionRefusedError, match=f"its delivery is {start.delivery}, and would have to be"
    ):
        await service.retry(ME, an_action(1, WHY))
    assert await traces(shipping) == before


@pytest.mark.parametrize("entry", [OutboxState.DUE, OutboxState.HELD, OutboxState.LEASED])
async def test_what_is_about_to_be_sent_is_not_queued_twice(
    shipping: Shipping, service: TransactionService, entry: OutboxState
) -> None:
    await shipping.interchange(ACCEPTED, entry=entry)  # it arrived, and nobody saw the answer
    before = await traces(shipping)
    with pytest.raises(InProgressError):
        await service.retry(ME, an_action(1, WHY))
    assert await traces(shipping) == before


# ---- cancel --------------------------------------------------------------------------------------

OFF = f"Its whole interchange is cancelled: {WHY}"


@pytest.mark.parametrize(
    ("start", "entry"),
    [
        (PENDING, OutboxState.CANCELLED),
        (HELD, OutboxState.CANCELLED),
        (FAILED, OutboxState.DEAD),
    ],
)
async def test_a_cancellation_ends_the_whole_interchange(
    shipping: Shipping, service: TransactionService, start: States, entry: OutboxState
) -> None:
    await shipping.interchange(start, start)
    cancelled = await service.cancel(ME, an_action(2, WHY))
    assert cancelled == StoredResponse(b"2 cancelled")
    assert await traces(shipping) == Traces(
        interchange=InterchangeStatus.CANCELLED,
        deliveries=[D.CANCELLED, D.CANCELLED],
        entries=[entry],
        expected_in_hours=[None, None],
        events=[
            (EventType.TRANSACTION_CANCELLED, 1, "user 5", OFF),
            (EventType.TRANSACTION_CANCELLED, 2, "user 5", OFF),
        ],
        audit=[("user 5", "transaction.cancel", "transaction 2", WHY)],
    )
    assert await shipping.claim() == []


async def test_what_arrived_is_not_cancelled_with_the_rest(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(PENDING, ACCEPTED)
    await service.cancel(ME, an_action(1, WHY))
    assert (await traces(shipping)).deliveries == [D.CANCELLED, D.DELIVERED]


async def test_our_acknowledgements_are_given_up_with_their_interchange(
    shipping: Shipping, service: TransactionService
) -> None:
    silent = states(D.PENDING, AckStatus.NOT_EXPECTED)
    await shipping.interchange(silent, kind=JobKind.ACKNOWLEDGEMENT)
    ours = an_ack(direction=Direction.OUTBOUND, interchange_id=InterchangeId(1))

    async def store(unit: WriteUnit) -> AckId:
        return await store_ack(unit, a_sealer(), OWN, ours, START)

    ack_id = await write(shipping.database, LIVE, store)
    await service.cancel(ME, an_action(1, WHY))

    async def find(unit: ReadUnit) -> list[AckRowStatus]:
        stored = await unit.acks.find(ack_id)
        return [stored.ack.row.status] if stored else []

    assert await read(shipping.database, LIVE, find) == [AckRowStatus.FAILED]
    assert (await traces(shipping)).events[:1] == [(EventType.ACK_FAILED, None, "user 5", "")]


async def test_a_cancellation_needs_a_reason(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(PENDING)
    before = await traces(shipping)
    with pytest.raises(ReasonRequiredError):
        await service.cancel(ME, an_action(1, " "))
    assert await traces(shipping) == before


@pytest.mark.parametrize("start", [SENDING, DELIVERED, CANCELLED])
async def test_a_cancellation_is_refused_in_other_states(
    shipping: Shipping, service: TransactionService, start: States
) -> None:
    await shipping.interchange(start)
    before = await traces(shipping)
    with pytest.raises(
        ActionRefusedError, match=f"its delivery is {start.delivery}, and would have to be"
    ):
        await service.cancel(ME, an_action(1, WHY))
    assert await traces(shipping) == before


async def test_what_a_worker_has_taken_is_not_cancelled(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(PENDING, entry=OutboxState.LEASED)
    before = await traces(shipping)
    with pytest.raises(InProgressError, match="is being sent at this moment"):
        await service.cancel(ME, an_action(1, WHY))
    assert await traces(shipping) == before


@pytest.mark.parametrize("stranger", [FOREIGN, context(PRODUCTION, 2)])
async def test_a_neighbour_can_do_nothing(
    shipping: Shipping, service: TransactionService, stranger: RequestContext
) -> None:
    await shipping.interchange(FAILED)
    before = await traces(shipping)
    with pytest.raises(TransactionNotFoundError):
        await service.retry(stranger, an_action(1, WHY))
    with pytest.raises(TransactionNotFoundError):
        await service.cancel(stranger, an_action(1, WHY))
    assert await service.redrive(stranger, [1]) == Redriven(
        queued=0, skipped=(Skipped(id=TransactionId(1), code=ErrorCode.NOT_FOUND),)
    )
    assert await traces(shipping) == before


async def test_production_acts_on_a_test_document_in_the_feed_of_the_sandbox(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(FAILED)
    await service.retry(LIVE_ME, an_action(1))
    assert [number for _, number, *_ in (await traces(shipping)).events] == [1]


# ---- redrive -------------------------------------------------------------------------------------


async def test_dead_letters_are_sent_again_and_all_else_is_passed_over(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(FAILED, FAILED)
    await shipping.interchange(DELIVERED)
    await shipping.interchange(CANCELLED)
    assert await service.redrive(ME, [2, 3, 1, 4, 2, 99]) == Redriven(
        queued=2,
        skipped=(
            Skipped(id=TransactionId(3), code=ErrorCode.INVALID_STATE),
            Skipped(id=TransactionId(4), code=ErrorCode.INVALID_STATE),
            Skipped(id=TransactionId(99), code=ErrorCode.NOT_FOUND),
        ),
    )
    assert (await traces(shipping)).entries == [OutboxState.DEAD, OutboxState.DUE]
    assert (await traces(shipping, 2)).deliveries == [D.DELIVERED]


async def test_dead_letters_are_sent_again_in_few_units(
    shipping: Shipping, service: TransactionService, units: CountedUnits
) -> None:
    for _ in range(3):
        await shipping.interchange(FAILED)
    assert await service.redrive(ME, [1, 2, 3]) == Redriven(queued=3, skipped=())
    assert units.writes == 1
    left = await traces(shipping, 3)
    assert [number for _, number, *_ in left.events] == [1, 2, 3]
    assert [what for _, _, what, _ in left.audit] == [f"transaction {each}" for each in (1, 2, 3)]


async def test_dead_letters_of_both_environments_are_told_of_in_their_feeds(
    shipping: Shipping, service: TransactionService
) -> None:
    active = await a_partner(shipping.database, "Live Retail", status=PartnerStatus.ACTIVE)
    await shipping.interchange(FAILED)
    await replace(shipping, partner_id=active).interchange(FAILED, environment=PRODUCTION)
    assert (await service.redrive(LIVE_ME, [1, 2])).queued == 2
    assert [number for _, number, *_ in (await traces(shipping)).events] == [1]


async def test_dead_letters_of_one_interchange_are_sent_again_once(
    shipping: Shipping, service: TransactionService, units: CountedUnits
) -> None:
    await shipping.interchange(FAILED, FAILED)
    assert await service.redrive(ME, [1, 2]) == Redriven(queued=2, skipped=())
    assert units.writes == 1
    assert (await traces(shipping)).entries == [OutboxState.DEAD, OutboxState.DUE]


async def test_a_dead_letter_whose_partner_takes_it_no_more_is_passed_over(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(FAILED)
    await shipping.interchange(FAILED, environment=PRODUCTION)  # the partner is in testing
    assert await service.redrive(LIVE_ME, [1, 2]) == Redriven(
        queued=1, skipped=(Skipped(id=TransactionId(2), code=ErrorCode.PARTNER_INACTIVE),)
    )
    left = await traces(shipping, 2)
    assert left.deliveries == [D.FAILED]
    assert [(action, of) for _, action, of, _ in left.audit] == [
        ("transaction.retry", "transaction 1"),
        ("separation.partner_inactive", "transaction 2"),
    ]


async def test_dead_letters_that_fit_are_sent_again(
    shipping: Shipping, service: TransactionService
) -> None:
    for _ in range(2):
        await shipping.interchange(FAILED)
    filters = TransactionFilters(business_key="PO-2")
    assert await service.redrive_fitting(ME, filters) == Redriven(queued=1, skipped=())
    assert (await traces(shipping, 1)).deliveries == [D.FAILED]
    assert (await traces(shipping, 2)).deliveries == [D.PENDING]


async def test_more_than_a_thousand_at_once_are_refused(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(FAILED)
    with pytest.raises(InvalidQueryError, match=r'^Parameter "ids" must be at most 1,000 ids'):
        await service.redrive(ME, [1] * (MAX_REDRIVEN + 1))
    assert (await traces(shipping)).deliveries == [D.FAILED]


# ---- races ---------------------------------------------------------------------------------------


async def outcomes(*actions: object) -> list[str]:
    """Run actions at once; return ``done``, or the class of each refusal."""
    results = await asyncio.gather(*actions, return_exceptions=True)  # type: ignore[call-overload]  # whatever is awaitable
    refusals = [each for each in results if isinstance(each, BaseException)]
    assert all(isinstance(each, ActionRefusedError) for each in refusals)
    return sorted("refused" if isinstance(each, BaseException) else "done" for each in results)


ONE_WINS = ["done"] + ["refused"] * (TWINS - 1)


@pytest.mark.parametrize("start", [PENDING, HELD, FAILED])
async def test_of_eight_cancellations_one_wins(
    shipping: Shipping, service: TransactionService, start: States
) -> None:
    await shipping.interchange(start, start)
    actions = [service.cancel(ME, an_action(1 + number % 2, WHY)) for number in range(TWINS)]
    assert await outcomes(*actions) == ONE_WINS
    left = await traces(shipping)
    assert left.deliveries == [D.CANCELLED, D.CANCELLED]
    assert (len(left.events), len(left.audit)) == (2, 1)


@pytest.mark.parametrize("start", [FAILED, DELIVERED])
async def test_of_eight_retries_one_queues_the_interchange(
    shipping: Shipping, service: TransactionService, start: States
) -> None:
    await shipping.interchange(start, start)
    actions = [service.retry(ME, an_action(1 + number % 2, WHY)) for number in range(TWINS)]
    assert await outcomes(*actions) == ["done"] * TWINS  # the others find that it is due
    left = await traces(shipping)
    assert left.entries[1:] == [OutboxState.DUE]
    assert (len(left.events), len(left.audit)) == (2, 1)


async def test_of_retries_for_different_sets_one_queues_the_interchange(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(FAILED, ACCEPTED)
    actions = [service.retry(ME, an_action(1 + number % 2, WHY)) for number in range(TWINS)]
    assert "done" in await outcomes(*actions)
    assert (await traces(shipping)).entries == [OutboxState.DEAD, OutboxState.DUE]


async def test_a_worker_and_a_cancellation_do_not_both_win(
    shipping: Shipping, service: TransactionService
) -> None:
    for number in range(1, TWINS + 1):
        await shipping.interchange(PENDING)
        claimed, cancelled = await asyncio.gather(
            shipping.claim(), service.cancel(ME, an_action(number, WHY)), return_exceptions=True
        )
        assert not isinstance(claimed, BaseException)
        is_cancelled = not isinstance(cancelled, ActionRefusedError)
        assert len(claimed) == (0 if is_cancelled else 1)
        expected = D.CANCELLED if is_cancelled else D.PENDING
        assert (await traces(shipping, number)).deliveries == [expected]


# ---- lost races, one statement at a time ---------------------------------------------------------


async def found(shipping: Shipping) -> Transaction:
    async def work(unit: ReadUnit) -> Transaction:
        stored = await unit.transactions.find(TransactionId(1))
        assert stored is not None
        return stored.transaction

    return await read(shipping.database, LIVE, work)


async def test_a_retry_by_what_was_read_before_another_changes_nothing(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(FAILED)
    stale = await found(shipping)
    await service.retry(ME, an_action(1))
    before = await traces(shipping)

    async def work(unit: WriteUnit) -> None:
        await InterchangeActions(unit, a_sealer(), ME.actor, START).send_again(stale)

    with pytest.raises(ConcurrentChangeError, match="was changed by somebody else"):
        await write(shipping.database, LIVE, work)
    assert await traces(shipping) == before


async def test_a_cancellation_by_what_was_read_before_another_changes_nothing(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(FAILED)
    stale = await found(shipping)
    await service.cancel(ME, an_action(1, WHY))
    before = await traces(shipping)

    async def work(unit: WriteUnit) -> None:
        await InterchangeActions(unit, a_sealer(), ME.actor, START).cancel(stale)

    with pytest.raises(ConcurrentChangeError):
        await write(shipping.database, LIVE, work)
    assert await traces(shipping) == before


class StaleOutbox:
    """The outbox of a unit whose reads are older than what it changes."""

    def __init__(self, outbox: OutboxStore, entries: Sequence[OutboxEntry]) -> None:
        self._entries = entries
        self.change_waiting = outbox.change_waiting

    async def list_of_interchange(self, _interchange_id: InterchangeId) -> Sequence[OutboxEntry]:
        return self._entries


async def test_an_entry_that_a_worker_took_meanwhile_is_not_cancelled(shipping: Shipping) -> None:
    await shipping.interchange(PENDING)
    one, entries = await found(shipping), await shipping.entries()
    await shipping.claim()
    before = await traces(shipping)

    async def work(unit: WriteUnit) -> None:
        stale = replace(unit, outbox=StaleOutbox(unit.outbox, entries))  # type: ignore[arg-type]  # the part that is used
        await InterchangeActions(stale, a_sealer(), ME.actor, START).cancel(one)

    with pytest.raises(ConcurrentChangeError):
        await write(shipping.database, LIVE, work)
    assert await traces(shipping) == before
