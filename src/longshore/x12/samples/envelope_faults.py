"""A wrong count or control number in the envelope of a valid sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from longshore.x12.dictionary.model import STANDARD
from longshore.x12.findings import FindingCode
from longshore.x12.samples.expected import ExpectedFinding, Row

ENVELOPE_FAULTS: Final[Mapping[FindingCode, tuple[str, int]]] = {
    FindingCode.SEGMENT_COUNT_WRONG: ("SE", 1),
    FindingCode.SET_NUMBER_MISMATCH: ("SE", 2),
    FindingCode.SET_COUNT_WRONG: ("GE", 1),
    FindingCode.GROUP_NUMBER_MISMATCH: ("GE", 2),
    FindingCode.GROUP_COUNT_WRONG: ("IEA", 1),
    FindingCode.INTERCHANGE_NUMBER_MISMATCH: ("IEA", 2),
}
"""By the finding that it leads to, the segment and the element with another number."""
_HEADERS: Final = 2  # ISA and GS, before the first set


def break_envelope(code: FindingCode, rows: list[Row]) -> ExpectedFinding:
    """Change a number in the trailer of the first set, the group or the interchange.

    Args:
        code: One of ``ENVELOPE_FAULTS``.
        rows: The segments of the interchange, which are changed.
    """
    tag, element = ENVELOPE_FAULTS[code]
    at = next(at for at, row in enumerate(rows) if row[0] == tag)
    text = rows[at][element]
    changed = str(int(text) + 1)[-len(text) :].rjust(len(text), "0")
    if len(changed.lstrip("0")) < len(text.lstrip("0")):  # all nines
        changed = text[:-1] + "8"
    rows[at][element] = changed
    return ExpectedFinding(
        code=code,
        layer=STANDARD,
        segment_id=tag,
        segment_position=at + 1 - (_HEADERS if tag == "SE" else 0),
        element_position=element,
    )
