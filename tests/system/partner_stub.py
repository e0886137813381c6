"""A partner on loopback: takes whatever is posted, keeps it, and answers 200."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

MESSAGE_ID = "X-Message-Id"


@dataclass
class Stub:
    """What arrived, in order: the id of each message, and its bytes.

    ``firsts``: the first copy of each message. ``counts``: how many those are by path.
    """

    address: str = ""
    arrived: list[tuple[str, bytes]] = field(default_factory=list)
    firsts: dict[str, bytes] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def copies(self) -> dict[str, list[bytes]]:
        """Return what arrived by the id of its message."""
        found: defaultdict[str, list[bytes]] = defaultdict(list)
        with self.lock:
            for message_id, content in self.arrived:
                found[message_id].append(content)
        return found


@contextmanager
def partner_stub() -> Iterator[Stub]:
    """Run a partner on a free port until the block ends."""
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            with stub.lock:
                message_id = self.headers[MESSAGE_ID]
                stub.arrived.append((message_id, content))
                if stub.firsts.setdefault(message_id, content) is content:
                    stub.counts[self.path] += 1
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
