"""Refusals of the usage slice."""

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class StorageQuotaError(LongshoreError):
    """The account has used its quota."""

    def __init__(self, limit: str, used: int, maximum: int) -> None:
        code = ErrorCode.STORAGE_QUOTA_EXCEEDED
        unit = limit.removeprefix("stored_")
        text = (
            f"The account may store {maximum:,} {unit} and uses {used:,}; this was not stored."
            " Remove documents, or let the operator raise the quota."
        )
        detail = ErrorDetail(code=code, message=text, limit=limit, max=maximum, used=used)
        super().__init__(code, text, details=(detail,))
