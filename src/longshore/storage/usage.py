"""The store of the storage that accounts use, over named queries."""

from collections.abc import Sequence

from longshore.domain.ports import AccountId
from longshore.domain.usage.store import AccountUsage
from longshore.storage.queries import Row, Sql


class SqlUsageStore:
    """Usage of accounts as the scope of one unit shows it."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, account_id: AccountId) -> AccountUsage:
        row = await self._sql.fetch_one("find_account_usage", account_id=account_id)
        return AccountUsage() if row is None else _usage(row)

    async def list(self) -> Sequence[AccountUsage]:
        return [_usage(row) for row in await self._sql.fetch_all("list_account_usage")]

    async def set_quota(
        self, account_id: AccountId, max_bytes: int | None, max_records: int | None
    ) -> None:
        await self._sql.execute(
            "set_account_quota", account_id=account_id, max_bytes=max_bytes, max_records=max_records
        )

    async def set_near(self, account_id: AccountId, *, is_near: bool) -> None:
        await self._sql.execute(
            "set_account_near_quota", account_id=account_id, is_near=int(is_near)
        )


class StoredAmounts:
    """Bytes and records that a unit has stored and removed, counted once at its end."""

    def __init__(self) -> None:
        self.amounts: dict[AccountId, tuple[int, int]] = {}
        """Bytes and records by account."""

    def add(self, account_id: AccountId, size: int, records: int = 1) -> None:
        """Count what was stored; negative numbers are of what was removed."""
        before = self.amounts.get(account_id, (0, 0))
        self.amounts[account_id] = before[0] + size, before[1] + records

    async def record(self, sql: Sql) -> None:
        """Store the counts."""
        for account_id, (size, records) in self.amounts.items():
            await sql.execute(
                "add_account_usage", account_id=account_id, bytes=size, records=records
            )


def _usage(row: Row) -> AccountUsage:
    return AccountUsage(
        bytes=row["stored_bytes"],
        records=row["stored_records"],
        max_bytes=row["max_bytes"],
        max_records=row["max_records"],
        is_near=bool(row["is_near_quota"]),
    )
