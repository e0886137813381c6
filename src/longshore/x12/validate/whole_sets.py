"""Whole sets taken off the text, before anybody splits it: those of which there is nothing to say.

Theory. The reader asks here wherever an ST begins. One match and a few counts settle a good set; no
segment of it becomes an object. All others are read and judged as if nobody had asked, so no
finding ever comes from here (performance.md section 1, points 3, 4 and 14).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from longshore.x12.control import element_at, is_count
from longshore.x12.delimiters import Delimiters
from longshore.x12.envelope import Envelope
from longshore.x12.validate.kinds import Kinds, SetKind

_ST_PIECES: Final = 3  # its id, ST01, ST02
_MAX_ST_CHARS: Final = 128  # of an ST that is looked at


class WholeSets:
    """Takes sets of the document that ``envelope`` follows.

    ``is_said``: whether nothing is left to be said of a kind itself. ``take``: called with the
    index and the kind of each set that was taken, in order.
    """

    def __init__(
        self,
        envelope: Envelope,
        kinds: Kinds,
        is_said: Callable[[SetKind], bool],
        take: Callable[[int, SetKind], None],
    ) -> None:
        self._envelope = envelope
        self._kinds = kinds
        self._is_said = is_said
        self._take = take

    def __call__(self, text: str, at: int, delimiters: Delimiters, separator: str) -> int:
        """Take the good sets that begin at ``at``, one behind the other; return where they end.

        ``separator``: what stands between two segments.
        """
        envelope, element = self._envelope, delimiters.element
        start = f"ST{element}"
        while text.startswith(start, at):
            end = max(at, text.find(separator, at, at + _MAX_ST_CHARS))
            header, body = text[at:end].split(element), end + len(separator)
            kind = self._kind(header, delimiters)
            rules = None if kind is None else kind.rules
            found = rules.match(text, body, separator) if rules is not None else None
            if kind is None or rules is None or found is None:
                break
            end = found.end()
            count = text.count(separator, at, end)
            if found[2] != header[2] or not is_count(found[1], count):
                break
            if text.find(element + separator, body, end) >= 0:  # which is a warning
                break
            if not rules.passes_cross_checks(text[body - len(separator) : end], separator):
                break
            index = envelope.pass_set(header, count)
            if not index:
                break
            self._take(index, kind)
            at = end
        return at

    def _kind(self, header: list[str], delimiters: Delimiters) -> SetKind | None:
        """Return what judges a set with this ST; None if something may be wrong with the ST."""
        reference = element_at(header, 3)
        is_plain = reference.isascii() and (not reference or reference.isalnum())
        if not is_plain or len(header) != _ST_PIECES + bool(reference):
            return None
        kind = self._kinds.coming(header, delimiters)
        if kind is None or kind.rules is None or kind.frame_faults or kind.rules.surplus(header):
            return None
        return kind if self._is_said(kind) else None
