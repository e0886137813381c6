"""Composition root: settings to adapters to services to application.

The only module that knows everything. What the operator's commands do not need (the web framework)
is imported when a server is wired, so that ``longshore keys`` starts fast.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from longshore.compute import documents
from longshore.compute.documents import (
    parse_result,
    schema_result,
    schemas_result,
    validate_result,
)
from longshore.compute.inline import InlineCompute
from longshore.compute.memory import return_large_blocks
from longshore.compute.pool import ProcessPool
from longshore.compute.worker import WorkLimits
from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.service import AccountService, KeyService, bootstrap_demo
from longshore.kit.clock import Clock, SystemClock
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.kit.ids import SystemIdSource
from longshore.settings import LogLevel, Settings
from longshore.storage.schema.catalogue import SchemaVersion
from longshore.storage.schema.migrate import migrate, schema_version
from longshore.storage.sqlite.database import SqliteDatabase, open_database
from longshore.storage.sqlite.lock import serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from socket import socket

    from longshore.domain.accounts.model import IssuedKey
    from longshore.http.services import HttpServices
    from longshore.storage.postgres.database import PostgresDatabase


_LEVELS_WITH_REQUESTS: Final = frozenset({LogLevel.DEBUG, LogLevel.INFO})


@dataclass(frozen=True, slots=True, kw_only=True)
class Administration:
    """What the operator's commands work with."""

    accounts: AccountService
    keys: KeyService
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What a server works with.

    ``bootstrap`` makes the account ``demo`` with a sandbox key if there is no account.
    """

    http: HttpServices
    administration: Administration
    bootstrap: Callable[[], Awaitable[IssuedKey | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What a server that accepts connections can tell of itself.

    ``first_key``: of the account ``demo``, if this start made it. ``account_name``: one that keys
    can be made for.
    """

    address: str
    first_key: IssuedKey | None
    account_name: str


@asynccontextmanager
async def open_administration(settings: Settings) -> AsyncIterator[Administration]:
    """Open the database for commands: before, beside or after a server.

    ``upgrade_database`` has made it current before.

    Raises:
        LongshoreError: ``storage_unavailable``: the database cannot be used.
    """
    async with _open_database(settings) as database:
        yield _administration(database)


@contextmanager
def open_services(
    settings: Settings,
    address: str,
    compute: InlineCompute | ProcessPool,
    database: SqliteDatabase | PostgresDatabase,
) -> Iterator[Services]:
    """Open everything else a server at ``address`` works with; close it in reverse order.

    Raises:
        LongshoreError: ``storage_unavailable``: the database is damaged.
    """
    from longshore.http.limits import Limits, LimitValues  # noqa: PLC0415 - servers only
    from longshore.http.services import HttpServices  # noqa: PLC0415 - servers only
    from longshore.telemetry.access import AccessLog  # noqa: PLC0415 - servers only

    clock = SystemClock()
    limits = LimitValues(
        requests_per_minute=settings.requests_per_minute,
        request_burst=settings.request_burst,
        submits_per_minute=settings.submits_per_minute,
        concurrent_documents=settings.concurrent_documents,
        bytes_in_flight=settings.bytes_in_flight,
        queue_seconds=settings.queue_seconds,
    )
    if isinstance(database, SqliteDatabase):
        _refuse_damage(database.quick_check())
    with Path(os.devnull).open("wb") as nowhere:
        authenticator = Authenticator(database.units, clock, database.revocations)
        yield Services(
            http=HttpServices(
                authenticate=authenticator.authenticate,
                compute=compute,
                parse_result=parse_result,
                validate_result=validate_result,
                schemas_result=schemas_result,
                schema_result=schema_result,
                check_storage=database.check,
                base_url=settings.base_url or address,
                max_body_bytes=settings.max_body_bytes,
                trusted_proxies=settings.trusted_proxies,
                limits=Limits(limits),
                access_log=AccessLog(
                    None if settings.log_level in _LEVELS_WITH_REQUESTS else nowhere
                ),
            ),
            administration=_administration(database),
            bootstrap=partial(bootstrap_demo, database.units, clock, SystemIdSource()),
        )


def serve(settings: Settings, on_started: Callable[[Started], None]) -> None:
    """Serve until SIGTERM or SIGINT, then close everything in order.

    One server per data directory, any number per PostgreSQL database. The address is taken before
    the first key is made, so that no start fails after it has made a key that nobody saw.

    Raises:
        LongshoreError: ``storage_unavailable``: the directory or the database cannot be used;
            ``invalid_parameter``: the address cannot be listened on.
    """
    from longshore.http.server import run  # noqa: PLC0415 - servers only
    from longshore.telemetry.logging import configure_logging  # noqa: PLC0415 - servers only

    configure_logging(settings.log_level)
    return_large_blocks()
    upgrade_database(settings)
    with ExitStack() as stack:
        if not settings.database_url:
            with _place_errors():
                stack.enter_context(serving(settings.data_dir))
        # Before the address is taken: nobody can connect and then wait for the first process.
        compute = stack.enter_context(closing(_open_compute(settings)))
        listener = stack.enter_context(_listen(settings))
        run(_serve(settings, compute, listener, on_started))


def _open_compute(settings: Settings) -> InlineCompute | ProcessPool:
    if settings.document_workers == 0:
        return InlineCompute()
    cores = os.cpu_count() or 1
    worker_count = (
        max(1, cores - 1) if settings.document_workers == "auto" else settings.document_workers
    )
    limits = WorkLimits(
        cpu_seconds=settings.document_cpu_seconds, memory_bytes=settings.worker_memory_bytes
    )
    return ProcessPool(worker_count, limits=limits, preload=(documents.__name__,))


def check_address(settings: Settings) -> None:
    """Take the address to serve on and give it back.

    Raises:
        LongshoreError: ``invalid_parameter``: it cannot be listened on.
    """
    _listen(settings).close()


def _listen(settings: Settings) -> socket:
    from longshore.http.server import listen  # noqa: PLC0415 - servers only

    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # Python repeats the address there
        raise LongshoreError(
            ErrorCode.INVALID_PARAMETER,
            f"{settings.host} port {settings.port} cannot be listened on: {reason}. "
            "Choose another with --port or --host.",
        ) from error


async def _serve(
    settings: Settings,
    compute: InlineCompute | ProcessPool,
    listener: socket,
    on_started: Callable[[Started], None],
) -> None:
    from longshore.http.server import address_of  # noqa: PLC0415 - servers only

    async with _open_database(settings) as database:
        with open_services(settings, address_of(listener), compute, database) as services:
            await _serve_with(settings, services, listener, on_started)


async def _serve_with(
    settings: Settings,
    services: Services,
    listener: socket,
    on_started: Callable[[Started], None],
) -> None:
    from longshore.http.app import create_app  # noqa: PLC0415 - servers only
    from longshore.http.protocol import Deadlines  # noqa: PLC0415 - servers only
    from longshore.http.server import HttpServer, address_of  # noqa: PLC0415 - servers only

    first_key = await services.bootstrap()
    accounts = await services.administration.accounts.list()
    started = Started(
        address=address_of(listener), first_key=first_key, account_name=accounts[0].name
    )
    deadlines = Deadlines(
        header_seconds=settings.header_deadline_seconds,
        body_seconds=settings.body_deadline_seconds,
        write_seconds=settings.write_deadline_seconds,
        idle_seconds=settings.idle_deadline_seconds,
        shutdown_seconds=settings.shutdown_deadline_seconds,
    )
    app = create_app(services.http)
    server = HttpServer(app, listener, on_started=partial(on_started, started), deadlines=deadlines)
    await server.serve()


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseHealth:
    """What a look at the whole database found; no problem means it is sound."""

    schema_version: int
    newest_schema_version: int
    problems: tuple[str, ...]


def upgrade_database(settings: Settings, *, is_saved: bool = False) -> tuple[str, ...]:
    """Apply the migrations the database lacks and return their names.

    Makes the data directory and the database in it if they are absent. A database with content is
    backed up into the data directory first; ``is_saved``: not on PostgreSQL, the operator has one.

    Raises:
        LongshoreError: ``storage_unavailable``: the database or its place cannot be used, or the
            backup failed.
    """
    if settings.database_url:
        from longshore.storage.postgres.migrate import migrate_postgres  # noqa: PLC0415 - if used
        from longshore.storage.postgres.saving import saving_to  # noqa: PLC0415 - if used

        url = settings.database_url
        save = None if is_saved else saving_to(settings.data_dir, url, SystemClock())
        return asyncio.run(migrate_postgres(url, save=save))
    with _place_errors():
        return migrate(settings.data_dir)


def check_database(settings: Settings) -> DatabaseHealth:
    """Read the whole database; changes nothing.

    Raises:
        LongshoreError: ``storage_unavailable``: there is none, or it cannot be used.
    """
    version, problems = asyncio.run(_look_at_database(settings))
    return DatabaseHealth(
        schema_version=version.database,
        newest_schema_version=version.program,
        problems=problems,
    )


async def _look_at_database(settings: Settings) -> tuple[SchemaVersion, tuple[str, ...]]:
    if settings.database_url:
        from longshore.storage.postgres.migrate import (  # noqa: PLC0415 - if used
            postgres_schema_version,
        )

        version = await postgres_schema_version(settings.database_url)
    else:
        with _place_errors():
            version = schema_version(settings.data_dir)
    async with _open_database(settings) as database:
        if isinstance(database, SqliteDatabase):
            return version, database.integrity_check()
        await database.check()
        return version, ()


def _refuse_damage(problems: tuple[str, ...]) -> None:
    if problems:
        raise LongshoreError(
            ErrorCode.STORAGE_UNAVAILABLE,
            f"The database is damaged ({problems[0]}). Restore a backup; `longshore db check` "
            "shows everything that was found.",
        )


@asynccontextmanager
async def _open_database(settings: Settings) -> AsyncIterator[SqliteDatabase | PostgresDatabase]:
    if settings.database_url:
        from longshore.storage.postgres.database import open_postgres  # noqa: PLC0415 - if used

        async with open_postgres(settings.database_url) as postgres:
            yield postgres
    else:
        with _place_errors():
            sqlite = open_database(settings.data_dir)
        with sqlite:
            yield sqlite


@contextmanager
def _place_errors() -> Iterator[None]:
    """Refuse with one line what the file system refuses.

    Raises:
        LongshoreError: ``storage_unavailable``.
    """
    try:
        yield
    except OSError as error:
        raise LongshoreError(
            ErrorCode.STORAGE_UNAVAILABLE,
            f"The data directory cannot be used: {error.strerror}. "
            "Choose another with --data-dir, or correct its owner and modes.",
        ) from error


def _administration(database: SqliteDatabase | PostgresDatabase) -> Administration:
    clock = SystemClock()
    return Administration(
        accounts=AccountService(database.units, clock, database.revocations),
        keys=KeyService(database.units, clock, SystemIdSource(), database.revocations),
        clock=clock,
    )
