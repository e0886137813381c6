"""The meaning of acknowledgement codes, and the codes that would have been allowed.

Source: x12.md sections 2.1 and 2.3, contract.md section 7 (``hint``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from longshore.domain.acks.model import AckError
from longshore.x12.dictionary.model import (
    CompositeType,
    Definition,
    ElementRule,
    ElementUse,
    SegmentUse,
)

UNKNOWN: Final = "Not a code that X12 knows"

SEGMENT_MEANINGS: Final[Mapping[str, str]] = MappingProxyType({
    "1": "Unrecognised segment id",
    "2": "Unexpected segment",
    "3": "Mandatory segment missing",
    "4": "Loop occurs too often",
    "5": "Segment occurs too often",
    "6": "Segment not in this transaction set",
    "7": "Segment not in its proper sequence",
    "8": "Segment has data element errors",
    "I4": "Segment that the guide does not use",
    "I6": "Dependent segment missing",
    "I7": "Loop occurs too rarely",
    "I8": "Segment occurs too rarely",
    "I9": "Dependent segment that is not used",
})
"""AK304 and IK304."""

ELEMENT_MEANINGS: Final[Mapping[str, str]] = MappingProxyType({
    "1": "Mandatory data element missing",
    "2": "Conditionally required data element missing",
    "3": "Too many data elements",
    "4": "Data element too short",
    "5": "Data element too long",
    "6": "Invalid character in data element",
    "7": "Invalid code value",
    "8": "Invalid date",
    "9": "Invalid time",
    "10": "Exclusion condition violated",
    "12": "Too many repetitions",
    "13": "Too many components",
    "I6": "Code value that the guide does not use",
    "I9": "Dependent data element missing",
    "I10": "Data element that the guide does not use",
    "I11": "Too few repetitions",
    "I12": "Pattern of the guide not matched",
    "I13": "Dependent data element that is not used",
})
"""AK403 and IK403."""

SET_MEANINGS: Final[Mapping[str, str]] = MappingProxyType({
    "1": "Transaction set not supported",
    "2": "Transaction set trailer missing",
    "3": "Control numbers of header and trailer differ",
    "4": "Number of segments wrong",
    "5": "Segments in error",
    "6": "Transaction set id missing or invalid",
    "7": "Control number missing or invalid",
    "8": "Authentication key unknown",
    "9": "Encryption key unknown",
    "10": "Service not available",
    "11": "Security recipient unknown",
    "12": "Message length incorrect",
    "13": "Authentication code failed",
    "15": "Security originator unknown",
    "16": "Syntax error in decrypted text",
    "17": "Security not supported",
    "18": "Transaction set not in this group",
    "19": "Reference to the implementation convention invalid",
    "23": "Control number not unique in the group",
    "24": "S3E missing",
    "25": "S3S missing",
    "26": "S4E missing",
    "27": "S4S missing",
    "I5": "Segments in error against the guide",
    "I6": "Implementation convention not supported",
})
"""AK502 and IK502."""

GROUP_MEANINGS: Final[Mapping[str, str]] = MappingProxyType({
    "1": "Functional group not supported",
    "2": "Version not supported",
    "3": "Group trailer missing",
    "4": "Control numbers of header and trailer differ",
    "5": "Number of transaction sets wrong",
    "6": "Control number invalid",
    "10": "Authentication key unknown",
    "11": "Encryption key unknown",
    "12": "Service not available",
    "13": "Security recipient unknown",
    "14": "Security originator unknown",
    "15": "Syntax error in decrypted text",
    "16": "Security not supported",
    "17": "Message length incorrect",
    "18": "Authentication code failed",
    "19": "Control number not unique in the interchange",
    "23": "S3E missing",
    "24": "S3S missing",
    "25": "S4E missing",
    "26": "S4S missing",
})
"""AK905."""

INTERCHANGE_MEANINGS: Final[Mapping[str, str]] = MappingProxyType({
    "000": "No error",
    "001": "Control numbers of header and trailer differ",
    "002": "Standard of the interchange not supported",
    "003": "Version of the interchange not supported",
    "004": "Segment terminator invalid",
    "005": "Qualifier of the sender invalid",
    "006": "Sender id invalid",
    "007": "Qualifier of the receiver invalid",
    "008": "Receiver id invalid",
    "009": "Receiver id unknown",
    "010": "Qualifier of the authorisation invalid",
    "011": "Authorisation invalid",
    "012": "Qualifier of the security information invalid",
    "013": "Security information invalid",
    "014": "Date of the interchange invalid",
    "015": "Time of the interchange invalid",
    "016": "Id of the standard invalid",
    "017": "Version id of the interchange invalid",
    "018": "Control number of the interchange invalid",
    "019": "Request for an acknowledgement invalid",
    "020": "Usage indicator invalid",
    "021": "Number of functional groups wrong",
    "022": "Control structure invalid",
    "023": "End of the file too early",
    "024": "Content invalid, such as a GS segment",
    "025": "Control number of the interchange used before",
    "026": "Element separator invalid",
    "027": "Component separator invalid",
    "028": "Date of a deferred delivery invalid",
    "029": "Time of a deferred delivery invalid",
    "030": "Time code of a deferred delivery invalid",
    "031": "Grade of service invalid",
})
"""TA105."""

APPLICATION_MEANINGS: Final[Mapping[str, str]] = MappingProxyType({
    "006": "Duplicate",
    "007": "Missing data",
    "008": "Out of range",
    "009": "Invalid date",
    "010": "Total out of balance",
    "011": "Does not match",
    "012": "Invalid combination",
    "024": "Another reason",
    "848": "Incorrect data",
    "ZZZ": "As agreed between partners",
})
"""TED01, those that are frequent."""

CLAIM_CATEGORIES: Final[Mapping[str, str]] = MappingProxyType({
    "A0": "Forwarded",
    "A1": "Received",
    "A2": "Accepted for processing",
    "A3": "Returned as unprocessable",
    "A4": "Not found",
    "A5": "Split",
    "A6": "Rejected, information is missing",
    "A7": "Rejected, information is invalid",
    "A8": "Rejected, values contradict each other",
})
"""STC01-1 of a 277CA."""


def meaning(table: Mapping[str, str], code: str) -> str:
    """Return what a code means; of ``""`` nothing."""
    return table.get(code, UNKNOWN) if code else ""


def codes_hint(definition: Definition, error: AckError) -> str:
    """Return ``Allowed here: UP, VN, IN``, or ``""`` where every code is allowed.

    Where a segment has several places in the set, and the partner names no loop, the codes of all
    of them are listed.
    """
    position, component = error.element_position or 0, error.component_position
    uses = _uses(definition, error.segment_id, error.loop_id)
    codes = list(dict.fromkeys(code for use in uses for code in _codes(use, position, component)))
    if not codes:
        return ""
    return f"Allowed here: {', '.join(codes)}"


def _uses(definition: Definition, segment_id: str, loop_id: str) -> list[SegmentUse]:
    """Return the places of a segment, those in the loop if there are any."""
    places = [each for each in definition.positions() if each[1].segment.id == segment_id]
    in_loop = [use for around, use in places if around and around[-1].id == loop_id]
    return in_loop or [use for _, use in places]


def _codes(use: SegmentUse, position: int, component: int | None) -> Iterable[str]:
    found = _element(use, position)
    if found is None:
        return ()
    element, rule = found
    if isinstance(element.type, CompositeType):
        parts = element.type.uses
        at = component or 1
        if at > len(parts):
            return ()
        element, rule = parts[at - 1], rule.components.get(at) if rule else None
    return _listed(element, rule)


def _element(use: SegmentUse, position: int) -> tuple[ElementUse, ElementRule | None] | None:
    elements = use.segment.uses
    if not 1 <= position <= len(elements):
        return None
    return elements[position - 1], use.rules.get(position)


def _listed(element: ElementUse, rule: ElementRule | None) -> Iterator[str]:
    """Yield what a guide or partner allows, else the code list."""
    if rule is not None and rule.codes is not None:
        yield from rule.codes
    elif not isinstance(element.type, CompositeType) and element.type.codes is not None:
        yield from element.type.codes.meanings
