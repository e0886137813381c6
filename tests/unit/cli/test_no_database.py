"""Commands on a machine without a database: refused with the place that was looked at."""

import asyncio
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import click
import pytest

from longshore.cli.main import longshore, main
from tests.support.postgres import PostgresServer, postgres_server
from tests.unit.cli.conftest import CommandLine

__all__ = ["postgres_server"]

NEEDING_DATA = {
    "accounts create": "acme",
    "accounts list": "",
    "accounts resume": "acme",
    "accounts retention": "acme 7",
    "accounts set-plan": "acme enterprise",
    "accounts set-quota": "acme --bytes 1000 --records default",
    "accounts suspend": "acme",
    "as2 add-key": "ACME",
    "as2 connect-simulator": "",
    "as2 create": "ACME",
    "as2 drop-key": "ACME",
    "as2 export-key": "ACME key.p12",
    "as2 export-profile": "ACME",
    "as2 import-profile": "1 partner.json",
    "as2 list": "",
    "as2 open": "message.as2",
    "as2 show": "ACME",
    "as2 switch-keys": "ACME",
    "audit verify": "",
    "backup": "saved",
    "control-numbers advance": "1 --by 1",
    "control-numbers list": "1",
    "db check": "",
    "dictionary import-codes": "codes.csv",
    "dictionary list-codes": "",
    "dictionary remove-codes": "355",
    "keys create": "--account demo --environment sandbox",
    "keys list": "",
    "keys revoke": "1",
    "keys rotate": "1",
    "maps export": "1",
    "maps import": "map.json",
    "maps list": "",
    "maps show": "1",
    "maps test": "1",
    "partners check-connection": "1",
    "partners create": "partner.json",
    "partners export": "1",
    "partners import": "partner.json",
    "partners list": "",
    "users create": "ada@example.com --account demo --role owner",
    "users list": "",
    "users password": "ada@example.com",
    "webhooks create": "https://erp.example/events",
    "webhooks delete": "1",
    "webhooks deliveries": "1",
    "webhooks disable": "1",
    "webhooks enable": "1",
    "webhooks list": "",
    "webhooks replay": "1",
    "webhooks rotate": "1",
    "webhooks test": "1",
}
"""What is refused without a database, with arguments for it."""

NEEDING_NONE = {
    "ack": "order.edi",
    "bulk": "none.edi --out tables",
    "completion": "bash",
    "convert": "order.edi --rules map.json",
    "dictionary export": "--set 850",
    "dictionary import": "order.edi --format sef --output imported",
    "dictionary lint": "",
    "dictionary list": "",
    "dictionary show": "850",
    "doctor": "--port 0",
    "maps starters": "",
    "openapi": "",
    "parse": "order.edi",
    "redact": "order.edi",
    "sample": "850",
    "validate": "order.edi",
    "worker": "",  # refused without the address of a PostgreSQL database
}
CREATING = {"serve", "demo", "restore", "db upgrade"}
FILES = {
    "order.edi": "ST*850*0001~BEG*00*SA*PO-1**20260302~SE*3*0001~",
    "codes.csv": "355,Q1",
    "map.json": '{"name": "M", "field_map": [{"src": "BEG.03", "tgt": "po"}]}',
    "partner.json": '{"name": "N"}',
    "message.as2": "AS2-Version: 1.2\nAS2-From: A\nAS2-To: B\nMessage-ID: <1@a>\n\nISA",
}
NEXT = (
    "To begin with an empty database, start `longshore serve` once or run `longshore db upgrade`."
)


@pytest.fixture
def folder(run: CommandLine) -> Path:
    """Return a folder with these files alone, where the commands run."""
    for name, text in FILES.items():
        (run.folder / name).write_text(text, encoding="utf-8")
    return run.folder


def test_every_command_is_tried_here() -> None:
    tried = [*NEEDING_DATA, *NEEDING_NONE, *CREATING]
    assert sorted(tried) == sorted(_names(longshore, ()))


def _names(command: click.Command, path: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from _names(inner, (*path, name))


@pytest.mark.parametrize("command", NEEDING_DATA)
def test_no_command_makes_a_database(
    run: CommandLine, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("correct horse battery\n"))
    ran = run(*command.split(), *NEEDING_DATA[command].split())
    place = "There is no Longshore data in ./longshore-data; use --data-dir."
    assert (ran.code, ran.err) == (2, f"longshore: {place} {NEXT} (storage_unavailable)\n")
    assert {path.name for path in folder.iterdir()} == set(FILES)


@pytest.mark.full("starts the engine of each command that needs no database")
def test_nor_does_one_that_needs_none(run: CommandLine, folder: Path) -> None:
    codes = {
        command: run(*command.split(), *arguments.split()).code
        for command, arguments in NEEDING_NONE.items()
    }
    # The order is no schema, and the source of bulk is not there.
    others = {"validate": 3, "worker": 2, "dictionary import": 2, "bulk": 2}
    assert codes == dict.fromkeys(NEEDING_NONE, 0) | others
    assert {path.name for path in folder.iterdir()} == set(FILES)


def test_the_place_is_named_as_it_was_given(run: CommandLine) -> None:
    elsewhere = run.folder / "elsewhere"
    elsewhere.mkdir()
    assert run("keys", "list", "--data-dir", str(elsewhere)).err == (
        f"longshore: There is no Longshore data in {elsewhere}; use --data-dir. {NEXT}"
        " (storage_unavailable)\n"
    )
    assert list(elsewhere.iterdir()) == []


@pytest.fixture
def url(postgres_server: PostgresServer) -> str:
    asyncio.run(postgres_server.create_database("untouched"))
    return postgres_server.url("untouched")


def test_nor_does_one_in_an_empty_postgresql_database(
    postgres_server: PostgresServer, url: str, run: CommandLine
) -> None:
    for command in ("accounts create acme", "worker", "db check"):
        ran = run(*command.split(), "--database-url", url)
        assert ran.code == 2
        assert "There is no Longshore data in the PostgreSQL database " in ran.err
        assert f"/untouched; use --database-url. {NEXT}" in ran.err

    async def tables() -> int:
        async with postgres_server.connected("untouched") as connection:
            found: int = await connection.fetchval(
                "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            )
            return found

    assert asyncio.run(tables()) == 0
    assert list(run.folder.iterdir()) == []


def test_variables_of_the_examples_are_no_settings(
    run: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LONGSHORE_KEY", "LONGSHORE_CSRF_TOKEN"):
        monkeypatch.setenv(name, "svc_test_x")
    assert run("db", "upgrade").code == 0
    assert run("keys", "list").code == 0
    monkeypatch.setenv("LONGSHORE_KEYS", "svc_test_x")
    assert "LONGSHORE_KEYS is not a setting" in run("keys", "list").err


@pytest.mark.parametrize(
    ("command", "defaults"),
    [
        (
            "serve",
            {"--data-dir": "./longshore-data", "--host": "127.0.0.1", "--port": "8080"},
        ),
        ("doctor", {"--data-dir": "./longshore-data", "--port": "8080"}),
        ("worker", {"--concurrency": "8"}),
        ("accounts create", {"--type": "developer", "--data-dir": "./longshore-data"}),
        ("keys rotate", {"--overlap-hours": "24"}),
        ("parse", {"--format": "x12", "--view": "fields"}),
    ],
)
def test_help_shows_what_holds_without_an_option(
    capsys: pytest.CaptureFixture[str], command: str, defaults: dict[str, str]
) -> None:
    assert main([*command.split(), "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for option, default in defaults.items():
        text = shown[shown.rindex(f" {option} ") :]
        assert text.partition("default: ")[2].startswith((f"{default}]", f"{default};"))
