"""/api/events: what happened, for the pages of the service."""

from typing import Final

from longshore.http.api_v1.events import EVENTS, EVENTS_RESPONSE, EventParameters, list_events
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Operation
from longshore.http.session_caller import VIEWER

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/events",
        operation_id="listEventsInSession",
        tag=EVENTS,
        summary="Read events in order",
        description="As GET /api/v1/events, of the chosen environment.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=EventParameters,
        response=EVENTS_RESPONSE,
        handler=list_events,
    ),
)
