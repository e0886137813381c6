"""Refusals of AS2: what a message or a receipt is refused for, as its disposition says it."""

from __future__ import annotations

from enum import StrEnum, unique
from typing import Final

PARSE_ERRORS: Final = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError),
    *(OverflowError, RecursionError),
)
"""What ``asn1crypto`` raises for bytes that are not what their type says."""


@unique
class Disposition(StrEnum):
    """The disposition of a message in its receipt, in the words of RFC 4130 section 7.4.3."""

    PROCESSED = "processed"
    UNKNOWN_RELATIONSHIP = "processed/error: unknown-trading-relationship"
    INSUFFICIENT_SECURITY = "processed/error: insufficient-message-security"
    DECRYPTION_FAILED = "processed/error: decryption-failed"
    DECOMPRESSION_FAILED = "processed/error: decompression-failed"
    AUTHENTICATION_FAILED = "processed/error: authentication-failed"
    INTEGRITY_FAILED = "processed/error: integrity-check-failed"
    UNEXPECTED_ERROR = "processed/error: unexpected-processing-error"
    UNSUPPORTED_FORMAT = "failed/failure: unsupported format"
    UNSUPPORTED_MIC = "failed/failure: unsupported MIC-algorithms"


class As2Error(Exception):
    """A message is refused. ``str`` is a sentence for people, without content of the message."""

    def __init__(self, disposition: Disposition, text: str) -> None:
        super().__init__(text)
        self.disposition = disposition


class DecryptionError(As2Error):
    """A message cannot be decrypted; the one text never says which step failed."""

    def __init__(self) -> None:
        super().__init__(Disposition.DECRYPTION_FAILED, "The message cannot be decrypted.")


class DecompressionError(As2Error):
    """A message cannot be decompressed."""

    def __init__(self, text: str) -> None:
        super().__init__(Disposition.DECOMPRESSION_FAILED, text)


class SignatureError(As2Error):
    """A signature is not valid, or not that of a pinned key."""

    def __init__(self, text: str) -> None:
        super().__init__(Disposition.AUTHENTICATION_FAILED, text)


class MimeError(Exception):
    """Bytes are no MIME entity, or one that is larger or deeper than is read."""


class ReceiptError(Exception):
    """An answer is no receipt that can be relied on."""


class CertificateError(Exception):
    """A certificate or key cannot be used; the text says why."""
