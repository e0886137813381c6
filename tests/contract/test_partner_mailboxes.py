"""Mailboxes of partners on both databases: who logs in, and which files become receipts."""

import asyncio

import asyncssh
import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.partners.connections import ConnectionType, MailboxConnection, NoConnection
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import Connections, PartnerStatus
from longshore.domain.partners.status import HoldReason, hold_reason
from longshore.domain.partners.writer import PartnerWriter
from longshore.domain.ports import StorageQuota
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import a_trading_partner, terms
from tests.support.mailboxes import Harbour, a_harbour
from tests.support.ssh import CLIENT_KEY, OTHER_HOST_KEY
from tests.support.trading import LIVE, SANDBOX, read, write
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
            assert await files.listdir("/") == [".", "..", "inbox"]
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


async def test_documents_for_a_mailbox_are_held(database: Database) -> None:
    connections = Connections(test=MailboxConnection())
    partner_id = await a_trading_partner(database, terms(connections), PartnerStatus.ACTIVE)

    async def find(unit: ReadUnit) -> HoldReason | None:
        stored = await unit.partners.find(partner_id)
        assert stored is not None
        return hold_reason(partner_of(stored), SANDBOX, {ConnectionType.HTTP})

    found = await read(database, LIVE, find)
    assert found is not None
    assert found.code == "not_configured"
    assert found.message == (
        "The test connection of the partner is a mailbox, into which it can put files only. To"
        " fetch documents from it is not built yet: this one is held."
    )
