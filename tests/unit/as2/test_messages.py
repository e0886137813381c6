"""Messages in every wrapping: the same bytes come out, and nothing else is accepted."""

import tracemalloc
import zlib
from dataclasses import replace

import pytest
from asn1crypto import cms, core
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

from longshore.as2.algorithms import CIPHERS, DIGESTS, mic_of
from longshore.as2.compression import compress, decompress
from longshore.as2.envelopes import decrypt, encrypt
from longshore.as2.errors import As2Error, DecompressionError, DecryptionError
from longshore.as2.headers import ReceiptRequest
from longshore.as2.messages import Acceptance, Composed, Opened, Wrapping, compose, open_message
from longshore.as2.mime import write_entity
from longshore.as2.receipts import signed_body
from longshore.as2.signatures import sign, verify
from tests.support.as2 import NOW, a_pair

US, THEM, STRANGER = a_pair("US"), a_pair("THEM"), a_pair("STRANGER")
PAYLOADS = (b"", b"ISA*00~\r\nIEA*1~\r\n", b"a\nb\n", b"x\r\n\r\n", bytes(range(256)), b"\r\n--=-")
PAYLOAD = b"ISA*00*~\nIEA*1*1~\n"
ACCEPTS = Acceptance(
    pairs=(THEM,),
    certificates=(US.certificate,),
    digests=DIGESTS,
    ciphers=CIPHERS,
    max_bytes=1_000,
)
ANYTHING = replace(ACCEPTS, must_be_signed=False, must_be_encrypted=False)
PLAIN = Wrapping(sign=None, encrypt=None)

ENTITY = b"Content-Type: application/EDI-X12\r\nContent-Transfer-Encoding: binary\r\n\r\n" + PAYLOAD


def composed(wrapping: Wrapping, payload: bytes = PAYLOAD) -> Composed:
    return compose(payload, wrapping, US, THEM.certificate, NOW)


def opened(
    message: Composed, accepts: Acceptance = ACCEPTS, asked: ReceiptRequest | None = None
) -> Opened:
    headers = {"content-type": message.body.content_type}
    return open_message(headers, message.body.content, asked, accepts)


def refused(
    message: Composed, accepts: Acceptance = ACCEPTS, asked: ReceiptRequest | None = None
) -> tuple[str, str]:
    with pytest.raises(As2Error) as error:
        opened(message, accepts, asked)
    return error.value.disposition.value, str(error.value)


def with_body(message: Composed, content: bytes) -> Composed:
    return replace(message, body=replace(message.body, content=content))


@pytest.mark.parametrize("sign_with", [None, *DIGESTS])
@pytest.mark.parametrize("encrypt_with", [None, *CIPHERS])
def test_every_wrapping_keeps_the_bytes_and_the_mic(
    sign_with: str | None, encrypt_with: str | None
) -> None:
    for number, payload in enumerate(PAYLOADS):
        wrapping = Wrapping(
            sign=sign_with,
            encrypt=encrypt_with,
            is_oaep=number % 2 == 1,
            compress=number % 3 == 1,
            is_base64=number % 3 == 2,
            filename="order.edi",
        )
        message = composed(wrapping, payload)
        found = opened(message, ANYTHING)
        assert found.payload == payload
        assert found.mic == message.mic
        is_wrapped = bool(sign_with or encrypt_with or wrapping.compress)
        assert found.filename == ("order.edi" if is_wrapped else "")
        assert found.content_type == "application/EDI-X12"
        assert (found.is_signed, found.is_encrypted, found.is_compressed) == (
            sign_with is not None,
            encrypt_with is not None,
            wrapping.compress,
        )


def test_long_payloads_are_the_same_bytes_in_every_wrapping() -> None:
    payload = bytes(range(256)) * 5_000  # longer than what is cut out, and than a piece
    for changes in (
        {},
        {"encrypt": "aes256_gcm"},
        {"encrypt": "3des"},
        {"compress": True, "encrypt": None},
        {"is_base64": True},
    ):
        message = composed(replace(Wrapping(), **changes), payload)
        accepts = replace(ACCEPTS, must_be_encrypted=False, max_bytes=2_000_000, ciphers=CIPHERS)
        found = opened(message, accepts)
        assert found.payload == payload
        assert found.mic == message.mic


def test_a_payload_is_held_once_more_to_be_sent_and_twice_to_be_opened() -> None:
    payload, accepts = bytes(4_000_000), replace(ACCEPTS, max_bytes=4_000_000)
    tracemalloc.start()
    try:
        message = composed(Wrapping(), payload)
        to_send = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        assert opened(message, accepts).payload == payload
        to_open = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert to_send < 1.5 * len(payload)
    assert to_open < 2.5 * len(payload)


def test_the_mic_is_over_what_the_rfcs_say() -> None:
    assert composed(PLAIN).mic == mic_of("sha256", PAYLOAD)
    for each in (Wrapping(), replace(PLAIN, encrypt="aes128_cbc"), replace(PLAIN, compress=True)):
        assert composed(each).mic == mic_of("sha256", ENTITY)
    # Compressed before it is signed: what was signed is the compressed entity.
    assert composed(Wrapping(compress=True)).mic != mic_of("sha256", ENTITY)


def test_the_receipt_may_name_any_digest_that_is_allowed() -> None:
    names = ("sha1", "sha256", "sha384", "sha512")
    assert composed(Wrapping(sign="sha1")).mics == tuple(mic_of(each, ENTITY) for each in names)
    assert composed(PLAIN).mics == tuple(mic_of(each, PAYLOAD) for each in names[1:])


def test_the_receipt_may_ask_for_another_digest() -> None:
    message = composed(Wrapping())

    def asked(*micalgs: str, is_required: bool = False) -> ReceiptRequest:
        return ReceiptRequest(micalgs=micalgs, requires_micalg=is_required)

    for request, digest in (
        (asked("sha1", "sha-512"), "sha1"),
        (asked("crc", "sha-512"), "sha512"),
        (asked("crc"), "sha256"),
        (asked(is_required=True), "sha256"),
    ):
        assert opened(message, asked=request).mic == mic_of(digest, ENTITY)
    assert refused(message, asked=asked("crc", is_required=True)) == (
        "failed/failure: unsupported MIC-algorithms",
        "None of the requested MIC algorithms is allowed.",
    )


@pytest.mark.parametrize(
    ("wrapping", "text"),
    [
        (PLAIN, "The message is not encrypted, as was agreed."),
        (replace(PLAIN, encrypt="aes128_cbc"), "The message is not signed, as was agreed."),
        (replace(PLAIN, sign="sha256"), "The message is not encrypted, as was agreed."),
        (
            replace(PLAIN, compress=True),
            "The message is not encrypted and not signed, as was agreed.",
        ),
    ],
)
def test_less_security_than_agreed_is_refused(wrapping: Wrapping, text: str) -> None:
    assert refused(composed(wrapping)) == ("processed/error: insufficient-message-security", text)


def test_weak_algorithms_are_off_by_default() -> None:
    strong = Acceptance(pairs=(THEM,), certificates=(US.certificate,), max_bytes=1_000)
    for digest in ("sha1", "md5"):
        assert refused(composed(Wrapping(sign=digest)), strong) == (
            "processed/error: authentication-failed",
            "The signature uses an algorithm that is not allowed.",
        )
    failed = "processed/error: decryption-failed", "The message cannot be decrypted."
    assert refused(composed(Wrapping(encrypt="3des")), strong) == failed


def test_two_keys_of_each_side_are_accepted() -> None:
    accepts = replace(
        ACCEPTS,
        pairs=(STRANGER, THEM),
        certificates=(STRANGER.certificate, US.certificate),
    )
    assert opened(composed(Wrapping()), accepts).payload == PAYLOAD


def test_other_keys_are_refused() -> None:
    message = composed(Wrapping())
    assert refused(message, replace(ACCEPTS, certificates=(STRANGER.certificate,))) == (
        "processed/error: authentication-failed",
        "The signature was not made with a key of a pinned certificate.",
    )
    assert refused(message, replace(ACCEPTS, certificates=()))[0].endswith("authentication-failed")
    failed = "processed/error: decryption-failed", "The message cannot be decrypted."
    assert refused(message, replace(ACCEPTS, pairs=(STRANGER,))) == failed
    assert refused(message, replace(ACCEPTS, pairs=())) == failed


@pytest.mark.parametrize("cipher", ["aes128_cbc", "aes256_gcm"])
def test_every_flipped_byte_of_an_envelope_is_detected(cipher: str) -> None:
    message = composed(Wrapping(encrypt=cipher))
    content = message.body.content
    for at in range(0, len(content), 7):
        changed = bytearray(content)
        changed[at] ^= 1
        assert outcome(with_body(message, bytes(changed))) in {
            "the same bytes",  # of what means nothing, such as a version
            "decryption-failed",
            "authentication-failed",
            "integrity-check-failed",
            "insufficient-message-security",  # CBC: what says that it is signed was changed
        }


def outcome(message: Composed) -> str:
    try:
        found = opened(message)
    except As2Error as error:
        return error.disposition.value.removeprefix("processed/error: ")
    return "the same bytes" if found.payload == PAYLOAD else "other bytes"


def test_every_flipped_byte_of_a_signed_entity_is_detected() -> None:
    message = composed(replace(PLAIN, sign="sha256"))
    accepts = replace(ACCEPTS, must_be_encrypted=False)
    content = message.body.content
    start = content.index(b"Content-Type")
    for at in range(start, start + len(ENTITY)):
        changed = bytearray(content)
        changed[at] ^= 1
        disposition, _ = refused(with_body(message, bytes(changed)), accepts)
        assert disposition == "processed/error: integrity-check-failed"


def test_line_ends_that_were_changed_on_the_way_are_made_canonical() -> None:
    content = b"A: 1\r\n\r\nx\r\n"
    signature = sign(content, US, "sha256", NOW)
    assert verify(b"A: 1\n\nx\n", signature, (US.certificate,)).content == content
    assert verify(content, signature, (US.certificate,)).content == content


def test_a_signature_without_attributes_is_verified() -> None:
    content = b"x\r\n"
    info = cms.ContentInfo.load(sign(content, US, "sha256", NOW))
    signer = info["content"]["signer_infos"][0]
    bare = {name: signer[name] for name in signer if name not in {"signed_attrs", "unsigned_attrs"}}
    bare["signature"] = US.private_key.sign(content, PKCS1v15(), hashes.SHA256())
    info["content"]["signer_infos"] = [bare]
    signature = info.dump(force=True)
    assert verify(content, signature, (US.certificate,)).content == content
    assert verify(b"x\n", signature, (US.certificate,)).content == content
    with pytest.raises(As2Error, match="not made with a key of a pinned certificate"):
        verify(b"y", signature, (US.certificate,))


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("content_type", "data", "The signature is no CMS SignedData."),
        ("signers", 0, "The signature has none or more than 5 signers."),
        ("signers", 6, "The signature has none or more than 5 signers."),
        ("digest", "md2", "The signature uses an algorithm that is not allowed."),
        ("algorithm", "sha1_rsa", "The signature uses an algorithm that is not allowed."),
        ("attributes", [], "The signature has none or several message digests."),
        ("bytes", b"\x30\x80", "The signature cannot be read."),
        ("bytes", b"0" * 262_145, "The signature is longer than 262,144 bytes."),
    ],
)
def test_what_is_no_signature_is_refused(name: str, value: object, text: str) -> None:
    info = cms.ContentInfo.load(sign(b"x", US, "sha256", NOW))
    signers = info["content"]["signer_infos"]
    match name:
        case "content_type":
            info = cms.ContentInfo({"content_type": value, "content": b"x"})
        case "signers":
            assert isinstance(value, int)
            info["content"]["signer_infos"] = [signers[0]] * value
        case "digest":
            signers[0]["digest_algorithm"] = {"algorithm": value}
        case "algorithm":
            signers[0]["signature_algorithm"] = {"algorithm": value}
        case "attributes":
            signers[0]["signed_attrs"] = value
        case _:
            assert isinstance(value, bytes)
    der = value if isinstance(value, bytes) else info.dump(force=True)
    with pytest.raises(As2Error) as error:
        verify(b"x", der, (US.certificate,))
    assert (error.value.disposition.name, str(error.value)) == ("AUTHENTICATION_FAILED", text)


def test_an_envelope_names_its_owner_by_key_identifier_too() -> None:
    info = cms.ContentInfo.load(encrypt(PAYLOAD, THEM.certificate, "aes256_cbc", is_oaep=False))
    recipient = info["content"]["recipient_infos"][0].chosen
    identifier = THEM.certificate.asn1.key_identifier
    recipient["rid"] = cms.RecipientIdentifier({"subject_key_identifier": identifier})
    assert decrypt(info.dump(force=True), (THEM,)) == PAYLOAD


@pytest.mark.parametrize(
    "change",
    ["kind", "cipher", "no recipients", "many recipients", "transport", "key", "nonce", "tag"],
)
def test_whatever_is_wrong_with_an_envelope_it_is_refused_in_one_way(change: str) -> None:
    info = cms.ContentInfo.load(encrypt(PAYLOAD, THEM.certificate, "aes256_gcm", is_oaep=True))
    envelope = info["content"]
    recipients = envelope["recipient_infos"]
    algorithm = envelope["auth_encrypted_content_info"]["content_encryption_algorithm"]
    match change:
        case "kind":
            info = cms.ContentInfo({"content_type": "data", "content": b"x"})
        case "cipher":
            algorithm["algorithm"] = "aes256_cbc"
        case "no recipients":
            envelope["recipient_infos"] = []
        case "many recipients":
            envelope["recipient_infos"] = [recipients[0]] * 21
        case "transport":
            recipients[0].chosen["key_encryption_algorithm"]["algorithm"] = "1.2.3"
        case "key":
            recipients[0].chosen["encrypted_key"] = b"x" * 256
        case "nonce":
            algorithm["parameters"] = core.OctetString(b"x" * 8)
        case _:
            envelope["mac"] = b"x" * 12
    with pytest.raises(DecryptionError, match=r"^The message cannot be decrypted\.$"):
        decrypt(info.dump(force=True), (THEM,))
    with pytest.raises(DecryptionError, match=r"^The message cannot be decrypted\.$"):
        decrypt(b"\x30", (THEM,))


def test_a_bomb_is_not_expanded() -> None:
    bomb = composed(Wrapping(compress=True), b"0" * 100_000)
    assert len(bomb.body.content) < 4_000
    assert refused(bomb) == (
        "processed/error: decompression-failed",
        "The compressed content expands to more than 2,000 bytes.",
    )
    assert refused(composed(Wrapping(), b"0" * 1_001)) == (
        "failed/failure: unsupported format",
        "The payload is longer than 1,000 bytes.",
    )


def test_what_is_not_compressed_is_refused() -> None:
    unreadable = "The compressed content cannot be read."
    info = cms.ContentInfo.load(compress(b"x"))
    other, cut, garbage = info.copy(), info.copy(), info.copy()
    other["content"]["compression_algorithm"]["algorithm"] = "1.2.3"
    cut["content"]["encap_content_info"]["content"] = zlib.compress(b"x" * 99)[:8]
    garbage["content"]["encap_content_info"]["content"] = b"garbage"
    for der, text in (
        (b"\x30", unreadable),
        (sign(b"x", US, "sha256", NOW), "The content is no CMS CompressedData."),
        (other.dump(force=True), "The content is compressed in another way than with zlib."),
        (cut.dump(force=True), "The compressed content is cut short."),
        (garbage.dump(force=True), unreadable),
    ):
        with pytest.raises(DecompressionError) as error:
            decompress(der, 100)
        assert str(error.value) == text
    assert decompress(compress(b"x" * 100), 100) == b"x" * 100


def test_layers_that_nobody_sends_are_refused() -> None:
    def unwrapped(content_type: str, content: bytes) -> tuple[str, str]:
        message = composed(PLAIN)
        body = replace(message.body, content_type=content_type, content=content)
        return refused(replace(message, body=body), ANYTHING)

    opaque = "application/pkcs7-mime; smime-type=signed-data"
    failed = ("processed/error: decryption-failed", "The message cannot be decrypted.")
    unsupported = "failed/failure: unsupported format"
    assert unwrapped(opaque, b"x") == (unsupported, "The signature is not detached.")
    assert unwrapped("application/pkcs7-mime; smime-type=compressed-data", compress(b"")) == failed
    assert unwrapped("no type", b"x") == (unsupported, "The Content-Type is no media type.")
    several = 'multipart/mixed; boundary="b"'
    text = "The message has several parts with a payload."
    assert unwrapped(several, b"--b\r\n\r\nx\r\n--b--") == (unsupported, text)
    entity = write_entity((("Content-Type", "a/b"),), PAYLOAD)
    once = signed_body(entity, US, "sha256", NOW)
    wrapped = write_entity((("Content-Type", once.content_type),), once.content)
    twice = signed_body(wrapped, US, "sha256", NOW)
    text = "The message is signed twice."
    assert unwrapped(twice.content_type, twice.content) == (unsupported, text)
    for _ in range(4):
        entity = write_entity(
            (("Content-Type", "application/pkcs7-mime; smime-type=compressed-data"),),
            compress(entity),
        )
    text = "The message has more than 4 layers."
    signed = signed_body(entity, US, "sha256", NOW)
    assert unwrapped(signed.content_type, signed.content) == (unsupported, text)


def test_the_parts_of_a_signed_entity_are_two_and_the_second_is_the_signature() -> None:
    def unsigned(content: bytes) -> str:
        message = composed(PLAIN)
        body = replace(message.body, content_type="multipart/signed; boundary=b", content=content)
        return refused(replace(message, body=body), ANYTHING)[1]

    assert unsigned(b"--b\r\n\r\nx\r\n--b--") == "The signed entity does not have two parts."
    text = "The second part of the signed entity is no signature."
    assert unsigned(b"--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--") == text


def test_compressed_after_it_was_signed_is_read_too() -> None:
    signed = composed(replace(PLAIN, sign="sha256"))
    entity = write_entity((("Content-Type", signed.body.content_type),), signed.body.content)
    kind = "application/pkcs7-mime; smime-type=compressed-data"
    body = replace(signed.body, content_type=kind, content=compress(entity))
    found = opened(replace(signed, body=body), replace(ANYTHING, max_bytes=10_000))
    assert (found.payload, found.mic) == (PAYLOAD, signed.mic)
    assert (found.is_signed, found.is_compressed) == (True, True)
