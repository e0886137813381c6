"""One request and its answer on a connection: uvicorn's, with a shorter way for whole answers.

A whole answer is written at once, by the extension ``longshore.answer`` of ASGI: headers that are
ours need no validation, and one write costs less than two.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from longshore.http.exchange import ANSWER

_CLOSE: Final = (b"connection", b"close")
_JOINED_BYTES: Final = 16_384  # of a body that is cheaper to copy than to write apart
_PAUSE_SECONDS: Final = 0.005
WRITTEN_SECONDS: Final = 4  # that an answer may take to be confirmed
_TURN_BYTES: Final = 262_144  # written at once: about a tenth of a millisecond


class Cycle(RequestResponseCycle):
    """One request and its answer."""

    async def send(self, message: Any) -> None:  # noqa: ANN401 - an ASGI message is any dictionary
        if message["type"] != ANSWER:
            await super().send(message)
            return
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        headers = message["headers"]
        if _CLOSE in headers:
            self.keep_alive = False
        elif not self.keep_alive:
            headers.append(_CLOSE)
        self.response_started = True
        pieces = [STATUS_LINE[message["status"]]]
        for name, value in (*self.default_headers, *headers):
            pieces += (name, b": ", value, b"\r\n")
        pieces.append(b"\r\n")
        if not await self._write(b"".join(pieces), message):
            return
        self.response_complete = True
        self.waiting_for_100_continue = False
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()

    async def _write(self, head: bytes, message: Any) -> bool:  # noqa: ANN401 - as of send
        """Write head and body; return whether the client is still there."""
        if message["size"] <= _JOINED_BYTES:
            self.transport.write(b"".join((head, *message["body"])))
        else:
            self.transport.write(head)
            if not await self._write_large(message["body"]):
                return False
        if message["is_confirmed"]:
            message["is_written"] = await self._is_written()
        return True

    async def _is_written(self) -> bool:
        """Wait until the system has taken all bytes; tell whether it has, and the client stayed."""
        until = asyncio.get_running_loop().time() + WRITTEN_SECONDS
        while self.transport.get_write_buffer_size() and not self.disconnected:
            if asyncio.get_running_loop().time() > until:
                return False
            await asyncio.sleep(_PAUSE_SECONDS)
        return not self.disconnected

    async def _write_large(self, pieces: Iterable[bytes | memoryview]) -> bool:
        """Write a large body, with turns for others; return whether the client is still there."""
        for piece in pieces:
            view = memoryview(piece)
            for start in range(0, len(view), _TURN_BYTES):
                self.transport.write(view[start : start + _TURN_BYTES])
                await asyncio.sleep(0)
                if self.disconnected:
                    return False
        return True


class GentleTransport(asyncio.Transport):
    """The transport that an answer is written to, closed in another manner."""

    def __init__(self, transport: asyncio.Transport, end: Callable[[], None]) -> None:
        super().__init__()
        self._transport = transport
        self._end = end

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._transport.write(data)

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        self._transport.writelines(list_of_data)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def get_write_buffer_size(self) -> int:
        return self._transport.get_write_buffer_size()

    def close(self) -> None:
        self._end()
