"""Receipts: what is written is read again, and nothing that proves nothing is believed."""

from dataclasses import replace

import pytest

from longshore.as2.algorithms import Mic, mic_of
from longshore.as2.certificates import PemKeyPair
from longshore.as2.errors import Disposition, ReceiptError
from longshore.as2.exchange import (
    AcceptedFrom,
    answer_headers,
    compose_with_texts,
    receive_message,
    unknown_relationship,
)
from longshore.as2.headers import MessageHeaders, ReceiptRequest
from longshore.as2.messages import Wrapping
from longshore.as2.mime import read_entity
from longshore.as2.receipts import (
    As2Body,
    NewAs2Receipt,
    read_receipt,
    write_receipt,
    write_signed_receipt,
)
from tests.support.as2 import NOW, a_pair

US, THEM = a_pair("US"), a_pair("THEM")
OF = MessageHeaders(sender="US", receiver="THEM co", message_id="<1@us>")
MIC = mic_of("sha256", b"x")
NEW = NewAs2Receipt(of=OF, disposition=Disposition.PROCESSED, text="Received.", mic=MIC)


def test_a_receipt_is_written_as_the_rfc_has_it() -> None:
    report = write_receipt(NEW)
    assert report.content_type.startswith("multipart/report; report-type=disposition-notification;")
    assert (
        b"Reporting-UA: Longshore\r\n"
        b"Original-Recipient: rfc822; THEM co\r\n"
        b"Final-Recipient: rfc822; THEM co\r\n"
        b"Original-Message-ID: <1@us>\r\n"
        b"Disposition: automatic-action/MDN-sent-automatically; processed\r\n"
        b"Received-Content-MIC: LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=, sha-256\r\n"
    ) in report.content


def test_a_receipt_is_read_again() -> None:
    plain = read_receipt(write_receipt(NEW), ())
    assert plain.original_message_id == "<1@us>"
    assert (plain.disposition, plain.mic, plain.is_signed) == ("processed", MIC, False)
    assert (plain.is_positive, plain.text) == (True, "Received.")
    signed = write_signed_receipt(NEW, THEM, "sha512", NOW)
    assert read_receipt(signed, (US.certificate, THEM.certificate)) == replace(
        plain, is_signed=True
    )


@pytest.mark.parametrize("disposition", Disposition)
def test_every_disposition_but_one_is_negative(disposition: Disposition) -> None:
    new = replace(NEW, disposition=disposition, mic=None)
    found = read_receipt(write_receipt(new), ())
    assert (found.disposition, found.mic) == (disposition.value, None)
    assert found.is_positive is (disposition is Disposition.PROCESSED)


def changed(old: bytes, new: bytes) -> As2Body:
    report = write_receipt(NEW)
    assert old in report.content
    return replace(report, content=report.content.replace(old, new))


def test_a_warning_is_positive_and_a_mic_that_is_none_is_none() -> None:
    warning = changed(b"; processed", b"; processed/warning: duplicate-document")
    assert read_receipt(warning, ()).is_positive
    for old, new in ((b", sha-256", b", crc32"), (b"IaSIE=,", b"IaS,"), (b"LXEW", b"\xe9")):
        assert read_receipt(changed(old, new), ()).mic is None
    other = read_receipt(changed(b", sha-256", b", SHA1"), ()).mic
    assert other == Mic(MIC.digest, "sha1")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (As2Body("", b""), "It has another Content-Type than multipart/report."),
        (As2Body("text/html", b"hi"), "It has another Content-Type than multipart/report."),
        (changed(b"message/disp", b"message/x"), "It has no disposition notification."),
        (changed(b"Disposition: auto", b"X: auto"), "It has no disposition."),
        (changed(b"; processed", b""), "It has no disposition."),
        (changed(b"--\r\n", b"\r\n"), "The last boundary of the multipart entity is missing."),
    ],
)
def test_what_is_no_receipt_is_refused(body: As2Body, text: str) -> None:
    with pytest.raises(ReceiptError) as refused:
        read_receipt(body, ())
    assert str(refused.value) == f"The answer is no receipt. {text}"


def test_signatures_of_others_and_long_receipts_are_refused() -> None:
    signed = write_signed_receipt(NEW, US, "sha256", NOW)
    with pytest.raises(ReceiptError) as refused:
        read_receipt(signed, (THEM.certificate,))
    assert str(refused.value) == (
        "The signature of the receipt is not valid. The signature was not made with a key of a"
        " pinned certificate."
    )
    with pytest.raises(ReceiptError, match=r"^The receipt is longer than 262,144 bytes\.$"):
        read_receipt(As2Body("text/plain", b"x" * 262_145), ())


OURS = PemKeyPair(US.certificate.pem, US.private_pem)
THEIRS = PemKeyPair(THEM.certificate.pem, THEM.private_pem)
ACCEPTED = AcceptedFrom(
    pairs=(THEIRS,),
    certificates=(US.certificate.pem,),
    must_be_signed=True,
    must_be_encrypted=True,
    digests=("sha256",),
    ciphers=("aes256_cbc",),
    max_bytes=100,
)
SIGNED = ReceiptRequest(is_signed=True, micalgs=("sha-256",))


@pytest.mark.parametrize("receipt", [None, ReceiptRequest(), SIGNED])
def test_a_message_is_answered_with_the_receipt_it_asks_for(receipt: ReceiptRequest | None) -> None:
    sent = compose_with_texts(b"ISA~", Wrapping(), OURS, THEIRS.certificate, NOW)
    of = replace(OF, receipt=receipt)
    headers = {"content-type": sent.body.content_type}
    for accepted, is_good in ((ACCEPTED, True), (replace(ACCEPTED, max_bytes=3), False)):
        found = receive_message(of, headers, sent.body.content, accepted, NOW)
        payload = None if found.opened is None else found.opened.payload
        assert payload == (b"ISA~" if is_good else None)
        assert found.refusal == ("" if is_good else "The payload is longer than 3 bytes.")
        if receipt is None:
            assert found.answer == b""
            continue
        entity = read_entity(found.answer)
        body = As2Body(entity.header("content-type"), bytes(entity.body))
        read = read_receipt(body, (THEM.certificate,))
        assert (read.is_positive, read.is_signed) == (is_good, receipt.is_signed)
        assert read.mic == (sent.mic if is_good else None)
        expected = "The message <1@us> was received." if is_good else found.refusal
        assert read.text == expected


def test_strangers_get_a_receipt_that_is_not_signed() -> None:
    entity = read_entity(unknown_relationship(OF))
    read = read_receipt(As2Body(entity.header("content-type"), bytes(entity.body)), ())
    assert read.disposition == "processed/error: unknown-trading-relationship"
    assert not read.is_signed
    assert dict(answer_headers(OF, "<2@them>")) == {
        "AS2-Version": "1.2",
        "AS2-From": '"THEM co"',
        "AS2-To": "US",
        "Message-ID": "<2@them>",
        "MIME-Version": "1.0",
    }


def test_without_signature_and_encryption_no_keys_are_needed() -> None:
    wrapping = Wrapping(sign=None, encrypt=None)
    assert compose_with_texts(b"x", wrapping, None, None, NOW).body.content == b"x"


def test_a_pinned_certificate_that_cannot_be_used_is_a_fault_of_ours() -> None:
    accepted = replace(ACCEPTED, certificates=("none",))
    found = receive_message(replace(OF, receipt=SIGNED), {}, b"", accepted, NOW)
    assert found.refusal == "A certificate that is pinned for the sender cannot be used."
    assert b"; processed/error: unexpected-processing-error\r\n" in found.answer


def test_a_boundary_is_in_no_part() -> None:
    text = "=-longshore-0= and =-longshore-1="
    report = write_receipt(replace(NEW, text=text))
    assert report.content_type.endswith('boundary="=-longshore-2="')
    assert read_receipt(report, ()).text == text
