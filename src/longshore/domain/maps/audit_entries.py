"""Audit entries of maps: who changed one, and who tried rules on stored documents.

Changes have no detail: the history of a map says what they were. Source: reliability.md section 8.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum, unique

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.ports import RequestContext
from longshore.domain.units import WriteUnit


@unique
class MapAction(StrEnum):
    """An action on a map, as the log calls it."""

    CREATE = "map.create"
    SAVE = "map.save"
    RESTORE = "map.restore"
    LOCK = "map.lock"
    UNLOCK = "map.unlock"
    DELETE = "map.delete"
    REPLAY = "map.replay"


async def record_change(
    unit: WriteUnit, context: RequestContext, action: MapAction, map_id: int, now: datetime
) -> None:
    """Add what somebody did to a map; the last thing a unit does."""
    entry = entry_of(context, action, _name(map_id))
    await AuditWriter(unit, None, context.account_id).record((entry,), now)


def replay_entry(context: RequestContext, map_id: int, document_ids: Iterable[int]) -> NewEntry:
    """Return what is said of somebody who saw what rules make of these documents."""
    read = ", ".join(str(each) for each in document_ids)
    return entry_of(context, MapAction.REPLAY, _name(map_id), f"documents {read}")


def _name(map_id: int) -> str:
    return f"map {map_id}"
