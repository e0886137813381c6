"""Clients and partners that trade with a server by all transports until it is gone.

What was not answered is asked for again from the next server: submits and documents by HTTP under
the same ``Idempotency-Key``, AS2 messages as the same bytes with the same Message-ID. Files are put
into mailboxes, and nobody answers that.
"""

import asyncio
import http.client
import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final
from urllib.parse import urlsplit

from longshore.as2.algorithms import Mic
from longshore.as2.exchange import read_receipt_with_texts
from longshore.as2.receipts import As2Body
from longshore.background import trading_ports
from longshore.compute.inline import InlineCompute
from longshore.database import OpenSealer, open_any_database, open_sealer, upgrade_database
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.events.model import EventType
from longshore.domain.partners.parser import read_partner
from longshore.domain.ports import OPERATOR, RequestContext
from longshore.domain.trading import Trading, open_trading
from longshore.domain.webhooks.model import WebhookTerms
from longshore.kit.clock import SystemClock
from longshore.kit.environment import Environment
from longshore.kit.ids import SystemIdSource
from longshore.settings import Settings
from tests.support.as2 import SIGNED_AND_ENCRYPTED, a_message, as2_members, pem_pair
from tests.support.ssh import HOST_KEY, PASSWORD, key_text
from tests.system.server import DEADLINE_SECONDS, Server
from tests.system.trading_kills import Asked, Partner, an_interchange, an_order
from tests.system.transport_world import SHA256, THEM, US, World

KINDS: Final = ("http", "sync", "async", "sftp")
MAX_DOCUMENTS: Final = 12
"""Of one client with one server: so many, and it waits for the end."""
PAUSE_SECONDS: Final = 0.02
CALLED_ABOUT: Final = (EventType.TRANSACTION_DELIVERED, EventType.TRANSACTION_RECEIVED)
_Run = Callable[[http.client.HTTPConnection, str], None]
_AGAIN: Final = 3
"""Each third AS2 message with a receipt of its own connection is sent twice."""


@dataclass(frozen=True)
class Market:
    """A database with an account, a key, and partners of all kinds for each life of a server."""

    arguments: tuple[str, ...]
    key: str
    partners: tuple[Partner, ...]

    def partner(self, name: str) -> Partner:
        """Return the partner of a document, which is named by life, kind and number."""
        life, kind, _ = name.split("-")
        lives = len(self.partners) // len(KINDS)
        return self.partners[int(life) % lives * len(KINDS) + KINDS.index(kind)]

    def of_kind(self, kind: str) -> tuple[Partner, ...]:
        """Return the partners of a kind."""
        return self.partners[KINDS.index(kind) :: len(KINDS)]


def prepare(folder: Path, world: World, base_url: str, lives: int, *arguments: str) -> Market:
    """Make the account, its partners and the webhook endpoint; ``arguments`` name the database."""
    settings = Settings(
        data_dir=folder / "data",
        database_url=arguments[-1] if arguments else "",
        allowed_networks=("127.0.0.0/8",),
        base_url=base_url,
    )
    upgrade_database(settings)
    with ThreadPoolExecutor(1) as thread:
        opened = thread.submit(open_sealer, settings).result()
        made = thread.submit(asyncio.run, _prepared(settings, opened, world, lives)).result()
    return Market(arguments, *made)


async def _prepared(
    settings: Settings, opened: OpenSealer, world: World, lives: int
) -> tuple[str, tuple[Partner, ...]]:
    async with open_any_database(settings) as database:
        with closing(InlineCompute()) as compute:
            trading = open_trading(trading_ports(settings, database, opened, compute, compute))
            accounts = AccountService(database.units, SystemClock(), database.revocations)
            account = await accounts.create("demo", AccountType.ENTERPRISE)
            await trading.provisioner.provision_accounts()
            keys = KeyService(database.units, SystemClock(), SystemIdSource(), database.revocations)
            key = (await keys.create("demo", Environment.SANDBOX)).key
            context = RequestContext(
                account_id=account.id, environment=Environment.SANDBOX, actor=OPERATOR
            )
            await trading.as2_identities.create(context, US, pem_pair(US))
            terms = WebhookTerms(url=f"{world.address}/hook", events=CALLED_ABOUT)
            await trading.webhooks.create(context, terms)
            partners = [
                await _made_partner(trading, context, world, number)
                for number in range(lives * len(KINDS))
            ]
    return key, tuple(partners)


async def _made_partner(
    trading: Trading, context: RequestContext, world: World, number: int
) -> Partner:
    kind, isa_id, gs_id = KINDS[number % len(KINDS)], str(223456789 + number), f"P{number}"
    path = {"http": f"/in/{number}", "sftp": f"/in/{number}"}.get(kind, f"/as2/{number}")
    terms = {
        "name": f"Partner {number}",
        "isa_qualifier": "01",
        "isa_id": isa_id,
        "gs_id": gs_id,
        "connections": {"test": _connection(kind, world, path, number)},
    }
    known = await trading.partners.create(context, read_partner(terms, is_new=True))
    inbound = known.inbound_url(Environment.SANDBOX, "", Environment.PRODUCTION)
    return Partner(int(known.partner.id), isa_id, gs_id, path, inbound)


def _connection(kind: str, world: World, path: str, number: int) -> dict[str, object]:
    if kind == "http":
        return {"type": "http", "url": f"{world.address}{path}"}
    if kind != "sftp":
        as2_to = f"{THEM}{number}"
        return as2_members(url=f"{world.address}{path}", mdn=kind, as2_to=as2_to)
    for folder in ("in", "out"):
        (world.sftp.folder / folder / str(number)).mkdir(parents=True)
    return {
        "type": "sftp",
        "host": "127.0.0.1",
        "port": world.sftp.port,
        "user": "us",
        "password": PASSWORD,
        "host_key": key_text(HOST_KEY),
        "upload_dir": path,
        "download_dir": f"/out/{number}",
        "pattern": "*.edi",
        "poll_seconds": 10,
    }


# ---- the load ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class As2Message:
    """An AS2 message of a partner, the same in each attempt."""

    headers: dict[str, str]
    body: bytes
    mic: Mic


@dataclass
class Trade:
    """Clients that trade until the server is gone."""

    market: Market
    world: World
    submits: Asked = field(default_factory=Asked)
    posts: Asked = field(default_factory=Asked)
    """Documents by HTTP."""
    messages: dict[str, As2Message] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    """The AS2 messages whose receipt came, or is to come."""
    files: dict[str, bytes] = field(default_factory=dict)
    others: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Answers that were none."""
    reached: Counter[str] = field(default_factory=Counter)
    """The points at which a server died."""
    controls: Iterator[int] = field(default_factory=lambda: count(1))
    control_of: dict[str, int] = field(default_factory=dict)
    is_over: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    @property
    def progress(self) -> tuple[int, int]:
        """Return how much was delivered and called, which grows while a server works."""
        return len(self.world.firsts), len(self.world.calls)

    @property
    def received(self) -> list[str]:
        """The names of all documents of partners."""
        return [*self.posts.bodies, *self.messages, *self.files]

    def run(self, server: Server, life: int, end: Callable[[], None]) -> None:
        """Trade from all clients until ``end`` has ended the server."""
        self.is_over.clear()
        work: list[tuple[_Run, str]] = [(self._submit_all, kind) for kind in KINDS]
        work += [(self._post_all, "http"), (self._offer_all, "sftp")]
        work += [(self._message_all, kind) for kind in ("sync", "async")]
        clients = [
            Thread(target=self._client, args=(server.address, f"{life}-{kind}", run), daemon=True)
            for run, kind in work
        ]
        for client in clients:
            client.start()
        try:
            end()
        finally:
            self.is_over.set()
        for client in clients:
            client.join(DEADLINE_SECONDS)
            assert not client.is_alive()

    def settle(self, server: Server) -> None:
        """Ask again for everything that was not answered."""
        with closing(_connected(server.address)) as connection:
            for key in self.submits.unanswered:
                self._submit(connection, key)
            for key in self.posts.unanswered:
                self._post_document(connection, key)
            for key in self.messages.keys() - self.answered:
                self._send_message(connection, key)

    def _client(
        self,
        address: str,
        name: str,
        run: _Run,
    ) -> None:
        connection = _connected(address)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            run(connection, name)

    def _names(self, name: str) -> Iterator[str]:
        """Yield the names of a client's documents until the server is gone."""
        for number in range(MAX_DOCUMENTS):
            yield f"{name}-{number}"
            if self.is_over.wait(PAUSE_SECONDS):
                return

    def _submit_all(self, connection: http.client.HTTPConnection, name: str) -> None:
        kind = name.partition("-")[2]
        for key in [each for each in self.submits.unanswered if f"-{kind}-" in each]:
            self._submit(connection, key)
        for key in self._names(name):
            self.submits.bodies[key] = an_order(f"OUT-{key}")
            self._submit(connection, key)

    def _post_all(self, connection: http.client.HTTPConnection, name: str) -> None:
        for key in self.posts.unanswered:
            self._post_document(connection, key)
        for key in self._names(name):
            self.posts.bodies[key] = self._interchange(key)
            self._post_document(connection, key)

    def _offer_all(self, _: http.client.HTTPConnection, name: str) -> None:
        for key in self._names(name):
            content = self._interchange(key).encode()
            partner = self.market.partners.index(self.market.partner(key))
            self.files[key] = content
            self.world.offer(partner, f"{key}.edi", content)

    def _message_all(self, connection: http.client.HTTPConnection, name: str) -> None:
        kind = name.partition("-")[2]
        for key in [each for each in self.messages if f"-{kind}-" in each]:
            if key not in self.answered:
                self._send_message(connection, key)
        for number, key in enumerate(self._names(name)):
            self.messages[key] = self._message(key, kind)
            self._send_message(connection, key)
            if kind == "async" and number % _AGAIN == 0:
                self._send_message(connection, key)

    def _interchange(self, key: str) -> str:
        with self.lock:
            control = self.control_of[key] = next(self.controls)
        return an_interchange(an_order(f"IN-{key}"), control, self.market.partner(key))

    def _message(self, key: str, kind: str) -> As2Message:
        number = self.market.partners.index(self.market.partner(key))
        given = {"as2_from": f"{THEM}{number}", "message_id": f"<{key}@them>"}
        if kind == "async":
            given["receipt_delivery_option"] = f"{self.world.address}/mdn"
        content = self._interchange(key).encode()
        return As2Message(*a_message(content, SIGNED_AND_ENCRYPTED, **given))

    def _submit(self, connection: http.client.HTTPConnection, key: str) -> None:
        body = {
            "partner_id": self.market.partner(key).id,
            "tx_set": "850",
            "direction": "outbound",
            "content": self.submits.bodies[key],
        }
        headers = {
            "Authorization": f"Bearer {self.market.key}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        path = "/api/v1/transactions/submit"
        answer = self._posted(connection, path, json.dumps(body).encode(), headers)
        if answer is not None:
            self.submits.note(key, int(json.loads(answer.content)["transaction_id"]))

    def _post_document(self, connection: http.client.HTTPConnection, key: str) -> None:
        headers = {"Content-Type": "application/edi-x12", "Idempotency-Key": key}
        path, content = self.market.partner(key).inbound_path, self.posts.bodies[key].encode()
        answer = self._posted(connection, path, content, headers)
        if answer is not None:
            self.posts.note(key, int(json.loads(answer.content)["receipt_id"]))

    def _send_message(self, connection: http.client.HTTPConnection, key: str) -> None:
        message = self.messages[key]
        answer = self._posted(connection, "/as2", message.body, message.headers)
        if answer is None:
            return
        if "-sync-" in key:
            receipt = read_receipt_with_texts(answer, (pem_pair(US).certificate,), SHA256)
            expected = (f"<{key}@them>", "processed", message.mic)
            if (receipt.original_message_id, receipt.disposition, receipt.mic) != expected:
                self.others[200, receipt.disposition] += 1
        self.answered.add(key)

    def _posted(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        content: bytes,
        headers: dict[str, str],
    ) -> As2Body | None:
        connection.request("POST", path, content, headers)
        with connection.getresponse() as response:
            answer = As2Body(response.headers.get("Content-Type", ""), response.read())
        if response.status == 200:
            return answer
        code = str(json.loads(answer.content)["code"])
        if (response.status, code) != (503, "overloaded"):
            self.others[response.status, code] += 1
        return None


def _connected(address: str) -> http.client.HTTPConnection:
    where = urlsplit(address)
    return http.client.HTTPConnection(where.hostname or "", where.port, DEADLINE_SECONDS)
