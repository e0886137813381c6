"""The command as a whole: how each ending becomes an exit code and a text."""

import json
import resource
import sys
from pathlib import Path

import click
import pytest

from longshore import __version__
from longshore.__main__ import run
from longshore.cli.main import COMMANDS, longshore, main
from longshore.cli.terminal import visible


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("faulty", "interrupted", "three"):
        monkeypatch.setitem(COMMANDS, name, "tests.unit.cli.broken_commands")


def command_named(name: str) -> click.Command:
    command = longshore.get_command(click.Context(longshore), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_each_name_is_a_command_with_a_help_text(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = command_named(name)
    assert (command.name, bool(command.help)) == (name, True)
    assert main([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: longshore {name}")


def test_every_option_is_explained() -> None:
    def unexplained(command: click.Command) -> list[str]:
        nested = command.commands.values() if isinstance(command, click.Group) else ()
        mine = [
            f"{command.name} {option.opts[0]}"
            for option in command.params
            if isinstance(option, click.Option) and not option.help and not option.hidden
        ]
        return mine + [line for child in nested for line in unexplained(child)]

    commands = [command_named(name) for name in COMMANDS]
    assert [line for command in commands for line in unexplained(command)] == []


def test_version_and_bare_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"longshore {__version__}\n"
    assert main(["--help"]) == 0
    assert all(f"  {name}" in capsys.readouterr().out for name in ["serve"])


def test_an_unknown_command_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prase"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "No such command 'prase'" in err


def test_bad_usage_with_json_is_an_envelope_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "create", "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "ok": False,
        "error": "Missing option '--account'.",
        "code": "invalid_parameter",
        "details": [],
    }
    assert err == "longshore: Missing option '--account'. (invalid_parameter)\n"


def test_bad_settings_are_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "99999"]) == 2
    assert capsys.readouterr() == (
        "",
        "longshore: --port must be a whole number from 0 to 65535 (invalid_parameter)\n",
    )


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (
            "mysql://u:secret@h/d",
            (
                "longshore: --database-url must be an address such as"
                " postgresql://login:password@host:5432/database (invalid_parameter)\n"
            ),
        ),
        (
            "postgresql://u:secret@/d?host={folder}",
            (
                "longshore: The database cannot be reached now; nothing was stored."
                " (storage_unavailable)\n"
            ),
        ),
    ],
    ids=["no PostgreSQL", "not there"],
)
def test_a_database_url_that_cannot_be_used_is_refused_without_its_password(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str, message: str
) -> None:
    assert main(["keys", "list", "--database-url", url.format(folder=tmp_path)]) == 2
    assert capsys.readouterr() == ("", message)


@pytest.mark.usefixtures("broken")
def test_a_command_chooses_its_exit_code() -> None:
    assert main(["three"]) == 3


@pytest.mark.usefixtures("broken")
def test_ctrl_c_is_130_without_a_trace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interrupted"]) == 130
    assert capsys.readouterr().err.strip() == ""


@pytest.mark.usefixtures("broken")
def test_a_fault_of_ours_is_70_and_shows_nothing_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faulty"]) == 70
    assert capsys.readouterr() == (
        "",
        (
            "longshore: internal error (ZeroDivisionError). This is a bug in Longshore; "
            "`longshore --traceback …` prints the traceback\n"
        ),
    )


@pytest.mark.usefixtures("broken")
def test_a_fault_under_a_low_limit_of_memory_names_the_limit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (120 << 20, resource.RLIM_INFINITY))
    assert main(["faulty"]) == 70
    assert capsys.readouterr().err == (
        "longshore: internal error (ZeroDivisionError). The limit of memory (ulimit -v) is 120 MiB;"
        " Longshore needs 512 MiB; `longshore --traceback …` prints the traceback\n"
    )


@pytest.mark.usefixtures("broken")
def test_a_fault_of_ours_with_json_is_an_envelope(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faulty", "--json"]) == 70
    assert json.loads(capsys.readouterr().out)["code"] == "internal_error"


@pytest.mark.usefixtures("broken")
def test_the_trace_is_shown_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--traceback", "faulty"]) == 70
    assert "ZeroDivisionError: the secret svc_test_x" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe ✓", "Größe ✓"),
        ("a\nb", "a\\nb"),
        ("\x1b[31mred\x1d", "\\x1b[31mred\\x1d"),
        ("\ud800\u202e", "\\ud800\\u202e"),
    ],
)
def test_text_that_could_steer_a_terminal_is_spelt_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_command_without_its_packages_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = {"serve": "aiohttp.web", "worker": "longshore.gone"}

    def load(module: str) -> object:
        raise ModuleNotFoundError(name=missing[module.rpartition(".")[2]])

    monkeypatch.setattr("longshore.cli.main.import_module", load)
    sentence = (
        "`longshore serve` is not installed. It needs the package aiohttp: "
        "install it with pip install 'longshore[server]'."
    )
    for arguments in (["serve"], ["serve", "--port", "1"], ["serve", "--help"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err == f"Error: {sentence}\n"
    assert main(["serve", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == sentence
    assert main(["worker"]) == 70  # a fault of ours


@pytest.mark.parametrize("package", ["click", "rich"])
def test_the_command_without_its_packages_says_what_to_install(
    package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = {"click": "click", "rich": "rich.console"}[package]
    monkeypatch.setitem(sys.modules, gone, None)
    for module in ("longshore.cli.main", "longshore.cli.terminal"):
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        f"The longshore command needs the package {package}: "
        "install it with pip install 'longshore[cli]'.\n"
    )


def test_the_command_is_run_with_its_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["longshore", "--version"])
    with pytest.raises(SystemExit) as ended:
        run()
    assert (ended.value.code, capsys.readouterr().out) == (0, f"longshore {__version__}\n")
    monkeypatch.setitem(sys.modules, "longshore.cli.main", None)
    with pytest.raises(ModuleNotFoundError):
        run()
