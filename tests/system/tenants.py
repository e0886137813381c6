"""Requests as bytes, for clients that do not behave."""

import socket
from urllib.parse import urlsplit

from tests.system.server import DEADLINE_SECONDS, Server


def open_connection(server: Server) -> socket.socket:
    """Return a connection of its own."""
    where = urlsplit(server.address)
    return socket.create_connection((where.hostname, where.port), timeout=DEADLINE_SECONDS)


def a_post(path: str, key: str, body: bytes, announced_bytes: int | None = None) -> bytes:
    """Return a request with a JSON body, which may announce more than there is."""
    size = len(body) if announced_bytes is None else announced_bytes
    head = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {key}\r\nContent-Length: {size}\r\n\r\n"
    )
    return head.encode() + body
