"""Takes over what workers had leased that have ended, without waiting for the end of the lease.

On SQLite one process owns the database, so at its start all workers of before have ended. On
PostgreSQL each worker holds an advisory lock for as long as it lives. A worker whose lock is free
has ended, or has lost its connection and takes the lock again within a second: so it counts as
ended only if the lock is free at two looks that lie some seconds apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Final, Protocol

from longshore.domain.delivery.worker import Worker

CONFIRM_SECONDS: Final = 3.0
LOOK_SECONDS: Final = 1.0


class WorkerRegistry(Protocol):
    """Knows which workers of a database live."""

    async def register(self, owner: str) -> None:
        """Show that a worker lives, also after the connection was lost."""
        ...

    async def list_ended(self, owners: Collection[str]) -> Collection[str]:
        """Return the workers that do not seem to live."""
        ...


class SoleWorkerRegistry:
    """The registry of a database that one process owns: all other workers have ended."""

    async def register(self, owner: str) -> None:
        pass

    async def list_ended(self, owners: Collection[str]) -> Collection[str]:
        return owners


class AbandonedLeases:
    """Returns the leases of workers that have ended."""

    def __init__(
        self, worker: Worker, registry: WorkerRegistry, confirm_seconds: float = CONFIRM_SECONDS
    ) -> None:
        """Take back the leases of workers that seem to have ended for ``confirm_seconds``."""
        self._worker = worker
        self._registry = registry
        self._confirm_seconds = confirm_seconds
        self._ended_since: dict[str, float] = {}

    async def run_once(self) -> int:
        """Look at the workers that have leased something; return how many entries are due again."""
        await self._registry.register(self._worker.owner)
        owners = {each.lease_owner for each in await self._worker.leased_by_all()}
        others = {each for each in owners if each is not None and each != self._worker.owner}
        ended = await self._registry.list_ended(others) if others else ()
        now = asyncio.get_running_loop().time()
        self._ended_since = {each: self._ended_since.get(each, now) for each in ended}
        confirmed = [
            owner
            for owner, since in self._ended_since.items()
            if now - since >= self._confirm_seconds
        ]
        return await self._worker.return_leases(confirmed) if confirmed else 0
