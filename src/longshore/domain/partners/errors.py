"""Refusals of the partners slice, one class per thing a caller can act on."""

from __future__ import annotations

from collections.abc import Sequence

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details


class PartnerNotFoundError(LongshoreError):
    """No partner of this account that the caller may see has this id."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such partner, or it is not yours.")


class InvalidPartnerError(LongshoreError):
    """Members of a partner are at fault; each has its detail."""

    def __init__(self, faults: Sequence[ErrorDetail]) -> None:
        text = faults[0].message + more_in_details(len(faults))
        super().__init__(ErrorCode(faults[0].code), text, details=tuple(faults))


class IllegalPartnerStepError(LongshoreError):
    """The status of a partner does not allow this step."""

    def __init__(self, message: str, allowed: tuple[str, ...]) -> None:
        code = ErrorCode.INVALID_STATE
        detail = ErrorDetail(code=code, param="partner_status", message=message, allowed=allowed)
        super().__init__(code, message, details=(detail,))


class PartnerEditConflictError(LongshoreError):
    """Somebody changed the partner since it was read."""

    def __init__(self, current: int) -> None:
        code = ErrorCode.EDIT_CONFLICT
        text = (
            "This partner was changed since you opened it."
            " Load it, bring your changes in, and save again."
        )
        detail = ErrorDetail(code=code, param="If-Match", message=text, current_version=current)
        super().__init__(code, text, details=(detail,))
