"""S14: content that came over HTTP stands nowhere on the disk in readable form.

Neither that of documents, their references, metadata, outputs and the bad values that
acknowledgements repeat, nor that of maps: rules, samples, tests, lookup tables; nor the secrets of
connections. Plain by design are the names of maps and partners, their trade and their addresses
(decision 0014), those of webhooks and their descriptions, notes, and file names, by which the
search is shown to find something.
"""

import asyncio
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from longshore.domain.users.passwords import csrf_token
from tests.support.postgres import PostgresServer, postgres_server
from tests.system import leaky_requests as requests
from tests.system.marks import CONTENT, PASSWORD, spellings
from tests.system.server import Server, clean_environment, longshore, serving, working

__all__ = ["postgres_server"]

OWN = "JohnQPatient4719"  # other tests write theirs into names, and into the same log of changes
PLAIN = "Orders of the shop 4720"
NAMED = {"name": PLAIN, "note": PLAIN}
SECRETS = (OWN, PASSWORD)  # the latter of a user and of a connection
ENDING = {"endSession", "changePassword"}
STORED = {
    *("showTransaction", "downloadTransactionContent", "showTransactionTimeline"),
    *("downloadInterchange", "downloadTransactionOutput", "receiveDocuments", "listAcks"),
    *("showMap", "showDocument"),
}
"""What shows content that is stored: of transactions, receipts, outputs, acknowledgements, maps."""


@dataclass(frozen=True)
class Kind:
    """Where a server keeps its rows: what leads there, and the folders it writes into.

    ``programs``: the folder of those of PostgreSQL, where a worker has to run beside the server.
    """

    arguments: tuple[str, ...]
    folders: tuple[Path, ...]
    programs: str


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kind]:
    if request.param == "sqlite":
        yield Kind((), (tmp_path,), "")
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    asyncio.run(server.create_database("at_rest"))
    arguments = ("--database-url", server.url("at_rest"))
    yield Kind(arguments, (tmp_path, Path(server.data)), str(server.programs))
    asyncio.run(drop(server))


async def drop(server: PostgresServer) -> None:
    async with server.connected() as admin:
        await admin.execute("DROP DATABASE at_rest WITH (FORCE)")


def ask(server: Server, request: requests.Request, key: str, session: str) -> requests.Reply:
    """Ask as a key or as a user, whichever the operation needs; it must be done."""
    credentials = {
        "authorization": f"Bearer {key}",
        "cookie": f"svc_session={session}",
        "x_csrf_token": csrf_token(session) if session else "",
        "content_type": "application/json",
    }
    if request.body is not None:
        request = replace(request, body=request.body.replace(CONTENT.encode(), OWN.encode()))
    reply = requests.sent(server.address, request, credentials | request.headers)
    assert reply.status == 200, (request.operation, reply.text)
    return reply


def ask_everything(server: Server) -> set[str]:
    """Ask every operation well, with content in whatever holds some.

    Returns the operations whose answer had it.
    """
    key = re.search(r"svc_test_[0-9A-Za-z]{36}", server.printed)
    token = re.search(r"setup#token=(\S+)", server.printed)
    assert key
    assert token
    first = requests.first_one(token[1])
    session = requests.sent(server.address, first, {"content_type": "application/json"}).cookie
    inbound, told = requests.Inbound(), set()
    questions = (each for each in requests.good_ones(NAMED) if each.operation not in ENDING)
    for request in (*questions, *requests.of_stored_trade()):
        reply = ask(server, inbound.filled(request), key[0], session)
        inbound.learn(reply)
        told |= {request.operation} if OWN.encode() in reply.text else set()
    return told


@pytest.mark.timeout(480)
def test_content_that_came_over_http_is_readable_nowhere_on_the_disk(
    kind: Kind, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, *kind.arguments))
        if kind.programs:
            stack.enter_context(working(tmp_path, *kind.arguments))
        assert ask_everything(server) >= STORED
        backed_up = back_up(tmp_path, kind)
        assert found_on_disk(kind) == {}
        server.kill()  # so that nothing is tidied up
    assert found_on_disk(kind) == {}
    assert [each for each in SECRETS if each.encode() in backed_up] == []
    # The controls: what is plain by design is found, as is the mark where it does stand.
    assert files_with(kind, PLAIN) != set()
    assert PLAIN.encode() in backed_up
    (tmp_path / "found").write_text(OWN)
    assert files_with(kind, OWN) == {"found"}


def found_on_disk(kind: Kind) -> dict[str, set[str]]:
    """Return the files that a secret stands in, by the secret."""
    found = {each: files_with(kind, each) for each in SECRETS}
    return {each: names for each, names in found.items() if names}


def back_up(folder: Path, kind: Kind) -> bytes:
    """Return a backup made beside the server, without the compression of its format."""
    environment = {"PATH": os.pathsep.join(filter(None, (kind.programs, os.environ["PATH"])))}
    arguments = kind.arguments or ("--data-dir", "data")
    done = longshore("backup", "saved", *arguments, cwd=folder, environment=environment)
    assert done.returncode == 0, done.stderr
    if not kind.programs:
        return (folder / "saved").read_bytes()
    command = [f"{kind.programs}/pg_restore", "--file=-", "saved"]
    texts = subprocess.run(
        command, cwd=folder, env=clean_environment(), capture_output=True, check=True
    ).stdout
    hexadecimal = re.findall(rb"\\\\x([0-9a-f]+)", texts)
    return texts + b"".join(bytes.fromhex(each.decode()) for each in hexadecimal)


def files_with(kind: Kind, text: str) -> set[str]:
    """Return the names of all files with a text in it, however it is spelled."""
    found = set()
    for top in kind.folders:
        for folder, _, names in os.walk(top):
            for path in (Path(folder) / name for name in names):
                with suppress(FileNotFoundError):  # a file of a database that works
                    content = path.read_bytes().lower() if path.is_file() else b""
                    if any(each in content for each in spellings(text)):
                        found.add(path.name)
    return found
