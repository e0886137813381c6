"""Processes what was received: the worker's handler of receipts, releases and replays.

    bytes → interchanges (pure, outside the loop) → assessed by what is stored, maps run, sealed
          → one unit that stores all of it and ends the entry

The unit checks that nothing has changed since; else the bytes are prepared again. An entry is
ended by the holder of its lease alone, so that of two workers on one entry one has an effect.

Fault points: those of ``inbound.repository`` and ``inbound.failure``,
``processing.record.after_commit`` and ``processing.give_up.after_commit``.

Source: architecture.md section 6, x12.md sections 2 to 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

from longshore.domain.delivery.model import JobKind, OutboxEntry
from longshore.domain.inbound.dispositions import PROCESSING_MODES
from longshore.domain.inbound.failure import FailedJobRecorder
from longshore.domain.inbound.parser import ParsedInterchange, ParserOptions, Piece, read_received
from longshore.domain.inbound.preparation import (
    LONG_BYTES,
    Job,
    LeaseLostError,
    ReceiptPreparer,
    StalePreparationError,
)
from longshore.domain.inbound.replay import record_replay
from longshore.domain.inbound.repository import record_received
from longshore.domain.inbound.rows import NOBODY, InterchangeOrigin
from longshore.domain.interchanges.encryption import (
    OpenedContent,
    open_interchange,
    open_receipt,
    seal_content,
)
from longshore.domain.interchanges.store import Interchange, ReceiptId, SealedContent, StoredReceipt
from longshore.domain.interchanges.writer import ANSWER_UNTIL, MAILBOX
from longshore.domain.outbound.templates import MAX_INLINE_VALIDATION_CHARS
from longshore.domain.partners.connections import MailboxUse
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import Partner
from longshore.domain.ports import WORKER, Ports, RequestContext, Scope, SealBrokenError, Sealer
from longshore.domain.transactions.model import TransactionId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.faults import fault_point

_MAX_TRIES: Final = 100
"""Another with the same number has to be stored in each of them between assessment and unit."""


class Processor:
    """The port ``delivery.ports.JobHandler`` for what was received."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def run(self, entry: OutboxEntry) -> None:
        """Do an entry and end it; nothing is kept if it is another worker's by now.

        Raises:
            LongshoreError: ``storage_unavailable``, ``overloaded``.
            StalePreparationError: Others were always sooner.
            SealBrokenError: What is stored is not what was received.
        """
        job = await self._job(entry)
        for _ in range(_MAX_TRIES - 1):
            try:
                await self._try(job, entry)
            except StalePreparationError:
                continue
            except LeaseLostError:
                pass
            return
        await self._try(job, entry)

    async def give_up(self, entry: OutboxEntry, code: str) -> None:
        """End an entry that cannot be done; what it was about is shown as failed.

        Raises:
            LongshoreError: ``storage_unavailable``.
            StalePreparationError: The interchange was changed meanwhile.
        """
        found = await self._ports.units.read(_scope(entry), partial(_find, entry))
        content, facts = await self._opened_or_nothing(found)
        # The members sent with the document are stored with its bytes, for a replay.
        parts = seal_content(self._ports.sealer, content, facts)
        now = self._ports.clock.now()

        async def write(unit: WriteUnit) -> None:
            giving_up = FailedJobRecorder(unit, self._ports, entry, code, now)
            if isinstance(found.of, StoredReceipt):
                await giving_up.receipt(found.of, _origin(found, facts), content, parts)
            else:
                await giving_up.interchange(found.of)

        try:
            await self._ports.units.write(_scope(entry), write)
        except LeaseLostError:
            return
        fault_point("processing.give_up.after_commit")

    async def _try(self, job: Job, entry: OutboxEntry) -> None:
        """Assess a job by what is stored now, and store what becomes of it.

        Raises:
            StalePreparationError: Something changed in between; nothing was stored.
            LeaseLostError: Another worker has the entry, or has done it; likewise.
        """
        prepared = await ReceiptPreparer(self._ports, job).prepare()
        record = record_received if job.interchange is None else record_replay
        now = self._ports.clock.now()

        async def write(unit: WriteUnit) -> None:
            await record(unit, self._ports, job, prepared, (entry, now))

        await self._ports.units.write(job.context.scope, write)
        fault_point("processing.record.after_commit")

    # ---- what is to be processed -----------------------------------------------------------------

    async def _job(self, entry: OutboxEntry) -> Job:
        """Return what an entry wants processed, read by the terms of its partner."""
        found = await self._ports.units.read(_scope(entry), partial(_find, entry))
        opened = await self._opened(found)
        definitions = await self._ports.definitions.current(_scope(entry))
        terms = ParserOptions.of(found.partner.terms, self._ports.code_lists, definitions)
        compute = self._ports.compute
        is_short = len(opened.content) <= MAX_INLINE_VALIDATION_CHARS and definitions is None
        read = compute.run if is_short else compute.submit_to_executor
        pieces = await read(read_received, opened.content, terms)
        interchange = found.of if isinstance(found.of, Interchange) else None
        is_unread = (
            interchange is not None and _is_unread(interchange) and any(map(_is_read, pieces))
        )
        is_first = interchange is None or is_unread
        return Job(
            context=RequestContext(
                account_id=entry.account_id, environment=entry.new.environment, actor=WORKER
            ),
            origin=_origin(found, opened.facts),
            partner=found.partner,
            mode=PROCESSING_MODES[JobKind.RECEIVE if is_first else entry.new.kind],
            pieces=pieces,
            received_at=found.of.created_at,
            interchange=interchange,
            is_unread=is_unread,
        )

    async def _opened(self, found: _Found) -> OpenedContent:
        if len(found.sealed.content) <= LONG_BYTES:
            return _open(self._ports.sealer, found)
        return await self._ports.threads.submit_to_executor(_open, self._ports.sealer, found)

    async def _opened_or_nothing(self, found: _Found) -> tuple[bytes, Mapping[str, object]]:
        """Return the bytes, if they are what was stored, and the members sent with them.

        A damaged record is shown all the same.
        """
        try:
            opened = await self._opened(found)
        except SealBrokenError:
            return b"", {}
        return opened.content, opened.facts


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The sealed facts of an entry, and its owner."""

    of: StoredReceipt | Interchange
    sealed: SealedContent
    partner: Partner


async def _find(entry: OutboxEntry, unit: ReadUnit) -> _Found:
    found: tuple[StoredReceipt | Interchange, SealedContent] | None
    if entry.new.kind == JobKind.RECEIVE:
        assert entry.new.receipt_id is not None  # that is what such an entry is about
        found = await unit.receipts.find(ReceiptId(entry.new.receipt_id))
    else:
        assert entry.new.interchange_id is not None
        found = await unit.interchanges.find(entry.new.interchange_id)
    assert found is not None  # the entry refers to it
    of, sealed = found
    assert of.new.partner_id is not None  # no way in is without one
    stored = await unit.partners.find(of.new.partner_id)
    assert stored is not None  # the row refers to it
    return _Found(of=of, sealed=sealed, partner=partner_of(stored))


def _is_unread(interchange: Interchange) -> bool:
    """Tell whether nothing is known of the envelope of a stored interchange."""
    return interchange.new.pair == NOBODY and not interchange.new.version


def _is_read(piece: Piece) -> bool:
    return isinstance(piece, ParsedInterchange)


def _open(sealer: Sealer, found: _Found) -> OpenedContent:
    if isinstance(found.of, StoredReceipt):
        return open_receipt(sealer, found.of, found.sealed)
    return open_interchange(sealer, found.of, found.sealed)


def _scope(entry: OutboxEntry) -> Scope:
    return Scope(account_id=entry.account_id, environment=entry.new.environment)


def _origin(found: _Found, facts: Mapping[str, object]) -> InterchangeOrigin:
    """Return where it came from, with the members that the sender gave with the document."""
    of, metadata, parent_id = found.of, facts.get("metadata"), facts.get("parent_id")
    until = facts.get(ANSWER_UNTIL)
    receipt_id = of.id if isinstance(of, StoredReceipt) else of.new.receipt_id
    assert receipt_id is not None  # what was received has one
    return InterchangeOrigin(
        environment=of.new.environment,
        partner_id=found.partner.id,
        receipt_id=ReceiptId(receipt_id),
        source=of.new.source,
        is_shared=isinstance(of, StoredReceipt) and facts.get(MAILBOX) == MailboxUse.SHARED,
        business_key=str(facts.get("business_key") or ""),
        metadata=(
            {str(name): str(value) for name, value in metadata.items()}
            if isinstance(metadata, Mapping)
            else {}
        ),
        parent_id=TransactionId(parent_id) if isinstance(parent_id, int) else None,
        note=str(facts.get("note") or ""),
        answer_until=datetime.fromisoformat(str(until)).replace(tzinfo=UTC) if until else None,
    )
