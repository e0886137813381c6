"""The SFTP server of this installation in this process, and a client that logs in at it."""

import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field

import asyncssh

from longshore.crypto.passwords import Argon2Hasher, HashCost
from longshore.domain.interchanges.encryption import open_receipt
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.mailboxes.inbox import Inbox
from longshore.domain.mailboxes.logins import MailboxLogins
from longshore.domain.mailboxes.outbox import MailboxOutbox
from longshore.domain.partners.connections import Connection, MailboxConnection
from longshore.domain.partners.model import Connections, PartnerId, PartnerStatus
from longshore.domain.units import ReadUnit
from longshore.kit.clock import Clock
from longshore.transport.sftp_server import ServerLimits, ServerPorts, SftpServer, host_key_of
from tests.support.database import Database
from tests.support.dispatch import a_trading_partner, terms
from tests.support.ports import some_ports
from tests.support.ssh import CLIENT_KEY, key_text
from tests.support.trading import LIVE, read
from tests.support.vault import a_sealer

PASSWORD = "hush-word-of-the-partner"
SECRET = bytes(range(32))
HOST_KEY = host_key_of(SECRET)
CHEAP = HashCost(memory_kib=8)


@dataclass
class Harbour:
    """A running server, and the partner that has a mailbox there."""

    database: Database
    port: int
    partner_id: PartnerId
    server: SftpServer
    received: list[str] = field(default_factory=list)

    @property
    def user(self) -> str:
        """The user name for test documents."""
        return f"a1-p{self.partner_id}-test"

    @asynccontextmanager
    async def connect(
        self, user: str = "", **options: object
    ) -> AsyncIterator[asyncssh.SSHClientConnection]:
        """Log in with the password of the partner, or as ``options`` say."""
        usual: dict[str, object] = {
            "username": user or self.user,
            "password": PASSWORD,
            "client_keys": None,
            "known_hosts": ([asyncssh.import_public_key(HOST_KEY.text)], [], []),
            "config": None,
            "agent_path": None,
        }
        options = {**usual, **options}
        async with asyncssh.connect("127.0.0.1", self.port, **options) as connection:
            yield connection

    @asynccontextmanager
    async def files(self, **options: object) -> AsyncIterator[asyncssh.SFTPClient]:
        """Log in, and open the folders."""
        async with (
            self.connect(**options) as connection,  # type: ignore[arg-type]  # no user name
            connection.start_sftp_client() as client,
        ):
            yield client

    async def receipts(self) -> list[tuple[bytes, object, str]]:
        """Return content, file name and source of what was received."""

        async def find(unit: ReadUnit) -> list[tuple[bytes, object, str]]:
            found = [await unit.receipts.find(ReceiptId(each)) for each in range(1, 9)]
            opened = [(open_receipt(a_sealer(), *each), each[0]) for each in found if each]
            return [
                (content.content, content.facts["filename"], receipt.new.source.value)
                for content, receipt in opened
            ]

        return await read(self.database, LIVE, find)

    async def audit(self) -> list[tuple[str, str]]:
        """Return the actions on mailboxes in the audit log, with their details."""

        async def find(unit: ReadUnit) -> list[tuple[str, str]]:
            assert LIVE.account_id is not None
            entries = await unit.audit.list_after(LIVE.account_id, 0, 100)
            return [(each.entry.action, each.entry.ip) for each in entries]

        found = await read(self.database, LIVE, find)
        return [each for each in found if each[0].startswith("mailbox")]


@asynccontextmanager
async def a_harbour(
    database: Database,
    clock: Clock,
    *,
    connection: Connection | None = None,
    limits: ServerLimits | None = None,
    settings: Mapping[str, object] | None = None,
    **ports: object,
) -> AsyncIterator[Harbour]:
    """Run a server at which one partner may log in with a password and a key."""
    own = some_ports(database, clock, **ports)
    with closing(Argon2Hasher(CHEAP)) as hasher, socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)  # noqa: FBT003 - the standard library's signature
        if connection is None:
            keys = (f"{key_text(CLIENT_KEY)} partner",)
            connection = MailboxConnection(password=await hasher.hash(PASSWORD), public_keys=keys)
        both = Connections(test=connection)
        partner_id = await a_trading_partner(
            database, terms(both, **settings or {}), PartnerStatus.ACTIVE
        )
        received: list[str] = []
        server_ports = ServerPorts(
            logins=MailboxLogins(own, hasher),
            inbox=Inbox(own),
            outbox=MailboxOutbox(own),
            on_received=lambda: received.append("a file"),
        )
        server = SftpServer(server_ports, SECRET, limits)
        port = listener.getsockname()[1]
        await server.start(listener)
        try:
            yield Harbour(database, port, partner_id, server, received)
        finally:
            await server.stop()
