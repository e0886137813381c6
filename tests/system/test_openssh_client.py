"""OpenSSH's own sftp at the SFTP server of this installation."""

import asyncio
import shutil
from pathlib import Path

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.worker import Worker
from longshore.domain.partners.connections import ConnectionType
from longshore.transport.partner_mailbox import PartnerMailboxes
from tests.support.clock import StoppedClock
from tests.support.database import SqliteEngine
from tests.support.dispatch import Jobs, Order, queued, seen
from tests.support.mailboxes import HOST_KEY, Harbour, a_harbour
from tests.support.ports import some_ports
from tests.support.ssh import CLIENT_KEY

SFTP = shutil.which("sftp")

pytestmark = [
    pytest.mark.full("runs sftp"),
    pytest.mark.skipif(SFTP is None, reason="there is no sftp: install openssh-client"),
]


async def typed(harbour: Harbour, folder: Path, *commands: str) -> tuple[int, str]:
    """Type commands into sftp, which logs in with the key; return its exit code and its text."""
    key = folder / "key"
    if not key.exists():
        key.write_bytes(CLIENT_KEY.export_private_key("openssh"))
        key.chmod(0o600)
        known = f"[127.0.0.1]:{harbour.port} {HOST_KEY.text}\n"
        (folder / "known").write_text(known, encoding="utf-8")
    (folder / "batch").write_text("\n".join(commands) + "\n", encoding="utf-8")
    options = ["StrictHostKeyChecking=yes", f"UserKnownHostsFile={folder / 'known'}"]
    options += ["IdentitiesOnly=yes", "IdentityAgent=none"]
    assert SFTP is not None
    process = await asyncio.create_subprocess_exec(
        *(SFTP, "-F", "none", "-q", "-b", str(folder / "batch"), "-i", str(key)),
        *(part for option in options for part in ("-o", option)),
        *("-P", str(harbour.port), f"{harbour.user}@127.0.0.1"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    text, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, text.decode()


async def test_sftp_puts_files_into_a_mailbox(tmp_path: Path) -> None:
    content = bytes(range(256)) * 4_000
    (tmp_path / "order.edi").write_bytes(content)
    engine, clock = SqliteEngine(tmp_path / "data"), StoppedClock()
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, clock, database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        async with a_harbour(database, clock) as harbour:
            code, text = await typed(
                harbour,
                tmp_path,
                f"put -p {tmp_path / 'order.edi'} /inbox/order.tmp",
                "rename /inbox/order.tmp /inbox/order.edi",
                "cd inbox",
                f"put {tmp_path / 'order.edi'} other.edi",
                "ls -1",
            )
            assert (code, text.splitlines()[-2:]) == (0, ["order.edi", "other.edi"]), text
            assert await harbour.receipts() == [
                *((content, "order.edi", "sftp"), (content, "other.edi", "sftp")),
            ]
            code, text = await typed(harbour, tmp_path, f"put {tmp_path / 'order.edi'} /x.edi")
            assert (code, "Permission denied" in text) == (1, True)
            code, text = await typed(harbour, tmp_path, "ln -s /etc/passwd /inbox/p.edi")
            assert (code, len(await harbour.receipts())) == (1, 2), text


async def test_sftp_fetches_a_document_and_with_it_delivers_it(tmp_path: Path) -> None:
    engine, clock = SqliteEngine(tmp_path / "data"), StoppedClock()
    await engine.create()
    async with engine.open() as database:
        accounts = AccountService(database.units, clock, database.revocations)
        await accounts.create("own", AccountType.ENTERPRISE)
        async with a_harbour(database, clock) as harbour:
            order = Order(partner_id=harbour.partner_id)
            document = await queued(database, order)
            transports = {ConnectionType.MAILBOX: PartnerMailboxes()}
            await Worker(some_ports(database, clock), transports, Jobs(), owner="w").run_once()
            code, text = await typed(harbour, tmp_path, f"get /outbox/*.edi {tmp_path}/fetched")
            fetched = tmp_path / "fetched"
            assert fetched.read_bytes() == order.content
            assert (await seen(database, document)).deliveries == ["delivered"], (code, text)
