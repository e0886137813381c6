"""No file gives away a machine, a secret or an address, and none depends on what is not here."""

import re
from pathlib import Path

import pytest

from tests.architecture.repository import ROOT, files, walk

# A bracket in each, so that this file passes its own check.
FORBIDDEN = {
    "machine path": re.compile(r"(?<![\w.*-])/(?:roo[t]|wor[k]|hom[e]/\w+|tm[p]|User[s])/"),
    "folder outside": re.compile(r"\.\./share[d]"),
    "registry": re.compile(
        r"pypi\.or[g]|pythonhoste[d]|registry\.npmj[s]|registry\.yarnpk[g]|crates\.i[o]"
    ),
    "private key": re.compile(r"-----BEGIN [A-Z ]*PRIVAT[E] KEY"),
    "cloud credential": re.compile(r"\bAKI[A][0-9A-Z]{16}\b|\bgh[pousr]_[0-9A-Za-z]{36}\b"),
}
API_KEY = re.compile(r"\bsvc_(?:test|live)_[0-9A-Za-z]{36}\b")
ADDRESSED_LOCKS = frozenset({"uv.lock", "pylock.toml", "poetry.lock", "Pipfile.lock"})


def test_files_are_found_with_git_and_without() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in files()}
    assert {"pyproject.toml", ".ci/run", "src/longshore/__init__.py"} <= names
    assert {"pyproject.toml", ".ci/run", "src/longshore/__init__.py"} <= {
        path.relative_to(ROOT).as_posix() for path in walk(ROOT)
    }
    assert not any(name.startswith((".venv", ".git/")) for name in names)


@pytest.mark.parametrize("danger", FORBIDDEN)
def test_no_file_holds(danger: str) -> None:
    assert [place for path in files() for place in places(FORBIDDEN[danger], path)] == []


def test_no_whole_api_key_stands_outside_the_tests() -> None:
    outside = [path for path in files() if not path.is_relative_to(ROOT / "tests")]
    assert [place for path in outside for place in places(API_KEY, path)] == []


def test_no_lock_that_records_addresses_is_kept() -> None:
    assert [path.name for path in files() if path.name in ADDRESSED_LOCKS] == []


def places(pattern: re.Pattern[str], path: Path) -> list[str]:
    """List ``file:line`` of each line on which ``pattern`` is found."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    lines = enumerate(text.split("\n"), start=1)
    return [f"{name}:{number}" for number, line in lines if pattern.search(line)]


@pytest.mark.parametrize(
    ("danger", "line"),
    [
        ("machine path", "see /" + "work/x"),
        ("machine path", "see /" + "home/someone/x"),
        ("folder outside", "../" + "shared/spec"),
        ("registry", "https://pypi" + ".org/simple"),
        ("private key", "-----BEGIN RSA " + "PRIVATE KEY-----"),
        ("cloud credential", "AKIA" + "A" * 16),
    ],
)
def test_a_planted_line_is_found(tmp_path: Path, danger: str, line: str) -> None:
    planted = tmp_path / "notes.md"
    planted.write_text(f"fine\n{line}\n", encoding="utf-8")
    assert places(FORBIDDEN[danger], planted) == ["notes.md:2"]
