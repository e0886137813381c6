"""Errors of the transactions slice, one class for each thing a caller can act on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details


class TransactionNotFoundError(LongshoreError):
    """No transaction of this account and environment has this id."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such transaction, or it is not yours.")


class IllegalTransitionError(LongshoreError):
    """The state of a transaction does not allow this step."""

    def __init__(self, axis: str, start: str, end: str, allowed: Sequence[str]) -> None:
        next_steps = f"it can become {' or '.join(allowed)}" if allowed else "it stays so"
        text = f"The {axis} of a transaction that is {start} cannot become {end}; {next_steps}."
        code = ErrorCode.INVALID_STATE
        detail = ErrorDetail(code=code, message=text, allowed=tuple(allowed))
        super().__init__(code, text, details=(detail,))


class ActionRefusedError(LongshoreError):
    """The state of a transaction does not allow what was asked for."""

    def __init__(self, text: str, details: tuple[ErrorDetail, ...] = ()) -> None:
        super().__init__(ErrorCode.INVALID_STATE, text, details=details)


class ReplacedError(ActionRefusedError):
    """Another transaction, ``made``, stands in the place of the one that was to be sent again.

    ``param`` is the parameter that would allow it all the same, if there is one.
    """

    def __init__(self, text: str, made: int, param: str | None) -> None:
        details: tuple[ErrorDetail, ...] = ()
        if param is not None:
            message = f'{text} To send another one all the same, say "{param}": {made}.'
            code, allowed = ErrorCode.INVALID_STATE, (str(made),)
            details = (ErrorDetail(code=code, param=param, message=message, allowed=allowed),)
        super().__init__(text, details)


class ReasonRequiredError(LongshoreError):
    """The action requires a reason."""

    def __init__(self, action: str) -> None:
        code = ErrorCode.MISSING_PARAMETER
        text = f'Parameter "reason" is missing: say why, to {action} this transaction.'
        detail = ErrorDetail(code=code, param="reason", message=text)
        super().__init__(code, text, details=(detail,))


class InvalidQueryError(LongshoreError):
    """Parameters of a list are at fault; each has its detail."""

    def __init__(self, faults: Mapping[str, tuple[str, tuple[str, ...] | None]]) -> None:
        code = ErrorCode.INVALID_PARAMETER
        details = tuple(
            ErrorDetail(
                code=code, param=param, message=f'Parameter "{param}" {text}.', allowed=allowed
            )
            for param, (text, allowed) in faults.items()
        )
        text = details[0].message + more_in_details(len(details))
        super().__init__(code, text, details=details)


class NothingStoredError(LongshoreError):
    """There is a transaction, but not what was asked of it."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.NOT_FOUND, text)


class ConcurrentChangeError(ActionRefusedError):
    """Somebody else, or a delivery, changed the transaction while this was asked for."""

    def __init__(self) -> None:
        super().__init__(
            "This transaction was changed by somebody else at the same time, so nothing was done."
            " Look at it and ask again."
        )


class InProgressError(ActionRefusedError):
    """The interchange of a transaction is about to be sent, or is being sent."""

    def __init__(self) -> None:
        super().__init__(
            "The interchange of this transaction is being sent at this moment, so nothing was"
            " done. Wait until the attempt has ended and ask again."
        )
