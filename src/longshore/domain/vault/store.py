"""Stores of the vault slice in a unit; the read stores lack every writing method.

A store belongs to one unit and its scope: it sees and changes documents of the scope's account and
environment only (production: of both environments).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from longshore.domain.pages import ALL
from longshore.domain.ports import AccountId, KeyForRow
from longshore.domain.vault.model import (
    SealedDocument,
    SealedRecord,
    VaultDocument,
    VaultDocumentId,
    VaultQuery,
)
from longshore.kit.environment import Environment


class VaultReadStore(Protocol):
    """Stored documents, to be read."""

    async def find(self, document_id: VaultDocumentId) -> SealedRecord | None:
        """Return the document with this id, sealed."""
        ...

    async def list(self, query: VaultQuery, limit: int, offset: int) -> Sequence[VaultDocument]:
        """Return a page of what fits, newest first."""
        ...

    async def count(self, query: VaultQuery, most: int = ALL) -> int:
        """Return how many fit; ``most`` if there are more."""
        ...

    async def list_sources(
        self, map_id: int, environment: Environment, most: int
    ) -> Sequence[VaultDocumentId]:
        """Return what was converted with a map, each document once, newest conversion first."""
        ...

    async def list_expired(self, before: datetime, most: int) -> Sequence[VaultDocumentId]:
        """Return documents stored before a moment, oldest first."""
        ...


class VaultStore(VaultReadStore, Protocol):
    """Stored documents, to be read and changed."""

    async def insert(
        self,
        owner: tuple[AccountId, Environment],
        new: SealedDocument,
        source_id: VaultDocumentId | None,
        key_for: KeyForRow,
        created_at: datetime,
    ) -> VaultDocumentId:
        """Store a document; return its id."""
        ...

    async def delete(self, document_id: VaultDocumentId) -> bool:
        """Remove a document; False if there is none."""
        ...
