"""Codes and messages of findings about content. No message holds a value of the document.

Source: contract.md section 10, x12.md sections 2.3 and 2.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from longshore.x12.elements import faults as element_faults
from longshore.x12.findings import FindingCode
from longshore.x12.loops import faults as structure_faults

ElementKind = element_faults.ElementFaultKind
StructureKind = structure_faults.LoopFaultKind

_MAX_CODES_SHOWN: Final = 12

STRUCTURE_CODES: Final[Mapping[StructureKind, FindingCode]] = {
    StructureKind.SEGMENT_MISSING: FindingCode.SEGMENT_MISSING,
    StructureKind.LOOP_MISSING: FindingCode.SEGMENT_MISSING,
    StructureKind.SEGMENT_OVER_MAXIMUM: FindingCode.SEGMENT_OVER_MAXIMUM,
    StructureKind.LOOP_OVER_MAXIMUM: FindingCode.LOOP_OVER_MAXIMUM,
    StructureKind.OUT_OF_ORDER: FindingCode.SEGMENT_OUT_OF_ORDER,
    StructureKind.UNEXPECTED: FindingCode.SEGMENT_UNEXPECTED,
    StructureKind.NOT_IN_SET: FindingCode.SEGMENT_NOT_IN_SET,
    StructureKind.UNKNOWN_ID: FindingCode.SEGMENT_UNKNOWN,
    StructureKind.QUALIFIER_NOT_ALLOWED: FindingCode.CODE_NOT_USED,
    StructureKind.NOT_USED: FindingCode.SEGMENT_NOT_USED,
    StructureKind.PARENT_UNKNOWN: FindingCode.HIERARCHY_INVALID,
    StructureKind.PARENT_NOT_ALLOWED: FindingCode.HIERARCHY_INVALID,
}
# What only a guide asks for has codes of its own.
GUIDE_CODES: Final[Mapping[StructureKind, FindingCode]] = {
    StructureKind.SEGMENT_MISSING: FindingCode.SEGMENT_UNDER_MINIMUM,
    StructureKind.LOOP_MISSING: FindingCode.LOOP_UNDER_MINIMUM,
}


_STRUCTURE_TEXTS: Final[Mapping[StructureKind, str]] = {
    StructureKind.SEGMENT_MISSING: "mandatory segment {segment_id} is missing{place}",
    StructureKind.LOOP_MISSING: "mandatory loop {loop_id} ({segment_id}) is missing",
    StructureKind.SEGMENT_OVER_MAXIMUM: (
        "segment occurs more often than the {maximum} times allowed{place}"
    ),
    StructureKind.LOOP_OVER_MAXIMUM: (
        "loop {loop_id} occurs more often than the {maximum} times allowed"
    ),
    StructureKind.OUT_OF_ORDER: "{segment_id} is out of order: {passed}",
    StructureKind.UNEXPECTED: "segment belongs to another place or loop of this set",
    StructureKind.NOT_IN_SET: "segment does not belong to this transaction set",
    StructureKind.UNKNOWN_ID: "segment id is in no X12 dictionary",
    StructureKind.QUALIFIER_NOT_ALLOWED: "code is not allowed here{codes}",
    StructureKind.NOT_USED: "the guide does not use this segment here",
    StructureKind.PARENT_UNKNOWN: "HL02 names no earlier HL",
    StructureKind.PARENT_NOT_ALLOWED: "the HL that HL02 names holds no level of this kind",
}
_ELEMENT_TEXTS: Final[Mapping[ElementKind, str]] = {
    ElementKind.MANDATORY_MISSING: "mandatory {what} is missing",
    ElementKind.CONDITION_MISSING: "{what} is missing, which other elements here require",
    ElementKind.TOO_MANY_ELEMENTS: "segment has more elements than the {maximum} defined",
    ElementKind.TOO_SHORT: "{what} has {length} characters, at least {minimum} are needed",
    ElementKind.TOO_LONG: "{what} has {length} characters, at most {maximum} are allowed",
    ElementKind.INVALID_CHARACTER: "{what} holds a character its type does not allow",
    ElementKind.INVALID_CODE: "code is not in the list of this element{codes}",
    ElementKind.INVALID_DATE: "{what} is not a date",
    ElementKind.INVALID_TIME: "{what} is not a time",
    ElementKind.EXCLUSION: "{what} must not be present together with another one here",
    ElementKind.TOO_MANY_REPETITIONS: "element repeats more than the {maximum} times allowed",
    ElementKind.TOO_MANY_COMPONENTS: "element has more components than the {maximum} defined",
    ElementKind.CODE_NOT_USED: "code is not allowed here{codes}",
    ElementKind.ELEMENT_NOT_USED: "the guide does not use this {what}",
    ElementKind.NUMBER_FORM: "number ends with its decimal point",
}


def structure_message(fault: structure_faults.StructureFault) -> str:
    """Return the message about a fault in the order or number of segments."""
    return _STRUCTURE_TEXTS[fault.kind].format(
        segment_id=fault.segment_id,
        loop_id=fault.loop_id,
        maximum=fault.maximum,
        place=f" in loop {fault.loop_id}" if fault.path else "",
        passed=_passed(fault),
        codes=_codes(fault.allowed),
    )


def _passed(fault: structure_faults.StructureFault) -> str:
    if not fault.passed_id:
        return "its position has passed"
    return f"it belongs before {fault.passed_id} at segment {fault.passed_position}"


def element_message(fault: element_faults.ElementFault) -> str:
    """Return the message about a fault of an element."""
    return _ELEMENT_TEXTS[fault.kind].format(
        what="element" if fault.component is None else "component",
        minimum=fault.minimum,
        maximum=fault.maximum,
        length=fault.length,
        codes=_codes(fault.allowed),
    )


def _codes(allowed: tuple[str, ...] | None) -> str:
    if not allowed:
        return ""
    shown = ", ".join(allowed[:_MAX_CODES_SHOWN])
    return f"; allowed: {shown}{', …' if len(allowed) > _MAX_CODES_SHOWN else ''}"
