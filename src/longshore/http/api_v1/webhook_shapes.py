"""Shapes of webhook endpoints, their deliveries and replays."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.delivery.model import DeliveryAttempt, OutboxState
from longshore.domain.events.model import EventType
from longshore.domain.partners.model import PartnerId
from longshore.domain.webhooks.model import (
    MAX_DESCRIPTION_CHARS,
    MAX_OVERLAP_HOURS,
    MAX_PARTNERS,
    OVERLAP_HOURS,
    DeliveryProgress,
    DisabledReason,
    WebhookEndpoint,
    WebhookTerms,
)
from longshore.http.api_v1.transaction_history import DeliveryError, time_or_none
from longshore.http.api_v1.transaction_shapes import Ok
from longshore.http.envelope import EnvironmentName, Notice, Time, utc_text
from longshore.http.listing import LARGEST_ID, Id, Limit, Moment

_Reason = Literal["gone", "failing", "by_user", ""]
DeliveryStatusName = Literal["queued", "sending", "delivered", "failed", "cancelled"]
_STATUS_BY_STATE: Final[dict[OutboxState, DeliveryStatusName]] = {
    OutboxState.DUE: "queued",
    OutboxState.HELD: "queued",
    OutboxState.SUSPENDED: "queued",
    OutboxState.LEASED: "sending",
    OutboxState.DONE: "delivered",
    OutboxState.DEAD: "failed",
    OutboxState.CANCELLED: "cancelled",
}


class WebhookItem(msgspec.Struct, kw_only=True):
    """A webhook endpoint. Its secret is never shown again."""

    id: int
    url: str
    description: str
    events: Annotated[list[EventType], msgspec.Meta(description="Empty: events of all types.")]
    partner_ids: Annotated[
        list[int],
        msgspec.Meta(description="Only events about these partners; empty: all events."),
    ]
    environment: EnvironmentName
    status: Literal["active", "disabled"]
    disabled_reason: Annotated[
        _Reason,
        msgspec.Meta(
            description="gone: it answered 410; failing: it took no call for three days; by_user; "
            "or empty."
        ),
    ]
    created_at: Time
    last_success_at: Time | None
    last_failure_at: Time | None


class WebhookAnswer(msgspec.Struct, kw_only=True):
    """A webhook endpoint as it is now."""

    ok: Ok = True
    webhook: WebhookItem


class WebhooksAnswer(msgspec.Struct, kw_only=True):
    """The webhook endpoints in the environment, the oldest first."""

    ok: Ok = True
    environment: EnvironmentName
    count: int
    webhooks: list[WebhookItem]


class NewWebhookAnswer(WebhookAnswer, kw_only=True):
    """A new endpoint with its secret, at the only time it is sent."""

    secret: Annotated[
        str, msgspec.Meta(description="whsec_…, which verifies the calls; it is not shown again.")
    ]


class RotatedWebhookAnswer(msgspec.Struct, kw_only=True):
    """A new secret, and until when the old one signs in addition."""

    ok: Ok = True
    secret: Annotated[str, msgspec.Meta(description="whsec_…; it is not shown again.")]
    old_expires_at: Time


class WebhookRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Where and about what an endpoint is called."""

    url: Annotated[str, msgspec.Meta(description="https; in the sandbox http is accepted too.")]
    description: Annotated[
        str, msgspec.Meta(description=f"At most {MAX_DESCRIPTION_CHARS} characters.")
    ] = ""
    events: Annotated[
        list[EventType], msgspec.Meta(description="Types of events; empty or absent: all.")
    ] = []
    partner_ids: Annotated[
        list[
            Annotated[
                int,
                msgspec.Meta(ge=1, le=LARGEST_ID, extra={"text": "ids of partners"}),
            ]
        ],
        msgspec.Meta(
            description="Only events about these partners, "
            f"at most {MAX_PARTNERS}; empty or absent: all events."
        ),
    ] = []

    def terms(self) -> WebhookTerms:
        """Return the members as the domain has them."""
        return WebhookTerms(
            url=self.url,
            description=self.description,
            events=tuple(dict.fromkeys(self.events)),
            partner_ids=tuple(PartnerId(each) for each in dict.fromkeys(self.partner_ids)),
        )


class WebhookRotationRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The time for which both secrets sign."""

    overlap_hours: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=MAX_OVERLAP_HOURS,
            description="0: the old secret signs no more from now on.",
            extra={"text": f"a whole number of hours from 0 to {MAX_OVERLAP_HOURS}"},
        ),
    ] = OVERLAP_HOURS


class PeriodReplayRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The events that an endpoint is called about once more."""

    date_from: Annotated[Moment, msgspec.Meta(description="From this time on, UTC.")]
    date_to: Annotated[
        Moment | None,
        msgspec.Meta(description="Until the end of this day or time; absent: until now."),
    ] = None
    after: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=LARGEST_ID,
            description="next_after of the answer before, to go on with a long period.",
            extra={"text": "the id of an event"},
        ),
    ] = 0


class PeriodReplayAnswer(msgspec.Struct, kw_only=True):
    """The result of a replay of a period."""

    ok: Ok = True
    deliveries: Annotated[int, msgspec.Meta(description="Calls that were queued.")]
    next_after: Annotated[
        int | None,
        msgspec.Meta(description="To be sent as after; null at the end of the period."),
    ]


class EventReplayRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The endpoints that are called about an event once more."""

    endpoint_id: Annotated[
        Annotated[
            int,
            msgspec.Meta(ge=1, le=LARGEST_ID, extra={"text": "the id of a webhook endpoint"}),
        ]
        | None,
        msgspec.Meta(
            description="This endpoint, whatever its filters; absent: all active ones that fit."
        ),
    ] = None


class EventReplayAnswer(msgspec.Struct, kw_only=True):
    """The result of a replay of an event."""

    ok: Ok = True
    event_id: int
    deliveries: Annotated[int, msgspec.Meta(description="Calls that were queued.")]


class WebhookAttemptItem(msgspec.Struct, kw_only=True):
    """One attempt to call an endpoint."""

    attempt: Annotated[int, msgspec.Meta(description="From 1.")]
    started_at: Time
    finished_at: Time | None
    outcome: Annotated[
        str | None,
        msgspec.Meta(
            description="succeeded, failed, permanent, or lost: unknown. Null while it runs."
        ),
    ]
    http_status: int | None
    error: DeliveryError | None
    next_attempt_at: Time | None
    answer: Annotated[
        str,
        msgspec.Meta(
            description="What the endpoint answered to a failed attempt, at most 64 KiB; empty "
            "in lists."
        ),
    ] = ""


class WebhookDeliveryItem(msgspec.Struct, kw_only=True):
    """A call about one event, with its attempts."""

    id: int
    event_id: int
    type: EventType
    message_id: Annotated[str, msgspec.Meta(description="The header webhook-id of all attempts.")]
    status: Annotated[
        DeliveryStatusName,
        msgspec.Meta(
            description="failed: it is not attempted again; cancelled: the endpoint was "
            "disabled or deleted before it was sent."
        ),
    ]
    next_attempt_at: Annotated[Time | None, msgspec.Meta(description="Null unless it is queued.")]
    created_at: Time
    attempts: list[WebhookAttemptItem]


class WebhookDeliveryAnswer(msgspec.Struct, kw_only=True):
    """A delivery as it is now."""

    ok: Ok = True
    delivery: WebhookDeliveryItem


class WebhookDeliveriesAnswer(msgspec.Struct, kw_only=True):
    """The deliveries to an endpoint, the newest first."""

    ok: Ok = True
    count: Annotated[int, msgspec.Meta(description="Deliveries in this answer.")]
    next_before: Annotated[
        int | None, msgspec.Meta(description="To be asked for next as before; null at the end.")
    ]
    deliveries: list[WebhookDeliveryItem]
    warnings: list[Notice]


class WebhookParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The endpoint that the path names."""

    id: Annotated[str, msgspec.Meta(description="Id of the webhook endpoint.")]


class WebhookDeliveryParameters(WebhookParameters, kw_only=True):
    """The delivery that the path names."""

    delivery_id: Annotated[str, msgspec.Meta(description="Id of the delivery.")]


class WebhookDeliveriesParameters(WebhookParameters, kw_only=True):
    """The endpoint, and a page of its deliveries."""

    before: Annotated[
        Id | msgspec.UnsetType,
        msgspec.Meta(description="Only those with a smaller id; absent: the newest."),
    ] = msgspec.UNSET
    limit: Annotated[
        Limit | msgspec.UnsetType, msgspec.Meta(description="50 if absent, at most 200.")
    ] = msgspec.UNSET


class EventParametersInPath(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The event that the path names."""

    id: Annotated[str, msgspec.Meta(description="Id of the event.")]


FailureOf = Callable[[DeliveryAttempt], tuple[str, str]]
"""Returns why an attempt failed, and what the endpoint answered."""


_REASONS: Final[Mapping[DisabledReason | None, _Reason]] = {
    None: "",
    DisabledReason.GONE: "gone",
    DisabledReason.FAILING: "failing",
    DisabledReason.BY_USER: "by_user",
}


def webhook_item(endpoint: WebhookEndpoint) -> WebhookItem:
    """Return an endpoint as the wire has it."""
    terms = endpoint.terms
    return WebhookItem(
        id=endpoint.id,
        url=terms.url,
        description=terms.description,
        events=list(terms.events),
        partner_ids=list(terms.partner_ids),
        environment=endpoint.environment.value,
        status="active" if endpoint.status.value == "active" else "disabled",
        disabled_reason=_REASONS[endpoint.disabled_reason],
        created_at=utc_text(endpoint.created_at),
        last_success_at=time_or_none(endpoint.last_success_at),
        last_failure_at=time_or_none(endpoint.last_failure_at),
    )


def delivery_item(
    given: DeliveryProgress, failure_of: FailureOf, *, with_answers: bool = False
) -> WebhookDeliveryItem:
    """Return a delivery as the wire has it."""
    delivery, status = given.delivery, _STATUS_BY_STATE[given.state]
    due_at: datetime | None = given.due_at if status == "queued" else None
    return WebhookDeliveryItem(
        id=delivery.id,
        event_id=delivery.event_id,
        type=delivery.event_type,
        message_id=delivery.message_id,
        status=status,
        next_attempt_at=time_or_none(due_at),
        created_at=utc_text(delivery.created_at),
        attempts=[_attempt(each, failure_of, with_answers=with_answers) for each in given.attempts],
    )


def _attempt(
    attempt: DeliveryAttempt, failure_of: FailureOf, *, with_answers: bool
) -> WebhookAttemptItem:
    result = attempt.result
    message, answer = failure_of(attempt)
    code = None if result is None else result.error_code
    return WebhookAttemptItem(
        attempt=attempt.attempt,
        started_at=utc_text(attempt.started_at),
        finished_at=None if result is None else utc_text(result.finished_at),
        outcome=None if result is None else result.outcome.value,
        http_status=None if result is None else result.http_status,
        error=None if code is None else DeliveryError(code=code, message=message),
        next_attempt_at=time_or_none(None if result is None else result.next_attempt_at),
        answer=answer if with_answers else "",
    )


EXAMPLE_ITEM: Final = {
    "id": 4,
    "url": "https://erp.example.com/hooks",
    "description": "ERP",
    "events": ["transaction.acknowledged", "transaction.rejected"],
    "partner_ids": [],
    "environment": "sandbox",
    "status": "active",
    "disabled_reason": "",
    "created_at": "2026-01-15T14:05:09",
    "last_success_at": None,
    "last_failure_at": None,
}
EXAMPLE_DELIVERY: Final = {
    "id": 17,
    "event_id": 31,
    "type": "transaction.acknowledged",
    "message_id": "evt_31",
    "status": "queued",
    "next_attempt_at": "2026-01-15T14:05:15",
    "created_at": "2026-01-15T14:05:09",
    "attempts": [
        {
            "attempt": 1,
            "started_at": "2026-01-15T14:05:10",
            "finished_at": "2026-01-15T14:05:10",
            "outcome": "failed",
            "http_status": None,
            "error": {"code": "timed_out", "message": "There was no answer in time."},
            "next_attempt_at": "2026-01-15T14:05:15",
            "answer": "",
        }
    ],
}
