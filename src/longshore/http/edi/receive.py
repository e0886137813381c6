"""POST /edi/receive/{token}: documents that partners push."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec

from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.inbound.intake import Incoming, IncomingDocument
from longshore.domain.inbound.receipts import ReceiptAnswer
from longshore.domain.inbound.returned_acks import ReceiptOutcome
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.transactions.model import Transaction
from longshore.formats.charset import decode
from longshore.http.edi.bodies import FORM, JSON, MULTIPART, documents_in, is_plain
from longshore.http.edi.sender import SENDER, Sender
from longshore.http.envelope import Answer, EnvironmentName, json_answer
from longshore.http.headers import accepts
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.waiting import WAIT_SECONDS, awaited
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.set_names import set_name

EDI_X12: Final = "application/edi-x12"
MAX_BYTES: Final = 25 * 1024 * 1024
"""Of a body, before and after it is expanded (reliability.md section 9)."""

_ENVIRONMENTS: Final = {
    "test": Environment.SANDBOX,
    "sandbox": Environment.SANDBOX,
    "live": Environment.PRODUCTION,
    "production": Environment.PRODUCTION,
}


class OtherEnvironmentError(LongshoreError):
    """The address says one environment, its token is of the other."""

    def __init__(self, environment: Environment) -> None:
        code = ErrorCode.INVALID_PARAMETER
        allowed = tuple(name for name, of in _ENVIRONMENTS.items() if of is environment)
        text = (
            f'Parameter "env" contradicts the address, which is of {environment}. '
            f"Leave it out, or use {' or '.join(allowed)}."
        )
        detail = ErrorDetail(code=code, param="env", message=text, allowed=allowed)
        super().__init__(code, text, details=(detail,))


class ReceivedSet(msgspec.Struct, kw_only=True):
    """A transaction set of what was received."""

    index: Annotated[int, msgspec.Meta(description="Its place, from 1.")]
    transaction_id: int
    tx_set: Annotated[str, msgspec.Meta(description="Such as 850; empty if unreadable.")]
    tx_set_name: str
    control_number: Annotated[str, msgspec.Meta(description="ST02.")]
    segment_count: int
    version: str
    status: Literal[
        "received", "processing", "done", "duplicate", "quarantined", "failed", "not_applicable"
    ]
    validation_status: Literal["not_checked", "valid", "valid_with_warnings", "invalid"]


class Receipt(msgspec.Struct, kw_only=True):
    """The stored facts of one document."""

    receipt_id: int
    sha256: Annotated[str, msgspec.Meta(description="Of the document, hexadecimal.")]
    bytes: Annotated[int, msgspec.Meta(description="Of the document.")]
    environment: EnvironmentName
    status: Literal["accepted"] = "accepted"
    duplicate: Annotated[
        bool, msgspec.Meta(description="It was received before and is not processed again.")
    ]
    transactions: Annotated[
        list[ReceivedSet] | msgspec.UnsetType,
        msgspec.Meta(description="With wait=1, if it was processed in time."),
    ] = msgspec.UNSET
    ack: Annotated[
        str | msgspec.UnsetType,
        msgspec.Meta(description="The same: the acknowledgement, empty if there is none."),
    ] = msgspec.UNSET


class ReceiveAnswer(Receipt, kw_only=True):
    """The stored facts of a request; of several documents the members of the first."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    receipts: Annotated[
        list[Receipt] | msgspec.UnsetType,
        msgspec.Meta(description="Of several files: each of them, in their order."),
    ] = msgspec.UNSET


class ReceiveParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The inbound address, and the options of the request."""

    token: Annotated[str, msgspec.Meta(description="The secret part of the partner's address.")]
    env: Annotated[
        Literal["test", "sandbox", "live", "production"] | msgspec.UnsetType,
        msgspec.Meta(description="Confirms the environment of the address; it cannot change it."),
    ] = msgspec.UNSET
    wait: Annotated[
        Literal["0", "1"] | msgspec.UnsetType,
        msgspec.Meta(description="1: wait at most 10 s for the document to be processed."),
    ] = msgspec.UNSET


async def receive_documents(sender: Sender, call: Call[bytes]) -> Answer:
    asked = call.parameters_as(ReceiveParameters)
    channel, intake = sender.channel, call.services.trading.intake
    if asked.env and _ENVIRONMENTS[asked.env] is not channel.environment:
        await intake.note_contradiction(channel, call.client, call.request_id)
        raise OtherEnvironmentError(channel.environment)
    documents = await _documents(sender, call)
    wants_acks = accepts(sender.headers, EDI_X12.encode())
    incoming = Incoming(
        documents=documents, idempotency_key=call.idempotency_key, wants_acks=wants_acks
    )
    async with call.services.document_queue.turn(channel.account_id):
        stored = await intake.receive(channel, incoming)
    new_count = sum(not each.is_duplicate for each in stored)
    call.services.metrics.documents_stored("received", new_count)
    outcomes: list[ReceiptOutcome | None] = [None for _ in stored]
    if asked.wait == "1" or wants_acks:
        until = asyncio.get_running_loop().time() + WAIT_SECONDS
        outcomes = [
            await awaited(partial(intake.outcome, channel.scope, each.receipt_id), until)
            for each in stored
        ]
    ack = b"".join(each.ack for each in outcomes if each is not None)
    if wants_acks and ack and None not in outcomes:
        ids = [each.receipt_id for each in stored]
        return Answer(ack, EDI_X12.encode(), on_written=partial(_mark_sent, channel, call, ids))
    pairs = zip(stored, outcomes, strict=True)
    receipts = [_members(each, outcome) for each, outcome in pairs]
    return json_answer(
        ReceiveAnswer(
            **receipts[0],
            receipts=[Receipt(**each) for each in receipts] if len(receipts) > 1 else msgspec.UNSET,
        )
    )


async def _mark_sent(channel: InboundChannel, call: Call[bytes], ids: list[ReceiptId]) -> None:
    """Note that acknowledgements arrived with the answer; if that fails, they are delivered."""
    with suppress(LongshoreError):
        await call.services.trading.returned_acks.mark_sent(channel, ids)


async def _documents(sender: Sender, call: Call[bytes]) -> tuple[IncomingDocument, ...]:
    content_type, coding = sender.header(b"content-type"), sender.header(b"content-encoding")
    most = min(MAX_BYTES, call.services.max_body_bytes)
    arguments = call.body, content_type, coding, most
    if is_plain(content_type, coding):
        return documents_in(*arguments)
    return await call.services.compute.run(documents_in, *arguments)


# Any: the members of a wire shape, of which each has a type of its own.
def _members(stored: ReceiptAnswer, outcome: ReceiptOutcome | None) -> dict[str, Any]:
    members: dict[str, Any] = {
        "receipt_id": stored.receipt_id,
        "sha256": stored.sha256,
        "bytes": stored.bytes,
        "environment": stored.environment.value,
        "duplicate": stored.is_duplicate,
    }
    if outcome is not None:
        sets = enumerate(outcome.transactions, 1)
        members["transactions"] = [_set_of(index, record) for index, record in sets]
        members["ack"] = decode(outcome.ack)[0]
    return members


def _set_of(index: int, transaction: Transaction) -> ReceivedSet:
    facts, states = transaction.record.facts, transaction.record.states
    return ReceivedSet(
        index=index,
        transaction_id=transaction.id,
        tx_set=facts.tx_set,
        tx_set_name=set_name(facts.tx_set),
        control_number=facts.st_control_number,
        segment_count=facts.segment_count,
        version=facts.version,
        status=states.processing.value,
        validation_status=states.validation.value,
    )


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="POST",
        path="/edi/receive/{token}",
        operation_id="receiveDocuments",
        tag="Inbound",
        summary="Receive documents from a partner",
        description=(
            "The address of a partner, shown as inbound_url_test and inbound_url. The body is the "
            "document: raw, a form with the file or the field document, or JSON with document. It "
            "may be gzip. It is stored before it is answered, and validated afterwards: what is "
            "wrong in it is reported by TA1 and 997 or 999, never here. The same Idempotency-Key, "
            "or without one the same bytes within 24 hours, gives the first receipt again. An "
            "address that does not exist gives the 404 of any path that does not."
        ),
        caller=SENDER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=ReceiveParameters,
        any_body=(EDI_X12, "application/octet-stream", "text/plain", MULTIPART, FORM, JSON),
        max_body_bytes=MAX_BYTES,
        takes_idempotency_key=True,
        is_queued=True,
        response=Response(
            description="It is stored.",
            shape=ReceiveAnswer,
            also=(EDI_X12,),
            example={
                "ok": True,
                "receipt_id": 31,
                "sha256": "78e5367beb8a4448d1121da3adb1cf58a5c5c248e726ec8593754614e14143a7",
                "bytes": 812,
                "environment": "sandbox",
                "status": "accepted",
                "duplicate": False,
            },
        ),
        errors=frozenset({
            ErrorCode.MISSING_PARAMETER,
            ErrorCode.UNSUPPORTED_CONTENT_TYPE,
            ErrorCode.DOCUMENT_EMPTY,
            ErrorCode.LIMIT_EXCEEDED,
            ErrorCode.IDEMPOTENCY_MISMATCH,
            ErrorCode.STORAGE_QUOTA_EXCEEDED,
        }),
        handler=receive_documents,
    ),
)
