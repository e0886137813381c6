"""The context of errors for a 997 or 999: business units, and loops bounded by LS and LE.

The document is read a second time, up to the last error that is named. Only documents with errors
need that, and only if one of their sets can have a context.

Source: x12.md section 2.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from longshore.x12.control import SetSummary, element_at
from longshore.x12.findings import Finding
from longshore.x12.results import BoundedLoop, BusinessUnit, SetResult
from longshore.x12.walk import Walk


class _UnitSource(NamedTuple):
    """Where a business unit begins: element ``value_at``, if element 1 is ``qualifier`` or any."""

    qualifier: str
    value_at: int
    name: str


_PEOPLE: Final = (
    _UnitSource("IL", 9, "SUBSCRIBER NAME NM109"),
    _UnitSource("QC", 9, "PATIENT NAME NM109"),
)
_TRACE: Final = (_UnitSource("", 2, "TRN02"),)
_TRACED: Final[Mapping[str, tuple[_UnitSource, ...]]] = {"TRN": _TRACE, "NM1": _PEOPLE}
# By set and segment.
_SOURCES: Final[Mapping[str, Mapping[str, tuple[_UnitSource, ...]]]] = {
    "270": _TRACED,
    "271": _TRACED,
    "276": _TRACED,
    "277": _TRACED,
    "278": _TRACED,
    "820": {"ENT": (_UnitSource("", 1, "ENT01"),)},
    "834": {"REF": (_UnitSource("0F", 2, "SUBSCRIBER NUMBER REF02"),)},
    "835": {"TRN": _TRACE},
    "837": {"CLM": (_UnitSource("", 1, "CLM01"),), "NM1": _PEOPLE},
}
# A claim or a trace outranks the people named in it.
_OUTRANKED: Final = "NM1"
# Where one business unit ends, whether or not another begins; the INS of other sets lies in one.
_ENDS: Final[Mapping[str, str]] = {"834": "INS"}
_DEFAULT_END: Final = "HL"


def have_contexts(sets: Sequence[SetSummary], results: Mapping[int, SetResult]) -> bool:
    """Return whether ``add_contexts`` may find anything.

    Args:
        sets: All sets of the document, in order.
        results: Their results, by index.
    """
    return any(
        result.may_bound_loops or sets[index - 1].set_id in _SOURCES
        for index, result in results.items()
        if result.findings
    )


def add_contexts(walk: Walk, results: Mapping[int, SetResult]) -> None:
    """Add business units and bounded loops to the results of sets with errors.

    Args:
        walk: A new walk through the same document.
        results: The results of the sets, by index.

    Raises:
        LongshoreError: As the walk.
    """
    wanted = {index: result for index, result in results.items() if result.findings}
    last = max(wanted, default=0)
    last_place = max(map(_place_of, wanted[last].findings)) if last else 0
    readers: dict[int, _ContextReader] = {}
    for spans in walk.span_lists():
        for span in spans:
            index = span.tx_index
            if index > last or (index == last and span.position > last_place):
                return
            if index not in wanted:
                continue
            if index not in readers:
                set_id = walk.envelope.sets[index - 1].set_id
                readers = {index: _ContextReader(set_id, wanted[index])}
            rows = span.batch.rows[span.first : span.last]
            for position, row in enumerate(rows, span.position):
                readers[index].take(position, row)


def _place_of(finding: Finding) -> int:
    return finding.segment_position or 0


class _ContextReader:
    def __init__(self, set_id: str, result: SetResult) -> None:
        self._sources = _SOURCES.get(set_id, {})
        self._end = _ENDS.get(set_id, _DEFAULT_END)
        self._units = result.units
        self._loops = result.loops
        self._open_loops: list[str] = []
        self._is_outranked = False

    def take(self, position: int, row: list[str]) -> None:
        tag = row[0]
        if tag == "LS":
            self._open_loops.append(element_at(row, 1))
            self._loops.append(BoundedLoop(position + 1, self._open_loops[-1]))
        elif tag == "LE" and self._open_loops:
            self._open_loops.pop()
            self._loops.append(BoundedLoop(position, (self._open_loops or [""])[-1]))
        elif tag == self._end and self._units:
            self._units.append(BusinessUnit(position, "", ""))
            self._is_outranked = False
        elif tag in self._sources and not (tag == _OUTRANKED and self._is_outranked):
            self._business_unit(position, row)

    def _business_unit(self, position: int, row: list[str]) -> None:
        for source in self._sources[row[0]]:
            value = element_at(row, source.value_at)
            if value and source.qualifier in {"", element_at(row, 1)}:
                self._units.append(BusinessUnit(position, source.name, value))
                self._is_outranked = row[0] != _OUTRANKED
