"""Servers as processes of their own, and what they cost."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.documents import RECIPES, write

KEY = re.compile(r"svc_test_[0-9A-Za-z]{36}")
STOP_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Target:
    """A server under measurement; ``key`` is empty for one that asks none."""

    name: str
    process: subprocess.Popen[str]
    port: int
    key: str = ""

    def cpu_seconds(self) -> float:
        """Return the CPU time of the server and all its descendants so far."""
        return cpu_seconds_of(self.process.pid)

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        """Return the bytes of a request as a client would send it."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Accept: */*"]
        lines += ["User-Agent: bench", f"Authorization: Bearer {self.key or 'none'}"]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + body


def tree(pid: int) -> list[int]:
    """Return a process and all below it."""
    children = Path(f"/proc/{pid}/task").glob("*/children")
    below = [int(word) for file in children for word in file.read_text(encoding="ascii").split()]
    return [pid, *(one for child in below for one in tree(child))]


def cpu_seconds_of(pid: int) -> float:
    """Return the CPU time of a process and all its descendants so far."""
    return sum(map(_cpu_seconds, tree(pid)))


def _cpu_seconds(pid: int) -> float:
    files = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(file.read_text(encoding="ascii").split()[0]) for file in files) / 1e9


@contextmanager
def _process(command: Sequence[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {name: value for name, value in os.environ.items() if "LONGSHORE" not in name}
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment,
            text=True,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)
        assert process.stdout
        process.stdout.close()


@contextmanager
def echo(folder: Path) -> Iterator[Target]:
    """Serve the bare echo."""
    with _process(("-m", "tests.bench.echo"), folder) as process:
        assert process.stdout
        yield Target("echo", process, int(process.stdout.readline()))


@contextmanager
def longshore(folder: Path, name: str = "longshore", settings: str = "") -> Iterator[Target]:
    """Serve Longshore on an empty data directory; ``settings`` is its settings file."""
    folder = folder / name
    folder.mkdir()
    (folder / "settings.toml").write_text(settings, encoding="utf-8")
    command = ("-m", "longshore", "serve", "--port", "0", "--data-dir", str(folder / "data"))
    with _process((*command, "--config", str(folder / "settings.toml")), folder) as process:
        assert process.stdout
        printed = ""
        for line in process.stdout:
            printed += line
            if "Stop" in line:
                break
        key = KEY.search(printed)
        assert key, "the server did not start"
        yield Target(name, process, int(printed.split("\n")[0].rpartition(":")[2]), key[0])


def document(name: str, folder: Path) -> str:
    """Return the text of a benchmark document."""
    written = write(name, RECIPES[name], folder)
    return Path(written.path).read_text(encoding="utf-8")
