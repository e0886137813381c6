"""The HTTP headers of AS2 (RFC 4130 sections 6 and 7.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

AS2_VERSION: Final = "1.2"
MAX_NAME_CHARS: Final = 128
_MAX_VALUE_CHARS: Final = 1_000
_OURS: Final = "@longshore>"

_PLAIN_NAME: Final = re.compile(r"[!#-\[\]-~]{1,128}")
_ESCAPE: Final = re.compile(r'(["\\])')
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_TEXT: Final = re.compile("[!-~](?:[ -~]*[!-~])?")
PRINTABLE: Final = _TEXT
"""A header value that can be sent back in a header: printable ASCII."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptRequest:
    """The receipt that the sender of a message asks for."""

    is_signed: bool = False
    micalgs: tuple[str, ...] = ()
    """The digests it asks the MIC to be made with, as it writes them, the preferred one first."""
    requires_micalg: bool = False
    """True if a receipt with another MIC does not help it."""
    delivery_url: str = ""
    """Where it wants the receipt sent; ``""``: in the answer to the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageHeaders:
    """The AS2 headers of a message."""

    sender: str
    """The name in AS2-From."""
    receiver: str
    """The name in AS2-To."""
    message_id: str
    """As written, with its angle brackets."""
    subject: str = ""
    receipt: ReceiptRequest | None = None
    """None: no receipt is asked for."""


class HeadersError(Exception):
    """A header that every message has is missing or malformed; the text names it."""


def read_message_headers(headers: Mapping[str, str]) -> MessageHeaders:
    """Return the AS2 headers of a request, given by name in lower case.

    Raises:
        HeadersError: AS2-From, AS2-To or Message-ID is missing or cannot be sent back.
    """
    message_id = headers.get("message-id", "").strip()
    if not _is_printable(message_id):
        raise HeadersError("Message-ID is missing or malformed.")
    receipt = None
    if headers.get("disposition-notification-to", "").strip():
        options = headers.get("disposition-notification-options", "")
        url = headers.get("receipt-delivery-option", "").strip()
        receipt = read_receipt_options(options, url)
    return MessageHeaders(
        sender=_required_name(headers, "AS2-From"),
        receiver=_required_name(headers, "AS2-To"),
        message_id=message_id,
        subject=headers.get("subject", "").strip()[:_MAX_VALUE_CHARS],
        receipt=receipt,
    )


def _is_printable(text: str) -> bool:
    return len(text) <= _MAX_VALUE_CHARS and _TEXT.fullmatch(text) is not None


def _required_name(headers: Mapping[str, str], header: str) -> str:
    name = read_name(headers.get(header.lower(), ""))
    if name is None:
        raise HeadersError(f"{header} is missing or malformed.")
    return name


def read_name(value: str) -> str | None:
    """Return the AS2 name that a header holds, plain or quoted; None if it holds none."""
    value = value.strip()
    quoted = _QUOTED.fullmatch(value)
    name = _ESCAPED.sub(r"\1", quoted[1]) if quoted else value
    is_name = 1 <= len(name) <= MAX_NAME_CHARS and _TEXT.fullmatch(name) is not None
    # Without quotes neither a quote nor a backslash is part of a name.
    return name if is_name and (quoted or _is_plain(name)) else None


def _is_plain(name: str) -> bool:
    return '"' not in name and "\\" not in name


def write_name(name: str) -> str:
    """Return an AS2 name as a header value: quoted if it has a space, a quote or a backslash."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    escaped = _ESCAPE.sub(r"\\\1", name)
    return f'"{escaped}"'


def write_message_id(number: str) -> str:
    """Return the Message-ID of a message of ours."""
    return f"<{number}{_OURS}"


def read_message_id(value: str) -> str:
    """Return what ``write_message_id`` was given; ``""`` if the Message-ID is none of ours."""
    value = value.strip()
    is_ours = value.startswith("<") and value.endswith(_OURS)
    return value[1 : -len(_OURS)] if is_ours else ""


def read_receipt_options(options: str, delivery_url: str = "") -> ReceiptRequest:
    """Return what Disposition-Notification-Options asks for; options that are unknown ask nothing.

    An option is ``name=importance, value, …``, such as
    ``signed-receipt-micalg=optional, sha-256, sha1``.
    """
    found: dict[str, tuple[str, ...]] = {}
    for each in options[:_MAX_VALUE_CHARS].split(";"):
        name, _, values = each.partition("=")
        found[name.strip().lower()] = tuple(value.strip().lower() for value in values.split(","))
    protocol = found.get("signed-receipt-protocol", ())
    importance, *micalgs = found.get("signed-receipt-micalg", ("",))
    return ReceiptRequest(
        is_signed=any(value in {"pkcs7-signature", "pkcs7"} for value in protocol[1:]),
        micalgs=tuple(each for each in micalgs if each),
        requires_micalg=importance == "required",
        delivery_url=delivery_url,
    )


def receipt_options(micalg: str) -> str:
    """Return the options that ask for a signed receipt with this digest, such as ``sha-256``."""
    return (
        "signed-receipt-protocol=required, pkcs7-signature;"
        f" signed-receipt-micalg=required, {micalg}"
    )
