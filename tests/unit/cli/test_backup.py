"""``longshore backup`` and ``longshore restore``."""

import json
from pathlib import Path

from longshore.storage.schema.tables import metadata
from tests.unit.cli.conftest import CommandLine

TABLES = sorted(metadata.tables)


def test_a_restored_backup_holds_the_same_keys(run: CommandLine, tmp_path: Path) -> None:
    run("db", "upgrade")
    run("keys", "create", "--account", "demo", "--environment", "sandbox")
    file, elsewhere = str(tmp_path / "saved"), str(tmp_path / "elsewhere")
    saved = run("backup", file, "--json").json
    assert saved["rows"] == dict.fromkeys(TABLES, 0) | {
        "account_sequences": 1,
        "accounts": 1,
        "api_keys": 1,
        "audit_entries": 1,
        "schema_migrations": 1,
    }
    restored = run("restore", file, "--data-dir", elsewhere, "--json")
    assert restored.json == saved | {"advanced_numbers": 10_000}
    verified = run("audit", "verify", "--json", "--data-dir", elsewhere).json
    assert (verified["ok"], verified["accounts"][0]["entries"]) == (True, 2)
    listed = run("keys", "list", "--json").out
    assert run("keys", "list", "--json", "--data-dir", elsewhere).out == listed


def test_people_read_what_was_saved(run: CommandLine, tmp_path: Path) -> None:
    run("db", "upgrade")
    first, second, third, fourth = run("backup", str(tmp_path / "saved")).out.splitlines()
    assert first.startswith("Backed up ")
    assert second.startswith("Rows: account_sequences 0, account_usage 0, accounts 0, acks 0, ")
    assert third.startswith("SHA-256: ")
    assert fourth.startswith("The backup does not contain the master key. ")
    restored = run("restore", str(tmp_path / "saved"), "--data-dir", str(tmp_path / "elsewhere"))
    assert "Control numbers: each counter skips 10,000 before the next one." in restored.out
    assert restored.out.splitlines()[-1].startswith("The backup does not contain the master key: ")


def test_neither_a_backup_nor_a_database_is_overwritten(run: CommandLine, tmp_path: Path) -> None:
    run("db", "upgrade")
    file = tmp_path / "saved"
    run("backup", str(file))
    before = file.read_bytes()
    again, over = run("backup", str(file)), run("restore", str(file))
    assert (again.code, over.code) == (2, 2)
    assert "is there already" in again.err
    assert "The data directory has a database." in over.err
    assert file.read_bytes() == before


def test_a_changed_backup_is_refused_and_nothing_is_made(run: CommandLine, tmp_path: Path) -> None:
    run("db", "upgrade")
    file, elsewhere = tmp_path / "saved", tmp_path / "elsewhere"
    run("backup", str(file))
    content = bytearray(file.read_bytes())
    content[5000] ^= 1
    file.write_bytes(content)
    refused = run("restore", str(file), "--data-dir", str(elsewhere), "--json")
    assert (refused.code, refused.json["code"]) == (2, "storage_unavailable")
    assert not (elsewhere / "longshore.db").exists()


def test_a_folder_that_is_not_there_is_one_clear_line(run: CommandLine, tmp_path: Path) -> None:
    run("db", "upgrade")
    refused = run("backup", str(tmp_path / "absent" / "saved"))
    assert (refused.code, len(refused.err.splitlines())) == (2, 1)
    assert json.loads(run("db", "check", "--json").out)["ok"] is True
