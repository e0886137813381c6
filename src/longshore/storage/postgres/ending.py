"""The last statements of a unit on PostgreSQL and its COMMIT, as one text.

A text of several statements takes no parameters, so their values are a setting of the transaction.
Each statement sees what was committed before it began: the hash that a chain goes on with is read
by a statement after the one that waited for the end of the chain.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from longshore.domain.audit.chain import around_position
from longshore.domain.audit.model import SealedEntry
from longshore.domain.events.model import SealedEvent
from longshore.storage.events import by_account
from longshore.storage.postgres.queries import session_query
from longshore.storage.times import to_us
from longshore.storage.units import UnitEnding

_EVENTS: Final = session_query("store_last_events")
_ENTRIES: Final = session_query("draw_last_entries") + session_query("store_last_entries")
_USAGE: Final = session_query("add_last_usage")
_COMMIT: Final = session_query("commit_unit")

Members = dict[str, int | str | None]


def ending_text(ending: UnitEnding) -> str:
    """Return the statements that store what there is, and COMMIT."""
    parts = {
        _EVENTS: ending.events.appended,
        _ENTRIES: ending.audit.appended,
        _USAGE: ending.stored.amounts,
        _COMMIT: True,
    }
    return "".join(text for text, is_needed in parts.items() if is_needed)


def ending_values(ending: UnitEnding) -> str:
    """Return the values of the statements as JSON, ``""`` if there is nothing to store."""
    events, entries = by_account(ending.events.appended), by_account(ending.audit.appended)
    values = {
        "events": list(_events(events.values())),
        "entries": list(_entries(entries.values())),
        "usage": [
            {"account_id": account_id, "bytes": size, "records": records}
            for account_id, (size, records) in ending.stored.amounts.items()
        ],
    }
    return json.dumps(values) if any(values.values()) else ""


def _events(accounts: Iterable[Sequence[SealedEvent]]) -> Iterator[Members]:
    for events in accounts:
        for number, event in enumerate(events, 1):
            yield {
                "account_id": event.account_id,
                "number": number,
                "count": len(events),
                "environment": event.environment,
                "type": event.type,
                "data": json.dumps(event.data),
                "transaction_id": event.transaction_id,
                "actor": event.actor,
                "created_at": to_us(event.created_at),
            }


def _entries(accounts: Iterable[Sequence[SealedEntry]]) -> Iterator[Members]:
    for entries in accounts:
        for number, entry in enumerate(entries, 1):
            before, after = around_position(entry)
            yield {
                "account_id": entry.account_id,
                "number": number,
                "count": len(entries),
                "actor": entry.actor,
                "action": entry.action,
                "object": entry.object,
                "ip": entry.ip,
                "request_id": entry.request_id,
                "created_at": to_us(entry.created_at),
                "before_position": before,
                "after_position": after,
            }
