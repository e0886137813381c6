"""Does what the course says through the services, in the demo's time.

Before each act the clock stands where it happens, and everything that was due until then is done at
its own moment: attempts that are made again, and the look for overdue acknowledgements. Answers of
partners are acts too, which are added when a document has arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final

from longshore.demo.acts import Act, Answering, GarbageReceived, Receiving, Repeating, Sending
from longshore.demo.cast import DemoPartner
from longshore.demo.documents import Segments, transaction_set
from longshore.demo.draws import RandomNumbers
from longshore.demo.letters import SimulatedInterchange, answer_form
from longshore.demo.office import DemoServices
from longshore.demo.period import DemoPeriod
from longshore.demo.post import TakenDocument, answer
from longshore.domain.delivery.store import OutboxEntry, OutboxState
from longshore.domain.inbound.intake import Incoming, IncomingDocument
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.model import Direction
from longshore.domain.ports import SYSTEM
from longshore.domain.units import ReadUnit
from longshore.kit.errors import ErrorCode, LongshoreError

Told = Callable[[int, int], None]
"""Is told how many acts are done, and how many there are as far as is known."""

_LOOK: Final = timedelta(hours=1)
_ADDRESS: Final = "192.0.2.80"  # for documentation (RFC 5737)


class NotAloneError(LongshoreError):
    """Somebody else did what was to be done in the demo's time."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            "Another process works on this database, and took what the demo was to do. Stop each"
            " `longshore worker`, then fill another account: this one holds a part of the demo.",
        )


class DemoRunner:
    """Does the acts of one demo."""

    def __init__(self, office: DemoServices, period: DemoPeriod, seed: int) -> None:
        self._office = office
        self._period = period
        self._seed = seed
        self._looked_at = period.start
        self._received: dict[str, bytes] = {}
        self._retries: list[datetime] = []
        self._later: list[tuple[datetime, int, Act]] = []
        self._order = count()

    async def run(self, acts: Sequence[tuple[datetime, Act]], told: Told) -> None:
        """Do the acts of a course and what follows from them; then wait for the end.

        Raises:
            NotAloneError: Another process did what was to be done here.
        """
        self._later = [(moment, next(self._order), act) for moment, act in acts]
        heapify(self._later)
        done = 0
        while self._later:
            moment, _, act = heappop(self._later)
            await self._wait_until(moment)
            await self._do(act)
            if not await self._work() and not isinstance(act, Sending):
                raise NotAloneError  # what was received is due at once
            done += 1
            told(done, done + len(self._later))
        await self._wait_until(self._period.end)

    async def _wait_until(self, moment: datetime) -> None:
        """Do what is due up to a moment, each thing at its time.

        Raises:
            NotAloneError: Nothing of it is there any more.
        """
        while (due := self._next_due()) <= moment:
            self._office.clock.move_to(due)
            if due == self._looked_at + _LOOK:
                self._looked_at = due
                await self._office.overdue.run_once()
                continue
            heappop(self._retries)
            if not await self._work():
                raise NotAloneError
        self._office.clock.move_to(moment)

    def _next_due(self) -> datetime:
        return min([self._looked_at + _LOOK, *self._retries[:1]])

    async def _work(self) -> int:
        """Do all that is due now, and let partners prepare answers; return how much was done."""
        done, worker = 0, self._office.worker
        while claimed := await worker.claim():
            for each in claimed:
                entry: OutboxEntry | None = each
                while entry is not None:
                    following = await worker.do(entry)
                    await self._note_retry(entry)
                    entry, done = following, done + 1
        for document in self._office.post.take():
            self._expect_answer(document)
        return done

    async def _note_retry(self, entry: OutboxEntry) -> None:
        """Remember when a delivery that failed is due again, unless it was given up."""
        if not self._office.post.has_refused():
            return

        async def find(unit: ReadUnit) -> OutboxEntry | None:
            return await unit.outbox.find(entry.id)

        kept = await self._office.units.read(SYSTEM, find)
        if kept is not None and kept.state is OutboxState.DUE:
            heappush(self._retries, kept.new.due_at)

    def _expect_answer(self, document: TakenDocument) -> None:
        player, now = document.player, self._office.clock.now()
        if player.falls_silent and now >= self._period.trouble_from:
            return
        draws = RandomNumbers(self._seed, "answer", player.name, document.group[6])
        answered = answer(document, draws)
        moment = now + answered.delay
        if not self._period.is_over(moment):
            act = Answering(player=player, said=answered.said)
            heappush(self._later, (moment, next(self._order), act))

    # ---- acts ------------------------------------------------------------------------------------

    async def _do(self, act: Act) -> None:
        match act:
            case Sending():
                await self._send(act)
            case Receiving(player=player, tx_set=tx_set, order=order):
                letter = act.seal(self._letter(player))
                content = letter.write(tx_set, act.body(self._office.clock.now()))
                self._received[order.number] = content
                await self._receive(player, content)
            case Repeating(player=player, number=number):
                await self._receive(player, self._received[number])
            case GarbageReceived(player=player, text=text):
                await self._receive(player, text.encode())
            case Answering(player=player, said=said):
                await self._receive(player, self._answer(player, said))

    async def _send(self, act: Sending) -> None:
        office = self._office
        set_text = document = map_id = None
        if act.kind:
            document, map_id = act.document(), office.order_map
        else:
            set_text = transaction_set(act.tx_set, act.content(office.clock.now()))
        order = SubmitOrder(
            partner_id=office.counterparts[act.player.name].id,
            tx_set=act.tx_set,
            direction=Direction.OUTBOUND,
            content=set_text,
            document=document,
            map_id=map_id,
            business_key=act.order.number,
            source=act.source,
        )
        await office.trading.submissions.submit(office.context, order)

    async def _receive(self, player: DemoPartner, content: bytes) -> None:
        """Let a partner push bytes to its own URL."""
        intake = self._office.trading.intake
        channel = await intake.channel(self._office.counterparts[player.name].token, _ADDRESS)
        await intake.receive(channel, Incoming(documents=(IncomingDocument(content=content),)))

    def _answer(self, player: DemoPartner, said: Segments) -> bytes:
        return self._letter(player).write(answer_form(player.version), said)

    def _letter(self, player: DemoPartner) -> SimulatedInterchange:
        return SimulatedInterchange(
            sender=player.identity,
            receiver=self._office.own,
            version=player.version,
            at=self._office.clock.now(),
            number=next(self._office.counterparts[player.name].numbers),
        )
