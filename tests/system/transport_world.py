"""Partners of all kinds in this process: HTTP push, AS2 with both kinds of receipts, SFTP, and a
webhook endpoint. They keep what arrives, and are always there.
"""

import asyncio
import http.client
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Lock, Thread
from time import sleep
from typing import Final
from urllib.parse import urlsplit

from longshore.as2.exchange import (
    AcceptedFrom,
    answer_headers,
    read_receipt_with_texts,
    receive_message,
)
from longshore.as2.headers import MessageHeaders, read_message_headers
from longshore.as2.mime import read_entity
from longshore.as2.receipt_facts import As2Receipt
from longshore.as2.receipts import As2Body
from tests.support.as2 import NOW, pem_pair
from tests.support.ssh import SshServer, ssh_server
from tests.system.server import DEADLINE_SECONDS

US: Final = "US co"
THEM: Final = "THEM"
SHA256: Final = ("sha256",)
_PAUSE_SECONDS: Final = 0.05
_Copies = defaultdict[str, list[bytes]]


@dataclass
class Receipt:
    """A receipt of a partner that is sent in a connection of its own."""

    url: str
    headers: Mapping[str, str]
    content: bytes


@dataclass
class World:
    """Where the partners are, and what they got: all copies, by the id of the message."""

    sftp: SshServer
    address: str = ""
    http: _Copies = field(default_factory=lambda: defaultdict(list))
    as2: _Copies = field(default_factory=lambda: defaultdict(list))
    calls: _Copies = field(default_factory=lambda: defaultdict(list))
    receipts: defaultdict[str, list[As2Receipt]] = field(default_factory=lambda: defaultdict(list))
    """Ours, in connections of their own, by the Message-ID that they are for."""
    firsts: list[tuple[str, bytes]] = field(default_factory=list)
    """The path and the first copy of each message of HTTP and AS2, as they came."""
    to_send: Queue[Receipt] = field(default_factory=Queue)
    faults: Counter[str] = field(default_factory=Counter)
    """What no server of ours may do: messages that cannot be opened, receipts that it refuses."""
    is_over: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def uploaded(self, partner: int) -> dict[str, bytes]:
        """Return what was uploaded for a partner by SFTP, by file name, the first file first."""
        found = sorted(
            (self.sftp.folder / "in" / str(partner)).iterdir(),
            key=lambda each: each.stat().st_mtime_ns,
        )
        return {each.name: each.read_bytes() for each in found}

    def offer(self, partner: int, name: str, content: bytes) -> None:
        """Put a file into the mailbox of a partner, complete and old enough to be fetched."""
        folder = self.sftp.folder / "out" / str(partner)
        written = folder / f".{name}"
        written.write_bytes(content)
        os.utime(written, (1_700_000_000, 1_700_000_000))
        written.rename(folder / name)

    def offered(self, partner: int) -> list[str]:
        """Return the files of a mailbox that were not put away."""
        folder = self.sftp.folder / "out" / str(partner)
        return [each.name for each in folder.iterdir() if each.is_file()]

    def archived(self, partner: int) -> list[str]:
        """Return the files of a mailbox that were put away."""
        folder = self.sftp.folder / "out" / str(partner) / "archive"
        return [each.name for each in folder.iterdir()] if folder.exists() else []

    def keep(self, copies: _Copies, path: str, message_id: str, content: bytes) -> None:
        """Keep what arrived."""
        with self.lock:
            if message_id not in copies:
                self.firsts.append((path, content))
            copies[message_id].append(content)

    def receive(self, path: str, headers: dict[str, str], body: bytes) -> As2Body:
        """Open an AS2 message; return its receipt, and nothing if that is sent later."""
        of = read_message_headers(headers)
        accepted = AcceptedFrom(
            pairs=(pem_pair(THEM),),
            certificates=(pem_pair(US).certificate,),
            must_be_signed=True,
            must_be_encrypted=True,
            digests=SHA256,
            ciphers=("aes256_cbc",),
            max_bytes=1_000_000,
        )
        received = receive_message(of, headers, body, accepted, NOW)
        if received.opened is None:
            self.faults[received.refusal] += 1
        else:
            self.keep(self.as2, path, of.message_id, received.opened.payload)
        assert of.receipt is not None
        entity = read_entity(received.answer)
        answer = As2Body(entity.header("content-type"), bytes(entity.body))
        if not of.receipt.delivery_url:
            return answer
        self.to_send.put(Receipt(of.receipt.delivery_url, _headers(of, answer), answer.content))
        return As2Body("text/plain", b"")

    def take_receipt(self, headers: dict[str, str], body: bytes) -> None:
        """Keep a receipt of ours that came in a connection of its own."""
        given = As2Body(headers["content-type"], body)
        receipt = read_receipt_with_texts(given, (pem_pair(US).certificate,), SHA256)
        with self.lock:
            self.receipts[receipt.original_message_id].append(receipt)

    def send_receipts(self) -> None:
        """Send each receipt until it is taken; the server may be down."""
        while not self.is_over.is_set():
            try:
                receipt = self.to_send.get(timeout=_PAUSE_SECONDS)
            except Empty:
                continue
            status = _status(receipt)
            if status not in {0, 200, 503}:
                self.faults[f"a receipt was answered with status {status}"] += 1
            elif status != 200:
                self.to_send.put(receipt)
                sleep(_PAUSE_SECONDS)


def _headers(of: MessageHeaders, answer: As2Body) -> Mapping[str, str]:
    number = of.message_id.strip("<>").partition("@")[0]
    own = answer_headers(of, f"<r-{number}@them>")
    return dict(own) | {"Content-Type": answer.content_type}


def _status(receipt: Receipt) -> int:
    """Return how a receipt is answered; 0 if it is not."""
    where = urlsplit(receipt.url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, DEADLINE_SECONDS)
    try:
        connection.request("POST", where.path, receipt.content, dict(receipt.headers))
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


@contextmanager
def transport_world(folder: Path) -> Iterator[World]:
    """Run the partners until the block ends."""
    with ExitStack() as stack:
        world = World(stack.enter_context(_sftp(folder)))
        world.address = stack.enter_context(_http(world))
        sender = Thread(target=world.send_receipts, daemon=True)
        sender.start()
        yield world
        world.is_over.set()
        sender.join(DEADLINE_SECONDS)


@contextmanager
def _sftp(folder: Path) -> Iterator[SshServer]:
    started: Queue[tuple[SshServer, asyncio.AbstractEventLoop, asyncio.Event]] = Queue()

    async def serve() -> None:
        end = asyncio.Event()
        async with ssh_server(folder) as server:
            started.put((server, asyncio.get_running_loop(), end))
            await end.wait()

    thread = Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    server, loop, end = started.get(timeout=DEADLINE_SECONDS)
    yield server
    loop.call_soon_threadsafe(end.set)
    thread.join(DEADLINE_SECONDS)


@contextmanager
def _http(world: World) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = As2Body("text/plain", b"")
            match self.path.split("/")[1]:
                case "in":
                    world.keep(world.http, self.path, headers["x-message-id"], content)
                case "as2":
                    answer = world.receive(self.path, headers, content)
                case "mdn":
                    world.take_receipt(headers, content)
                case _:
                    with world.lock:
                        world.calls[headers["webhook-id"]].append(content)
            self.send_response(200)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
