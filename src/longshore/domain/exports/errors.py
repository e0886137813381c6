"""Refusals of exports."""

from __future__ import annotations

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class TooManyRowsError(LongshoreError):
    """More fits than a file may hold; nothing is cut silently."""

    def __init__(self, most: int) -> None:
        text = (
            f"More than {most:,} rows fit, and a file holds no more. Ask for less at once, such as "
            "for a shorter span with date_from and date_to."
        )
        detail = ErrorDetail(
            code=ErrorCode.LIMIT_EXCEEDED, message=text, limit="export_rows", max=most
        )
        super().__init__(ErrorCode.LIMIT_EXCEEDED, text, details=(detail,))
