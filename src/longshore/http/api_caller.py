"""Identification of callers of the API: from request headers to the caller of a handler."""

from typing import Final

from longshore.domain.accounts.model import ApiCaller, KeyScope
from longshore.http.exchange import Exchange
from longshore.http.limits import LimitClass
from longshore.http.operation import CallerRule, Charge
from longshore.http.services import HttpServices
from longshore.kit.errors import ErrorCode, LongshoreError

API_ROOT: Final = "/api/v1"


class MissingApiKeyError(LongshoreError):
    """The request names no key."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.MISSING_API_KEY,
            "This request has no API key. Send the header 'Authorization: Bearer <API_KEY>'.",
        )


class InsufficientScopeError(LongshoreError):
    """The key is good, but not for this."""

    def __init__(self, scope: KeyScope) -> None:
        super().__init__(
            ErrorCode.INSUFFICIENT_SCOPE,
            f"This API key lacks the scope '{scope}'. Use a key that has it.",
        )


def bearer_key(authorization: bytes) -> str:
    """Return the key of an ``Authorization`` value, or a text that is none.

    Another scheme, a missing token or several headers give ``""``: to the authenticator that is
    one more key that does not exist, so the answer is the same in every case.
    """
    scheme, _, key = authorization.decode("latin-1").partition(" ")
    return key.strip(" ") if scheme.lower() == "bearer" else ""


async def _identify_api_caller(
    exchange: Exchange, services: HttpServices, rule: Charge
) -> ApiCaller:
    authorization = exchange.headers.get(b"authorization")
    if authorization is None:
        raise MissingApiKeyError
    caller = await services.authenticate(bearer_key(authorization))
    _charge(caller, exchange, services, rule.limit_class)
    if rule.scope is not None and rule.scope not in caller.scopes:
        raise InsufficientScopeError(rule.scope)
    return caller


def _charge(
    caller: ApiCaller, exchange: Exchange, services: HttpServices, limit_class: LimitClass
) -> None:
    exchange.caller = caller
    exchange.limit_headers, refusal = services.limits.charge(caller, limit_class)
    if refusal is not None:
        raise refusal


async def charge_unserved(path: str, exchange: Exchange, services: HttpServices) -> None:
    """Charge a request that nothing serves to its API key, so that the answer shows the quota.

    An answer to a request without a good key stays as it is.

    Raises:
        RateLimitedError: The key has asked too often.
    """
    authorization = exchange.headers.get(b"authorization")
    if authorization is None or not f"{path}/".startswith(f"{API_ROOT}/"):
        return
    try:
        caller = await services.authenticate(bearer_key(authorization))
    except LongshoreError:
        return
    _charge(caller, exchange, services, LimitClass.REQUESTS)


async def _identify_nobody(_: Exchange, __: HttpServices, ___: Charge) -> None:
    return None


API_KEY: Final = CallerRule(
    identify=_identify_api_caller,
    security="apiKey",
    errors=frozenset({
        ErrorCode.MISSING_API_KEY,
        ErrorCode.INVALID_API_KEY,
        ErrorCode.ACCOUNT_SUSPENDED,
        ErrorCode.PLAN_REQUIRED,
        ErrorCode.STORAGE_UNAVAILABLE,
        ErrorCode.RATE_LIMITED,
    }),
)
ANYONE: Final = CallerRule(identify=_identify_nobody, security=None, errors=frozenset())
