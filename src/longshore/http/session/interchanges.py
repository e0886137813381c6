"""/api/interchanges: envelopes that were received or sent, and those that wait for a decision."""

from typing import Any, Final

from longshore.domain.interchanges.errors import InterchangeNotFoundError
from longshore.domain.interchanges.store import InterchangeQuery, InterchangeStatus
from longshore.domain.pages import PageParameters
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.users.model import SessionUser
from longshore.http.downloads import ANY_BYTES, attachment
from longshore.http.envelope import Answer, json_answer
from longshore.http.limits import LimitClass
from longshore.http.listing import (
    MAX_COUNTED,
    ImpossibleValuesError,
    id_in_path,
    id_of,
    moment_after,
    moment_from,
    page_of,
)
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.interchange_shapes import (
    INTERCHANGE_EXAMPLE,
    DiscardRequest,
    InterchangeAnswer,
    InterchangeFilterParameters,
    InterchangeListParameters,
    InterchangeParameters,
    InterchangesAnswer,
    ReleaseRequest,
    ReplayRequest,
    item_of,
)
from longshore.http.session_caller import EDITOR, VIEWER
from longshore.kit.errors import ErrorCode

_TAG: Final = "Interchanges"


async def list_interchanges(user: SessionUser, call: Call[None]) -> Answer:
    asked = call.parameters_as(InterchangeListParameters)
    limit, offset, warnings = page_of(asked.limit, asked.offset)
    page = await call.services.trading.interchanges.page(
        request_context_of(user, call),
        query_of(user, asked),
        PageParameters(limit=limit, offset=offset, count_to=MAX_COUNTED),
    )
    return json_answer(
        InterchangesAnswer(
            environment=user.environment.value,
            count=len(page.interchanges),
            total=page.total.count,
            total_is_exact=page.total.is_exact,
            limit=limit,
            offset=offset,
            has_more=page.has_more,
            interchanges=[item_of(each) for each in page.interchanges],
            warnings=warnings,
        )
    )


async def show_interchange(user: SessionUser, call: Call[None]) -> Answer:
    return await _answer(user, call, _asked_id(call))


async def download_interchange(user: SessionUser, call: Call[None]) -> Answer:
    number = _asked_id(call)
    content = await call.services.trading.interchanges.content(
        request_context_of(user, call), number
    )
    return attachment(content, f"interchange-{number}.edi")


async def release_interchange(user: SessionUser, call: Call[ReleaseRequest]) -> Answer:
    number, given = _asked_id(call), call.body.partner_id
    await call.services.trading.quarantine.release(
        request_context_of(user, call),
        number,
        call.body.reason,
        partner_id=None if given is None else PartnerId(given),
    )
    return await _answer(user, call, number)


async def replay_interchange(user: SessionUser, call: Call[ReplayRequest]) -> Answer:
    number = _asked_id(call)
    await call.services.trading.quarantine.replay(
        request_context_of(user, call),
        number,
        call.body.reason,
        acknowledge=bool(call.body.acknowledge),
    )
    return await _answer(user, call, number)


async def discard_interchange(user: SessionUser, call: Call[DiscardRequest]) -> Answer:
    number = _asked_id(call)
    quarantine = call.services.trading.quarantine
    await quarantine.discard(request_context_of(user, call), number, call.body.reason)
    return await _answer(user, call, number)


# Any: the body of a call counts for nothing here.
async def _answer(user: SessionUser, call: Call[Any], number: InterchangeId) -> Answer:
    known = await call.services.trading.interchanges.get(request_context_of(user, call), number)
    return json_answer(InterchangeAnswer(interchange=item_of(known)))


def _asked_id(call: Call[Any]) -> InterchangeId:
    """Return the id that the path names.

    Raises:
        InterchangeNotFoundError: It is none.
    """
    number = id_in_path(call.parameters_as(InterchangeParameters).id)
    if number is None:
        raise InterchangeNotFoundError
    return InterchangeId(number)


def query_of(user: SessionUser, asked: InterchangeFilterParameters) -> InterchangeQuery:
    """Return what is asked for.

    Raises:
        ImpossibleValuesError: A date that does not exist, or an id that is too large.
    """
    faults: dict[str, str] = {}
    partner_id = id_of(asked.partner_id, "partner_id", faults)
    words = (asked.status or "").split(",")
    query = InterchangeQuery(
        environment=user.environment,
        statuses=frozenset(InterchangeStatus(word) for word in words if word),
        direction=Direction(asked.direction) if asked.direction else None,
        partner_id=None if partner_id is None else PartnerId(partner_id),
        since=moment_from(asked.date_from, "date_from", faults),
        before=moment_after(asked.date_to, "date_to", faults),
    )
    if faults:
        raise ImpossibleValuesError(faults)
    return query


_ONE: Final = Response(
    description="The interchange.",
    shape=InterchangeAnswer,
    example={"ok": True, "interchange": INTERCHANGE_EXAMPLE},
)
_REASON: Final = {"reason": "Agreed with them by phone."}
_DECIDING_ERRORS: Final = frozenset({ErrorCode.NOT_FOUND, ErrorCode.INVALID_STATE})

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/interchanges",
        operation_id="listInterchanges",
        tag=_TAG,
        summary="List interchanges",
        description=(
            "Shows the interchanges of the chosen environment, newest first. All filters that are "
            "given have to fit. status=quarantined lists those that wait for a decision."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=InterchangeListParameters,
        response=Response(
            description="A page of interchanges.",
            shape=InterchangesAnswer,
            example={
                "ok": True,
                "environment": "production",
                "count": 1,
                "total": 1,
                "total_is_exact": True,
                "limit": 50,
                "offset": 0,
                "has_more": False,
                "interchanges": [INTERCHANGE_EXAMPLE],
                "warnings": [],
            },
        ),
        handler=list_interchanges,
    ),
    Operation(
        method="GET",
        path="/api/interchanges/{id}",
        operation_id="showInterchange",
        tag=_TAG,
        summary="Show an interchange",
        description=(
            "Gives an interchange without its content. In the sandbox those of the sandbox, in "
            "production those of both environments of the account."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=InterchangeParameters,
        response=_ONE,
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=show_interchange,
    ),
    Operation(
        method="GET",
        path="/api/interchanges/{id}/content",
        operation_id="downloadInterchange",
        tag=_TAG,
        summary="Save an interchange as a file",
        description=(
            "Returns the bytes that were received or sent, as an attachment. Recorded in the "
            "audit log."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=InterchangeParameters,
        response=Response(description="The bytes.", media_type=ANY_BYTES.decode()),
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=download_interchange,
    ),
    Operation(
        method="POST",
        path="/api/interchanges/{id}/release",
        operation_id="releaseInterchange",
        tag=_TAG,
        summary="Let a quarantined interchange be processed",
        description=(
            "For the partner that is named, or for whose it is; possible while it is quarantined. "
            "It is processed shortly after the answer."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=InterchangeParameters,
        body=ReleaseRequest,
        body_example={**_REASON, "partner_id": 7},
        response=_ONE,
        errors=_DECIDING_ERRORS,
        handler=release_interchange,
    ),
    Operation(
        method="POST",
        path="/api/interchanges/{id}/replay",
        operation_id="replayInterchange",
        tag=_TAG,
        summary="Process an interchange again",
        description=(
            "Processes the stored bytes again, for example after a map was fixed; possible if "
            "it is processed, duplicate or failed. Acknowledgements are resent only on request."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=InterchangeParameters,
        body=ReplayRequest,
        body_example={**_REASON, "acknowledge": False},
        response=_ONE,
        errors=_DECIDING_ERRORS,
        handler=replay_interchange,
    ),
    Operation(
        method="POST",
        path="/api/interchanges/{id}/discard",
        operation_id="discardInterchange",
        tag=_TAG,
        summary="Discard a quarantined interchange",
        description="It is never processed; its bytes stay stored. Possible while quarantined.",
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=InterchangeParameters,
        body=DiscardRequest,
        body_example=_REASON,
        response=_ONE,
        errors=_DECIDING_ERRORS,
        handler=discard_interchange,
    ),
)
