"""The choice of a query for a list of acknowledgements, and its parameters.

The general query walks all times; what pages ask for most has queries with an index of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from longshore.domain.acks.model import AckForm
from longshore.domain.acks.store import AckQuery
from longshore.domain.transactions.model import AckStatus
from longshore.kit.environment import Environment
from longshore.storage.queries import SqlValue
from longshore.storage.times import BEYOND, to_us
from longshore.storage.word_lists import as_words


def is_rejecting(query: AckQuery) -> bool:
    """Tell whether rejections in one environment are asked for, which have an index."""
    return query.is_test is not None and query.results == {AckStatus.REJECTED}


def is_of_status(query: AckQuery) -> bool:
    """Tell whether one status is asked for, without TA1."""
    is_one = len(query.statuses) == 1
    return is_one and bool(query.ack_types) and AckForm.TA1 not in query.ack_types


def by_environment(query: AckQuery) -> Sequence[AckQuery]:
    """Return the query for each environment: the index of a status is for one of them."""
    return [replace(query, is_test=is_test) for is_test in (True, False)]


def is_plain(query: AckQuery) -> bool:
    """Tell whether all 997 and 999 of one status are asked for: each page begins with those."""
    plain = AckQuery(
        statuses=query.statuses, is_test=query.is_test, since=query.since, before=query.before
    )
    return is_of_status(query) and query == plain


def status_of(query: AckQuery) -> Mapping[str, SqlValue]:
    """Return the status of a query that ``is_of_status``, as a parameter."""
    (status,) = query.statuses
    return {"status": status}


def filters_of(query: AckQuery) -> Mapping[str, SqlValue]:
    """Return the parameters of the filters."""
    return {
        "statuses": as_words(query.statuses),
        "results": as_words(query.results),
        "ack_types": as_words(query.ack_types),
        "direction": query.direction,
        "partner_id": query.partner_id,
        "transaction_id": query.transaction_id,
        "tx_sets": as_words(query.tx_sets),
        "overdue": _flag(is_true=query.is_overdue),
        "is_due": _flag(is_true=query.is_due),
        "is_open": _flag(is_true=query.is_open),
        "complaint": query.complaint,
        **span_of(query),
    }


def _flag(*, is_true: bool | None) -> int | None:
    return None if is_true is None else int(is_true)


def span_of(query: AckQuery) -> Mapping[str, SqlValue]:
    """Return the parameters of environment and times."""
    environments = {None: None, True: Environment.SANDBOX, False: Environment.PRODUCTION}
    return {
        "environment": environments[query.is_test],
        "since": -BEYOND if query.since is None else to_us(query.since),
        "before": BEYOND if query.before is None else to_us(query.before),
    }
