"""Refusals of the reception slice, one class per thing a caller can act on."""

from __future__ import annotations

from collections.abc import Sequence

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class InterchangeNotFoundError(LongshoreError):
    """No interchange of this account and environment has this id."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such interchange, or it is not yours.")


class InterchangeStateError(LongshoreError):
    """The state of an interchange does not allow what was asked for.

    ``allowed`` is the states that do.
    """

    def __init__(self, text: str, allowed: Sequence[str]) -> None:
        code = ErrorCode.INVALID_STATE
        detail = ErrorDetail(code=code, message=text, allowed=tuple(allowed))
        super().__init__(code, text, details=(detail,))


class MissingChoiceError(LongshoreError):
    """The request needs a parameter that may be absent elsewhere."""

    def __init__(self, name: str, advice: str) -> None:
        code = ErrorCode.MISSING_PARAMETER
        text = f'Parameter "{name}" is missing: {advice}.'
        super().__init__(code, text, details=(ErrorDetail(code=code, param=name, message=text),))


class InterchangeBusyError(LongshoreError):
    """A record of the interchange changed while it was decided about."""

    def __init__(self) -> None:
        text = "This interchange is being worked on. Try again in a moment."
        super().__init__(ErrorCode.INVALID_STATE, text)
