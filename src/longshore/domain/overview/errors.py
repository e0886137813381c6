"""Refusals of the overview, one class per thing a caller can act on."""

from __future__ import annotations

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class InvalidPeriodError(LongshoreError):
    """The days that are asked for make no period, or too long a one."""

    def __init__(self, param: str, text: str) -> None:
        code, message = ErrorCode.INVALID_PARAMETER, f'Parameter "{param}" {text}.'
        detail = ErrorDetail(code=code, param=param, message=message)
        super().__init__(code, message, details=(detail,))
