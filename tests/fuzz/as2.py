"""What has to hold when anybody sends an AS2 message or a receipt: it is read, or refused.

One input is an entity: its headers, an empty line, and the body. Nothing in it is random, so that
the same seed gives the same inputs in every process: the signatures and keys in it are not valid,
and what is behind a valid one is reached by messages that are neither signed nor encrypted.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from random import Random
from typing import Any, Final

from asn1crypto import cms, core
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from longshore.as2.algorithms import mic_of
from longshore.as2.certificates import read_certificate_facts
from longshore.as2.compression import compress
from longshore.as2.envelopes import encrypt
from longshore.as2.errors import (
    As2Error,
    CertificateError,
    Disposition,
    MimeError,
    ReceiptError,
)
from longshore.as2.headers import HeadersError, MessageHeaders, read_message_headers
from longshore.as2.keys import Certificate, KeyPair, read_certificate
from longshore.as2.messages import Acceptance, open_message
from longshore.as2.mime import Entity, read_entity, write_base64, write_entity
from longshore.as2.receipts import As2Body, NewAs2Receipt, read_receipt, write_receipt
from longshore.as2.signatures import sign
from tests.fuzz.oracles import in_time
from tests.support.as2 import CERTIFICATE, NOW

MAX_BYTES: Final = 10_000
_OPTIONS: Final = (
    "signed-receipt-protocol=optional, pkcs7-signature;"
    " signed-receipt-micalg=required, sha-256, sha1"
)
_HEADERS: Final = (
    ("AS2-From", "THEM"),
    ("AS2-To", '"US co"'),
    ("Message-ID", "<1@them>"),
    ("Disposition-Notification-To", "them"),
    ("Disposition-Notification-Options", _OPTIONS),
)
_PAYLOAD: Final = b"ISA*00*~\nIEA*1*000000001~\n"


@cache
def _certificate() -> Certificate:
    return read_certificate(CERTIFICATE)


def seeds() -> Sequence[str]:
    """Return messages, receipts and a certificate."""
    entity = write_entity((("Content-Type", "application/EDI-X12"),), _PAYLOAD)
    compressed = _cms("compressed-data", compress(entity))
    signed = _signed(entity)
    of = MessageHeaders(sender="US", receiver="THEM", message_id="<1@us>")
    mic = mic_of("sha256", _PAYLOAD)
    receipt = write_receipt(
        NewAs2Receipt(of=of, disposition=Disposition.PROCESSED, text="Received.", mic=mic)
    )
    report = write_entity((("Content-Type", receipt.content_type),), receipt.content)
    entities = (
        *(
            entity,
            compressed,
            signed,
            _signed(compressed),
            _cms("compressed-data", compress(signed)),
        ),
        *(_cms("enveloped-data", _envelope(each)) for each in ("aes256_cbc", "aes256_gcm")),
        *(report, _signed(report)),
    )
    headers = "".join(f"{name}: {value}\r\n" for name, value in _HEADERS)
    return [CERTIFICATE, *(headers + each.decode("latin-1") for each in entities)]


def _cms(kind: str, der: bytes) -> bytes:
    value = f"application/pkcs7-mime; smime-type={kind}; name=smime.p7m"
    return write_entity((("Content-Type", value),), der)


def _signed(entity: bytes) -> bytes:
    """Return a signed entity whose signature is of nobody."""
    pair = KeyPair(_certificate(), generate_private_key(65_537, 2_048))
    info: Any = cms.ContentInfo.load(sign(entity, pair, "sha256", NOW))
    info["content"]["signer_infos"][0]["signature"] = b"s" * 256
    signature = write_entity(
        (
            ("Content-Type", "application/pkcs7-signature; name=smime.p7s"),
            ("Content-Transfer-Encoding", "base64"),
        ),
        write_base64(info.dump(force=True)),
    )
    content = b"--=b\r\n" + entity + b"\r\n--=b\r\n" + signature + b"\r\n--=b--\r\n"
    return write_entity((("Content-Type", 'multipart/signed; boundary="=b"'),), content)


def _envelope(cipher: str) -> bytes:
    """Return an envelope whose content nobody can decrypt."""
    info: Any = cms.ContentInfo.load(encrypt(b"", _certificate(), cipher, is_oaep=True))
    content = info["content"]
    content["recipient_infos"][0].chosen["encrypted_key"] = b"k" * 256
    is_gcm = cipher.endswith("gcm")
    if is_gcm:
        content["mac"] = b"t" * 16
    inner = content["auth_encrypted_content_info" if is_gcm else "encrypted_content_info"]
    inner["encrypted_content"] = b"e" * 64
    if not is_gcm:
        inner["content_encryption_algorithm"]["parameters"] = core.OctetString(b"i" * 16)
        return bytes(info.dump(force=True))
    nonce: bytes = inner["content_encryption_algorithm"]["parameters"].dump()[4:16]
    return bytes(info.dump(force=True)).replace(nonce, b"n" * 12)


def messages(text: str, draw: Random, *, is_thorough: bool) -> None:
    """Read an input as a message, as a receipt and as a certificate."""
    del draw, is_thorough
    in_time(partial(_read, text))


def _read(text: str) -> None:
    raw = text.encode("latin-1", "replace")
    with suppress(CertificateError):
        read_certificate_facts(text)
    try:
        entity = read_entity(raw)
    except MimeError:
        return
    _as_message(entity, len(raw))
    with suppress(ReceiptError):
        read_receipt(As2Body(entity.header("content-type"), bytes(entity.body)), [_certificate()])


def _as_message(entity: Entity, size: int) -> None:
    try:
        headers = read_message_headers(entity.headers)
    except HeadersError:
        headers = None
    accepts = Acceptance(
        pairs=(),
        certificates=(_certificate(),),
        must_be_signed=False,
        must_be_encrypted=False,
        max_bytes=MAX_BYTES,
    )
    asked = None if headers is None else headers.receipt
    try:
        found = open_message(entity.headers, entity.body, asked, accepts)
    except As2Error:
        return
    assert not found.is_signed
    assert not found.is_encrypted
    assert len(found.payload) <= max(MAX_BYTES, size)
