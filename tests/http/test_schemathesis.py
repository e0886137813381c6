"""The running service against its own OpenAPI document, with every check of schemathesis (S4).

A slice of it in each run; ``make fuzz`` gives more examples. The summary names the seed.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from longshore.compute.documents import parse_result
from tests.support.http_service import RecordedEngine, World
from tests.support.live_server import live

ROOT = Path(__file__).parents[2]
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "25"))
RUN = (sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()")


@pytest.mark.timeout(60 + EXAMPLES)
def test_every_check_of_schemathesis_passes(world: World, tmp_path: Path) -> None:
    services = world.services(RecordedEngine(), parse_result=parse_result)
    with live(services) as server:
        command = (
            *RUN,
            *("--config-file", str(ROOT / "tests" / "http" / "schemathesis.toml")),
            *("run", str(ROOT / "openapi.json"), "--checks", "all", "--no-color"),
            *("--url", f"http://127.0.0.1:{server.port}", "--max-examples", str(EXAMPLES)),
            *("--header", f"Authorization: Bearer {world.keys.sandbox}"),
        )
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout[-600:])  # noqa: T201 - the figures, for pytest -s
    assert "Failures:" not in done.stdout
    assert "8 selected / 8 total" in done.stdout
