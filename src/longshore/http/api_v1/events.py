"""GET /api/v1/events: what happened, for who cannot or will not be called."""

from typing import Annotated, Final

import msgspec

from longshore.domain.accounts.model import KeyScope
from longshore.domain.events.model import EventType
from longshore.domain.events.service import FeedEvent
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.transaction_shapes import Ok, listed_words
from longshore.http.envelope import Answer, EnvironmentName, Notice, Time, json_answer, utc_text
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import Limit, Offset, page_of
from longshore.http.operation import Call, Operation, Response
from longshore.http.request_context import request_context_of

EVENTS: Final = "Events"

EventTypes = Annotated[str, listed_words(EventType)]


class EventItem(msgspec.Struct, kw_only=True):
    """Something that happened."""

    id: Annotated[int, msgspec.Meta(description="Ascending in the account, from 1.")]
    type: EventType
    timestamp: Time
    replay: Annotated[
        bool, msgspec.Meta(description="Whether a stored document was processed again.")
    ]
    data: Annotated[
        dict[str, int | str],
        msgspec.Meta(
            description="Ids of the objects concerned, the environment, and url: the address of "
            "the object, "
            "empty if it has none."
        ),
    ]


class EventsAnswer(msgspec.Struct, kw_only=True):
    """Events in ascending order of ids."""

    ok: Ok = True
    environment: EnvironmentName
    count: Annotated[int, msgspec.Meta(description="Events in this answer.")]
    next_after: Annotated[int, msgspec.Meta(description="What to ask for next as after.")]
    has_more: bool
    events: list[EventItem]
    warnings: list[Notice]


class EventParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters and page of events."""

    after: Annotated[
        Offset | msgspec.UnsetType,
        msgspec.Meta(description="Only those with a larger id; 0 if absent."),
    ] = msgspec.UNSET
    limit: Annotated[
        Limit | msgspec.UnsetType, msgspec.Meta(description="50 if absent, at most 200.")
    ] = msgspec.UNSET
    type: Annotated[
        EventTypes | msgspec.UnsetType, msgspec.Meta(description="Only of these types.")
    ] = msgspec.UNSET


async def list_events(caller: AccountCaller, call: Call[None]) -> Answer:
    """Answer the same to a key and to a session."""
    asked = call.parameters_as(EventParameters)
    limit, after, warnings = page_of(asked.limit, asked.after)
    types = frozenset(EventType(word) for word in asked.type.split(",")) if asked.type else ()
    page = await call.services.trading.events.page(
        request_context_of(caller, call), after, limit, types
    )
    return json_answer(
        EventsAnswer(
            environment=caller.environment.value,
            count=len(page.events),
            next_after=page.next_after,
            has_more=page.has_more,
            events=[_item(each, call.services.base_url) for each in page.events],
            warnings=warnings,
        )
    )


def _item(given: FeedEvent, base_url: str) -> EventItem:
    event = given.event
    url = f"{base_url}{given.path}" if given.path else ""
    data: dict[str, int | str] = {**event.data}
    is_again = bool(data.pop("replay", 0))
    return EventItem(
        id=event.id,
        type=event.type,
        timestamp=utc_text(event.created_at),
        replay=is_again,
        data={**data, "environment": event.environment.value, "url": url},
    )


EVENTS_RESPONSE: Final = Response(
    description="Events, oldest first.",
    shape=EventsAnswer,
    example={
        "ok": True,
        "environment": "sandbox",
        "count": 1,
        "next_after": 31,
        "has_more": False,
        "events": [
            {
                "id": 31,
                "type": "transaction.queued",
                "timestamp": "2026-01-15T14:05:09",
                "replay": False,
                "data": {
                    "transaction_id": 10042,
                    "environment": "sandbox",
                    "url": "https://edi.example.com/api/v1/transactions/10042",
                },
            }
        ],
        "warnings": [],
    },
)
LIST_EVENTS: Final = Operation(
    method="GET",
    path="/api/v1/events",
    operation_id="listEvents",
    tag=EVENTS,
    summary="Read events in order",
    description=(
        "Gives the events of the environment of the key behind an id, oldest first. Whoever goes "
        "on with next_after each time misses none; no event appears later before one that was "
        "seen. Needs scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.REQUESTS,
    parameters=EventParameters,
    response=EVENTS_RESPONSE,
    handler=list_events,
)
