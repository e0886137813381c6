"""The folder of a mailbox from which the partner fetches files: documents that wait for it.

A document is delivered when its file was fetched whole. It waits as an entry of the outbox that is
``awaiting``, so whatever ends that entry takes the file away.

Fault points: ``mailbox.deliver.before_commit``, ``mailbox.deliver.after_commit``.

Source: transports.md section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from longshore.domain.delivery.attempt_decision import AttemptReport
from longshore.domain.delivery.attempt_end import AttemptRecorder
from longshore.domain.delivery.attempt_start import outbound_file_name
from longshore.domain.delivery.model import OutboxEntry, OutboxId, OutboxState
from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict
from longshore.domain.delivery.ports import Sent
from longshore.domain.interchanges.encryption import open_interchange
from longshore.kit.faults import fault_point

if TYPE_CHECKING:
    from datetime import datetime

    from longshore.domain.mailboxes.logins import PartnerMailbox
    from longshore.domain.ports import Ports
    from longshore.domain.units import ReadUnit, WriteUnit

MAX_FILES: Final = 100
"""The number of files that are shown; the next ones are shown when these are fetched."""
_MAX_KNOWN: Final = 10_000
_FETCHED: Final = Sent(verdict=AttemptVerdict(AttemptOutcome.SUCCEEDED), is_fetched=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingFile:
    """A document that waits in a mailbox."""

    entry_id: OutboxId
    name: str
    size: int
    """In bytes."""
    created_at: datetime


class MailboxOutbox:
    """The documents that wait in mailboxes."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._recorder = AttemptRecorder(ports)
        self._known: dict[OutboxId, WaitingFile] = {}
        """Files that were listed, which never change."""

    async def list_files(self, mailbox: PartnerMailbox) -> tuple[WaitingFile, ...]:
        """Return the files of a mailbox, the oldest first.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """

        async def find(unit: ReadUnit) -> tuple[WaitingFile, ...]:
            entries = await unit.outbox.list_waiting_files(
                mailbox.partner_id, mailbox.environment, MAX_FILES
            )
            if len(self._known) > _MAX_KNOWN:
                self._known.clear()
            for each in entries:
                if each.id not in self._known:
                    self._known[each.id] = (await self._file_of(unit, each))[0]
            return tuple(self._known[each.id] for each in entries)

        return await self._ports.units.read(mailbox.scope, find)

    async def read(self, mailbox: PartnerMailbox, file: WaitingFile) -> bytes | None:
        """Return the content of a file; None if it does not wait any more.

        Raises:
            LongshoreError: ``storage_unavailable``.
            SealBrokenError: It is not what was stored.
        """

        async def find(unit: ReadUnit) -> bytes | None:
            entry = await unit.outbox.find(file.entry_id)
            if not _is_waiting(entry, mailbox):
                return None
            assert entry is not None  # it waits
            return (await self._file_of(unit, entry))[1]

        return await self._ports.units.read(mailbox.scope, find)

    async def deliver(self, mailbox: PartnerMailbox, file: WaitingFile) -> bool:
        """Store that a file was fetched whole; False if it did not wait any more.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """

        async def write(unit: WriteUnit) -> bool:
            entry = await unit.outbox.find(file.entry_id)
            if not _is_waiting(entry, mailbox):
                return False
            assert entry is not None  # it waits
            await self._recorder.record(unit, AttemptReport(entry=entry, sent=_FETCHED))
            fault_point("mailbox.deliver.before_commit")
            return True

        is_delivered = await self._ports.units.write(mailbox.scope, write)
        fault_point("mailbox.deliver.after_commit")
        return is_delivered

    async def _file_of(self, unit: ReadUnit, entry: OutboxEntry) -> tuple[WaitingFile, bytes]:
        interchange_id = entry.new.interchange_id
        assert interchange_id is not None  # a delivery has one
        stored = await unit.interchanges.find(interchange_id)
        assert stored is not None  # its rows stay with its entry
        sets = await unit.transactions.list_of_interchange(interchange_id)
        content = open_interchange(self._ports.sealer, *stored).content
        tx_set = sets[0].transaction.record.facts.tx_set if sets else ""
        file = WaitingFile(
            entry_id=entry.id,
            name=outbound_file_name(tx_set, stored[0]),
            size=len(content),
            created_at=entry.created_at,
        )
        return file, content


def _is_waiting(entry: OutboxEntry | None, mailbox: PartnerMailbox) -> bool:
    return (
        entry is not None
        and entry.state is OutboxState.AWAITING
        and entry.new.partner_id == mailbox.partner_id
        and entry.new.environment is mailbox.environment
    )
