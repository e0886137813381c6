"""The stores of the accounts slice, over named queries."""

import json
from collections.abc import Sequence
from datetime import datetime

from longshore.domain.accounts.model import (
    Account,
    AccountId,
    AccountStatus,
    AccountType,
    ApiKey,
    ApiKeyId,
    KeyScope,
)
from longshore.domain.accounts.store import NewApiKey
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql
from longshore.storage.times import from_us, to_us


class SqlAccountStore:
    """Accounts as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, folded_name: str) -> Account | None:
        row = await self._sql.fetch_one("find_account", folded_name=folded_name)
        return None if row is None else read_account(row)

    async def list(self) -> Sequence[Account]:
        rows = await self._sql.fetch_all("list_accounts")
        return [read_account(row) for row in rows]

    async def insert(
        self, name: str, folded_name: str, account_type: AccountType, created_at: datetime
    ) -> Account | None:
        row = await self._sql.fetch_one(
            "insert_account",
            name=name,
            folded_name=folded_name,
            account_type=account_type,
            status=AccountStatus.ACTIVE,
            created_at=to_us(created_at),
        )
        return None if row is None else read_account(row)

    async def set_status(self, account_id: AccountId, status: AccountStatus) -> None:
        await self._sql.execute(
            "set_account_status",
            account_id=account_id,
            status=status,
        )

    async def set_plan(self, account_id: AccountId, account_type: AccountType) -> None:
        await self._sql.execute(
            "set_account_plan", account_id=account_id, account_type=account_type
        )

    async def set_retention(self, account_id: AccountId, retention_days: int | None) -> None:
        await self._sql.execute(
            "set_account_retention", account_id=account_id, retention_days=retention_days
        )


class SqlApiKeyStore:
    """API keys as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, key_id: ApiKeyId) -> ApiKey | None:
        row = await self._sql.fetch_one("find_api_key", key_id=key_id)
        return None if row is None else _api_key(row)

    async def find_with_account(self, digest: bytes) -> tuple[ApiKey, Account] | None:
        row = await self._sql.fetch_one("find_api_key_with_account", digest=digest)
        if row is None:
            return None
        return _api_key(row), read_account(row)

    async def list(self, account_id: AccountId | None) -> Sequence[ApiKey]:
        rows = await self._sql.fetch_all("list_api_keys", account_id=account_id)
        return [_api_key(row) for row in rows]

    async def insert(self, new: NewApiKey) -> ApiKey:
        row = await self._sql.fetch_one(
            "insert_api_key",
            account_id=new.account_id,
            environment=new.environment,
            digest=new.digest,
            prefix=new.prefix,
            last_four=new.last_four,
            scopes=json.dumps(sorted(new.scopes)),
            created_at=to_us(new.created_at),
            expires_at=to_us(new.expires_at),
            name=new.name,
        )
        assert row is not None
        return _api_key(row)

    async def revoke(self, key_id: ApiKeyId, revoked_at: datetime) -> None:
        await self._sql.execute(
            "revoke_api_key",
            key_id=key_id,
            revoked_at=to_us(revoked_at),
        )

    async def replace(
        self, key_id: ApiKeyId, replaced_by: ApiKeyId, *, expires_at: datetime
    ) -> bool:
        row = await self._sql.fetch_one(
            "replace_api_key",
            key_id=key_id,
            replaced_by=replaced_by,
            expires_at=to_us(expires_at),
        )
        return row is not None

    async def record_use(self, key_id: ApiKeyId, used_at: datetime) -> None:
        await self._sql.execute(
            "record_api_key_use",
            key_id=key_id,
            used_at=to_us(used_at),
        )


def read_account(row: Row) -> Account:
    """Return the account whose columns these are."""
    return Account(
        id=AccountId(row["account_id"]),
        name=row["account_name"],
        account_type=AccountType(row["account_type"]),
        status=AccountStatus(row["account_status"]),
        created_at=from_us(row["account_created_at"]),
        retention_days=row["retention_days"],
    )


def _api_key(row: Row) -> ApiKey:
    return ApiKey(
        id=ApiKeyId(row["id"]),
        account_id=AccountId(row["account_id"]),
        environment=Environment(row["environment"]),
        prefix=row["prefix"],
        last_four=row["last_four"],
        scopes=frozenset(map(KeyScope, json.loads(row["scopes"]))),
        created_at=from_us(row["created_at"]),
        expires_at=from_us(row["expires_at"]),
        revoked_at=from_us(row["revoked_at"]),
        replaced_by=row["replaced_by"] and ApiKeyId(row["replaced_by"]),
        last_used_at=from_us(row["last_used_at"]),
        name=row["name"],
    )
