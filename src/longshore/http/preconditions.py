"""``If-Match``: the version that a change was made on (contract.md sections 9 and 15)."""

import re
from collections.abc import Mapping
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

IF_MATCH: Final = "If-Match"

_VERSION: Final = re.compile(r'(?:W/)?"?([1-9][0-9]{0,17})"?')


class ExpectedVersionError(LongshoreError):
    """The header is missing, or names no version."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        detail = ErrorDetail(code=code, param=IF_MATCH, message=message)
        super().__init__(code, message, details=(detail,))


def expected_version(headers: Mapping[bytes, bytes]) -> int | None:
    """Return the version that ``If-Match`` names, ``"7"`` or ``7``; None for ``*``, any version.

    Raises:
        ExpectedVersionError: missing_parameter or invalid_parameter.
    """
    given = headers.get(b"if-match")
    if given is None:
        raise ExpectedVersionError(
            ErrorCode.MISSING_PARAMETER,
            "Send the header 'If-Match' with the version you edited, such as \"7\".",
        )
    text = given.decode("latin-1").strip()
    if text == "*":
        return None
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ExpectedVersionError(
            ErrorCode.INVALID_PARAMETER,
            "The header 'If-Match' must be one version number, such as \"7\".",
        )
    return int(match[1])
