"""Refusals of the idempotency slice."""

from __future__ import annotations

from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

_HEADER: Final = "Idempotency-Key"


class IdempotencyMismatchError(LongshoreError):
    """The key was used with another request; nothing was done for this one."""

    def __init__(self) -> None:
        code = ErrorCode.IDEMPOTENCY_MISMATCH
        text = (
            f"This {_HEADER} was used with another body or path. Send what is new under a key of"
            " its own."
        )
        super().__init__(code, text, details=(ErrorDetail(code=code, param=_HEADER, message=text),))
