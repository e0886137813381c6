"""Reads whole lists for export files, page by page, each page in a unit of its own.

No unit lasts longer than one page of a list, and content is decrypted outside of it. Rows stored
meanwhile are newer and not part of the export. The audit entry is written after the last page.

Source: contract.md section 15 (``…/export``).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from longshore.domain.acks.complaints import NO_REASON, reason_in
from longshore.domain.acks.encryption import open_named_ack
from longshore.domain.acks.model import Ack
from longshore.domain.acks.store import AckQuery, StoredAck
from longshore.domain.audit.service import AuditEntry, AuditFilters, AuditService
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.interchanges.store import Interchange, InterchangeQuery
from longshore.domain.ports import Ports, RequestContext
from longshore.domain.transactions.encryption import open_transaction
from longshore.domain.transactions.lists import Position, TransactionFilters
from longshore.domain.transactions.model import Transaction, TransactionStatus
from longshore.domain.transactions.search import query_of
from longshore.domain.transactions.states import derived_status
from longshore.domain.transactions.store import PageRequest, SealedTransaction
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class TooManyRowsError(LongshoreError):
    """More fits than a file may hold; nothing is cut silently."""

    def __init__(self, most: int) -> None:
        text = (
            f"More than {most:,} rows fit, and a file holds no more. Ask for less at once, such as "
            "for a shorter span with date_from and date_to."
        )
        detail = ErrorDetail(
            code=ErrorCode.LIMIT_EXCEEDED, message=text, limit="export_rows", max=most
        )
        super().__init__(ErrorCode.LIMIT_EXCEEDED, text, details=(detail,))


MAX_ROWS: Final = 100_000
PAGE_ROWS: Final = 500
_COMPLAINED_OF: Final = frozenset({TransactionStatus.REJECTED, TransactionStatus.INVALID})

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedTransaction:
    """A transaction, and for people why it stands where it does: ``""`` where nothing is wrong.

    What was rejected, and what came invalid, by what the acknowledgement complains of: codes in
    words and places, no value. All else by the last error.
    """

    transaction: Transaction
    reason: str


class _TransactionRow(NamedTuple):
    """A row, and the words of what was complained of in it."""

    row: SealedTransaction
    complaints: Sequence[str]


class ExportService:
    """The lists of all accounts, each through the scope of its caller; the newest first."""

    def __init__(self, ports: Ports, most_rows: int = MAX_ROWS) -> None:
        """Make the service. ``most_rows`` is as many as a file may hold."""
        self._ports = ports
        self._audit = AuditService(ports.units, ports.sealer)
        self._most_rows = most_rows

    async def transactions(
        self, context: RequestContext, filters: TransactionFilters
    ) -> AsyncIterator[Sequence[ExportedTransaction]]:
        """Yield the pages of all transactions that fit.

        Raises:
            TooManyRowsError: More fit than a file may hold.
        """
        query = query_of(self._ports.index, context.account_id, filters)

        async def count(unit: ReadUnit) -> int:
            return await unit.transactions.count(query, self._most_rows + 1)

        async def page(unit: ReadUnit, last: _TransactionRow | None) -> Sequence[_TransactionRow]:
            behind = None if last is None else _position(last.row.transaction)
            request = PageRequest(limit=PAGE_ROWS, behind=behind)
            rows = await unit.transactions.list(query, request)
            asked = [each.transaction.id for each in rows if _status(each) in _COMPLAINED_OF]
            words = await unit.acks.complaints_of(asked)
            return [_TransactionRow(each, words.get(each.transaction.id, ())) for each in rows]

        async for rows in self._pages((context, "transaction"), count, page):
            yield [self._exported(each) for each in rows]

    async def acks(self, context: RequestContext, query: AckQuery) -> AsyncIterator[Sequence[Ack]]:
        """Yield the pages of all acknowledgements that fit.

        Raises:
            TooManyRowsError: More fit than a file may hold.
        """

        async def count(unit: ReadUnit) -> int:
            return await unit.acks.count(query, self._most_rows + 1)

        async def page(unit: ReadUnit, last: StoredAck | None) -> Sequence[StoredAck]:
            behind = None if last is None else (last.ack.created_at, last.ack.id)
            return await unit.acks.list(query, PAGE_ROWS, behind=behind)

        async for rows in self._pages((context, "ack"), count, page):
            yield [open_named_ack(self._ports.sealer, each) for each in rows]

    async def interchanges(
        self, context: RequestContext, query: InterchangeQuery
    ) -> AsyncIterator[Sequence[Interchange]]:
        """Yield the pages of all interchanges that fit.

        Raises:
            TooManyRowsError: More fit than a file may hold.
        """

        async def count(unit: ReadUnit) -> int:
            return await unit.interchanges.count(query, self._most_rows + 1)

        async def page(unit: ReadUnit, last: Interchange | None) -> Sequence[Interchange]:
            behind = None if last is None else (last.created_at, last.id)
            return await unit.interchanges.list(query, PAGE_ROWS, behind=behind)

        async for rows in self._pages((context, "interchange"), count, page):
            yield rows

    async def audit(
        self, context: RequestContext, filters: AuditFilters
    ) -> AsyncIterator[Sequence[AuditEntry]]:
        """Yield the pages of all entries of the log that fit.

        Raises:
            TooManyRowsError: More fit than a file may hold; known after as many were read.
        """
        count, before, is_last = 0, None, False
        while not is_last:
            page = await self._audit.page(context, filters, before, PAGE_ROWS)
            count += len(page.entries)
            self._refuse_too_many(count)
            yield page.entries
            before, is_last = page.next_before, page.next_before is None
        await self._note(context, "audit", count)

    async def _pages(
        self,
        who: tuple[RequestContext, str],
        count: Callable[[ReadUnit], Coroutine[object, None, int]],
        page: Callable[[ReadUnit, Row | None], Coroutine[object, None, Sequence[Row]]],
    ) -> AsyncIterator[Sequence[Row]]:
        """Yield all rows by pages, then note ``who`` took what along.

        Raises:
            TooManyRowsError: There are more than a file may hold.
        """
        context, what = who

        async def read(last: Row | None) -> Sequence[Row]:
            return await self._ports.units.read(context.scope, lambda unit: page(unit, last))

        self._refuse_too_many(await self._ports.units.read(context.scope, count))
        total, rows = 0, await read(None)
        while rows:
            total += len(rows)
            yield rows
            rows = await read(rows[-1])
        await self._note(context, what, total)

    def _exported(self, row: _TransactionRow) -> ExportedTransaction:
        transaction = open_transaction(self._ports.sealer, row.row)
        error = transaction.record.last_error
        if row.complaints:
            reason = reason_in(row.complaints)
        elif _status(row.row) is TransactionStatus.REJECTED:
            reason = NO_REASON
        else:
            reason = error.message if error else ""
        return ExportedTransaction(transaction=transaction, reason=reason)

    def _refuse_too_many(self, count: int) -> None:
        """Make sure that a file may hold so many rows.

        Raises:
            TooManyRowsError: It may not.
        """
        if count > self._most_rows:
            raise TooManyRowsError(self._most_rows)

    async def _note(self, context: RequestContext, what: str, count: int) -> None:
        """Add to the audit log that somebody takes a list along."""
        now = self._ports.clock.now()
        entry = entry_of(context, f"{what}.export", f"{what} list", f"{count} rows")

        async def write(unit: WriteUnit) -> None:
            await AuditWriter(unit, self._ports.sealer, context.account_id).record([entry], now)

        await self._ports.units.write(context.scope, write)


def _position(transaction: Transaction) -> Position:
    return Position(transaction.created_at, transaction.id)


def _status(row: SealedTransaction) -> TransactionStatus:
    record = row.transaction.record
    return derived_status(record.direction, record.states)
