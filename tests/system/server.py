"""A real server process, and a plain client for it."""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

DEADLINE_SECONDS = 30
LONGSHORE = (sys.executable, "-m", "longshore")


def clean_environment(**extra: str) -> dict[str, str]:
    """Return this process's environment without settings of Longshore."""
    kept = {name: value for name, value in os.environ.items() if "LONGSHORE" not in name}
    return kept | extra


def unmeasured(environment: dict[str, str]) -> dict[str, str]:
    """Return an environment in which coverage does not start by itself."""
    return {name: value for name, value in environment.items() if "COVERAGE" not in name}


def longshore(
    *arguments: str,
    cwd: Path,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    is_module: bool = True,
) -> subprocess.CompletedProcess[bytes]:
    """Run one command to its end; ``environment`` is added to the usual one.

    Without ``is_module`` the arguments are those of the interpreter.
    """
    return subprocess.run(
        [*(LONGSHORE if is_module else LONGSHORE[:1]), *arguments],
        cwd=cwd,
        env=clean_environment(**(environment or {})),
        input=stdin,
        capture_output=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )


@dataclass
class Server:
    """A started server: its process, what it printed, and how to call it."""

    process: subprocess.Popen[str]
    folder: Path
    lines: list[str] = field(default_factory=list)
    address: str = ""

    @property
    def printed(self) -> str:
        return "".join(self.lines)

    def call(
        self, method: str, path: str, key: str = "", body: object = None, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """Return status and decoded body of one request; ``x_name`` is the header ``x-name``."""
        status, content = self.call_raw(method, path, key, body, **headers)
        return status, json.loads(content)

    def call_raw(
        self, method: str, path: str, key: str = "", body: object = None, **headers: str
    ) -> tuple[int, bytes]:
        """Return status and body of one request on a connection of its own."""
        where = urlsplit(self.address)
        connection = http.client.HTTPConnection(
            where.hostname or "", where.port, timeout=DEADLINE_SECONDS
        )
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, content, headers)
        response = connection.getresponse()
        try:
            return response.status, response.read()
        finally:
            connection.close()

    def stop(self) -> int:
        """Ask the server to end; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(DEADLINE_SECONDS)

    def kill(self) -> None:
        """End the server as a crash does."""
        self.process.kill()
        self.process.wait(DEADLINE_SECONDS)


@contextmanager
def serving(
    folder: Path,
    *arguments: str,
    is_measured: bool = True,
    program: Sequence[str] = LONGSHORE,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """Serve ``folder/data`` on a free port until the block ends.

    Coverage measures the server too unless told otherwise: it takes locks of its own, which a
    worker that is interrupted by its timer may be holding for good. ``environment`` is added to
    the usual one.
    """
    command = (*program, "serve", "--port", "0", "--data-dir", "data", *arguments)
    usual = clean_environment(**(environment or {}))
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=usual if is_measured else unmeasured(usual),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    server = Server(process, folder)
    try:
        _wait_until_ready(server)
        yield server
    finally:
        if process.poll() is None:
            server.kill()
        assert process.stdout
        process.stdout.close()


@contextmanager
def working(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``longshore worker`` until the block ends; then it is killed if it has not ended."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            (*LONGSHORE, "worker", "--data-dir", "data", *arguments),
            cwd=folder,
            env=unmeasured(clean_environment(**(environment or {}))),
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait(DEADLINE_SECONDS)


def _wait_until_ready(server: Server) -> None:
    """Read what the server prints until its closing line, which comes when it listens."""
    printed: Queue[str] = Queue()

    def read() -> None:
        assert server.process.stdout
        for line in server.process.stdout:
            printed.put(line)
        printed.put("")

    Thread(target=read, daemon=True).start()
    while "Stop" not in (server.lines[-1] if server.lines else ""):
        try:
            line = printed.get(timeout=DEADLINE_SECONDS)
        except Empty:
            line = ""
        if not line:
            log = (server.folder / "log").read_text(encoding="utf-8")
            raise RuntimeError(f"the server did not start: {server.printed}{log}")
        server.lines.append(line)
        if "://" in line and not server.address:
            server.address = line.split()[-1]
