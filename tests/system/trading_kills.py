"""Kills a server that trades, and finds out what was lost, doubled or numbered wrongly.

Clients submit and send documents until the server is gone; what was not answered they ask again
from the next one, under the same ``Idempotency-Key``, as clients do.

What a killed process had leased is taken up by the next one, at once on SQLite and after some
seconds on PostgreSQL; what is behind it waits. So each server trades with another partner than the
one before it; and clients hold back while much waits, or the last server would deliver for hours.
They begin with one document each and go on when the first delivery has come, lest all that they may
ask for is asked before anything is delivered.
"""

import asyncio
import http.client
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count, takewhile
from pathlib import Path
from threading import Event, Lock, Thread
from urllib.parse import quote, urlsplit

from longshore.background import trading_ports
from longshore.compute.inline import InlineCompute
from longshore.database import OpenSealer, open_any_database, open_sealer
from longshore.domain.partners.parser import read_partner
from longshore.domain.ports import OPERATOR, AccountId, RequestContext
from longshore.domain.trading import open_trading
from longshore.kit.environment import Environment
from longshore.settings import Settings
from tests.system.partner_stub import Stub
from tests.system.server import DEADLINE_SECONDS, Server, longshore

SUBMITTERS = 12
SENDERS = 4
MAX_WAITING = 75
"""Documents with one partner that have not led to a delivery: so much, and clients hold back."""
HOLDING_SECONDS = 0.02
OVERLOADED = (503, "overloaded")
"""Too many documents wait, and nothing was stored of this one."""
OURS = ("ZZ", "DEMO")


def an_order(number: str) -> str:
    return f"ST*850*0001~BEG*00*SA*{number}**20260115~PO1*1*3*EA~CTT*1~SE*5*0001~"


@dataclass(frozen=True)
class Partner:
    """A partner of ours. ``path``: where he takes documents; ``inbound_path``: where we do."""

    id: int
    isa_id: str
    gs_id: str
    path: str
    inbound_path: str


def an_interchange(order: str, control: int, partner: Partner) -> str:
    """Return an order as a partner sends it to us."""
    isa = (
        f"ISA*00*{'':10}*00*{'':10}*01*{partner.isa_id:15}*{OURS[0]}*{OURS[1]:15}"
        f"*260115*1405*^*00401*{control:09}*0*T*>~"
    )
    group = f"GS*PO*{partner.gs_id}*{OURS[1]}*20260115*1405*{control}*X*004010~"
    return f"{isa}{group}{order}GE*1*{control}~IEA*1*{control:09}~"


@dataclass(frozen=True)
class Market:
    """A database with an account, a key and partners, who are all the stub."""

    arguments: tuple[str, ...]
    key: str
    partners: tuple[Partner, ...]

    def partner(self, name: str) -> Partner:
        """Return whom a document goes to or comes from; its name begins with a life."""
        return self.partners[int(name.partition("-")[0]) % len(self.partners)]


def prepare(folder: Path, stub_address: str, *arguments: str, partners: int = 1) -> Market:
    """Make the account and its partners; ``arguments`` name the database.

    The partners are made in this process: a command for each would take longer than the kills.
    """
    place = ("--data-dir", "data", *arguments)

    def run(*command: str) -> dict[str, object]:
        done = longshore(*command, *place, "--json", cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
        answer: dict[str, object] = json.loads(done.stdout)
        return answer

    run("db", "upgrade")
    run("accounts", "create", "demo", "--type", "enterprise")
    key = run("keys", "create", "--account", "demo", "--environment", "sandbox")["key"]
    settings = Settings(
        data_dir=folder / "data",
        database_url=arguments[-1] if arguments else "",
        allowed_networks=("127.0.0.0/8",),
    )
    with ThreadPoolExecutor(1) as thread:  # a benchmark has a loop in its own
        opened = thread.submit(open_sealer, settings).result()
        making = _made_partners(settings, opened, stub_address, partners)
        made = thread.submit(asyncio.run, making)
    return Market(arguments, str(key), tuple(made.result()))


async def _made_partners(
    settings: Settings, opened: OpenSealer, stub_address: str, count: int
) -> list[Partner]:
    made = []
    context = RequestContext(
        account_id=AccountId(1), environment=Environment.SANDBOX, actor=OPERATOR
    )
    async with open_any_database(settings) as database:
        with closing(InlineCompute()) as compute:
            ports = trading_ports(settings, database, opened, compute, compute)
            service = open_trading(ports).partners
            for number in range(count):
                isa_id, gs_id, path = str(123456789 + number), f"STUB{number}", f"/in/{number}"
                terms = {
                    "name": f"Stub {number}",
                    "isa_qualifier": "01",
                    "isa_id": isa_id,
                    "gs_id": gs_id,
                    "connections": {"test": {"type": "http", "url": f"{stub_address}{path}"}},
                }
                known = await service.create(context, read_partner(terms, is_new=True))
                inbound = known.inbound_url(Environment.SANDBOX, "", Environment.PRODUCTION)
                made.append(Partner(int(known.partner.id), isa_id, gs_id, path, inbound))
    return made


# ---- the load ----------------------------------------------------------------------------------


@dataclass
class Asked:
    """What was asked for, by the key it was asked under, and what was answered.

    ``ids``: the transaction or the receipt; a second answer must name the same.
    """

    bodies: dict[str, str] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)

    def note(self, key: str, given: int) -> None:
        """Note an answer."""
        if self.ids.setdefault(key, given) != given:
            self.contradictions.append(key)

    @property
    def unanswered(self) -> list[str]:
        """What nobody knows the outcome of."""
        return [key for key in self.bodies if key not in self.ids]


@dataclass(frozen=True)
class Errand:
    """What some clients do: ``make`` a document of a name, and ``ask`` for what has one."""

    asked: Asked
    make: Callable[[str], str]
    ask: Callable[[http.client.HTTPConnection, str], None]
    clients: int


@dataclass
class Trade:
    """Clients that trade until the server is gone.

    ``asked``: how many documents there are with each partner. ``amid``: how many servers ended
    amid submits, receipts and deliveries. ``reached``: how many died at the point that was planned
    for them. ``others``: answers that were none; a document that was refused because too many wait
    is asked for again.
    """

    market: Market
    stub: Stub
    submitters: int = SUBMITTERS
    senders: int = SENDERS
    submits: Asked = field(default_factory=Asked)
    receipts: Asked = field(default_factory=Asked)
    others: Counter[tuple[int, str]] = field(default_factory=Counter)
    asked: Counter[Partner] = field(default_factory=Counter)
    delivered_before: int = 0
    amid: int = 0
    reached: int = 0
    has_begun: Event = field(default_factory=Event)
    is_over: Event = field(default_factory=Event)
    control: Iterator[int] = field(default_factory=lambda: count(1))
    lock: Lock = field(default_factory=Lock)

    def run(self, server: Server, life: int, end: Callable[[], None]) -> None:
        """Trade from all clients; once a submit was answered ``end`` ends it, or the server."""
        self.has_begun.clear()
        self.is_over.clear()
        self.delivered_before = len(self.stub.firsts)
        clients = [
            Thread(
                target=self._trade,
                args=(server.address, f"{life}-{client}", errand, left[client :: errand.clients]),
                daemon=True,
            )
            for errand in self._errands
            for left in [errand.asked.unanswered]
            for client in range(errand.clients)
        ]
        for client in clients:
            client.start()
        assert self.has_begun.wait(DEADLINE_SECONDS) or server.process.poll() is not None
        try:
            end()
        finally:
            self.is_over.set()
        for client in clients:
            client.join(DEADLINE_SECONDS)
            assert not client.is_alive()
        in_progress = all(errand.asked.unanswered for errand in self._errands)
        self.amid += in_progress and self.delivers

    @property
    def delivers(self) -> bool:
        """Whether anything new was delivered since these clients began."""
        return len(self.stub.firsts) > self.delivered_before

    def settle(self, server: Server) -> None:
        """Ask again for everything that was not answered, until it is."""
        where = urlsplit(server.address)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, DEADLINE_SECONDS)
        last = time.monotonic() + DEADLINE_SECONDS
        with closing(connection):
            for errand in self._errands:
                while left := errand.asked.unanswered:
                    assert time.monotonic() < last, f"not answered: {left}"
                    for key in left:
                        errand.ask(connection, key)

    @property
    def _errands(self) -> tuple[Errand, Errand]:
        return (
            Errand(self.submits, self._submission, self._submit, self.submitters),
            Errand(self.receipts, self._receipt, self._send, self.senders),
        )

    def _trade(self, address: str, name: str, errand: Errand, left: list[str]) -> None:
        where = urlsplit(address)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, DEADLINE_SECONDS)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            for key in left:
                errand.ask(connection, key)
            partner = self.market.partner(name)
            for number in takewhile(partial(self._may_ask, partner), count()):
                key = f"{name}-{number}"
                with self.lock:
                    self.asked[partner] += 1
                errand.asked.bodies[key] = errand.make(key)
                errand.ask(connection, key)
        self.has_begun.set()  # the server may have ended before its first answer

    def _may_ask(self, partner: Partner, number: int) -> bool:
        """Wait until a client may go on after its first document; False if it is over."""
        while number and (self._too_much_waits(partner) or not self.delivers):
            if self.is_over.wait(HOLDING_SECONDS):
                break
        return not self.is_over.is_set()

    def _too_much_waits(self, partner: Partner) -> bool:
        return self.asked[partner] - self.stub.counts[partner.path] >= MAX_WAITING

    def _submission(self, name: str) -> str:
        return an_order(f"OUT-{name}")

    def _receipt(self, name: str) -> str:
        with self.lock:
            control = next(self.control)
        return an_interchange(an_order(f"IN-{name}"), control, self.market.partner(name))

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
        answer = self._post(
            connection, "/api/v1/transactions/submit", json.dumps(body).encode(), headers
        )
        if answer:
            self.submits.note(key, int(str(answer["transaction_id"])))
            self.has_begun.set()

    def _send(self, connection: http.client.HTTPConnection, key: str) -> None:
        headers = {"Content-Type": "application/edi-x12", "Idempotency-Key": key}
        content = self.receipts.bodies[key].encode()
        path = self.market.partner(key).inbound_path
        answer = self._post(connection, path, content, headers)
        if answer:
            self.receipts.note(key, int(str(answer["receipt_id"])))

    def _post(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        content: bytes,
        headers: dict[str, str],
    ) -> dict[str, object] | None:
        connection.request("POST", path, content, headers)
        with connection.getresponse() as response:
            answer: dict[str, object] = json.loads(response.read())
        if response.status == 200:
            return answer
        self._refused(response, str(answer["code"]))
        return None

    def _refused(self, response: http.client.HTTPResponse, code: str) -> None:
        if (response.status, code) == OVERLOADED:
            assert response.headers["Retry-After"].isdigit()
        else:
            self.others[response.status, code] += 1


# ---- what is left ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """What a server tells of one document: how many records, and of the first what became of it."""

    total: int
    transaction_id: int
    status: str


def find(server: Server, key: str, business_key: str) -> Found:
    """Return what there is of a document, by its business key."""
    path = f"/api/v1/transactions?business_key={quote(business_key)}"
    status, answer = server.call("GET", path, key)
    assert status == 200, answer
    if not answer["transactions"]:
        return Found(0, 0, "")
    first = answer["transactions"][-1]
    return Found(answer["total"], first["id"], first["status"])


def waiting(server: Server, key: str) -> int:
    """Return how many records are not at their end."""
    words = "queued,sending,received,processing"
    status, answer = server.call("GET", f"/api/v1/transactions?status={words}&limit=1", key)
    assert status == 200, answer
    return int(answer["total"])


def lost(server: Server, key: str, submits: Asked) -> list[str]:
    """Return the submits that were answered and are not there, or are there twice."""
    return [
        name
        for name, transaction_id in submits.ids.items()
        if (found := find(server, key, f"OUT-{name}")).total != 1
        or found.transaction_id != transaction_id
    ]
