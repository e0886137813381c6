"""Skip whole sets without findings in the text, before they are split.

Theory. The reader calls this wherever an ST begins. One match and a few counts suffice for a valid
set; none of its segments becomes an object. All other sets are read and validated as usual, so no
finding ever comes from here (performance.md section 1, items 3 and 14).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from longshore.x12.control import element_at, is_count
from longshore.x12.delimiters import Delimiters
from longshore.x12.envelope import Envelope
from longshore.x12.validate.kinds import SetKind, SetKinds

_ST_PIECES: Final = 3  # its id, ST01, ST02
_MAX_ST_CHARS: Final = 128  # of an ST that is examined


class WholeSets:
    """Skips sets of the document that ``envelope`` follows.

    Args:
        envelope: The envelope.
        kinds: The kinds of its sets.
        is_reported: Returns whether the notice about a kind, if any, was reported.
        take: Called with the index and the kind of each set that was skipped, in order.
    """

    def __init__(
        self,
        envelope: Envelope,
        kinds: SetKinds,
        is_reported: Callable[[SetKind], bool],
        take: Callable[[int, SetKind], None],
    ) -> None:
        self._envelope = envelope
        self._kinds = kinds
        self._is_said = is_reported
        self._take = take

    def __call__(self, text: str, at: int, delimiters: Delimiters, separator: str) -> int:
        """Skip the valid sets that begin at an index; return the index after them.

        Args:
            text: The text.
            at: The index.
            delimiters: The separators in force.
            separator: The text between two segments.
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
        """Return the kind of a set with this ST; None if the ST may have a fault."""
        reference = element_at(header, 3)
        is_plain = reference.isascii() and (not reference or reference.isalnum())
        if not is_plain or len(header) != _ST_PIECES + bool(reference):
            return None
        kind = self._kinds.next_kind(header, delimiters)
        if (
            kind is None
            or kind.rules is None
            or kind.frame_faults
            or kind.rules.surplus_position(header)
        ):
            return None
        return kind if self._is_said(kind) else None
