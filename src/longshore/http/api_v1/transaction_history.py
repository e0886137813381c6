"""The history of a transaction, step by step (contract.md section 15)."""

from datetime import datetime
from typing import Annotated, Final

import msgspec

from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.transactions.timeline import Delivery, TimelineEntry, TimelineKind
from longshore.http.api_v1.transaction_shapes import Ok
from longshore.http.envelope import EnvironmentName, Time, utc_text

WaitsBehind = Annotated[
    int | None,
    msgspec.Meta(
        description="The transaction that has to be delivered first, since documents of one kind"
        " reach a partner in their order. Null: it waits behind none."
    ),
]


class TimelineItem(msgspec.Struct, kw_only=True):
    """Something that happened to a transaction. Ids that do not apply are null."""

    at: Time
    kind: TimelineKind
    status: Annotated[str, msgspec.Meta(description="The result; empty if there are no details.")]
    message: Annotated[str, msgspec.Meta(description="For people; may be empty.")]
    actor: Annotated[str, msgspec.Meta(description="Such as key 3, user 5, worker; or empty.")]
    event_id: int | None
    attempt: Annotated[int | None, msgspec.Meta(description="Number of the attempt, from 1.")]
    ack_id: int | None


class TimelineAnswer(msgspec.Struct, kw_only=True):
    """The timeline of a transaction, oldest first."""

    ok: Ok = True
    environment: EnvironmentName
    transaction_id: int
    waits_behind: WaitsBehind
    timeline: list[TimelineItem]


class DeliveryError(msgspec.Struct, kw_only=True):
    """Why an attempt failed."""

    code: str
    message: str


class DeliveryItem(msgspec.Struct, kw_only=True):
    """One attempt to deliver."""

    id: int
    attempt: Annotated[int, msgspec.Meta(description="From 1.")]
    started_at: Time
    finished_at: Time | None
    outcome: Annotated[
        AttemptOutcome | None,
        msgspec.Meta(description="Null while it runs. lost: the outcome is unknown."),
    ]
    http_status: int | None
    error: DeliveryError | None
    next_attempt_at: Time | None
    receipt_due_at: Annotated[
        Time | None,
        msgspec.Meta(
            description="When the receipt of the partner is due, while it is awaited; without it "
            "the message is sent again."
        ),
    ]
    message_id: Annotated[str, msgspec.Meta(description="What the partner saw; or empty.")]


class DeliveriesAnswer(msgspec.Struct, kw_only=True):
    """The attempts to deliver the interchange of a transaction, oldest first."""

    ok: Ok = True
    environment: EnvironmentName
    transaction_id: int
    waits_behind: WaitsBehind
    next_attempt_at: Annotated[
        Time | None,
        msgspec.Meta(
            description="When it is sent. Null: it waits behind another one, is held, or does not"
            " wait."
        ),
    ]
    deliveries: list[DeliveryItem]


def entry_of(given: TimelineEntry) -> TimelineItem:
    """Return something that happened as the wire has it."""
    return TimelineItem(
        at=utc_text(given.at),
        kind=given.kind,
        status=given.status,
        message=given.message,
        actor=given.actor,
        event_id=given.event_id,
        attempt=given.attempt,
        ack_id=given.ack_id,
    )


def delivery_of(given: Delivery) -> DeliveryItem:
    """Return an attempt as the wire has it."""
    attempt, result = given.attempt, given.attempt.result
    code = None if result is None else result.error_code
    return DeliveryItem(
        id=attempt.id,
        attempt=attempt.attempt,
        started_at=utc_text(attempt.started_at),
        finished_at=None if result is None else utc_text(result.finished_at),
        outcome=None if result is None else result.outcome,
        http_status=None if result is None else result.http_status,
        error=None if code is None else DeliveryError(code=code, message=given.message),
        next_attempt_at=time_or_none(None if result is None else result.next_attempt_at),
        receipt_due_at=time_or_none(attempt.receipt_due_at),
        message_id=attempt.message_id,
    )


def time_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else utc_text(moment)


TIMELINE_EXAMPLE: Final = {
    "ok": True,
    "environment": "sandbox",
    "transaction_id": 10042,
    "waits_behind": None,
    "timeline": [
        {
            "at": "2026-01-15T14:05:09",
            "kind": "queued",
            "status": "queued",
            "message": "Queued for delivery.",
            "actor": "key 3",
            "event_id": 31,
            "attempt": None,
            "ack_id": None,
        }
    ],
}
DELIVERIES_EXAMPLE: Final = {
    "ok": True,
    "environment": "sandbox",
    "transaction_id": 10042,
    "waits_behind": None,
    "next_attempt_at": None,
    "deliveries": [
        {
            "id": 17,
            "attempt": 1,
            "started_at": "2026-01-15T14:05:10",
            "finished_at": "2026-01-15T14:05:11",
            "outcome": "succeeded",
            "http_status": 200,
            "error": None,
            "next_attempt_at": None,
            "receipt_due_at": None,
            "message_id": "msg_1",
        }
    ],
}
