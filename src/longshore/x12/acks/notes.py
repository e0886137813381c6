"""Write the segment and element notes of a 997 or 999.

Source: x12.md sections 2.2 to 2.4.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Final

from longshore.x12.acks.codes import ELEMENTS_IN_ERROR, Form
from longshore.x12.acks.texts import AckTexts
from longshore.x12.findings import Finding, Trigger
from longshore.x12.results import STANDARD_LAYER, BoundedLoop, BusinessUnit, SetResult
from longshore.x12.writer.segments import Components, Segment

MAX_ELEMENT_NOTES: Final = 99  # in one segment note
_MAX_CONTEXT_VALUE: Final = 35
_MAX_SEGMENT_ID: Final = 3
_MAX_LOOP_ID: Final = 6
_NUMBER = re.compile("[0-9]{1,4}")
# The loop id of segments outside every loop; no loop has such an id.
_OUTSIDE_LOOPS: Final = frozenset(("heading", "summary"))
_MISSING: Final = frozenset(("3", "I6", "I7", "I8"))
_SITUATIONAL: Final = "SITUATIONAL TRIGGER"


class SetNotes:
    """Writes the notes about one set. ``is_truncated`` is set when not all of them found room."""

    def __init__(self, form: Form, texts: AckTexts) -> None:
        self.is_truncated = False
        self._form = form
        self._texts = texts

    def of(self, result: SetResult) -> Iterator[Segment]:
        """Yield the notes, those about one segment's elements below one segment note."""
        form = self._form
        carried = [
            each for each in result.findings if form.carries_guide or each.layer == STANDARD_LAYER
        ]
        faults = result.faults.items()
        counted = sum(count for fault, count in faults if form.carries_guide or fault.is_standard)
        self.is_truncated |= len(carried) < counted
        for findings in _by_segment(sorted(carried, key=_rank)):
            yield from self._about_segment(findings, result)

    def _about_segment(self, findings: list[Finding], result: SetResult) -> Iterator[Segment]:
        first = findings[0]
        place = _place_of(first)
        loop = first.loop_id if self._form.carries_guide else _bounded_loop(place, result.loops)
        position, code = str(first.segment_position), _segment_code(first)
        yield (self._form.segment, self._segment_id(first), position, self._loop(loop), code)
        if self._form.carries_guide:
            yield from self._business_unit(place, result.units)
        about_elements: dict[tuple[Components, str], Finding] = {}
        for finding in findings:
            if not _element_code(finding):
                yield from self._trigger(finding.trigger)
                continue
            code = self._form.element_error(_element_code(finding))
            about_elements.setdefault((self._position(finding), code), finding)
        self.is_truncated |= len(about_elements) > MAX_ELEMENT_NOTES
        for (at, code), finding in list(about_elements.items())[:MAX_ELEMENT_NOTES]:
            reference = element_number(finding.element_ref)
            bad_value = self._texts.quoted(finding.bad_value)
            yield (self._form.element, at, reference, code, bad_value)
            yield from self._trigger(finding.trigger)

    def _segment_id(self, finding: Finding) -> str:
        text = finding.segment_id or (finding.bad_value or "")[:_MAX_SEGMENT_ID]
        return self._texts.name(text or "???")

    def _position(self, finding: Finding) -> Components:
        """Return AK401: the element, its component and, where the form has it, its repetition."""
        numbers = [finding.element_position, finding.component_position]
        if self._form.names_versions:
            numbers.append(finding.repeat)
        return tuple(str(number or "") for number in numbers)

    def _loop(self, loop_id: str | None) -> str:
        if loop_id is None or loop_id in _OUTSIDE_LOOPS or len(loop_id) > _MAX_LOOP_ID:
            return ""
        return self._texts.name(loop_id)

    def _business_unit(self, place: int, units: list[BusinessUnit]) -> Iterator[Segment]:
        """Yield the context of the business unit of the segment at ``place``."""
        at = bisect_right(units, place, key=attrgetter("position"))
        if at:
            unit = units[at - 1]
            value = self._texts.quoted(unit.value, _MAX_CONTEXT_VALUE)
            if value:
                yield ("CTX", (unit.name, value))

    def _trigger(self, trigger: Trigger | None) -> Iterator[Segment]:
        """Yield the context of a situational rule; only the 999 has one."""
        if trigger is not None and self._form.carries_guide:
            numbers = (trigger.element_position, trigger.component_position)
            at = tuple(str(number or "") for number in numbers)
            place = (self._texts.name(trigger.segment_id), str(trigger.segment_position))
            loop, reference = self._loop(trigger.loop_id), element_number(trigger.element_ref)
            yield ("CTX", _SITUATIONAL, *place, loop, at, reference)


def _by_segment(findings: Iterable[Finding]) -> Iterator[list[Finding]]:
    """Yield the findings about elements of one segment together, any other one alone.

    In the order of their first ones.
    """
    groups: list[list[Finding]] = []
    about_elements: dict[int | None, list[Finding]] = {}
    for finding in findings:
        if _segment_code(finding) != ELEMENTS_IN_ERROR:
            groups.append([finding])
        elif finding.segment_position in about_elements:
            about_elements[finding.segment_position].append(finding)
        else:
            about_elements[finding.segment_position] = [finding]
            groups.append(about_elements[finding.segment_position])
    yield from groups


def _segment_code(finding: Finding) -> str:
    assert finding.ack_code is not None  # SetResult.add keeps no other
    return finding.ack_code["segment"]


def _element_code(finding: Finding) -> str:
    assert finding.ack_code is not None  # SetResult.add keeps no other
    return finding.ack_code.get("element", "")


def _place_of(finding: Finding) -> int:
    """Return the position a finding is about; what is missing belongs before what was found."""
    return (finding.segment_position or 0) - (_segment_code(finding) in _MISSING)


def _rank(finding: Finding) -> tuple[int, bool]:
    """Return the sort key of a note: a missing segment precedes the one found instead."""
    return finding.segment_position or 0, _segment_code(finding) not in _MISSING


def _bounded_loop(place: int, loops: list[BoundedLoop]) -> str:
    """Return the id of the innermost loop between LS and LE at ``place``, ``""`` outside any."""
    at = bisect_right(loops, place, key=attrgetter("position"))
    return loops[at - 1].loop_id if at else ""


def element_number(element_ref: str | None) -> str:
    """Return an element's number; a composite has an id that is none."""
    return element_ref if element_ref and _NUMBER.fullmatch(element_ref) else ""
