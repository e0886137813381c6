"""A partner on loopback: takes whatever is posted, keeps it, and answers 200."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

MESSAGE_ID = "X-Message-Id"


@dataclass
class Stub:
    """What arrived, in order: the id of each message, and its bytes."""

    address: str = ""
    arrived: list[tuple[str, bytes]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def copies(self) -> dict[str, list[bytes]]:
        """Return what arrived by the id of its message."""
        found: defaultdict[str, list[bytes]] = defaultdict(list)
        with self.lock:
            for message_id, content in self.arrived:
                found[message_id].append(content)
        return found

    def first_copies(self) -> list[bytes]:
        """Return the first copy of each message, in the order of their arrival."""
        seen: dict[str, bytes] = {}
        with self.lock:
            for message_id, content in self.arrived:
                seen.setdefault(message_id, content)
        return [*seen.values()]


@contextmanager
def partner_stub() -> Iterator[Stub]:
    """Run a partner on a free port until the block ends."""
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            with stub.lock:
                stub.arrived.append((self.headers[MESSAGE_ID], content))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        stub.address = f"http://127.0.0.1:{server.server_address[1]}"
        Thread(target=server.serve_forever, daemon=True).start()
        yield stub
        server.shutdown()
