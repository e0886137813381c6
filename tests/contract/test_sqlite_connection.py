"""The settings without which SQLite loses data, and the files and places that are refused."""

import multiprocessing
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.storage.errors import DatabaseRefusedError, StorageUnavailableError
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.queries import Dialect, load_queries
from longshore.storage.schema.migrate import migrate
from longshore.storage.sqlite import connection as connection_module
from longshore.storage.sqlite.connection import (
    open_reader,
    open_system_reader,
    open_unguarded_reader,
    open_writer,
    translated,
)
from longshore.storage.sqlite.data_directory import (
    DATABASE_FILE,
    prepare_data_dir,
    refuse_network_file_system,
)
from longshore.storage.sqlite.database import open_database
from longshore.storage.sqlite.isolation import UnitContext
from longshore.storage.sqlite.lock import is_served, schema_lock, serving
from longshore.storage.sqlite.revocations import FileRevocations

EVERYWHERE = {
    "busy_timeout": 5000,
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "trusted_schema": 0,
    "cell_size_check": 1,
    "temp_store": 2,
    "secure_delete": 1,
    "journal_size_limit": 67_108_864,
    "wal_autocheckpoint": 0,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    migrate(tmp_path)
    return tmp_path / DATABASE_FILE


OPENINGS: list[tuple[Callable[[Path], apsw.Connection], int]] = [
    (lambda path: open_writer(path, TENANT_TABLES, UnitContext())[0], 0),
    (lambda path: open_reader(path, TENANT_TABLES, UnitContext())[0], 1),
    (lambda path: open_system_reader(path, TENANT_TABLES)[0], 1),
    (open_unguarded_reader, 1),
]


@pytest.mark.parametrize(
    ("opening", "query_only"), OPENINGS, ids=["writer", "reader", "system reader", "unguarded"]
)
def test_every_connection_has_the_settings_that_are_not_optional(
    path: Path, opening: Callable[[Path], apsw.Connection], query_only: int
) -> None:
    with closing(opening(path)) as connection:
        connection.authorizer = None  # it forbids looking
        actual = {name: connection.pragma(name) for name in (*EVERYWHERE, "query_only")}
    assert actual == EVERYWHERE | {"query_only": query_only}


def test_a_statement_is_prepared_once_whatever_is_bound(path: Path) -> None:
    context = UnitContext()
    connection, guard = open_writer(path, TENANT_TABLES, context)
    query = load_queries(Dialect.SQLITE)["list_transactions_of_interchange"]
    asked: list[int] = []
    counts: list[int] = []
    with closing(connection):
        guard.expect(query)

        def note(*what: Any) -> int:  # noqa: ANN401 - as SQLite asks
            asked.append(what[0])
            return guard(*what)

        connection.authorizer = note
        for interchange_id in (1, 2, 3):
            connection.execute(query.text, {"interchange_id": interchange_id}).fetchall()
            counts.append(len(asked))
    assert counts == [counts[0]] * 3 != [0] * 3


def test_a_setting_that_does_not_hold_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "_EVERY_CONNECTION", (("synchronous", "NORMAL", 2),))
    with pytest.raises(DatabaseRefusedError) as refusal:
        open_unguarded_reader(path)
    assert refusal.value.message == (
        "SQLite did not keep the setting synchronous=2 (it has 1), without which data could be"
        " lost. Is the data directory on a local disk?"
    )


def test_a_sqlite_that_can_corrupt_files_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.2")
    with pytest.raises(DatabaseRefusedError) as refusal:
        open_unguarded_reader(path)
    assert refusal.value.message == (
        "SQLite 3.51.2 can corrupt databases; 3.51.3 or later is needed."
        " Install the current apsw package."
    )


def test_a_database_that_is_absent_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailableError) as refusal:
        open_database(tmp_path)
    assert refusal.value.message == (
        "There is no database in the data directory. 'longshore db upgrade' creates one."
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content", [b"this is no database at all, but a text" * 100, b"SQLite format 3\0" + b"x" * 4096]
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE_FILE).write_bytes(content)
    with pytest.raises(DatabaseRefusedError) as refusal:
        migrate(tmp_path)
    assert refusal.value.message == (
        "The database file is damaged or is no SQLite database. Restore a backup."
    )
    assert (tmp_path / DATABASE_FILE).read_bytes() == content


def test_the_file_is_its_owners_alone_even_if_it_was_opened_to_others(path: Path) -> None:
    path.chmod(0o644)
    with open_database(path.parent):
        files = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert set(files.values()) == {0o600}
    assert {"longshore.db", "longshore.db-wal", "revocations", "schema.lock"} <= files.keys()


def test_the_data_directory_is_its_owners_alone(tmp_path: Path) -> None:
    prepare_data_dir(tmp_path / "a" / "data")
    assert (tmp_path / "a" / "data").stat().st_mode & 0o777 == 0o700


def test_a_data_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseRefusedError, match="cannot be created \\(Not a directory\\)"):
        prepare_data_dir(tmp_path / "file" / "data")


MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw
30 22 0:40 / {point} rw,relatime shared:2 - {kind} server:/export rw
"""


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs"])
def test_a_network_file_system_is_refused(tmp_path: Path, kind: str) -> None:
    with pytest.raises(DatabaseRefusedError) as refusal:
        refuse_network_file_system(tmp_path / "data", MOUNTS.format(point=tmp_path, kind=kind))
    assert refusal.value.message == (
        f"The data directory lies on a network file system ({kind}), where SQLite is not safe."
        " Choose a local one with --data-dir, or use PostgreSQL."
    )


@pytest.mark.parametrize(
    ("point", "kind"), [("/elsewhere", "nfs4"), ("{here}", "ext4"), ("{here}x", "nfs4")]
)
def test_a_local_directory_is_accepted(tmp_path: Path, point: str, kind: str) -> None:
    mounts = MOUNTS.format(point=point.format(here=tmp_path), kind=kind)
    refuse_network_file_system(tmp_path / "data", mounts)


def test_a_mount_point_with_a_space_is_understood(tmp_path: Path) -> None:
    mounts = MOUNTS.format(point=f"{tmp_path}\\040share", kind="nfs")
    with pytest.raises(DatabaseRefusedError, match="nfs"):
        refuse_network_file_system(Path(f"{tmp_path} share/data"), mounts)


FOR_NOW = [
    (apsw.FullError, 10, "The disk of the database is full; nothing was stored."),
    (apsw.BusyError, 1, "The database is locked by another process; nothing was stored."),
    (apsw.LockedError, 1, "The database is locked by another process; nothing was stored."),
    *(
        (kind, 10, "The database cannot be read or written now; nothing was stored.")
        for kind in (apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.NoMemError)
    ),
    *(
        (kind, 1, "The database cannot be used now; nothing was stored.")
        for kind in (apsw.PermissionsError, apsw.ProtocolError, apsw.InterruptError)
    ),
    *(
        (kind, 60, "The database file is damaged or is no SQLite database. Restore a backup.")
        for kind in (apsw.NotADBError, apsw.CorruptError, apsw.FormatError)
    ),
]


@pytest.mark.parametrize(
    ("kind", "wait", "message"), FOR_NOW, ids=lambda v: getattr(v, "__name__", "")
)
def test_what_the_machine_does_wrong_is_storage_unavailable(
    kind: type[apsw.Error], wait: int, message: str
) -> None:
    outcome = translated(kind("something with a path"))
    assert isinstance(outcome, LongshoreError)
    assert (outcome.code, outcome.retry_after_seconds, outcome.message) == (
        ErrorCode.STORAGE_UNAVAILABLE,
        wait,
        message,
    )


@pytest.mark.parametrize("kind", [apsw.ConstraintError, apsw.SQLError, apsw.MisuseError])
def test_what_the_program_does_wrong_stays_what_it_is(kind: type[apsw.Error]) -> None:
    error = kind("x")
    assert translated(error) is error


def test_a_damaged_page_is_found(path: Path) -> None:
    with open_database(path.parent) as database:
        assert (database.damaged_pages(), database.integrity_check()) == ((), ())
        with path.open("r+b") as file:
            file.seek(4096)  # page 2: the first table
            file.write(b"\xff" * 4096)
        assert database.damaged_pages() != ()
        assert database.integrity_check() != ()


def test_a_second_server_is_refused_and_may_start_after_the_first(tmp_path: Path) -> None:
    with serving(tmp_path):
        with pytest.raises(DatabaseRefusedError) as refusal, serving(tmp_path):
            pass
        with schema_lock(tmp_path):
            assert is_served(tmp_path)
    assert refusal.value.message == (
        "Another 'longshore serve' uses this data directory. Stop it, choose another directory"
        " with --data-dir, or use PostgreSQL for several servers."
    )
    assert not is_served(tmp_path)
    with serving(tmp_path):
        pass


def test_waiting_for_another_preparation_ends(tmp_path: Path) -> None:
    with (
        schema_lock(tmp_path),
        pytest.raises(DatabaseRefusedError) as refusal,
        schema_lock(tmp_path, wait_seconds=0.05),
    ):
        pass
    assert refusal.value.message == (
        "Another process has been preparing this database for 0 seconds."
        " Wait for it or end it, then try again."
    )


def announce_often(data_dir: str) -> None:
    revocations = FileRevocations(Path(data_dir))
    for _ in range(500):
        revocations.announce()
    revocations.close()


def test_announcements_of_several_processes_are_all_counted(tmp_path: Path) -> None:
    revocations = FileRevocations(tmp_path)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=announce_often, args=(str(tmp_path),)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    assert revocations.count() == 1_000
    revocations.close()
    assert (tmp_path / "revocations").stat().st_size == 8
