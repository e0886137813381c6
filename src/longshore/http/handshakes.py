"""Accept TLS connections, and count and time them before their handshake is complete.

The event loop calls a protocol only after the handshake. Until then nothing would count the
connection among the open ones, and it could hold its descriptor for a minute.

Source: reliability.md T15.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from ssl import SSLContext
from typing import Final

from longshore.http.protocol import LongshoreProtocol

PAUSE_SECONDS: Final = 0.1
"""The pause after a connection that could not be accepted."""


class TlsServer:
    """Accepts connections; uvicorn closes it as a server of the event loop."""

    def __init__(
        self,
        listener: socket.socket,
        context: SSLContext,
        make_protocol: Callable[[], LongshoreProtocol],
        handshake_seconds: float,
    ) -> None:
        """Start to accept connections."""
        self._listener = listener
        self._context = context
        self._make_protocol = make_protocol
        self._handshake_seconds = handshake_seconds
        self._loop = asyncio.get_running_loop()
        self._handshakes: set[asyncio.Task[None]] = set()
        self._accepting = self._loop.create_task(self._accept())

    def close(self) -> None:
        """Accept no more, and end the handshakes that are not complete."""
        for task in (self._accepting, *self._handshakes):
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until everything has ended."""
        await asyncio.gather(self._accepting, *self._handshakes, return_exceptions=True)

    async def _accept(self) -> None:
        while True:
            try:
                accepted, address = await self._loop.sock_accept(self._listener)
            except OSError:
                # No descriptor is left, or the client has gone: neither ends the server.
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            task = self._loop.create_task(self._complete_handshake(accepted, address[0]))
            self._handshakes.add(task)
            task.add_done_callback(self._handshakes.discard)

    async def _complete_handshake(self, accepted: socket.socket, peer: str) -> None:
        protocol = self._make_protocol()
        task = asyncio.current_task()
        assert task is not None
        protocol.begin_handshake(peer, task.cancel)
        try:
            await self._loop.connect_accepted_socket(
                lambda: protocol,
                accepted,
                ssl=self._context,
                ssl_handshake_timeout=self._handshake_seconds,
            )
        except OSError:
            pass  # it failed or took too long: anybody can cause that, so it is not logged
        finally:
            protocol.end_handshake()
