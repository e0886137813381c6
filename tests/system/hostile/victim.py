"""The process that is attacked: where it listens, and what it has used so far."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from tests.support.http_service import Keys

_TICKS = os.sysconf("SC_CLK_TCK")


class Canary:
    """Listens on loopback and counts who calls: nobody may, whatever a document asks for."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.calls = 0
        self._thread = Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with connection:
                # The canary itself knocks to be let go.
                if connection.recv(3) == b"end":
                    return
                self.calls += 1

    def close(self) -> None:
        """Stop listening."""
        with socket.create_connection(("127.0.0.1", self.port)) as knock:
            knock.sendall(b"end")
        self._thread.join()
        self._socket.close()


@contextmanager
def a_canary() -> Iterator[Canary]:
    canary = Canary()
    try:
        yield canary
    finally:
        canary.close()


@dataclass(frozen=True, kw_only=True)
class Victim:
    """A server process and its children. ``folder``: a path no answer may name."""

    pid: int
    port: int
    keys: Keys
    canary: Canary
    folder: Path

    def cpu_seconds(self) -> float:
        """Return what the processes have used, those included that have ended."""
        seconds = 0.0
        for pid in self._pids():
            fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
            seconds += sum(map(int, fields[11:15])) / _TICKS if fields else 0
        return seconds

    def forget_peak(self) -> None:
        """Let the kernel measure the peak from now on."""
        for pid in self._pids():
            Path(f"/proc/{pid}/clear_refs").write_text("5")

    def peak_bytes(self) -> int:
        """Return the sum of the highest resident sizes since ``forget_peak``."""
        return sum(self._status(pid, "VmHWM") for pid in self._pids())

    def resident_bytes(self) -> int:
        return sum(self._status(pid, "VmRSS") for pid in self._pids())

    def _pids(self) -> list[int]:
        found = [self.pid]
        for pid in found:
            for task in Path(f"/proc/{pid}/task").glob("*"):
                found.extend(map(int, _read(f"{task}/children").split()))
        return found

    @staticmethod
    def _status(pid: int, name: str) -> int:
        for line in _read(f"/proc/{pid}/status").splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
        return 0


def _read(path: str) -> str:
    """Return what the kernel says; nothing of a process that has just ended."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
