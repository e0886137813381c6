"""Submits at a fixed rate, whatever is answered: ``python -m tests.bench.flood PORT RATE SECONDS``.

The request comes on its input. At its end it prints as JSON how often each status came, and how
many seconds each accepted request took. With rate 0 each of a few connections asks again as soon as
it is answered. ``python -m tests.bench.flood PORT`` sends the request again and again on one
connection, until its input ends, and prints the seconds of each answer.
"""

import asyncio
import json
import socket
import sys
from collections import Counter
from threading import Thread
from time import perf_counter
from typing import Final

import uvloop

from tests.bench.load import LENGTH

MAX_CONNECTIONS: Final = 900
CLOSED_LOOP_CONNECTIONS: Final = 16


class Flood:
    """Requests that begin at given moments, each on a connection that has nothing else to do."""

    def __init__(self, port: int, request: bytes) -> None:
        self._port = port
        self._request = request
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._connections = asyncio.Semaphore(MAX_CONNECTIONS)
        self.statuses: Counter[int] = Counter()
        self.waits: list[float] = []

    async def ask(self) -> None:
        """Send the request and note what is answered."""
        begun = perf_counter()
        async with self._connections:
            if not self._idle:
                self._idle.append(await asyncio.open_connection("127.0.0.1", self._port))
            reader, writer = self._idle.pop()
            writer.write(self._request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(head)
            assert length is not None
            await reader.readexactly(int(length[1]))
            if b"connection: close" in head:
                writer.close()
            else:
                self._idle.append((reader, writer))
        status = int(head[9:12])
        self.statuses[status] += 1
        if status == 200:
            self.waits.append(perf_counter() - begun)

    async def at_rate(self, per_second: float, seconds: float) -> None:
        """Ask at a fixed rate."""
        begun = perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for number in range(int(per_second * seconds)):
                late = perf_counter() - begun - number / per_second
                if late < 0:
                    await asyncio.sleep(-late)
                tasks.create_task(self.ask())

    async def one_after_the_other(self, seconds: float) -> None:
        """Ask on a few connections, on each as soon as it is answered."""
        end = perf_counter() + seconds

        async def client() -> None:
            while perf_counter() < end:
                await self.ask()

        await asyncio.gather(*(client() for _ in range(CLOSED_LOOP_CONNECTIONS)))


def ask_in_turn(port: int, request: bytes) -> list[float]:
    """Ask until the input ends; return the seconds of each answer."""
    waits = []
    is_over = Thread(target=sys.stdin.buffer.read)
    is_over.start()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        while is_over.is_alive():
            begun = perf_counter()
            connection.sendall(request)
            received = b""
            while not received.endswith(b"}"):
                received += connection.recv(65_536)
            waits.append(perf_counter() - begun)
            is_over.join(0.01)
    return waits


async def flood(port: int, request: bytes, per_second: float, seconds: float) -> Flood:
    load = Flood(port, request)
    if per_second:
        await load.at_rate(per_second, seconds)
    else:
        await load.one_after_the_other(seconds)
    return load


def main(port: int, *pace: float) -> None:
    request = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
    if not pace:
        found: object = ask_in_turn(port, request)
    else:
        load = uvloop.run(flood(port, request, *pace))
        found = {"statuses": load.statuses, "waits": load.waits}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(float, sys.argv[2:]))
