"""The store of the maps slice, over named queries."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from longshore.domain.maps.model import ListedMap, MapHead, MapId, MapVersion
from longshore.domain.maps.store import HeadFacts, SealedVersion
from longshore.domain.ports import AccountId, KeyForRow
from longshore.engine.trials import RuleChanges
from longshore.storage.queries import Row, Sql
from longshore.storage.sealed_rows import next_row
from longshore.storage.times import from_us, to_us
from longshore.storage.usage import StoredAmounts


class SqlMapStore:
    """Maps as the scope of one unit shows them."""

    def __init__(self, sql: Sql, stored: StoredAmounts) -> None:
        self._sql = sql
        self._stored = stored

    async def find(self, map_id: MapId) -> MapHead | None:
        row = await self._sql.fetch_one("find_map", map_id=map_id)
        return None if row is None else _head(row)

    async def list(self) -> Sequence[ListedMap]:
        rows = await self._sql.fetch_all("list_maps")
        return [ListedMap(head=_head(row), last_run_at=from_us(row["last_run_at"])) for row in rows]

    async def find_version(self, map_id: MapId, version: int) -> SealedVersion | None:
        row = await self._sql.fetch_one("find_map_version", map_id=map_id, version=version)
        if row is None:
            return None
        return SealedVersion(
            id=row["id"], version=row["version"], body=row["body"], wrapped_key=row["wrapped_key"]
        )

    async def list_versions(self, map_id: MapId) -> Sequence[MapVersion]:
        rows = await self._sql.fetch_all("list_map_versions", map_id=map_id)
        return [_version(row) for row in rows]

    async def insert(self, account_id: AccountId, facts: HeadFacts, now: datetime) -> MapHead:
        row = await self._sql.fetch_one(
            "insert_map", account_id=account_id, now=to_us(now), **asdict(facts)
        )
        assert row is not None
        return _head(row)

    async def advance(
        self, map_id: MapId, expected_version: int, facts: HeadFacts, now: datetime
    ) -> MapHead | None:
        row = await self._sql.fetch_one(
            "advance_map",
            map_id=map_id,
            expected_version=expected_version,
            now=to_us(now),
            **asdict(facts),
        )
        return None if row is None else _head(row)

    async def insert_version(
        self,
        account_id: AccountId,
        map_id: MapId,
        version: MapVersion,
        body: bytes,
        key_for: KeyForRow,
    ) -> None:
        row_id, wrapped_key = await next_row(self._sql, "map_versions", key_for)
        await self._sql.execute(
            "insert_map_version",
            id=row_id,
            account_id=account_id,
            map_id=map_id,
            version=version.version,
            rule_count=version.rule_count,
            added=version.changes.added,
            removed=version.changes.removed,
            changed=version.changes.changed,
            note=version.note,
            body=body,
            wrapped_key=wrapped_key,
            saved_by=version.saved_by,
            saved_at=to_us(version.saved_at),
        )
        self._stored.add(account_id, len(body))

    async def set_locked(self, map_id: MapId, *, is_locked: bool) -> bool:
        row = await self._sql.fetch_one("set_map_locked", map_id=map_id, locked=int(is_locked))
        return row is not None

    async def delete(self, map_id: MapId) -> bool:
        if await self._sql.fetch_one("hold_map", map_id=map_id) is None:
            return False
        for row in await self._sql.fetch_all("delete_map_versions", map_id=map_id):
            self._stored.add(AccountId(row["account_id"]), -row["size"], -1)
        await self._sql.execute("delete_map", map_id=map_id)
        return True


def _head(row: Row) -> MapHead:
    return MapHead(
        id=MapId(row["id"]),
        name=row["name"],
        source_fmt=row["source_fmt"],
        target_fmt=row["target_fmt"],
        tx_set=row["tx_set"],
        direction=row["direction"],
        version=row["version"],
        rule_count=row["rule_count"],
        is_locked=bool(row["locked"]),
        created_at=from_us(row["created_at"]),
        updated_at=from_us(row["updated_at"]),
    )


def _version(row: Row) -> MapVersion:
    return MapVersion(
        version=row["version"],
        rule_count=row["rule_count"],
        changes=RuleChanges(added=row["added"], removed=row["removed"], changed=row["changed"]),
        note=row["note"],
        saved_by=row["saved_by"],
        saved_at=from_us(row["saved_at"]),
    )
