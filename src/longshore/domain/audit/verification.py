"""Walks the chain of an account's audit log (``longshore audit verify``)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from longshore.domain.audit.chain import START, first_break
from longshore.domain.audit.model import ChainedEntry
from longshore.domain.ports import AccountId, Scope
from longshore.domain.units import ReadUnit, Units

BATCH: Final = 1_000
"""Entries that one unit reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainVerdict:
    """What a walk found. ``head``: hash of the last entry, ``START`` without one.

    ``broken_at``: position of the first entry that was changed, put in, or is not there; None
    where the chain holds to its end.
    """

    entries: int
    head: bytes
    broken_at: int | None


async def verify_chain(units: Units, scope: Scope, account_id: AccountId) -> ChainVerdict:
    """Walk the log of an account from its beginning, as far as it goes when the walk begins.

    Raises:
        LongshoreError: ``storage_unavailable``.
    """

    async def length(unit: ReadUnit) -> int:
        return await unit.audit.length(account_id)

    position, previous = 0, START
    total = await units.read(scope, length)

    async def following(unit: ReadUnit) -> Sequence[ChainedEntry]:
        return await unit.audit.list_after(account_id, position, min(BATCH, total - position))

    while position < total:
        entries = await units.read(scope, following)
        broken_at = first_break(previous, position, entries) if entries else position + 1
        if broken_at is not None:
            return ChainVerdict(entries=position, head=previous, broken_at=broken_at)
        position, previous = entries[-1].entry.position, entries[-1].hash
    return ChainVerdict(entries=position, head=previous, broken_at=None)
