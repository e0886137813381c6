"""Which query answers what is asked of a list of transactions: the one with the right index.

One query answers everything; it walks the times, and judges each row by each filter. That is slow
where few rows fit among many, and where all that fit are counted. So what is asked for most has
queries of its own: one partner, one set, one business key, a span of time, each without any other
filter, and the statuses that few transactions have, with any.
"""

from collections.abc import Mapping
from dataclasses import replace
from re import fullmatch
from typing import Final, LiteralString, NamedTuple

from longshore.domain.transactions.model import TransactionStatus
from longshore.domain.transactions.query import SortField, TransactionFilters
from longshore.domain.transactions.store import PageRequest, TransactionQuery
from longshore.kit.environment import Environment
from longshore.storage.queries import SqlValue
from longshore.storage.times import BEYOND, to_us
from longshore.storage.words import as_words

_LARGEST_ID: Final = 2**63 - 1
_USUAL: Final = frozenset({
    TransactionStatus.ACKNOWLEDGED,
    TransactionStatus.DELIVERED,
    TransactionStatus.PROCESSED,
})
"""What most transactions are in the end, and the index of the unusual ones does not hold."""

_PAGES: Final[Mapping[str, LiteralString]] = {
    "count_transactions_of_partner": "list_transactions_of_partner",
    "count_transactions_of_set": "list_transactions_of_set",
    "count_transactions_of_key": "list_transactions_of_key",
}


class Asked(NamedTuple):
    """A query, and the values it takes."""

    name: LiteralString
    values: Mapping[str, SqlValue]


def page_query(query: TransactionQuery) -> Asked:
    """Return what reads a page, newest first; where it begins and ends is to be added."""
    alone = _alone(query)
    if alone is not None and alone.name in _PAGES:
        return Asked(_PAGES[alone.name], alone.values)
    if _is_unusual(query.filters):
        return Asked("list_unusual_transactions", fits(query))
    return Asked("list_transactions", fits(query))


def count_query(query: TransactionQuery) -> Asked:
    """Return what counts all that fit."""
    alone = _alone(query)
    if alone is not None:
        return alone
    if _is_unusual(query.filters):
        return Asked("count_unusual_transactions", fits(query))
    return Asked("count_transactions", fits(query))


def _alone(query: TransactionQuery) -> Asked | None:
    """Return what counts those of the one thing that is asked for; None: it is none or several."""
    filters = query.filters
    if filters.is_test is None:  # of both environments
        return None
    others, span = _without_span(filters), _span(filters)
    if len(filters.partner_id) == 1 and others == TransactionFilters(partner_id=filters.partner_id):
        (partner_id,) = filters.partner_id
        return Asked("count_transactions_of_partner", {"partner_id": partner_id, **span})
    if len(filters.tx_set) == 1 and others == TransactionFilters(tx_set=filters.tx_set):
        (tx_set,) = filters.tx_set
        return Asked("count_transactions_of_set", {"tx_set": tx_set, **span})
    if filters.business_key and others == TransactionFilters(business_key=filters.business_key):
        key = query.business_key
        digest = key.test if filters.is_test else key.live
        return Asked("count_transactions_of_key", {"digest": digest, **span})
    if others == TransactionFilters():
        return Asked("count_transactions_of_time", span)
    return None


def _is_unusual(filters: TransactionFilters) -> bool:
    is_of_one = filters.is_test is not None
    return is_of_one and bool(filters.status) and not filters.status & _USUAL


def _without_span(filters: TransactionFilters) -> TransactionFilters:
    return replace(filters, is_test=None, since=None, before=None)


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
        "directions": as_words(filters.direction),
        "tx_sets": as_words(filters.tx_set),
        "partner_ids": as_words(filters.partner_id),
        "processing": as_words(filters.processing_status),
        "validation": as_words(filters.validation_status),
        "delivery": as_words(filters.delivery_status),
        "ack": as_words(filters.ack_status),
        "statuses": as_words(filters.status),
        "control_number": filters.control_number or None,
        "by_key": int(bool(filters.business_key)),
        "key_test": query.business_key.test,
        "key_live": query.business_key.live,
        "q": filters.q or None,
        "q_id": _as_id(filters.q),
        "q_prefix": filters.q.casefold(),
        "q_test": query.q.test,
        "q_live": query.q.live,
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
