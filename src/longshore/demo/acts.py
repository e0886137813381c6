"""What happens in the demo, each thing at its moment: documents sent and received, and mishaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.demo.cast import DemoPartner
from longshore.demo.documents import WRITERS, Segments, json_order
from longshore.demo.letters import SimulatedInterchange
from longshore.demo.maps import SPECIAL
from longshore.demo.orders import Order
from longshore.domain.transactions.model import Source

_QUANTITIES: Final = frozenset({"PO1", "IT1", "SN1"})
_QUANTITY_AT, _NOT_A_NUMBER = 2, "12X"
_DATE_AT, _NO_DATE = 2, "20261399"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """We send a document. ``kind``: of its first article where our map makes it of JSON."""

    player: DemoPartner
    tx_set: str
    order: Order
    kind: str = ""
    source: Source = Source.API

    @property
    def is_good(self) -> bool:
        """Whether the partner goes on with the order."""
        return self.kind != SPECIAL

    def content(self, at: datetime) -> Segments:
        """Return the body of the set."""
        return WRITERS[self.tx_set](self.order, at.date())

    def document(self) -> str:
        """Return the order as JSON."""
        return json_order(self.order, self.kind)


def _as_written(body: Segments) -> Segments:
    return body


def _as_usual(letter: SimulatedInterchange) -> SimulatedInterchange:
    return letter


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiving:
    """A partner sends a document. ``spoil``: what it does to the set, ``seal``: to the envelope."""

    player: DemoPartner
    tx_set: str
    order: Order
    spoil: Callable[[Segments], Segments] = field(default=_as_written)
    seal: Callable[[SimulatedInterchange], SimulatedInterchange] = field(default=_as_usual)

    @property
    def is_good(self) -> bool:
        """Whether we go on with the order."""
        return self.spoil is _as_written

    def body(self, at: datetime) -> Segments:
        """Return the body of the set."""
        return self.spoil(WRITERS[self.tx_set](self.order, at.date()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeating:
    """A partner sends a document of before again, byte for byte; ``number``: of its order."""

    player: DemoPartner
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GarbageReceived:
    """A partner sends what is no document."""

    player: DemoPartner
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """A partner answers a document of ours with an interchange, or a 997 or 999 of this body."""

    player: DemoPartner
    said: Segments = field(repr=False)


Act = Sending | Receiving | Repeating | GarbageReceived | Answering


def with_wrong_quantity(body: Segments) -> Segments:
    """Return a set whose first quantity is no number."""
    return _with(body, _QUANTITIES, _QUANTITY_AT, _NOT_A_NUMBER)


def with_wrong_date(body: Segments) -> Segments:
    """Return a set whose first date segment says a day that does not exist."""
    return _with(body, frozenset({"DTM"}), _DATE_AT, _NO_DATE)


def _with(body: Segments, tags: frozenset[str], element: int, value: str) -> Segments:
    spoilt = list(body)
    for at, segment in enumerate(body):
        parts = segment.split("*")
        if parts[0] in tags:
            parts[element] = value
            spoilt[at] = "*".join(parts)
            break
    return spoilt
