"""What every door does first with a document: its text, its charset, the separators chosen."""

from __future__ import annotations

from typing import NamedTuple

from longshore.formats.charset import decode
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides, parse_overrides


class Reading(NamedTuple):
    """A decoded document. ``charset``: what it was decoded from; of text it is ``utf-8``."""

    text: str
    charset: str
    overrides: DelimiterOverrides


def read(document: str | bytes, elem_sep: str | None, seg_term: str | None) -> Reading:
    """Decode a document, and read the separators a caller chose; None and ``""`` choose none.

    Raises:
        LongshoreError: invalid_parameter.
    """
    overrides = parse_overrides(elem_sep, seg_term) if elem_sep or seg_term else NO_OVERRIDES
    text, charset = decode(document) if isinstance(document, bytes) else (document, "utf-8")
    return Reading(text, charset, overrides)
