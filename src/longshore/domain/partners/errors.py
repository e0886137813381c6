"""Refusals of the partners slice, one class per thing a caller can act on."""

from __future__ import annotations

from collections.abc import Sequence

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details


class PartnerNotFoundError(LongshoreError):
    """No partner of this account that the caller may see has this id."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such partner, or it is not yours.")


class NoOwnIdentityError(LongshoreError):
    """The account has no identity under which it could send."""

    def __init__(self) -> None:
        code = ErrorCode.INVALID_STATE
        text = (
            "Your account has no identity of its own, so there is no sender to write into an"
            ' envelope. Add one under "identities" of the account.'
        )
        detail = ErrorDetail(code=code, param="identities", message=text)
        super().__init__(code, text, details=(detail,))


class InvalidPartnerError(LongshoreError):
    """Members of a partner, or of an own identity, are at fault; each has its detail."""

    def __init__(self, faults: Sequence[ErrorDetail]) -> None:
        text = faults[0].message + more_in_details(len(faults))
        super().__init__(ErrorCode(faults[0].code), text, details=tuple(faults))


class PartnerNameTakenError(InvalidPartnerError):
    """Another partner of the account has the name; case and width do not matter."""

    def __init__(self) -> None:
        text = 'Another partner has this "name" already. Choose another one.'
        code = ErrorCode.INVALID_PARAMETER
        super().__init__((ErrorDetail(code=code, param="name", message=text),))


class PartnerIdentityTakenError(LongshoreError):
    """Another partner of the account has the identity, whatever its status."""

    def __init__(self, partner_id: int, name: str, edi_identity: str) -> None:
        code = ErrorCode.INVALID_STATE
        text = (
            f"Partner {partner_id} ({name}) has the identity {edi_identity} already. What arrives"
            " from it would belong to both: change that partner, or give this one another"
            ' "gs_id".'
        )
        super().__init__(
            code, text, details=(ErrorDetail(code=code, param="isa_id", message=text),)
        )


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


class PartnerTradedError(LongshoreError):
    """Documents refer to the partner, so it stays."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            "Documents were exchanged with this partner, and they keep it. Make it inactive"
            " instead: set its partner_status to inactive.",
        )


class IdentityInUseError(LongshoreError):
    """A partner names an identity that was to go."""

    def __init__(self, edi_identity: str) -> None:
        code = ErrorCode.INVALID_STATE
        text = (
            f"The identity {edi_identity} is the own_identity_id of a partner. Give the partner"
            " another one first."
        )
        detail = ErrorDetail(code=code, param="identities", message=text)
        super().__init__(code, text, details=(detail,))
