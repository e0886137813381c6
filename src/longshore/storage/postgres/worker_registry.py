"""The live workers of a PostgreSQL database: each holds an advisory lock on its own connection.

The server frees the lock when the process ends, however it ends. A connection that was lost is made
again at the next call.
"""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from hashlib import sha256

import asyncpg

from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.pool import connect
from longshore.storage.postgres.queries import session_query


class PostgresWorkerRegistry:
    """The registry of one worker."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: asyncpg.Connection | None = None
        self._turn = asyncio.Lock()

    async def register(self, owner: str) -> None:
        """Hold the lock of this worker.

        Raises:
            StorageUnavailableError: The server cannot be reached.
        """
        async with self._turn:
            if self._connection is None or self._connection.is_closed():
                self._connection = await connect(self._url)
                with driver_errors():
                    await self._connection.execute(session_query("hold_worker_lock"), _key(owner))

    async def list_ended(self, owners: Collection[str]) -> Collection[str]:
        """Return the workers whose lock nobody holds.

        Raises:
            StorageUnavailableError: The server cannot be reached.
        """
        async with self._turn:
            assert self._connection is not None  # who asks has registered
            with driver_errors():
                return [each for each in sorted(owners) if await self._is_free(each)]

    async def _is_free(self, owner: str) -> bool:
        assert self._connection is not None  # as above
        key = _key(owner)
        if not await self._connection.fetchval(session_query("try_worker_lock"), key):
            return False
        await self._connection.execute(session_query("release_worker_lock"), key)
        return True

    async def close(self) -> None:
        """Give the lock back."""
        if self._connection is not None:
            with suppress(TimeoutError):
                await self._connection.close(timeout=1)


def _key(owner: str) -> int:
    """Return the number that stands for a worker among the advisory locks."""
    return int.from_bytes(sha256(f"longshore worker {owner}".encode()).digest()[:8], signed=True)
