"""The events of a demo: documents sent, documents received, and what partners send instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.demo.documents import WRITERS, Segments, json_order
from longshore.demo.interchanges import SimulatedInterchange
from longshore.demo.maps import SPECIAL
from longshore.demo.orders import Order
from longshore.demo.partners import DemoPartner
from longshore.domain.transactions.model import Source

_QUANTITIES: Final = frozenset({"PO1", "IT1", "SN1"})
_QUANTITY_AT, _NOT_A_NUMBER = 2, "12X"
_DATE_AT, _NO_DATE = 2, "20261399"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSent:
    """We send a document to a partner."""

    partner: DemoPartner
    tx_set: str
    order: Order
    kind: str = ""
    """The kind of the first article if a map makes the document of JSON, else empty."""
    source: Source = Source.API

    @property
    def is_valid(self) -> bool:
        """The partner accepts the document, so that others follow it."""
        return self.kind != SPECIAL

    def content(self, at: datetime) -> Segments:
        """Return the body of the set."""
        return WRITERS[self.tx_set](self.order, at.date())

    def document(self) -> str:
        """Return the order as JSON."""
        return json_order(self.order, self.kind)


def _unchanged_body(body: Segments) -> Segments:
    return body


def _unchanged_interchange(interchange: SimulatedInterchange) -> SimulatedInterchange:
    return interchange


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReceived:
    """A partner sends a document, which may have errors."""

    partner: DemoPartner
    tx_set: str
    order: Order
    modify_body: Callable[[Segments], Segments] = field(default=_unchanged_body)
    """Puts an error into the transaction set."""
    modify_interchange: Callable[[SimulatedInterchange], SimulatedInterchange] = field(
        default=_unchanged_interchange
    )
    """Puts an error into the envelope."""

    @property
    def is_valid(self) -> bool:
        """The transaction set has no error, so that other documents follow it."""
        return self.modify_body is _unchanged_body

    def body(self, at: datetime) -> Segments:
        """Return the body of the set."""
        return self.modify_body(WRITERS[self.tx_set](self.order, at.date()))


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateReceived:
    """A partner sends an earlier document again, byte for byte."""

    partner: DemoPartner
    number: str
    """The number of the order that the document belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GarbageReceived:
    """A partner sends text that is no document."""

    partner: DemoPartner
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgementReceived:
    """A partner acknowledges a document of ours."""

    partner: DemoPartner
    body: Segments = field(repr=False)
    """The segments of the 997 or 999 between ST and SE."""


DemoEvent = (
    DocumentSent | DocumentReceived | DuplicateReceived | GarbageReceived | AcknowledgementReceived
)


def with_wrong_quantity(body: Segments) -> Segments:
    """Return a transaction set whose first quantity is not a number."""
    return _with(body, _QUANTITIES, _QUANTITY_AT, _NOT_A_NUMBER)


def with_wrong_date(body: Segments) -> Segments:
    """Return a transaction set whose first date does not exist."""
    return _with(body, frozenset({"DTM"}), _DATE_AT, _NO_DATE)


def _with(body: Segments, tags: frozenset[str], element: int, value: str) -> Segments:
    modified = list(body)
    for at, segment in enumerate(body):
        parts = segment.split("*")
        if parts[0] in tags:
            parts[element] = value
            modified[at] = "*".join(parts)
            break
    return modified
