"""A load generator: a bounded number of equal requests on a few kept connections.

``python -m tests.bench.load PORT COUNT CONNECTIONS`` < request. Prints as JSON what it cost itself
and how many answers had which status. It knows just enough HTTP to find the end of an answer.
"""

import asyncio
import json
import re
import sys
from collections import Counter
from time import perf_counter, process_time

import uvloop

LENGTH = re.compile(rb"\r\ncontent-length: ([0-9]+)\r\n")


class Connection(asyncio.Protocol):
    """Sends the request again as soon as its answer is complete."""

    def __init__(self, load: "Load") -> None:
        self._load = load
        self._received = b""
        self._transport = asyncio.Transport()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvloop's is no subclass of it
        self._transport = transport
        self._ask()

    def data_received(self, data: bytes) -> None:
        received = self._received + data if self._received else data
        end = received.find(b"\r\n\r\n") + 4
        length = LENGTH.search(received, 0, end) if end > 3 else None
        if length is None or len(received) < end + int(length[1]):
            self._received = received
            return
        self._received = b""
        self._load.note(int(received[9:12]))
        self._ask()

    def connection_lost(self, _error: Exception | None) -> None:
        self._load.connection_ended()

    def _ask(self) -> None:
        if self._load.take():
            self._transport.write(self._load.request)
        else:
            self._transport.close()


class Load:
    """What all connections share."""

    def __init__(self, request: bytes, count: int, connections: int) -> None:
        self.request = request
        self.statuses: Counter[int] = Counter()
        self._left = count
        self._open = connections
        self.ended = asyncio.Event()

    def take(self) -> bool:
        """Take one of the requests that are left."""
        self._left -= 1
        return self._left >= 0

    def note(self, status: int) -> None:
        """Count an answer."""
        self.statuses[status] += 1

    def connection_ended(self) -> None:
        """Note that one connection is closed."""
        self._open -= 1
        if self._open == 0:
            self.ended.set()


async def run(port: int, count: int, connections: int, request: bytes) -> Counter[int]:
    """Send ``count`` requests and return the statuses answered."""
    load = Load(request, count, connections)
    loop = asyncio.get_running_loop()
    for _ in range(connections):
        await loop.create_connection(lambda: Connection(load), "127.0.0.1", port)
    await load.ended.wait()
    return load.statuses


def main() -> None:
    """Read the request from standard input, send it, print the result."""
    port, count, connections = (int(word) for word in sys.argv[1:4])
    request = sys.stdin.buffer.read()
    started_at, cpu = perf_counter(), process_time()
    statuses = uvloop.run(run(port, count, connections, request))
    result = {"seconds": perf_counter() - started_at, "cpu_seconds": process_time() - cpu}
    sys.stdout.write(json.dumps(result | {"statuses": statuses}))


if __name__ == "__main__":
    main()
