"""Mailboxes on both databases: what is fetched, once, and what becomes of the job."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import JobKind, NewOutboxEntry, OutboxEntry
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import JobHandlers
from longshore.domain.delivery.worker import Worker
from longshore.domain.inbound import polling
from longshore.domain.inbound.mailbox_jobs import MailboxScheduler
from longshore.domain.inbound.mailboxes import MailboxError, RemoteFile
from longshore.domain.inbound.polling import MAX_FILE_BYTES, MailboxPoller
from longshore.domain.interchanges.encryption import open_receipt
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import (
    ConnectionType,
    FileServerConnection,
    FtpsConnection,
    MailboxUse,
    SftpConnection,
)
from longshore.domain.partners.model import (
    Connections,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.writer import PartnerWriter
from longshore.domain.ports import StorageQuota
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import Destination, Jobs, a_trading_partner, a_worker, terms
from tests.support.ports import some_ports
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, read, write
from tests.support.vault import a_sealer, scope

MAILBOX = SftpConnection(
    host="h",
    user="u",
    password="hush",
    host_key="SHA256:" + "x" * 43,
    download_dir="/out",
    poll_seconds=60,
)
OLD, NOW = START - timedelta(minutes=1), START
MINUTE = timedelta(minutes=1)


@dataclass
class Folder:
    """A server that has files, and fails as a test says."""

    files: dict[RemoteFile, bytes] = field(default_factory=dict)
    archive: list[tuple[str, int]] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    fails_at: str = ""
    kind: FailureKind = FailureKind.PERMISSION_DENIED
    changing: str = ""
    """The name of a file that is another whenever it is fetched."""

    def put(self, name: str, content: bytes, at: object = OLD, size: int | None = None) -> None:
        size = len(content) if size is None else size
        file = RemoteFile(name=name, size=size, modified_at=at)  # type: ignore[arg-type]  # a time
        self.files[file] = content

    def _step(self, name: str) -> None:
        if self.fails_at == name:
            raise MailboxError(self.kind)

    @asynccontextmanager
    async def open(self, connection: FileServerConnection) -> AsyncIterator["Folder"]:
        assert connection.password == "hush"
        self._step("open")
        yield self

    async def list_files(self) -> Sequence[RemoteFile]:
        return [*self.files]

    async def fetch(self, file: RemoteFile) -> bytes | None:
        self._step("fetch")
        self.fetched.append(file.name)
        return None if file.name == self.changing else self.files[file]

    async def put_away(self, file: RemoteFile, receipt_id: ReceiptId) -> None:
        self._step("put_away")
        del self.files[file]
        self.archive.append((file.name, receipt_id))


@dataclass
class Post:
    """A partner with a mailbox, and the worker that polls it."""

    database: Database
    clock: StoppedClock
    partner_id: PartnerId
    folder: Folder
    worker: Worker
    scheduler: MailboxScheduler

    async def poll(self, after: timedelta = timedelta(0)) -> None:
        self.clock.move(after)
        await self.scheduler.run_once()
        await self.worker.run_once()

    async def entries(self, environment: Environment = SANDBOX) -> list[tuple[str, object]]:
        async def find(unit: ReadUnit) -> list[OutboxEntry]:
            found = [await unit.outbox.find(each) for each in range(1, 9)]  # type: ignore[arg-type]  # ids
            return [each for each in found if each is not None]

        return [
            (each.state.value, each.new.due_at)
            for each in await read(self.database, LIVE, find)
            if each.new.kind == "poll" and each.new.environment is environment
        ]

    async def receipts(self) -> list[tuple[bytes, object, str]]:
        async def find(unit: ReadUnit) -> list[tuple[bytes, object, str]]:
            found = [await unit.receipts.find(ReceiptId(each)) for each in range(1, 9)]
            opened = [
                (open_receipt(a_sealer(), *each), each[0]) for each in found if each is not None
            ]
            return [
                (content.content, content.facts["filename"], receipt.new.source.value)
                for content, receipt in opened
            ]

        return await read(self.database, LIVE, find)

    async def status(self) -> str:
        async def find(unit: ReadUnit) -> str:
            stored = await unit.partners.find(self.partner_id)
            assert stored is not None
            return stored.test_status.value

        return await read(self.database, LIVE, find)

    async def audit(self) -> list[tuple[str, str]]:
        async def find(unit: ReadUnit) -> list[tuple[str, str]]:
            assert LIVE.account_id is not None
            entries = await unit.audit.list_after(LIVE.account_id, 0, 100)
            return [(each.entry.action, each.entry.object) for each in entries]

        return [
            each for each in await read(self.database, LIVE, find) if each[0].startswith("mailbox")
        ]


async def a_post(
    database: Database,
    clock: StoppedClock,
    connection: SftpConnection | FtpsConnection = MAILBOX,
    status: PartnerStatus = PartnerStatus.ACTIVE,
    **ports: object,
) -> Post:
    partner_id = await a_trading_partner(database, terms(Connections(test=connection)), status)
    folder = Folder()
    own = some_ports(database, clock, **ports)
    handler = JobHandlers({JobKind.POLL: MailboxPoller(own, {connection.type: folder})}, Jobs())
    worker = a_worker(database, clock, Destination(), handler=handler)
    return Post(database, clock, partner_id, folder, worker, MailboxScheduler(own))


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    await accounts.suspend("Northwind")


async def test_a_file_becomes_a_receipt_and_is_put_away(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock)
    post.folder.put("b.edi", b"second")
    post.folder.put("a.edi", b"first")
    await post.poll()
    assert await post.receipts() == [(b"first", "a.edi", "sftp"), (b"second", "b.edi", "sftp")]
    assert post.folder.archive == [("a.edi", 1), ("b.edi", 2)]
    assert (await post.entries(), await post.status()) == ([("due", START + MINUTE)], "connected")
    assert await post.scheduler.run_once() == 0
    post.folder.put("c.edi", b"third")
    await post.poll(timedelta(seconds=59))
    assert len(post.folder.archive) == 2
    await post.poll(timedelta(seconds=1))
    assert post.folder.archive[2:] == [("c.edi", 3)]


async def test_a_mailbox_by_ftps_is_polled_without_a_host_key(
    database: Database, clock: StoppedClock
) -> None:
    by_ftps = FtpsConnection(host="h", user="u", password="hush", download_dir="/out")
    post = await a_post(database, clock, by_ftps)
    post.folder.put("a.edi", b"first")
    await post.poll()
    assert await post.receipts() == [(b"first", "a.edi", "ftps")]
    assert (await post.status(), post.folder.archive) == ("connected", [("a.edi", 1)])


@pytest.mark.parametrize("use", list(MailboxUse))
async def test_a_receipt_knows_whose_files_lie_in_its_mailbox(
    database: Database, clock: StoppedClock, use: MailboxUse
) -> None:
    post = await a_post(database, clock, replace(MAILBOX, mailbox=use))
    post.folder.put("a.edi", b"1")
    await post.poll()

    async def find(unit: ReadUnit) -> object:
        found = await unit.receipts.find(ReceiptId(1))
        assert found is not None
        return open_receipt(a_sealer(), *found).facts["mailbox"]

    assert await read(database, LIVE, find) == use.value


async def test_a_file_is_fetched_when_nothing_has_changed_it_for_ten_seconds_or_a_poll(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock)
    post.folder.put("quiet.edi", b"1", START - timedelta(seconds=10))
    post.folder.put("busy.edi", b"2", START + timedelta(hours=1))  # by the clock of the server
    await post.poll()
    assert post.folder.fetched == ["quiet.edi"]
    post.folder.files.clear()
    post.folder.put("busy.edi", b"22", START + timedelta(hours=1))
    await post.poll(MINUTE)
    assert post.folder.fetched == ["quiet.edi"]
    await post.poll(MINUTE)
    assert post.folder.fetched == ["quiet.edi", "busy.edi"]


async def test_a_file_that_changes_while_it_is_fetched_is_left_for_the_next_poll(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock)
    post.folder.put("a.edi", b"1")
    post.folder.changing = "a.edi"
    await post.poll()
    assert (await post.receipts(), post.folder.archive) == ([], [])
    post.folder.changing = ""
    await post.poll(MINUTE)
    assert post.folder.archive == [("a.edi", 1)]


async def test_what_cannot_be_put_away_is_stored_once_by_all_workers(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock)
    post.folder.put("a.edi", b"1")
    post.folder.fails_at = "put_away"
    await post.poll()
    await post.poll(MINUTE)
    assert (post.folder.fetched, await post.status()) == (["a.edi"], "failing")
    assert await post.audit() == [("mailbox.fail", f"partner {post.partner_id}")]
    poller = MailboxPoller(some_ports(database, clock), {ConnectionType.SFTP: post.folder})
    another = JobHandlers({JobKind.POLL: poller}, Jobs())
    post.worker = a_worker(database, clock, Destination(), owner="worker 2", handler=another)
    post.folder.fails_at = ""
    await post.poll(MINUTE)
    assert post.folder.fetched == ["a.edi", "a.edi"]
    assert (post.folder.archive, len(await post.receipts())) == ([("a.edi", 1)], 1)
    assert await post.status() == "connected"
    post.folder.put("a.edi", b"2")  # of the same size and time, and another file
    await post.poll(MINUTE)
    assert post.folder.archive == [("a.edi", 1), ("a.edi", 2)]


@pytest.mark.parametrize(
    ("fails_at", "kind", "status"),
    [
        ("open", FailureKind.TIMED_OUT, "failing"),
        ("fetch", FailureKind.CONNECTION_LOST, "failing"),
        ("open", FailureKind.HOST_KEY_CHANGED, "disabled"),
    ],
)
async def test_a_mailbox_that_fails_is_polled_again_unless_it_is_another_server(
    database: Database, clock: StoppedClock, fails_at: str, kind: FailureKind, status: str
) -> None:
    post = await a_post(database, clock)
    post.folder.put("a.edi", b"1")
    post.folder.fails_at, post.folder.kind = fails_at, kind
    await post.poll()
    assert (await post.entries(), await post.status()) == ([("due", START + MINUTE)], status)
    post.folder.fails_at = ""
    await post.poll(MINUTE)
    assert bool(post.folder.archive) == (status == "failing")
    assert len(await post.audit()) == 1


async def test_a_file_that_is_too_large_stays_and_is_recorded_once(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock)
    post.folder.put("large.edi", b"", size=MAX_FILE_BYTES + 1)
    await post.poll()
    await post.poll(MINUTE)
    assert (post.folder.fetched, len(post.folder.files)) == ([], 1)
    assert await post.audit() == [("mailbox.refuse", f"partner {post.partner_id}")]


async def test_of_many_files_the_next_poll_follows_at_once(
    database: Database, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "MAX_FILES", 2)
    monkeypatch.setattr(polling, "_MAX_REMEMBERED", 0)
    post = await a_post(database, clock)
    for name in ("a", "b", "c"):
        post.folder.put(name, name.encode())
    await post.poll()
    assert (len(post.folder.archive), await post.entries()) == (2, [("due", START)])
    await post.poll()
    assert (len(post.folder.archive), await post.entries()) == (3, [("due", START + MINUTE)])


@pytest.mark.parametrize(
    ("connection", "status"),
    [
        (replace(MAILBOX, host_key=""), PartnerStatus.ACTIVE),
        (MAILBOX, PartnerStatus.INACTIVE),
    ],
    ids=["no host key", "inactive"],
)
async def test_a_mailbox_from_which_nothing_may_come_is_not_opened(
    database: Database, clock: StoppedClock, connection: SftpConnection, status: PartnerStatus
) -> None:
    post = await a_post(database, clock, connection, status)
    post.folder.put("a.edi", b"1")
    await post.poll()
    assert (post.folder.fetched, await post.entries()) == ([], [("due", START + MINUTE)])


async def test_without_the_package_or_a_free_place_a_poll_waits(
    database: Database, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = await a_post(database, clock)
    monkeypatch.setattr(polling, "MAX_POLLS", 0)
    await post.poll()
    assert await post.entries() == [("due", START + timedelta(seconds=2))]
    monkeypatch.undo()
    lacking = MailboxPoller(some_ports(database, clock), {})
    post.worker = a_worker(database, clock, Destination(), handler=lacking)
    await post.poll(timedelta(seconds=2))
    assert await post.entries() == [("due", START + timedelta(seconds=62))]


async def test_an_account_without_room_gets_nothing_more(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock, quota=StorageQuota(max_bytes=1, max_records=10))
    post.folder.put("a.edi", b"too long")
    await post.poll()
    assert (await post.receipts(), len(post.folder.files)) == ([], 1)
    assert (await post.status(), len(await post.audit())) == ("failing", 1)


async def test_a_fault_of_ours_does_not_end_the_polls(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock)
    await post.scheduler.run_once()
    (entry,) = await post.worker.claim()
    poller = MailboxPoller(some_ports(database, clock), {ConnectionType.SFTP: post.folder})
    await poller.give_up(entry, "internal_error")
    assert await post.entries() == [("due", START + timedelta(minutes=5))]


async def test_the_job_ends_with_the_mailbox_and_goes_with_the_partner(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock)
    await post.poll()

    async def change(unit: WriteUnit) -> None:
        stored = await unit.partners.find(post.partner_id)
        assert stored is not None
        assert LIVE.account_id is not None
        writer = PartnerWriter(unit, a_sealer(), LIVE.account_id)
        both = Connections(test=replace(MAILBOX, download_dir=""), live=MAILBOX)
        await writer.change(stored, terms(both), START)

    await write(database, LIVE, change)
    await post.poll(MINUTE)
    assert await post.entries() == [("done", START + MINUTE + timedelta(seconds=30))]
    assert len(await post.entries(PRODUCTION)) == 1

    async def remove(unit: WriteUnit) -> bool:
        stored = await unit.partners.find(post.partner_id)
        assert stored is not None
        return await unit.partners.delete(post.partner_id, stored.version)

    assert await write(database, LIVE, remove)
    assert await post.entries() == []
    assert await post.scheduler.run_once() == 0


async def test_two_workers_make_one_job_and_none_for_a_partner_that_is_gone(
    database: Database, clock: StoppedClock
) -> None:
    post = await a_post(database, clock)
    account_id = LIVE.account_id
    assert account_id is not None
    for partner_id in (post.partner_id, post.partner_id, PartnerId(99)):
        new = NewOutboxEntry(
            kind="poll",
            environment=SANDBOX,
            due_at=START,
            partner_id=partner_id,
            order_key=f"{partner_id}/poll",
        )
        await post.scheduler.insert(account_id, new)
    assert len(await post.entries()) == 1


async def test_a_neighbour_polls_nothing_of_ours(database: Database, clock: StoppedClock) -> None:
    post = await a_post(database, clock)
    await post.poll()

    async def look(unit: ReadUnit) -> int:
        return len(await unit.partners.list_connected(ConnectionType.SFTP))

    assert await read(database, scope(2, PRODUCTION), look) == 0
    assert await read(database, LIVE, look) == 1
