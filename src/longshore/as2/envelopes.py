"""Encrypted CMS content: EnvelopedData (RFC 5652 section 6) and AuthEnvelopedData (RFC 5083).

Whatever cannot be decrypted is refused in one way. A content key that cannot be decrypted is
replaced by a random one, so that the work is the same whether the key, the padding or the tag is
wrong: an answer or its time does not help to decrypt a message of somebody else.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from io import BytesIO
from typing import Final, NamedTuple

from asn1crypto import cms, core
from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import (
    MGF1,
    OAEP,
    AsymmetricPadding,
    PKCS1v15,
)
from cryptography.hazmat.primitives.ciphers import Cipher, CipherAlgorithm
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, GCM
from cryptography.hazmat.primitives.padding import PKCS7

from longshore.as2.algorithms import STRONG_CIPHERS
from longshore.as2.buffers import Content, Contents, length_of, pieces_of
from longshore.as2.der import (
    EXPLICIT,
    IMPLICIT,
    SEQUENCE,
    Level,
    cut_content,
    surroundings,
)
from longshore.as2.errors import PARSE_ERRORS, DecryptionError
from longshore.as2.keys import Certificate, KeyPair
from longshore.as2.signatures import describe_owner, issuer_and_serial

MAX_RECIPIENTS: Final = 20
_PATH: Final = (SEQUENCE, EXPLICIT, SEQUENCE, SEQUENCE, IMPLICIT)
"""From the ContentInfo to the encrypted content."""
_NONCE_BYTES: Final = 12
_TAG_BYTES: Final = 16
_SET_OF: Final = b"\x31"
_OAEP_HASHES: Final[dict[str, type[hashes.HashAlgorithm]]] = {
    "sha1": hashes.SHA1,  # noqa: S303 - the default of RFC 8017; no collision matters here
    "sha256": hashes.SHA256,
    "sha384": hashes.SHA384,
    "sha512": hashes.SHA512,
}


class _CipherFacts(NamedTuple):
    cms_name: str
    key_bytes: int
    block_bytes: int
    is_gcm: bool = False


_CIPHERS: Final[dict[str, _CipherFacts]] = {
    "aes256_cbc": _CipherFacts("aes256_cbc", 32, 16),
    "aes192_cbc": _CipherFacts("aes192_cbc", 24, 16),
    "aes128_cbc": _CipherFacts("aes128_cbc", 16, 16),
    "aes256_gcm": _CipherFacts("aes256_gcm", 32, 16, is_gcm=True),
    "aes192_gcm": _CipherFacts("aes192_gcm", 24, 16, is_gcm=True),
    "aes128_gcm": _CipherFacts("aes128_gcm", 16, 16, is_gcm=True),
    "3des": _CipherFacts("tripledes_3key", 24, 8),
}
_NAMES: Final = {facts.cms_name: name for name, facts in _CIPHERS.items()}


class _GcmParameters(core.Sequence):  # type: ignore[misc] # asn1crypto has no types
    """The parameters of AES-GCM (RFC 5084 section 3.2)."""

    _fields = [  # noqa: RUF012 - asn1crypto fills this list in place
        ("nonce", core.OctetString),
        ("tag_bytes", core.Integer, {"default": 12}),
    ]


class _Recipient(NamedTuple):
    owner: bytes
    """Issuer and serial number, or the key identifier, of the certificate; as DER."""
    padding: AsymmetricPadding
    encrypted_key: bytes
    named: core.Choice
    """The owner as the envelope names it."""


class EnvelopeFacts(NamedTuple):
    """The content of an envelope that is not encrypted."""

    cipher: str
    recipients: tuple[str, ...]
    """For whom it is encrypted, for people."""
    own: Certificate | None
    """Ours that is among them."""


class _Envelope(NamedTuple):
    cipher: str
    parameters: bytes
    """The IV of CBC, the nonce of GCM."""
    encrypted: Content
    recipients: list[_Recipient]
    tag: bytes
    associated: bytes


def encrypt(contents: Contents, certificate: Certificate, cipher: str, *, is_oaep: bool) -> bytes:
    """Return contents encrypted for the owner of a certificate, as DER.

    Args:
        contents: The bytes, one piece after the other.
        certificate: That of the key which decrypts it.
        cipher: One of ``CIPHERS``.
        is_oaep: Encrypt the content key with OAEP and SHA-256 instead of PKCS #1 v1.5.
    """
    facts, key = _CIPHERS[cipher], os.urandom(_CIPHERS[cipher].key_bytes)
    nonce = os.urandom(_NONCE_BYTES if facts.is_gcm else facts.block_bytes)
    recipients = cms.RecipientInfos([_recipient(certificate, key, is_oaep=is_oaep)]).dump()
    parameters: core.Asn1Value = (
        _GcmParameters({"nonce": nonce, "tag_bytes": _TAG_BYTES})
        if facts.is_gcm
        else core.OctetString(nonce)
    )
    algorithm = {"algorithm": facts.cms_name, "parameters": parameters}
    length = length_of(contents)
    if not facts.is_gcm:
        length += facts.block_bytes - length % facts.block_bytes
    kind = "authenticated_enveloped_data" if facts.is_gcm else "enveloped_data"
    mac = core.OctetString(bytes(_TAG_BYTES)).dump() if facts.is_gcm else b""
    levels = (
        Level(SEQUENCE, cms.ContentType(kind).dump()),
        Level(EXPLICIT),
        Level(SEQUENCE, cms.CMSVersion("v0").dump() + recipients, mac),
        Level(
            SEQUENCE,
            cms.ContentType("data").dump() + cms.EncryptionAlgorithm(algorithm).dump(),
        ),
        Level(IMPLICIT),
    )
    head, tail = surroundings(levels, length)
    written = BytesIO()
    written.write(head)
    tag = _write_encrypted(written, contents, facts, key, nonce)
    written.write(tail[: len(tail) - len(tag)] + tag)
    return written.getvalue()


def _write_encrypted(
    to: BytesIO, contents: Contents, facts: _CipherFacts, key: bytes, nonce: bytes
) -> bytes:
    """Write contents encrypted; return the tag of GCM, ``b""`` for CBC."""
    if facts.is_gcm:
        sealer = Cipher(AES(key), GCM(nonce)).encryptor()
        to.writelines(sealer.update(piece) for piece in pieces_of(contents))
        to.write(sealer.finalize())
        return sealer.tag
    padder = PKCS7(facts.block_bytes * 8).padder()
    writer = Cipher(_algorithm(facts, key), CBC(nonce)).encryptor()
    to.writelines(writer.update(padder.update(piece)) for piece in pieces_of(contents))
    to.write(writer.update(padder.finalize()) + writer.finalize())
    return b""


def _algorithm(facts: _CipherFacts, key: bytes) -> CipherAlgorithm:
    return AES(key) if facts.block_bytes == AES.block_size // 8 else TripleDES(key)


def _recipient(certificate: Certificate, key: bytes, *, is_oaep: bool) -> cms.RecipientInfo:
    padding: AsymmetricPadding = PKCS1v15()
    algorithm: dict[str, object] = {"algorithm": "rsaes_pkcs1v15"}
    if is_oaep:
        padding = OAEP(MGF1(hashes.SHA256()), hashes.SHA256(), None)
        algorithm = {
            "algorithm": "rsaes_oaep",
            "parameters": {
                "hash_algorithm": {"algorithm": "sha256"},
                "mask_gen_algorithm": {
                    "algorithm": "mgf1",
                    "parameters": {"algorithm": "sha256"},
                },
            },
        }
    return cms.RecipientInfo({
        "ktri": {
            "version": "v0",
            "rid": {"issuer_and_serial_number": issuer_and_serial(certificate)},
            "key_encryption_algorithm": algorithm,
            "encrypted_key": certificate.public_key.encrypt(key, padding),
        }
    })


def decrypt(
    der: Content, pairs: Sequence[KeyPair], allowed: Collection[str] = STRONG_CIPHERS
) -> bytes:
    """Return the content of an envelope that was encrypted for one of our keys.

    Raises:
        DecryptionError: It cannot be decrypted, for whatever reason, or its cipher is not
            ``allowed``.
    """
    try:
        envelope = _read(der)
    except PARSE_ERRORS as error:
        raise DecryptionError from error
    if envelope.cipher not in allowed:
        raise DecryptionError
    facts = _CIPHERS[envelope.cipher]
    key = _content_key(envelope, pairs, facts.key_bytes)
    content = _open(envelope, facts, key or os.urandom(facts.key_bytes))
    # By chance a random key opens something, which nobody has sent.
    if content is None or not key:
        raise DecryptionError
    return content


def describe_envelope(der: Content, pairs: Sequence[KeyPair]) -> EnvelopeFacts:
    """Return what an envelope says of itself, without decrypting it.

    Raises:
        DecryptionError: It is none.
    """
    try:
        envelope = _read(der)
        recipients = tuple(describe_owner(each.named) for each in envelope.recipients)
    except PARSE_ERRORS as error:
        raise DecryptionError from error
    owners = {each.owner for each in envelope.recipients}
    ours = (each.certificate for each in pairs)
    own = next((each for each in ours if not owners.isdisjoint(_owner_names(each))), None)
    return EnvelopeFacts(envelope.cipher, recipients, own)


def _content_key(envelope: _Envelope, pairs: Sequence[KeyPair], key_bytes: int) -> bytes:
    """Return the content key, ``b""`` if it is for nobody here or cannot be decrypted."""
    for recipient in envelope.recipients:
        for pair in pairs:
            if recipient.owner in _owner_names(pair.certificate):
                try:
                    key = pair.private_key.decrypt(recipient.encrypted_key, recipient.padding)
                except ValueError:
                    return b""
                return key if len(key) == key_bytes else b""
    return b""


def _owner_names(certificate: Certificate) -> tuple[bytes, ...]:
    """Return how an envelope may name a certificate."""
    by_number = bytes(issuer_and_serial(certificate).dump())
    identifier = certificate.asn1.key_identifier
    return (by_number,) if identifier is None else (by_number, bytes(identifier))


def _open(envelope: _Envelope, facts: _CipherFacts, key: bytes) -> bytes | None:
    opened, encrypted = BytesIO(), pieces_of(envelope.encrypted)
    try:
        if facts.is_gcm:
            unsealer = Cipher(AES(key), GCM(envelope.parameters, envelope.tag)).decryptor()
            unsealer.authenticate_additional_data(envelope.associated)
            for piece in encrypted:
                opened.write(unsealer.update(piece))
            opened.write(unsealer.finalize())
        else:
            reader = Cipher(_algorithm(facts, key), CBC(envelope.parameters)).decryptor()
            unpadder = PKCS7(facts.block_bytes * 8).unpadder()
            for piece in encrypted:
                opened.write(unpadder.update(reader.update(piece)))
            opened.write(unpadder.update(reader.finalize()) + unpadder.finalize())
    except (ValueError, InvalidTag, UnsupportedAlgorithm):
        return None
    return opened.getvalue()


def _read(der: Content) -> _Envelope:
    """Return what an envelope holds.

    Raises:
        DecryptionError: It is none, or has too many recipients.
        ValueError: It is malformed; or another of ``PARSE_ERRORS``.
    """
    cut = cut_content(der, _PATH)
    info = cms.ContentInfo.load(bytes(der) if cut is None else cut.der, strict=True)
    kind, content = info["content_type"].native, info["content"]
    if kind not in {"enveloped_data", "authenticated_enveloped_data"}:
        raise DecryptionError
    is_gcm = kind == "authenticated_enveloped_data"
    encrypted = content["auth_encrypted_content_info" if is_gcm else "encrypted_content_info"]
    algorithm = encrypted["content_encryption_algorithm"]
    cipher = _NAMES.get(algorithm["algorithm"].native, "")
    if not cipher or _CIPHERS[cipher].is_gcm is not is_gcm:
        raise DecryptionError
    parameters = algorithm["parameters"]
    infos = content["recipient_infos"]
    if not 1 <= len(infos) <= MAX_RECIPIENTS:
        raise DecryptionError
    attributes = content["auth_attrs"] if is_gcm else core.Void()
    has_attributes = not isinstance(attributes, core.Void)
    return _Envelope(
        cipher=cipher,
        parameters=_nonce(parameters) if is_gcm else parameters.native,
        encrypted=bytes(encrypted["encrypted_content"].native) if cut is None else cut.content,
        recipients=[_key_transport(each.chosen) for each in infos if each.name == "ktri"],
        tag=_tag(content["mac"].native) if is_gcm else b"",
        associated=_SET_OF + attributes.dump()[1:] if has_attributes else b"",
    )


def _nonce(parameters: core.Any) -> bytes:
    read = _GcmParameters.load(parameters.dump(), strict=True)
    if read["tag_bytes"].native != _TAG_BYTES or len(read["nonce"].native) != _NONCE_BYTES:
        raise DecryptionError
    return bytes(read["nonce"].native)


def _tag(mac: bytes) -> bytes:
    if len(mac) != _TAG_BYTES:
        raise DecryptionError
    return mac


def _key_transport(info: cms.KeyTransRecipientInfo) -> _Recipient:
    algorithm, named = info["key_encryption_algorithm"], info["rid"]
    owner = named.chosen.dump() if named.name.startswith("issuer") else named.native
    name, encrypted = algorithm["algorithm"].native, bytes(info["encrypted_key"].native)
    if name == "rsaes_pkcs1v15":
        return _Recipient(bytes(owner), PKCS1v15(), encrypted, named)
    if name != "rsaes_oaep":
        raise DecryptionError
    parameters = algorithm["parameters"]
    main = _OAEP_HASHES[parameters["hash_algorithm"]["algorithm"].native]
    mask = _OAEP_HASHES[parameters["mask_gen_algorithm"]["parameters"]["algorithm"].native]
    return _Recipient(bytes(owner), OAEP(MGF1(mask()), main(), None), encrypted, named)
