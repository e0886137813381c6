"""``longshore doctor``: looks at everything a start depends on, and changes nothing."""

import asyncio
import http.client
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from longshore.background import noted_heads
from longshore.cli.administration import administer
from longshore.cli.options import host_option, json_option, port_option, with_settings
from longshore.cli.terminal import EXIT_FINDINGS, EXIT_OK, print_table, write_json
from longshore.compute.inline import InlineCompute
from longshore.database import (
    MasterKeyFacts,
    check_database,
    find_running_server,
    look_at_master_key,
    master_key_path,
    open_any_database,
)
from longshore.domain.as2.expiring_certificates import As2Certificates, ExpiringCertificate
from longshore.domain.audit.chain import HeadMismatch
from longshore.domain.overview.failing_connections import (
    FailingConnection,
    list_failing_connections,
)
from longshore.domain.partners.model import ConnectionStatus
from longshore.kit.clock import SystemClock
from longshore.kit.errors import LongshoreError
from longshore.listeners import check_address
from longshore.settings import Settings
from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.postgres.backup import dump_release
from longshore.storage.postgres.checks import server_release
from longshore.storage.postgres.migrate import postgres_schema_version
from longshore.storage.schema.catalogue import SchemaVersion
from longshore.storage.schema.migrate import schema_version
from longshore.storage.sqlite.connection import OLDEST_SAFE_SQLITE, sqlite_version
from longshore.storage.sqlite.data_directory import prepare_data_dir
from longshore.wiring import Administration

_OLDEST_PYTHON: Final = (3, 11, 5)
# Room for the log of changes (64 MiB) and a backup before a migration of a small database.
_LEAST_FREE_BYTES: Final = 268_435_456
_ANSWER_SECONDS: Final = 5
_NOT_LOOKED_AT: Final = "not looked at before the first start or an upgrade"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool
    message: str


@click.command(epilog="Exit code 0: all checks passed; 1: a check failed.")
@host_option
@port_option
@json_option
@with_settings
def doctor(settings: Settings, *, as_json: bool) -> int:
    """Check Python, the port, and the database: its data directory, or its PostgreSQL server."""
    looks = _POSTGRES_CHECKS if settings.database_url else _CHECKS
    checks = [Check(name, *_outcome(look, settings)) for name, look in looks.items()]
    if as_json:
        write_json({
            "ok": all(check.ok for check in checks),
            "checks": [asdict(check) for check in checks],
        })
    else:
        rows = (("ok" if check.ok else "WRONG", check.name, check.message) for check in checks)
        print_table(("", "what", "found"), rows)
    return EXIT_OK if all(check.ok for check in checks) else EXIT_FINDINGS


_Outcome = tuple[bool, str]


def _outcome(look: Callable[[Settings], _Outcome], settings: Settings) -> _Outcome:
    try:
        return look(settings)
    except LongshoreError as refusal:
        return False, refusal.message
    except OSError as error:
        return False, f"cannot be checked: {error.strerror}"


def _python(_settings: Settings) -> _Outcome:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _OLDEST_PYTHON:
        return False, f"{found}; 3.11.5 or later is needed"
    return True, found


def _sqlite(_settings: Settings) -> _Outcome:
    found = sqlite_version()
    if tuple(map(int, found.split("."))) < OLDEST_SAFE_SQLITE:
        needed = ".".join(map(str, OLDEST_SAFE_SQLITE))
        return False, f"{found}; {needed} or later is needed: install the current apsw"
    return True, found


def _data_dir(settings: Settings) -> _Outcome:
    place = settings.data_dir
    if not place.exists():
        return True, f"{place} does not exist yet; the first start creates it"
    prepare_data_dir(place)  # it is there: this only refuses a network file system
    if not os.access(place, os.R_OK | os.W_OK | os.X_OK):
        return False, f"{place} cannot be written by this user"
    open_to_others = [path for path in _inside(place) if path.stat().st_mode & 0o077]
    if open_to_others:
        names = " ".join(str(path) for path in open_to_others)
        return False, f"others can read {names}; run chmod go= on it"
    return True, f"{place} is private and on a local disk"


def _disk(settings: Settings) -> _Outcome:
    free = shutil.disk_usage(_nearest_folder(settings.data_dir)).free
    message = f"{free // 1_048_576} MiB free"
    if free < _LEAST_FREE_BYTES:
        return False, f"{message}; {_LEAST_FREE_BYTES // 1_048_576} MiB are needed"
    return True, message


def _database(settings: Settings) -> _Outcome:
    if not schema_version(settings.data_dir).database:
        return True, "none yet; `longshore serve` or `longshore db upgrade` creates one"
    health = check_database(settings)
    if health.problems:
        return False, f"damaged: {health.problems[0]} ({len(health.problems)} problems)"
    version = f"schema version {health.schema_version} of {health.newest_schema_version}"
    if health.schema_version < health.newest_schema_version:
        return True, f"sound, {version}; the next start upgrades it"
    return True, f"sound, {version}"


def _server(settings: Settings) -> _Outcome:
    return True, f"{asyncio.run(server_release(settings.database_url))}, safe settings"


def _backup_program(settings: Settings) -> _Outcome:
    try:
        found = asyncio.run(dump_release())
    except DatabaseRefusedError:
        # Whoever has the backups of the server does not need it.
        return True, "none; 'longshore backup' and the backup before an upgrade need pg_dump"
    server = asyncio.run(server_release(settings.database_url))
    if _major(found) < _major(server):
        return False, f"pg_dump {found} cannot read a server of {server}; install a later one"
    return True, f"pg_dump {found}"


def _major(release: str) -> int:
    return int(release.partition(".")[0])


def _postgres_database(settings: Settings) -> _Outcome:
    schema = asyncio.run(postgres_schema_version(settings.database_url))
    if schema.database == 0:
        return True, "no tables yet; the first start creates them"
    version = f"schema version {schema.database} of {schema.program}"
    if schema.database < schema.program:
        return True, f"{version}; the next start backs it up and upgrades it"
    check_database(settings)
    return True, f"protected and writable, {version}"


def _master_key(settings: Settings) -> _Outcome:
    path = master_key_path(settings)
    schema = _schema(settings)
    if not schema.database:
        return True, "none yet; the first start creates it"
    if schema.database < schema.program:
        return True, f"{path}; it can be compared once the database is upgraded"
    return _fit(look_at_master_key(settings))


def _audit_log(settings: Settings) -> _Outcome:
    heads = noted_heads(settings.audit_heads_file)
    schema = _schema(settings)
    if not heads or schema.database < schema.program:
        return True, "not compared: no heads were noted (setting audit_heads_file)"

    async def compare(admin: Administration) -> Sequence[HeadMismatch]:
        return await admin.audit.find_mismatches(heads)

    lost = administer(settings, compare)
    if lost:
        return False, str(lost[0])
    return True, f"contains all {len(heads)} noted heads"


def _as2_certificates(settings: Settings) -> _Outcome:
    schema = _schema(settings)
    if not schema.database or schema.database < schema.program:
        return True, _NOT_LOOKED_AT
    now = SystemClock().now()

    async def look() -> Sequence[ExpiringCertificate]:
        async with open_any_database(settings) as database:
            with closing(InlineCompute()) as compute:
                return await As2Certificates(database.units).list_expiring(now, compute)

    found = sorted(asyncio.run(look()), key=lambda each: each.facts.not_after)
    if not found:
        return True, "none has expired or expires within 30 days"
    first = found[0]
    expired = sum(each.facts.not_after <= now for each in found)
    message = (
        f"{expired} expired, {len(found) - expired} expiring within 30 days; the first is that of"
        f" {first.holder} {first.holder_id} ({first.environment}) of account {first.account_id},"
        f" until {first.facts.not_after:%Y-%m-%d}"
    )
    return not expired, message


def _connections(settings: Settings) -> _Outcome:
    schema = _schema(settings)
    if not schema.database or schema.database < schema.program:
        return True, _NOT_LOOKED_AT

    async def look() -> Sequence[FailingConnection]:
        async with open_any_database(settings) as database:
            return await list_failing_connections(database.units)

    found = asyncio.run(look())
    if not found:
        return True, "none of partners or webhook endpoints is failing or disabled"
    first = found[0]
    disabled = sum(each.status is ConnectionStatus.DISABLED for each in found)
    return False, (
        f"{len(found) - disabled} failing, {disabled} disabled; the first is that of {first.holder}"
        f" {first.holder_id} ({first.environment}) of account {first.account_id}"
    )


def _fit(facts: MasterKeyFacts) -> _Outcome:
    path = facts.path
    known = " ".join(sorted(each.hex() for each in facts.known_ids))
    if facts.key_id is None:
        if known:
            return False, f"{path} does not exist, but the database was encrypted with {known}"
        return True, f"{path} does not exist yet; the first start creates it"
    found = facts.key_id.hex()
    if known and facts.key_id not in facts.known_ids:
        return False, f"{path} is the key {found}, but the database was encrypted with {known}"
    if path.stat().st_mode & 0o077:
        return False, f"others can read {path}; run chmod go= on it"
    return (
        True,
        f"{path} is private and matches the database ({found}); keep a copy in a safe place",
    )


def _schema(settings: Settings) -> SchemaVersion:
    if settings.database_url:
        return asyncio.run(postgres_schema_version(settings.database_url))
    return schema_version(settings.data_dir)


def _port(settings: Settings) -> _Outcome:
    server = find_running_server(settings)
    where = urlsplit(server.address) if server else None
    if where and settings.port in {Settings().port, where.port}:
        place = f"{where.hostname} port {where.port}"
        if _answers(where.hostname or "", where.port):
            return True, f"Longshore answers on {place}"
        return False, f"Longshore runs on {place} and does not answer"
    place = f"{settings.host} port {settings.port}"
    if _answers(settings.host, settings.port):
        return True, f"Longshore answers on {place}"
    check_address(settings)
    return True, f"{place} is free"


def _answers(host: str, port: int | None) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=_ANSWER_SECONDS)
    try:
        connection.request("GET", "/healthz")
        response = connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return response.status == http.client.OK and "X-Request-Id" in response.headers


def _inside(place: Path) -> Iterator[Path]:
    yield place
    yield from sorted(path for path in place.iterdir() if path.is_file())


def _nearest_folder(place: Path) -> Path:
    place = place.absolute()
    return next(folder for folder in (place, *place.parents) if folder.is_dir())


_CHECKS: Final = {
    "Python": _python,
    "SQLite": _sqlite,
    "data directory": _data_dir,
    "disk": _disk,
    "database": _database,
    "master key": _master_key,
    "audit log": _audit_log,
    "AS2 certificates": _as2_certificates,
    "connections": _connections,
    "port": _port,
}
_POSTGRES_CHECKS: Final = {
    "Python": _python,
    "PostgreSQL": _server,
    "backup program": _backup_program,
    "database": _postgres_database,
    "master key": _master_key,
    "audit log": _audit_log,
    "AS2 certificates": _as2_certificates,
    "connections": _connections,
    "port": _port,
}
