"""Fetches files from the mailboxes of partners: one job of the outbox for each mailbox.

The job is due again and again; its lease keeps two workers from one mailbox. A file is stored as a
receipt before it is put away. It is known by its path, size, time and content, so that one which
could not be put away is stored once, whatever happened in between.

A file is fetched when it is complete: nothing has changed it for ten seconds, or since the poll
before. One that is being written has another name, by agreement.

Source: transports.md section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.delivery.model import Lease, OutboxEntry, OutboxState
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.idempotency.store import KEY_RETENTION
from longshore.domain.inbound.files import ReceivedFile, store_file
from longshore.domain.inbound.mailboxes import Mailbox, MailboxError, MailboxOpener, RemoteFile
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import (
    ConnectionType,
    FileServerConnection,
    lacks_host_key,
    mailbox_of,
)
from longshore.domain.partners.encryption import partner_of, terms_with_secrets
from longshore.domain.partners.model import ConnectionStatus, Partner, PartnerId
from longshore.domain.partners.status import takes_documents
from longshore.domain.ports import WORKER, Ports, Scope
from longshore.domain.transactions.model import Source
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.usage.errors import StorageQuotaError
from longshore.kit.environment import Environment

MAX_FILE_BYTES: Final = 25 * 1024 * 1024
"""As of a document over HTTP (reliability.md section 9)."""
MAX_FILES: Final = 100
"""The number of files that are fetched in one poll; the others follow at once in the next."""
MAX_POLLS: Final = 4
"""The number of polls that run at once in a process: hanging servers must not take all slots."""
QUIET_SPAN: Final = timedelta(seconds=10)
"""A file that has not changed for so long is complete."""

_BUSY_PAUSE: Final = timedelta(seconds=2)
_FAULT_PAUSE: Final = timedelta(minutes=5)
_MAX_REMEMBERED: Final = 10_000

_Mailbox = tuple[PartnerId, Environment]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Polled:
    """A mailbox that is polled now."""

    entry: OutboxEntry
    partner: Partner
    connection: FileServerConnection

    @property
    def key(self) -> _Mailbox:
        """The partner and the environment of the mailbox."""
        return self.partner.id, self.entry.new.environment

    @property
    def scope(self) -> Scope:
        """The scope of its units."""
        return _scope(self.entry)


class MailboxPoller:
    """The port ``delivery.ports.JobHandler`` for mailboxes."""

    def __init__(self, ports: Ports, openers: Mapping[ConnectionType, MailboxOpener]) -> None:
        """Poll with ``openers``; mailboxes of types without one are not polled."""
        self._ports = ports
        self._openers = openers
        self._running = 0
        self._seen: dict[_Mailbox, frozenset[RemoteFile]] = {}
        """The files that the last poll of this process listed, by mailbox."""
        self._stored: dict[tuple[_Mailbox, RemoteFile], ReceiptId] = {}
        """Files that are stored and not put away yet, so that they are not fetched again."""

    async def run(self, entry: OutboxEntry) -> None:
        """Poll a mailbox once; the entry is due again, unless there is no mailbox any more.

        Raises:
            LongshoreError: ``storage_unavailable``.
            SealBrokenError: The secrets of the connection are not what was stored.
        """
        if self._running >= MAX_POLLS:
            await self._put_back(entry, _BUSY_PAUSE)
            return
        self._running += 1
        try:
            polled = await self._find(entry)
            if polled is None:
                await self._finish(entry)
            else:
                await self._put_back(entry, await self._poll(polled))
        finally:
            self._running -= 1

    async def give_up(self, entry: OutboxEntry, code: str) -> None:
        """Poll again later: a mailbox is never given up."""
        del code
        await self._put_back(entry, _FAULT_PAUSE)

    async def _find(self, entry: OutboxEntry) -> _Polled | None:
        partner_id = entry.new.partner_id
        assert partner_id is not None

        async def find(unit: ReadUnit) -> _Polled | None:
            stored = await unit.partners.find(partner_id)
            assert stored is not None  # its entries are removed with it
            terms = terms_with_secrets(self._ports.sealer, stored)
            connection = mailbox_of(terms.connections.of(entry.new.environment))
            if connection is None:
                return None
            return _Polled(entry=entry, partner=partner_of(stored), connection=connection)

        return await self._ports.units.read(_scope(entry), find)

    async def _poll(self, polled: _Polled) -> timedelta:
        """Fetch what is complete; return when to poll again."""
        pause = timedelta(seconds=polled.connection.poll_seconds)
        environment = polled.entry.new.environment
        is_disabled = polled.partner.connection_status(
            environment
        ) is ConnectionStatus.DISABLED or lacks_host_key(polled.connection)
        takes = takes_documents(polled.partner.status, environment)
        opener = self._openers.get(polled.connection.type)
        if opener is None or is_disabled or not takes:
            return pause
        try:
            async with opener.open(polled.connection) as mailbox:
                is_more = await self._fetch_all(polled, mailbox)
        except MailboxError as error:
            is_other = error.kind is FailureKind.HOST_KEY_CHANGED
            status = ConnectionStatus.DISABLED if is_other else ConnectionStatus.FAILING
            await self._record_failure(polled, status, f"{error.kind}: {error}")
            return pause
        except StorageQuotaError as error:
            await self._record_failure(polled, ConnectionStatus.FAILING, f"{error.code}: {error}")
            return pause
        await self._set_status(polled, ConnectionStatus.CONNECTED)
        return timedelta(0) if is_more else pause

    async def _fetch_all(self, polled: _Polled, mailbox: Mailbox) -> bool:
        """Store the files that are complete, the oldest first; tell whether there are more."""
        listed = await mailbox.list_files()
        before, now = self._seen.get(polled.key, frozenset()), self._ports.clock.now()
        self._seen[polled.key] = frozenset(listed)
        complete = sorted(
            (each for each in listed if each in before or each.modified_at <= now - QUIET_SPAN),
            key=lambda file: (file.modified_at, file.name),
        )
        for file in complete[:MAX_FILES]:
            if file.size > MAX_FILE_BYTES:
                await self._refuse(polled, file)
                continue
            known = polled.key, file
            if known not in self._stored:
                content = await mailbox.fetch(file)
                if content is None:
                    continue
                if len(self._stored) >= _MAX_REMEMBERED:
                    self._stored.clear()
                self._stored[known] = await self._store(polled, file, content)
            await mailbox.put_away(file, self._stored[known])
            del self._stored[known]
        return len(complete) > MAX_FILES

    async def _store(self, polled: _Polled, file: RemoteFile, content: bytes) -> ReceiptId:
        """Store a file, unless it is stored; return its receipt."""
        return await store_file(self._ports, _received(polled, file, content))

    async def _refuse(self, polled: _Polled, file: RemoteFile) -> None:
        """Record in the audit log that a file is too large, once."""
        now = self._ports.clock.now()
        key = _received(polled, file, b"").key(self._ports.index)
        limit = MAX_FILE_BYTES // (1024 * 1024)
        entry = NewEntry(
            actor=WORKER,
            action="mailbox.refuse",
            object=f"partner {polled.partner.id}",
            detail=f"A file of {file.size} bytes is larger than {limit} MiB and was left there.",
        )

        async def write(unit: WriteUnit) -> None:
            if await unit.idempotency.claim(key, now, now - KEY_RETENTION) is not None:
                writer = AuditWriter(unit, self._ports.sealer, polled.entry.account_id)
                await writer.record((entry,), now)

        await self._ports.units.write(polled.scope, write)

    async def _record_failure(self, polled: _Polled, status: ConnectionStatus, detail: str) -> None:
        """Store that the mailbox cannot be polled, and record it when that begins."""
        entry = NewEntry(
            actor=WORKER,
            action="mailbox.fail",
            object=f"partner {polled.partner.id}",
            detail=detail,
        )
        await self._set_status(polled, status, entry)

    async def _set_status(
        self, polled: _Polled, status: ConnectionStatus, entry: NewEntry | None = None
    ) -> None:
        environment = polled.entry.new.environment
        if polled.partner.connection_status(environment) is status:
            return
        now = self._ports.clock.now()

        async def write(unit: WriteUnit) -> None:
            await unit.partners.set_connection_status(polled.partner.id, environment, status)
            if entry is not None:
                writer = AuditWriter(unit, self._ports.sealer, polled.entry.account_id)
                await writer.record((entry,), now)

        await self._ports.units.write(polled.scope, write)

    async def _put_back(self, entry: OutboxEntry, pause: timedelta) -> None:
        now = self._ports.clock.now()

        async def put_back(unit: WriteUnit) -> None:
            await unit.outbox.put_back(_lease(entry), now + pause, now)

        await self._ports.units.write(_scope(entry), put_back)

    async def _finish(self, entry: OutboxEntry) -> None:
        now = self._ports.clock.now()

        async def finish(unit: WriteUnit) -> None:
            await unit.outbox.finish(_lease(entry), OutboxState.DONE, now)

        await self._ports.units.write(_scope(entry), finish)


def _scope(entry: OutboxEntry) -> Scope:
    return Scope(account_id=entry.account_id, environment=entry.new.environment)


def _lease(entry: OutboxEntry) -> Lease:
    return Lease(id=entry.id, attempt=entry.attempt)


def _received(polled: _Polled, file: RemoteFile, content: bytes) -> ReceivedFile:
    path = f"{polled.connection.download_dir}/{file.name}"
    return ReceivedFile(
        account_id=polled.entry.account_id,
        environment=polled.entry.new.environment,
        partner_id=polled.partner.id,
        name=file.name,
        content=content,
        origin=f"{polled.partner.id} {file.size} {file.modified_at.isoformat()} {path}",
        source=Source(polled.connection.type),
        use=polled.connection.mailbox,
    )
