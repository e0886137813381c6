"""POST …/transactions/redrive: send many transactions again, by id or by filter."""

from typing import Annotated, Final

import msgspec

from longshore.domain.transactions.redrive import MAX_REDRIVEN
from longshore.http.api_v1.transaction_actions import partners_seen
from longshore.http.api_v1.transaction_records import filters_of, texts_of
from longshore.http.api_v1.transaction_shapes import TRANSACTIONS, Ok, TransactionFilterParameters
from longshore.http.api_v1.transactions import API_KEY_ROUTES, RouteGroup, filters_shown
from longshore.http.envelope import Answer, json_answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import ImpossibleValuesError, nullable
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class RedriveRequest(nullable(TransactionFilterParameters)):  # type: ignore[misc]  # a class
    """The transactions to send again: by their ids, or those that match filters of the list."""

    ids: (
        Annotated[
            list[int],
            msgspec.Meta(
                max_length=MAX_REDRIVEN,
                extra={
                    "text": f"an array of at most {MAX_REDRIVEN:,} ids of transactions; send more "
                    "in a request of their own"
                },
            ),
        ]
        | None
    ) = None


class SkippedItem(msgspec.Struct, kw_only=True):
    """A transaction that was left as it is."""

    id: int
    code: Annotated[str, msgspec.Meta(description="not_found, invalid_state or partner_inactive.")]


class RedriveAnswer(msgspec.Struct, kw_only=True):
    """Result of sending transactions again."""

    ok: Ok = True
    queued: Annotated[int, msgspec.Meta(description="How many are sent again.")]
    skipped: list[SkippedItem]


class RedriveOfWhatError(LongshoreError):
    """The request says neither which ids nor which filters, or both."""

    def __init__(self) -> None:
        code = ErrorCode.MISSING_PARAMETER
        text = 'Give "ids", or at least one filter of the list, and not both.'
        detail = ErrorDetail(code=code, param="ids", message=text)
        super().__init__(code, text, details=(detail,))


async def redrive(caller: AccountCaller, call: Call[RedriveRequest]) -> Answer:
    service, context = call.services.trading.transactions, request_context_of(caller, call)
    ids, given, faults = call.body.ids, texts_of(call.body), dict[str, str]()
    if (ids is None) is not bool(given):
        raise RedriveOfWhatError
    filters = filters_shown(caller, filters_of(given, faults))
    if faults:
        raise ImpossibleValuesError(faults)
    if ids is None:
        done = await service.redrive_fitting(context, filters, partners_seen(caller))
    else:
        done = await service.redrive(context, ids, partners_seen(caller))
    return json_answer(
        RedriveAnswer(
            queued=done.queued,
            skipped=[SkippedItem(id=each.id, code=each.code) for each in done.skipped],
        )
    )


def redrive_operation(group: RouteGroup) -> AnyOperation:
    """Return the operation, as it is found in a group of routes."""
    return Operation(
        method="POST",
        path=f"{group.prefix}/transactions/redrive",
        operation_id=f"redriveTransactions{group.name}",
        tag=TRANSACTIONS,
        summary="Send many transactions again",
        description=(
            "Queues transactions whose delivery failed, with the same bytes and control numbers, "
            "and makes the next attempt at once for those that wait for it: those of ids, or the "
            "1,000 oldest of those that match filters of the list. Others are named in skipped."
        ),
        caller=group.actor,
        scope=group.act_scope,
        limit_class=LimitClass.SUBMITS,
        body=RedriveRequest,
        body_example={"ids": [10042, 10043]},
        response=Response(
            description="What became of them.",
            shape=RedriveAnswer,
            example={
                "ok": True,
                "queued": 1,
                "skipped": [{"id": 10043, "code": "invalid_state"}],
            },
        ),
        handler=redrive,
    )


TRANSACTION_REDRIVE: Final = redrive_operation(API_KEY_ROUTES)
