"""POST /as2: AS2 messages of partners.

A sender proves who it is by its signature, or by what was agreed with it instead; until then it is
a client like any other, and so are its limits. Refused messages are counted for each address.
"""

from email.utils import format_datetime
from typing import Final

from longshore.as2.algorithms import STRONG_CIPHERS, STRONG_DIGESTS
from longshore.as2.exchange import (
    AcceptedFrom,
    ReceivedMessage,
    answer_headers,
    receive_message,
    unknown_relationship,
)
from longshore.as2.headers import HeadersError, MessageHeaders, read_message_headers
from longshore.as2.mime import read_entity
from longshore.domain.as2.intake import As2Relationship, StoredMessage
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
MAX_MESSAGE_BYTES: Final = 33_554_432
"""Of a body: a payload of the largest size in base64 is in it, or does not fit."""

_NO_STORE: Final[Header] = (b"cache-control", b"no-store")
_ID_BYTES: Final = 16


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


async def receive_as2_message(headers: dict[str, str], call: Call[bytes]) -> Answer:
    intake = call.services.trading.as2_intake
    try:
        of = read_message_headers(headers)
    except HeadersError as error:
        intake.count_refusal(call.client)
        raise As2HeadersError(str(error)) from None
    relationship = await intake.find(of, call.client)
    if relationship is None:
        intake.count_refusal(call.client)
        if of.receipt is None:
            raise RefusedMessageError("Nothing is received under these AS2 names.")
        return _answer(call, of, unknown_relationship(of))
    call.services.limits.charge_channel(-relationship.partner_id)
    known = await intake.find_answer(relationship, of.message_id)
    if known is not None:
        return _answer(call, of, known.answer)
    if of.receipt is not None and of.receipt.delivery_url:
        raise RefusedMessageError(
            "It asks for a receipt in a connection of its own (Receipt-Delivery-Option), which is"
            " not built yet. Ask for the receipt in the answer."
        )
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
            await _note_refusal(relationship, message, call)
            if of.receipt is None:
                raise RefusedMessageError(message.refusal)
            return _answer(call, of, message.answer)
        stored = await _store(relationship, of, message, call)
    call.services.metrics.documents_stored("received", int(not stored.is_duplicate))
    return _answer(call, of, stored.answer)


async def _note_refusal(
    relationship: As2Relationship, message: ReceivedMessage, call: Call[bytes]
) -> None:
    intake = call.services.trading.as2_intake
    intake.count_refusal(call.client)
    get_logger("longshore.as2").warning(
        "as2_message_refused", partner=relationship.partner_id, reason=message.refusal
    )
    await intake.record_refusal(relationship, message.refusal, call.client, call.request_id)


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
    return await call.services.trading.as2_intake.store(
        relationship, of.message_id, document, message.answer
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
    """Return a stored receipt as the answer; an empty one if none was asked for."""
    if not stored:
        return Answer(b"", b"text/plain", headers=(_NO_STORE,))
    entity = read_entity(stored)
    message_id = f"<{call.services.ids.token_bytes(_ID_BYTES).hex()}@longshore>"
    headers = (
        *answer_headers(of, message_id),
        ("Date", format_datetime(call.services.clock.now(), usegmt=True)),
    )
    written = ((name.lower().encode(), value.encode("ascii")) for name, value in headers)
    content_type = entity.header("content-type").encode()
    return Answer(entity.body, content_type, headers=(_NO_STORE, *written))


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
            "is answered. A Message-ID that was received within 7 days gets the first receipt "
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
)
