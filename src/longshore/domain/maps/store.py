"""Stores of the maps slice in a unit; the read store lacks every writing method.

Each store belongs to one unit and its scope: it sees and changes maps of the scope's account.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from longshore.domain.maps.model import ListedMap, MapHead, MapId, MapVersion
from longshore.domain.ports import AccountId, KeyForRow


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadFacts:
    """The facts that the head of a map takes from its newest version."""

    name: str
    source_fmt: str
    target_fmt: str
    tx_set: str
    direction: str
    rule_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedVersion:
    """A stored definition, encrypted. ``wrapped_key`` opens it at its own place only."""

    id: int
    version: int
    body: bytes
    wrapped_key: bytes


class MapReadStore(Protocol):
    """Maps, to be read."""

    async def find(self, map_id: MapId) -> MapHead | None:
        """Return the map with this id."""
        ...

    async def list(self) -> Sequence[ListedMap]:
        """Return all maps, the last saved first."""
        ...

    async def find_version(self, map_id: MapId, version: int) -> SealedVersion | None:
        """Return one version of a map."""
        ...

    async def list_versions(self, map_id: MapId) -> Sequence[MapVersion]:
        """Return the versions of a map, the newest first."""
        ...


class MapStore(MapReadStore, Protocol):
    """Maps, to be read and changed."""

    async def insert(self, account_id: AccountId, facts: HeadFacts, now: datetime) -> MapHead:
        """Store the head of a new map, at version 1, and return it."""
        ...

    async def advance(
        self, map_id: MapId, expected_version: int, facts: HeadFacts, now: datetime
    ) -> MapHead | None:
        """Make the head that of the next version and return it.

        None, and nothing changes, unless the map is at ``expected_version`` and not locked.
        """
        ...

    async def insert_version(
        self,
        account_id: AccountId,
        map_id: MapId,
        version: MapVersion,
        body: bytes,
        key_for: KeyForRow,
    ) -> None:
        """Store an encrypted definition."""
        ...

    async def set_locked(self, map_id: MapId, *, is_locked: bool) -> bool:
        """Lock or unlock a map; False if there is none, or it already is what is asked for."""
        ...

    async def delete(self, map_id: MapId) -> bool:
        """Remove a map and its versions; False if it is locked or absent."""
        ...
