"""S13: no secret and no content in logs, metrics, refusals, or what a crash leaves behind.

Every operation is asked well and badly, with marks in whatever a caller can send; then all that
the server said is searched for the marks.
"""

import asyncio
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest

from longshore.domain.users.passwords import csrf_token
from longshore.http.openapi import openapi_document
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from tests.support.postgres import PostgresServer, postgres_server
from tests.system import leaky_requests as requests
from tests.system.marks import CONTENT, EMAIL, PASSWORD, WRONG_PASSWORD, Marks, Said
from tests.system.server import DEADLINE_SECONDS, Server, serving, working

__all__ = ["postgres_server"]

DATABASE_PASSWORD = "marked4715"
GUESSED_KEY = "svc_test_4716Marked4716Marked4716Marked4716Ma"
GUESSED_SECRET = "4717marked4717marked4717marked4717marked471"
SETTINGS = "document_cpu_seconds = 1\n"
SPOIL = "UPDATE vault_documents SET facts = content WHERE id = {}"
SPOILT = 4

# Where a mark belongs into an answer: the address of its own user, and what was asked for.
TOKENS = ("/api/session", "/api/setup", "/api/account/password")
ADDRESSES = (*TOKENS, "/api/users", "/api/maps/{map_id}/versions")
BEGIN_ANEW = ("setUp", "changePassword")


@dataclass
class Caller:
    """Asks a server, and keeps every word of its answers."""

    server: Server
    key: str = ""
    sessions: list[str] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    statuses: dict[str, set[int]] = field(default_factory=dict)
    inbound: requests.Inbound = field(default_factory=requests.Inbound)

    def ask(self, request: requests.Request) -> requests.Reply:
        request = self.inbound.filled(request)
        headers = {"content_type": "application/json"} | self._credentials(request)
        reply = requests.sent(self.server.address, request, headers | request.headers)
        self.statuses.setdefault(request.operation, set()).add(reply.status)
        self.said.append(Said(f"{reply.status} {request.method} {request.template}", reply.text))
        if request.operation in BEGIN_ANEW and reply.cookie:
            self.sessions.append(reply.cookie)
        return reply

    def ask_well(self, request: requests.Request) -> None:
        reply = self.ask(request)
        assert reply.status == 200, (request.operation, reply.text)
        self.inbound.learn(reply)

    def _credentials(self, request: requests.Request) -> dict[str, str]:
        if request.security == "apiKey":
            return {"authorization": f"Bearer {self.key}"}
        if request.security == "session":
            secret = self.sessions[-1]
            return {"cookie": f"svc_session={secret}", "x_csrf_token": csrf_token(secret)}
        return {}


@dataclass
class Kind:
    """A database, and how one row of it is spoilt. ``has_worker``: a process of its own."""

    environment: dict[str, str]
    spoil: Callable[[Path], None]
    has_worker: bool = False


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> Iterator[Kind]:
    if request.param == "sqlite":
        yield Kind({}, spoil_sqlite)
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    asyncio.run(server.create_database("marked"))
    url = server.url("marked", f"owner:{DATABASE_PASSWORD}")
    environment = {"LONGSHORE_DATABASE_URL": url}
    yield Kind(environment, lambda _: asyncio.run(spoil_postgres(server)), has_worker=True)
    asyncio.run(drop(server))


def spoil_sqlite(folder: Path) -> None:
    connection = apsw.Connection(str(folder / "data" / DATABASE_FILE))
    connection.execute(SPOIL.format(SPOILT))
    connection.close()


async def spoil_postgres(server: PostgresServer) -> None:
    async with server.connected("marked") as admin:
        await admin.execute(SPOIL.format(SPOILT))


async def drop(server: PostgresServer) -> None:
    async with server.connected() as admin:
        await admin.execute("DROP DATABASE marked WITH (FORCE)")


def first_start(folder: Path, kind: Kind) -> tuple[str, str, Caller]:
    """Return the key and the token that the first start prints once, and who used the token."""
    with serving(folder, environment=kind.environment) as server:
        key = re.search(r"svc_test_[0-9A-Za-z]{36}", server.printed)
        token = re.search(r"setup#token=(\S+)", server.printed)
        assert key
        assert token
        caller = Caller(server, key[0])
        caller.ask_well(requests.first_one(token[1]))
        assert server.stop() == 0
    return key[0], token[1], caller


def marks_of(folder: Path, key: str, token: str, sessions: list[str]) -> Marks:
    one_of_each: dict[str, str | bytes] = {
        "the content": CONTENT,
        "the address": EMAIL,
        "the password": PASSWORD,
        "a guessed password": WRONG_PASSWORD,
        "the database's password": DATABASE_PASSWORD,
        "the key": key,
        "a guessed key": GUESSED_KEY,
        "the set-up token": token,
        "a guessed secret": GUESSED_SECRET,
        "the master key": bytes.fromhex((folder / "data" / "master.key").read_text()),
    }
    of_sessions: dict[str, str | bytes] = {
        f"session {at}": secret for at, secret in enumerate(sessions)
    }
    tokens: dict[str, str | bytes] = {
        f"CSRF token {at}": csrf_token(secret) for at, secret in enumerate(sessions)
    }
    return Marks(one_of_each | of_sessions | tokens)


@pytest.mark.timeout(480)
def test_no_mark_is_said_where_it_does_not_belong(kind: Kind, tmp_path: Path) -> None:
    (tmp_path / "longshore.toml").write_text(SETTINGS)
    key, token, caller = first_start(tmp_path, kind)
    # Not measured: its workers are interrupted by their timers, see ``serving``.
    with ExitStack() as stack:
        server = stack.enter_context(
            serving(tmp_path, is_measured=False, environment=kind.environment)
        )
        if kind.has_worker:
            stack.enter_context(working(tmp_path, environment=kind.environment))
        caller.server = server
        ask_everything(caller, kind, tmp_path)
        server.process.send_signal(signal.SIGABRT)
        assert server.process.wait(DEADLINE_SECONDS) == -signal.SIGABRT
    marks = marks_of(tmp_path, key, token, caller.sessions)
    log = (tmp_path / "log").read_bytes()
    assert b'"event":"request"' in log
    streams = [Said("the log", log), Said("stdout", server.printed.encode())]
    found = [leaks(marks, said) for said in (*caller.said, *streams)]
    assert [each for each in found if each] == []
    insist_on_breadth(caller, marks)


def leaks(marks: Marks, said: Said) -> dict[str, bytes]:
    status, _, where = said.where.partition(" ")
    if status != "200":
        return marks.found_in(said)
    path = where.partition(" ")[2]
    # Who sends a document gets an acknowledgement, which repeats its bad values.
    allowed = ["the content"] if path.startswith(("/api/", "/edi/")) else []
    allowed += ["the address"] if path.startswith(ADDRESSES) else []
    allowed += [name for name in marks.secrets if name.startswith("CSRF") and path in TOKENS]
    return marks.found_in(said, tuple(allowed))


def insist_on_breadth(caller: Caller, marks: Marks) -> None:
    """Check that everything was asked well and badly, and that the search finds what is there."""
    paths = openapi_document()["paths"]
    operations = {each["operationId"]: each for path in paths.values() for each in path.values()}
    assert set(caller.statuses) == set(operations)
    for name, statuses in caller.statuses.items():
        assert 200 in statuses or name in requests.NEVER_WELL, f"{name} was never asked well"
        if operations[name].get("security"):
            assert {400, 401, 403} & statuses, f"{name} was never refused"
    assert 500 in caller.statuses["showVaultDocument"]
    found = {each for said in caller.said for each in marks.found_in(said)}
    assert {
        "the content in 200 POST /api/v1/parse",
        "the content in 200 GET /api/v1/documents/{doc_id}",
        "the address in 200 GET /api/session",
        "CSRF token 0 in 200 GET /api/session",
    } <= found


def ask_everything(caller: Caller, kind: Kind, folder: Path) -> None:
    for request in requests.good_ones():
        caller.ask_well(request)
    for request in requests.bad_ones(GUESSED_KEY, GUESSED_SECRET, WRONG_PASSWORD):
        caller.ask(request)
    kind.spoil(folder)
    for request in requests.of_document(SPOILT):
        assert caller.ask(request).status == 500
    for request in requests.last_ones():
        caller.ask_well(request)
