"""POST /api/v1/transactions/submit: a document for a partner."""

import asyncio
from functools import partial
from typing import Any, Final

import msgspec

from longshore.domain.accounts.model import ApiCaller, KeyScope
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.outbound.checks import OnInvalid
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.partners.model import Direction
from longshore.domain.transactions.model import ProcessingStatus, Source
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.submit_shapes import SubmitAnswer, SubmitRequest
from longshore.http.api_v1.transaction_shapes import TRANSACTIONS
from longshore.http.envelope import Answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import LARGEST_ID
from longshore.http.operation import Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.services import HttpServices
from longshore.http.waiting import WAIT_SECONDS, awaited
from longshore.kit.errors import ErrorCode

NOT_KEPT: Final = ((b"cache-control", b"no-store"),)
REPLAYED: Final = (*NOT_KEPT, (b"idempotency-replayed", b"true"))


async def submit(caller: ApiCaller, call: Call[SubmitRequest]) -> Answer:
    order = order_of(call.body, call.idempotency_key, Source.API)
    return await submitted(caller, call, order)


def order_of(body: SubmitRequest, idempotency_key: str | None, source: Source) -> SubmitOrder:
    """Return what is asked for.

    Raises:
        PartnerNotFoundError: No partner can have this id.
    """
    if not 1 <= body.partner_id <= LARGEST_ID:
        raise PartnerNotFoundError
    return SubmitOrder(
        partner_id=body.partner_id,
        tx_set=body.tx_set,
        direction=Direction(body.direction),
        content=body.content,
        document=body.document,
        map_id=body.map_id,
        map_version=body.map_version,
        on_invalid=None if body.on_invalid is None else OnInvalid(body.on_invalid),
        restamp=body.restamp,
        business_key=body.business_key or "",
        metadata=body.metadata or {},
        dry_run=bool(body.dry_run),
        idempotency_key=idempotency_key,
        source=source,
    )


# Any: what was asked for stands in the order.
async def submitted(caller: AccountCaller, call: Call[Any], order: SubmitOrder) -> Answer:
    """Answer the same to a key and to a session: what was answered first, if it is a repeat."""
    services = call.services
    services.metrics.document_received(len(order.content or order.document or ""))
    async with services.document_queue.turn(caller.account_id):
        done = await services.trading.submissions.submit(request_context_of(caller, call), order)
    if not (done.is_replayed or order.dry_run):
        services.metrics.documents_stored("submitted")
    headers = REPLAYED if done.is_replayed else NOT_KEPT
    content = done.content
    if order.direction is Direction.INBOUND:
        content = await _with_records(caller, services, content)
    return Answer(b'{"ok":true,', headers=headers, rest=(content[1:],))


async def _with_records(caller: AccountCaller, services: HttpServices, content: bytes) -> bytes:
    """Return an answer with the records of a received document, if it is processed soon."""
    members = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    receipt_id = msgspec.json.decode(members["receipt_id"], type=ReceiptId | None)
    if receipt_id is None:
        return content
    until = asyncio.get_running_loop().time() + WAIT_SECONDS
    look = partial(services.trading.intake.outcome, caller.scope, receipt_id)
    outcome = await awaited(look, until)
    if outcome is None or not outcome.transactions:
        return content
    records = [each.record for each in outcome.transactions]
    ids = [each.id for each in outcome.transactions]
    is_duplicate = any(each.states.processing is ProcessingStatus.DUPLICATE for each in records)
    known = {
        "transaction_id": ids[0],
        "transaction_ids": ids,
        "interchange_id": records[0].interchange_id,
        "duplicate": is_duplicate,
    }
    return msgspec.json.encode({**members, **known})


SUBMIT_ERRORS: Final = frozenset({
    ErrorCode.TX_SET_MISMATCH,
    ErrorCode.SET_NOT_AGREED,
    ErrorCode.PARTNER_IDENTITY_MISMATCH,
    ErrorCode.USAGE_MISMATCH,
    ErrorCode.PARTNER_INACTIVE,
    ErrorCode.DOCUMENT_INVALID,
    ErrorCode.DOCUMENT_EMPTY,
    ErrorCode.DOCUMENT_UNPARSEABLE,
    ErrorCode.DOCUMENT_NOT_X12,
    ErrorCode.SEGMENT_TOO_LONG,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.UNSUPPORTED_FORMAT,
    ErrorCode.INVALID_MAPPING_RULE,
    ErrorCode.INVALID_FORMULA,
    ErrorCode.UNSUPPORTED_TRANSFORM,
    ErrorCode.MAP_TX_SET_MISMATCH,
    ErrorCode.CONVERSION_FAILED,
    ErrorCode.DELIMITER_IN_DATA,
    ErrorCode.NOT_FOUND,
    ErrorCode.DUPLICATE_INTERCHANGE,
    ErrorCode.EDIT_CONFLICT,
    ErrorCode.INVALID_STATE,
    ErrorCode.STORAGE_QUOTA_EXCEEDED,
})
_CONTENT: Final = "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~"
SUBMIT_EXAMPLE: Final = {
    "partner_id": 7,
    "tx_set": "850",
    "direction": "outbound",
    "content": _CONTENT,
}
SUBMIT_RESPONSE: Final = Response(
    description="The document was taken, or with dry_run would be.",
    shape=SubmitAnswer,
    example={
        "ok": True,
        "transaction_id": 10042,
        "status": "queued",
        "environment": "sandbox",
        "message": "Transaction accepted.",
        "transaction_ids": [10042],
        "interchange_id": 9001,
        "receipt_id": None,
        "duplicate": False,
        "ack_expected": True,
        "ack_due_at": "2026-01-17T14:05:09",
        "validation": {"valid": True, "outcome": "valid", "errors": [], "warnings": []},
        "control_numbers": {"isa": "000000123", "gs": "123", "st": ["0001"]},
        "warnings": [],
    },
)
SUBMIT: Final = Operation(
    method="POST",
    path="/api/v1/transactions/submit",
    operation_id="submitTransaction",
    tag=TRANSACTIONS,
    summary="Submit a document",
    description=(
        "Stores an X12 document for a partner and queues it for delivery; with direction inbound "
        "it is received as if the partner had sent it. Sets without an envelope get one with "
        "allotted control numbers. What production refuses is accepted in the sandbox with a "
        "warning, wherever nothing live can be touched. Of a document that is refused for its "
        "errors (document_invalid) there is a record all the same, named by transaction_id. Needs "
        "scope submit."
    ),
    caller=API_KEY,
    scope=KeyScope.SUBMIT,
    limit_class=LimitClass.SUBMITS,
    body=SubmitRequest,
    body_example=SUBMIT_EXAMPLE,
    response=SUBMIT_RESPONSE,
    errors=SUBMIT_ERRORS,
    takes_idempotency_key=True,
    is_queued=True,
    handler=submit,
)
