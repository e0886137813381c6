"""Identification of users on /api/*: from the cookie of a request to the user of its handler.

Checked in this order: the session (401), its account (403), and where the method changes
something, that a page of ours sent the request and knows the token of the session (403); then the
environment the page shows, and the role. An API key counts for nothing here.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from longshore.domain.accounts.errors import PlanRequiredError
from longshore.domain.accounts.model import AccountType
from longshore.domain.users.errors import ForbiddenRoleError, NotLoggedInError
from longshore.domain.users.model import LiveSession, SessionUser, UserRole
from longshore.domain.users.passwords import same_text
from longshore.http.exchange import Exchange, Visitor
from longshore.http.operation import CallerRule, Charge
from longshore.http.origin import CsrfFailedError
from longshore.http.services import HttpServices
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

SECURITY: Final = "session"

_SAFE_METHODS: Final = frozenset({"GET", "HEAD"})


class InvalidEnvironmentError(LongshoreError):
    """The header names no environment."""

    def __init__(self) -> None:
        code = ErrorCode.INVALID_PARAMETER
        text = "The header 'X-Environment' must be sandbox or production; absent, it is sandbox."
        detail = ErrorDetail(
            code=code, message=text, param="X-Environment", allowed=tuple(Environment)
        )
        super().__init__(code, text, details=(detail,))


@dataclass(frozen=True, slots=True)
class Browser:
    """The client of a request, and the environment that it shows."""

    visitor: Visitor
    environment: Environment


@dataclass(frozen=True, slots=True)
class UserAtBrowser:
    """A user of a role that is asked for, and where they are."""

    user: SessionUser
    visitor: Visitor


@dataclass(frozen=True, slots=True)
class SessionBrowser:
    """A session as such, and the browser that has it."""

    live: LiveSession
    browser: Browser


async def live_session(exchange: Exchange, services: HttpServices) -> LiveSession:
    """Return the session of a request, which may change something if its method does.

    Raises:
        NotLoggedInError: There is none, or it has ended.
        RateLimitedError: It has asked too often.
        AccountSuspendedError: Its account is suspended.
        CsrfFailedError: The method is unsafe, and it is not a page of ours that asks.
    """
    secret = services.own_address.session_secret(exchange.headers)
    if secret is None:
        raise NotLoggedInError
    live = await services.sessions.authenticate(secret)
    exchange.caller = live.caller(Environment.SANDBOX)
    services.limits.charge_session(live.session.id)
    if exchange.method not in _SAFE_METHODS:
        services.own_address.refuse_other_sites(exchange)
        given = exchange.headers.get(b"x-csrf-token", b"").decode("latin-1")
        if not same_text(given, live.csrf_token):
            raise CsrfFailedError
    return live


def chosen_environment(exchange: Exchange) -> Environment:
    """Return the environment that the page shows.

    Raises:
        InvalidEnvironmentError: The header names none.
    """
    chosen = exchange.headers.get(b"x-environment", Environment.SANDBOX.encode()).decode("latin-1")
    if chosen not in set(Environment):
        raise InvalidEnvironmentError
    return Environment(chosen)


def _at_least(
    role: UserRole,
) -> Callable[[Exchange, HttpServices, Charge], Awaitable[SessionUser]]:
    async def identify(exchange: Exchange, services: HttpServices, _: Charge) -> SessionUser:
        live = await live_session(exchange, services)
        user = live.caller(chosen_environment(exchange))
        if (
            user.environment is Environment.PRODUCTION
            and user.account_type is AccountType.DEVELOPER
        ):
            raise PlanRequiredError
        if not user.role.includes(role):
            raise ForbiddenRoleError(role, user.role)
        exchange.caller = user
        return user

    return identify


async def _identify_editor(
    exchange: Exchange, services: HttpServices, charge: Charge
) -> UserAtBrowser:
    user = await EDITOR.identify(exchange, services, charge)
    return UserAtBrowser(user, exchange.visitor)


async def _identify_session(
    exchange: Exchange, services: HttpServices, _: Charge
) -> SessionBrowser:
    live = await live_session(exchange, services)
    return SessionBrowser(live, Browser(exchange.visitor, chosen_environment(exchange)))


async def _identify_visitor(exchange: Exchange, services: HttpServices, _: Charge) -> Browser:
    services.own_address.refuse_other_sites(exchange)
    exchange.caller = exchange.visitor
    return Browser(exchange.visitor, chosen_environment(exchange))


_ERRORS: Final = frozenset({
    ErrorCode.NOT_LOGGED_IN,
    ErrorCode.ACCOUNT_SUSPENDED,
    ErrorCode.RATE_LIMITED,
    ErrorCode.INVALID_PARAMETER,
    ErrorCode.STORAGE_UNAVAILABLE,
})
_UNSAFE_ERRORS: Final = frozenset({ErrorCode.CSRF_FAILED})


def _rule(role: UserRole) -> CallerRule[SessionUser]:
    errors = _ERRORS | {ErrorCode.PLAN_REQUIRED}
    if role is not UserRole.VIEWER:
        errors |= {ErrorCode.FORBIDDEN_RESOURCE}
    return CallerRule(
        identify=_at_least(role), security=SECURITY, errors=errors, unsafe_errors=_UNSAFE_ERRORS
    )


VIEWER: Final = _rule(UserRole.VIEWER)
EDITOR: Final = _rule(UserRole.EDITOR)
OWNER: Final = _rule(UserRole.OWNER)
EDITOR_AT_BROWSER: Final = CallerRule(
    identify=_identify_editor,
    security=SECURITY,
    errors=EDITOR.errors,
    unsafe_errors=_UNSAFE_ERRORS,
)
"""An editor whose address counts, where a password may be asked for."""
SESSION: Final = CallerRule(
    identify=_identify_session,
    security=SECURITY,
    errors=_ERRORS,
    unsafe_errors=_UNSAFE_ERRORS,
)
"""Any session as such, whatever the page shows: to look at it and to end it."""
VISITOR: Final = CallerRule(
    identify=_identify_visitor,
    security=None,
    errors=frozenset({ErrorCode.INVALID_PARAMETER, ErrorCode.STORAGE_UNAVAILABLE}),
    unsafe_errors=_UNSAFE_ERRORS,
)
"""Somebody without a session who asks for one; no token yet, so the origin alone is checked."""
