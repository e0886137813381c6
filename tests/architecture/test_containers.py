"""What can be checked of the Dockerfile and compose.yaml without a container engine."""

import re
import shlex
import subprocess
from typing import Any

import click
import pytest
import yaml  # type: ignore[import-untyped]  # it comes with a tool, without its types

from longshore.cli.main import longshore
from longshore.http.ops import OPERATIONS
from longshore.settings import Settings
from tests.architecture.repository import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SETTINGS = {f"LONGSHORE_{name.upper()}" for name in Settings.__dataclass_fields__}


def instructions(name: str) -> list[str]:
    """Return the arguments of each instruction of the Dockerfile with this name."""
    joined = re.sub(r"\\\n\s*", " ", DOCKERFILE)
    return re.findall(rf"(?m)^{name} (.*)$", joined)


def copied() -> list[str]:
    """Return what is copied from the repository."""
    own = [line.split() for line in instructions("COPY") if not line.startswith("--from")]
    return [source for *sources, _ in own for source in sources]


def test_what_is_copied_exists_and_is_tracked_and_let_through() -> None:
    let_through = {
        line[1:]
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line[0] == "!"
    }
    assert set(copied()) == let_through
    listed = ["git", "ls-files", "--error-unmatch", *copied()]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode == 0) or not (ROOT / ".git").exists()
    assert [path for path in copied() if not (ROOT / path).exists()] == []


def test_the_packages_are_installed_with_hashes_and_run_without_rights() -> None:
    installs = [line for line in instructions("RUN") if "-r requirements/" in line]
    assert len(installs) == 2
    assert all("--require-hashes" in line for line in installs)
    assert instructions("USER") == ["longshore"]
    assert DOCKERFILE.index("\nUSER ") > DOCKERFILE.rindex("\nRUN ")


@pytest.mark.parametrize("service", ["server", "worker"])
def test_the_commands_and_settings_of_a_service_exist(service: str) -> None:
    declared = COMPOSE["services"][service]
    program, name, *arguments = declared["command"]
    assert program == "longshore"
    with click.Context(longshore) as context:
        command = longshore.get_command(context, name)
        assert command is not None
        command.parse_args(click.Context(command, parent=context), arguments)
    assert set(declared["environment"]) <= SETTINGS
    assert set(declared["depends_on"]) <= set(COMPOSE["services"])
    assert {volume.split(":")[0] for volume in declared["volumes"]} <= set(COMPOSE["volumes"])


def test_the_image_starts_a_server_and_asks_whether_it_is_ready() -> None:
    environment = " ".join(instructions("ENV"))
    names = set(re.findall(r"(LONGSHORE_\w+)=", environment))
    assert names <= SETTINGS
    assert "LONGSHORE_DATA_DIR=/data" in environment
    assert instructions("VOLUME") == ["/data"]
    assert shlex.split(instructions("CMD")[-1].strip("[]").replace(",", " ")) == [
        "longshore",
        "serve",
    ]
    asked = re.search(r"127\.0\.0\.1:8080(/\w+)", instructions("HEALTHCHECK")[0])
    assert asked is not None
    assert asked[1] in {operation.path for operation in OPERATIONS}
