"""The running service against its own OpenAPI document, with every check of schemathesis (S4).

A slice of it in each run; ``make fuzz`` gives more examples. The summary names the seed.
"""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from longshore.compute.documents import parse_result
from longshore.domain.users.passwords import csrf_token
from longshore.http.limits import Limits, LimitValues
from longshore.http.origin import OwnAddress
from longshore.http.routes import OPERATIONS
from longshore.http.services import HttpServices
from tests.support.http_service import RecordedEngine, World
from tests.support.live_server import live

pytestmark = pytest.mark.full("thousands of requests to a real server")

ROOT = Path(__file__).parents[2]
SESSION_PATHS = "^/api/(?!v1/)"
ENDING = ("logOut", "endSession", "changePassword")
# The format date-time asks for a zone; our times are UTC and have none (decision 0023). So the
# pattern of what we write is checked in its place.
TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "10"))
# Of the slice, so that a run can be repeated; `make fuzz` takes another one each time.
SEED = os.environ.get("SCHEMATHESIS_SEED", "2026")
RUN = (sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()")


def check(services: HttpServices, folder: Path, *options: str, session: str = "") -> str:
    """Run schemathesis over the operations that ``options`` choose; return its summary."""
    described = folder / "openapi.json"
    text = (ROOT / "openapi.json").read_text("utf-8")
    described.write_text(text.replace('"format": "date-time"', f'"pattern": "{TIME}"'), "utf-8")
    with live(services) as server:
        command = (
            *RUN,
            *("--config-file", str(ROOT / "tests" / "http" / "schemathesis.toml")),
            *("run", str(described), "--checks", "all", "--no-color", "--seed", SEED),
            *("--url", f"http://127.0.0.1:{server.port}", *options),
        )
        done = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | {"SESSION": session},
            capture_output=True,
            text=True,
            timeout=280 + 4 * EXAMPLES,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout[-600:])  # noqa: T201 - the figures, for pytest -s
    assert "Failures:" not in done.stdout
    return done.stdout


@pytest.mark.timeout(300 + 4 * EXAMPLES)
def test_every_check_of_schemathesis_passes(world: World, tmp_path: Path) -> None:
    services = world.services(RecordedEngine(), parse_result=parse_result)
    summary = check(
        services,
        tmp_path,
        *("--exclude-path-regex", SESSION_PATHS, "--max-examples", str(EXAMPLES)),
        *("--header", f"Authorization: Bearer {world.keys.sandbox}"),
    )
    of_keys = [each for each in OPERATIONS if not re.match(SESSION_PATHS, each.path)]
    assert f"{len(of_keys)} selected / {len(OPERATIONS)} total" in summary


@pytest.mark.timeout(300 + 4 * EXAMPLES)
def test_every_check_passes_for_a_user_with_a_session(own_world: World, tmp_path: Path) -> None:
    """All but what ends the session that asks."""
    services = own_world.services(RecordedEngine(), parse_result=parse_result)
    # Over http, so that the cookie has the name of the document.
    services = replace(
        services,
        own_address=OwnAddress("http://127.0.0.1"),
        # A fast machine asks more often than a session may.
        limits=Limits(LimitValues(session_requests_per_minute=1_000_000)),
    )
    secret = own_world.sessions.owner
    summary = check(
        services,
        tmp_path,
        *("--include-path-regex", SESSION_PATHS, "--max-examples", str(EXAMPLES)),
        *(word for name in ENDING for word in ("--exclude-operation-id", name)),
        *("--header", f"X-CSRF-Token: {csrf_token(secret)}"),
        session=secret,
    )
    of_pages = [each for each in OPERATIONS if re.match(SESSION_PATHS, each.path)]
    expected = f"{len(of_pages) - len(ENDING)} selected / {len(OPERATIONS)} total"
    assert expected in summary
