"""The store of imported definitions in a unit; their texts are encrypted as one JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from longshore.domain.definitions.model import DefinitionFacts, OwnDefinitionId, StoredDefinition
from longshore.domain.encryption import Owner
from longshore.domain.ports import KeyForRow
from longshore.kit.environment import Environment

ROW_KIND: Final = "definition"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedDefinition:
    """A definition with its encrypted texts."""

    stored: StoredDefinition
    content: bytes = field(repr=False)


class DefinitionReadStore(Protocol):
    """Imported definitions, to be read."""

    async def list(self, environment: Environment) -> Sequence[StoredDefinition]:
        """Return those of an environment by set, release and guide."""
        ...

    async def list_sealed(self, environment: Environment) -> Sequence[SealedDefinition]:
        """Return them with their texts."""
        ...


class DefinitionStore(DefinitionReadStore, Protocol):
    """Imported definitions, to be read and changed."""

    async def hold(self, owner: Owner) -> None:
        """Let no other unit change the definitions of an owner until this one ends."""
        ...

    async def insert(
        self,
        owner: Owner,
        facts: DefinitionFacts,
        sealed_title: bytes,
        content: bytes,
        key_for: KeyForRow,
        now: datetime,
    ) -> OwnDefinitionId:
        """Store a definition."""
        ...

    async def delete(self, definition_id: OwnDefinitionId) -> None:
        """Remove a definition."""
        ...
