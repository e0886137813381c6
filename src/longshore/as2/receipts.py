"""Receipts of AS2, called MDN: written, and read and checked (RFC 4130 section 7, RFC 8098).

A receipt is a report of two parts: one for people, one of fields. It may be signed.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.as2.algorithms import DIGESTS, STRONG_DIGESTS, Mic, find_digest, mic_name
from longshore.as2.buffers import Content
from longshore.as2.errors import As2Error, Disposition, MimeError, ReceiptError
from longshore.as2.headers import MessageHeaders
from longshore.as2.keys import Certificate, KeyPair
from longshore.as2.mime import (
    Entity,
    MediaType,
    read_entity,
    split_parts,
    write_base64,
    write_entity,
)
from longshore.as2.receipt_facts import As2Receipt
from longshore.as2.signatures import sign, verify

SIGNED: Final = "multipart/signed"
SIGNATURE_TYPES: Final = frozenset({
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
})
MAX_RECEIPT_BYTES: Final = 262_144
_REPORT: Final = "multipart/report"
_NOTIFICATION: Final = "message/disposition-notification"
_AGENT: Final = "Longshore"
_MODE: Final = "automatic-action/MDN-sent-automatically"
_MAX_TEXT_CHARS: Final = 500
_SPACES: Final = re.compile(r"\s+")
_SIGNED_PARTS: Final = 2


@dataclass(frozen=True, slots=True)
class As2Body:
    """A body with the value of its Content-Type."""

    content_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class LongBody:
    """A body that is not put together yet, with the value of its Content-Type."""

    content_type: str
    contents: tuple[Content, ...] = field(repr=False)
    """One after the other."""

    @property
    def whole(self) -> As2Body:
        """The body in one piece."""
        match self.contents:
            case (bytes(content),):
                return As2Body(self.content_type, content)
            case contents:
                return As2Body(self.content_type, b"".join(contents))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAs2Receipt:
    """The content of a receipt to be written."""

    of: MessageHeaders
    disposition: Disposition
    text: str
    """For people."""
    mic: Mic | None = None
    """None if the message was not read so far."""


def signed_body(entity: bytes, pair: KeyPair, digest: str, now: datetime) -> As2Body:
    """Return an entity and its signature as ``multipart/signed``; the entity is not changed."""
    return signed_contents((entity,), pair, digest, now).whole


def signed_contents(
    entity: tuple[Content, ...], pair: KeyPair, digest: str, now: datetime
) -> LongBody:
    """Return an entity and its signature as ``multipart/signed``, not put together yet.

    Args:
        entity: Contents that are the entity one after the other.
        pair: The key that signs.
        digest: The digest of the signature.
        now: The signing time.
    """
    signature = write_entity(
        (
            ("Content-Type", "application/pkcs7-signature; name=smime.p7s"),
            ("Content-Transfer-Encoding", "base64"),
            ("Content-Disposition", "attachment; filename=smime.p7s"),
        ),
        write_base64(sign(entity, pair, digest, now)),
    )
    boundary = _boundary(*entity)
    content_type = (
        f'{SIGNED}; protocol="application/pkcs7-signature"; micalg={mic_name(digest)};'
        f' boundary="{boundary}"'
    )
    return LongBody(content_type, _multipart(boundary, (entity, (signature,))))


def _boundary(*contents: Content) -> str:
    """Return a boundary that is in none of the parts."""
    number = 0
    while any(re.search(b"=-longshore-%d=" % number, each) for each in contents):
        number += 1
    return f"=-longshore-{number}="


def _multipart(boundary: str, parts: Sequence[Sequence[Content]]) -> tuple[Content, ...]:
    mark = b"--" + boundary.encode()
    pieces = [piece for part in parts for piece in (mark, b"\r\n", *part, b"\r\n")]
    return (*pieces, mark, b"--\r\n")


def write_receipt(new: NewAs2Receipt) -> As2Body:
    """Return a receipt without a signature."""
    receiver = new.of.receiver
    lines = [
        ("Reporting-UA", _AGENT),
        ("Original-Recipient", f"rfc822; {receiver}"),
        ("Final-Recipient", f"rfc822; {receiver}"),
        ("Original-Message-ID", new.of.message_id),
        ("Disposition", f"{_MODE}; {new.disposition.value}"),
    ]
    if new.mic is not None:
        lines.append(("Received-Content-MIC", str(new.mic)))
    plain = (
        ("Content-Type", "text/plain; charset=us-ascii"),
        ("Content-Transfer-Encoding", "7bit"),
    )
    text = write_entity(plain, f"{new.text}\r\n".encode("ascii", "replace"))
    kind = (("Content-Type", _NOTIFICATION), ("Content-Transfer-Encoding", "7bit"))
    fields = write_entity(kind, write_entity(lines, b""))
    boundary = _boundary(text, fields)
    content_type = f'{_REPORT}; report-type=disposition-notification; boundary="{boundary}"'
    return LongBody(content_type, _multipart(boundary, ((text,), (fields,)))).whole


def write_signed_receipt(new: NewAs2Receipt, pair: KeyPair, digest: str, now: datetime) -> As2Body:
    """Return a receipt as ``multipart/signed``."""
    report = write_receipt(new)
    entity = write_entity((("Content-Type", report.content_type),), report.content)
    return signed_body(entity, pair, digest, now)


def read_receipt(
    body: As2Body,
    certificates: Sequence[Certificate],
    allowed: Collection[str] = STRONG_DIGESTS,
) -> As2Receipt:
    """Return what a receipt says, with its signature verified if it has one.

    Args:
        body: The receipt.
        certificates: Those that the partner may sign with.
        allowed: The digests that a signature may use.

    Raises:
        ReceiptError: It is none, is malformed, or has a signature that is not valid.
    """
    if len(body.content) > MAX_RECEIPT_BYTES:
        raise ReceiptError(f"The receipt is longer than {MAX_RECEIPT_BYTES:,} bytes.")
    try:
        entity = Entity({"content-type": body.content_type}, body.content)
        is_signed = entity.media_type.name == SIGNED
        if is_signed:
            parts = split_signed(entity.media_type, entity.body)
            content, signature = parts
            entity = read_entity(verify(content, signature, certificates, allowed).content)
        return _read_report(entity, is_signed=is_signed)
    except MimeError as error:
        raise ReceiptError(f"The answer is no receipt. {error}") from error
    except As2Error as error:
        raise ReceiptError(f"The signature of the receipt is not valid. {error}") from error


def split_signed(media_type: MediaType, body: Content) -> tuple[Content, Content]:
    """Return the part of ``multipart/signed`` that is signed, and the signature as DER.

    Raises:
        MimeError: It has other parts.
    """
    parts = split_parts(body, media_type.parameter("boundary"))
    if len(parts) != _SIGNED_PARTS:
        raise MimeError("The signed entity does not have two parts.")
    signature = read_entity(parts[1])
    if signature.media_type.name not in SIGNATURE_TYPES:
        raise MimeError("The second part of the signed entity is no signature.")
    return parts[0], signature.content()


def _read_report(entity: Entity, *, is_signed: bool) -> As2Receipt:
    if entity.media_type.name != _REPORT:
        raise MimeError("It has another Content-Type than multipart/report.")
    parts = [
        read_entity(part)
        for part in split_parts(entity.content(), entity.media_type.parameter("boundary"))
    ]
    found = [part for part in parts if part.media_type.name == _NOTIFICATION]
    if len(found) != 1:
        raise MimeError("It has no disposition notification.")
    # The fields are header lines, with or without an empty line behind them.
    fields = read_entity(bytes(found[0].content()).strip() + b"\r\n\r\n")
    _, semicolon, disposition = fields.header("disposition").partition(";")
    if not semicolon or not disposition.strip():
        raise MimeError("It has no disposition.")
    texts = [part.content() for part in parts if part.media_type.name == "text/plain"]
    return As2Receipt(
        original_message_id=fields.header("original-message-id"),
        disposition=_plain(disposition),
        mic=_read_mic(fields.header("received-content-mic")),
        is_signed=is_signed,
        text=_plain(bytes(texts[0]).decode("utf-8", "replace")) if texts else "",
    )


def _plain(text: str) -> str:
    shown = "".join(each if each.isprintable() else " " for each in text[:_MAX_TEXT_CHARS])
    return _SPACES.sub(" ", shown).strip()


def _read_mic(value: str) -> Mic | None:
    """Return the MIC of a receipt; None if there is none, or one that cannot be compared."""
    encoded, _, name = value.rpartition(",")
    algorithm = find_digest(name, DIGESTS)
    if algorithm is None:
        return None
    try:
        return Mic(binascii.a2b_base64(encoded.strip().encode(), strict_mode=True), algorithm)
    except (binascii.Error, UnicodeEncodeError):
        return None
