"""A tenant that tries to stop a server in one way, until its input ends; a process of its own.

``python attackers.py PORT KIND KEY``. At the end it prints how often each status came, as JSON.
"""

import json
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from threading import Thread

MIB = 1 << 20
THREADS = 4
IDLE = 600
ADDRESS = "127.0.0.2"  # not that of the tenant who is attacked
SEGMENT = "PO1*1*48*EA*12.75~"


def unknown_members() -> tuple[str, bytes]:
    """Return a megabyte of members that nobody asked for, again and again."""
    members = b"".join(b',"u%07d":1' % at for at in range(MIB // 13))
    return "parse", b'{"document":"x"' + members + b"}"


def empty_rules() -> tuple[str, bytes]:
    """Return ten megabytes of rules that say nothing."""
    return "convert", b'{"document":"x","field_map":[' + b"{}," * (10 * MIB // 3) + b"{}]}"


def large_documents() -> tuple[str, bytes]:
    """Return a document that takes seconds."""
    document = f"ST*850*0001~{SEGMENT * (4 * MIB // len(SEGMENT))}SE*2*0001~"
    return "parse", json.dumps({"document": document}).encode()


BODIES: dict[str, Callable[[], tuple[str, bytes]]] = {
    "unknown members": unknown_members,
    "empty rules": empty_rules,
    "large documents": large_documents,
}
IDLE_KINDS = ("idle connections", "idle bodies")
KINDS = (*BODIES, *IDLE_KINDS)


def head_of(path: str, key: str, size: int) -> bytes:
    """Return the head of a request."""
    return (
        f"POST /api/v1/{path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {key}\r\nContent-Length: {size}\r\n\r\n"
    ).encode()


class Attacker:
    """Threads that do one thing again and again."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._key = key
        self.is_ended = False
        self.statuses: Counter[str] = Counter()

    def send(self, path: str, body: bytes) -> None:
        """Send a body again and again, each on a connection of its own."""
        request = head_of(path, self._key, len(body)) + body
        while not self.is_ended:
            try:
                with self._connection() as connection:
                    connection.sendall(request)
                    self.statuses[connection.makefile("rb").readline()[9:12].decode()] += 1
            except OSError:  # what is refused early may be reset
                self.statuses["reset"] += 1

    def idle(self, beginning: bytes) -> None:
        """Keep many connections open that only begin something."""
        with ExitStack() as stack:
            connections = [stack.enter_context(self._connection()) for _ in range(IDLE // THREADS)]
            for connection in connections:
                connection.sendall(beginning)
            self.statuses["open"] += len(connections)
            while not self.is_ended:
                time.sleep(0.01)

    def idle_body(self) -> bytes:
        """Return the beginning of a request that announces as much as it may."""
        return head_of("parse", self._key, 32 * MIB) + b'{"document":"'

    def _connection(self) -> socket.socket:
        return socket.create_connection(
            ("127.0.0.1", self._port), timeout=30, source_address=(ADDRESS, 0)
        )


def main(port: int, kind: str, key: str) -> None:
    attacker = Attacker(port, key)
    if kind in BODIES:
        path, body = BODIES[kind]()
        threads = [Thread(target=attacker.send, args=(path, body)) for _ in range(THREADS)]
    else:
        beginning = attacker.idle_body() if kind == "idle bodies" else b""
        threads = [Thread(target=attacker.idle, args=(beginning,)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    print("begun", flush=True)  # noqa: T201 - the sign for the test
    sys.stdin.read()
    attacker.is_ended = True
    for thread in threads:
        thread.join()
    print(json.dumps(attacker.statuses), flush=True)  # noqa: T201 - what it was answered


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
