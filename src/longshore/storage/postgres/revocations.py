"""The revocation counter between processes on one PostgreSQL: LISTEN and NOTIFY.

A notification may be lost with its connection, or never pass a pooler; then the five seconds that
an entry of a key cache lives are the bound.
"""

import asyncio
from contextlib import suppress
from typing import Final

import asyncpg

from longshore.kit.errors import LongshoreError
from longshore.storage.postgres.background import Background
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.pool import acquired, connect
from longshore.storage.postgres.queries import session_query

CHANNEL: Final = "longshore_revocations"
RECONNECT_SECONDS: Final = 1.0


class PostgresRevocations:
    """Counts what this process announces and what it hears from others."""

    def __init__(self, url: str, pool: asyncpg.Pool, background: Background) -> None:
        self._url = url
        self._pool = pool
        self._background = background
        self._count = 0
        self._name = ""  # what no other process that listens is called
        self._ear: asyncpg.Connection | None = None
        self._broken = asyncio.Event()
        self._listener = asyncio.create_task(self._listen_until_closed())

    def count(self) -> int:
        return self._count

    def announce(self) -> None:
        self._count += 1
        self._background.queue(self._notify)

    async def listen(self) -> None:
        """Begin to hear what other processes announce.

        Raises:
            DatabaseRefusedError: The login was refused.
            StorageUnavailableError: The server cannot be reached.
        """
        self._ear = await connect(self._url)
        self._name = str(self._ear.get_server_pid())
        self._broken.clear()
        self._ear.add_termination_listener(lambda _: self._broken.set())
        with driver_errors():
            await self._ear.add_listener(CHANNEL, self._hear)

    async def close(self) -> None:
        """Stop listening."""
        self._listener.cancel()
        await asyncio.gather(self._listener, return_exceptions=True)
        if self._ear is not None:
            self._ear.terminate()

    async def _notify(self) -> None:
        async with acquired(self._pool) as connection:
            await connection.execute(session_query("announce_revocation"), CHANNEL, self._name)

    def _hear(self, _: object, __: int, ___: str, name: str) -> None:
        if name != self._name:
            self._count += 1

    async def _listen_until_closed(self) -> None:
        while True:
            await self._broken.wait()
            await asyncio.sleep(RECONNECT_SECONDS)
            with suppress(LongshoreError):  # the server is away still
                await self.listen()
                self._count += 1  # something may have been said meanwhile
