"""The words with which a start tells how to call the command again."""

import sys
from pathlib import Path

import pytest

from longshore.cli.serve import own_command


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    command = tmp_path / "longshore"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    return command


def test_a_command_that_the_shell_finds_is_called_by_its_name(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(installed.parent))
    monkeypatch.setattr(sys, "argv", [str(installed)])
    assert own_command() == ["longshore"]


def test_one_that_it_does_not_find_is_called_by_its_path(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(installed.parent)
    monkeypatch.setattr(sys, "argv", ["./longshore"])
    assert own_command() == [str(installed)]


def test_a_module_is_called_by_its_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/longshore/__main__.py"])
    assert own_command() == [sys.executable, "-m", "longshore"]
