"""Stores of the audit slice in a unit: entries are added, never changed or removed.

The end of a chain is held until the unit ends, as that of the events is: entries come last in a
unit, after its events. What is appended holds it for the end of the unit alone.
"""

from collections.abc import Sequence
from typing import Protocol

from longshore.domain.audit.model import ChainedEntry, SealedEntry
from longshore.domain.ports import AccountId


class AuditReadStore(Protocol):
    """The log, to be read."""

    async def list_after(
        self, account_id: AccountId, position: int, limit: int
    ) -> Sequence[ChainedEntry]:
        """Return entries of an account behind a position, oldest first."""
        ...

    async def list_newest(
        self, account_id: AccountId, before: int | None, limit: int, of_object: str = ""
    ) -> Sequence[ChainedEntry]:
        """Return entries of an account before a position, newest first; None: from the end.

        ``of_object`` is those of one object alone, such as ``document 17``; ``""``: of all.
        """
        ...

    async def length(self, account_id: AccountId) -> int:
        """Return how many entries were ever added."""
        ...


class AuditStore(AuditReadStore, Protocol):
    """The log, to be read and continued."""

    def append(self, entries: Sequence[SealedEntry]) -> None:
        """Store entries at the next positions when the unit ends, after its events.

        Their own are not used. This unit does not read them before.
        """
        ...

    async def draw(self, account_id: AccountId, count: int) -> tuple[int, bytes]:
        """Return the first of the next positions, and the hash they follow; hold the end."""
        ...

    async def insert(self, entries: Sequence[ChainedEntry]) -> None:
        """Store entries at positions that were drawn in this unit."""
        ...
