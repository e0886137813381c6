"""The positive control of the battery: each planted fault makes the harness fail."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.http_service import Keys
from tests.system.hostile import planted
from tests.system.hostile.attack import Baseline, Case, Expected, attack
from tests.system.hostile.victim import Victim, a_canary
from tests.system.server import clean_environment

NO_KEYS = Keys(**dict.fromkeys(Keys.__dataclass_fields__, "x"))
ROOT = Path(__file__).parents[3]
OTHERS = (
    *("a path", "status 500", "another status", "no request id", "another content type", "a call"),
    *("effort", "memory", "a cut", "nothing", "silence", "the end"),
)


@pytest.fixture
def careless(tmp_path: Path) -> Iterator[Victim]:
    """Start the server that does everything wrong."""
    with a_canary() as canary:
        process = subprocess.Popen(
            [sys.executable, planted.__file__, str(tmp_path), str(canary.port)],
            env=clean_environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout
        try:
            port = int(process.stdout.readline())
            yield Victim(pid=process.pid, port=port, keys=NO_KEYS, canary=canary, folder=tmp_path)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def a_case(fault: str) -> Case:
    request = f"GET /{quote(fault)} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    return Case(
        name=fault,
        request=lambda _: request,
        answers=(Expected(404, "not_found"),),
        method="GET",
        path="/unknown",
        cpu_seconds=0.25,
        patience_seconds=2,
    )


def test_an_answer_without_fault_passes(careless: Victim) -> None:
    (answer,) = attack(careless, a_case("good"), Baseline(careless.resident_bytes()))
    assert answer.json() == planted.GOOD


@pytest.mark.parametrize("fault", [*planted.ERRORS, *planted.BODIES, *OTHERS])
def test_the_harness_notices(careless: Victim, fault: str) -> None:
    baseline = Baseline(careless.resident_bytes())
    with pytest.raises((AssertionError, OSError, ValueError, KeyError)):
        attack(careless, a_case(fault), baseline)
