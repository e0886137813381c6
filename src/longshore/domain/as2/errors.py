"""Refusals about AS2 identities."""

from __future__ import annotations

from collections.abc import Sequence

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details


class As2IdentityNotFoundError(LongshoreError):
    """The account has no such identity in this environment."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such AS2 identity in this environment.")


class InvalidAs2NameError(LongshoreError):
    """A name is none, or is taken."""

    def __init__(self, text: str) -> None:
        code = ErrorCode.INVALID_PARAMETER
        super().__init__(
            code, text, details=(ErrorDetail(code=code, param="as2_name", message=text),)
        )


class As2ReceiptRefusedError(LongshoreError):
    """A receipt of a partner is none, or for nothing that was sent; the text says why."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.BAD_REQUEST, f"The AS2 receipt was refused. {text}")
        self.reason = text


class InvalidKeyFileError(LongshoreError):
    """A file with a key cannot be used; the text says why."""

    def __init__(self, text: str) -> None:
        code = ErrorCode.INVALID_PARAMETER
        super().__init__(code, text, details=(ErrorDetail(code=code, param="file", message=text),))


class As2KeysError(LongshoreError):
    """The keys of an identity do not allow what is asked for."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.INVALID_STATE, text)


class InvalidAs2ProfileError(LongshoreError):
    """The file with the profile of a partner is none, or members of it are at fault."""

    def __init__(self, faults: Sequence[ErrorDetail]) -> None:
        text = f"The AS2 profile: {faults[0].message}{more_in_details(len(faults))}"
        super().__init__(ErrorCode(faults[0].code), text, details=tuple(faults))
