"""The report about a saved message names each step, and the one that is wrong."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from asn1crypto import cms, core

from longshore.as2.certificates import read_certificate_facts
from longshore.as2.compression import compress
from longshore.as2.headers import ReceiptRequest
from longshore.as2.inspection import Inspection, inspect_message
from longshore.as2.keys import KeyPair
from longshore.as2.messages import MAX_LAYERS, Acceptance, Composed, Wrapping, compose
from longshore.as2.mime import write_entity
from longshore.as2.receipts import As2Body
from tests.support.as2 import NOW, a_pair

US, THEM, STRANGER = a_pair("US"), a_pair("THEM"), a_pair("STRANGER")
PAYLOAD = b"ISA*00*~\nIEA*1*1~\n"
ACCEPTS = Acceptance(
    pairs=(THEM,),
    certificates=(US.certificate,),
    digests=("sha256",),
    ciphers=("aes256_cbc", "aes256_gcm"),
    max_bytes=1_000,
)
WRAPPING = Wrapping(filename="order.edi")


def fingerprint(pair: KeyPair) -> str:
    return read_certificate_facts(pair.certificate.pem).fingerprint


def certificate(pair: KeyPair) -> str:
    name = pair.certificate.asn1.issuer.human_friendly
    return f"the certificate {pair.certificate.asn1.serial_number:X} of {name}"


def message(wrapping: Wrapping = WRAPPING, by: KeyPair = US, to: KeyPair = THEM) -> Composed:
    return compose(PAYLOAD, wrapping, by, to.certificate, NOW)


def inspected(
    body: As2Body, accepts: Acceptance = ACCEPTS, asked: ReceiptRequest | None = None
) -> Inspection:
    return inspect_message({"content-type": body.content_type}, body.content, asked, accepts)


def texts(found: Inspection) -> list[str]:
    """Return the texts of the steps, of which at most the last is wrong."""
    assert all(each.is_right for each in found.steps[:-1])
    assert found.steps[-1].is_right == (found.opened is not None)
    return [each.text for each in found.steps]


def test_each_layer_of_a_message_is_said() -> None:
    sent = message(replace(WRAPPING, compress=True))
    found = inspected(sent.body)
    assert texts(found) == [
        f"Encrypted with aes256_cbc for our certificate {fingerprint(THEM)}.",
        f"Signed with sha256 by the certificate {fingerprint(US)}.",
        "Compressed.",
        f"The payload has 18 bytes (application/EDI-X12, order.edi). MIC: {sent.mic}.",
    ]
    assert found.opened is not None
    assert (found.opened.payload, found.disposition.value) == (PAYLOAD, "processed")


def test_a_message_in_no_layer_is_its_payload() -> None:
    accepts = replace(ACCEPTS, must_be_encrypted=False, must_be_signed=False)
    plain = message(Wrapping(sign=None, encrypt=None))
    found = inspected(As2Body("", plain.body.content), accepts)
    assert texts(found) == [f"The payload has 18 bytes (no type). MIC: {plain.mic}."]


def with_identifier(sent: Composed) -> As2Body:
    """Return a message whose envelope names a key by its identifier."""
    info = cms.ContentInfo.load(sent.body.content)
    recipient = info["content"]["recipient_infos"][0].chosen
    recipient["rid"] = cms.RecipientIdentifier({
        "subject_key_identifier": core.OctetString(b"\x30")
    })
    return As2Body(sent.body.content_type, info.dump(force=True))


def changed(sent: Composed) -> As2Body:
    return As2Body(sent.body.content_type, sent.body.content[:-1] + b"?")


CHANGED = "and was changed since or made wrongly."
SIGNED = replace(WRAPPING, encrypt=None)
ENCRYPTED_ONLY = "It is encrypted for {}, which is no key of our identity."
NOT_PINNED = (
    "The signature was not made with a key of a pinned certificate. It names {} as the signer."
)
CASES: tuple[tuple[Callable[[], As2Body], str, str], ...] = (
    (
        lambda: message(to=STRANGER).body,
        ENCRYPTED_ONLY.format(certificate(STRANGER)),
        "processed/error: decryption-failed",
    ),
    (
        lambda: with_identifier(message()),
        ENCRYPTED_ONLY.format("the key identifier 30"),
        "processed/error: decryption-failed",
    ),
    (
        lambda: message(replace(WRAPPING, encrypt="3des")).body,
        "It is encrypted with 3des, which was not agreed.",
        "processed/error: decryption-failed",
    ),
    (
        lambda: changed(message(replace(WRAPPING, encrypt="aes256_gcm"))),
        f"It is encrypted for our certificate {fingerprint(THEM)}, {CHANGED}",
        "processed/error: decryption-failed",
    ),
    (
        lambda: As2Body("application/pkcs7-mime; smime-type=enveloped-data", b"0"),
        "The encrypted content is malformed, or of a kind not used here.",
        "processed/error: decryption-failed",
    ),
    (
        lambda: As2Body("application/pkcs7-mime; smime-type=signed-data", b"0"),
        "The signature is not detached.",
        "failed/failure: unsupported format",
    ),
    (
        lambda: message(SIGNED, by=STRANGER).body,
        NOT_PINNED.format(certificate(STRANGER)),
        "processed/error: authentication-failed",
    ),
    (
        lambda: As2Body(
            'multipart/signed; boundary="b"',
            b"--b\n\nx\n--b\nContent-Type: application/pkcs7-signature\n\n0\n--b--",
        ),
        "The signature cannot be read. It names nobody as the signer.",
        "processed/error: authentication-failed",
    ),
    (
        lambda: message(replace(WRAPPING, sign=None)).body,
        "The message is not signed, as was agreed.",
        "processed/error: insufficient-message-security",
    ),
    (
        lambda: As2Body("multipart/signed", b""),
        "The multipart entity names no usable boundary.",
        "failed/failure: unsupported format",
    ),
)


@pytest.mark.parametrize(("body", "text", "disposition"), CASES)
def test_the_last_step_says_what_is_wrong(
    body: Callable[[], As2Body], text: str, disposition: str
) -> None:
    found = inspected(body(), replace(ACCEPTS, must_be_encrypted=False))
    assert (texts(found)[-1], found.disposition.value) == (text, disposition)


def test_a_message_of_too_many_layers_is_refused() -> None:
    compressed = "application/pkcs7-mime; smime-type=compressed-data"
    content = b"\nx"
    for _ in range(MAX_LAYERS):
        content = write_entity((("Content-Type", compressed),), compress(content))
    found = inspected(
        As2Body(compressed, compress(content)), replace(ACCEPTS, must_be_encrypted=False)
    )
    assert [each.text for each in found.steps] == [
        *["Compressed."] * MAX_LAYERS,
        "The message cannot be decrypted.",
    ]
