"""The command line in this process, on a data directory of its own."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from longshore.cli.main import main


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
