"""Make the envelope of a clean document, which has no findings."""

from __future__ import annotations

from typing import Final

from longshore.x12.clean_document import CleanDocument
from longshore.x12.control import GroupSummary, InterchangeSummary
from longshore.x12.document_positions import DocumentPositions
from longshore.x12.envelope import Envelope
from longshore.x12.findings import FindingLog
from longshore.x12.layout import DocumentLayout
from longshore.x12.report import Reporter

# Who follows no segment reports nothing, so all such envelopes share one.
_REPORTER: Final = Reporter(
    FindingLog(), DocumentPositions(DocumentLayout(filler_chars=0, start=0))
)


def clean_envelope(frame: CleanDocument) -> Envelope:
    """Return the envelope of a document that a frame was found for."""
    envelope = Envelope(_REPORTER)
    group, ending = frame.rows[0], frame.rows[-2]
    envelope.interchanges.append(InterchangeSummary(frame.delimiters, frame.header))
    envelope.groups.append(GroupSummary(0, group, 1, len(frame.sets), ending[1]))
    envelope.sets += frame.sets
    envelope.set_count = len(frame.sets)
    envelope.segment_count = 1 + len(frame.rows)
    envelope.first_group_version = group[8]
    return envelope
