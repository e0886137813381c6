"""The stores of AS2 identities and AS2 receipts, over named queries."""

import json
from collections.abc import Sequence
from datetime import datetime

from longshore.domain.accounts.model import Account
from longshore.domain.as2.model import As2Identity, As2IdentityId, As2ReceiptId
from longshore.domain.as2.store import (
    NewAs2Identity,
    NewReceiptRow,
    StoredAs2Identity,
    StoredAs2Receipt,
)
from longshore.domain.delivery.model import OutboxId
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import AccountId, KeyForRow
from longshore.kit.environment import Environment
from longshore.storage.accounts import read_account
from longshore.storage.queries import Row, Sql
from longshore.storage.sealed_rows import next_row
from longshore.storage.times import from_us, to_us


class SqlAs2IdentityStore:
    """AS2 identities as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, environment: Environment, name: str) -> StoredAs2Identity | None:
        row = await self._sql.fetch_one("find_as2_identity", environment=environment, as2_name=name)
        return None if row is None else _identity(row)

    async def find_with_account(self, name: str) -> tuple[StoredAs2Identity, Account] | None:
        row = await self._sql.fetch_one("find_as2_identity_with_account", as2_name=name)
        return None if row is None else (_identity(row), read_account(row))

    async def list(self, environment: Environment) -> Sequence[StoredAs2Identity]:
        rows = await self._sql.fetch_all("list_as2_identities", environment=environment)
        return [_identity(row) for row in rows]

    async def insert(self, new: NewAs2Identity, key_for: KeyForRow, now: datetime) -> As2IdentityId:
        row_id, wrapped_key = await next_row(self._sql, "as2_identities", key_for)
        await self._sql.execute(
            "insert_as2_identity",
            id=row_id,
            account_id=new.account_id,
            environment=new.environment,
            as2_name=new.name,
            certificates=json.dumps(new.certificates),
            created_at=to_us(now),
            wrapped_key=wrapped_key,
            private_keys=new.private_keys,
        )
        return As2IdentityId(row_id)

    async def change_keys(self, changed: StoredAs2Identity, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "change_as2_keys",
            as2_identity_id=changed.identity.id,
            certificates=json.dumps(changed.identity.certificates),
            updated_at=to_us(now),
            sealed_version=changed.sealed_version,
            expected_version=changed.sealed_version - 1,
            wrapped_key=changed.wrapped_key,
            private_keys=changed.private_keys,
        )
        return row is not None

    async def delete(self, identity_id: As2IdentityId) -> bool:
        row = await self._sql.fetch_one("delete_as2_identity", as2_identity_id=identity_id)
        return row is not None


def _identity(row: Row) -> StoredAs2Identity:
    identity = As2Identity(
        id=As2IdentityId(row["id"]),
        account_id=AccountId(row["account_id"]),
        environment=Environment(row["environment"]),
        name=row["as2_name"],
        certificates=tuple(json.loads(row["certificates"])),
        created_at=from_us(row["created_at"]),
    )
    return StoredAs2Identity(
        identity=identity,
        sealed_version=row["sealed_version"],
        wrapped_key=row["wrapped_key"],
        private_keys=row["private_keys"],
    )


class SqlAs2ReceiptStore:
    """AS2 receipts as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find_awaited(self, partner_id: PartnerId, message_id: str) -> StoredAs2Receipt | None:
        row = await self._sql.fetch_one(
            "find_awaited_as2_receipt", partner_id=partner_id, message_id=message_id
        )
        return None if row is None else _receipt(row)

    async def find_of_entry(self, outbox_id: OutboxId) -> StoredAs2Receipt | None:
        row = await self._sql.fetch_one("find_as2_receipt_of_entry", entry_id=outbox_id)
        return None if row is None else _receipt(row)

    async def insert(
        self, new: NewReceiptRow, key_for: KeyForRow, facts: bytes, now: datetime
    ) -> As2ReceiptId:
        row_id, wrapped_key = await next_row(self._sql, "as2_receipts", key_for)
        await self._sql.execute(
            "insert_as2_receipt",
            id=row_id,
            account_id=new.account_id,
            environment=new.environment,
            direction=new.direction,
            partner_id=new.partner_id,
            outbox_id=new.outbox_id,
            message_id=new.message_id,
            attempt=new.attempt,
            now=to_us(now),
            wrapped_key=wrapped_key,
            facts=facts,
        )
        return As2ReceiptId(row_id)

    async def lock(self, outbox_id: OutboxId) -> StoredAs2Receipt | None:
        row = await self._sql.fetch_one("lock_as2_receipt", entry_id=outbox_id)
        return None if row is None else _receipt(row)

    async def change(self, changed: StoredAs2Receipt, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "change_as2_receipt",
            as2_receipt_id=changed.id,
            outbox_id=changed.new.outbox_id,
            attempt=changed.new.attempt,
            now=to_us(now),
            sealed_version=changed.sealed_version,
            expected_version=changed.sealed_version - 1,
            wrapped_key=changed.wrapped_key,
            facts=changed.facts,
        )
        return row is not None


def _receipt(row: Row) -> StoredAs2Receipt:
    new = NewReceiptRow(
        account_id=AccountId(row["account_id"]),
        environment=Environment(row["environment"]),
        direction=Direction(row["direction"]),
        partner_id=PartnerId(row["partner_id"]),
        outbox_id=OutboxId(row["outbox_id"]),
        message_id=row["message_id"],
        attempt=row["attempt"],
    )
    return StoredAs2Receipt(
        id=As2ReceiptId(row["id"]),
        new=new,
        sealed_version=row["sealed_version"],
        wrapped_key=row["wrapped_key"],
        facts=row["facts"],
    )
