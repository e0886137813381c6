"""What is installed is pinned, hashed, few, explained, and comes from no address of ours."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from tests.architecture.repository import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
MAX_DIRECT_PACKAGES = 25
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
DIRECT = sorted(
    re.split(r"[<>=!~\[; ]", requirement)[0]
    for requirement in {*chain.from_iterable(EXTRAS.values())}
)


def requirements(lock: str) -> list[str]:
    """Split the text of a lock into its requirements, each on one line, without comments."""
    lines = (line for line in lock.splitlines() if not line.lstrip().startswith("#"))
    return [line for line in "\n".join(lines).replace("\\\n", "").splitlines() if line.strip()]


def faults(lock: str) -> list[str]:
    """Name what is wrong in the text of a lock."""
    unpinned = [
        line.split()[0]
        for line in requirements(lock)
        if not re.match(r"[a-z0-9][a-z0-9.-]*==\S+ .*--hash=sha256:[0-9a-f]{64}\b", line)
    ]
    addresses = [mark for mark in ("://", "--index-url", "--find-links") if mark in lock]
    return unpinned + addresses


def pins(lock: Path) -> dict[str, str]:
    """Map each package of a lock to its version."""
    found = (line.split()[0].partition("==") for line in requirements(lock.read_text("utf-8")))
    return {name: version for name, _, version in found}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_every_requirement_is_pinned_and_hashed_and_no_address_is_named(lock: Path) -> None:
    assert faults(lock.read_text(encoding="utf-8")) == []


def test_a_bad_lock_would_be_noticed() -> None:
    hashed = "    --hash=sha256:" + "0" * 64
    assert faults(f"click==8.0 \\\n{hashed}\n") == []
    assert faults("click==8.0\n") == ["click==8.0"]
    assert faults(f"click>=8.0 \\\n{hashed}\n") == ["click>=8.0"]
    assert faults(f"--index-url https://example.org\nclick==8.0 \\\n{hashed}\n") == [
        "--index-url",
        "://",
        "--index-url",
    ]


def test_the_three_locks_exist_and_agree_on_versions() -> None:
    assert [lock.stem for lock in LOCKS] == ["build", "dev", "runtime"]
    runtime, development = pins(ROOT / "requirements/runtime.txt"), pins(LOCKS[1])
    assert {name: (version, development[name]) for name, version in runtime.items()} == {
        name: (version, version) for name, version in runtime.items()
    }


def test_every_direct_package_is_locked_and_they_are_few() -> None:
    locked = set(pins(ROOT / "requirements/runtime.txt"))
    assert set(DIRECT) - locked == {"pyarrow"} <= set(pins(ROOT / "requirements/dev.txt"))
    assert len(DIRECT) <= MAX_DIRECT_PACKAGES


def test_every_direct_package_has_its_reason_on_the_dependencies_page() -> None:
    page = (ROOT / "docs/explanation/dependencies.md").read_text(encoding="utf-8")
    run_time = page.partition("\n## In the browser")[0]
    explained = set(re.findall(r"^\| `([a-z0-9-]+)` \| \S", run_time, re.MULTILINE))
    assert explained == set(DIRECT)


def test_development_tools_are_groups_and_never_ship() -> None:
    assert EXTRAS.keys() == {"bulk", "cli", "server", "sftp"}
    assert PROJECT["project"]["dependencies"] == []  # of the library
    assert set(EXTRAS["cli"]) <= set(EXTRAS["server"])
    assert {"build", "dev"} <= set(PROJECT["dependency-groups"])
