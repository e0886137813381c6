"""The layers of a message one by one, and what is right and wrong with each, for people.

Opening a message says the same of every decryption that fails, lest the answer help anybody to
decrypt a message of somebody else. Here the owner of the keys reads a message that was saved, so
each step says what it found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from longshore.as2.buffers import Content
from longshore.as2.certificates import read_certificate_facts
from longshore.as2.compression import decompress
from longshore.as2.envelopes import decrypt, describe_envelope
from longshore.as2.errors import (
    As2Error,
    DecryptionError,
    Disposition,
    MimeError,
    SignatureError,
)
from longshore.as2.headers import ReceiptRequest
from longshore.as2.keys import Certificate
from longshore.as2.messages import (
    EXPANSION,
    MAX_LAYERS,
    Acceptance,
    Layer,
    Opened,
    layer_of,
    open_message,
)
from longshore.as2.mime import Entity, read_entity
from longshore.as2.receipts import split_signed
from longshore.as2.signatures import describe_signers, verify


@dataclass(frozen=True, slots=True)
class Step:
    """A step of opening a message."""

    is_right: bool
    text: str
    """A sentence for people, without content of the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """The result of an inspection."""

    steps: tuple[Step, ...]
    """In the order of opening; if one is wrong it is the last."""
    opened: Opened | None
    """None if the message is refused."""
    disposition: Disposition
    """As its receipt says it."""


def inspect_message(
    headers: Mapping[str, str], body: Content, asked: ReceiptRequest | None, accepts: Acceptance
) -> Inspection:
    """Return what opening a message finds, and whether it is accepted.

    Args:
        headers: Those of the request, by name in lower case.
        body: The body of the request.
        asked: The receipt that is asked for, which names the digest of the MIC.
        accepts: What is accepted from the sender.
    """
    steps: list[Step] = []
    try:
        entity = Entity(headers, body)
        for _ in range(MAX_LAYERS):
            layer = layer_of(entity)
            if layer is None:
                break
            entity, text = _OPENED[layer](entity, accepts)
            steps.append(Step(is_right=True, text=text))
        opened = open_message(headers, body, asked, accepts)
    except (As2Error, MimeError) as error:
        steps.append(Step(is_right=False, text=str(error)))
        disposition = getattr(error, "disposition", Disposition.UNSUPPORTED_FORMAT)
        return Inspection(steps=tuple(steps), opened=None, disposition=disposition)
    steps.append(Step(is_right=True, text=_payload_text(opened)))
    return Inspection(steps=tuple(steps), opened=opened, disposition=Disposition.PROCESSED)


def _decrypted(entity: Entity, accepts: Acceptance) -> tuple[Entity, str]:
    content = entity.content()
    try:
        facts = describe_envelope(content, accepts.pairs)
    except DecryptionError as error:
        raise _undecrypted(
            "The encrypted content is malformed, or of a kind not used here."
        ) from error
    if facts.own is None:
        named = ", ".join(facts.recipients) or "nobody"
        raise _undecrypted(f"It is encrypted for {named}, which is no key of our identity.")
    if facts.cipher not in accepts.ciphers:
        raise _undecrypted(f"It is encrypted with {facts.cipher}, which was not agreed.")
    own = _fingerprint(facts.own)
    try:
        plain = decrypt(content, accepts.pairs, accepts.ciphers)
    except DecryptionError as error:
        text = f"It is encrypted for our certificate {own}, and was changed since or made wrongly."
        raise _undecrypted(text) from error
    return read_entity(plain), f"Encrypted with {facts.cipher} for our certificate {own}."


def _undecrypted(text: str) -> As2Error:
    return As2Error(Disposition.DECRYPTION_FAILED, text)


def _decompressed(entity: Entity, accepts: Acceptance) -> tuple[Entity, str]:
    content = decompress(entity.content(), accepts.max_bytes * EXPANSION)
    return read_entity(content), "Compressed."


def _verified(entity: Entity, accepts: Acceptance) -> tuple[Entity, str]:
    content, signature = split_signed(entity.media_type, entity.body)
    try:
        found = verify(content, signature, accepts.certificates, accepts.digests)
    except SignatureError as error:
        named = ", ".join(describe_signers(signature)) or "nobody"
        raise SignatureError(f"{error} It names {named} as the signer.") from error
    signer = _fingerprint(found.certificate)
    return read_entity(found.content), f"Signed with {found.digest} by the certificate {signer}."


def _payload_text(opened: Opened) -> str:
    name = f", {opened.filename}" if opened.filename else ""
    return (
        f"The payload has {len(opened.payload):,} bytes ({opened.content_type or 'no type'}{name})."
        f" MIC: {opened.mic}."
    )


def _fingerprint(certificate: Certificate) -> str:
    return read_certificate_facts(certificate.pem).fingerprint


_OPENED: Final[Mapping[Layer, Callable[[Entity, Acceptance], tuple[Entity, str]]]] = {
    Layer.ENCRYPTED: _decrypted,
    Layer.COMPRESSED: _decompressed,
    Layer.SIGNED: _verified,
}
