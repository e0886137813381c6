"""Headers that say under which condition something is done (contract.md sections 6, 9 and 15).

``If-Match``: the version that a change was made on. ``Idempotency-Key``: what makes a request one
with those before it that named the same key.
"""

import re
from collections.abc import Mapping
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

IF_MATCH: Final = "If-Match"
IDEMPOTENCY_KEY: Final = "Idempotency-Key"
MAX_IDEMPOTENCY_KEY_CHARS: Final = 255

_VERSION: Final = re.compile(r'(?:W/)?"?([1-9][0-9]{0,17})"?')


class ExpectedVersionError(LongshoreError):
    """The header is missing, or names no version."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        detail = ErrorDetail(code=code, param=IF_MATCH, message=message)
        super().__init__(code, message, details=(detail,))


class IdempotencyKeyError(LongshoreError):
    """The header holds no key, or one that is too long."""

    def __init__(self) -> None:
        code = ErrorCode.INVALID_PARAMETER
        message = (
            f"The header 'Idempotency-Key' must have 1 to {MAX_IDEMPOTENCY_KEY_CHARS} characters."
        )
        detail = ErrorDetail(code=code, param=IDEMPOTENCY_KEY, message=message)
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


def idempotency_key(headers: Mapping[bytes, bytes]) -> str | None:
    """Return the key that ``Idempotency-Key`` names, None without the header.

    Raises:
        IdempotencyKeyError: It is empty or too long.
    """
    given = headers.get(b"idempotency-key")
    if given is None:
        return None
    key = given.decode("latin-1").strip()
    if not 1 <= len(key) <= MAX_IDEMPOTENCY_KEY_CHARS:
        raise IdempotencyKeyError
    return key
