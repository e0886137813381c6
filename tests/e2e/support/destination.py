"""A partner's HTTP address on this machine, which answers everything alike."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def destination(status: int, answer: bytes = b"") -> Iterator[tuple[str, list[bytes]]]:
    """Answer every POST with ``status`` until the block ends; yield the URL, and what was sent.

    ``answer`` is the body of each answer.
    """
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing: what was asked for stands in the test."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/in", bodies
    finally:
        server.shutdown()
        server.server_close()
