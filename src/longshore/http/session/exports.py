"""/api/…/export: lists as CSV files, for people and their spreadsheets.

A file has what the list of the same filters shows, on all its pages, in the order of the newest
first; its columns are the members of a row that hold one value. Cells that a spreadsheet program
would take for formulas are neutralised, as in every CSV file that is given out.
"""

import csv
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from io import StringIO
from typing import Final

import msgspec

from longshore.domain.acks.complaints import complaints_of
from longshore.domain.acks.model import Ack
from longshore.domain.exports import MAX_ROWS, ExportedTransaction
from longshore.domain.interchanges.service import KnownInterchange
from longshore.domain.interchanges.store import Interchange
from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.ack_shapes import ACKNOWLEDGEMENTS, AckFilters, AckItem
from longshore.http.api_v1.acks import item_of as ack_item
from longshore.http.api_v1.acks import query_of as ack_query
from longshore.http.api_v1.transaction_records import filters_of, record_of, texts_of
from longshore.http.api_v1.transaction_shapes import (
    TRANSACTIONS,
    TransactionFilterParameters,
    TransactionRecord,
)
from longshore.http.api_v1.transactions import filters_shown
from longshore.http.downloads import attachment, without_formulas
from longshore.http.envelope import Answer
from longshore.http.limits import MAX_EXPORTS, LimitClass
from longshore.http.listing import ImpossibleValuesError
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.audit import AuditFilterParameters, AuditItem, audit_filters_of
from longshore.http.session.audit import item_of as audit_item
from longshore.http.session.interchange_shapes import (
    InterchangeFilterParameters,
    InterchangeItem,
)
from longshore.http.session.interchange_shapes import item_of as interchange_item
from longshore.http.session.interchanges import query_of as interchange_query
from longshore.http.session_caller import OWNER, VIEWER
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode

_CSV: Final = "text/csv"
_CONTENT_TYPE: Final = b"text/csv; charset=utf-8"


class CsvFile:
    """A CSV file that grows by pages (RFC 4180): a head, then a line for each row."""

    def __init__(self, columns: Iterable[str]) -> None:
        self.columns = tuple(columns)
        self._parts = [_lines([self.columns])]

    def add(self, rows: Iterable[Sequence[object]]) -> None:
        """Add rows, each with a value for every column."""
        # Neutralised page by page, so that others get their turn between two pages.
        self._parts.append(without_formulas(_lines(map(_cells, rows))))

    def answer(self, filename: str) -> Answer:
        """Return the file."""
        return attachment("".join(self._parts).encode(), filename, _CONTENT_TYPE)


async def export_transactions(user: SessionUser, call: Call[None]) -> Answer:
    given, faults = texts_of(call.parameters_as(TransactionFilterParameters)), dict[str, str]()
    filters = filters_shown(user, filters_of(given, faults))
    if faults:
        raise ImpossibleValuesError(faults)
    table = CsvFile((*_TRANSACTION_COLUMNS, "last_error_code", "last_error_message", "reason"))
    service = call.services.trading.exports
    async for page in service.transactions(request_context_of(user, call), filters):
        table.add(map(_transaction, page))
    return table.answer("transactions.csv")


async def export_acks(user: SessionUser, call: Call[None]) -> Answer:
    query = replace(
        ack_query(texts_of(call.parameters_as(AckFilters))),
        is_test=user.environment is Environment.SANDBOX,
    )
    table = CsvFile((*_ACK_COLUMNS, "errors"))
    async for page in call.services.trading.exports.acks(request_context_of(user, call), query):
        table.add(map(_ack, page))
    return table.answer("acknowledgements.csv")


async def export_interchanges(user: SessionUser, call: Call[None]) -> Answer:
    query = interchange_query(user, call.parameters_as(InterchangeFilterParameters))
    table = CsvFile(_INTERCHANGE_COLUMNS)
    async for page in call.services.trading.exports.interchanges(
        request_context_of(user, call), query
    ):
        table.add(map(_interchange, page))
    return table.answer("interchanges.csv")


async def export_audit(user: SessionUser, call: Call[None]) -> Answer:
    filters = audit_filters_of(call.parameters_as(AuditFilterParameters), {})
    table = CsvFile(_AUDIT_COLUMNS)
    async for page in call.services.trading.exports.audit(request_context_of(user, call), filters):
        table.add(_values(audit_item(each), _AUDIT_COLUMNS) for each in page)
    return table.answer("audit.csv")


def _columns(shape: type[msgspec.Struct], *without: str) -> tuple[str, ...]:
    return tuple(name for name in shape.__struct_fields__ if name not in without)


_TRANSACTION_COLUMNS: Final = _columns(TransactionRecord, "references", "metadata", "last_error")
_ACK_COLUMNS: Final = _columns(AckItem, "errors")
_INTERCHANGE_COLUMNS: Final = _columns(InterchangeItem, "sha256", "transaction_ids")
_AUDIT_COLUMNS: Final = _columns(AuditItem)


def _transaction(exported: ExportedTransaction) -> Sequence[object]:
    record = record_of(exported.transaction)
    error = record.last_error
    failure = (None, None) if error is None else (error.code, error.message)
    return (*_values(record, _TRANSACTION_COLUMNS), *failure, exported.reason)


def _ack(ack: Ack) -> Sequence[object]:
    """Return a row; of its errors the codes and places, as the filter ``error`` takes them."""
    words = " ".join(each.word for each in complaints_of(ack.row.facts))
    return (*_values(ack_item(ack), _ACK_COLUMNS), words)


def _interchange(interchange: Interchange) -> Sequence[object]:
    known = KnownInterchange(interchange=interchange, sha256="", transaction_ids=())
    return _values(interchange_item(known), _INTERCHANGE_COLUMNS)


def _values(item: msgspec.Struct, names: Iterable[str]) -> Sequence[object]:
    return [getattr(item, name) for name in names]


def _lines(rows: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def _cells(row: Sequence[object]) -> Sequence[str]:
    return [_cell(value) for value in row]


def _cell(value: object) -> str:
    """Return a value as JSON would have it, without quotes; what is null is an empty cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)


def _export(
    path: str,
    name: str,
    of: tuple[str, str],
    parameters: type[msgspec.Struct],
    handler: Callable[[SessionUser, Call[None]], Awaitable[Answer]],
) -> AnyOperation:
    """Return the operation that saves a list as CSV; ``of`` is its tag and the name of the rows."""
    tag, what = of
    return Operation(
        method="GET",
        path=f"{path}/export",
        operation_id=name,
        tag=tag,
        summary=f"Save {what} as a CSV file",
        description=(
            f"All that GET {path} shows with these filters, on all pages, newest first. At most "
            f"{MAX_ROWS:,} rows: if more fit, it is refused; and {MAX_EXPORTS} files of an "
            "account at a time. Cells that a spreadsheet would take for formulas begin with an "
            "apostrophe. Recorded in the audit log."
        ),
        caller=OWNER if handler is export_audit else VIEWER,
        scope=None,
        limit_class=LimitClass.EXPORTS,
        parameters=parameters,
        response=Response(description="The rows, with a head.", media_type=_CSV),
        errors=frozenset({ErrorCode.LIMIT_EXCEEDED, ErrorCode.RATE_LIMITED}),
        handler=handler,
    )


TRANSACTION_EXPORT: Final = _export(
    "/api/transactions",
    "exportTransactions",
    (TRANSACTIONS, "transactions"),
    TransactionFilterParameters,
    export_transactions,
)
ACK_EXPORT: Final = _export(
    "/api/acks",
    "exportAcks",
    (ACKNOWLEDGEMENTS, "acknowledgements"),
    AckFilters,
    export_acks,
)
INTERCHANGE_EXPORT: Final = _export(
    "/api/interchanges",
    "exportInterchanges",
    ("Interchanges", "interchanges"),
    InterchangeFilterParameters,
    export_interchanges,
)
AUDIT_EXPORT: Final = _export(
    "/api/audit", "exportAudit", ("Account", "the audit log"), AuditFilterParameters, export_audit
)
OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    TRANSACTION_EXPORT,
    ACK_EXPORT,
    INTERCHANGE_EXPORT,
    AUDIT_EXPORT,
)
