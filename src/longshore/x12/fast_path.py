"""The fast path of parsing: small documents without any fault, read and written in one step.

Theory. ``clean_document`` reads the document. For a document with anything unusual the answer is
None, and the slow path (``walk``, ``fields``) reads it. Both paths write the same bytes, which a
property test proves (performance.md section 1, items 3 and 14).
"""

from __future__ import annotations

from typing import Final

from longshore.x12.clean_document import CleanDocument, Rows, read_clean_document
from longshore.x12.control import InterchangeSummary, SetSummary
from longshore.x12.delimiters import Delimiters
from longshore.x12.fields import write_plain_rows
from longshore.x12.occurrences import MAX_ELEMENTS, fields_of

_PADDED: Final = (2, 4, 6, 8)  # elements of an ISA that may end with blanks


class FastPathDocument:
    """A document that was read on the fast path, with the same attributes as on the slow path."""

    __slots__ = ("delimiters", "field_count", "fields_json", "interchange", "segment_count", "sets")

    def __init__(
        self,
        delimiters: Delimiters,
        interchange: InterchangeSummary,
        sets: list[SetSummary],
        segment_count: int,
        fields_json: bytes,
        field_count: int,
    ) -> None:
        self.delimiters = delimiters
        self.interchange = interchange
        self.sets = sets
        self.segment_count = segment_count
        self.fields_json = fields_json
        self.field_count = field_count


def read_fast_path(text: str) -> FastPathDocument | None:
    """Read a document of one interchange and one group without any fault.

    Returns:
        None for any other document; nothing is reported or refused in that case.
    """
    frame = read_clean_document(text, may_have_parts=False)
    return None if frame is None else _written(frame)


def _written(frame: CleanDocument) -> FastPathDocument | None:
    """Write the fields; the numbers of control segments follow from the frame."""
    opening, rows, sets = frame.header.copy(), frame.rows, frame.sets
    for position in _PADDED:
        opening[position] = opening[position].rstrip(" ")
    # In a document of one set no id is both inside and outside of it.
    written = fields_of([opening, *rows]) if len(sets) == 1 else _write_sets([opening, *rows], sets)
    if written is None:
        return None
    interchange = InterchangeSummary(frame.delimiters, frame.header)
    return FastPathDocument(frame.delimiters, interchange, sets, len(rows) + 1, *written)


def _write_sets(rows: Rows, sets: list[SetSummary]) -> tuple[bytes, int] | None:
    """Return the fields of a document of several sets as a JSON object, and how many they are."""
    if max(map(len, rows)) > MAX_ELEMENTS:
        return None
    out: list[str] = []
    outer: dict[str, int] = {}
    count = write_plain_rows(rows[:3], "", outer, out)  # ISA, GS and the first ST
    first = 2
    for each in sets:
        last = first + each.segment_count - 1
        scope = "" if each.index == 1 else f"ST[{each.index}]/"
        count += write_plain_rows(rows[first + 1 : last], scope, {}, out)
        first = last + 1
        # This SE and the next ST; after the last set SE, GE and IEA.
        after = first + 1 if each.index < len(sets) else len(rows)
        count += write_plain_rows(rows[last:after], "", outer, out)
    return f"{{{','.join(out)}}}".encode(), count
