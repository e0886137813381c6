"""Refusals about webhooks."""

from __future__ import annotations

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class WebhookNotFoundError(LongshoreError):
    """The account has no such endpoint in this environment."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND, "There is no such webhook endpoint in this environment."
        )


class WebhookDeliveryNotFoundError(LongshoreError):
    """The endpoint has no such delivery."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such delivery of this webhook endpoint.")


class EventNotFoundError(LongshoreError):
    """The account has no such event in this environment."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such event in this environment.")


class InvalidWebhookError(LongshoreError):
    """A member of an endpoint is not possible."""

    def __init__(self, param: str, text: str) -> None:
        code = ErrorCode.INVALID_PARAMETER
        super().__init__(code, text, details=(ErrorDetail(code=code, param=param, message=text),))


class WebhookStateError(LongshoreError):
    """The state of an endpoint does not allow what is asked for."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.INVALID_STATE, text)
