"""Mailboxes of partners on both databases: who logs in, and which files become receipts."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import asyncssh
import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.overdue_receipts import OverdueReceiptChecker
from longshore.domain.delivery.worker import Worker
from longshore.domain.mailboxes import outbox as outbox_of_mailboxes
from longshore.domain.mailboxes.logins import MailboxLogins
from longshore.domain.mailboxes.outbox import MailboxOutbox
from longshore.domain.partners.connections import ConnectionType, MailboxConnection, NoConnection
from longshore.domain.partners.model import Connections, PartnerId
from longshore.domain.partners.writer import PartnerWriter
from longshore.domain.ports import AccountId, StorageQuota
from longshore.domain.transactions.timeline import delivery_of
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.transport.partner_mailbox import PartnerMailboxes
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import Jobs, Order, Queued, queued, seen, terms
from tests.support.mailboxes import Harbour, a_harbour
from tests.support.ports import some_ports
from tests.support.ssh import CLIENT_KEY, OTHER_HOST_KEY
from tests.support.trading import LIVE, PRODUCTION, read, write
from tests.support.vault import a_sealer

IN = ("mailbox.log_in", "127.0.0.1")
REFUSED = ("mailbox.refuse_login", "127.0.0.1")


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    await accounts.suspend("Northwind")


async def put(files: asyncssh.SFTPClient, path: str, content: bytes) -> None:
    async with files.open(path, "wb") as file:
        await file.write(content)


async def status(harbour: Harbour) -> str:
    async def find(unit: ReadUnit) -> str:
        stored = await unit.partners.find(harbour.partner_id)
        assert stored is not None
        return stored.test_status.value

    return await read(harbour.database, LIVE, find)


async def change(harbour: Harbour, connection: object) -> None:
    """Give the partner another connection, as saving it does."""

    async def work(unit: WriteUnit) -> None:
        stored = await unit.partners.find(harbour.partner_id)
        assert stored is not None
        other = terms(Connections(test=connection))  # type: ignore[arg-type]  # a connection
        await PartnerWriter(unit, a_sealer(), stored.account_id).change(stored, other, START)

    await write(harbour.database, LIVE, work)


async def test_a_file_is_received_when_it_is_closed(
    database: Database, clock: StoppedClock
) -> None:
    content = bytes(range(256)) * 4_000
    async with a_harbour(database, clock) as harbour:
        async with harbour.files() as files:
            assert await files.listdir("/") == [".", "..", "inbox", "outbox"]
            await put(files, "/inbox/a.edi", content)
            assert await harbour.receipts() == [(content, "a.edi", "sftp")]
            assert (await files.stat("/inbox/a.edi")).size == len(content)
            assert await files.listdir("inbox") == [".", "..", "a.edi"]
        async with harbour.files(password=None, client_keys=[CLIENT_KEY]) as files:
            assert await files.listdir("inbox") == [".", ".."]
        await harbour.server.stop()
        assert await status(harbour) == "connected"
        assert (await harbour.audit(), harbour.received) == ([IN, IN], ["a file"])


async def test_a_file_with_a_temporary_name_is_received_when_it_is_renamed(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock) as harbour, harbour.files() as files:
        for name in ("a.tmp", "b.PART", "c.filepart", ".d"):
            await put(files, f"/inbox/{name}", name.encode())
        assert await harbour.receipts() == []
        await files.rename("/inbox/a.tmp", "/inbox/e.part")
        await files.rename("/inbox/e.part", "/inbox/a.edi")
        await files.posix_rename("/inbox/.d", "/inbox/d.edi")
        assert await harbour.receipts() == [
            *((b"a.tmp", "a.edi", "sftp"), (b".d", "d.edi", "sftp")),
        ]
        assert await files.listdir("/inbox") == [
            *(".", "..", "a.edi", "b.PART", "c.filepart"),
            "d.edi",
        ]
        await files.remove("/inbox/b.PART")
        with pytest.raises(asyncssh.SFTPPermissionDenied, match="received and cannot be withdrawn"):
            await files.remove("/inbox/a.edi")
        await files.rename("/inbox/a.edi", "/inbox/done.edi")
        assert len(await harbour.receipts()) == 2


async def test_the_same_file_is_received_once_and_another_content_again(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock) as harbour:
        for content in (b"one", b"one", b"two"):
            async with harbour.files() as files:
                await put(files, "/inbox/a.edi", content)
        assert await harbour.receipts() == [
            *((b"one", "a.edi", "sftp"), (b"two", "a.edi", "sftp")),
        ]


@pytest.mark.parametrize("name", ["a.edi", "a.tmp"])
async def test_a_connection_that_is_cut_leaves_nothing(
    database: Database, clock: StoppedClock, name: str
) -> None:
    async with a_harbour(database, clock) as harbour:
        async with harbour.connect() as connection, connection.start_sftp_client() as files:
            file = await files.open(f"/inbox/{name}", "wb")
            await file.write(b"half")
            connection.abort()
        async with harbour.connect() as connection:
            files = await connection.start_sftp_client()
            file = await files.open(f"/inbox/{name}", "wb")
            await file.write(b"half")
            files.exit()  # ends the session, with the file open
            await files.wait_closed()
        assert await harbour.receipts() == []
        async with harbour.files() as files:
            assert await files.listdir("/inbox") == [".", ".."]


async def test_who_has_neither_password_nor_key_is_refused(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock) as harbour:
        attempts: list[dict[str, object]] = [
            {"password": "another"},
            {"password": "x" * 300},
            {"password": None, "client_keys": [OTHER_HOST_KEY]},
            {"user": "a2-p1-test"},
            {"user": "a1-p1-live"},
            {"user": "a1-p9-test"},
            {"user": "root"},
        ]
        for each in attempts:
            with pytest.raises(asyncssh.PermissionDenied):
                async with harbour.connect(**each):  # type: ignore[arg-type]  # user and options
                    pass
        await asyncio.sleep(0)
        await harbour.server.stop()
        assert await harbour.audit() == [REFUSED] * 3
        assert await status(harbour) == "unverified"


async def test_too_many_wrong_passwords_keep_out_the_right_one(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock) as harbour:
        for _ in range(5):
            with pytest.raises(asyncssh.PermissionDenied):
                async with harbour.connect(password="another"):
                    pass
        with pytest.raises(asyncssh.PermissionDenied):
            async with harbour.connect():
                pass
        async with harbour.files(password=None, client_keys=[CLIENT_KEY]) as files:
            assert await files.realpath(".") == "/"


async def test_addresses_outside_the_networks_of_the_partner_cannot_log_in(
    database: Database, clock: StoppedClock
) -> None:
    own = {"inbound_networks": ("192.0.2.0/24",)}
    async with a_harbour(database, clock, settings=own) as harbour:
        with pytest.raises(asyncssh.PermissionDenied):
            async with harbour.connect():
                pass
        assert await harbour.audit() == []


async def test_a_mailbox_that_was_changed_takes_nothing_more(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock) as harbour, harbour.files() as files:
        await change(harbour, NoConnection())
        with pytest.raises(asyncssh.SFTPPermissionDenied, match="The mailbox was changed"):
            await put(files, "/inbox/a.edi", b"1")
        assert await harbour.receipts() == []
        with pytest.raises(asyncssh.PermissionDenied):
            async with harbour.connect():
                pass


async def test_a_file_beyond_the_quota_is_refused_with_the_reason(
    database: Database, clock: StoppedClock
) -> None:
    quota = StorageQuota(max_bytes=10)
    async with a_harbour(database, clock, quota=quota) as harbour, harbour.files() as files:
        with pytest.raises(asyncssh.SFTPFailure, match="may store 10 bytes"):
            await put(files, "/inbox/a.edi", b"x" * 11)
        await put(files, "/inbox/a.tmp", b"x" * 11)
        with pytest.raises(asyncssh.SFTPFailure, match="may store 10 bytes"):
            await files.rename("/inbox/a.tmp", "/inbox/a.edi")
        assert await files.listdir("/inbox") == [".", "..", "a.tmp"]
        assert (await harbour.receipts(), harbour.received) == ([], [])


async def test_a_mailbox_without_a_password_takes_none(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock, connection=MailboxConnection()) as harbour:
        for password in ("", "None"):
            with pytest.raises(asyncssh.PermissionDenied):
                async with harbour.connect(password=password):
                    pass


async def placed(harbour: Harbour, clock: StoppedClock, count: int = 1) -> list[Queued]:
    """Queue documents and let the worker put them into the mailbox."""
    orders = [
        await queued(harbour.database, Order(partner_id=harbour.partner_id)) for _ in range(count)
    ]
    await a_mailbox_worker(harbour.database, clock).run_once()
    return orders


def a_mailbox_worker(database: Database, clock: StoppedClock) -> Worker:
    transports = {ConnectionType.MAILBOX: PartnerMailboxes()}
    return Worker(some_ports(database, clock), transports, Jobs(), owner="w")


async def fetch(files: asyncssh.SFTPClient, path: str) -> bytes:
    async with files.open(path, "rb") as file:
        return await file.read()


async def test_a_document_is_delivered_when_its_file_was_fetched(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock) as harbour, harbour.files() as files:
        order, later = await placed(harbour, clock, 2)
        found = await seen(database, order)
        assert (found.states, found.deliveries) == (["awaiting"], ["sent"])
        (attempt,) = found.attempts
        assert delivery_of(a_sealer(), attempt).message == (
            "It lies in the mailbox of the partner, who has not fetched it yet."
        )
        (name,) = {each for each in await files.listdir("/outbox") if each.endswith(".edi")}
        content = Order(partner_id=harbour.partner_id).content
        clock.move(timedelta(hours=5))
        assert await fetch(files, f"/outbox/{name}") == content
        found = await seen(database, order)
        assert (found.states, found.deliveries) == (["done"], ["delivered"])
        assert found.outcomes == ["succeeded"]
        assert (await seen(database, later)).states == ["awaiting"]
        await fetch(files, f"/outbox/{name}")
        assert (await seen(database, later)).deliveries == ["delivered"]
        assert await files.listdir("/outbox") == [".", ".."]


async def test_a_document_that_nobody_fetches_is_given_up_after_a_week(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock) as harbour:
        (order,) = await placed(harbour, clock)
        checker = OverdueReceiptChecker(some_ports(database, clock))
        clock.move(timedelta(days=7) - timedelta(seconds=1))
        assert await checker.run_once() == 0
        clock.move(timedelta(seconds=1))
        assert await checker.run_once() == 1
        found = await seen(database, order)
        assert (found.states, found.deliveries) == (["dead"], ["failed"])
        assert found.errors == [
            ("not_fetched", "The partner did not fetch it from its mailbox in time."),
        ]


async def test_a_deadline_of_the_partner_is_kept_and_a_late_fetch_changes_nothing(
    database: Database, clock: StoppedClock
) -> None:
    own = {"delivery_deadline_hours": 2}
    async with a_harbour(database, clock, settings=own) as harbour, harbour.files() as files:
        (order,) = await placed(harbour, clock)
        name = (await files.listdir("/outbox"))[-1]
        file = await files.open(f"/outbox/{name}", "rb")
        await file.read()
        clock.move(timedelta(hours=2))
        await OverdueReceiptChecker(some_ports(database, clock)).run_once()
        await file.close()
        assert (await seen(database, order)).states == ["dead"]
        with pytest.raises(asyncssh.SFTPNoSuchFile):
            await files.open(f"/outbox/{name}", "rb")


async def test_a_document_waits_for_a_mailbox_without_a_login(
    database: Database, clock: StoppedClock
) -> None:
    async with a_harbour(database, clock, connection=MailboxConnection()) as harbour:
        (order,) = await placed(harbour, clock)
        found = await seen(database, order)
        assert (found.states, found.deliveries) == (["due"], ["pending"])


async def test_other_accounts_and_environments_do_not_see_a_file(
    database: Database, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_of_mailboxes, "_MAX_KNOWN", 0)
    async with a_harbour(database, clock) as harbour:
        await placed(harbour, clock)
        outbox = MailboxOutbox(some_ports(database, clock))
        own = await MailboxLogins(some_ports(database, clock), hasher=None).find(  # type: ignore[arg-type]  # no password
            harbour.user, "127.0.0.1"
        )
        assert own is not None
        (file,) = await outbox.list_files(own)
        assert await outbox.list_files(own) == (file,)
        for other in (
            replace(own, account_id=AccountId(2)),
            replace(own, environment=PRODUCTION),
            replace(own, partner_id=PartnerId(9)),
        ):
            assert await outbox.list_files(other) == ()
            assert (await outbox.read(other, file), await outbox.deliver(other, file)) == (
                None,
                False,
            )
        assert await outbox.deliver(own, file)
