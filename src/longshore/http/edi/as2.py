"""POST /as2 and /as2/mdn: AS2 messages of partners, and their receipts for ours.

A sender proves who it is by its signature, or by what was agreed with it instead; until then it is
a client like any other, and so are its limits. Refused messages are counted for each address.

A receipt for a message that was refused goes to another connection only if that is the partner's
own host: whoever sent it has proved nothing.
"""

from email.utils import format_datetime
from typing import Final
from urllib.parse import urlsplit

from longshore.as2.algorithms import STRONG_CIPHERS, STRONG_DIGESTS
from longshore.as2.errors import CertificateError, ReceiptError
from longshore.as2.exchange import (
    AcceptedFrom,
    ReceivedMessage,
    answer_headers,
    read_receipt_with_texts,
    receive_message,
    unknown_relationship,
)
from longshore.as2.headers import (
    HeadersError,
    MessageHeaders,
    read_message_headers,
    write_message_id,
)
from longshore.as2.mime import read_entity
from longshore.as2.receipts import MAX_RECEIPT_BYTES, As2Body
from longshore.domain.as2.errors import As2ReceiptRefusedError
from longshore.domain.as2.intake import As2Relationship, StoredMessage
from longshore.domain.as2.model import ReceiptToSend
from longshore.domain.inbound.intake import IncomingDocument
from longshore.http.edi.receive import EDI_X12, MAX_BYTES
from longshore.http.envelope import Answer
from longshore.http.exchange import Exchange
from longshore.http.headers import Header
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, CallerRule, Charge, Operation, Response
from longshore.http.services import HttpServices
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.telemetry.logging import get_logger

PATH: Final = "/as2"
RECEIPT_PATH: Final = "/as2/mdn"
MAX_MESSAGE_BYTES: Final = 33_554_432
"""Of a body: a payload of the largest size in base64 is in it, or does not fit."""

_NO_STORE: Final[Header] = (b"cache-control", b"no-store")
_ID_BYTES: Final = 16
_NO_RELATIONSHIP: Final = "Nothing is received under these AS2 names."
_ENDED: Final = "The receipt came for a message whose delivery had ended; it changed nothing."


class As2HeadersError(LongshoreError):
    """A header that every AS2 message has is missing or malformed, so nobody can be answered."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.BAD_REQUEST, f"This is no AS2 message: {text}")


class RefusedMessageError(LongshoreError):
    """A message is refused whose sender asked for no receipt that could say so."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.BAD_REQUEST, f"The AS2 message was refused. {text}")


async def _headers_of_anybody(
    exchange: Exchange, _services: HttpServices, _: Charge
) -> dict[str, str]:
    exchange.caller = exchange.visitor
    return {
        name.decode("latin-1"): value.decode("latin-1") for name, value in exchange.headers.items()
    }


SENDER: Final = CallerRule(
    identify=_headers_of_anybody,
    security=None,
    errors=frozenset({ErrorCode.RATE_LIMITED, ErrorCode.STORAGE_UNAVAILABLE}),
)
"""A client that sends AS2 messages; what it sends has to prove who it is."""


def _headers_of_message(headers: dict[str, str], call: Call[bytes]) -> MessageHeaders:
    try:
        return read_message_headers(headers)
    except HeadersError as error:
        call.services.trading.as2_intake.count_refusal(call.client)
        raise As2HeadersError(str(error)) from None


async def receive_as2_message(headers: dict[str, str], call: Call[bytes]) -> Answer:
    intake = call.services.trading.as2_intake
    of = _headers_of_message(headers, call)
    relationship = await intake.find(of, call.client)
    if relationship is None:
        intake.count_refusal(call.client)
        if of.receipt is None or of.receipt.delivery_url:
            raise RefusedMessageError(_NO_RELATIONSHIP)
        return _answer(call, of, unknown_relationship(of))
    call.services.limits.charge_channel(-relationship.partner_id)
    known = await intake.find_answer(relationship, of.message_id)
    _refuse_receipt_url(relationship, of, call)
    if known is not None:
        later = _later(call, of, known.answer)
        if later is not None:
            await intake.queue_receipt(relationship, later)
        return _answer(call, of, known.answer)
    async with call.services.document_queue.turn(relationship.account_id):
        message = await call.services.compute.run(
            receive_message,
            of,
            headers,
            call.body,
            _accepted(relationship, min(MAX_BYTES, call.services.max_body_bytes)),
            call.services.clock.now(),
        )
        if message.opened is None:
            await _note_refusal(relationship, message.refusal, call)
            return await _refused(relationship, of, message, call)
        stored = await _store(relationship, of, message, call)
    call.services.metrics.documents_stored("received", int(not stored.is_duplicate))
    return _answer(call, of, stored.answer)


def _refuse_receipt_url(
    relationship: As2Relationship, of: MessageHeaders, call: Call[bytes]
) -> None:
    url = "" if of.receipt is None else of.receipt.delivery_url
    refusal = url and call.services.trading.as2_intake.receipt_url_refusal(relationship, url)
    if refusal:
        raise RefusedMessageError(f"No receipt is sent to its Receipt-Delivery-Option. {refusal}")


def _later(call: Call[bytes], of: MessageHeaders, answer: bytes) -> ReceiptToSend | None:
    """Return a receipt that is sent in a connection of its own; None if the answer has it."""
    if of.receipt is None or not of.receipt.delivery_url:
        return None
    return ReceiptToSend(
        url=of.receipt.delivery_url,
        sender=of.receiver,
        receiver=of.sender,
        message_id=_new_message_id(call),
        entity=answer,
    )


def _new_message_id(call: Call[bytes]) -> str:
    return write_message_id(call.services.ids.token_bytes(_ID_BYTES).hex())


async def _refused(
    relationship: As2Relationship,
    of: MessageHeaders,
    message: ReceivedMessage,
    call: Call[bytes],
) -> Answer:
    """Return the answer to a message that is refused; its receipt may be queued.

    Raises:
        RefusedMessageError: No receipt says it.
    """
    later = _later(call, of, message.answer)
    is_own = later is None or _host(later.url) == _host(relationship.connection.url)
    if of.receipt is None or not is_own:
        raise RefusedMessageError(message.refusal)
    if later is not None:
        await call.services.trading.as2_intake.queue_receipt(relationship, later)
    return _answer(call, of, message.answer)


def _host(url: str) -> str | None:
    return urlsplit(url).hostname


async def _note_refusal(relationship: As2Relationship, reason: str, call: Call[bytes]) -> None:
    intake = call.services.trading.as2_intake
    intake.count_refusal(call.client)
    get_logger("longshore.as2").warning(
        "as2_message_refused", partner=relationship.partner_id, reason=reason
    )
    await intake.record_refusal(relationship, reason, call.client, call.request_id)


async def _store(
    relationship: As2Relationship,
    of: MessageHeaders,
    message: ReceivedMessage,
    call: Call[bytes],
) -> StoredMessage:
    opened = message.opened
    assert opened is not None
    document = IncomingDocument(
        content=opened.payload, filename=opened.filename, content_type=opened.content_type
    )
    later = _later(call, of, message.answer)
    return await call.services.trading.as2_intake.store(
        relationship, of.message_id, document, message.answer, later
    )


def _accepted(relationship: As2Relationship, max_bytes: int) -> AcceptedFrom:
    """Return what is accepted: what is agreed for sending holds for receiving as well."""
    connection = relationship.connection
    return AcceptedFrom(
        pairs=relationship.keys.pairs,
        certificates=connection.certificates,
        must_be_signed=connection.sign,
        must_be_encrypted=connection.encrypt,
        digests=tuple({*STRONG_DIGESTS, connection.sign_algorithm}),
        ciphers=tuple({*STRONG_CIPHERS, connection.encrypt_algorithm}),
        max_bytes=max_bytes,
    )


def _answer(call: Call[bytes], of: MessageHeaders, stored: bytes) -> Answer:
    """Return a stored receipt as the answer; an empty one if none was asked for in the answer."""
    if not stored or (of.receipt is not None and of.receipt.delivery_url):
        return Answer(b"", b"text/plain", headers=(_NO_STORE,))
    entity = read_entity(stored)
    headers = (
        *answer_headers(of, _new_message_id(call)),
        ("Date", format_datetime(call.services.clock.now(), usegmt=True)),
    )
    written = ((name.lower().encode(), value.encode("ascii")) for name, value in headers)
    content_type = entity.header("content-type").encode()
    return Answer(bytes(entity.body), content_type, headers=(_NO_STORE, *written))


async def receive_as2_receipt(headers: dict[str, str], call: Call[bytes]) -> Answer:
    trading = call.services.trading
    of = _headers_of_message(headers, call)
    relationship = await trading.as2_intake.find(of, call.client)
    if relationship is None:
        trading.as2_intake.count_refusal(call.client)
        raise As2ReceiptRefusedError(_NO_RELATIONSHIP)
    call.services.limits.charge_channel(-relationship.partner_id)
    connection = relationship.connection
    try:
        receipt = await call.services.compute.run(
            read_receipt_with_texts,
            As2Body(headers.get("content-type", ""), call.body),
            connection.certificates,
            {*STRONG_DIGESTS, connection.sign_algorithm},
        )
        is_taken = await trading.as2_receipt_intake.take(relationship, receipt)
    except (ReceiptError, CertificateError) as error:
        await _note_refusal(relationship, str(error), call)
        raise As2ReceiptRefusedError(str(error)) from error
    except As2ReceiptRefusedError as error:
        await _note_refusal(relationship, error.reason, call)
        raise
    if not is_taken:
        await trading.as2_intake.record_refusal(
            relationship, f"{_ENDED} It says: {receipt.disposition}.", call.client, call.request_id
        )
    return Answer(b"", b"text/plain", headers=(_NO_STORE,))


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="POST",
        path=PATH,
        operation_id="receiveAs2Message",
        tag="Inbound",
        summary="Receive an AS2 message from a partner",
        description=(
            "The address of all partners that send by AS2 (RFC 4130). The headers AS2-From and "
            "AS2-To name the partner's AS2 connection and our identity, the partner's connection "
            "what has to be signed and encrypted. The document is stored before the receipt (MDN) "
            "is answered; one that is wanted in a connection of its own (Receipt-Delivery-Option) "
            "is sent after an empty answer, and again until it is taken. A Message-ID that was "
            "received within 7 days gets the first receipt "
            "again. What is refused is said by the disposition of the receipt; without a request "
            "for one, by the status 400."
        ),
        caller=SENDER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        any_body=("application/pkcs7-mime", "multipart/signed", EDI_X12),
        max_body_bytes=MAX_MESSAGE_BYTES,
        response=Response(
            description="The receipt, or nothing if none was asked for.",
            media_type="multipart/signed",
            also=("multipart/report", "text/plain"),
        ),
        errors=frozenset({ErrorCode.STORAGE_QUOTA_EXCEEDED}),
        handler=receive_as2_message,
    ),
    Operation(
        method="POST",
        path=RECEIPT_PATH,
        operation_id="receiveAs2Receipt",
        tag="Inbound",
        summary="Receive an AS2 receipt from a partner",
        description=(
            "The address for receipts (MDN) that partners send in a connection of their own. The "
            "receipt names the Message-ID of the message that it is for, and ends the delivery of "
            "its document: delivered, or failed with the code receipt_negative or mic_mismatch. "
            "Without the receipt the message is sent again after the time that is set for the "
            "partner. A receipt for a delivery that has ended changes nothing. One that is "
            "malformed, not signed as agreed, or for nothing that was sent to the partner is "
            "answered with the status 400; the audit log has the reason of each."
        ),
        caller=SENDER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        any_body=("multipart/signed", "multipart/report"),
        max_body_bytes=MAX_RECEIPT_BYTES,
        response=Response(description="It was taken.", media_type="text/plain"),
        errors=frozenset(),
        handler=receive_as2_receipt,
    ),
)
