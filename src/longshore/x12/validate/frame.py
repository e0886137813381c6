"""Check ST and SE against the dictionary; ``envelope`` reports their other faults.

Source: x12.md section 2.4, "more elements than defined".
"""

from __future__ import annotations

from longshore.x12.dictionary.model import STANDARD
from longshore.x12.elements.faults import ElementFault, ElementFaultKind
from longshore.x12.elements.values import VALUE_CHARS
from longshore.x12.findings import FindingCode
from longshore.x12.report import SegmentRef
from longshore.x12.results import SetResult
from longshore.x12.validate.reports import ContentReport, ElementPart
from longshore.x12.validate.wording import element_message


def report_surplus(
    content: ContentReport, segment: SegmentRef, result: SetResult, position: int
) -> None:
    """Report that an ST or SE has more elements than are defined.

    Args:
        content: Receives the finding.
        segment: The ST or SE.
        result: The result of its set.
        position: The position of the first surplus element, from 1.
    """
    value = segment.batch.rows[segment.at][position][:VALUE_CHARS] or None
    fault = ElementFault(
        ElementFaultKind.TOO_MANY_ELEMENTS, position, value=value, maximum=position - 1
    )
    content.report(
        FindingCode(fault.kind),
        element_message(fault),
        segment,
        result,
        STANDARD,
        part=ElementPart(position),
        bad_value=value,
    )
