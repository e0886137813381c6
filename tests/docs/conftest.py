"""A machine as a reader of the pages has it: a shell, the command, a running server, a key."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from tests.docs.pages import ROOT

ADDRESS_OF_THE_PAGES = "http://127.0.0.1:8080"
LONGSHORE = str(Path(sys.executable).parent / "longshore")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Somebody who types what the pages say, in a folder that has the samples."""

    folder: Path
    environment: dict[str, str]
    address: str

    def open_terminal(self) -> None:
        """Forget what was defined so far, and end the programs that still run.

        A page that fails does not come to the command that ends them.
        """
        (self.folder / ".defined").write_text("", encoding="utf-8")
        started = self.folder / ".started"
        for number in started.read_text(encoding="utf-8").split() if started.exists() else ():
            with suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGTERM)
        started.write_text("", encoding="utf-8")

    def type(self, script: str) -> str:
        """Type commands into the terminal; what they define serves those typed later."""
        names = "$(compgen -A variable | grep '^[a-z]')"
        keep = f"{{ declare -f; for name in {names}; do declare -p $name; done; }} > .defined"
        keep_programs = "jobs -pr >> .started"
        return self.run(
            "bash", "-c", f"source .defined\n{script}\n{keep}\n{keep_programs}\n"
        ).stdout

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program, with what it says on either channel, as a terminal has it."""
        return subprocess.run(
            [part.replace(ADDRESS_OF_THE_PAGES, self.address) for part in command],
            stdin=subprocess.DEVNULL,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return the variables of a shell whose data directory is new and that finds our command."""
    tools = tmp_path / "tools"
    tools.mkdir()
    if shutil.which("curl") is None:
        stand_in = tools / "curl"
        script = Path(__file__).with_name("curl_stand_in.py")
        stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
        stand_in.chmod(0o755)
    inherited = {name: value for name, value in os.environ.items() if "LONGSHORE" not in name}
    path = os.pathsep.join((str(Path(sys.executable).parent), inherited["PATH"], str(tools)))
    data_dir = str(tmp_path / "data")
    return inherited | {
        "PATH": path,
        "LONGSHORE_DATA_DIR": data_dir,
        "LONGSHORE_ALLOWED_NETWORKS": "127.0.0.0/8",  # trade-by-as2.md says to allow it
        "LANG": "C.UTF-8",
    }


@pytest.fixture
def key(environment: dict[str, str], tmp_path: Path) -> str:
    """Make the key that the first start would print."""
    subprocess.run([LONGSHORE, "db", "upgrade"], env=environment, cwd=tmp_path, check=True)
    answer = subprocess.run(
        [LONGSHORE, "keys", "create", "--account", "demo", "--environment", "sandbox", "--json"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    return str(json.loads(answer.stdout)["key"])


@pytest.fixture
def address(environment: dict[str, str], key: str, tmp_path: Path) -> Iterator[str]:
    """Serve on a free port until the test is over; the server must then end well."""
    assert key  # before the first start, so that the account exists
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(
            [LONGSHORE, "serve", "--port", "0"],
            env=environment | {"PYTHONUNBUFFERED": "1"},
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as server,
    ):
        assert server.stdout is not None
        yield address_in(server.stdout)
        server.terminate()
        assert server.wait() == 0


def address_in(lines: IO[str]) -> str:
    """Read what the server prints up to its address."""
    for line in lines:
        if found := re.search(r"http://127\.0\.0\.1:[0-9]+", line):
            return found[0]
    raise AssertionError("the server ended without naming its address")


@pytest.fixture
def reader(environment: dict[str, str], key: str, address: str, tmp_path: Path) -> Iterator[Reader]:
    """Be somebody with a running server, its key and a copy of the samples."""
    folder = tmp_path / "clone"
    shutil.copytree(ROOT / "samples", folder / "samples")
    found = Reader(folder=folder, environment=environment | {"LONGSHORE_KEY": key}, address=address)
    yield found
    found.open_terminal()  # ends what still runs
