"""Choice of the queries for a list of transactions: those with the right index.

One pair of queries answers everything; it walks the times, and tests each row by each filter. That
is slow where few rows fit among many. So whatever single documents are found by is looked up first,
each way in an index of its own: if that finds few, they alone are tested. A search that finds no
document but names partners is a filter by these; one that does both finds what partners have, too.
What narrows a list without finding anything walks the index that has all of it: of the unusual, of
a partner, of a set, or of the times.

Source: decision 0016.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from re import fullmatch
from typing import Final, LiteralString

from longshore.domain.pages import ALL
from longshore.domain.partners.model import PartnerId
from longshore.domain.transactions.lists import SortField, TransactionFilters
from longshore.domain.transactions.model import TransactionStatus
from longshore.domain.transactions.store import PageRequest, SearchDigests, TransactionQuery
from longshore.kit.environment import Environment
from longshore.storage.queries import Sql, SqlValue
from longshore.storage.times import BEYOND, to_us
from longshore.storage.word_lists import as_words

MAX_CANDIDATES: Final = 1_000
"""Of more than these it costs less to walk the times than to look at each."""

_LARGEST_ID: Final = 2**63 - 1
_COMMON_STATUSES: Final = frozenset({
    TransactionStatus.ACKNOWLEDGED,
    TransactionStatus.DELIVERED,
    TransactionStatus.PROCESSED,
})
"""The final statuses of most transactions, which the index of the unusual ones does not hold."""


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The queries of a page, newest first, and of how many fit, and the values they take.

    Where a page begins and ends, and how far is counted, is to be added.
    """

    page: LiteralString
    count: LiteralString
    values: Mapping[str, SqlValue]


async def choose_plan(sql: Sql, query: TransactionQuery) -> QueryPlan:
    """Return what answers a list."""
    named = await _named_by(sql, query.filters)
    if 0 < len(named) <= MAX_CANDIDATES and not await _found(sql, _free_text_filters(query)):
        by_partner = replace(query.filters, q="", partner_id=named)
        query = replace(query, filters=by_partner, q=SearchDigests())
    has_search = False
    for candidates in _search_filters(query, by_name=bool(named)):
        has_search = True
        if await _found(sql, candidates) <= MAX_CANDIDATES:
            page, count = "list_found_transactions", "count_found_transactions_that_fit"
            return QueryPlan(page, count, {**fits(query), **candidates})
    if has_search or query.filters.is_test is None:
        return QueryPlan("list_transactions", "count_transactions", fits(query))
    return _narrowed(query.filters)


def _narrowed(filters: TransactionFilters) -> QueryPlan:
    """Return what answers a list of one environment without a search."""
    values = {**_span(filters), **_states(filters)}
    if filters.status and not filters.status & _COMMON_STATUSES:
        return QueryPlan("list_unusual_transactions", "count_unusual_transactions", values)
    if len(filters.partner_id) == 1:
        (partner_id,) = filters.partner_id
        page, count = "list_transactions_of_partner", "count_transactions_of_partner"
        return QueryPlan(page, count, {**values, "partner_id": partner_id})
    if len(filters.tx_set) == 1:
        (tx_set,) = filters.tx_set
        page, count = "list_transactions_of_set", "count_transactions_of_set"
        return QueryPlan(page, count, {**values, "tx_set": tx_set})
    return QueryPlan("list_transactions_of_time", "count_transactions_of_time", values)


async def _named_by(sql: Sql, filters: TransactionFilters) -> frozenset[PartnerId]:
    """Return whom a search names, of the partners that are asked for."""
    if not filters.q:
        return frozenset()
    rows = await sql.fetch_all("list_named_partners", prefix=filters.q.casefold(), most=ALL)
    named = frozenset(PartnerId(row["id"]) for row in rows)
    return named & filters.partner_id if filters.partner_id else named


async def _found(sql: Sql, candidates: Mapping[str, SqlValue]) -> int:
    row = await sql.fetch_one("count_found_transactions", **candidates, most=MAX_CANDIDATES + 1)
    assert row is not None
    return int(row["total"])


def _search_filters(query: TransactionQuery, *, by_name: bool) -> Iterator[Mapping[str, SqlValue]]:
    """Yield what each filter that finds single documents is looked up by.

    With ``by_name`` the search also matches names of partners.
    """
    filters = query.filters
    if filters.parent_id is not None:
        yield _ids(parent=filters.parent_id)
    if filters.business_key:
        yield _ids(digests=query.business_key)
    if filters.control_number:
        yield _ids(number=filters.control_number)
    if filters.q:
        yield _free_text_filters(query, prefix=filters.q.casefold() if by_name else None)


def _free_text_filters(
    query: TransactionQuery, *, prefix: str | None = None
) -> Mapping[str, SqlValue]:
    """Return the lookups of a search; those by name are left out if ``prefix`` is None."""
    q = query.filters.q
    return _ids(number=q, digests=query.q, transaction_id=_as_id(q), prefix=prefix)


def _ids(
    *,
    number: str | None = None,
    parent: int | None = None,
    digests: SearchDigests | None = None,
    transaction_id: int | None = None,
    prefix: str | None = None,
) -> Mapping[str, SqlValue]:
    return {
        "search_id": transaction_id,
        "search_number": number,
        "search_parent": parent,
        "search_prefix": prefix,
        "search_test": None if digests is None else digests.test,
        "search_live": None if digests is None else digests.live,
    }


def order_of(page: PageRequest) -> Mapping[str, SqlValue]:
    """Return the order, and behind which row of it the page begins."""
    sign = -1 if page.sort.is_descending else 1
    behind, behind_id = -BEYOND, -BEYOND
    if page.behind is not None:
        is_by_id = page.sort.field is SortField.ID
        behind_id = sign * page.behind.id
        behind = behind_id if is_by_id else sign * to_us(page.behind.moment)
    return {"sort": page.sort.field, "sign": sign, "behind": behind, "behind_id": behind_id}


def fits(query: TransactionQuery) -> Mapping[str, SqlValue]:
    """Return the values of all filters, as the general queries take them."""
    filters = query.filters
    return {
        **_span(filters),
        **_states(filters),
        "control_number": filters.control_number or None,
        "by_key": int(bool(filters.business_key)),
        "key_test": query.business_key.test,
        "key_live": query.business_key.live,
        "q": filters.q or None,
        "q_id": _as_id(filters.q),
        "q_prefix": filters.q.casefold(),
        "q_test": query.q.test,
        "q_live": query.q.live,
        "parent_id": filters.parent_id,
    }


def _states(filters: TransactionFilters) -> Mapping[str, SqlValue]:
    return {
        "directions": as_words(filters.direction),
        "tx_sets": as_words(filters.tx_set),
        "partner_ids": as_words(filters.partner_id),
        "processing": as_words(filters.processing_status),
        "validation": as_words(filters.validation_status),
        "delivery": as_words(filters.delivery_status),
        "ack": as_words(filters.ack_status),
        "statuses": as_words(filters.status),
        "is_open": None if filters.is_open is None else int(filters.is_open),
    }


def _span(filters: TransactionFilters) -> Mapping[str, SqlValue]:
    environments = {None: None, True: Environment.SANDBOX, False: Environment.PRODUCTION}
    return {
        "environment": environments[filters.is_test],
        "since": -BEYOND if filters.since is None else to_us(filters.since),
        "before": BEYOND if filters.before is None else to_us(filters.before),
    }


def _as_id(text: str) -> int | None:
    if fullmatch(r"[0-9]{1,19}", text) is None or int(text) > _LARGEST_ID:
        return None
    return int(text)
