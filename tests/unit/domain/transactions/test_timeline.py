"""The timeline of a transaction: what is told of it, how, and in which order."""

from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.domain.acks.model import Ack, AckId, AckRowStatus
from longshore.domain.delivery.model import AttemptId, AttemptResult, DeliveryAttempt, OutboxId
from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.events.model import EventId, EventType, SealedEvent
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import AckStatus, Transaction, TransactionId
from longshore.domain.transactions.timeline import (
    KINDS,
    History,
    TimelineEntry,
    TimelineKind,
    timeline_of,
)
from tests.support.clock import START
from tests.support.trading import SANDBOX, a_record, an_ack
from tests.support.vault import a_sealer

OWN = AccountId(1)
MINUTE = timedelta(minutes=1)
ONE = Transaction(
    id=TransactionId(7),
    account_id=OWN,
    record=a_record(),
    partner_name="Northwind Retail",
    attempts=0,
    created_at=START,
    updated_at=START,
)
CREATED = TimelineEntry(at=START, kind=TimelineKind.CREATED)


def event(event_type: EventType, number: int = 1, **data: int | str) -> SealedEvent:
    return SealedEvent(
        id=EventId(number),
        account_id=OWN,
        environment=SANDBOX,
        type=event_type,
        data=data,
        transaction_id=7,
        actor="worker",
        created_at=START + MINUTE,
    )


def ack(status: AckRowStatus, **members: object) -> Ack:
    row = replace(an_ack(), status=status, **members)  # type: ignore[arg-type]  # each as its field
    later = START + 5 * MINUTE
    return Ack(
        id=AckId(3),
        account_id=OWN,
        row=row,
        partner_name="Northwind Retail",
        created_at=START,
        updated_at=later,
    )


def attempt(result: AttemptResult | None) -> DeliveryAttempt:
    return DeliveryAttempt(
        id=AttemptId(1),
        account_id=OWN,
        environment=SANDBOX,
        outbox_id=OutboxId(1),
        attempt=4,
        message_id="m-1",
        started_at=START + MINUTE,
        result=result,
    )


def entries_of(
    *events: SealedEvent, attempts: tuple[DeliveryAttempt, ...] = (), acks: tuple[Ack, ...] = ()
) -> list[TimelineEntry]:
    history = History(transaction=ONE, events=events, attempts=attempts, acks=acks)
    return list(timeline_of(a_sealer(), history))


def test_every_event_of_a_transaction_has_its_kind() -> None:
    of_transactions = {
        each for each in EventType if each.startswith(("transaction.", "ack.", "response."))
    }
    assert set(KINDS) == {*of_transactions, EventType.DOCUMENT_STORED}


@pytest.mark.parametrize(("event_type", "kind"), KINDS.items())
def test_an_event_is_told_as_its_kind(event_type: EventType, kind: TimelineKind) -> None:
    entry = entries_of(event(event_type, attempt=2, status="queued", warnings="date_iso"))[-1]
    assert entry == TimelineEntry(
        at=START + MINUTE, kind=kind, status="queued", actor="worker", event_id=1, attempt=2
    )


def test_without_a_status_an_event_tells_its_own_word() -> None:
    assert entries_of(event(EventType.ACK_OVERDUE))[-1].status == "overdue"


def test_a_timeline_without_events_begins_with_the_record() -> None:
    assert entries_of() == [CREATED]


def test_an_event_of_how_it_began_is_not_told_twice() -> None:
    entries = entries_of(event(EventType.TRANSACTION_RECEIVED))
    assert [(each.kind, each.event_id) for each in entries] == [(TimelineKind.CREATED, 1)]


def test_a_conversion_without_warnings_is_left_out() -> None:
    assert entries_of(event(EventType.DOCUMENT_STORED)) == [CREATED]


def test_an_event_of_another_kind_is_left_out() -> None:
    assert entries_of(event(EventType.WEBHOOK_TEST)) == [CREATED]


def test_a_number_that_is_none_is_not_told() -> None:
    assert entries_of(event(EventType.ACK_RECEIVED, ack_id="3"))[-1].ack_id is None


def test_what_is_of_one_moment_is_told_in_the_order_of_its_kinds() -> None:
    delivered = event(EventType.TRANSACTION_DELIVERED)
    queued = event(EventType.TRANSACTION_QUEUED, 2)
    entries = entries_of(delivered, queued, attempts=(attempt(None),))
    expected = ["created", "queued", "attempt", "delivered"]
    assert [each.kind for each in entries] == expected


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (None, "running"),
        (AttemptResult(finished_at=START, outcome=AttemptOutcome.SUCCEEDED), "succeeded"),
    ],
)
def test_an_attempt_is_told_with_its_outcome(result: AttemptResult | None, status: str) -> None:
    assert entries_of(attempts=(attempt(result),))[-1] == TimelineEntry(
        at=START + MINUTE, kind=TimelineKind.ATTEMPT, status=status, attempt=4
    )


@pytest.mark.parametrize(
    ("given", "minutes", "status"),
    [
        (
            ack(
                AckRowStatus.RECEIVED,
                result=AckStatus.ACCEPTED,
                received_at=START + 2 * MINUTE,
                sent_at=START + MINUTE,
            ),
            2,
            "accepted",
        ),
        (ack(AckRowStatus.RECEIVED, received_at=START + 2 * MINUTE), 2, "received"),
        (ack(AckRowStatus.SENT, sent_at=START + 3 * MINUTE), 3, "sent"),
        (ack(AckRowStatus.FAILED), 5, "failed"),
    ],
)
def test_an_acknowledgement_is_told_when_it_came_or_went(
    given: Ack, minutes: int, status: str
) -> None:
    assert entries_of(acks=(given,))[-1] == TimelineEntry(
        at=START + minutes * MINUTE, kind=TimelineKind.ACK, status=status, ack_id=3
    )


def test_an_acknowledgement_that_is_awaited_is_not_told() -> None:
    assert entries_of(acks=(ack(AckRowStatus.PENDING, sent_at=START + MINUTE),)) == [CREATED]


def test_an_acknowledgement_that_an_event_tells_of_is_told_once() -> None:
    entries = entries_of(
        event(EventType.ACK_RECEIVED, ack_id=3),
        acks=(ack(AckRowStatus.RECEIVED, received_at=START),),
    )
    assert [(each.kind, each.event_id, each.ack_id) for each in entries] == [
        (TimelineKind.CREATED, None, None),
        (TimelineKind.ACK, 1, 3),
    ]
