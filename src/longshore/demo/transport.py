"""The partners of the demo as a transport: they accept or refuse our documents, and answer them.

No connection is opened. Documents are split at the default separators: the demo uses no others, and
none of its values contains one. The answer to an accepted document is an acknowledgement, which
arrives later through the partner's own URL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from longshore.demo.documents import Segments
from longshore.demo.interchanges import SimulatedError, acknowledgement_body, find_value_error
from longshore.demo.maps import WRONG_QUALIFIER
from longshore.demo.partners import PARTNERS_BY_ISA_ID, DemoPartner
from longshore.demo.period import DemoPeriod
from longshore.demo.random_numbers import RandomNumbers
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
"""Elements that partners reject: segment id, element, its number in the dictionary, AK403."""


class DeliveredDocument(NamedTuple):
    """A document of ours that a partner has accepted."""

    partner: DemoPartner
    content: bytes
    group: Sequence[str]
    """The elements of GS, the segment id first."""
    body: Segments
    """The segments from ST to SE."""

    @property
    def set_head(self) -> Sequence[str]:
        """The elements of ST, the segment id first."""
        return self.body[0].split("*")


class SimulatedAnswer(NamedTuple):
    """The acknowledgement of a partner."""

    delay: timedelta
    """The time from the delivery to its arrival."""
    body: Segments
    """The segments of the 997 or 999 between ST and SE."""


class DemoTransport:
    """Delivers to all partners of the demo without a connection."""

    def __init__(self, clock: Clock, period: DemoPeriod) -> None:
        self._clock = clock
        self._period = period
        self._delivered: list[DeliveredDocument] = []
        self._has_accepted = False

    async def send(self, message: OutboundMessage) -> Sent:
        """Deliver a message, or return the failure that the partner causes."""
        now = self._clock.now()
        head, *segments = message.content.decode().rstrip("~").split("~")
        partner = PARTNERS_BY_ISA_ID.get(head.split("*")[8].strip())
        if partner is None:  # an acknowledgement to an unknown sender goes nowhere
            self._has_accepted = True
            return answered(_OK, "", None)
        if partner.stops_accepting and self._period.is_refusing(now):
            return failed(FailureKind.CONNECTION_REFUSED)
        if partner.stops_accepting and self._period.is_overloaded(now):
            return answered(_UNAVAILABLE, "Back at noon.", None)
        group = segments[0].split("*")
        if group[0] == "GS" and group[1] != ACKNOWLEDGEMENTS:
            body = segments[1:-2]
            self._delivered.append(DeliveredDocument(partner, message.content, group, body))
        self._has_accepted = True
        return answered(_OK, "", None)

    def pop_has_accepted(self) -> bool:
        """Tell whether a message was accepted since the last call."""
        has_accepted, self._has_accepted = self._has_accepted, False
        return has_accepted

    def pop_delivered(self) -> list[DeliveredDocument]:
        """Return the documents that have arrived since the last call."""
        delivered, self._delivered = self._delivered, []
        return delivered


def answer_document(document: DeliveredDocument, random: RandomNumbers) -> SimulatedAnswer:
    """Return the acknowledgement of a document by a partner that still answers."""
    partner = document.partner
    slowest = partner.max_answer_minutes * _MINUTE
    # The smaller of two: most answers come soon, some late.
    delay = timedelta(
        seconds=min(random.between(_MINUTE, slowest), random.between(_MINUTE, slowest))
    )
    error = _rejection(document, random)
    if error is None and partner.ack_type is not AckType.A999:
        script = Script(Word.ACCEPT_WITH_ERRORS) if random.happens(_WITH_ERRORS_PERCENT) else ACCEPT
        (reply,) = simulate(document.content, script)
        # Without its envelope: a partner numbers all its interchanges in one sequence.
        _isa, _gs, _st, *body = reply.content.decode().rstrip("~").split("~")[:-3]
        return SimulatedAnswer(delay, tuple(body))
    return SimulatedAnswer(
        delay,
        acknowledgement_body(partner.version, document.group, document.set_head, error),
    )


def _rejection(document: DeliveredDocument, random: RandomNumbers) -> SimulatedError | None:
    wrong = _wrong_qualifier(document.body)
    if wrong is not None or not random.happens(document.partner.reject_percent):
        return wrong
    return find_value_error(document.body, random.one_of(_RULES[document.set_head[1]]))


def _wrong_qualifier(body: Segments) -> SimulatedError | None:
    wrong = [each if f"*{WRONG_QUALIFIER}*" in each else "" for each in body]
    return find_value_error(wrong, ("PO1", 6, "235", "7"))
