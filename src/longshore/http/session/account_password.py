"""/api/account/password and /api/account/sessions: what everybody manages for themselves."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.users.errors import SessionNotFoundError
from longshore.domain.users.model import Session, SessionId, SessionUser
from longshore.http.envelope import (
    Answer,
    DoneAnswer,
    Time,
    done,
    json_answer,
    utc_text,
)
from longshore.http.limits import LimitClass
from longshore.http.listing import id_in_path
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.session import (
    MAX_LOGIN_BYTES,
    SESSION_EXAMPLE,
    SessionAnswer,
    session_begun,
)
from longshore.http.session_caller import SESSION, VIEWER, SessionBrowser
from longshore.kit.errors import ErrorCode


class PasswordRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The password that is, and the one that shall be."""

    old: str
    new: Annotated[
        str,
        msgspec.Meta(
            description="At least 12 characters, at most 1,024 bytes in UTF-8, not easy to guess."
        ),
    ]


class SessionItem(msgspec.Struct, kw_only=True):
    """A browser that is logged in."""

    id: int
    created_at: Time
    last_seen_at: Annotated[Time, msgspec.Meta(description="Exact to a minute.")]
    ip: Annotated[str, msgspec.Meta(description="Where it logged in from; empty if unknown.")]
    current: Annotated[bool, msgspec.Meta(description="It is the one that asks.")]


class SessionsAnswer(msgspec.Struct, kw_only=True):
    """The sessions of the user, in the order they were begun."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    count: int
    sessions: list[SessionItem]


class SessionParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The session that the path names."""

    id: Annotated[str, msgspec.Meta(description="Id of the session.")]


async def change_password(caller: SessionBrowser, call: Call[PasswordRequest]) -> Answer:
    logged_in = await call.services.login.change_password(
        caller.live, call.body.old, call.body.new, caller.browser.visitor.ip, call.request_id
    )
    return session_begun(logged_in, caller.browser, call.services.own_address)


async def list_sessions(caller: SessionUser, call: Call[None]) -> Answer:
    found = await call.services.users.sessions(caller)
    sessions = [_item(each, caller) for each in found]
    return json_answer(SessionsAnswer(count=len(sessions), sessions=sessions))


async def end_session(caller: SessionUser, call: Call[None]) -> Answer:
    number = id_in_path(call.parameters_as(SessionParameters).id)
    if number is None:
        raise SessionNotFoundError
    await call.services.users.end_session(
        request_context_of(caller, call), caller, SessionId(number)
    )
    return done()


def _item(session: Session, caller: SessionUser) -> SessionItem:
    return SessionItem(
        id=session.id,
        created_at=utc_text(session.created_at),
        last_seen_at=utc_text(session.last_seen_at),
        ip=session.ip,
        current=session.id == caller.session_id,
    )


_TAG: Final = "Session"

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="POST",
        path="/api/account/password",
        operation_id="changePassword",
        tag=_TAG,
        summary="Change my password",
        description=(
            "Sets a new password, ends every session of the user, and begins a new one, whose "
            "cookie and CSRF token the answer has. A wrong old password counts as a failed login."
        ),
        caller=SESSION,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        body=PasswordRequest,
        body_example={"old": "a long sentence nobody guesses", "new": "another long sentence"},
        max_body_bytes=MAX_LOGIN_BYTES,
        response=Response(
            description="The password was changed.", shape=SessionAnswer, example=SESSION_EXAMPLE
        ),
        errors=frozenset({ErrorCode.INVALID_LOGIN, ErrorCode.RATE_LIMITED}),
        handler=change_password,
    ),
    Operation(
        method="GET",
        path="/api/account/sessions",
        operation_id="listSessions",
        tag=_TAG,
        summary="List my sessions",
        description="Shows where the user is logged in.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(
            description="The sessions.",
            shape=SessionsAnswer,
            example={
                "ok": True,
                "count": 1,
                "sessions": [
                    {
                        "id": 3,
                        "created_at": "2026-01-15T14:05:09",
                        "last_seen_at": "2026-01-15T14:12:00",
                        "ip": "192.0.2.7",
                        "current": True,
                    }
                ],
            },
        ),
        handler=list_sessions,
    ),
    Operation(
        method="DELETE",
        path="/api/account/sessions/{id}",
        operation_id="endSession",
        tag=_TAG,
        summary="End one of my sessions",
        description="Logs a browser of the user out; it may be the one that asks.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=SessionParameters,
        response=Response(
            description="The session has ended.", shape=DoneAnswer, example={"ok": True}
        ),
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=end_session,
    ),
)
