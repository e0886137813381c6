"""What findings about content are called, and what they say. No value of a document is in a text.

Source: contract.md section 10, x12.md sections 2.3 and 2.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from longshore.x12.elements import faults as element_faults
from longshore.x12.findings import FindingCode
from longshore.x12.loops import faults as structure_faults

ElementKind = element_faults.FaultKind
StructureKind = structure_faults.FaultKind

_MOST_CODES_SHOWN: Final = 12

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


def structure_message(fault: structure_faults.StructureFault) -> str:
    """Say what is wrong with the order or number of segments."""
    segment_id, kind = fault.segment_id, fault.kind
    place = f" in loop {fault.loop_id}" if fault.path else ""
    texts = {
        StructureKind.SEGMENT_MISSING: f"mandatory segment {segment_id} is missing{place}",
        StructureKind.LOOP_MISSING: f"mandatory loop {fault.loop_id} ({segment_id}) is missing",
        StructureKind.SEGMENT_OVER_MAXIMUM: (
            f"segment occurs more often than the {fault.maximum} times allowed{place}"
        ),
        StructureKind.LOOP_OVER_MAXIMUM: (
            f"loop {fault.loop_id} occurs more often than the {fault.maximum} times allowed"
        ),
        StructureKind.OUT_OF_ORDER: "segment is out of order: its position has passed",
        StructureKind.UNEXPECTED: "segment belongs to another place or loop of this set",
        StructureKind.NOT_IN_SET: "segment does not belong to this transaction set",
        StructureKind.UNKNOWN_ID: "segment id is in no X12 dictionary",
        StructureKind.QUALIFIER_NOT_ALLOWED: f"code is not allowed here{_codes(fault.allowed)}",
        StructureKind.NOT_USED: "the guide does not use this segment here",
        StructureKind.PARENT_UNKNOWN: "HL02 names no earlier HL",
        StructureKind.PARENT_NOT_ALLOWED: "the HL that HL02 names holds no level of this kind",
    }
    return texts[kind]


def element_message(fault: element_faults.ElementFault) -> str:
    """Say what is wrong with an element."""
    what = "component" if fault.component is not None else "element"
    most, least, length = fault.most, fault.least, fault.length
    texts = {
        ElementKind.MANDATORY_MISSING: f"mandatory {what} is missing",
        ElementKind.CONDITION_MISSING: f"{what} is missing, which other elements here require",
        ElementKind.TOO_MANY_ELEMENTS: f"segment has more elements than the {most} defined",
        ElementKind.TOO_SHORT: f"{what} has {length} characters, at least {least} are needed",
        ElementKind.TOO_LONG: f"{what} has {length} characters, at most {most} are allowed",
        ElementKind.INVALID_CHARACTER: f"{what} holds a character its type does not allow",
        ElementKind.INVALID_CODE: f"code is not in the standard's list{_codes(fault.allowed)}",
        ElementKind.INVALID_DATE: f"{what} is not a date",
        ElementKind.INVALID_TIME: f"{what} is not a time",
        ElementKind.EXCLUSION: f"{what} must not stand beside another one here",
        ElementKind.TOO_MANY_REPETITIONS: f"element repeats more than the {most} times allowed",
        ElementKind.TOO_MANY_COMPONENTS: f"element has more components than the {most} defined",
        ElementKind.CODE_NOT_USED: f"code is not allowed here{_codes(fault.allowed)}",
        ElementKind.ELEMENT_NOT_USED: f"the guide does not use this {what}",
        ElementKind.NUMBER_FORM: "number ends with its decimal point",
    }
    return texts[fault.kind]


def _codes(allowed: tuple[str, ...] | None) -> str:
    if not allowed:
        return ""
    shown = ", ".join(allowed[:_MOST_CODES_SHOWN])
    return f"; allowed: {shown}{', …' if len(allowed) > _MOST_CODES_SHOWN else ''}"
