"""Decide whether a TA1 is due for an interchange, and write it.

Source: x12.md section 2.1.
"""

from __future__ import annotations

from longshore.x12.acks.assessment import (
    NEVER_ACKNOWLEDGED,
    InterchangeAssessment,
    ReceivedInterchange,
)
from longshore.x12.acks.codes import Status
from longshore.x12.acks.profile import AckProfile, Ta1Rule
from longshore.x12.acks.texts import AckTexts
from longshore.x12.control import InterchangeSummary
from longshore.x12.writer.segments import Segment


def is_ta1_due(
    received: ReceivedInterchange, assessment: InterchangeAssessment, profile: AckProfile
) -> bool:
    """Return whether to send a TA1.

    No TA1 is sent for an interchange that holds only acknowledgements.
    """
    is_asked = received.summary.header[14] == "1"
    is_rejected = assessment.status is Status.REJECTED
    if not is_asked and not (is_rejected and profile.ta1 is Ta1Rule.ON_ERROR):
        return False
    groups = received.groups
    holds_something = bool(groups) or received.summary.has_ta1
    return not (
        holds_something and all(each.functional_id == NEVER_ACKNOWLEDGED for each in groups)
    )


def ta1_segment(
    summary: InterchangeSummary, assessment: InterchangeAssessment, texts: AckTexts
) -> Segment:
    """Return the TA1: ISA13, ISA09 and ISA10 as received, status and code."""
    header = summary.header
    number, date, time = (texts.name(header[at].strip()) for at in (13, 9, 10))
    return ("TA1", number, date, time, assessment.status, assessment.code)
