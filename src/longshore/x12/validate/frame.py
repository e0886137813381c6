"""The frame of a set, ST and SE, against the dictionary: its other faults are of the envelope.

Source: x12.md section 2.4, "more elements than defined".
"""

from __future__ import annotations

from longshore.x12.dictionary.model import STANDARD
from longshore.x12.elements.faults import ElementFault, ElementFaultKind
from longshore.x12.elements.values import VALUE_CHARS
from longshore.x12.findings import FindingCode, Severity
from longshore.x12.report import SegmentRef
from longshore.x12.results import SetResult
from longshore.x12.validate.reports import ContentReport, ElementPart
from longshore.x12.validate.wording import element_message


def report_surplus(
    content: ContentReport, segment: SegmentRef, result: SetResult, position: int
) -> None:
    """Report an ST or SE with elements at ``position`` or behind; the last one has the one before.

    ``position``: from 1.
    """
    value = segment.batch.rows[segment.at][position][:VALUE_CHARS] or None
    fault = ElementFault(
        ElementFaultKind.TOO_MANY_ELEMENTS, position, value=value, most=position - 1
    )
    content.report(
        FindingCode(fault.kind),
        Severity.ERROR,
        element_message(fault),
        segment,
        result,
        STANDARD,
        part=ElementPart(position),
        bad_value=value,
    )
