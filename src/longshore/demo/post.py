"""What partners do with our documents: take them or not, and answer them.

They are cut at the usual separators: the demo chooses no others, and no value of it holds one.
No connection is opened. What is taken is answered later, through the partner's own URL, with the
acknowledgement as the simulator words it, or with one that names an element.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from longshore.demo.cast import BY_ISA_ID, DemoPartner
from longshore.demo.documents import Segments
from longshore.demo.draws import RandomNumbers
from longshore.demo.letters import SimulatedError, complaint_about, verdict
from longshore.demo.maps import WRONG_QUALIFIER
from longshore.demo.period import DemoPeriod
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, answered, failed
from longshore.domain.delivery.simulation import ACCEPT, Script, Word, simulate
from longshore.domain.inbound.routing import ACKNOWLEDGEMENTS
from longshore.kit.clock import Clock
from longshore.x12.acks.profile import AckType

_OK, _UNAVAILABLE = 200, 503
_WITH_ERRORS_PERCENT: Final = 2
_MINUTE: Final = 60

Rule = tuple[str, int, str, str]
_RULES: Final[Mapping[str, Sequence[Rule]]] = {
    "850": (("N1", 4, "67", "7"), ("DTM", 2, "373", "8"), ("PO1", 7, "234", "7")),
    "855": (("BAK", 8, "127", "7"), ("ACK", 5, "373", "8")),
    "856": (("REF", 2, "127", "7"), ("SN1", 2, "382", "6")),
    "810": (("IT1", 7, "234", "7"), ("N1", 4, "67", "7"), ("TDS", 1, "610", "7")),
}
"""What partners complain about: segment, element, its number in the dictionary, AK403."""


class TakenDocument(NamedTuple):
    """A document of ours that a partner has: GS, ST, and the segments from ST to SE."""

    player: DemoPartner
    content: bytes
    group: Sequence[str]
    body: Segments

    @property
    def set_head(self) -> Sequence[str]:
        """The elements of ST, the tag first."""
        return self.body[0].split("*")


class SimulatedAnswer(NamedTuple):
    """What a partner answers, after a delay: the body of its 997 or 999."""

    delay: timedelta
    said: Segments


class Post:
    """The way to all partners of the demo."""

    def __init__(self, clock: Clock, period: DemoPeriod) -> None:
        self._clock = clock
        self._period = period
        self._taken: list[TakenDocument] = []
        self._has_refused = False

    async def send(self, parcel: OutboundMessage) -> Sent:
        """Hand a parcel over, or say why that is not possible; nothing leaves the house."""
        now = self._clock.now()
        head, *segments = parcel.content.decode().rstrip("~").split("~")
        player = BY_ISA_ID.get(head.split("*")[8].strip())
        if player is None:  # who is answered as it was addressed, and is nobody
            return answered(_OK, "", None)
        if player.breaks_down and self._period.is_broken_down(now):
            self._has_refused = True
            return failed(FailureKind.CONNECTION_REFUSED)
        if player.breaks_down and self._period.is_overloaded(now):
            self._has_refused = True
            return answered(_UNAVAILABLE, "Back at noon.", None)
        group = segments[0].split("*")
        if group[0] == "GS" and group[1] != ACKNOWLEDGEMENTS:
            body = segments[1:-2]
            self._taken.append(TakenDocument(player, parcel.content, group, body))
        return answered(_OK, "", None)

    def has_refused(self) -> bool:
        """Tell whether a parcel was not taken since this was asked last."""
        has_refused, self._has_refused = self._has_refused, False
        return has_refused

    def take(self) -> list[TakenDocument]:
        """Return the documents that have arrived since this was asked last."""
        taken, self._taken = self._taken, []
        return taken


def answer(document: TakenDocument, draws: RandomNumbers) -> SimulatedAnswer:
    """Return what a partner that is not silent answers."""
    player = document.player
    slowest = player.slowest_minutes * _MINUTE
    # The smaller of two: most answers come soon, some late.
    delay = timedelta(seconds=min(draws.between(_MINUTE, slowest), draws.between(_MINUTE, slowest)))
    complaint = _complaint(document, draws)
    if complaint is None and player.ack_type is not AckType.A999:
        script = Script(Word.ACCEPT_WITH_ERRORS) if draws.happens(_WITH_ERRORS_PERCENT) else ACCEPT
        (reply,) = simulate(document.content, script)
        # Without its envelope: a partner numbers all that it sends by one count.
        _isa, _gs, _st, *body = reply.content.decode().rstrip("~").split("~")[:-3]
        return SimulatedAnswer(delay, tuple(body))
    said = verdict(player.version, document.group, document.set_head, complaint)
    return SimulatedAnswer(delay, said)


def _complaint(document: TakenDocument, draws: RandomNumbers) -> SimulatedError | None:
    wrong = _wrong_qualifier(document.body)
    if wrong is not None or not draws.happens(document.player.rejects):
        return wrong
    return complaint_about(document.body, draws.one_of(_RULES[document.set_head[1]]))


def _wrong_qualifier(body: Segments) -> SimulatedError | None:
    wrong = [each if f"*{WRONG_QUALIFIER}*" in each else "" for each in body]
    return complaint_about(wrong, ("PO1", 6, "235", "7"))
