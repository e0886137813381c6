"""The store of the vault, over named queries."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from re import fullmatch
from typing import Final

from longshore.domain.pages import ALL
from longshore.domain.ports import AccountId, KeyForRow
from longshore.domain.vault.model import (
    SealedDocument,
    SealedRecord,
    VaultDocument,
    VaultDocumentId,
    VaultQuery,
    VaultStatus,
)
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.sealed_rows import next_row
from longshore.storage.times import from_us, to_us
from longshore.storage.usage import StoredAmounts

# As long as the wrapped key that takes its place: SQLite then changes the row where it lies,
# however long its content is.
_LARGEST_ID: Final = 2**63 - 1


class SqlVaultStore:
    """Stored documents as the scope of one unit shows them."""

    def __init__(self, sql: Sql, stored: StoredAmounts) -> None:
        self._sql = sql
        self._stored = stored

    async def find(self, document_id: VaultDocumentId) -> SealedRecord | None:
        row = await self._sql.fetch_one("find_vault_document", document_id=document_id)
        if row is None:
            return None
        return SealedRecord(
            account_id=AccountId(row["account_id"]),
            document=_document(row),
            facts=row["facts"],
            wrapped_key=row["wrapped_key"],
            content=row["content"],
        )

    async def list(self, query: VaultQuery, limit: int, offset: int) -> Sequence[VaultDocument]:
        rows = await self._sql.fetch_all(
            "list_vault_documents", limit=limit, offset=offset, **_filters(query)
        )
        return [_document(row) for row in rows]

    async def count(self, query: VaultQuery, most: int = ALL) -> int:
        row = await self._sql.fetch_one("count_vault_documents", **_filters(query), most=most)
        assert row is not None
        return int(row["total"])

    async def list_sources(
        self, map_id: int, environment: Environment, most: int
    ) -> Sequence[VaultDocumentId]:
        rows = await self._sql.fetch_all(
            "list_map_sources", map_id=map_id, environment=environment, most=most
        )
        return [VaultDocumentId(row["source_doc_id"]) for row in rows]

    async def list_expired(self, before: datetime, most: int) -> Sequence[VaultDocumentId]:
        rows = await self._sql.fetch_all(
            "list_expired_vault_documents", before=to_us(before), most=most
        )
        return [VaultDocumentId(row["id"]) for row in rows]

    async def insert(
        self,
        owner: tuple[AccountId, Environment],
        new: SealedDocument,
        source_id: VaultDocumentId | None,
        key_for: KeyForRow,
        created_at: datetime,
    ) -> VaultDocumentId:
        account_id, environment = owner
        row_id, wrapped_key = await next_row(self._sql, "vault_documents", key_for)
        await self._sql.execute(
            "insert_vault_document",
            id=row_id,
            account_id=account_id,
            environment=environment,
            filename=new.filename,
            fmt=new.fmt,
            direction=new.direction,
            transaction_set=new.transaction_set,
            status=new.status,
            file_size=new.file_size,
            map_id=new.map_id,
            map_version=new.map_version,
            source_doc_id=source_id,
            created_at=to_us(created_at),
            facts=new.facts,
            wrapped_key=wrapped_key,
            content=new.content,
        )
        self._stored.add(account_id, len(new.content))
        return VaultDocumentId(row_id)

    async def delete(self, document_id: VaultDocumentId) -> bool:
        row = await self._sql.fetch_one("delete_vault_document", document_id=document_id)
        if row is not None:
            self._stored.add(AccountId(row["account_id"]), -row["size"], -1)
        return row is not None


def _filters(query: VaultQuery) -> Mapping[str, SqlValue]:
    """Return the values of the filters, as both the list and the count take them."""
    return {
        "environment": query.environment,
        "id": _as_id(query.q),
        "prefix": query.q or None,
        "fmt": query.fmt,
        "direction": query.direction,
        "transaction_set": query.transaction_set,
        "map_id": query.map_id,
        "since": to_us(query.since),
        "before": to_us(query.before),
    }


def _as_id(text: str) -> int | None:
    if fullmatch(r"[0-9]{1,19}", text) is None or int(text) > _LARGEST_ID:
        return None
    return int(text)


def _document(row: Row) -> VaultDocument:
    return VaultDocument(
        id=VaultDocumentId(row["id"]),
        environment=Environment(row["environment"]),
        filename=row["filename"],
        fmt=row["fmt"],
        direction=row["direction"],
        transaction_set=row["transaction_set"],
        status=VaultStatus(row["status"]),
        file_size=row["file_size"],
        transaction_id=row["transaction_id"],
        map_id=row["map_id"],
        map_version=row["map_version"],
        source_doc_id=row["source_doc_id"] and VaultDocumentId(row["source_doc_id"]),
        created_at=from_us(row["created_at"]),
    )
