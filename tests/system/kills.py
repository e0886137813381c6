"""Kills a server under concurrent converts, and finds out what it has lost.

Clients note an answer before they ask again; what they noted must be there after the next start.
"""

import asyncio
import http.client
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Thread
from urllib.parse import urlsplit

from longshore.compute.inline import InlineCompute
from longshore.database import open_any_database, open_sealer, upgrade_database
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.maps.model import Authorship
from longshore.domain.maps.service import MapService
from longshore.domain.pages import PageParameters
from longshore.domain.ports import AccountId, Scope, Sealer
from longshore.domain.vault.model import OpenedDocument, VaultQuery
from longshore.domain.vault.service import VaultService
from longshore.kit.clock import SystemClock
from longshore.kit.environment import Environment
from longshore.kit.ids import SystemIdSource
from longshore.settings import Settings
from longshore.storage.postgres.database import PostgresDatabase
from longshore.storage.sqlite.database import SqliteDatabase
from tests.support.maps import ORDER_RULES, a_map
from tests.support.vault import context
from tests.system.server import DEADLINE_SECONDS, Server

CLIENTS = 32
LINES = (1, 4, 30, 900)  # of an order; the last is longer than what is converted at once
PAGE = 500

AnyDatabase = SqliteDatabase | PostgresDatabase


def an_order(number: str, lines: int) -> str:
    body = "".join(f"PO1*{line}*{line * 3}*EA~" for line in range(1, lines + 1))
    return f"ST*850*0001~BEG*00*SA*{number}**20260115~{body}CTT*{lines}~SE*{lines + 4}*0001~"


def output_of(order: str) -> str:
    """Return what ``ORDER_RULES`` make of an order, worked out by hand."""
    segments = [segment.split("*") for segment in order.split("~")]
    quantities = [segment[2] for segment in segments if segment[0] == "PO1"]
    number = next(segment[3] for segment in segments if segment[0] == "BEG")
    lines = ",".join(f'{{"quantity":"{quantity}"}}' for quantity in quantities)
    return f'{{"number":"{number}","lines":[{lines}]}}'


@dataclass(frozen=True)
class Kept:
    """A database with an account, a key and a map, and how a server is told of it."""

    settings: Settings
    arguments: tuple[str, ...]
    key: str
    map_id: int


def prepare(settings: Settings, *arguments: str) -> Kept:
    """Make the database and what is in it; ``arguments`` lead a server there."""
    upgrade_database(settings)
    return asyncio.run(_prepared(settings, arguments, open_sealer(settings).sealer))


async def _prepared(settings: Settings, arguments: tuple[str, ...], sealer: Sealer) -> Kept:
    clock = SystemClock()
    async with open_any_database(settings) as database:
        accounts = AccountService(database.units, clock, database.revocations)
        keys = KeyService(database.units, clock, SystemIdSource(), database.revocations)
        account = await accounts.create("demo", AccountType.ENTERPRISE)
        key = (await keys.create("demo", Environment.SANDBOX)).key
        maps = MapService(database.units, sealer, clock, InlineCompute())
        by = Authorship(saved_by="cli", note="")
        saved = await maps.create(context(account.id, Environment.PRODUCTION), a_map(), by)
    return Kept(settings, arguments, key, saved.map.head.id)


def _scope(account_id: int) -> Scope:
    return Scope(account_id=AccountId(account_id), environment=Environment.PRODUCTION)


# ---- the load ----------------------------------------------------------------------------------


@dataclass
class Load:
    """Clients that post until the server is gone.

    ``orders``: of what was acknowledged, by its ``doc_id``. ``others``: answers that were none.
    """

    kept: Kept
    orders: dict[int, str] = field(default_factory=dict)
    others: Counter[tuple[int, str]] = field(default_factory=Counter)
    has_begun: Event = field(default_factory=Event)

    def run(self, server: Server, life: int, end: Callable[[], None]) -> None:
        """Post from all clients; once something was acknowledged ``end`` ends the server."""
        clients = [
            Thread(target=self._post, args=(server.address, f"{life}-{client}"), daemon=True)
            for client in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        assert self.has_begun.wait(DEADLINE_SECONDS) or server.process.poll() is not None
        end()
        for client in clients:
            client.join(DEADLINE_SECONDS)
            assert not client.is_alive()

    def _post(self, address: str, name: str) -> None:
        where = urlsplit(address)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, DEADLINE_SECONDS)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            for number in count():
                order = an_order(f"PO-{name}-{number}", LINES[number % len(LINES)])
                self._post_one(connection, order, number)
        self.has_begun.set()  # the server may have ended before its first answer

    def _post_one(self, connection: http.client.HTTPConnection, order: str, number: int) -> None:
        headers = {"Authorization": f"Bearer {self.kept.key}", "Content-Type": "application/json"}
        connection.request("POST", "/api/v1/convert", self._body(order, number), headers)
        with connection.getresponse() as response:
            answer = json.loads(response.read())
        if response.status == 200:
            self.orders[answer["doc_id"]] = order
            self.has_begun.set()
        else:
            self.others[response.status, answer["code"]] += 1

    def _body(self, order: str, number: int) -> bytes:
        rules: dict[str, object] = {"map_id": self.kept.map_id}
        if number % 2:
            rules = {"field_map": json.loads(ORDER_RULES)}
        return json.dumps({"document": order, "save_to_vault": True, **rules}).encode()


# ---- what is left ------------------------------------------------------------------------------


def lost(server: Server, key: str, orders: dict[int, str]) -> list[int]:
    """Return the acknowledged documents that a server does not give back, with their sources."""
    missing = []
    for doc_id, order in orders.items():
        status, answer = server.call("GET", f"/api/v1/documents/{doc_id}", key)
        if status != 200 or answer["doc"]["content"] != output_of(order):
            missing.append(doc_id)
            continue
        source_id = answer["doc"]["source_doc_id"]
        status, answer = server.call("GET", f"/api/v1/documents/{source_id}", key)
        if status != 200 or answer["doc"]["content"] != order:
            missing.append(doc_id)
    return missing


@dataclass(frozen=True)
class Rows:
    """Every stored document, opened, by its id."""

    documents: dict[int, OpenedDocument]

    def orders(self) -> dict[int, str]:
        """Return the sources of all outputs by the ids of the outputs."""
        pairs = (
            (each.document.id, each.document.source_doc_id) for each in self.documents.values()
        )
        return {
            output: self.documents[source].content for output, source in pairs if source is not None
        }

    def insist_on_pairs(self) -> None:
        """Check that every row is the source or the output of one conversion, and none its half.

        Raises:
            AssertionError: Something was stored by halves, or is not what was to be stored.
        """
        orders = self.orders()
        assert len(set(orders.values())) == len(orders)
        assert 2 * len(orders) == len(self.documents)
        for output, order in orders.items():
            assert self.documents[output].content == output_of(order)


def open_all(kept: Kept) -> Rows:
    """Return all rows.

    Raises:
        SealBrokenError: A row has no key, or content that is not its own.
    """
    return asyncio.run(_opened(kept, open_sealer(kept.settings).sealer))


async def _opened(kept: Kept, sealer: Sealer) -> Rows:
    documents: dict[int, OpenedDocument] = {}
    async with open_any_database(kept.settings) as database:
        async for document in _each(database, sealer):
            documents[document.document.id] = document
    return Rows(documents)


async def _each(database: AnyDatabase, sealer: Sealer) -> AsyncIterator[OpenedDocument]:
    vault = VaultService(database.units, SystemClock(), sealer, InlineCompute())
    scope, query = _scope(1), VaultQuery(environment=Environment.SANDBOX)
    for offset in count(step=PAGE):
        page = await vault.list(scope, query, PageParameters(limit=PAGE, offset=offset))
        for document in page.documents:
            yield await vault.get(scope, document.id)
        if len(page.documents) < PAGE:
            return
