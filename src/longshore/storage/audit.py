"""The store of the audit log, over named queries."""

from collections.abc import Sequence
from typing import Final

from longshore.domain.audit.chain import START
from longshore.domain.audit.model import ChainedEntry, SealedEntry
from longshore.domain.ports import AccountId
from longshore.storage.events import draw_positions
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.times import from_us, to_us

_SEQUENCE: Final = "audit"
_BEYOND: Final = 2**62


class SqlAuditStore:
    """The audit log as the scope of one unit shows it."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def list_after(
        self, account_id: AccountId, position: int, limit: int
    ) -> Sequence[ChainedEntry]:
        rows = await self._sql.fetch_all(
            "list_audit_after", account_id=account_id, after=position, limit=limit
        )
        return [_entry(row) for row in rows]

    async def list_newest(
        self, account_id: AccountId, before: int | None, limit: int, of_object: str = ""
    ) -> Sequence[ChainedEntry]:
        values: dict[str, SqlValue] = {
            "account_id": account_id,
            "before": _BEYOND if before is None else before,
            "limit": limit,
        }
        if of_object:
            rows = await self._sql.fetch_all("list_audit_of_object", object=of_object, **values)
        else:
            rows = await self._sql.fetch_all("list_audit_newest", **values)
        return [_entry(row) for row in rows]

    async def length(self, account_id: AccountId) -> int:
        row = await self._sql.fetch_one("find_position", account_id=account_id, kind=_SEQUENCE)
        return 0 if row is None else int(row["last"])

    async def draw(self, account_id: AccountId, count: int) -> tuple[int, bytes]:
        first = await draw_positions(self._sql, account_id, _SEQUENCE, count) - count + 1
        if first == 1:
            return first, START
        row = await self._sql.fetch_one(
            "find_audit_hash", account_id=account_id, position=first - 1
        )
        # Where the end was cut off the chain goes on all the same, and is broken there.
        return first, START if row is None else row["hash"]

    async def insert(self, entry: ChainedEntry) -> None:
        sealed = entry.entry
        await self._sql.execute(
            "insert_audit_entry",
            account_id=sealed.account_id,
            position=sealed.position,
            actor=sealed.actor,
            action=sealed.action,
            object=sealed.object,
            ip=sealed.ip,
            request_id=sealed.request_id,
            created_at=to_us(sealed.created_at),
            wrapped_key=sealed.wrapped_key,
            facts=sealed.facts,
            hash=entry.hash,
        )


def _entry(row: Row) -> ChainedEntry:
    entry = SealedEntry(
        account_id=AccountId(row["account_id"]),
        position=row["position"],
        actor=row["actor"],
        action=row["action"],
        object=row["object"],
        ip=row["ip"],
        request_id=row["request_id"],
        created_at=from_us(row["created_at"]),
        wrapped_key=row["wrapped_key"],
        facts=row["facts"],
    )
    return ChainedEntry(entry, row["hash"])
