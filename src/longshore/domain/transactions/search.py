"""Search for a page of transactions: digests of sealed values, cursors for its beginning.

Source: contract.md section 5 (``GET /api/v1/transactions``).
"""

from __future__ import annotations

from longshore.domain.ports import AccountId, BlindIndex
from longshore.domain.transactions.encryption import reference_digest
from longshore.domain.transactions.errors import InvalidQueryError
from longshore.domain.transactions.lists import (
    CursorContext,
    Position,
    SortField,
    TransactionFilters,
    cursor_after,
    read_cursor,
)
from longshore.domain.transactions.model import Transaction
from longshore.domain.transactions.store import SearchDigests, TransactionQuery
from longshore.domain.transactions.timeline import ListRequest
from longshore.kit.environment import Environment


def query_of(
    index: BlindIndex, account_id: AccountId, filters: TransactionFilters
) -> TransactionQuery:
    """Return filters as the store takes them: what is sealed is found in both environments."""
    return TransactionQuery(
        filters=filters,
        business_key=_digests(index, account_id, filters.business_key),
        q=_digests(index, account_id, filters.q),
    )


def behind(request: ListRequest, context: CursorContext) -> Position | None:
    """Return behind which record a page begins; None: at its offset.

    Raises:
        InvalidQueryError: The cursor is none of this list, or comes with an offset.
    """
    if not request.cursor:
        return None
    if request.offset:
        raise InvalidQueryError({"cursor": ("and offset exclude each other: give one", None)})
    return read_cursor(request.cursor, context)


def cursor_behind(last: Transaction, context: CursorContext) -> str:
    """Return the text from which the page after this record begins."""
    is_by_update = context.sort.field is SortField.UPDATED_AT
    moment = last.updated_at if is_by_update else last.created_at
    return cursor_after(Position(moment, last.id), context)


def _digests(index: BlindIndex, account_id: AccountId, value: str) -> SearchDigests:
    if not value:
        return SearchDigests()
    test, live = (
        reference_digest(index, (account_id, environment), value)
        for environment in (Environment.SANDBOX, Environment.PRODUCTION)
    )
    return SearchDigests(test=test, live=live)
