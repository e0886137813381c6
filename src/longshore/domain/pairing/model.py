"""The stored trace numbers of requests and responses, and what follows from them.

Source: x12.md section 2.12.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique

from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.transactions.model import TransactionId
from longshore.kit.environment import Environment
from longshore.x12.traces import PairingRole, TraceKind


@unique
class TraceState(StrEnum):
    """State of a number of a request: not answered, answered, or not answered in time."""

    OPEN = "open"
    ANSWERED = "answered"
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePlace:
    """A number of a set, without its value."""

    kind: TraceKind
    element: str
    """``TRN02`` or ``BHT03``; ``""`` stands for a set that has no number."""
    position: int
    """The position of its segment in the set, ST = 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTrace:
    """A number to be stored."""

    place: TracePlace
    digest: bytes
    """Its keyed hash, with the request's set, sender and receiver."""
    due_at: datetime | None = None
    """Until when it is to be answered; None if no answer is awaited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTraces:
    """The numbers of one set, to be stored."""

    transaction_id: TransactionId
    direction: Direction
    traces: tuple[NewTrace, ...]
    total: int
    """The number of all in the document, of which the first are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestTrace:
    """A stored number of a request."""

    place: TracePlace
    total: int
    state: TraceState
    due_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseTrace:
    """A stored number of a response, and the request that has it."""

    place: TracePlace
    total: int
    request_id: TransactionId | None
    """The request that it was linked to; None if there is none."""
    is_ambiguous: bool
    """Several requests with this number were not answered yet; the newest one was taken."""
    request_total: int = 0
    """The number of all trace numbers of the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceMatch:
    """A number of a response, compared with those of all requests."""

    response_trace_id: int
    place: TracePlace
    request_id: TransactionId | None
    """The request that it was found in, None if in none."""
    is_ambiguous: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTransaction:
    """The other side of a pair."""

    transaction_id: TransactionId
    number_count: int
    """The numbers that both have."""
    is_ambiguous: bool
    total: int
    """The number of all trace numbers in its document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverdueRequest:
    """A request some of whose numbers were not answered in time."""

    transaction_id: TransactionId
    environment: Environment
    partner_id: PartnerId


@unique
class PairingFindingCode(StrEnum):
    """Codes of what the reconciliation of requests and responses finds."""

    RESPONSE_WITHOUT_REQUEST = "response_without_request"
    RESPONSE_OVERDUE = "response_overdue"
    TRACE_MISSING = "trace_missing"
    TRACE_NOT_COMPARED = "trace_not_compared"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingFinding:
    """A finding, with its place."""

    code: PairingFindingCode
    message: str
    element: str = ""
    """``TRN02`` or ``BHT03``; ``""`` if it is about the set as a whole."""
    segment_position: int | None = None
    """ST = 1; None if it is about the set as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A request or response with the transactions of the other side."""

    role: PairingRole
    number_count: int
    """The TRN02s of the set; of a set without any the BHT03 counts."""
    paired_count: int
    """Those of them that the other side has; of a request, those that are answered."""
    due_at: datetime | None
    """When the last awaited answer is due if the request is sent at once; None: none is awaited."""
    transactions: tuple[PairedTransaction, ...]
    findings: tuple[PairingFinding, ...]
    """At most ``MAX_FINDINGS``."""
    finding_count: int
