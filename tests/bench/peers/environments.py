"""A virtual environment for each peer, made when the benchmarks first need it.

Peers are never a dependency: they live in ``.venv-peers/``, which git ignores, from a requirements
file with hashes beside this one. A peer that cannot be had is said to be skipped, with the reason.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ENVIRONMENTS = Path(".venv-peers")
INSTALL_SECONDS = 300


class Peer(NamedTuple):
    """Another program for the same work: its name, its version, and a module to import."""

    name: str
    version: str
    module: str

    @property
    def requirements(self) -> Path:
        """Where its pinned requirements are."""
        return Path(__file__).with_name(f"{self.name}.txt")


PEERS = {
    peer.name: peer
    for peer in (
        Peer("pyx12", "4.0.0", "pyx12.x12file"),
        Peer("linuxforhealth-x12", "0.57.0", "linuxforhealth.x12.io"),
        Peer("badx12", "0.2.2", "badx12"),
        Peer("jsonata-python", "0.7.1", "jsonata"),
    )
}


class PeerUnavailableError(Exception):
    """A peer cannot be installed or imported here; the message says why."""


def python_of(peer: Peer, environments: Path = ENVIRONMENTS) -> Path:
    """Return the interpreter of a peer's environment, which is made if need be.

    Raises:
        PeerUnavailableError: It cannot be made, or the peer cannot be imported in it.
    """
    folder = environments / peer.name
    python = folder / "bin" / "python"
    stamp = folder / "installed"
    pins = hashlib.sha256(peer.requirements.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text("ascii") != pins:
        _make(peer, folder, python)
        stamp.write_text(pins, "ascii")
    _run(python, "-c", f"import {peer.module}")
    return python.absolute()


def _make(peer: Peer, folder: Path, python: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    _run(Path(sys.executable), "-m", "venv", str(folder))
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-deps")
    _run(python, *pip, "--require-hashes", "-r", str(peer.requirements))
    for packages in folder.glob("lib/*/site-packages"):
        # Some wheels bring their tests as a top-level package, which would hide ours.
        shutil.rmtree(packages / "tests", ignore_errors=True)


def _run(*command: str | Path) -> None:
    try:
        subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=True)
    except subprocess.TimeoutExpired as error:
        raise PeerUnavailableError(f"not done within {INSTALL_SECONDS} s") from error
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or ["no message"]
        raise PeerUnavailableError(lines[-1]) from error
