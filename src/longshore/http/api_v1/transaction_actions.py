"""What somebody may do with a transaction that was sent, or was to be: retry, reissue, cancel."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final

import msgspec

from longshore.domain.submission.orders import MOST_REASON_CHARS
from longshore.http.acting import acting_of
from longshore.http.api_v1.transaction_shapes import (
    TRANSACTIONS,
    TransactionAnswer,
    TransactionParameters,
)
from longshore.http.api_v1.transactions import (
    KEY_DOOR,
    NOT_FOUND,
    ONE_EXAMPLE,
    Door,
    Words,
    asked_id,
    transaction_answer,
)
from longshore.http.envelope import Answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import END
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.kit.errors import ErrorCode

Reason = Annotated[
    str,
    msgspec.Meta(
        pattern="^[^\\x00-\\x1f\\x7f]*" + END,
        max_length=MOST_REASON_CHARS,
        extra={
            "text": f"a text of at most {MOST_REASON_CHARS} characters, without control characters"
        },
    ),
]


class ActionRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Why something is done."""

    reason: Annotated[
        Reason | None,
        msgspec.Meta(
            description="Required to cancel, and to send again what was delivered. The timeline "
            "shows it."
        ),
    ] = None


async def retry(caller: AccountCaller, call: Call[ActionRequest]) -> Answer:
    acting, service = acting_of(caller, call), call.services.trading.transactions
    found = await service.retry(acting, asked_id(call), call.body.reason or "")
    return transaction_answer(caller, call, found)


async def cancel(caller: AccountCaller, call: Call[ActionRequest]) -> Answer:
    acting, service = acting_of(caller, call), call.services.trading.transactions
    found = await service.cancel(acting, asked_id(call), call.body.reason or "")
    return transaction_answer(caller, call, found)


async def reissue(caller: AccountCaller, call: Call[ActionRequest]) -> Answer:
    acting, trading = acting_of(caller, call), call.services.trading
    new_id = await trading.submissions.reissue(acting, asked_id(call), call.body.reason or "")
    return transaction_answer(caller, call, await trading.transactions.get(acting, new_id))


def action_operations(door: Door) -> tuple[AnyOperation, ...]:
    """Return the operations that change something, as they are found behind a door."""
    return tuple(_action(door, *each) for each in _ACTIONS)


_Handler = Callable[[AccountCaller, Call[ActionRequest]], Awaitable[Answer]]

_ACTIONS: Final[tuple[tuple[Words, _Handler], ...]] = (
    (
        Words(
            "/retry",
            "retryTransaction",
            "Send a transaction again",
            "Queues the same bytes with the same control numbers: what could not be delivered, or, "
            "with a reason, what was. All sets of its interchange go with it.",
        ),
        retry,
    ),
    (
        Words(
            "/reissue",
            "reissueTransaction",
            "Send a transaction again under new numbers",
            "Makes a new interchange and a new record with parent_id, and answers that: of what "
            "failed, was delivered, cancelled, or rejected by the partner.",
        ),
        reissue,
    ),
    (
        Words(
            "/cancel",
            "cancelTransaction",
            "Cancel a transaction",
            "Takes back what was not delivered, with a reason, for good. All sets of its "
            "interchange go with it.",
        ),
        cancel,
    ),
)


def _action(door: Door, words: Words, handler: _Handler) -> AnyOperation:
    return Operation(
        method="POST",
        path=f"{door.prefix}/transactions/{{id}}{words.ending}",
        operation_id=words.name + door.name,
        tag=TRANSACTIONS,
        summary=words.summary,
        description=words.description,
        caller=door.actor,
        scope=door.act_scope,
        limit_class=LimitClass.SUBMITS,
        body=ActionRequest,
        body_example={"reason": "The partner's server was down."},
        parameters=TransactionParameters,
        response=Response(
            description="The transaction.", shape=TransactionAnswer, example=ONE_EXAMPLE
        ),
        errors=NOT_FOUND | {ErrorCode.INVALID_STATE},
        handler=handler,
    )


TRANSACTION_ACTIONS: Final = action_operations(KEY_DOOR)
