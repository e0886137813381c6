"""Composition root: settings to adapters to services to application.

The only module that knows everything. What the operator's commands do not need (the web framework)
is imported when a server is wired, so that ``longshore keys`` starts fast.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.service import AccountService, KeyService, bootstrap_demo
from longshore.engine import parse
from longshore.kit.clock import Clock, SystemClock
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.kit.ids import SystemIdSource
from longshore.settings import LogLevel, Settings
from longshore.storage.schema.migrate import migrate, schema_version
from longshore.storage.sqlite.database import SqliteDatabase, open_database
from longshore.storage.sqlite.lock import serving

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator
    from socket import socket

    from longshore.domain.accounts.model import IssuedKey
    from longshore.http.services import HttpServices


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


class ParseOptions(TypedDict, total=False):
    """What a caller of parse may choose, by the engine's names."""

    format: str
    elem_sep: str | None
    seg_term: str | None
    include: Collection[str]
    csv_header: bool
    release: str
    guide: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What a server that accepts connections can tell of itself.

    ``first_key``: of the account ``demo``, if this start made it. ``account_name``: one that keys
    can be made for.
    """

    address: str
    first_key: IssuedKey | None
    account_name: str


@contextmanager
def open_administration(settings: Settings) -> Iterator[Administration]:
    """Open the database for commands: before, beside or after a server.

    Makes the data directory and the database if they are absent, and migrates an old one.

    Raises:
        LongshoreError: ``storage_unavailable``: the directory or the file cannot be used.
    """
    upgrade_database(settings)
    with _open_database(settings) as database:
        yield _administration(database)


@contextmanager
def open_services(settings: Settings, address: str) -> Iterator[Services]:
    """Open everything a server at ``address`` works with; close it in reverse order.

    Raises:
        LongshoreError: ``storage_unavailable``: the database cannot be used or is damaged.
    """
    from longshore.http.services import HttpServices  # noqa: PLC0415 - servers only
    from longshore.telemetry.access import AccessLog  # noqa: PLC0415 - servers only

    clock = SystemClock()
    with (
        _open_database(settings) as database,
        closing(InlineCompute()) as compute,
        Path(os.devnull).open("wb") as nowhere,
    ):
        _refuse_damage(database.quick_check())
        authenticator = Authenticator(database.units, clock, database.revocations)
        yield Services(
            http=HttpServices(
                authenticate=authenticator.authenticate,
                compute=compute,
                parse_result=parse_result,
                check_storage=database.check,
                base_url=settings.base_url or address,
                max_body_bytes=settings.max_body_bytes,
                trusted_proxies=settings.trusted_proxies,
                access_log=AccessLog(
                    None if settings.log_level in _LEVELS_WITH_REQUESTS else nowhere
                ),
            ),
            administration=_administration(database),
            bootstrap=partial(bootstrap_demo, database.units, clock, SystemIdSource()),
        )


def serve(settings: Settings, on_started: Callable[[Started], None]) -> None:
    """Serve until SIGTERM or SIGINT, then close everything in order.

    One server per data directory. The address is taken before the first key is made, so that no
    start fails after it has made a key that nobody saw.

    Raises:
        LongshoreError: ``storage_unavailable``: the directory or the database cannot be used;
            ``invalid_parameter``: the address cannot be listened on.
    """
    from longshore.http.server import address_of, run  # noqa: PLC0415 - servers only
    from longshore.telemetry.logging import configure_logging  # noqa: PLC0415 - servers only

    configure_logging(settings.log_level)
    upgrade_database(settings)
    with ExitStack() as stack:
        with _place_errors():
            stack.enter_context(serving(settings.data_dir))
        listener = stack.enter_context(_listen(settings))
        services = stack.enter_context(open_services(settings, address_of(listener)))
        run(_serve(settings, services, listener, on_started))


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
        idle_seconds=settings.idle_deadline_seconds,
        shutdown_seconds=settings.shutdown_deadline_seconds,
    )
    app = create_app(services.http)
    server = HttpServer(app, listener, on_started=partial(on_started, started), deadlines=deadlines)
    await server.serve()


def parse_result(document: str, **chosen: Unpack[ParseOptions]) -> bytes:
    """Return the result members of a parsed document; a function a process pool can find."""
    return parse(document, **chosen).result_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseHealth:
    """What a look at the whole database found; no problem means it is sound."""

    schema_version: int
    newest_schema_version: int
    problems: tuple[str, ...]


def upgrade_database(settings: Settings) -> tuple[str, ...]:
    """Apply the migrations the database lacks and return their names.

    Raises:
        LongshoreError: ``storage_unavailable``: the directory or the file cannot be used.
    """
    with _place_errors():
        return migrate(settings.data_dir)


def check_database(settings: Settings) -> DatabaseHealth:
    """Read the whole database; changes nothing.

    Raises:
        LongshoreError: ``storage_unavailable``: there is none, or it cannot be used.
    """
    with _place_errors():
        version = schema_version(settings.data_dir)
    with _open_database(settings) as database:
        problems = database.integrity_check()
    return DatabaseHealth(
        schema_version=version.database,
        newest_schema_version=version.program,
        problems=problems,
    )


def _refuse_damage(problems: tuple[str, ...]) -> None:
    if problems:
        raise LongshoreError(
            ErrorCode.STORAGE_UNAVAILABLE,
            f"The database is damaged ({problems[0]}). Restore a backup; `longshore db check` "
            "shows everything that was found.",
        )


def _open_database(settings: Settings) -> SqliteDatabase:
    with _place_errors():
        return open_database(settings.data_dir)


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


def _administration(database: SqliteDatabase) -> Administration:
    clock = SystemClock()
    return Administration(
        accounts=AccountService(database.units, clock, database.revocations),
        keys=KeyService(database.units, clock, SystemIdSource(), database.revocations),
        clock=clock,
    )
