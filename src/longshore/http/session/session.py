"""/api/session and /api/setup: log in, log out, who am I, and the first password."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.accounts.model import AccountType
from longshore.domain.users.login import SetUp
from longshore.domain.users.model import LiveSession, LoggedIn
from longshore.http.envelope import (
    Answer,
    DoneAnswer,
    Time,
    done,
    json_answer,
    utc_text,
)
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.origin import OwnAddress
from longshore.http.request_context import request_context_of
from longshore.http.session_caller import SESSION, VISITOR, Browser, SessionBrowser
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode

MAX_LOGIN_BYTES: Final = 16_384
"""Of a body from somebody unknown: an address and a password of the largest size, escaped."""

RoleName = Annotated[
    Literal["owner", "editor", "viewer"],
    msgspec.Meta(
        description="owner: everything; editor: not users, account, production keys; viewer: reads."
    ),
]


class LoginRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """An e-mail address and its password."""

    email: str
    password: str


class SetUpRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The choices of a person with a one-time link."""

    token: Annotated[str, msgspec.Meta(description="What follows #token= in the link.")]
    email: Annotated[
        str | None,
        msgspec.Meta(
            description="Of the first user. In other links it may be absent, else it must be that "
            "of the user."
        ),
    ] = None
    password: Annotated[
        str,
        msgspec.Meta(
            description="At least 12 characters, at most 1,024 bytes in UTF-8, not easy to guess."
        ),
    ]


class SessionUserItem(msgspec.Struct, kw_only=True):
    """The user who is logged in."""

    id: int
    email: str
    role: RoleName


class SessionAccountItem(msgspec.Struct, kw_only=True):
    """For which account."""

    id: int
    name: str
    account_type: Literal["developer", "developer-pro", "enterprise"]


class SessionAnswer(msgspec.Struct, kw_only=True):
    """A session. Its cookie is set by login and set-up, and cannot be read by a page."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    user: SessionUserItem
    account: SessionAccountItem
    csrf_token: Annotated[
        str, msgspec.Meta(description="To be sent as X-CSRF-Token with whatever changes something.")
    ]
    environment: Annotated[
        Literal["sandbox", "production"],
        msgspec.Meta(description="As X-Environment chose; sandbox without it."),
    ]
    environments: Annotated[
        list[Literal["sandbox", "production"]],
        msgspec.Meta(description="Those that the plan of the account has."),
    ]
    expires_at: Annotated[
        Time, msgspec.Meta(description="The end at the latest; after 30 minutes unused it is over.")
    ]


async def log_in(browser: Browser, call: Call[LoginRequest]) -> Answer:
    body = call.body
    ip, login = browser.visitor.ip, call.services.login
    logged_in = await login.log_in(body.email, body.password, ip, call.request_id)
    return session_begun(logged_in, browser, call.services.own_address)


async def set_up(browser: Browser, call: Call[SetUpRequest]) -> Answer:
    chosen = SetUp(token=call.body.token, email=call.body.email, password=call.body.password)
    ip = browser.visitor.ip
    logged_in = await call.services.login.set_up(chosen, ip, call.request_id)
    return session_begun(logged_in, browser, call.services.own_address)


async def show_session(caller: SessionBrowser, _: Call[None]) -> Answer:
    return json_answer(session_answer(caller.live, caller.browser.environment))


async def log_out(caller: SessionBrowser, call: Call[None]) -> Answer:
    user = caller.live.caller(caller.browser.environment)
    await call.services.users.log_out(request_context_of(user, call), user)
    answer = done()
    cookie = call.services.own_address.no_session_cookie(caller.browser.visitor)
    # What the pages keep in this browser goes as well.
    forget = b"clear-site-data", b'"cache", "storage"'
    return answer._replace(headers=(*answer.headers, cookie, forget))


def session_begun(logged_in: LoggedIn, browser: Browser, own_address: OwnAddress) -> Answer:
    """Return the answer that gives a browser its new session."""
    answer = json_answer(session_answer(logged_in.live, browser.environment))
    cookie = own_address.session_cookie(browser.visitor, logged_in.secret)
    return answer._replace(headers=(*answer.headers, cookie))


def session_answer(live: LiveSession, environment: Environment) -> SessionAnswer:
    """Return what a page learns of its session."""
    user, account = live.user, live.account
    has_production = account.account_type is not AccountType.DEVELOPER
    return SessionAnswer(
        user=SessionUserItem(id=user.id, email=user.email, role=user.role.value),
        account=SessionAccountItem(
            id=account.id, name=account.name, account_type=account.account_type.value
        ),
        csrf_token=live.csrf_token,
        environment=environment.value,
        environments=["sandbox", "production"] if has_production else ["sandbox"],
        expires_at=utc_text(live.session.expires_at),
    )


SESSION_EXAMPLE: Final = {
    "ok": True,
    "user": {"id": 1, "email": "ada@example.com", "role": "owner"},
    "account": {"id": 1, "name": "demo", "account_type": "developer"},
    "csrf_token": "ktxVCkq0W7BtkWxW3wYOR7hJq3aKZ9C5p3V8rQmFz1s",
    "environment": "sandbox",
    "environments": ["sandbox"],
    "expires_at": "2026-01-16T02:05:09",
}
_TAG: Final = "Session"

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="POST",
        path="/api/session",
        operation_id="logIn",
        tag=_TAG,
        summary="Log in",
        description=(
            "Begins a session and sets its cookie. After 5 failures in 15 minutes on one address "
            "from one client, or 20 from one client, it is 429 until they are 15 minutes ago."
        ),
        caller=VISITOR,
        scope=None,
        limit_class=LimitClass.NONE,
        body=LoginRequest,
        body_example={"email": "ada@example.com", "password": "a long sentence nobody guesses"},
        max_body_bytes=MAX_LOGIN_BYTES,
        response=Response(description="Logged in.", shape=SessionAnswer, example=SESSION_EXAMPLE),
        errors=frozenset({
            ErrorCode.INVALID_LOGIN,
            ErrorCode.ACCOUNT_SUSPENDED,
            ErrorCode.RATE_LIMITED,
        }),
        handler=log_in,
    ),
    Operation(
        method="GET",
        path="/api/session",
        operation_id="showSession",
        tag=_TAG,
        summary="Who am I?",
        description="Tells a page who is logged in, and the CSRF token of the session.",
        caller=SESSION,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(description="The session.", shape=SessionAnswer, example=SESSION_EXAMPLE),
        handler=show_session,
    ),
    Operation(
        method="DELETE",
        path="/api/session",
        operation_id="logOut",
        tag=_TAG,
        summary="Log out",
        description="Ends the session on the server, and takes its cookie from the browser.",
        caller=SESSION,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(description="Logged out.", shape=DoneAnswer, example={"ok": True}),
        handler=log_out,
    ),
    Operation(
        method="POST",
        path="/api/setup",
        operation_id="setUp",
        tag=_TAG,
        summary="Set a first password",
        description=(
            "Uses a one-time link: that of the first start makes the owner of the account, that "
            "of a user made by an owner sets the password. Then it is as after logging in. A link "
            "works once and for 24 hours; after that, and for an unknown token, it is 404."
        ),
        caller=VISITOR,
        scope=None,
        limit_class=LimitClass.NONE,
        body=SetUpRequest,
        body_example={
            "token": "T0w0S4yAA1u0l8mDqk3cHkzY5Wb7n2Vd9xRfGjLpQeE",
            "email": "ada@example.com",
            "password": "a long sentence nobody guesses",
        },
        max_body_bytes=MAX_LOGIN_BYTES,
        response=Response(description="Logged in.", shape=SessionAnswer, example=SESSION_EXAMPLE),
        errors=frozenset({
            ErrorCode.NOT_FOUND,
            ErrorCode.ACCOUNT_SUSPENDED,
            ErrorCode.RATE_LIMITED,
        }),
        handler=set_up,
    ),
)
