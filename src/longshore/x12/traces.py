"""Read the trace numbers by which a response names its request: 270/271, 276/277 and 278/278.

Sets are read one segment after the other, by ids and qualifiers alone, so that a faulty set and the
guides of 4010 and 5010 are read alike.

Source: x12.md section 2.12.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final, NamedTuple

from longshore.x12.control import SegmentSpan, element_at

MAX_TRACES: Final = 1_000
"""The trace numbers of one set that are compared; the document has the others."""

_AFTER_ST: Final = 2  # the position of BHT; ST has 1
_CURRENT: Final = "1"  # TRN01 of a number that the sender of the set gives
_REFERENCED: Final = "2"  # TRN01 of a number that is given back
_RECEIVER_LEVEL: Final = "21"  # HL03
_PERSONS: Final = frozenset(("22", "23"))  # subscriber and dependent
_LEVELS: Final[Mapping[str, frozenset[str]]] = {
    "270": _PERSONS,
    "276": _PERSONS,
    "278": _PERSONS | {"EV", "SS"},  # patient event and service too
}
"""HL03 of the levels whose TRN names one question, by set of the request."""
_RETURNING: Final = frozenset(("271", "278"))
"""Responses whose BHT03 is that of the request; a 277 has it in TRN02 of the receiver level."""
_NO_NUMBER: Final = "0"  # TRN02 of a level that names nothing
_REQUEST_PURPOSES: Final = frozenset(("01", "13", "36"))  # BHT02 of a 278
_RESPONSE_PURPOSE: Final = "11"
_CLAIM_STATUS: Final = "DG"  # BHT06 of a 277 that answers a 276
_OTHER_REVIEWS: Final = ("005010X215", "005010X216")  # 278s that inquire and notify


@unique
class TraceKind(StrEnum):
    """The part of a request that a number names."""

    REFERENCE = "reference"
    """The request as a whole: its BHT03."""
    TRACE = "trace"
    """One question of it: TRN02 of a level."""


@unique
class PairingRole(StrEnum):
    """The part of a set in a pair."""

    REQUEST = "request"
    RESPONSE = "response"


class Trace(NamedTuple):
    """A number, and where it is first in its set."""

    kind: TraceKind
    value: str
    element: str
    """``BHT03`` or ``TRN02``."""
    position: int
    """The position of the segment in its set, ST = 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTraces:
    """The numbers of a request or response, each once, in the order of the document."""

    role: PairingRole
    request_set: str
    """ST01 of the request: ``270`` of a 270 and of a 271."""
    traces: tuple[Trace, ...]
    """The BHT03 and the first ``MAX_TRACES`` others."""
    total: int
    """The number of all; of those that are not compared, repeated ones count each time."""


class TraceReader:
    """Reads one set.

    Args:
        set_id: ST01.
        guide: ST03, or GS08 where ST03 is empty.
    """

    def __init__(self, set_id: str, guide: str = "") -> None:
        self._set_id = set_id
        self._is_other = guide.startswith(_OTHER_REVIEWS)
        self._role: PairingRole | None = None
        self._level = ""
        self._found: dict[tuple[TraceKind, str], Trace] = {}
        self._total = 0

    def take(self, position: int, row: list[str]) -> None:
        """Read the segment at ``position``, ST = 1."""
        tag = row[0]
        if tag == "BHT" and position == _AFTER_ST:
            self._begin(row)
        elif self._role is None:
            return
        elif tag == "HL":
            self._level = element_at(row, 3).strip()
        elif tag == "TRN":
            self._trace(position, row, self._role)

    def found(self) -> SetTraces | None:
        """Return the numbers; None of a set that is neither a request nor a response."""
        if self._role is None:
            return None
        return SetTraces(
            role=self._role,
            request_set=_REQUEST_SETS[self._set_id],
            traces=tuple(self._found.values()),
            total=self._total,
        )

    def _begin(self, row: list[str]) -> None:
        if self._is_other:
            return
        self._role = _role(self._set_id, row)
        if self._role is PairingRole.REQUEST or self._set_id in _RETURNING:
            self._add(TraceKind.REFERENCE, element_at(row, 3), "BHT03", _AFTER_ST)

    def _trace(self, position: int, row: list[str], role: PairingRole) -> None:
        is_request, value = role is PairingRole.REQUEST, element_at(row, 2)
        if element_at(row, 1).strip() != (_CURRENT if is_request else _REFERENCED):
            return
        if self._level in _LEVELS[_REQUEST_SETS[self._set_id]]:
            self._add(TraceKind.TRACE, value, "TRN02", position)
        elif self._set_id == "277" and self._level == _RECEIVER_LEVEL:
            self._add(TraceKind.REFERENCE, value, "TRN02", position)

    def _add(self, kind: TraceKind, value: str, element: str, position: int) -> None:
        text = value.strip()
        if not text or (text == _NO_NUMBER and kind is TraceKind.REFERENCE):
            return
        key = (kind, text)
        if key in self._found:
            return
        self._total += 1
        if self._total <= MAX_TRACES:
            self._found[key] = Trace(kind, text, element, position)


_REQUEST_SETS: Final[Mapping[str, str]] = {
    "270": "270",
    "271": "270",
    "276": "276",
    "277": "276",
    "278": "278",
}
"""ST01 of the request, by ST01 of a set of a pair."""
PAIRED_SETS: Final = frozenset(_REQUEST_SETS)


def _role(set_id: str, beginning: list[str]) -> PairingRole | None:
    """Return what a set is, by its BHT; a 277 may answer something else than a 276."""
    if set_id in {"270", "276"}:
        return PairingRole.REQUEST
    if set_id == "271":
        return PairingRole.RESPONSE
    if set_id == "277":
        is_status = element_at(beginning, 6).strip() == _CLAIM_STATUS
        return PairingRole.RESPONSE if is_status else None
    purpose = element_at(beginning, 2).strip()
    if purpose in _REQUEST_PURPOSES:
        return PairingRole.REQUEST
    return PairingRole.RESPONSE if purpose == _RESPONSE_PURPOSE else None


class TraceCollector:
    """Reads the requests and responses of a document, list by list of a walk (``x12.walk``)."""

    def __init__(self) -> None:
        self._readers: dict[int, TraceReader] = {}
        self._version = ""

    def add(self, spans: list[SegmentSpan]) -> None:
        """Take a list of spans."""
        for span in spans:
            if span.tx_index:
                self._take(span)
            else:
                header = span.batch.rows[span.first]
                if header[0] == "GS":
                    self._version = element_at(header, 8)

    def found(self) -> dict[int, SetTraces]:
        """Return the numbers of each request and response, by its index from 1."""
        found = {index: each.found() for index, each in self._readers.items()}
        return {index: each for index, each in found.items() if each is not None}

    def _take(self, span: SegmentSpan) -> None:
        rows = span.batch.rows
        if span.position == 1:
            header = rows[span.first]
            set_id = element_at(header, 1)
            if set_id in PAIRED_SETS:
                guide = element_at(header, 3) or self._version
                self._readers[span.tx_index] = TraceReader(set_id, guide)
        reader = self._readers.get(span.tx_index)
        if reader is None:
            return
        for at in range(span.first, span.last):
            reader.take(span.position + at - span.first, rows[at])
