"""Refusals of the accounts slice, one class per thing a caller can act on."""

from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

INVALID_API_KEY_TEXT: Final = (
    "The API key is not valid. Send a current key as 'Authorization: Bearer svc_…';"
    " make one with 'longshore keys create'."
)
"""One text for malformed, unknown, revoked and expired keys: a caller learns nothing of others."""


class InvalidApiKeyError(LongshoreError):
    """The key lets nobody in."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.INVALID_API_KEY, INVALID_API_KEY_TEXT)


class AccountSuspendedError(LongshoreError):
    """The key is good, its account is suspended."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.ACCOUNT_SUSPENDED,
            "This account is suspended. Ask the operator of the service to resume it.",
        )


class PlanRequiredError(LongshoreError):
    """Production, asked for in an account whose plan has none."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.PLAN_REQUIRED,
            "Production needs an account of type developer-pro or enterprise."
            " Use the sandbox, or ask the operator for another plan (longshore accounts set-plan).",
        )


class AccountNotFoundError(LongshoreError):
    """No account has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            f"There is no account {name!r}. List them with 'longshore accounts list'.",
        )


class ApiKeyNotFoundError(LongshoreError):
    """No key has this id."""

    def __init__(self, key_id: int) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            f"There is no API key {key_id}. List them with 'longshore keys list'.",
        )


class ApiKeyNotRotatableError(LongshoreError):
    """The key is revoked or expired, or a rotation has replaced it already."""

    def __init__(self, key_id: int, status: str) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            f"API key {key_id} is {status}; only an active key is rotated. Make a new one instead.",
        )


class InvalidAccountParameterError(LongshoreError):
    """One argument of an account or key command is out of its bounds."""

    def __init__(self, param: str, message: str) -> None:
        super().__init__(
            ErrorCode.INVALID_PARAMETER,
            message,
            details=(ErrorDetail(code=ErrorCode.INVALID_PARAMETER, message=message, param=param),),
        )
