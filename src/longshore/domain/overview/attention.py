"""Things that need attention, in words, with the page that shows them.

Each kind of thing is made by one function from what the store counted. A link leads to a page of
the application whose filters show exactly what was counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import nsmallest
from itertools import islice
from typing import Final
from urllib.parse import urlencode

from longshore.domain.acks.meanings import INTERCHANGE_MEANINGS
from longshore.domain.control_numbers.numbers import NumberKind, NumberRange, is_low, left
from longshore.domain.overview.figures import reason_of, words_of
from longshore.domain.overview.model import AttentionItem, AttentionKind, AttentionSeverity
from longshore.domain.overview.store import Group, StoredCounter
from longshore.domain.partners.model import ConnectionStatus, PartnerId
from longshore.domain.partners.settings import DEFAULT_SETTINGS
from longshore.domain.transactions.model import TransactionStatus

MAX_ITEMS: Final = 50
MAX_READ: Final = MAX_ITEMS + 1
"""So many of a kind are enough to choose from, and to know whether there are more."""

RECENT_DAYS: Final = 30
"""For how long what a partner rejected or sent invalid is shown: nobody marks it as seen."""

_SEVERITIES: Final = {
    AttentionKind.REJECTED: AttentionSeverity.ERROR,
    AttentionKind.DELIVERY_FAILED: AttentionSeverity.ERROR,
    AttentionKind.CONNECTION_FAILING: AttentionSeverity.ERROR,
    AttentionKind.QUARANTINED: AttentionSeverity.ERROR,
    AttentionKind.ACK_OVERDUE: AttentionSeverity.WARNING,
    AttentionKind.INVALID_RECEIVED: AttentionSeverity.WARNING,
    AttentionKind.CONTROL_NUMBERS_LOW: AttentionSeverity.WARNING,
}
_TIMES: Final = "\N{MULTIPLICATION SIGN}"
_ORDER: Final = (AttentionSeverity.ERROR, AttentionSeverity.WARNING)
_NUMBERED: Final = {NumberKind.ISA: "interchanges", NumberKind.GS: "groups"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The counts of the store, by kind."""

    recent: datetime
    """Since when things count as recent."""
    rejected: tuple[Group, ...] = ()
    undelivered: tuple[Group, ...] = ()
    failing: tuple[Group, ...] = ()
    quarantined: tuple[Group, ...] = ()
    overdue: tuple[Group, ...] = ()
    invalid: tuple[Group, ...] = ()
    counters: tuple[StoredCounter, ...] = ()


def recently(now: datetime) -> datetime:
    """Return since when something counts as recent: the begin of a day of UTC."""
    day = now - timedelta(days=RECENT_DAYS)
    return day.replace(hour=0, minute=0, second=0, microsecond=0)


def items_of(found: Findings) -> tuple[AttentionItem, ...]:
    """Return what needs attention: the most severe first, then what began last.

    At most ``MAX_READ``: one more than is shown, if there is more.
    """
    items = [
        *_rejected(found.rejected, found.recent),
        *map(_undelivered, found.undelivered),
        *map(_failing, found.failing),
        *_quarantined(found.quarantined),
        *map(_overdue, found.overdue),
        *(_invalid(each, found.recent) for each in found.invalid),
        *islice(_running_out(found.counters), MAX_READ),
    ]
    return tuple(sorted(items, key=_rank)[:MAX_READ])


def _rank(item: AttentionItem) -> tuple[int, float, str]:
    return _ORDER.index(item.severity), _newness(item.since), item.title


def _newness(since: datetime | None) -> float:
    """Return what sorts the newest first, and what nobody knows the time of last."""
    return 0.0 if since is None else -since.timestamp()


def _rejected(groups: Iterable[Group], since: datetime) -> Iterator[AttentionItem]:
    """Yield what partners rejected last: a set for each thing that is complained of in it."""
    by_word: dict[tuple[str, PartnerId | None], list[Group]] = {}
    for group in groups:
        for word in words_of(group):
            by_word.setdefault((word, group.partner_id), []).append(group)
    words = ((key, alike[0], _joined(alike)) for key, alike in by_word.items())
    # Chosen before they are put into words: there may be many.
    newest = nsmallest(MAX_READ, words, key=lambda each: _newness(each[2].since))
    for (word, partner_id), first, joined in newest:
        reason = reason_of(word, joined.count)
        location = f" at {reason.path}" if reason.path else ""
        yield _item(
            AttentionKind.REJECTED,
            f"{reason.count} {_TIMES} {reason.meaning}{location}{_of(first)}",
            joined,
            _href(
                "acks",
                tab="received",
                result="rejected",
                partner_id=partner_id,
                error=reason.error,
                date_from=since.date(),
                open="true",
            ),
        )


def _undelivered(group: Group) -> AttentionItem:
    return _item(
        AttentionKind.DELIVERY_FAILED,
        f"{group.count} {_TIMES} delivery failed{_of(group)}",
        group,
        _href("transactions", delivery_status="failed", partner_id=group.partner_id, open="true"),
    )


def _failing(group: Group) -> AttentionItem:
    is_disabled = group.name == ConnectionStatus.DISABLED
    what = "is switched off" if is_disabled else "is failing"
    waiting = f"; {group.count} waiting" if group.count else ""
    return _item(
        AttentionKind.CONNECTION_FAILING,
        f"Delivery to {group.partner_name} {what}{waiting}",
        group,
        _href(f"partners/{group.partner_id}"),
    )


def _quarantined(groups: Iterable[Group]) -> Iterator[AttentionItem]:
    """Yield all that is quarantined as one, since its list shows all of it."""
    reasons = sorted(groups, key=lambda each: (-each.count, each.name))
    if reasons:
        messages = ", ".join(_in_words(each.name) for each in reasons)
        all_of_them = _joined(reasons)
        yield _item(
            AttentionKind.QUARANTINED,
            f"{all_of_them.count} {_TIMES} interchange in quarantine: {messages}",
            all_of_them,
            _href("interchanges", status="quarantined"),
        )


def _overdue(group: Group) -> AttentionItem:
    return _item(
        AttentionKind.ACK_OVERDUE,
        f"{group.count} {_TIMES} acknowledgement overdue, {group.name}",
        group,
        _href("acks", tab="pending", overdue="true", tx_set=group.name),
    )


def _invalid(group: Group, since: datetime) -> AttentionItem:
    return _item(
        AttentionKind.INVALID_RECEIVED,
        f"{group.count} {_TIMES} invalid {group.name} received{_of(group)}",
        group,
        _href(
            "transactions",
            direction="inbound",
            status=TransactionStatus.INVALID,
            partner_id=group.partner_id,
            tx_set=group.name,
            date_from=since.date(),
            open="true",
        ),
    )


def _running_out(counters: Iterable[StoredCounter]) -> Iterator[AttentionItem]:
    for each in counters:
        settings = json.loads(each.settings)
        numbers = NumberRange(
            least=settings.get("control_min", DEFAULT_SETTINGS.control_min),
            most=settings.get("control_max", DEFAULT_SETTINGS.control_max),
        )
        if is_low(numbers, each.last):
            rest = left(numbers, each.last)
            title = f"{rest:,} control numbers of {_NUMBERED[each.kind]} left"
            group = Group(
                name="",
                count=rest,
                since=None,
                partner_id=each.partner_id,
                partner_name=each.partner_name,
            )
            yield _item(
                AttentionKind.CONTROL_NUMBERS_LOW,
                f"{title}{_of(group)}",
                group,
                _href(f"partners/{each.partner_id}"),
            )


def _joined(groups: Iterable[Group]) -> Group:
    """Return groups as one, without what they differ in."""
    counts, times = zip(*((each.count, each.since) for each in groups), strict=True)
    return Group(name="", count=sum(counts), since=min(filter(None, times), default=None))


def _of(group: Group) -> str:
    return f", {group.partner_name}" if group.partner_name else ""


def _item(kind: AttentionKind, title: str, group: Group, href: str) -> AttentionItem:
    return AttentionItem(
        kind=kind,
        severity=_SEVERITIES[kind],
        title=title,
        count=group.count,
        since=group.since,
        href=href,
    )


def _href(page: str, **filters: object) -> str:
    """Return the path of a page; a filter that is None or empty is left out."""
    given = {name: str(value) for name, value in filters.items() if value not in {None, ""}}
    return f"/app/{page}?{urlencode(given)}" if given else f"/app/{page}"


def _in_words(reason: str) -> str:
    """Return a reason such as ``not_x12``, or a code of TA105 such as ``022``, as people say it."""
    meaning = INTERCHANGE_MEANINGS.get(reason, "")
    if meaning:
        return meaning[0].lower() + meaning[1:]
    return reason.replace("_", " ").replace("x12", "X12") or "no reason"
