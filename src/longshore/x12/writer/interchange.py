"""The writer of interchanges.

Source: x12.md sections 1.1 and 1.5.
"""

from __future__ import annotations

from typing import Final, NoReturn

from longshore.kit.errors import ErrorCode
from longshore.x12.delimiters import Delimiters
from longshore.x12.writer.headers import GroupHeader, InterchangeHeader
from longshore.x12.writer.refusals import separator_in, unwritable
from longshore.x12.writer.segment_writer import SegmentWriter
from longshore.x12.writer.segments import Segment
from longshore.x12.writer.separators import DEFAULT_DELIMITERS

ISA_WIDTHS: Final = (2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1)
_ISA_ELEMENT_CHARS: Final = sum(ISA_WIDTHS)
REPETITION_SINCE: Final = "00402"


class InterchangeWriter:
    """Writes interchanges, from the outside in; ``finish`` returns the text.

    Opening a level closes what is open on it and below it, with its trailer. ``is_single_octet``:
    the text will be encoded in ISO-8859-1, which the lengths of binary data count.

    Raises:
        LongshoreError: delimiter_in_data: a value holds a separator in force. invalid_parameter:
            an element of the ISA is too long, or ISA12 knows no repetitions.
    """

    def __init__(
        self,
        delimiters: Delimiters = DEFAULT_DELIMITERS,
        *,
        line_break: str = "",
        is_single_octet: bool = False,
    ) -> None:
        self.delimiters = delimiters
        self._line_break = line_break
        self._is_single_octet = is_single_octet
        self._out: list[str] = []
        self._interchange: tuple[str, int] | None = None  # control number, groups
        self._group: tuple[str, int] | None = None  # control number, sets
        self._set: tuple[str, int] | None = None  # control number, segments
        self._segments = self._writer(delimiters)

    def open_interchange(self, header: InterchangeHeader) -> None:
        """Write an ISA, and the ISX where a release character is in force."""
        self._close_interchange()
        marks = self.delimiters
        if marks.repetition and header.version < REPETITION_SINCE:
            marks = marks._replace(repetition="")
        if marks != self._segments.marks:
            self._segments = self._writer(marks)
        number = header.control_number.rjust(ISA_WIDTHS[12], "0")
        elements = (
            *(*header.authorization, *header.security, *header.sender, *header.receiver),
            *(header.date, header.time, "U", header.version),
            *(number, header.ack_requested, header.usage, ""),
        )
        isa = [*map(str.ljust, elements, ISA_WIDTHS)]
        padded = "".join(isa)
        if len(padded) > _ISA_ELEMENT_CHARS or self._segments.is_refused(padded):
            self._refuse(elements)
        isa[10] = marks.repetition or "U"
        isa[15] = marks.component
        self._put(("ISA", *isa))
        if marks.release:
            self._put(("ISX", marks.release))
        self._interchange = (number, 0)

    def open_group(self, header: GroupHeader) -> None:
        """Write a GS."""
        self._close_group()
        if self._interchange is not None:
            self._interchange = (self._interchange[0], self._interchange[1] + 1)
        of = header
        names = (of.functional_id, of.sender, of.receiver, of.date, of.time, of.control_number)
        self._write(("GS", *names, of.agency, of.version))
        self._group = (header.control_number, 0)

    def open_set(self, set_id: str, control_number: str, reference: str = "") -> None:
        """Write an ST; ``reference`` is ST03."""
        self._close_set()
        if self._group is not None:
            self._group = (self._group[0], self._group[1] + 1)
        self._set = (control_number, 0)
        self.add(("ST", set_id, control_number, reference))

    def add(self, segment: Segment) -> None:
        """Write a segment at the current position: in the open set, or outside every set."""
        if self._set is not None:
            self._set = (self._set[0], self._set[1] + 1)
        self._write(segment)

    def finish(self) -> str:
        """Close every open level and return the text of all interchanges."""
        self._close_interchange()
        return "".join(self._out)

    # ---- trailers -----------------------------------------------------------------------------

    def _close_set(self) -> None:
        if self._set is not None:
            number, count = self._set
            self._put(("SE", str(count + 1), number))  # the number was in the ST
            self._set = None

    def _close_group(self) -> None:
        self._close_set()
        if self._group is not None:
            number, count = self._group
            self._put(("GE", str(count), number))
            self._group = None

    def _close_interchange(self) -> None:
        self._close_group()
        if self._interchange is not None:
            number, count = self._interchange
            self._put(("IEA", str(count), number))
            self._interchange = None

    # ---- texts ----------------------------------------------------------------------------------

    def _writer(self, marks: Delimiters) -> SegmentWriter:
        return SegmentWriter(marks, self._line_break, is_single_octet=self._is_single_octet)

    def _write(self, segment: Segment) -> None:
        self._out.append(self._segments.write(segment))

    def _put(self, texts: tuple[str, ...]) -> None:
        self._out.append(self._segments.written(texts))

    def _refuse(self, elements: tuple[str, ...]) -> NoReturn:
        """Refuse the first element of an ISA that cannot be written.

        Raises:
            unwritable: A LongshoreError invalid_parameter: it is too long.
            separator_in: A LongshoreError delimiter_in_data.
        """
        position, value, width = next(
            (at, each, width)
            for at, (each, width) in enumerate(zip(elements, ISA_WIDTHS, strict=True), 1)
            if len(each) > width or self._segments.is_refused(each)
        )
        if len(value) > width:
            message = f"ISA{position:02d} has more than {width} characters"
            raise unwritable(message, f"ISA.{position:02d}", ErrorCode.INVALID_PARAMETER)
        raise separator_in("ISA", position)
