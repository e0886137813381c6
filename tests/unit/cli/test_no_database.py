"""Commands on a machine without a database: refused with the place that was looked at."""

import asyncio

import pytest

from longshore.cli.main import main
from tests.support.postgres import PostgresServer, postgres_server
from tests.unit.cli.conftest import CommandLine

__all__ = ["postgres_server"]

COMMANDS = (
    "accounts create acme",
    "accounts list",
    "accounts retention acme 7",
    "accounts suspend acme",
    "audit verify",
    "backup saved",
    "db check",
    "keys create --account demo --environment sandbox",
    "keys list",
    "keys revoke 1",
    "maps list",
    "maps show 1",
    "partners create file.json",
    "partners list",
    "users create ada@example.com --account demo --role owner",
    "users list",
)
NEXT = (
    "To begin with an empty database, start `longshore serve` once or run `longshore db upgrade`."
)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_makes_a_database(run: CommandLine, command: str) -> None:
    (run.folder / "file.json").write_text('{"name": "N"}')
    ran = run(*command.split(), "--json")
    assert (ran.code, ran.json["code"], ran.json["error"]) == (
        2,
        "storage_unavailable",
        f"There is no Longshore data in ./longshore-data; use --data-dir. {NEXT}",
    )
    assert [path.name for path in run.folder.iterdir()] == ["file.json"]


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
