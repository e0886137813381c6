"""Check the text of an output: it has a UTF-8 form, and is not too long.

Source: fields-and-mapping.md section 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from longshore.mapping.cells import MAX_OUTPUT_BYTES
from longshore.mapping.target_refusals import (
    CHARACTER_NOT_ALLOWED,
    conversion_failed,
    output_too_long,
)
from longshore.mapping.writes import RuleWrites


class OutputSize:
    """Adds up the characters of an output while it is made, so that none grows without end."""

    def __init__(self) -> None:
        self._chars = 0

    def add(self, chars: int) -> None:
        """Count characters.

        Raises:
            output_too_long: A LongshoreError limit_exceeded, even if each were one byte.
        """
        self._chars += chars
        if self._chars > MAX_OUTPUT_BYTES:
            raise output_too_long(MAX_OUTPUT_BYTES)


def checked_text(text: str, rules: Sequence[RuleWrites]) -> str:
    """Return ``text`` if it can be sent.

    Raises:
        conversion_failed: A LongshoreError, character_not_allowed: it holds a lone surrogate.
        output_too_long: A LongshoreError limit_exceeded.
    """
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError:
        guilty = next((each.rule for each in rules if _has_surrogate(each)), None)
        message = "a lone surrogate is not a character"
        raise conversion_failed(CHARACTER_NOT_ALLOWED, guilty, message) from None
    if size > MAX_OUTPUT_BYTES:
        raise output_too_long(MAX_OUTPUT_BYTES)
    return text


def _has_surrogate(writes: RuleWrites) -> bool:
    return any(
        "\ud800" <= character <= "\udfff"
        for _, value in chain(writes.entries, writes.fillers)
        for character in value
    )
