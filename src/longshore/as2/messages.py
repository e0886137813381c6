"""AS2 messages: from a payload to the body of a request, and back (RFC 4130, RFC 5402).

A payload is written as a MIME entity, which may be compressed, then signed, then encrypted. What
comes in may be wrapped in these layers in any of the orders that the RFCs allow.

The MIC of a message is over the entity that was signed; of one that is not signed, over the
entity with the payload before compression and encryption; of one in no layer at all, over the
payload alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum, auto
from typing import Final

from longshore.as2.algorithms import (
    STRONG_CIPHERS,
    STRONG_DIGESTS,
    Mic,
    find_digest,
    mic_of,
)
from longshore.as2.buffers import Content, Contents
from longshore.as2.compression import compress, decompress
from longshore.as2.envelopes import decrypt, encrypt
from longshore.as2.errors import As2Error, DecryptionError, Disposition, MimeError
from longshore.as2.headers import ReceiptRequest
from longshore.as2.keys import Certificate, KeyPair
from longshore.as2.mime import Entity, read_entity, write_base64, write_headers
from longshore.as2.receipts import SIGNED, As2Body, LongBody, signed_contents, split_signed
from longshore.as2.signatures import verify

MAX_LAYERS: Final = 4
_CMS: Final = ("application/pkcs7-mime", "application/x-pkcs7-mime")
EXPANSION: Final = 2
"""A compressed payload may be in base64, with headers and a signature."""
_DEFAULT_MIC: Final = "sha256"
_FILENAME: Final = re.compile(r'filename="?([^"\x00-\x1f\x7f/\\;]{1,200})')


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapping:
    """The layers that a payload is sent in."""

    sign: str | None = "sha256"
    """The digest of the signature; None: it is not signed."""
    encrypt: str | None = "aes256_cbc"
    """The cipher; None: it is not encrypted."""
    is_oaep: bool = False
    """True if the content key is encrypted with OAEP."""
    compress: bool = False
    is_base64: bool = False
    """True if the payload is written in base64."""
    content_type: str = "application/EDI-X12"
    filename: str = ""


@dataclass(frozen=True, slots=True)
class Composed:
    """The body of a request, and the MICs of which its receipt has to name one."""

    body: As2Body
    mics: tuple[Mic, ...]
    """Over the same bytes, with each digest that is allowed; the first is asked for."""

    @property
    def mic(self) -> Mic:
        """The MIC that the receipt is asked to name."""
        return self.mics[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The terms for messages of a partner, with the keys to open them."""

    pairs: Sequence[KeyPair] = field(repr=False)
    """Our keys that it may encrypt for."""
    certificates: Sequence[Certificate] = field(repr=False)
    """Those that it may sign with."""
    must_be_signed: bool = True
    must_be_encrypted: bool = True
    digests: Sequence[str] = STRONG_DIGESTS
    ciphers: Sequence[str] = STRONG_CIPHERS
    max_bytes: int
    """Of the payload, and of what a layer expands to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A message that was accepted."""

    payload: bytes = field(repr=False)
    """Exactly the bytes that were sent."""
    content_type: str
    filename: str
    """As the sender calls it, ``""`` if not at all."""
    mic: Mic
    is_signed: bool
    is_encrypted: bool
    is_compressed: bool


def compose(
    payload: bytes,
    wrapping: Wrapping,
    pair: KeyPair | None,
    certificate: Certificate | None,
    now: datetime,
) -> Composed:
    """Return a payload as the body of a request.

    Args:
        payload: The bytes to be sent; they are not changed.
        wrapping: How they are sent.
        pair: Our key, if it is signed.
        certificate: The partner's, if it is encrypted.
        now: The signing time, aware UTC.
    """
    encoding = "base64" if wrapping.is_base64 else "binary"
    headers = [
        ("Content-Type", wrapping.content_type),
        ("Content-Transfer-Encoding", encoding),
    ]
    if wrapping.filename:
        headers.append(("Content-Disposition", f'attachment; filename="{wrapping.filename}"'))
    content = write_base64(payload) if wrapping.is_base64 else payload
    entity: tuple[Content, ...] = (write_headers(headers), content)
    digest = wrapping.sign or _DEFAULT_MIC
    mic_content: Contents = entity
    body = LongBody(wrapping.content_type, (content,))
    if not (wrapping.sign or wrapping.encrypt or wrapping.compress):
        # The transfer encoding of HTTP is always binary, so the payload goes as it is.
        return Composed(As2Body(wrapping.content_type, payload), _mics(digest, payload))
    if wrapping.compress:
        body = _wrapped("compressed-data", compress(entity))
        entity = _as_entity(body)
    if wrapping.sign:
        assert pair is not None
        mic_content = entity
        body = signed_contents(entity, pair, wrapping.sign, now)
        entity = _as_entity(body)
    if wrapping.encrypt:
        assert certificate is not None
        is_gcm = wrapping.encrypt.endswith("gcm")
        kind = "authEnveloped-data" if is_gcm else "enveloped-data"
        sealed = encrypt(entity, certificate, wrapping.encrypt, is_oaep=wrapping.is_oaep)
        body = _wrapped(kind, sealed)
    return Composed(body.whole, _mics(digest, mic_content))


def _mics(digest: str, contents: Contents) -> tuple[Mic, ...]:
    """Return the MICs that a receipt may name, that with the preferred digest first."""
    return tuple(mic_of(each, contents) for each in dict.fromkeys((digest, *STRONG_DIGESTS)))


def _wrapped(kind: str, der: bytes) -> LongBody:
    return LongBody(f"application/pkcs7-mime; smime-type={kind}; name=smime.p7m", (der,))


def _as_entity(body: LongBody) -> tuple[Content, ...]:
    headers = (("Content-Type", body.content_type), ("Content-Transfer-Encoding", "binary"))
    # A multipart body is never encoded, so it needs no header that says so.
    given = headers[:1] if body.content_type.startswith(SIGNED) else headers
    return (write_headers(given), *body.contents)


class Layer(Enum):
    """A layer that a payload may be wrapped in."""

    ENCRYPTED = auto()
    COMPRESSED = auto()
    SIGNED = auto()


@dataclass(frozen=True, slots=True)
class _Layers:
    """The state of a message while its layers are taken off."""

    entity: Entity
    mic_content: Content = field(default=b"", repr=False)
    """The bytes that the MIC is over; ``b""``: the payload."""
    digest: str = ""
    """Of the signature."""
    is_encrypted: bool = False
    is_compressed: bool = False


def open_message(
    headers: Mapping[str, str], body: Content, asked: ReceiptRequest | None, accepts: Acceptance
) -> Opened:
    """Return the payload of a message, exactly as it was sent, and its MIC.

    Args:
        headers: Those of the request, by name in lower case.
        body: The body of the request.
        asked: The receipt that is asked for, which names the digest of the MIC.
        accepts: What is accepted.

    Raises:
        As2Error: It is refused; nothing in it may be used.
        DecryptionError: It may be encrypted, and is malformed.
    """
    layers = _Layers(Entity(headers, body))
    may_be_encrypted = headers.get("content-type", "").lower().startswith(_CMS)
    if not may_be_encrypted:
        _refuse_insecure(replace(layers, digest=_DEFAULT_MIC), accepts)
    try:
        layers = _without_layers(layers, accepts)
        content = layers.entity.content()
        media_type = layers.entity.media_type
    except MimeError as error:
        # What comes out of a decryption that went wrong is malformed in some way: it is
        # answered like a decryption that failed.
        if may_be_encrypted:
            raise DecryptionError from error
        raise As2Error(Disposition.UNSUPPORTED_FORMAT, str(error)) from error
    _refuse_insecure(layers, accepts)
    if media_type.name.startswith("multipart/"):
        raise As2Error(
            Disposition.UNSUPPORTED_FORMAT, "The message has several parts with a payload."
        )
    if len(content) > accepts.max_bytes:
        raise As2Error(
            Disposition.UNSUPPORTED_FORMAT,
            f"The payload is longer than {accepts.max_bytes:,} bytes.",
        )
    algorithm = _mic_algorithm(asked, layers.digest, accepts)
    return Opened(
        payload=bytes(content),
        content_type=layers.entity.header("content-type"),
        filename=_filename(layers.entity),
        mic=mic_of(algorithm, layers.mic_content or content),
        is_signed=bool(layers.digest),
        is_encrypted=layers.is_encrypted,
        is_compressed=layers.is_compressed,
    )


def layer_of(entity: Entity) -> Layer | None:
    """Return the layer that an entity is; None if it is none, as the payload is.

    Raises:
        MimeError: Its header is no media type.
        As2Error: It is a layer that is not read.
    """
    media_type = entity.media_type
    if media_type.name == SIGNED:
        return Layer.SIGNED
    if media_type.name not in _CMS:
        return None
    kind = media_type.parameter("smime-type").lower()
    if kind == "signed-data":
        raise As2Error(Disposition.UNSUPPORTED_FORMAT, "The signature is not detached.")
    return Layer.COMPRESSED if kind == "compressed-data" else Layer.ENCRYPTED


def _without_layers(layers: _Layers, accepts: Acceptance) -> _Layers:
    for _ in range(MAX_LAYERS):
        layer = layer_of(layers.entity)
        if layer is None:
            return layers
        layers = _TAKEN_OFF[layer](layers, accepts)
    raise MimeError(f"The message has more than {MAX_LAYERS} layers.")


def _decrypted(layers: _Layers, accepts: Acceptance) -> _Layers:
    plain = decrypt(layers.entity.content(), accepts.pairs, accepts.ciphers)
    mic_content = layers.mic_content if layers.digest else plain
    return replace(layers, entity=read_entity(plain), mic_content=mic_content, is_encrypted=True)


def _decompressed(layers: _Layers, accepts: Acceptance) -> _Layers:
    content = decompress(layers.entity.content(), accepts.max_bytes * EXPANSION)
    entity = read_entity(content)
    mic_content = layers.mic_content if layers.digest else content
    return replace(layers, entity=entity, mic_content=mic_content, is_compressed=True)


def _verified(layers: _Layers, accepts: Acceptance) -> _Layers:
    if layers.digest:
        raise MimeError("The message is signed twice.")
    content, signature = split_signed(layers.entity.media_type, layers.entity.body)
    found = verify(content, signature, accepts.certificates, accepts.digests)
    return replace(
        layers, entity=read_entity(found.content), mic_content=found.content, digest=found.digest
    )


_TAKEN_OFF: Final[Mapping[Layer, Callable[[_Layers, Acceptance], _Layers]]] = {
    Layer.ENCRYPTED: _decrypted,
    Layer.COMPRESSED: _decompressed,
    Layer.SIGNED: _verified,
}


def _refuse_insecure(layers: _Layers, accepts: Acceptance) -> None:
    lacks = [
        word
        for word, is_lacking in (
            ("encrypted", accepts.must_be_encrypted and not layers.is_encrypted),
            ("signed", accepts.must_be_signed and not layers.digest),
        )
        if is_lacking
    ]
    if lacks:
        text = f"The message is not {' and not '.join(lacks)}, as was agreed."
        raise As2Error(Disposition.INSUFFICIENT_SECURITY, text)


def _mic_algorithm(asked: ReceiptRequest | None, digest: str, accepts: Acceptance) -> str:
    micalgs = () if asked is None else asked.micalgs
    found = next(filter(None, (find_digest(each, accepts.digests) for each in micalgs)), None)
    if found is None and asked is not None and micalgs and asked.requires_micalg:
        raise As2Error(
            Disposition.UNSUPPORTED_MIC, "None of the requested MIC algorithms is allowed."
        )
    return found or digest or _DEFAULT_MIC


def _filename(entity: Entity) -> str:
    found = _FILENAME.search(entity.header("content-disposition"))
    return found[1].strip() if found else ""
