"""``longshore db``, ``longshore doctor`` and ``longshore openapi``."""

import json
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from longshore.database import open_sealer
from longshore.http.openapi import openapi_json
from longshore.settings import load_settings
from longshore.storage.server_address import ServerAddress, published_address
from tests.unit.cli.conftest import CommandLine


def damage(folder: Path) -> None:
    """Overwrite the middle of the database."""
    database = folder / "longshore-data" / "longshore.db"
    content = database.read_bytes()
    middle = len(content) // 2
    database.write_bytes(content[:middle] + b"\xff" * 4_096 + content[middle + 4_096 :])


def hang_up(listener: socket.socket) -> None:
    """Take one connection and close it."""
    listener.accept()[0].close()


def outcome_of(run: CommandLine, name: str, *arguments: str) -> tuple[bool, str]:
    report = run("doctor", "--json", "--port", "0", *arguments).json
    [check] = [check for check in report["checks"] if check["name"] == name]
    return check["ok"], check["message"]


def test_upgrade_makes_a_current_database_and_says_so(run: CommandLine) -> None:
    applied = run("db", "upgrade", "--json").json["applied"]
    assert applied[0] == "v0001_initial"
    assert run("db", "upgrade", "--json").json == {"applied": []}
    assert run("db", "upgrade").out == "The database is current.\n"


def test_a_sound_database_is_reported_with_its_version(run: CommandLine) -> None:
    newest = len(run("db", "upgrade", "--json").json["applied"])
    ran = run("db", "check", "--json")
    assert (ran.code, ran.json) == (
        0,
        {
            "ok": True,
            "schema_version": newest,
            "newest_schema_version": newest,
            "problems": [],
        },
    )
    assert run("db", "check").out == (
        f"Schema version {newest} of {newest}.\nThe database is intact.\n"
    )


def test_a_database_that_is_not_there_is_refused_and_not_made(run: CommandLine) -> None:
    ran = run("db", "check", "--json")
    assert (ran.code, ran.json["code"]) == (2, "storage_unavailable")
    assert ran.json["error"].startswith("There is no Longshore data in ./longshore-data; use")
    assert list(run.folder.iterdir()) == []


def test_damage_is_never_passed_over(run: CommandLine) -> None:
    run("db", "upgrade")
    damage(run.folder)
    assert run("db", "check").code != 0
    assert run("serve", "--port", "0").code == 2
    assert outcome_of(run, "database")[0] is False
    assert run("doctor", "--port", "0").code == 1


def test_a_doctor_before_the_first_start_finds_all_well_and_makes_nothing(
    run: CommandLine,
) -> None:
    ran = run("doctor", "--port", "0", "--json")
    assert (ran.code, ran.json["ok"]) == (0, True)
    assert [check["name"] for check in ran.json["checks"]] == [
        "Python",
        "SQLite",
        "data directory",
        "disk",
        "database",
        "master key",
        "audit log",
        "AS2 certificates",
        "connections",
        "port",
    ]
    assert list(run.folder.iterdir()) == []


def test_people_see_one_line_a_check(run: CommandLine) -> None:
    run("db", "upgrade")
    ran = run("doctor", "--port", "0")
    lines = ran.out.splitlines()
    assert (ran.code, len(lines)) == (0, 11)
    assert [line.split()[0] for line in lines[1:]] == ["ok"] * 10


def test_a_database_others_can_read_is_wrong(run: CommandLine) -> None:
    run("db", "upgrade")
    (run.folder / "longshore-data" / "longshore.db").chmod(0o644)
    assert outcome_of(run, "data directory") == (
        False,
        "others can read longshore-data/longshore.db; run chmod go= on it",
    )


def test_the_master_key_is_seen_and_never_made(run: CommandLine) -> None:
    run("db", "upgrade")
    path = "longshore-data/master.key"
    assert outcome_of(run, "master key") == (
        True,
        f"{path} does not exist yet; the first start creates it",
    )
    sealer = open_sealer(load_settings({}))
    assert sealer.made_key == Path(path)
    ok, message = outcome_of(run, "master key")
    assert (ok, message.startswith(f"{path} is private and matches the database (")) == (True, True)
    Path(path).write_text("00" * 32)
    ok, message = outcome_of(run, "master key")
    assert (ok, message.startswith(f"{path} is the key 0b0f6cb8, but the database")) == (
        False,
        True,
    )
    Path(path).unlink()
    ok, message = outcome_of(run, "master key")
    assert (ok, message.startswith(f"{path} does not exist, but the database")) == (False, True)
    assert not Path(path).exists()


def test_a_server_refuses_another_master_key(run: CommandLine) -> None:
    run("db", "upgrade")
    open_sealer(load_settings({}))
    Path("elsewhere.key").write_text("00" * 32)
    Path("longshore.toml").write_text('master_key_file = "elsewhere.key"')
    refused = run("serve", "--port", "0")
    assert (refused.code, refused.out) == (2, "")
    assert "The master key is another (0b0f6cb8) than this database was sealed" in refused.err


def test_a_master_key_elsewhere_that_others_can_read_is_wrong(run: CommandLine) -> None:
    run("db", "upgrade")
    Path("elsewhere.key").write_text("00" * 32)
    Path("longshore.toml").write_text('master_key_file = "elsewhere.key"')
    Path("elsewhere.key").chmod(0o640)
    assert outcome_of(run, "master key") == (
        False,
        "others can read elsewhere.key; run chmod go= on it",
    )


def test_a_data_directory_that_is_a_file_is_wrong(run: CommandLine) -> None:
    (run.folder / "longshore-data").touch()
    ok, message = outcome_of(run, "data directory")
    assert (ok, message[:39]) == (False, "The data directory cannot be created (F")


def test_a_port_of_another_program_is_wrong(run: CommandLine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        Thread(target=hang_up, args=(other,)).start()
        ran = run("doctor", "--port", str(other.getsockname()[1]), "--json")
    assert (ran.code, ran.json["checks"][-1]["ok"]) == (1, False)
    assert "Address already in use" in ran.json["checks"][-1]["message"]


def test_a_doctor_looks_at_the_server_that_runs_on_the_data_directory(run: CommandLine) -> None:
    run("db", "upgrade")
    with socket.create_server(("127.0.0.1", 0)) as other:
        Thread(target=hang_up, args=(other,)).start()
        port = other.getsockname()[1]
        address = f"http://127.0.0.1:{port}"
        server = ServerAddress(address=address, base_url=address, database="")
        with published_address(run.folder / "longshore-data", server):
            check = run("doctor", "--json").json["checks"][-1]
            assert outcome_of(run, "port") == (True, "127.0.0.1 port 0 is free")
    assert check == {
        "name": "port",
        "ok": False,
        "message": f"Longshore runs on 127.0.0.1 port {port} and does not answer",
    }


def test_openapi_prints_the_document_that_is_served(run: CommandLine) -> None:
    ran = run("openapi")
    assert (ran.code, ran.out.encode()) == (0, openapi_json())
    assert json.loads(ran.out)["openapi"].startswith("3.1")


@pytest.mark.usefixtures("empty_database")
def test_a_connection_that_fails_is_named(run: CommandLine, tmp_path: Path) -> None:
    run("accounts", "create", "acme")
    file = tmp_path / "partner.json"
    http = {"type": "http", "url": "https://edi.example.com/"}
    facts = {"name": "Bolt", "isa_qualifier": "ZZ", "isa_id": "BOLT", "gs_id": "BOLT"}
    file.write_text(json.dumps({**facts, "connections": {"test": http}}))
    assert run("partners", "create", str(file)).code == 0
    well = (True, "none of partners or webhook endpoints is failing or disabled")
    assert outcome_of(run, "connections") == well
    with closing(sqlite3.connect("longshore-data/longshore.db")) as database, database:
        database.execute("UPDATE partners SET test_connection_status = 'failing'")
    assert outcome_of(run, "connections") == (
        False,
        "1 failing, 0 disabled; the first is that of partner 2 (sandbox) of account 1",
    )
