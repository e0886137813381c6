"""One server a test process, as it is shipped, on a data directory of its own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.http_service import Keys, open_world
from tests.system.hostile.attack import Baseline, assert_alive
from tests.system.hostile.victim import Victim, a_canary
from tests.system.server import serving


@contextmanager
def a_victim(folder: Path, settings: str = "") -> Iterator[Victim]:
    """Serve with these settings; the processor time of coverage would count, so it stays out."""
    with open_world(folder / "data") as world:
        keys: Keys = world.keys
    (folder / "longshore.toml").write_text(settings)
    with pytest.MonkeyPatch.context() as patch, a_canary() as canary:
        for name in os.environ:
            if name.startswith("COVERAGE_"):
                patch.delenv(name)
        with serving(folder) as server:
            port = int(server.address.rpartition(":")[2])
            yield Victim(pid=server.process.pid, port=port, keys=keys, canary=canary, folder=folder)
            assert server.process.poll() is None, "the server has ended"


@pytest.fixture(scope="session")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with a_victim(tmp_path_factory.mktemp("hostile")) as victim:
        yield victim


@pytest.fixture(scope="session")
def baseline(victim: Victim) -> Baseline:
    assert_alive(victim)
    return Baseline(victim.resident_bytes())
