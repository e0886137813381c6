"""The refusal of a dictionary file or of code lists that a user gives."""

from __future__ import annotations

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details
from longshore.x12.dictionary.lines import DictionaryError


class FileRefusedError(LongshoreError):
    """A file that cannot be used: invalid_parameter, with each fault and its line.

    Args:
        error: The faults.
    """

    def __init__(self, error: DictionaryError) -> None:
        code = ErrorCode.INVALID_PARAMETER
        details = tuple(
            ErrorDetail(code=code, message=str(each), param="file", line=each.line or None)
            for each in error.faults
        )
        message = f"{details[0].message}{more_in_details(len(details))}"
        super().__init__(code, message, details=details)
