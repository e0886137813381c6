"""Runs the events of a demo through the services, in simulated time.

Before each event the clock moves to its time. Everything that was due until then runs at its own
time: delivery retries and the check for overdue acknowledgements. When a document of ours has
arrived, the acknowledgement of the partner is added as a later event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final

from longshore.demo.documents import Segments, transaction_set
from longshore.demo.events import (
    AcknowledgementReceived,
    DemoEvent,
    DocumentReceived,
    DocumentSent,
    DuplicateReceived,
    GarbageReceived,
)
from longshore.demo.interchanges import SimulatedInterchange, ack_set_id
from longshore.demo.partners import DemoPartner
from longshore.demo.period import DemoPeriod
from longshore.demo.random_numbers import RandomNumbers
from longshore.demo.services import DemoServices
from longshore.demo.transport import DeliveredDocument, answer_document
from longshore.domain.delivery.model import OutboxEntry, OutboxId, OutboxState
from longshore.domain.inbound.intake import Incoming, IncomingDocument
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.model import Direction
from longshore.domain.ports import SYSTEM
from longshore.domain.units import ReadUnit
from longshore.kit.errors import ErrorCode, LongshoreError

OnProgress = Callable[[int, int], None]
"""Called after each event with the number of events done, and of those known so far."""

_OVERDUE_CHECK_INTERVAL: Final = timedelta(hours=1)
_RETRY_CHECK_INTERVAL: Final = timedelta(minutes=1)
_ADDRESS: Final = "192.0.2.80"  # for documentation (RFC 5737)


class ConcurrentWorkerError(LongshoreError):
    """Another process took work that the demo has to do in simulated time."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            "Another process uses this database and took work of the demo. Stop each"
            " `longshore worker`, then fill another account: this one holds a part of the demo.",
        )


class DemoRunner:
    """Runs the events of one demo."""

    def __init__(self, services: DemoServices, period: DemoPeriod, seed: int) -> None:
        self._services = services
        self._period = period
        self._seed = seed
        self._overdue_checked_at = period.start
        self._received: dict[str, bytes] = {}
        self._retries_due: list[tuple[datetime, OutboxId]] = []
        self._queue: list[tuple[datetime, int, DemoEvent]] = []
        self._sequence = count()

    async def run(
        self, events: Sequence[tuple[datetime, DemoEvent]], on_progress: OnProgress
    ) -> None:
        """Run events and what follows from them; then move the clock to the end of the period.

        Raises:
            ConcurrentWorkerError: Another process took work of the demo.
        """
        self._queue = [(moment, next(self._sequence), event) for moment, event in events]
        heapify(self._queue)
        done = 0
        while self._queue:
            moment, _, event = heappop(self._queue)
            await self._wait_until(moment)
            await self._do(event)
            if not await self._work() and not isinstance(event, DocumentSent):
                raise ConcurrentWorkerError  # what was received is due at once
            done += 1
            on_progress(done, done + len(self._queue))
        await self._wait_until(self._period.end)

    async def _wait_until(self, moment: datetime) -> None:
        """Do everything that is due up to a moment, each at its own time.

        Raises:
            ConcurrentWorkerError: Another process took a retry that was due.
        """
        while (due := self._next_due()) <= moment:
            self._services.clock.move_to(due)
            if due == self._overdue_checked_at + _OVERDUE_CHECK_INTERVAL:
                self._overdue_checked_at = due
                await self._services.overdue.run_once()
                continue
            _, entry_id = heappop(self._retries_due)
            if not await self._work():
                await self._check_retry(entry_id)
        self._services.clock.move_to(moment)

    def _next_due(self) -> datetime:
        retries = [due for due, _ in self._retries_due[:1]]
        return min([self._overdue_checked_at + _OVERDUE_CHECK_INTERVAL, *retries])

    async def _work(self) -> int:
        """Do all work that is due and schedule the answers of partners; return how much it was."""
        done, worker = 0, self._services.worker
        while claimed := await worker.claim():
            for each in claimed:
                entry: OutboxEntry | None = each
                while entry is not None:
                    following = await worker.do(entry)
                    await self._note_retry(entry)
                    entry, done = following, done + 1
        for document in self._services.transport.pop_delivered():
            self._expect_answer(document)
        return done

    async def _note_retry(self, entry: OutboxEntry) -> None:
        """Remember when a delivery that failed, or waits for a probe, is due again."""
        if self._services.transport.pop_has_accepted():
            return
        stored = await self._stored(entry.id)
        if stored is not None and stored.state is OutboxState.DUE:
            heappush(self._retries_due, (stored.new.due_at, entry.id))

    async def _check_retry(self, entry_id: OutboxId) -> None:
        """Make sure that a retry without any work was done or postponed, and not taken.

        Raises:
            ConcurrentWorkerError: Another process has leased the entry.
        """
        stored = await self._stored(entry_id)
        if stored is not None and stored.state is OutboxState.LEASED:
            raise ConcurrentWorkerError
        if stored is not None and stored.state is OutboxState.DUE:
            later = max(stored.new.due_at, self._services.clock.now() + _RETRY_CHECK_INTERVAL)
            heappush(self._retries_due, (later, entry_id))

    async def _stored(self, entry_id: OutboxId) -> OutboxEntry | None:
        async def find(unit: ReadUnit) -> OutboxEntry | None:
            return await unit.outbox.find(entry_id)

        return await self._services.units.read(SYSTEM, find)

    def _expect_answer(self, document: DeliveredDocument) -> None:
        partner, now = document.partner, self._services.clock.now()
        if partner.stops_answering and now >= self._period.failures_from:
            return
        random = RandomNumbers(self._seed, "answer", partner.name, document.group[6])
        answered = answer_document(document, random)
        moment = now + answered.delay
        if not self._period.is_over(moment):
            event = AcknowledgementReceived(partner=partner, body=answered.body)
            heappush(self._queue, (moment, next(self._sequence), event))

    # ---- events ----------------------------------------------------------------------------------

    async def _do(self, event: DemoEvent) -> None:
        match event:
            case DocumentSent():
                await self._send(event)
            case DocumentReceived(partner=partner, tx_set=tx_set, order=order):
                interchange = event.modify_interchange(self._interchange(partner))
                content = interchange.write(tx_set, event.body(self._services.clock.now()))
                self._received[order.number] = content
                await self._receive(partner, content)
            case DuplicateReceived(partner=partner, number=number):
                await self._receive(partner, self._received[number])
            case GarbageReceived(partner=partner, text=text):
                await self._receive(partner, text.encode())
            case AcknowledgementReceived(partner=partner, body=body):
                await self._receive(partner, self._answer(partner, body))

    async def _send(self, event: DocumentSent) -> None:
        services = self._services
        set_text = document = map_id = None
        if event.kind:
            document, map_id = event.document(), services.order_map
        else:
            set_text = transaction_set(event.tx_set, event.content(services.clock.now()))
        order = SubmitOrder(
            partner_id=services.stored_partners[event.partner.name].id,
            tx_set=event.tx_set,
            direction=Direction.OUTBOUND,
            content=set_text,
            document=document,
            map_id=map_id,
            business_key=event.order.number,
            source=event.source,
        )
        await services.trading.submissions.submit(services.context, order)

    async def _receive(self, partner: DemoPartner, content: bytes) -> None:
        """Receive bytes as if a partner had sent them to its own URL."""
        intake = self._services.trading.intake
        channel = await intake.channel(self._services.stored_partners[partner.name].token, _ADDRESS)
        await intake.receive(channel, Incoming(documents=(IncomingDocument(content=content),)))

    def _answer(self, partner: DemoPartner, body: Segments) -> bytes:
        return self._interchange(partner).write(ack_set_id(partner.version), body)

    def _interchange(self, partner: DemoPartner) -> SimulatedInterchange:
        return SimulatedInterchange(
            sender=partner.identity,
            receiver=self._services.own,
            version=partner.version,
            at=self._services.clock.now(),
            number=next(self._services.stored_partners[partner.name].numbers),
        )
