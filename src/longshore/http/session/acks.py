"""/api/acks: what was acknowledged, for the pages of the service."""

from dataclasses import replace
from typing import Final

from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.ack_shapes import ACKNOWLEDGEMENTS, AckFilterParameters
from longshore.http.api_v1.acks import ACKS_RESPONSE, PATHS, page_answer, query_of
from longshore.http.api_v1.transaction_records import texts_of
from longshore.http.envelope import Answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation
from longshore.http.session_caller import VIEWER
from longshore.kit.environment import Environment


async def list_acks(user: SessionUser, call: Call[None]) -> Answer:
    """Return a page of the chosen environment alone: a page of the browser never mixes them."""
    given = texts_of(call.parameters_as(AckFilterParameters))
    query = replace(query_of(given), is_test=user.environment is Environment.SANDBOX)
    return await page_answer(user, call, query, given)


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path=PATHS[SessionUser],
        operation_id="listAcksInSession",
        tag=ACKNOWLEDGEMENTS,
        summary="List acknowledgements",
        description="As GET /api/v1/acks, of the chosen environment.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=AckFilterParameters,
        response=ACKS_RESPONSE,
        handler=list_acks,
    ),
)
