"""Make received values safe to write into an acknowledgement.

Every document that can be read can be acknowledged, whatever its elements hold: no received value
makes writing fail.

Source: x12.md section 2.4, AK404.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

from longshore.x12.delimiters import Delimiters

MAX_BAD_VALUE: Final = 99
_SUBSTITUTES: Final = "?!#.+-"  # one more than there are separators


class AckTexts:
    """Makes received values fit for one set of separators."""

    def __init__(self, delimiters: Delimiters) -> None:
        self._marks = frozenset(delimiters.marks)

    @cached_property
    def _substitute(self) -> str:
        return next(mark for mark in _SUBSTITUTES if mark not in self._marks)

    def name(self, text: str) -> str:
        """Return a received id or number; what cannot be written in it is replaced."""
        if self.is_writable(text):
            return text
        return "".join(
            mark if mark.isprintable() and mark not in self._marks else self._substitute
            for mark in text
        )

    def quoted(self, text: str | None, most: int = MAX_BAD_VALUE) -> str:
        """Return a received value, cut to ``most`` characters; ``""`` if it must be left out."""
        if text is None or not text.strip() or not self.is_writable(text):
            return ""
        return text[:most]

    def is_writable(self, text: str) -> bool:
        """Return whether a text holds nothing that must not be written."""
        return text.isprintable() and self._marks.isdisjoint(text)


@lru_cache(maxsize=64)
def texts_for(delimiters: Delimiters) -> AckTexts:
    """Return the ``AckTexts`` for these separators, from a cache."""
    return AckTexts(delimiters)
