"""Decode a document, and read the separators that the caller chose."""

from __future__ import annotations

from typing import NamedTuple

from longshore.formats.charset import decode
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides, parse_overrides


class DecodedDocument(NamedTuple):
    """A decoded document."""

    text: str
    charset: str
    """The charset it was decoded from; for text, ``utf-8``."""
    overrides: DelimiterOverrides


def read(document: str | bytes, elem_sep: str | None, seg_term: str | None) -> DecodedDocument:
    """Decode a document, and read the separators a caller chose; None and ``""`` choose none.

    Raises:
        LongshoreError: invalid_parameter.
        TypeError: The document is neither text nor bytes.
    """
    if isinstance(document, str):
        text, charset = document, "utf-8"
    elif isinstance(document, bytes):
        text, charset = decode(document)
    else:
        raise TypeError(_not_a_document(document))
    overrides = parse_overrides(elem_sep, seg_term) if elem_sep or seg_term else NO_OVERRIDES
    return DecodedDocument(text, charset, overrides)


def _not_a_document(given: object) -> str:
    message = f"A document is str or bytes, not {type(given).__name__}."
    if hasattr(given, "read_bytes"):
        return f"{message} The engine opens no files: pass path.read_bytes()."
    if hasattr(given, "read"):
        return f"{message} Pass what file.read() returns, of a file opened with 'rb'."
    return message
