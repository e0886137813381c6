"""Actions on a transaction that was sent, or was to be: retry, reissue, cancel."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Final

import msgspec

from longshore.domain.accounts.model import ApiCaller
from longshore.domain.idempotency.claims import StoredResponse
from longshore.domain.outbound.submission import MAX_REASON_CHARS
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.service import VISIBLE_TO_API_KEY
from longshore.domain.transactions.model import Transaction
from longshore.domain.transactions.reissue import VISIBLE_TO_USERS, ActionOrder
from longshore.http.api_v1.submit import NOT_KEPT, REPLAYED
from longshore.http.api_v1.transaction_records import record_of
from longshore.http.api_v1.transaction_shapes import (
    TRANSACTIONS,
    TransactionAnswer,
    TransactionParameters,
)
from longshore.http.api_v1.transactions import (
    API_KEY_ROUTES,
    NOT_FOUND,
    ONE_EXAMPLE,
    OperationDoc,
    RouteGroup,
    asked_id,
)
from longshore.http.envelope import Answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import END
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.kit.errors import ErrorCode

Reason = Annotated[
    str,
    msgspec.Meta(
        pattern="^[^\\x00-\\x1f\\x7f]*" + END,
        max_length=MAX_REASON_CHARS,
        extra={
            "text": f"a text of at most {MAX_REASON_CHARS} characters, without control characters"
        },
    ),
]


class ActionRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Why something is done."""

    reason: Annotated[
        Reason | None,
        msgspec.Meta(
            description="Required to cancel, and to resend a delivered document. Shown in the "
            "timeline."
        ),
    ] = None


async def retry(caller: AccountCaller, call: Call[ActionRequest]) -> Answer:
    order = _order(caller, call)
    answered = await call.services.trading.transactions.retry(
        request_context_of(caller, call), order
    )
    return _answer(caller, answered)


async def cancel(caller: AccountCaller, call: Call[ActionRequest]) -> Answer:
    order = _order(caller, call)
    answered = await call.services.trading.transactions.cancel(
        request_context_of(caller, call), order
    )
    return _answer(caller, answered)


async def reissue(caller: AccountCaller, call: Call[ActionRequest]) -> Answer:
    order = _order(caller, call)
    answered = await call.services.trading.transactions.reissue(
        request_context_of(caller, call), order
    )
    return _answer(caller, answered)


def partners_seen(caller: AccountCaller) -> frozenset[PartnerStatus]:
    """Return the statuses in which the caller sees partners."""
    is_key = isinstance(caller, ApiCaller)
    return VISIBLE_TO_API_KEY[caller.environment] if is_key else VISIBLE_TO_USERS


def _order(caller: AccountCaller, call: Call[ActionRequest]) -> ActionOrder:
    return ActionOrder(
        transaction_id=asked_id(call),
        answer=_record,
        reason=call.body.reason or "",
        idempotency_key=call.idempotency_key,
        seen=partners_seen(caller),
    )


def _record(transaction: Transaction) -> bytes:
    return msgspec.json.encode(record_of(transaction))


def _answer(caller: AccountCaller, answered: StoredResponse) -> Answer:
    members: dict[str, object] = {
        "ok": True,
        "environment": caller.environment.value,
        "transaction": msgspec.Raw(answered.content),
    }
    headers = REPLAYED if answered.is_replayed else NOT_KEPT
    return Answer(msgspec.json.encode(members), headers=headers)


def action_operations(group: RouteGroup) -> tuple[AnyOperation, ...]:
    """Return the changing operations of a route group."""
    return tuple(_action(group, *each) for each in _ACTIONS)


_Handler = Callable[[AccountCaller, Call[ActionRequest]], Awaitable[Answer]]

_ACTIONS: Final[tuple[tuple[OperationDoc, _Handler], ...]] = (
    (
        OperationDoc(
            "/retry",
            "retryTransaction",
            "Send a transaction again",
            "Queues the same bytes with the same control numbers: for a failed delivery or, "
            "with a reason, a delivered document. All sets of its interchange are resent with "
            "it.",
        ),
        retry,
    ),
    (
        OperationDoc(
            "/reissue",
            "reissueTransaction",
            "Send a transaction again under new numbers",
            "Creates a new interchange and a new transaction with parent_id, and returns it. "
            "Possible if the transaction failed, was delivered, cancelled, or rejected by the "
            "partner.",
        ),
        reissue,
    ),
    (
        OperationDoc(
            "/cancel",
            "cancelTransaction",
            "Cancel a transaction",
            "Cancels a document that was not delivered; needs a reason and cannot be undone. "
            "All sets of its interchange are cancelled with it.",
        ),
        cancel,
    ),
)


_SENDING: Final = frozenset({ErrorCode.INVALID_STATE, ErrorCode.PARTNER_INACTIVE})
_REFUSALS: Final[Mapping[str, frozenset[ErrorCode]]] = {
    "/retry": _SENDING,
    "/reissue": _SENDING | {ErrorCode.EDIT_CONFLICT, ErrorCode.DELIMITER_IN_DATA},
    "/cancel": frozenset({ErrorCode.INVALID_STATE}),
}
_ONCE: Final = " Asked again with the same Idempotency-Key, it answers the same and does nothing."


def _action(group: RouteGroup, doc: OperationDoc, handler: _Handler) -> AnyOperation:
    return Operation(
        method="POST",
        path=f"{group.prefix}/transactions/{{id}}{doc.ending}",
        operation_id=doc.name + group.name,
        tag=TRANSACTIONS,
        summary=doc.summary,
        description=doc.description + _ONCE,
        caller=group.actor,
        scope=group.act_scope,
        limit_class=LimitClass.SUBMITS,
        body=ActionRequest,
        body_example={"reason": "The partner's server was down."},
        parameters=TransactionParameters,
        response=Response(
            description="The transaction.", shape=TransactionAnswer, example=ONE_EXAMPLE
        ),
        errors=NOT_FOUND | _REFUSALS[doc.ending],
        takes_idempotency_key=True,
        handler=handler,
    )


TRANSACTION_ACTIONS: Final = action_operations(API_KEY_ROUTES)
