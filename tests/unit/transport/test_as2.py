"""AS2 as a transport: what is sent, and what each answer means for the document."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from longshore.as2.algorithms import Mic
from longshore.as2.errors import Disposition
from longshore.as2.headers import MessageHeaders, read_message_headers
from longshore.as2.messages import Acceptance, open_message
from longshore.as2.receipts import (
    As2Body,
    NewAs2Receipt,
    write_receipt,
    write_signed_receipt,
)
from longshore.compute.inline import InlineCompute
from longshore.domain.as2.model import As2Keys, ReceiptToSend
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent
from longshore.domain.partners.connection_members import CONNECTION
from longshore.domain.partners.connections import SIMULATOR_URL, As2Connection
from longshore.kit.environment import Environment
from longshore.transport.as2 import As2, As2Prober
from longshore.transport.egress import EgressError, EgressRequest, EgressResponse
from tests.support.as2 import NOW, a_pair, as2_members, pem_pair
from tests.support.clock import StoppedClock

PAYLOAD = b"ISA*00*~\nIEA*1*1~\n"
KEYS = As2Keys(name="US co", pairs=(pem_pair("US co"),))
NO_CHANGES: Mapping[str, object] = MappingProxyType({})
Answer = Callable[[EgressRequest], EgressResponse]


@dataclass
class ScriptedEgress:
    """Answers each request as a test says."""

    answer: Answer
    sent: list[EgressRequest] = field(default_factory=list)

    async def post(self, outgoing: EgressRequest) -> EgressResponse:
        self.sent.append(outgoing)
        return self.answer(outgoing)


def connection_of(members: dict[str, object]) -> As2Connection:
    read = CONNECTION.read(members, "connection")
    assert isinstance(read, As2Connection)
    return read


def accepts(**changes: object) -> Acceptance:
    usual = Acceptance(
        pairs=(a_pair("THEM"),),
        certificates=(a_pair("US co").certificate,),
        must_be_signed=False,
        must_be_encrypted=False,
        max_bytes=10_000,
    )
    return replace(usual, **changes)  # type: ignore[arg-type]  # each as its field


def headers_of(sent: EgressRequest) -> dict[str, str]:
    return {name.lower(): value for name, value in sent.headers.items()}


def receipt_for(
    sent: EgressRequest,
    payload: bytes | None = None,
    disposition: Disposition = Disposition.PROCESSED,
    signer: str = "THEM",
    message_id: str = "",
) -> EgressResponse:
    """Return the receipt of THEM; ``payload``: that of another message, whose MIC it names."""
    headers = headers_of(sent)
    of = read_message_headers(headers)
    mic = open_message(headers, sent.content, of.receipt, accepts()).mic
    if payload is not None:
        mic = replace(mic, digest=payload.ljust(32)[:32])
    new = NewAs2Receipt(
        of=MessageHeaders(
            sender=of.sender, receiver=of.receiver, message_id=message_id or of.message_id
        ),
        disposition=disposition,
        text="",
        mic=mic if disposition is Disposition.PROCESSED else None,
    )
    return answer_with(
        write_signed_receipt(new, a_pair(signer), "sha256", NOW) if signer else write_receipt(new)
    )


def answer_with(body: As2Body, status: int = 200) -> EgressResponse:
    return EgressResponse(status, content_type=body.content_type, content=body.content)


async def send(
    answer: Answer,
    members: Mapping[str, object] = NO_CHANGES,
    keys: As2Keys | None = KEYS,
) -> tuple[Sent, list[EgressRequest]]:
    egress = ScriptedEgress(answer)
    message = OutboundMessage(
        connection=connection_of(as2_members(**members)),
        environment=Environment.SANDBOX,
        content=PAYLOAD,
        message_id="0a1b",
        as2_keys=keys,
    )
    transport = an_as2(egress)
    return await transport.send(message), egress.sent


def an_as2(egress: ScriptedEgress, base_url: str = "https://us.example.com") -> As2:
    return As2(egress, StoppedClock(), InlineCompute(), base_url)


async def test_a_message_that_its_receipt_confirms_is_delivered() -> None:
    sent, (request,) = await send(receipt_for)
    assert (sent.verdict.outcome.value, sent.http_status, sent.error_code) == (
        "succeeded",
        200,
        None,
    )
    headers = dict(request.headers)
    assert headers.pop("User-Agent").startswith("Longshore/")
    assert headers == {
        "AS2-Version": "1.2",
        "AS2-From": '"US co"',
        "AS2-To": "THEM",
        "Message-ID": "<0a1b@longshore>",
        "Subject": "EDI document",
        "MIME-Version": "1.0",
        "Content-Type": "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
        "Accept-Encoding": "identity",
        "Date": "Thu, 15 Jan 2026 14:05:09 GMT",
        "Disposition-Notification-To": '"US co"',
        "Disposition-Notification-Options": (
            "signed-receipt-protocol=required, pkcs7-signature;"
            " signed-receipt-micalg=required, sha-256"
        ),
    }
    assert (request.url, request.may_be_plain) == ("https://as2.example.com/", True)
    opened = open_message(headers_of(request), request.content, None, accepts())
    assert (opened.payload, opened.filename) == (PAYLOAD, "0a1b.edi")
    assert (opened.is_signed, opened.is_encrypted) == (True, True)


async def test_a_partner_may_agree_to_less() -> None:
    plain: dict[str, object] = {"sign": False, "encrypt": False, "mdn_signed": False}
    sent, (request,) = await send(lambda sent: receipt_for(sent, signer=""), plain)
    assert (sent.error_code, request.content) == (None, PAYLOAD)
    assert "Disposition-Notification-Options" not in request.headers
    sent, (request,) = await send(lambda _: EgressResponse(204), plain | {"mdn": "none"})
    assert (sent.error_code, sent.http_status) == (None, 204)
    assert "Disposition-Notification-To" not in request.headers


async def test_every_member_of_the_connection_has_its_effect() -> None:
    sent, (request,) = await send(
        receipt_for,
        {
            "sign_algorithm": "sha512",
            "encrypt_algorithm": "aes128_gcm",
            "oaep": True,
            "compress": True,
            "transfer_encoding": "base64",
            "content_type": "application/xml",
        },
    )
    assert sent.error_code is None
    assert "authEnveloped-data" in request.headers["Content-Type"]
    assert request.headers["Disposition-Notification-Options"].endswith("required, sha-512")
    opened = open_message(headers_of(request), request.content, None, accepts())
    assert (opened.payload, opened.content_type) == (PAYLOAD, "application/xml")
    assert (opened.is_compressed, opened.mic.algorithm) == (True, "sha512")


NOT_PINNED = "The signature was not made with a key of a pinned certificate."
NO_RECEIPT = As2Body("text/html", b"<p>hello")


@pytest.mark.parametrize(
    ("answer", "code", "text"),
    [
        (
            lambda sent: receipt_for(sent, disposition=Disposition.DECRYPTION_FAILED),
            "receipt_negative",
            "The receipt of the partner says: processed/error: decryption-failed.",
        ),
        (
            lambda sent: receipt_for(sent, payload=b"x"),
            "mic_mismatch",
            "The destination received something else than was sent.",
        ),
        (
            lambda sent: receipt_for(sent, signer=""),
            "answer_invalid",
            "The receipt is not signed, as was agreed.",
        ),
        (
            lambda sent: receipt_for(sent, signer="STRANGER"),
            "answer_invalid",
            f"The signature of the receipt is not valid. {NOT_PINNED}",
        ),
        (
            lambda sent: receipt_for(sent, message_id="<other@longshore>"),
            "answer_invalid",
            "The receipt is for another message.",
        ),
        (
            lambda _: answer_with(NO_RECEIPT),
            "answer_invalid",
            "The answer is no receipt. It has another Content-Type than multipart/report.",
        ),
        (
            lambda _: answer_with(NO_RECEIPT, 503),
            "http_503",
            "The destination answered with status 503.",
        ),
    ],
)
async def test_every_other_answer_has_its_reason(answer: Answer, code: str, text: str) -> None:
    sent, _ = await send(answer)
    assert (sent.error_code, sent.message) == (code, text)


async def test_a_receipt_that_names_no_mic_ends_the_delivery() -> None:
    def without_mic(sent: EgressRequest) -> EgressResponse:
        answer = receipt_for(sent, signer="")
        return replace(answer, content=answer.content.replace(b"Received-Content-MIC", b"X-MIC"))

    sent, _ = await send(without_mic, {"mdn_signed": False})
    assert (sent.error_code, sent.verdict.is_final) == ("mic_mismatch", True)
    assert sent.message == "The receipt of the partner names no MIC to compare."


async def test_a_destination_that_is_not_reached_is_tried_again() -> None:
    def refuse(_: EgressRequest) -> EgressResponse:
        raise EgressError(FailureKind.CONNECTION_REFUSED)

    sent, _ = await send(refuse)
    assert (sent.error_code, sent.verdict.outcome.value) == ("connection_refused", "failed")


@pytest.mark.parametrize(
    ("members", "keys", "text"),
    [
        ({}, None, "The account has no AS2 identity US co in this environment."),
        ({"certificates": []}, KEYS, "The connection has no certificate of the partner."),
    ],
)
async def test_nothing_is_sent_by_a_connection_that_lacks_something(
    members: dict[str, object], keys: As2Keys | None, text: str
) -> None:
    sent, requests = await send(receipt_for, members, keys)
    assert (sent.error_code, sent.message, requests) == ("not_configured", text, [])


async def test_a_receipt_that_comes_later_is_asked_for_and_its_mics_are_stored_before() -> None:
    stored: list[object] = []

    def taken(sent: EgressRequest) -> EgressResponse:
        headers = headers_of(sent)
        assert headers["receipt-delivery-option"] == "https://us.example.com/as2/mdn"
        found = read_message_headers(headers).receipt
        assert found is not None
        assert (found.is_signed, found.delivery_url) == (True, "https://us.example.com/as2/mdn")
        assert stored == [open_message(headers, sent.content, None, accepts()).mic]
        return EgressResponse(200, content_type="text/plain", content=b"")

    async def store(mics: Sequence[Mic]) -> None:
        stored.append(mics[0])

    egress = ScriptedEgress(taken)
    message = OutboundMessage(
        connection=connection_of(as2_members(mdn="async")),
        environment=Environment.SANDBOX,
        content=PAYLOAD,
        message_id="0a1b",
        as2_keys=KEYS,
        on_composed=store,
    )
    sent = await an_as2(egress).send(message)
    assert (sent.awaits_receipt, sent.http_status, sent.error_code) == (True, 200, None)
    egress.answer = lambda _: EgressResponse(503)
    sent = await an_as2(egress).send(message)
    assert (sent.awaits_receipt, sent.error_code) == (False, "http_503")
    sent = await an_as2(egress, "").send(message)
    assert (sent.error_code, len(egress.sent)) == ("not_configured", 2)
    assert sent.message == "The setting base_url is missing: the partner sends its receipts there."


async def test_a_receipt_of_ours_is_sent_as_it_was_written() -> None:
    receipt = ReceiptToSend(
        url="http://them.example.com/mdn",
        sender="US co",
        receiver="THEM",
        message_id="<7@longshore>",
        entity=b"Content-Type: multipart/report; boundary=b\r\n\r\n--b--",
    )
    egress = ScriptedEgress(lambda _: EgressResponse(200))
    sent = await an_as2(egress).send_receipt(receipt, Environment.PRODUCTION)
    (request,) = egress.sent
    headers = dict(request.headers)
    assert headers.pop("User-Agent").startswith("Longshore/")
    assert headers == {
        "AS2-Version": "1.2",
        "AS2-From": '"US co"',
        "AS2-To": "THEM",
        "Message-ID": "<7@longshore>",
        "MIME-Version": "1.0",
        "Content-Type": "multipart/report; boundary=b",
        "Date": "Thu, 15 Jan 2026 14:05:09 GMT",
    }
    assert (request.url, request.content, request.may_be_plain) == (receipt.url, b"--b--", False)
    assert sent.error_code is None

    def refuse(_: EgressRequest) -> EgressResponse:
        raise EgressError(FailureKind.ADDRESS_REFUSED)

    sent = await an_as2(ScriptedEgress(refuse)).send_receipt(receipt, Environment.SANDBOX)
    assert sent.error_code == "address_refused"


async def test_a_key_that_cannot_be_used_is_named() -> None:
    broken = As2Keys(name="US co", pairs=(replace(KEYS.pairs[0], private_key="no key"),))
    sent, requests = await send(receipt_for, keys=broken)
    assert (sent.error_code, requests) == ("not_configured", [])
    assert sent.message == "The private key cannot be read."


@dataclass
class ScriptedProbe:
    """Answers a probe with a status, or not at all if that is 0."""

    status: int

    async def probe(self, url: str, *, may_be_plain: bool) -> EgressResponse:
        assert (url, may_be_plain) == ("http://them.example.com/", True)
        if not self.status:
            raise EgressError(FailureKind.NAME_NOT_FOUND)
        return EgressResponse(self.status)


async def test_a_probe_is_answered_with_a_status_or_with_what_went_wrong() -> None:
    for status, expected in (
        (200, (200, None)),
        (404, (404, "http_404")),
        (0, (None, "name_not_found")),
    ):
        prober = As2Prober(ScriptedProbe(status))  # type: ignore[arg-type]  # all that is used of it
        sent = await prober.probe("http://them.example.com/", Environment.SANDBOX)
        assert (sent.http_status, sent.error_code) == expected
    prober = As2Prober(ScriptedProbe(0))  # type: ignore[arg-type]  # all that is used of it
    simulator = await prober.probe(SIMULATOR_URL, Environment.SANDBOX)
    assert (simulator.http_status, simulator.error_code) == (405, "http_405")
