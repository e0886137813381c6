"""The transaction operations under /api/v1, and under /api for the session."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from longshore.domain.accounts.model import KeyScope
from longshore.domain.transactions.errors import TransactionNotFoundError
from longshore.domain.transactions.lists import TransactionFilters, read_sort
from longshore.domain.transactions.model import TransactionId
from longshore.domain.transactions.timeline import ListRequest, TrackedTransaction
from longshore.domain.users.model import SessionUser
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.transaction_history import (
    DELIVERIES_EXAMPLE,
    TIMELINE_EXAMPLE,
    DeliveriesAnswer,
    TimelineAnswer,
    delivery_of,
    entry_of,
    time_or_none,
)
from longshore.http.api_v1.transaction_pairing import (
    SHOWN_EXAMPLE,
    ShownTransactionAnswer,
    pairing_of,
)
from longshore.http.api_v1.transaction_records import (
    RECORD_EXAMPLE,
    filters_of,
    record_of,
    texts_of,
)
from longshore.http.api_v1.transaction_shapes import (
    TRANSACTIONS,
    TransactionAnswer,
    TransactionListParameters,
    TransactionParameters,
    TransactionsAnswer,
)
from longshore.http.downloads import ANY_BYTES, attachment, without_formulas
from longshore.http.envelope import Answer, json_answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import ImpossibleValuesError, counted_for, id_in_path, page_of
from longshore.http.operation import AnyOperation, Call, CallerRule, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode

MEDIA_TYPES: Final = {
    "json": "application/json",
    "xml": "application/xml",
    "csv": "text/csv",
    "x12": "application/edi-x12",
}
NOT_FOUND: Final = frozenset({ErrorCode.NOT_FOUND})


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteGroup:
    """One group of transaction routes: its path prefix, its name suffix and its caller rules."""

    prefix: str
    name: str
    reader: CallerRule[Any]  # Any: of a key or of a session; the handlers take both
    actor: CallerRule[Any]  # Any: as above
    read_scope: KeyScope | None
    act_scope: KeyScope | None


class OperationDoc(NamedTuple):
    """The texts of an operation in the documentation."""

    ending: str
    """The end of its path."""
    name: str
    summary: str
    description: str


async def list_transactions(path: str, caller: AccountCaller, call: Call[None]) -> Answer:
    """Return a page of the list at ``path``, which the link to the next page begins with.

    Raises:
        ImpossibleValuesError: With a detail for each parameter that makes no sense.
        LongshoreError: ``invalid_parameter``: the cursor is of another list.
    """
    given, faults = texts_of(call.parameters_as(TransactionListParameters)), dict[str, str]()
    filters = filters_shown(caller, filters_of(given, faults))
    if {"cursor", "offset"} <= set(given):
        faults["cursor"] = "cannot be combined with offset: the cursor contains the position"
    if faults:
        raise ImpossibleValuesError(faults)
    limit, offset, warnings = page_of(given.get("limit", ""), given.get("offset", ""))
    page = await call.services.trading.transactions.page(
        request_context_of(caller, call),
        filters,
        ListRequest(
            limit=limit,
            offset=offset,
            count_to=counted_for(caller),
            sort=read_sort(given.get("sort", "")),
            cursor=given.get("cursor", ""),
        ),
    )
    answer = json_answer(
        TransactionsAnswer(
            environment=caller.environment.value,
            count=len(page.transactions),
            total=page.total.count,
            total_is_exact=page.total.is_exact,
            limit=limit,
            offset=offset,
            has_more=page.has_more,
            next_cursor=page.next_cursor,
            transactions=[record_of(each.transaction) for each in page.transactions],
            warnings=warnings,
        )
    )
    if page.next_cursor is None:
        return answer
    query = {name: text for name, text in given.items() if name != "offset"}
    query |= {"cursor": page.next_cursor} | ({"limit": str(limit)} if "limit" in given else {})
    link = f'<{call.services.base_url}{path}?{urlencode(query)}>; rel="next"'  # RFC 8288
    return answer._replace(headers=(*answer.headers, (b"link", link.encode())))


def filters_shown(caller: AccountCaller, filters: TransactionFilters) -> TransactionFilters:
    """Return filters; a page shows its environment alone, unless ``test`` asks for another."""
    if isinstance(caller, SessionUser) and filters.is_test is None:
        return replace(filters, is_test=caller.environment is Environment.SANDBOX)
    return filters


async def show_transaction(caller: AccountCaller, call: Call[None]) -> Answer:
    context, trading = request_context_of(caller, call), call.services.trading
    found = await trading.transactions.get(context, asked_id(call))
    return json_answer(
        ShownTransactionAnswer(
            environment=caller.environment.value,
            transaction=record_of(found.transaction),
            pairing=pairing_of(await trading.pairings.find(context, found.transaction)),
        )
    )


async def download_content(caller: AccountCaller, call: Call[None]) -> Answer:
    service = call.services.trading.transactions
    found = await service.content(request_context_of(caller, call), asked_id(call))
    return attachment(found.content, found.filename)


async def show_timeline(caller: AccountCaller, call: Call[None]) -> Answer:
    number = asked_id(call)
    timeline = await call.services.trading.transactions.timeline(
        request_context_of(caller, call), number
    )
    pending = await call.services.trading.pending_deliveries.find(
        request_context_of(caller, call), number
    )
    return json_answer(
        TimelineAnswer(
            environment=caller.environment.value,
            transaction_id=number,
            waits_behind=pending.waits_behind,
            timeline=[entry_of(each) for each in timeline],
        )
    )


async def show_deliveries(caller: AccountCaller, call: Call[None]) -> Answer:
    number = asked_id(call)
    attempts = await call.services.trading.transactions.deliveries(
        request_context_of(caller, call), number
    )
    pending = await call.services.trading.pending_deliveries.find(
        request_context_of(caller, call), number
    )
    return json_answer(
        DeliveriesAnswer(
            environment=caller.environment.value,
            transaction_id=number,
            waits_behind=pending.waits_behind,
            next_attempt_at=time_or_none(pending.next_attempt_at),
            deliveries=[delivery_of(each) for each in attempts],
        )
    )


async def download_output(caller: AccountCaller, call: Call[None]) -> Answer:
    opened = await call.services.trading.transactions.output(
        request_context_of(caller, call), asked_id(call)
    )
    document, content = opened.document, opened.content
    if document.fmt == "csv" and isinstance(caller, SessionUser):
        content = without_formulas(content)  # a person opens it, in whatever opens tables
    return attachment(content.encode(), document.filename, MEDIA_TYPES[document.fmt].encode())


# Any: the body counts for nothing here.
def asked_id(call: Call[Any]) -> TransactionId:
    """Return the id in the path.

    Raises:
        TransactionNotFoundError: It is no id.
    """
    number = id_in_path(call.parameters_as(TransactionParameters).id)
    if number is None:
        raise TransactionNotFoundError
    return TransactionId(number)


def transaction_answer(caller: AccountCaller, found: TrackedTransaction) -> Answer:
    """Return one transaction."""
    return json_answer(
        TransactionAnswer(
            environment=caller.environment.value,
            transaction=record_of(found.transaction),
        )
    )


def read_operations(group: RouteGroup) -> tuple[AnyOperation, ...]:
    """Return the reading operations of a route group."""
    path = f"{group.prefix}/transactions"
    return (
        Operation(
            method="GET",
            path=path,
            operation_id=f"listTransactions{group.name}",
            tag=TRANSACTIONS,
            summary="List transactions",
            description=(
                "A page of sent and received transactions, newest first unless sort is given. "
                "Filters are combined with AND, several values of one filter with OR. The "
                "sandbox contains test transactions only. The header Link has the address of "
                "the next page."
            ),
            caller=group.reader,
            scope=group.read_scope,
            limit_class=LimitClass.REQUESTS,
            parameters=TransactionListParameters,
            response=Response(
                description="A page of transactions.",
                shape=TransactionsAnswer,
                example=_LIST_EXAMPLE,
            ),
            handler=partial(list_transactions, path),
        ),
        _read(
            group,
            OperationDoc(
                "",
                "showTransaction",
                "Show a transaction",
                "The record of one set, and what a request or response is paired with.",
            ),
            Response(
                description="The transaction.", shape=ShownTransactionAnswer, example=SHOWN_EXAMPLE
            ),
            show_transaction,
        ),
        _read(
            group,
            OperationDoc(
                "/content",
                "downloadTransactionContent",
                "Fetch the bytes that were sent or received",
                "The whole interchange of the transaction, byte for byte, as an attachment. Each "
                "time is noted in the audit log.",
            ),
            Response(description="The interchange.", media_type=ANY_BYTES.decode()),
            download_content,
        ),
        _read(
            group,
            OperationDoc(
                "/timeline",
                "showTransactionTimeline",
                "Show what happened to a transaction",
                "Events, attempts and acknowledgements, oldest first.",
            ),
            Response(description="What happened.", shape=TimelineAnswer, example=TIMELINE_EXAMPLE),
            show_timeline,
        ),
        _read(
            group,
            OperationDoc(
                "/deliveries",
                "listTransactionDeliveries",
                "List the attempts to deliver a transaction",
                "Of its interchange, oldest first; none of one that was received.",
            ),
            Response(
                description="The attempts.", shape=DeliveriesAnswer, example=DELIVERIES_EXAMPLE
            ),
            show_deliveries,
        ),
        _read(
            group,
            OperationDoc(
                "/output",
                "downloadTransactionOutput",
                "Fetch the output of the partner's map for a transaction",
                "The document, with its media type, as an attachment. Not found where no map ran.",
            ),
            _OUTPUT,
            download_output,
        ),
    )


def _read(
    group: RouteGroup,
    doc: OperationDoc,
    response: Response,
    handler: Callable[[AccountCaller, Call[None]], Awaitable[Answer]],
) -> AnyOperation:
    """Return an operation that reads one transaction."""
    return Operation(
        method="GET",
        path=f"{group.prefix}/transactions/{{id}}{doc.ending}",
        operation_id=doc.name + group.name,
        tag=TRANSACTIONS,
        summary=doc.summary,
        description=doc.description,
        caller=group.reader,
        scope=group.read_scope,
        limit_class=LimitClass.REQUESTS,
        parameters=TransactionParameters,
        response=response,
        errors=NOT_FOUND,
        handler=handler,
    )


ONE_EXAMPLE: Final = {"ok": True, "environment": "sandbox", "transaction": RECORD_EXAMPLE}
_LIST_EXAMPLE: Final = {
    "ok": True,
    "environment": "sandbox",
    "count": 1,
    "total": 1,
    "total_is_exact": True,
    "limit": 50,
    "offset": 0,
    "has_more": False,
    "next_cursor": None,
    "transactions": [RECORD_EXAMPLE],
    "warnings": [],
}
_OUTPUT: Final = Response(
    description="The output of the map.",
    media_type=MEDIA_TYPES["x12"],
    also=tuple(MEDIA_TYPES[fmt] for fmt in ("json", "xml", "csv")),
)
API_KEY_ROUTES: Final = RouteGroup(
    prefix="/api/v1",
    name="",
    reader=API_KEY,
    actor=API_KEY,
    read_scope=KeyScope.READ,
    act_scope=KeyScope.SUBMIT,
)
TRANSACTION_READS: Final = read_operations(API_KEY_ROUTES)
