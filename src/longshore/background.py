"""The part of the composition root for work outside requests: sending and processing.

Two commands use it: ``longshore serve`` on SQLite, which does the work itself, and
``longshore worker`` for PostgreSQL.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from longshore.compute import documents
from longshore.compute.documents import convert_result
from longshore.compute.inline import InlineCompute
from longshore.compute.memory import return_large_blocks
from longshore.compute.pool import ProcessPool
from longshore.compute.worker import WorkLimits
from longshore.database import (
    OpenSealer,
    code_list_file,
    open_any_database,
    open_sealer,
    require_database,
    upgrade_database,
)
from longshore.domain.acks.overdue import OverdueAckChecker
from longshore.domain.as2.expiring_certificates import ExpiringCertificateChecker
from longshore.domain.as2.receipt_delivery import As2ReceiptSender
from longshore.domain.audit.chain import NotedHead, read_heads
from longshore.domain.definitions.cache import DefinitionCache
from longshore.domain.delivery.held_entries import Releaser
from longshore.domain.delivery.model import JobKind
from longshore.domain.delivery.overdue_receipts import OverdueReceiptChecker
from longshore.domain.delivery.ports import JobHandlers
from longshore.domain.delivery.worker import Worker
from longshore.domain.inbound.mailbox_jobs import MailboxScheduler
from longshore.domain.inbound.polling import MailboxPoller
from longshore.domain.inbound.processor import Processor
from longshore.domain.maps.runner import SavedMapRunner
from longshore.domain.maps.service import MapService
from longshore.domain.pairing.overdue import OverdueResponseChecker
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.ports import Ports, StorageQuota
from longshore.domain.webhooks.delivery import WebhookSender
from longshore.domain.webhooks.queue import EventFanOut
from longshore.domain.webhooks.retention import WebhookRetention
from longshore.kit.clock import Clock, SystemClock
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.kit.faults import FAULT_VARIABLE, arm
from longshore.kit.ids import SystemIdSource
from longshore.storage.sqlite.database import SqliteDatabase
from longshore.telemetry.logging import configure_logging, describe, get_logger
from longshore.transport import as2, webhook
from longshore.transport.addresses import Destinations
from longshore.transport.as2_simulator import As2OrSimulator
from longshore.transport.counted import Counted
from longshore.transport.egress import Egress
from longshore.transport.ftps import Ftps
from longshore.transport.http_push import HttpPush
from longshore.transport.mailboxes import FolderMailboxes
from longshore.transport.partner_mailbox import PartnerMailboxes
from longshore.transport.sftp import Sftp
from longshore.transport.simulator import Simulator
from longshore.transport.webhook import WebhookClient
from longshore.worker.abandoned import (
    CONFIRM_SECONDS,
    LOOK_SECONDS,
    AbandonedLeases,
    SoleWorkerRegistry,
    WorkerRegistry,
)
from longshore.worker.persistence import PersistentUnits
from longshore.worker.runner import PeriodicTask, Runner, WorkerConfig
from longshore.worker.runner_group import RunnerGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from longshore.domain.audit.service import AuditAdministration
    from longshore.domain.delivery.ports import Transports
    from longshore.domain.ports import Compute, Sealer
    from longshore.domain.trading import Trading
    from longshore.domain.units import Units
    from longshore.domain.vault.service import Retention
    from longshore.http.document_queue import DocumentQueue
    from longshore.settings import Settings
    from longshore.storage.postgres.database import PostgresDatabase
    from longshore.telemetry.metrics import Metrics

OVERDUE_SECONDS: Final = 30.0
RELEASE_SECONDS: Final = 5.0
RECEIPT_SECONDS: Final = 10.0
FAN_OUT_SECONDS: Final = 1.0
WEBHOOK_CONCURRENCY: Final = 16
MAILBOX_SECONDS: Final = 10.0
CERTIFICATE_SECONDS: Final = 3_600
PURGE_SECONDS: Final = 3_600

_NAME_BYTES: Final = 4


def trading_ports(
    settings: Settings,
    database: SqliteDatabase | PostgresDatabase,
    opened: OpenSealer,
    compute: InlineCompute | ProcessPool,
    threads: InlineCompute,
) -> Ports:
    """Return what the services that exchange documents are made of.

    Raises:
        LongshoreError: invalid_parameter: a line of the operator's own codes is wrong.
    """
    clock, sealer = SystemClock(), opened.sealer
    code_lists = code_list_file(settings)
    code_lists.open()
    return Ports(
        units=database.units,
        clock=clock,
        ids=SystemIdSource(),
        sealer=sealer,
        index=opened.index,
        compute=compute,
        threads=threads,
        maps=_map_runner(database.units, sealer, clock, compute),
        cursor_key=opened.cursor_key,
        destinations=Destinations(settings.allowed_networks),
        quota=storage_quota(settings),
        code_lists=code_lists.current,
        definitions=DefinitionCache(database.units, sealer, clock, database.revocations, threads),
    )


def storage_quota(settings: Settings) -> StorageQuota:
    """Return the quota of accounts that have none of their own."""
    return StorageQuota(
        max_bytes=settings.max_stored_bytes, max_records=settings.max_stored_records
    )


def _map_runner(units: Units, sealer: Sealer, clock: Clock, compute: Compute) -> SavedMapRunner:
    return SavedMapRunner(MapService(units, sealer, clock, compute), clock, compute, convert_result)


def open_runner(
    settings: Settings,
    ports: Ports,
    metrics: Metrics,
    registry: WorkerRegistry | None = None,
    base_url: str = "",
) -> RunnerGroup:
    """Return the loops that process the outbox of a database and run its periodic tasks.

    Args:
        settings: Settings of the process.
        ports: What the services need from outside.
        metrics: Counts delivery attempts and overdue acknowledgements.
        registry: The workers on the database; None if this process owns it.
        base_url: The address of the server, for partners; the setting of this name comes first.
    """
    units = PersistentUnits(ports.units)
    ports = replace(ports, units=units)
    sealer, clock = ports.sealer, ports.clock
    file_servers = open_file_servers(settings)
    as2_transport = as2.As2(
        Egress(settings.allowed_networks, deadline_seconds=as2.DEADLINE_SECONDS),
        clock,
        ports.compute,
        settings.base_url or base_url,
    )
    transports_by_type: Transports = {
        ConnectionType.HTTP: HttpPush(Egress(settings.allowed_networks), clock),
        ConnectionType.AS2: As2OrSimulator(as2_transport, clock, ports.compute),
        ConnectionType.MAILBOX: PartnerMailboxes(),
        ConnectionType.SIMULATOR: Simulator(ports.compute),
        **file_servers,
    }
    transports = {
        kind: Counted(transport, metrics.delivery_attempted)
        for kind, transport in transports_by_type.items()
    }
    worker = Worker(
        ports,
        transports,
        JobHandlers(
            {
                JobKind.AS2_RECEIPT: As2ReceiptSender(ports, as2_transport),
                JobKind.POLL: MailboxPoller(ports, mailboxes_of(file_servers)),
            },
            Processor(ports),
        ),
        owner=f"{os.getpid()}-{ports.ids.token_bytes(_NAME_BYTES).hex()}",
    )
    overdue = OverdueAckChecker(units, sealer, clock)

    async def mark_overdue() -> None:
        metrics.acks_overdue(await overdue.run_once())

    releaser = Releaser(ports, transports.keys())
    overdue_receipts = OverdueReceiptChecker(ports)
    abandoned = AbandonedLeases(
        worker,
        SoleWorkerRegistry() if registry is None else registry,
        confirm_seconds=0.0 if registry is None else CONFIRM_SECONDS,
    )
    periodic_tasks = (
        PeriodicTask(name="overdue", seconds=OVERDUE_SECONDS, run=mark_overdue),
        PeriodicTask(
            name="responses",
            seconds=OVERDUE_SECONDS,
            run=OverdueResponseChecker(units, sealer, clock).run_once,
        ),
        PeriodicTask(name="release", seconds=RELEASE_SECONDS, run=releaser.run_once),
        PeriodicTask(name="receipts", seconds=RECEIPT_SECONDS, run=overdue_receipts.run_once),
        PeriodicTask(
            name="mailboxes", seconds=MAILBOX_SECONDS, run=MailboxScheduler(ports).run_once
        ),
        PeriodicTask(
            name="certificates",
            seconds=CERTIFICATE_SECONDS,
            run=ExpiringCertificateChecker(ports).run_once,
        ),
        *(
            ()
            if registry is None
            else (PeriodicTask(name="leases", seconds=LOOK_SECONDS, run=abandoned.run_once),)
        ),
    )
    config = WorkerConfig(
        concurrency=settings.concurrent_jobs, grace_seconds=settings.shutdown_deadline_seconds
    )
    return RunnerGroup(
        Runner(worker, periodic_tasks, config, units, on_start=abandoned.run_once),
        _webhook_runner(settings, ports, units, (worker.owner, settings.base_url or base_url)),
    )


def _webhook_runner(
    settings: Settings, ports: Ports, units: PersistentUnits, texts: tuple[str, str]
) -> Runner:
    """Return the loop that calls webhook endpoints, under the name of the worker of documents."""
    owner, base_url = texts
    client = WebhookClient(
        Egress(settings.allowed_networks, deadline_seconds=webhook.DEADLINE_SECONDS), ports.clock
    )
    sender = WebhookSender(ports, client, base_url)
    worker = Worker(ports, {}, sender, owner=owner, for_webhooks=True)
    fan_out = EventFanOut(units, ports.clock)

    async def queue_new_events() -> None:
        if await fan_out.run_once():
            runner.wake()

    retention = WebhookRetention(units, ports.clock)
    periodic_tasks = (
        PeriodicTask(name="webhooks", seconds=FAN_OUT_SECONDS, run=queue_new_events),
        PeriodicTask(name="webhook_retention", seconds=PURGE_SECONDS, run=retention.run_once),
    )
    grace = settings.shutdown_deadline_seconds
    config = WorkerConfig(concurrency=WEBHOOK_CONCURRENCY, grace_seconds=grace)
    runner = Runner(worker, periodic_tasks, config, units)
    return runner


def open_file_servers(settings: Settings) -> dict[ConnectionType, Sftp | Ftps]:
    """Return the transports by files; without its package, an extra, there is none for SFTP."""
    egress = Egress(settings.allowed_networks)
    found: dict[ConnectionType, Sftp | Ftps] = {ConnectionType.FTPS: Ftps(egress)}
    return found if find_spec("asyncssh") is None else {**found, ConnectionType.SFTP: Sftp(egress)}


def mailboxes_of(
    file_servers: Mapping[ConnectionType, Sftp | Ftps],
) -> dict[ConnectionType, FolderMailboxes]:
    """Return what opens mailboxes, by the type of their connections."""
    return {kind: FolderMailboxes(each.open_files) for kind, each in file_servers.items()}


def open_document_queue(settings: Settings, trading: Trading, metrics: Metrics) -> DocumentQueue:
    """Return the queue of documents to be stored, which looks at the age of the outbox."""
    from longshore.http.document_queue import DocumentQueue  # noqa: PLC0415 - servers only

    seconds = settings.document_wait_seconds, settings.late_delivery_seconds
    queue = DocumentQueue(*seconds, trading.backlog.oldest_seconds, metrics.document_refused)
    metrics.count_waiting_documents = queue.__len__
    return queue


def open_compute(settings: Settings) -> InlineCompute | ProcessPool:
    """Return where documents are worked on: processes of their own, or threads of this one."""
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


def prepare_process(settings: Settings) -> None:
    """Do what comes first in a process that stays: log lines, memory, a current database.

    Raises:
        LongshoreError: ``storage_unavailable``: the database cannot be used.
    """
    arm(os.environ.get(FAULT_VARIABLE, ""))  # noqa: TID251 - an order of the fault tests, no setting
    configure_logging(settings.log_level)
    return_large_blocks()
    upgrade_database(settings)


def work(settings: Settings, on_started: Callable[[], None]) -> None:
    """Do what the outbox holds until SIGTERM or SIGINT; any number of processes next to servers.

    Raises:
        LongshoreError: ``invalid_parameter``: there is no PostgreSQL database;
            ``storage_unavailable``: it cannot be used.
    """
    from longshore.http.server import run  # noqa: PLC0415 - the event loop, servers and workers only

    if not settings.database_url:
        raise LongshoreError(
            ErrorCode.INVALID_PARAMETER,
            "There is no PostgreSQL database to work on: name it with --database-url. On a data "
            "directory `longshore serve` does this work itself.",
        )
    require_database(settings)
    prepare_process(settings)
    with closing(open_compute(settings)) as compute:
        run(_work(settings, compute, open_sealer(settings), on_started))


async def _work(
    settings: Settings,
    compute: InlineCompute | ProcessPool,
    opened: OpenSealer,
    on_started: Callable[[], None],
) -> None:
    from longshore.telemetry.metrics import Metrics  # noqa: PLC0415 - servers and workers only

    async with open_any_database(settings) as database:
        with closing(InlineCompute()) as threads:
            ports = trading_ports(settings, database, opened, compute, threads)
            # Nobody can ask a worker for its numbers: a server tells of the outbox for it.
            registry = None if isinstance(database, SqliteDatabase) else database.registry
            runner = open_runner(settings, ports, Metrics(), registry)
            loop = asyncio.get_running_loop()
            for each in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(each, runner.stop)
            on_started()
            await runner.run()


async def purge_periodically(retention: Retention) -> None:
    """Remove what is older than accounts retain it, each hour until it is cancelled."""
    log = get_logger("longshore.retention")
    while True:
        # Whatever fails now may work in an hour: nothing but the stop ends this.
        (outcome,) = await asyncio.gather(retention.purge(), return_exceptions=True)
        if isinstance(outcome, BaseException):
            log.warning("purge_failed", **describe(outcome))
        elif outcome:
            log.info("documents_purged", count=outcome)
        await asyncio.sleep(PURGE_SECONDS)


async def report_lost_audit_entries(settings: Settings, audit: AuditAdministration) -> None:
    """Log each audit log that does not contain the head that was noted of it.

    The server starts all the same: a restored backup is a usual reason, and it has to work.
    """
    for each in await audit.find_mismatches(noted_heads(settings.audit_heads_file)):
        get_logger("longshore.audit").error("audit_log_differs", found=str(each))


def noted_heads(file: str) -> Sequence[NotedHead]:
    """Return the heads in a file that the operator kept; ``""``: none were noted.

    Raises:
        LongshoreError: ``invalid_parameter``: the file cannot be read or is something else.
    """
    if not file:
        return ()
    try:
        text = Path(file).read_text("utf-8", "replace")
    except OSError as error:
        raise LongshoreError(
            ErrorCode.INVALID_PARAMETER,
            f"The file of audit heads cannot be read: {error.strerror}.",
        ) from error
    return read_heads(text)
