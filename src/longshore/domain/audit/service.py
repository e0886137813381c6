"""The audit log of an account: read page by page by its owners, walked by the operator.

Filters are assessed here, entry by entry: the log is read from its end backwards, so many entries a
call and no more, and a page that found too few says where to go on. Source: contract.md section
15; reliability.md section 8.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.domain.audit.chain import (
    ChainVerdict,
    HeadMismatch,
    NotedHead,
    find_mismatches,
    verify_chain,
)
from longshore.domain.audit.model import ChainedEntry, NewEntry, SealedEntry
from longshore.domain.audit.writer import AuditWriter, open_detail
from longshore.domain.ports import OPERATOR, SYSTEM, AccountId, RequestContext, Scope, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit

BATCH: Final = 500
"""Entries that are read at once."""

MAX_READ: Final = 10_000
"""Entries that one call looks at: what a filter leaves out costs time as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilters:
    """Filters of the audit log; ``""`` and None ask for any."""

    actor: str = ""
    action: str = ""
    """An action such as ``document.read``, or the word before its point. ``since`` inclusive,
    ``before`` exclusive.
    """
    object: str = ""
    since: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """An entry with its detail opened."""

    entry: SealedEntry
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """Entries, newest first.

    A page may be short, even empty, and still not be the last.
    """

    entries: tuple[AuditEntry, ...]
    next_before: int | None
    """The position to go on before, None at the end."""


class AuditService:
    """The audit logs of all accounts."""

    def __init__(self, units: Units, sealer: Sealer) -> None:
        self._units = units
        self._sealer = sealer

    async def page(
        self, context: RequestContext, filters: AuditFilters, before: int | None, limit: int
    ) -> AuditPage:
        """Return entries of the caller's account before a position; None: from the newest.

        Raises:
            SealBrokenError: A detail is not what was stored.
        """

        async def read(unit: ReadUnit) -> tuple[Sequence[SealedEntry], int | None]:
            return await _newest(unit, context.account_id, filters, before, limit)

        found, next_before = await self._units.read(context.scope, read)
        entries = tuple(
            AuditEntry(entry=each, detail=open_detail(self._sealer, each)) for each in found
        )
        return AuditPage(entries=entries, next_before=next_before)


class AuditAdministration:
    """The audit logs as the operator's commands use them.

    No key is needed: sealed details count as bytes, and what is recorded here has no details.
    """

    def __init__(self, units: Units) -> None:
        self._units = units

    async def record_restore(self, reserved: int, now: datetime) -> None:
        """Record in the log of every account that the database was restored from a backup.

        ``reserved`` is how many control numbers each counter skips.
        """

        async def work(unit: WriteUnit) -> None:
            of = f"control numbers advanced by {reserved}"
            entry = NewEntry(actor=OPERATOR, action="database.restore", object=of)
            for account in await unit.accounts.list():
                await AuditWriter(unit, None, account.id).record([entry], now)

        await self._units.write(SYSTEM, work)

    async def find_mismatches(self, heads: Sequence[NotedHead]) -> Sequence[HeadMismatch]:
        """Return the heads noted outside the database that its audit logs no longer contain.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        return await find_mismatches(self._units, heads)

    async def verify(self, account_id: AccountId) -> ChainVerdict:
        """Walk the chain of an account from its first entry.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        scope = Scope(account_id=account_id, environment=None)
        return await verify_chain(self._units, scope, account_id)


async def _newest(
    unit: ReadUnit,
    account_id: AccountId,
    filters: AuditFilters,
    before: int | None,
    limit: int,
) -> tuple[Sequence[SealedEntry], int | None]:
    """Return up to ``limit`` entries that fit, and the position to go on before."""
    found: list[SealedEntry] = []
    for _ in range(MAX_READ // BATCH):
        batch = await unit.audit.list_newest(account_id, before, BATCH, filters.object)
        for each in _entries(batch):
            if len(found) == limit:
                return found, before
            before = each.position
            if _fits(each, filters):
                found.append(each)
        if len(batch) < BATCH:
            return found, None
    return found, before


def _entries(batch: Sequence[ChainedEntry]) -> Sequence[SealedEntry]:
    return [each.entry for each in batch]


def _fits(entry: SealedEntry, filters: AuditFilters) -> bool:
    return (
        filters.actor in {"", entry.actor}
        and filters.action in {"", entry.action, entry.action.partition(".")[0]}
        and (filters.since is None or entry.created_at >= filters.since)
        and (filters.before is None or entry.created_at < filters.before)
    )
