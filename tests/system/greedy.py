"""A client that asks at a fixed rate, whatever it is answered; a process of its own.

``python greedy.py PORT KEY RATE TIMES DOCUMENT_BYTES``. A line on its input makes it ask so many
times as often, or again as before; at the end of its input it prints how often each status came,
as JSON.
"""

import json
import socket
import sys
import time
from collections import Counter
from threading import Thread

THREADS = 4


def a_request(key: str, size: int) -> bytes:
    """Return a request to parse a purchase order of about ``size`` bytes."""
    lines = "PO1*1*48*EA*12.75~" * (size // 18)
    body = json.dumps({"document": f"ST*850*0001~{lines}SE*2*0001~"})
    head = (
        "POST /api/v1/parse HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {key}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


def ask(port: int, request: bytes) -> int:
    """Send on a connection of its own, since a refusal ends it; return the status."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request)
        with connection.makefile("rb") as file:
            status = int(file.readline().split()[1])
            while file.readline().strip():
                pass
    return status


class Askers:
    """Threads that share one rate: what is greedy asks much at the same time."""

    def __init__(self, rate: float, times: int) -> None:
        self._pauses = (THREADS / rate, THREADS / rate / times)
        self.is_greedy = False
        self.is_ended = False
        self.statuses: Counter[int] = Counter()

    def run(self, port: int, request: bytes, number: int) -> None:
        asked = time.monotonic() - self._pauses[0] * number / THREADS  # not all at once
        while not self.is_ended:
            if time.monotonic() < asked + self._pauses[self.is_greedy]:
                time.sleep(0.002)
                continue
            asked = time.monotonic()
            self.statuses[ask(port, request)] += 1


def main(port: int, key: str, rate: float, times: int, size: int) -> None:
    askers = Askers(rate, times)
    request = a_request(key, size)
    threads = [Thread(target=askers.run, args=(port, request, each)) for each in range(THREADS)]
    for thread in threads:
        thread.start()
    while sys.stdin.readline():
        askers.is_greedy = not askers.is_greedy
        print(flush=True)  # noqa: T201 - the answer to the line
    askers.is_ended = True
    for thread in threads:
        thread.join()
    print(json.dumps(askers.statuses), flush=True)  # noqa: T201 - what it was asked for


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
