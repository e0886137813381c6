"""Composition root: settings to adapters to services to application.

The only module that knows everything. What the operator's commands do not need (the web framework)
is imported when a server is wired, so that ``longshore keys`` starts fast.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from longshore.background import (
    open_compute,
    open_document_queue,
    open_runner,
    prepare_process,
    purge_periodically,
    report_lost_audit_entries,
    storage_quota,
    trading_ports,
)
from longshore.compute.documents import (
    convert_result,
    inspect_result,
    parse_result,
    sample_result,
    schema_result,
    schemas_result,
    validate_result,
)
from longshore.compute.inline import InlineCompute
from longshore.database import (
    OpenSealer,
    open_any_database,
    open_sealer,
    place_errors,
    refuse_damage,
    server_address,
)
from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.service import AccountService, KeyService, bootstrap_demo
from longshore.domain.audit.service import AuditAdministration
from longshore.domain.maps.replay import ReplayService
from longshore.domain.maps.service import MapService
from longshore.domain.samples.service import SampleService
from longshore.domain.trading import open_trading
from longshore.domain.usage.service import UsageService
from longshore.domain.users.administration import UserAdministration, open_set_up
from longshore.domain.users.authentication import SessionAuthenticator
from longshore.domain.users.login import LoginService
from longshore.domain.users.own_keys import OwnKeyService
from longshore.domain.users.service import UserService
from longshore.domain.vault.service import Retention, VaultService
from longshore.kit.clock import Clock, SystemClock
from longshore.kit.ids import SystemIdSource
from longshore.listeners import (
    Listeners,
    MailboxPorts,
    open_checkers,
    serving_mailboxes,
    take_addresses,
)
from longshore.settings import LogLevel, Settings
from longshore.storage.server_address import published_address
from longshore.storage.sqlite.database import SqliteDatabase
from longshore.storage.sqlite.lock import serving
from longshore.worker.waking import WakingUnits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from longshore.compute.pool import ProcessPool
    from longshore.domain.accounts.model import IssuedKey
    from longshore.domain.ports import Sealer
    from longshore.domain.users.model import IssuedLink
    from longshore.http.server import ServedAddress
    from longshore.http.services import HttpServices
    from longshore.storage.postgres.database import PostgresDatabase
    from longshore.worker.runner_group import RunnerGroup


_LEVELS_WITH_REQUESTS: Final = frozenset({LogLevel.DEBUG, LogLevel.INFO})


@dataclass(frozen=True, slots=True, kw_only=True)
class Administration:
    """Everything that the operator's commands work with."""

    accounts: AccountService
    usage: UsageService
    keys: KeyService
    audit: AuditAdministration
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class MapAdministration:
    """Everything that the operator's commands about maps work with."""

    accounts: AccountService
    maps: MapService


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The services of a server."""

    http: HttpServices
    administration: Administration
    runner: RunnerGroup | None
    """Delivers and processes documents; None on PostgreSQL, where ``longshore worker`` does."""
    retention: Retention
    bootstrap: Callable[[], Awaitable[IssuedKey | None]]
    """Creates the account ``demo`` with a sandbox key if there is no account."""
    open_set_up: Callable[[], Awaitable[IssuedLink | None]]
    """Creates a link for the first user if there is no user."""
    mailbox_ports: MailboxPorts


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStart:
    """A server that accepts connections, as its start message describes it."""

    address: str
    first_key: IssuedKey | None
    """The key of the account ``demo``, if this start created it."""
    account_name: str
    """An account that keys can be created for."""
    base_url: str
    """The beginning of links."""
    set_up_token: str | None = field(repr=False)
    """The token of the link for the first user, if there is no user yet."""
    made_master_key: Path | None
    """The file of the master key, if this start created it."""


@asynccontextmanager
async def open_administration(settings: Settings) -> AsyncIterator[Administration]:
    """Open the database for commands, whether or not a server is running.

    ``upgrade_database`` has made it current before.

    Raises:
        LongshoreError: ``storage_unavailable``: the database cannot be used.
    """
    async with open_any_database(settings) as database:
        yield _administration(settings, database)


@asynccontextmanager
async def open_user_administration(settings: Settings) -> AsyncIterator[UserAdministration]:
    """Open the database for commands about users, as ``open_administration`` does.

    Raises:
        LongshoreError: ``storage_unavailable``: the database cannot be used.
    """
    from longshore.crypto.passwords import Argon2Hasher  # noqa: PLC0415 - slow to import

    async with open_any_database(settings) as database:
        with closing(Argon2Hasher()) as hasher:
            clock = SystemClock()
            yield UserAdministration(database.units, clock, database.revocations, hasher)


@asynccontextmanager
async def open_map_administration(
    settings: Settings, sealer: Sealer
) -> AsyncIterator[MapAdministration]:
    """Open the database for commands about maps, as ``open_administration`` does.

    Raises:
        LongshoreError: ``storage_unavailable``: the database cannot be used.
    """
    async with open_any_database(settings) as database:
        with closing(InlineCompute()) as compute:
            clock = SystemClock()
            yield MapAdministration(
                accounts=AccountService(database.units, clock, database.revocations),
                maps=MapService(database.units, sealer, clock, compute, storage_quota(settings)),
            )


@contextmanager
def open_services(
    settings: Settings,
    address: str,
    compute: InlineCompute | ProcessPool,
    database: SqliteDatabase | PostgresDatabase,
    opened: OpenSealer,
) -> Iterator[Services]:
    """Open everything else a server at ``address`` works with; close it in reverse order.

    Raises:
        LongshoreError: ``storage_unavailable``: the database is damaged.
    """
    from longshore.crypto.passwords import Argon2Hasher  # noqa: PLC0415 - slow to import
    from longshore.http.limits import Limits, LimitValues  # noqa: PLC0415 - servers only
    from longshore.http.origin import OwnAddress  # noqa: PLC0415 - servers only
    from longshore.http.services import HttpServices  # noqa: PLC0415 - servers only
    from longshore.http.storage_check import ThrottledCheck  # noqa: PLC0415 - servers only
    from longshore.telemetry.access import AccessLog  # noqa: PLC0415 - servers only
    from longshore.telemetry.metrics import Metrics  # noqa: PLC0415 - servers only

    clock, ids = SystemClock(), SystemIdSource()
    # Each limit has the name of its setting.
    limits = LimitValues(**{
        each.name: getattr(settings, each.name) for each in fields(LimitValues)
    })
    if isinstance(database, SqliteDatabase):
        refuse_damage(database.damaged_pages())
    with (
        Path(os.devnull).open("wb") as nowhere,
        closing(InlineCompute()) as threads,
        closing(Argon2Hasher()) as hasher,
    ):
        administration = _administration(settings, database)
        units, revocations, sealer = database.units, database.revocations, opened.sealer
        vault = VaultService(units, clock, sealer, threads, storage_quota(settings))
        maps = MapService(units, sealer, clock, compute, storage_quota(settings))
        ports = trading_ports(settings, database, opened, compute, threads)
        metrics, runner = Metrics(), None
        if isinstance(database, SqliteDatabase):
            runner = open_runner(
                settings, replace(ports, units=database.outbox_units), metrics, base_url=address
            )
            ports = replace(ports, units=WakingUnits(ports.units, runner.wake))
        authenticator = Authenticator(units, clock, revocations)
        trading = open_trading(ports, *open_checkers(settings, units, opened.sftp_host_key), hasher)
        login = LoginService(units, clock, ids, revocations, hasher)
        yield Services(
            http=HttpServices(
                authenticate=authenticator.authenticate,
                compute=compute,
                parse_result=parse_result,
                validate_result=validate_result,
                inspect_result=inspect_result,
                convert_result=convert_result,
                schemas_result=schemas_result,
                schema_result=schema_result,
                sample_result=sample_result,
                accounts=administration.accounts,
                usage=administration.usage,
                vault=vault,
                samples=SampleService(vault),
                maps=maps,
                replays=ReplayService(maps, vault, compute),
                trading=trading,
                sessions=SessionAuthenticator(units, clock, revocations),
                login=login,
                users=UserService(units, clock, ids, revocations, hasher),
                own_keys=OwnKeyService(units, clock, ids, revocations, login),
                own_address=OwnAddress(
                    settings.base_url or (address if settings.tls_cert else None)
                ),
                check_storage=ThrottledCheck(database.check),
                code_lists=ports.code_lists,
                base_url=settings.base_url or address,
                max_body_bytes=settings.max_body_bytes,
                trusted_proxies=settings.trusted_proxies,
                limits=Limits(limits),
                document_queue=open_document_queue(settings, trading, metrics),
                metrics=metrics,
                access_log=AccessLog(
                    None if settings.log_level in _LEVELS_WITH_REQUESTS else nowhere
                ),
            ),
            administration=administration,
            runner=runner,
            retention=Retention(units, clock),
            bootstrap=partial(bootstrap_demo, database.units, clock, ids),
            open_set_up=partial(open_set_up, database.units, clock, ids),
            mailbox_ports=MailboxPorts(trading=ports, hasher=hasher, metrics=metrics),
        )


def serve(settings: Settings, on_started: Callable[[ServerStart], None]) -> None:
    """Serve until SIGTERM or SIGINT, then close everything in order.

    One server per data directory, any number per PostgreSQL database. The address is taken before
    the first key is made, so that no start fails after it has made a key that nobody saw.

    Raises:
        LongshoreError: ``storage_unavailable``: the directory or the database cannot be used;
            ``invalid_parameter``: the address cannot be listened on.
    """
    from longshore.http.server import run  # noqa: PLC0415 - servers only

    prepare_process(settings)
    with ExitStack() as stack:
        if not settings.database_url:
            with place_errors():
                stack.enter_context(serving(settings.data_dir))
        # Before the address is taken: nobody can connect and then wait for the first process.
        compute = stack.enter_context(closing(open_compute(settings)))
        listeners = stack.enter_context(take_addresses(settings))
        server = server_address(settings, listeners.http.address)
        stack.enter_context(published_address(settings.data_dir, server))
        run(_serve(settings, compute, listeners, open_sealer(settings), on_started))


async def _serve(
    settings: Settings,
    compute: InlineCompute | ProcessPool,
    listeners: Listeners,
    opened: OpenSealer,
    on_started: Callable[[ServerStart], None],
) -> None:
    async with open_any_database(settings) as database:
        address = listeners.http.address
        with open_services(settings, address, compute, database, opened) as services:
            await report_lost_audit_entries(settings, services.administration.audit)
            first_key = await services.bootstrap()
            await services.http.trading.provisioner.provision_accounts()
            link = await services.open_set_up()
            accounts = await services.administration.accounts.list()
            started = ServerStart(
                address=address,
                first_key=first_key,
                account_name=accounts[0].name,
                base_url=services.http.base_url,
                set_up_token=None if link is None else link.token,
                made_master_key=opened.made_key,
            )
            async with serving_mailboxes(
                listeners.sftp, services.mailbox_ports, opened.sftp_host_key
            ):
                await _serve_with(settings, services, listeners.http, partial(on_started, started))


async def _serve_with(
    settings: Settings,
    services: Services,
    served: ServedAddress,
    on_started: Callable[[], None],
) -> None:
    from longshore.http.app import create_app  # noqa: PLC0415 - servers only
    from longshore.http.connections import ConnectionLimits  # noqa: PLC0415 - servers only
    from longshore.http.deadlines import Deadlines  # noqa: PLC0415 - servers only
    from longshore.http.server import HttpServer  # noqa: PLC0415 - servers only

    deadlines = Deadlines(
        header_seconds=settings.header_deadline_seconds,
        body_seconds=settings.body_deadline_seconds,
        write_seconds=settings.write_deadline_seconds,
        idle_seconds=settings.idle_deadline_seconds,
        shutdown_seconds=settings.shutdown_deadline_seconds,
    )
    app = create_app(services.http)
    server = HttpServer(
        app,
        served.listener,
        certificate=served.certificate,
        on_started=on_started,
        deadlines=deadlines,
        connection_limits=ConnectionLimits(
            max_connections=settings.max_connections,
            connections_per_client=settings.connections_per_client,
        ),
    )
    purging = asyncio.create_task(purge_periodically(services.retention))
    running = [] if services.runner is None else [asyncio.create_task(services.runner.run())]
    try:
        await server.serve()
    finally:
        if services.runner is not None:
            services.runner.stop()  # what was claimed is finished, or handed back
        purging.cancel()
        await asyncio.gather(purging, *running, return_exceptions=True)


def _administration(
    settings: Settings, database: SqliteDatabase | PostgresDatabase
) -> Administration:
    clock = SystemClock()
    return Administration(
        accounts=AccountService(database.units, clock, database.revocations),
        usage=UsageService(database.units, clock, storage_quota(settings)),
        keys=KeyService(database.units, clock, SystemIdSource(), database.revocations),
        audit=AuditAdministration(database.units),
        clock=clock,
    )
