"""POST /api/transactions/submit: a document for a partner, from a page of the service."""

from dataclasses import replace
from typing import Final

from longshore.domain.transactions.errors import TransactionNotFoundError
from longshore.domain.transactions.model import Source
from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.submit import (
    SUBMIT_ERRORS,
    SUBMIT_EXAMPLE,
    SUBMIT_RESPONSE,
    order_of,
    submitted,
)
from longshore.http.api_v1.submit_shapes import ResendRequest
from longshore.http.api_v1.transaction_shapes import TRANSACTIONS
from longshore.http.envelope import Answer
from longshore.http.limits import LimitClass
from longshore.http.listing import LARGEST_ID
from longshore.http.operation import AnyOperation, Call, Operation
from longshore.http.session_caller import EDITOR
from longshore.kit.errors import ErrorCode


async def submit_in_session(user: SessionUser, call: Call[ResendRequest]) -> Answer:
    body = call.body
    order = order_of(body, call.idempotency_key, Source.BROWSER)
    if body.parent_id is not None and not 1 <= body.parent_id <= LARGEST_ID:
        raise TransactionNotFoundError
    order = replace(
        order,
        parent_id=body.parent_id,
        reason=body.reason or "",
        supersedes=body.supersedes,
    )
    return await submitted(user, call, order)


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="POST",
        path="/api/transactions/submit",
        operation_id="submitTransactionInSession",
        tag=TRANSACTIONS,
        summary="Submit a document",
        description="As POST /api/v1/transactions/submit, for the chosen environment.",
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.SUBMITS,
        body=ResendRequest,
        body_example=SUBMIT_EXAMPLE,
        response=SUBMIT_RESPONSE,
        errors=SUBMIT_ERRORS | {ErrorCode.INVALID_STATE},
        takes_idempotency_key=True,
        is_queued=True,
        handler=submit_in_session,
    ),
)
