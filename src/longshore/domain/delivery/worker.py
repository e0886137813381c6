"""The delivery worker: claims entries of the outbox, sends them or has them processed.

A claim runs for all accounts; everything after it runs in the scope of its entry. Sending happens
between the unit that begins an attempt and the unit that stores its result. If the process dies,
the entry is claimed again: the destination gets the same bytes under the same message id. Whoever
runs the worker renews the leases, and reports faults with ``record_failure``.

Fault points: ``dispatch.claim.before_commit``, ``dispatch.claim.after_commit``,
``dispatch.begin.before_commit``, ``dispatch.begin.after_commit``,
``dispatch.await_receipt.before_commit``, ``dispatch.await_receipt.after_commit``,
``dispatch.send.after_answer``,
``dispatch.conclude.before_finish``, ``dispatch.conclude.before_events``,
``dispatch.conclude.before_commit``, ``dispatch.conclude.after_commit``,
``dispatch.release.before_commit``, ``dispatch.release.after_commit``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from longshore.as2.algorithms import Mic
from longshore.domain.delivery.attempt_decision import INTERNAL, AttemptReport
from longshore.domain.delivery.attempt_end import AttemptRecorder
from longshore.domain.delivery.attempt_start import (
    LEASE,
    SHORT_BYTES,
    AttemptStart,
    AttemptStarter,
    StoredContent,
)
from longshore.domain.delivery.model import (
    NO_RESERVED_SLOTS,
    ClaimRequest,
    JobKind,
    Lease,
    OutboxEntry,
    ReservedSlots,
)
from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict
from longshore.domain.delivery.ports import JobHandler, OnComposed, Sent, Transports
from longshore.domain.delivery.receipts import await_receipt, find_open_result, sent_of
from longshore.domain.delivery.schedule import EndedAttempt, next_attempt_at
from longshore.domain.interchanges.encryption import open_interchange
from longshore.domain.interchanges.store import Interchange
from longshore.domain.interchanges.writer import ReceivedBytes, prepare_arrival
from longshore.domain.ports import SYSTEM, Ports, Scope
from longshore.domain.transactions.model import DeliveryStatus, Source
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.faults import fault_point
from longshore.kit.requester import Requester, working_for


class Backlog:
    """The age of what is due in the outbox of all accounts."""

    def __init__(self, units: Units, clock: Clock) -> None:
        self._units = units
        self._clock = clock

    async def oldest_seconds(self) -> float:
        """Return for how long the entry that is due longest has been due; 0 if none is.

        An entry that a worker has leased counts once its lease is over. Held entries do not count,
        nor does an entry that waits behind another one of its order.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        now = self._clock.now()

        async def oldest_due(unit: ReadUnit) -> datetime | None:
            return await unit.outbox.oldest_due(now)

        due_at = await self._units.read(SYSTEM, oldest_due)
        return 0.0 if due_at is None else (now - due_at).total_seconds()


MAX_AT_ONCE: Final = 100
DELIVERIES: Final = frozenset({JobKind.DOCUMENT, JobKind.ACKNOWLEDGEMENT})
"""The kinds that are sent to partners; the handler does all others."""
SENT_TO_PARTNERS: Final = DELIVERIES | {JobKind.AS2_RECEIPT}
"""The kinds that open a connection to a partner."""

_NO_JITTER: Final = 0.5  # no destination is spared by it: the work is ours
_INTERNAL_FAILURE: Final = Sent(
    verdict=AttemptVerdict(AttemptOutcome.FAILED),
    error_code=INTERNAL,
    message="Longshore failed while it was sending this; its log says more.",
)


class Worker:
    """A worker: it delivers documents, and gives all other entries to its handler.

    Calls of webhooks are left to workers that do nothing else, so that endpoints which do not
    answer delay no document.
    """

    def __init__(
        self,
        ports: Ports,
        transports: Transports,
        handler: JobHandler,
        *,
        owner: str,
        for_webhooks: bool = False,
    ) -> None:
        """Work under the name ``owner``, which stands in its leases."""
        self._ports = ports
        self._transports = transports
        self._handler = handler
        self._owner = owner
        self._for_webhooks = for_webhooks
        self._starter = AttemptStarter(ports, transports.keys())
        self._recorder = AttemptRecorder(ports)

    async def run_once(self, most: int = MAX_AT_ONCE) -> int:
        """Do what is due now, one after the other; return how much that was."""
        count = 0
        for claimed in await self.claim(most):
            entry: OutboxEntry | None = claimed
            while entry is not None:
                entry = await self.do(entry)
                count += 1
        return count

    async def is_due(self) -> bool:
        """Tell whether there may be something to claim; cheaper than to claim nothing."""

        async def next_due(unit: ReadUnit) -> datetime | None:
            return await (unit.webhooks if self._for_webhooks else unit.outbox).next_due()

        due_at = await self._ports.units.read(SYSTEM, next_due)
        return due_at is not None and due_at <= self._ports.clock.now()

    async def claim(
        self, most: int = MAX_AT_ONCE, reserved: ReservedSlots = NO_RESERVED_SLOTS
    ) -> Sequence[OutboxEntry]:
        """Lease entries that are due."""
        request = replace(self._claim_request(most), reserved=reserved)

        async def lease(unit: WriteUnit) -> Sequence[OutboxEntry]:
            entries = await (unit.webhooks if self._for_webhooks else unit.outbox).claim(request)
            fault_point("dispatch.claim.before_commit")
            return entries

        entries = await self._ports.units.write(SYSTEM, lease)
        fault_point("dispatch.claim.after_commit")
        return entries

    async def leased(self) -> Sequence[OutboxEntry]:
        """Return what this worker has leased, also by a claim whose answer was lost."""

        async def list_leased(unit: ReadUnit) -> Sequence[OutboxEntry]:
            return await unit.outbox.list_leased(self._owner)

        leased = await self._ports.units.read(SYSTEM, list_leased)
        return [each for each in leased if (each.new.kind == JobKind.WEBHOOK) == self._for_webhooks]

    @property
    def owner(self) -> str:
        """The name of this worker in its leases."""
        return self._owner

    async def leased_by_all(self) -> Sequence[OutboxEntry]:
        """Return what any worker has leased."""

        async def list_leased(unit: ReadUnit) -> Sequence[OutboxEntry]:
            return await unit.outbox.list_leased(None)

        return await self._ports.units.read(SYSTEM, list_leased)

    async def return_leases(self, owners: Sequence[str]) -> int:
        """Make due at once what workers had leased that have ended; return how much it was."""
        now = self._ports.clock.now()

        async def return_leases(unit: WriteUnit) -> int:
            return await unit.outbox.return_leases(owners, now)

        return await self._ports.units.write(SYSTEM, return_leases)

    async def do(self, entry: OutboxEntry) -> OutboxEntry | None:
        """Do an entry that was claimed; return the one that waited behind it, claimed as well.

        Raises:
            Exception: A fault of ours. The entry is still leased: call ``record_failure``.
        """
        with working_for(Requester(account_id=entry.account_id)):
            if entry.new.kind in DELIVERIES:
                return await self._deliver(entry)
            await self._handler.run(entry)
        return None

    async def renew(self, entry: OutboxEntry) -> bool:
        """Prolong a lease; False if another worker has it by now."""
        until = self._ports.clock.now() + LEASE

        async def renew(unit: WriteUnit) -> bool:
            return await unit.outbox.renew(_lease(entry), until)

        return await self._ports.units.write(_scope(entry), renew)

    async def hand_back(self, entry: OutboxEntry) -> bool:
        """Give a claimed entry back, due at once; False if another worker has it by now."""
        now = self._ports.clock.now()
        return await self._put_back(entry, now)

    async def record_failure(self, entry: OutboxEntry) -> None:
        """Store that an entry failed by a fault of ours; it is done later, or given up."""
        if entry.new.kind in DELIVERIES:
            report = AttemptReport(entry=entry, sent=_INTERNAL_FAILURE)
            following = await self._record(report)
            if following is not None:
                await self.hand_back(following)
            return
        attempt = EndedAttempt(
            number=entry.attempt,
            verdict=_INTERNAL_FAILURE.verdict,
            ended_at=self._ports.clock.now(),
        )
        due_at = next_attempt_at(attempt, _NO_JITTER)
        if due_at is None:
            await self._handler.give_up(entry, INTERNAL)
        else:
            await self._put_back(entry, due_at)

    async def _put_back(self, entry: OutboxEntry, due_at: datetime) -> bool:
        now = self._ports.clock.now()

        async def put_back(unit: WriteUnit) -> bool:
            return await unit.outbox.put_back(_lease(entry), due_at, now)

        return await self._ports.units.write(_scope(entry), put_back)

    # ---- deliveries ------------------------------------------------------------------------------

    async def _deliver(self, entry: OutboxEntry) -> OutboxEntry | None:
        request = self._claim_request(1)

        async def begin(unit: WriteUnit) -> AttemptStart | OutboxEntry | None:
            # Only what was sent before may have a receipt.
            found = entry.attempt > 1 and await find_open_result(unit, self._ports.sealer, entry)
            if not found:
                return await self._starter.begin(unit, entry)
            attempt, result = found
            report = AttemptReport(entry=entry, sent=sent_of(result), attempt=attempt)
            start, to = DeliveryStatus.PENDING, DeliveryStatus.SENDING
            await unit.transactions.step_deliveries(report.interchange_id, start, to, request.now)
            return await self._recorder.record(unit, report, request)

        attempt = await self._ports.units.write(_scope(entry), begin)
        fault_point("dispatch.begin.after_commit")
        if not isinstance(attempt, AttemptStart):
            return attempt
        interchange, content = await self._content(entry, attempt.stored)
        on_composed = self._on_composed(entry, attempt.message_id)
        message = attempt.message(entry, interchange, content, on_composed)
        sent = await self._transports[attempt.connection.type].send(message)
        fault_point("dispatch.send.after_answer")
        assert entry.new.partner_id is not None
        replies = []
        for reply in sent.replies:
            arrival = ReceivedBytes(
                account_id=entry.account_id,
                environment=entry.new.environment,
                partner_id=entry.new.partner_id,
                source=Source.RECEIVE,
                content=reply.content,
            )
            prepared = prepare_arrival(self._ports.sealer, self._ports.index, arrival)
            replies.append((reply.delay, prepared))
        return await self._record(AttemptReport(entry=entry, sent=sent, replies=tuple(replies)))

    def _on_composed(self, entry: OutboxEntry, message_id: str) -> OnComposed:
        sealer, now = self._ports.sealer, self._ports.clock.now()

        async def store_mics(mics: Sequence[Mic]) -> None:
            async def write(unit: WriteUnit) -> None:
                await await_receipt(unit, sealer, entry, message_id, mics, now)
                fault_point("dispatch.await_receipt.before_commit")

            await self._ports.units.write(_scope(entry), write)
            fault_point("dispatch.await_receipt.after_commit")

        return store_mics

    async def _record(self, report: AttemptReport) -> OutboxEntry | None:
        request = self._claim_request(1)

        async def record(unit: WriteUnit) -> OutboxEntry | None:
            return await self._recorder.record(unit, report, request)

        following = await self._ports.units.write(_scope(report.entry), record)
        fault_point("dispatch.conclude.after_commit")
        return following

    def _claim_request(self, most: int) -> ClaimRequest:
        now = self._ports.clock.now()
        return ClaimRequest(owner=self._owner, now=now, lease_until=now + LEASE, most=most)

    async def _content(
        self, entry: OutboxEntry, stored: StoredContent | None
    ) -> tuple[Interchange, bytes]:
        interchange_id = entry.new.interchange_id
        assert interchange_id is not None

        async def find(unit: ReadUnit) -> StoredContent:
            found = await unit.interchanges.find(interchange_id)
            assert found is not None
            return found

        if stored is None:
            stored = await self._ports.units.read(_scope(entry), find)
        interchange, sealed = stored
        # Test and live never mix: the connection was chosen by the environment of the entry.
        assert interchange.new.environment is entry.new.environment
        sealer = self._ports.sealer
        if len(sealed.content) <= SHORT_BYTES:
            return interchange, open_interchange(sealer, interchange, sealed).content
        opened = await self._ports.threads.submit_to_executor(
            open_interchange, sealer, interchange, sealed
        )
        return interchange, opened.content


def _scope(entry: OutboxEntry) -> Scope:
    return Scope(account_id=entry.account_id, environment=entry.new.environment)


def _lease(entry: OutboxEntry) -> Lease:
    return Lease(id=entry.id, attempt=entry.attempt)
