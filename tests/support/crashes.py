"""Processes that die at a named point, and what the next one makes of what they left (R2)."""

import asyncio
import multiprocessing
import re
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar

from longshore.as2.algorithms import Mic
from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.overdue import OverdueAckChecker
from longshore.domain.as2.model import ReceiptToSend
from longshore.domain.as2.receipt_delivery import As2ReceiptSender
from longshore.domain.delivery.held_entries import Releaser
from longshore.domain.delivery.model import JobKind
from longshore.domain.delivery.overdue_receipts import OverdueReceiptChecker
from longshore.domain.delivery.ports import JobHandlers, OutboundMessage, Sent, answered
from longshore.domain.delivery.worker import Worker
from longshore.domain.inbound.mailbox_jobs import MailboxScheduler
from longshore.domain.inbound.mailboxes import RemoteFile
from longshore.domain.inbound.polling import MailboxPoller
from longshore.domain.inbound.processor import Processor
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.pairing.overdue import OverdueResponseChecker
from longshore.domain.partners.connections import (
    As2Connection,
    ConnectionType,
    FileServerConnection,
    MdnMode,
)
from longshore.domain.ports import Revocations, Scope
from longshore.domain.trading import Trading, open_trading
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.webhooks.delivery import WebhookSender
from longshore.domain.webhooks.ports import WebhookCall
from longshore.domain.webhooks.queue import EventFanOut
from longshore.kit.environment import Environment
from longshore.kit.errors import LongshoreError
from longshore.kit.faults import arm
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.postgres.database import open_postgres
from longshore.storage.queries import Dialect, Query
from longshore.transport.partner_mailbox import PartnerMailboxes
from longshore.transport.simulator import Simulator
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import Database, Engine, SqliteEngine
from tests.support.dispatch import a_worker
from tests.support.ports import some_ports
from tests.support.processing import a_processor, case
from tests.support.submitting import NoMaps
from tests.support.vault import a_sealer

T = TypeVar("T")
Rows = dict[str, list[dict[str, object]]]
"""All rows past all isolation, by table; of what is sealed or digested, how long it is."""

PATIENCE_SECONDS: Final = 60
LEASE_OVER: Final = timedelta(minutes=1)
SETTING, FIRST, NEXT = "the one that prepares", "the one that dies", "the next one"


@dataclass(frozen=True)
class Site:
    """Where a process works: its folder, and the address of PostgreSQL if that is its database."""

    folder: Path
    url: str = ""

    @property
    def sqlite(self) -> SqliteEngine:
        """The database of a site without an address."""
        return SqliteEngine(self.folder / "data")

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Database]:
        """Open the database as the program does."""
        async with open_postgres(self.url) if self.url else self.sqlite.open() as database:
            yield database


SENT_MIC: Final = Mic(b"d" * 32, "sha256")
"""Of each AS2 message."""


class FolderDestination:
    """A transport that takes everything, and keeps it in a folder past the end of the process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)

    async def send(self, message: OutboundMessage) -> Sent:
        connection = message.connection
        is_async = isinstance(connection, As2Connection) and connection.mdn is MdnMode.ASYNC
        if is_async:
            await message.on_composed((SENT_MIC,))
        self._keep(message.message_id, message.content)
        return replace(answered(200, "", None), awaits_receipt=is_async)

    async def send_receipt(self, receipt: ReceiptToSend, environment: Environment) -> Sent:
        assert environment is Environment.SANDBOX
        self._keep(receipt.message_id, receipt.entity)
        return answered(200, "", None)

    def _keep(self, message_id: str, content: bytes) -> None:
        at, digest = len(list(self._folder.iterdir())), sha256(content).hexdigest()
        (self._folder / str(at)).write_text(f"{message_id} {digest}", encoding="ascii")

    async def call(self, call: WebhookCall) -> Sent:
        """Take a call of a webhook as a message."""
        self._keep(call.message_id, call.body)
        return answered(200, "", None)

    def copies(self) -> dict[str, int]:
        """Return how often each message came, by its id and digest."""
        came = [path.read_text(encoding="ascii") for path in self._folder.iterdir()]
        return {each: came.count(each) for each in came}


class Commits:
    """Passes units on, and tells after each that was committed."""

    def __init__(self, units: Units, on_commit: Callable[[], Awaitable[None]]) -> None:
        self._units = units
        self._on_commit = on_commit

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        return await self._units.read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        done = await self._units.write(scope, work)
        await self._on_commit()
        return done

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        self._units.defer(scope, work)


@dataclass(frozen=True)
class Watched:
    """A database whose commits are told of."""

    units: Units
    revocations: Revocations

    async def check(self) -> None:
        """Find nothing."""


async def nothing() -> None:
    """Do nothing."""


class StoredFile:
    """The mailbox of a partner, with one file that nobody ever puts away."""

    @asynccontextmanager
    async def open(self, connection: FileServerConnection) -> AsyncIterator["StoredFile"]:
        """Open it."""
        del connection
        yield self

    async def list_files(self) -> list[RemoteFile]:
        """List the file."""
        return [RemoteFile(name="order.edi", size=len(case(1)), modified_at=START - LEASE_OVER)]

    async def fetch(self, file: RemoteFile) -> bytes:
        """Return its content."""
        del file
        return case(1)

    async def put_away(self, file: RemoteFile, receipt_id: ReceiptId) -> None:
        """Leave it where it is."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A process that serves and works: all services, over one database at one moment."""

    database: Database
    clock: StoppedClock
    destination: FolderDestination
    trading: Trading
    processor: Processor
    worker: Worker
    releaser: Releaser
    overdue: OverdueAckChecker
    overdue_receipts: OverdueReceiptChecker
    overdue_responses: OverdueResponseChecker
    fan_out: EventFanOut
    webhooks: Worker
    mailboxes: MailboxScheduler

    async def settle(self) -> None:
        """Do all that waits, until nothing does."""
        await self.releaser.run_once()
        await self.fan_out.run_once()
        while await self.worker.run_once() + await self.webhooks.run_once():
            self.clock.move(LEASE_OVER)


@asynccontextmanager
async def staged(
    site: Site,
    name: str,
    later: timedelta = timedelta(0),
    on_commit: Callable[[], Awaitable[None]] = nothing,
) -> AsyncIterator[Stage]:
    """Open a process at a site. ``name``: nothing it draws is drawn by another.

    ``later``: how long after ``START`` it runs.
    """
    async with site.open() as opened:
        database = Watched(Commits(opened.units, on_commit), opened.revocations)
        units, sealer, compute = database.units, a_sealer(), InlineCompute()
        clock, destination = StoppedClock(START + later), FolderDestination(site.folder / "parcels")
        processor = a_processor(database, clock)
        ports = some_ports(database, clock, ids=CountedIds(f"services of {name}"), maps=NoMaps())
        worker = a_worker(
            database,
            clock,
            destination,
            owner=f"worker of {name}",
            others={
                ConnectionType.SIMULATOR: Simulator(compute),
                ConnectionType.AS2: destination,
                ConnectionType.MAILBOX: PartnerMailboxes(),
            },
            handler=JobHandlers(
                {
                    JobKind.AS2_RECEIPT: As2ReceiptSender(ports, destination),
                    JobKind.POLL: MailboxPoller(ports, {ConnectionType.SFTP: StoredFile()}),
                },
                processor,
            ),
        )
        yield Stage(
            database=database,
            clock=clock,
            destination=destination,
            trading=open_trading(ports),
            processor=processor,
            worker=worker,
            releaser=Releaser(ports, frozenset(ConnectionType)),
            overdue=OverdueAckChecker(units, sealer, clock),
            overdue_receipts=OverdueReceiptChecker(ports),
            overdue_responses=OverdueResponseChecker(units, sealer, clock),
            fan_out=EventFanOut(units, clock),
            webhooks=Worker(
                ports,
                {},
                WebhookSender(ports, destination, ""),
                owner=f"webhook worker of {name}",
                for_webhooks=True,
            ),
            mailboxes=MailboxScheduler(ports),
        )


Play = Callable[[Stage], Awaitable[object]]


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Something a process does, and the points it passes.

    ``points``: how many units are stored when it dies there first. ``refusal``: what is said to who
    asks for what is stored already; None where asking again changes nothing more, but for a row of
    ``adds``. ``is_found``: who has no answer looks first, and does not ask for what is there.
    """

    prepare: Play
    act: Play
    points: Mapping[str, int]
    later: timedelta = timedelta(0)
    refusal: type[LongshoreError] | None = None
    adds: str = ""
    is_found: bool = False
    sends_twice: frozenset[str] = field(default=frozenset())
    """The points at which something was sent that nobody could note any more."""


def passed(verb: str, *places: str, stored: int = 0) -> dict[str, int]:
    """Return the points of a unit, with how many are stored there. ``stored``: before it."""
    before = {f"{verb}.{place}": stored for place in (*places, "before_commit")}
    return {**before, f"{verb}.after_commit": stored + 1}


async def an_account(stage: Stage) -> None:
    accounts = AccountService(stage.database.units, stage.clock, stage.database.revocations)
    await accounts.create("ACMECORP", AccountType.ENTERPRISE)


async def work(stage: Stage) -> None:
    await stage.worker.run_once()


# ---- what is stored ------------------------------------------------------------------------------

_COLUMNS: Final = {
    Dialect.SQLITE: (
        "SELECT tables.name, columns.name FROM sqlite_schema AS tables,"
        " pragma_table_info(tables.name) AS columns ORDER BY tables.name, columns.cid"
    ),
    Dialect.POSTGRES: (
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"
    ),
}


async def all_rows(engine: Engine) -> Rows:
    """Read all rows of all accounts."""
    found: Rows = {}
    async with engine.unguarded() as execute:
        columns = await execute(Query(_COLUMNS[engine.dialect], frozenset()), {})
        for table in (each.name for each in TENANT_TABLES):
            names = [str(column) for of, column in columns if of == table]
            rows = await execute(Query(f"SELECT * FROM {table} ORDER BY id", frozenset()), {})
            found[table] = [dict(zip(names, map(_masked, row), strict=True)) for row in rows]
    return found


def _masked(value: object) -> object:
    return f"{len(value)} bytes" if isinstance(value, bytes | memoryview) else value


_ID: Final = re.compile(r"""(?<=_id": )[0-9]+|(?<='object': ')[a-z]+ [0-9]+""")
_ASIDE: Final = frozenset({
    *("id", "attempt", "attempts", "message_id", "lease_owner", "isa_time", "last"),
    "sealed_version",
})


def effects(rows: Rows) -> dict[str, list[str]]:
    """Return what rows say, but for when it was, at which attempt, and under which ids.

    Lost attempts are left out. A database may not give out again the ids of a unit that was lost.
    """
    return {
        table: sorted(
            _ID.sub("", repr({name: row[name] for name in row if not _is_aside(name, row[name])}))
            for row in each
            if row.get("error_code") != "lease_lost"
        )
        for table, each in rows.items()
    }


def _is_aside(name: str, value: object) -> bool:
    is_link = name.endswith("_id") and not isinstance(value, str)
    return name in _ASIDE or name.endswith(("_at", "_by")) or is_link


# ---- a death -------------------------------------------------------------------------------------

_PROCESSES: Final = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.support.crash_scenes"])


def perish(site: Site, scene: Scene, point: str) -> None:
    """Be the process that dies."""
    arm(point)
    asyncio.run(_act(site, scene))


async def _act(site: Site, scene: Scene) -> None:
    async with staged(site, FIRST, scene.later) as stage:
        await scene.act(stage)


def died(site: Site, scene: Scene, point: str) -> int | None:
    """Let a process die; return how it ended."""
    process = _PROCESSES.Process(target=perish, args=(site, scene, point))
    process.start()
    process.join(PATIENCE_SECONDS)
    return process.exitcode


async def plain_run(site: Site, scene: Scene, engine: Engine) -> tuple[Sequence[Rows], Rows]:
    """Act without a death; return the rows before and after each unit, and when all is done."""
    states = [await all_rows(engine)]

    async def keep() -> None:
        states.append(await all_rows(engine))

    async with staged(site, FIRST, scene.later, keep) as stage:
        await scene.act(stage)
    async with staged(site, NEXT, scene.later + LEASE_OVER) as stage:
        await stage.settle()
    return states, await all_rows(engine)
