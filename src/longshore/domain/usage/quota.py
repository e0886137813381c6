"""The check of the quota of an account, before a document or a version of a map is stored.

A quota refuses new submits, receipts, conversions and saved maps; what was received is always
processed.
"""

from datetime import datetime
from typing import Final

from longshore.domain.encryption import Owner
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.ports import Sealer
from longshore.domain.units import WriteUnit
from longshore.domain.usage.errors import StorageQuotaError
from longshore.domain.usage.store import AccountUsage

NEAR_PERCENT: Final = 80


def refuse_beyond_quota(usage: AccountUsage, new_bytes: int) -> None:
    """Make sure that an account with this usage may store so many more bytes in one more record.

    The usage has the quota of the settings where the account has none (``with_quota``).

    Raises:
        StorageQuotaError: It may not.
    """
    for limit, used, more, maximum in (
        ("stored_bytes", usage.bytes, new_bytes, usage.max_bytes or 0),
        ("stored_records", usage.records, 1, usage.max_records or 0),
    ):
        if maximum and used + more > maximum:
            raise StorageQuotaError(limit, used, maximum)


async def check_quota(
    unit: WriteUnit,
    usage: AccountUsage,
    sealer: Sealer,
    owner: Owner,
    new_bytes: int,
    now: datetime,
) -> None:
    """Make sure, as ``refuse_beyond_quota`` does, that an account may store a document.

    The first call at which 80 % are used records an event; so does the first one after the usage
    has fallen below it and risen again.

    Raises:
        StorageQuotaError: It may not.
    """
    refuse_beyond_quota(usage, new_bytes)
    near = [
        (limit, used, maximum)
        for limit, used, maximum in (
            ("stored_bytes", usage.bytes, usage.max_bytes),
            ("stored_records", usage.records, usage.max_records),
        )
        if maximum and used * 100 >= maximum * NEAR_PERCENT
    ]
    if bool(near) is usage.is_near:
        return
    await unit.usage.set_near(owner[0], is_near=bool(near))
    for limit, used, maximum in near[:1]:
        data: dict[str, int | str] = {"limit": limit, "used": used, "max": maximum}
        event = NewEvent(type=EventType.ACCOUNT_STORAGE_NEAR_QUOTA, data=data)
        await EventWriter(unit, sealer, owner).record((event,), now)
