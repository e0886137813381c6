"""Detached CMS signatures (RFC 5652 section 5): made with one key, verified with pinned ones.

The certificates inside a signature are not looked at. A signature counts if the key of a pinned
certificate has made it, whatever it says of its signer.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from asn1crypto import cms, core
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed

from longshore.as2.algorithms import DIGESTS, STRONG_DIGESTS, digest_of
from longshore.as2.buffers import Content, Contents
from longshore.as2.errors import PARSE_ERRORS, As2Error, Disposition, SignatureError
from longshore.as2.keys import Certificate, KeyPair
from longshore.as2.mime import with_crlf

MAX_SIGNERS: Final = 5
MAX_SIGNATURE_BYTES: Final = 262_144

_HASHES: Final[dict[str, type[hashes.HashAlgorithm]]] = {
    "sha256": hashes.SHA256,
    "sha384": hashes.SHA384,
    "sha512": hashes.SHA512,
    "sha1": hashes.SHA1,  # noqa: S303 - for partners that it is switched on for
    "md5": hashes.MD5,  # noqa: S303 - the same
}
_RSA: Final = "rsassa_pkcs1v15"
_SET_OF: Final = b"\x31"  # the tag that signed attributes are hashed with


@dataclass(frozen=True, slots=True)
class Verified:
    """A signature that a pinned key has made."""

    content: Content
    """The bytes that were signed: the content as it came, or with canonical line ends."""
    digest: str
    """The name of the digest."""
    certificate: Certificate
    """The pinned certificate of the key."""


@dataclass(frozen=True, slots=True)
class _Signer:
    digest: str
    signature: bytes
    attributes: bytes
    """The signed attributes as they are hashed; ``b""`` without any."""
    message_digest: bytes


def sign(contents: Contents, pair: KeyPair, digest: str, now: datetime) -> bytes:
    """Return a detached signature over contents one after the other, as DER."""
    attributes = cms.CMSAttributes([
        {"type": "content_type", "values": ["data"]},
        {"type": "signing_time", "values": [cms.Time({"utc_time": now.replace(microsecond=0)})]},
        {"type": "message_digest", "values": [digest_of(digest, contents)]},
    ])
    signature = pair.private_key.sign(attributes.dump(), PKCS1v15(), _HASHES[digest]())
    signer = {
        "version": "v1",
        "sid": {"issuer_and_serial_number": issuer_and_serial(pair.certificate)},
        "digest_algorithm": {"algorithm": digest},
        "signed_attrs": attributes,
        "signature_algorithm": {"algorithm": _RSA},
        "signature": signature,
    }
    signed = cms.SignedData({
        "version": "v1",
        "digest_algorithms": [{"algorithm": digest}],
        "encap_content_info": {"content_type": "data"},
        "certificates": [pair.certificate.asn1],
        "signer_infos": [signer],
    })
    return bytes(cms.ContentInfo({"content_type": "signed_data", "content": signed}).dump())


def issuer_and_serial(certificate: Certificate) -> cms.IssuerAndSerialNumber:
    """Return how CMS names a certificate."""
    described = certificate.asn1
    return cms.IssuerAndSerialNumber({
        "issuer": described.issuer,
        "serial_number": described.serial_number,
    })


def describe_signers(der: Content) -> tuple[str, ...]:
    """Return whom a signature names as its signers, for people; nobody if it is malformed."""
    try:
        signers = cms.ContentInfo.load(bytes(der), strict=True)["content"]["signer_infos"]
        return tuple(describe_owner(each["sid"]) for each in signers)
    except PARSE_ERRORS:
        return ()


def describe_owner(named: core.Choice) -> str:
    """Return whose key a signature or an envelope names, for people."""
    if not named.name.startswith("issuer"):
        return f"the key identifier {bytes(named.native).hex(':').upper()}"
    issuer, number = named.chosen["issuer"], named.chosen["serial_number"].native
    return f"the certificate {number:X} of {issuer.human_friendly}"


def verify(
    content: Content,
    der: Content,
    certificates: Sequence[Certificate],
    allowed: Collection[str] = STRONG_DIGESTS,
) -> Verified:
    """Return what a detached signature proves.

    Args:
        content: The bytes that are said to be signed.
        der: The signature.
        certificates: Those of the keys that may have made it.
        allowed: The digests that it may use.

    Raises:
        SignatureError: No such key has made it, or it uses another digest.
        As2Error: The content is not the one that was signed.
    """
    signers = _read_signers(der)
    permitted = [each for each in signers if each.digest in allowed]
    if not permitted:
        raise SignatureError("The signature uses an algorithm that is not allowed.")
    for signer in permitted:
        for certificate in certificates:
            if signer.attributes and _is_signed(signer, signer.attributes, certificate):
                return Verified(_matching(content, signer), signer.digest, certificate)
            if not signer.attributes:
                for make in (_as_it_is, with_crlf):
                    form = make(content)
                    if _is_signed(signer, form, certificate):
                        return Verified(form, signer.digest, certificate)
    raise SignatureError("The signature was not made with a key of a pinned certificate.")


def _is_signed(signer: _Signer, content: Content, certificate: Certificate) -> bool:
    algorithm = _HASHES[signer.digest]()
    digest = digest_of(signer.digest, content)
    try:
        certificate.public_key.verify(signer.signature, digest, PKCS1v15(), Prehashed(algorithm))
    except InvalidSignature:
        return False
    return True


def _matching(content: Content, signer: _Signer) -> Content:
    for make in (_as_it_is, with_crlf):
        form = make(content)
        if hmac.compare_digest(digest_of(signer.digest, form), signer.message_digest):
            return form
    raise As2Error(Disposition.INTEGRITY_FAILED, "The content is not the one that was signed.")


def _as_it_is(content: Content) -> Content:
    return content


def _read_signers(der: Content) -> list[_Signer]:
    if len(der) > MAX_SIGNATURE_BYTES:
        raise SignatureError(f"The signature is longer than {MAX_SIGNATURE_BYTES:,} bytes.")
    try:
        info = cms.ContentInfo.load(bytes(der), strict=True)
        if info["content_type"].native != "signed_data":
            raise SignatureError("The signature is no CMS SignedData.")
        signers = info["content"]["signer_infos"]
        if not 1 <= len(signers) <= MAX_SIGNERS:
            raise SignatureError(f"The signature has none or more than {MAX_SIGNERS} signers.")
        return [_read_signer(each) for each in signers]
    except PARSE_ERRORS as error:
        raise SignatureError("The signature cannot be read.") from error


def _read_signer(info: cms.SignerInfo) -> _Signer:
    digest = info["digest_algorithm"]["algorithm"].native
    algorithm = info["signature_algorithm"]["algorithm"].native
    # With RSA alone the digest is that of the signer; else both name it.
    if algorithm not in {_RSA, f"{digest}_rsa"}:
        digest = ""
    attributes = info["signed_attrs"]
    is_given = not isinstance(attributes, core.Void)
    return _Signer(
        digest=digest if digest in DIGESTS else "",
        signature=info["signature"].native,
        attributes=_SET_OF + attributes.dump()[1:] if is_given else b"",
        message_digest=_message_digest(attributes) if is_given else b"",
    )


def _message_digest(attributes: cms.CMSAttributes) -> bytes:
    found = [each["values"] for each in attributes if each["type"].native == "message_digest"]
    if len(found) != 1 or len(found[0]) != 1:
        raise SignatureError("The signature has none or several message digests.")
    return bytes(found[0][0].native)
