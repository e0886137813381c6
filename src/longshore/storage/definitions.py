"""The store of imported definitions, over named queries."""

from collections.abc import Sequence
from datetime import datetime

from longshore.domain.definitions.model import (
    DefinitionFacts,
    OwnDefinitionId,
    StoredDefinition,
)
from longshore.domain.definitions.store import SealedDefinition
from longshore.domain.encryption import Owner
from longshore.domain.ports import AccountId, KeyForRow
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql
from longshore.storage.sealed_rows import next_row
from longshore.storage.times import from_us, to_us
from longshore.storage.usage import StoredAmounts
from longshore.x12.dictionary.own_definitions import DefinitionKey


class SqlDefinitionStore:
    """Imported definitions as the scope of one unit shows them."""

    def __init__(self, sql: Sql, stored: StoredAmounts) -> None:
        self._sql = sql
        self._stored = stored

    async def list(self, environment: Environment) -> Sequence[StoredDefinition]:
        rows = await self._sql.fetch_all("list_definitions", environment=environment)
        return [_definition(row) for row in rows]

    async def list_sealed(self, environment: Environment) -> Sequence[SealedDefinition]:
        rows = await self._sql.fetch_all("list_sealed_definitions", environment=environment)
        return [SealedDefinition(stored=_definition(row), content=row["content"]) for row in rows]

    async def hold(self, owner: Owner) -> None:
        account_id, environment = owner
        await self._sql.fetch_one("take_turn", key=f"definitions {account_id} {environment}")

    async def insert(
        self,
        owner: Owner,
        facts: DefinitionFacts,
        sealed_title: bytes,
        content: bytes,
        key_for: KeyForRow,
        now: datetime,
    ) -> OwnDefinitionId:
        account_id, environment = owner
        row_id, wrapped_key = await next_row(self._sql, "definitions", key_for)
        await self._sql.execute(
            "insert_definition",
            id=row_id,
            account_id=account_id,
            environment=environment,
            **facts.key._asdict(),
            title=sealed_title,
            format=facts.form,
            file_name=facts.file_name,
            digest=facts.digest,
            size=facts.size,
            created_at=to_us(now),
            wrapped_key=wrapped_key,
            content=content,
        )
        self._stored.add(account_id, len(content))
        return OwnDefinitionId(row_id)

    async def delete(self, definition_id: OwnDefinitionId) -> None:
        for row in await self._sql.fetch_all("delete_definition", definition_id=definition_id):
            self._stored.add(AccountId(row["account_id"]), -row["stored_bytes"], -1)


def _definition(row: Row) -> StoredDefinition:
    return StoredDefinition(
        id=OwnDefinitionId(row["id"]),
        facts=DefinitionFacts(
            key=DefinitionKey(row["tx_set"], row["release"], row["guide"]),
            title="",
            form=row["format"],
            file_name=row["file_name"],
            digest=row["digest"],
            size=row["size"],
        ),
        created_at=from_us(row["created_at"]),
        sealed_title=row["title"],
        wrapped_key=row["wrapped_key"],
    )
