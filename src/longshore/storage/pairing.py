"""The store of trace numbers, over named queries."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from longshore.domain.encryption import Owner
from longshore.domain.pairing.model import (
    NewTraces,
    OverdueRequest,
    PairedTransaction,
    RequestTrace,
    ResponseTrace,
    TraceMatch,
    TracePlace,
    TraceState,
)
from longshore.domain.pairing.store import MAX_PAIRED
from longshore.domain.partners.model import PartnerId
from longshore.domain.transactions.model import TransactionId
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.times import from_us, to_us
from longshore.x12.traces import TraceKind

_NO_REQUEST: Final = 0


class SqlPairingStore:
    """Trace numbers as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def list_of_request(self, transaction_id: TransactionId) -> Sequence[RequestTrace]:
        rows = await self._sql.fetch_all("list_request_traces", transaction_id=transaction_id)
        return [
            RequestTrace(
                place=_place(row),
                total=row["total"],
                state=TraceState(row["state"]),
                due_at=from_us(row["due_at"]),
            )
            for row in rows
        ]

    async def list_of_response(self, transaction_id: TransactionId) -> Sequence[ResponseTrace]:
        rows = await self._sql.fetch_all("list_response_traces", transaction_id=transaction_id)
        return [
            ResponseTrace(
                place=_place(row),
                total=row["total"],
                request_id=row["request_id"],
                is_ambiguous=bool(row["ambiguous"]),
                request_total=row["request_total"] or _NO_REQUEST,
            )
            for row in rows
        ]

    async def list_responses(self, request_id: TransactionId) -> Sequence[PairedTransaction]:
        rows = await self._sql.fetch_all(
            "list_responses_to_request", request_id=request_id, most=MAX_PAIRED
        )
        return [
            PairedTransaction(
                transaction_id=TransactionId(row["transaction_id"]),
                number_count=row["numbers"],
                is_ambiguous=bool(row["ambiguous"]),
                total=row["total"],
            )
            for row in rows
        ]

    async def list_overdue(self, now: datetime, most: int) -> Sequence[OverdueRequest]:
        rows = await self._sql.fetch_all("list_overdue_requests", now=to_us(now), most=most)
        found = (
            OverdueRequest(
                transaction_id=TransactionId(row["transaction_id"]),
                environment=Environment(row["environment"]),
                partner_id=PartnerId(row["partner_id"]),
            )
            for row in rows
        )
        return list(dict.fromkeys(found))  # one request has a row for each of its numbers

    async def add_request(self, owner: Owner, new: NewTraces, now: datetime) -> None:
        rows = [
            {**values, "due_at": to_us(each.due_at)}
            for each, values in zip(new.traces, _rows_of(owner, new, now), strict=True)
        ]
        await self._sql.execute_for_each("insert_request_trace", rows)

    async def add_response(self, owner: Owner, new: NewTraces, now: datetime) -> None:
        await self._sql.execute_for_each("insert_response_trace", list(_rows_of(owner, new, now)))

    async def list_matches(self, response_id: TransactionId) -> Sequence[TraceMatch]:
        rows = await self._sql.fetch_all("list_trace_matches", response_id=response_id)
        return [
            TraceMatch(
                response_trace_id=row["id"],
                place=_place(row),
                request_id=row["open_id"] or row["newest_id"],
                is_ambiguous=row["second_id"] is not None,
            )
            for row in rows
        ]

    async def link(self, matches: Sequence[TraceMatch]) -> None:
        rows: list[Mapping[str, SqlValue]] = [
            {
                "response_trace_id": each.response_trace_id,
                "request_id": each.request_id,
                "ambiguous": int(each.is_ambiguous),
            }
            for each in matches
        ]
        await self._sql.execute_for_each("link_response_trace", rows)

    async def mark_answered(self, response_id: TransactionId) -> None:
        await self._sql.execute("answer_traces", response_id=response_id)

    async def mark_all_answered(self, request_ids: Sequence[TransactionId]) -> None:
        await self._sql.execute_for_each("answer_request", _each_request(request_ids))

    async def stop_waiting(self, request_ids: Sequence[TransactionId]) -> None:
        await self._sql.execute_for_each("await_no_answer", _each_request(request_ids))

    async def mark_overdue(self, request_id: TransactionId, now: datetime) -> bool:
        rows = await self._sql.fetch_all(
            "mark_traces_overdue", request_id=request_id, now=to_us(now)
        )
        return bool(rows)


def _place(row: Row) -> TracePlace:
    return TracePlace(kind=TraceKind(row["kind"]), element=row["element"], position=row["position"])


def _rows_of(owner: Owner, new: NewTraces, now: datetime) -> Iterator[Mapping[str, SqlValue]]:
    for each in new.traces:
        yield {
            "account_id": owner[0],
            "environment": owner[1],
            "transaction_id": new.transaction_id,
            "direction": new.direction,
            "kind": each.place.kind,
            "element": each.place.element,
            "position": each.place.position,
            "total": new.total,
            "now": to_us(now),
            "digest": each.digest,
        }


def _each_request(request_ids: Sequence[TransactionId]) -> list[Mapping[str, SqlValue]]:
    return [{"request_id": each} for each in sorted(request_ids)]
