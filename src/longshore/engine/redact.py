"""Redact documents: replace what identifies people and companies, and keep the rest.

Source: docs/reference/redaction.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from longshore.engine.decoding import read
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.dictionary.library import shipped
from longshore.x12.redaction.aliases import MIN_KEY_BYTES
from longshore.x12.redaction.document import redact as redact_text


@dataclass(frozen=True, slots=True)
class RedactedDocument:
    """A document whose names, numbers and dates are replaced."""

    text: str
    """The document, as long as the original is."""
    charset: str
    """The charset that the document was decoded from."""

    def content(self) -> bytes:
        """Return the octets of the document, in the charset of the original."""
        return self.text.encode(self.charset)


def redact(
    document: str | bytes, key: bytes, *, elem_sep: str | None = None, seg_term: str | None = None
) -> RedactedDocument:
    """Return an X12 document with replaced names, numbers and dates.

    Validation finds the same in it as in the document. Codes, amounts, quantities, times and
    control numbers are kept.

    Args:
        document: The document.
        key: Secret octets, at least 16: with the same key equal values are replaced equally, in all
            documents.
        elem_sep: An element separator that replaces that of the ISA.
        seg_term: A segment terminator that replaces that of the ISA.

    Raises:
        LongshoreError: invalid_parameter: the key is too short, or a separator is none.
            document_empty, document_unparseable, segment_too_long.
        TypeError: The document is neither text nor bytes.
    """
    if len(key) < MIN_KEY_BYTES:
        message = f"The key has {len(key)} octets; it must have at least {MIN_KEY_BYTES}."
        raise LongshoreError(ErrorCode.INVALID_PARAMETER, message)
    text, charset, overrides = read(document, elem_sep, seg_term)
    return RedactedDocument(redact_text(text, key, shipped(), overrides), charset)
