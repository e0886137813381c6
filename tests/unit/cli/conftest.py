"""The command line in this process, on a data directory of its own."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from longshore.cli.main import main
from longshore.storage.schema.migrate import migrate


@dataclass(frozen=True)
class Ran:
    """What one command line did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever the command printed
        return json.loads(self.out)


@dataclass(frozen=True)
class CommandLine:
    """Runs command lines in an empty folder without settings."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str) -> Ran:
        code = main(arguments)
        return Ran(code, *self.capture.readouterr())


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory as ``longshore db upgrade`` makes it."""
    folder = tmp_path_factory.mktemp("migrated") / "longshore-data"
    migrate(folder)
    return folder


@pytest.fixture
def empty_database(tmp_path: Path, migrated: Path) -> Path:
    """Put an empty database where the commands look for one; return its folder."""
    return shutil.copytree(migrated, tmp_path / "longshore-data")
