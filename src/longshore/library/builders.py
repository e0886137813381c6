"""Build X12 documents: the envelope, its counts and its numbers are made, the segments given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from longshore.engine.decoding import DecodedDocument
from longshore.engine.samples import known_definition
from longshore.engine.validate import read_options
from longshore.kit.clock import SystemClock
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.library.documents import Document
from longshore.mapping.addressing import Addressing
from longshore.mapping.envelopes import Headers, Stamp, headers_of
from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.samples.documents import read_address
from longshore.x12.writer.interchange import InterchangeWriter
from longshore.x12.writer.segments import Element, Segment
from longshore.x12.writer.separators import separators_for

Value = str | int | Decimal
"""A value to write. A float is refused: how many digits it has is not certain."""
ElementValue = Value | tuple[Value, ...] | list[Value | tuple[Value, ...]]
"""An element: a value, a tuple of components, or a list of repetitions."""
_VALUE_TYPES: Final = (str, int, Decimal)
_NUMBER = re.compile("[0-9]+")


class DocumentBuilder:
    """A document that is being built: one group of transaction sets of one kind.

    Segments are added in the order of the definition. Nothing is checked before it is asked for:
    ``document().findings`` names what is missing or wrong, at its place.
    """

    def __init__(self, headers: Headers) -> None:
        self._headers = headers
        self._first_number = headers.row("ST", 2)[1]
        self._sets: list[list[Segment]] = [[]]

    def add(self, segment_id: str, *elements: ElementValue) -> DocumentBuilder:
        """Add a segment; return the builder.

        Args:
            segment_id: Such as ``PO1``.
            elements: From the first on; ``""`` leaves one out.

        Raises:
            TypeError: An element is none, such as a float.
        """
        self._sets[-1].append([segment_id, *map(_element, elements)])
        return self

    def begin_set(self) -> DocumentBuilder:
        """Begin the next transaction set, whose control number is one higher.

        Raises:
            LongshoreError: invalid_parameter: the control number of the first is no number.
        """
        if _NUMBER.fullmatch(self._first_number) is None:
            code, message = ErrorCode.INVALID_PARAMETER, "The next of this set_number is not known."
            detail = ErrorDetail(code=code, param="set_number", message=message)
            raise LongshoreError(code, message, details=(detail,))
        self._sets.append([])
        return self

    def text(self) -> str:
        """Return the document, with separators that no value holds.

        Raises:
            LongshoreError: delimiter_in_data: no character is left for a separator.
                invalid_parameter: an element repeats and this version has no repetitions.
        """
        headers = self._headers
        rows = [headers.row("ISA", 16), headers.row("GS", 8), headers.row("ST", 3)]
        values = [*_values([each for segments in self._sets for each in segments])]
        values += [value for row in rows for value in row]
        writer = InterchangeWriter(separators_for(values))
        writer.open_interchange(headers.interchange)
        writer.open_group(headers.group)
        number, reference = self._first_number, headers.row("ST", 3)[2]
        for index, segments in enumerate(self._sets):
            if index:
                number = str(int(number) + 1).rjust(len(number), "0")
            writer.open_set(headers.tx_set, number, reference)
            for segment in segments:
                writer.add(segment)
        return writer.finish()

    def content(self) -> bytes:
        """Return the document as UTF-8; see ``text``."""
        return self.text().encode()

    def document(self) -> Document:
        """Return the document as ``read`` would; see ``text``."""
        reading = DecodedDocument(self.text(), "utf-8", NO_OVERRIDES)
        return Document(reading, read_options("", ""), "")

    def __repr__(self) -> str:
        """Return the set and how many there are."""
        return f"<builder of {len(self._sets)} transaction sets {self._headers.tx_set}>"


def new(  # noqa: PLR0913 - the options of ``sample`` and ``convert``
    tx_set: str,
    release: str = "",
    guide: str = "",
    *,
    sender: str = "ZZ:SENDER",
    receiver: str = "ZZ:RECEIVER",
    usage_indicator: str = "T",
    stamp: Stamp | None = None,
) -> DocumentBuilder:
    """Begin a document with one transaction set.

    Args:
        tx_set: The transaction set, such as ``850``.
        release: Six digits; ``""`` takes that of the guide, or the newest there is.
        guide: An implementation guide of the set.
        sender: Qualifier and id of the sender, such as ``ZZ:ACME``.
        receiver: Likewise of the receiver.
        usage_indicator: ISA15: ``P``, ``T`` or ``I``.
        stamp: Date, time and control numbers. By default the present in UTC and preview numbers,
            with which no partner may get a document.

    Raises:
        LongshoreError: not_found: there is no such definition. invalid_parameter: another argument
            is none of those above.
    """
    definition = known_definition(tx_set, release, guide)
    from_address = read_address("sender", sender)
    to_address = read_address("receiver", receiver)
    if stamp is None:
        now = SystemClock().now()
        stamp = Stamp(date=f"{now:%Y%m%d}", time=f"{now:%H%M}")
    addressing = Addressing(
        sender_qualifier=from_address.qualifier,
        sender_id=from_address.id,
        receiver_qualifier=to_address.qualifier,
        receiver_id=to_address.id,
        gs_sender_id=from_address.id,
        gs_receiver_id=to_address.id,
        version=definition.guide or definition.release,
        usage_indicator=usage_indicator,
        tx_set=tx_set,
    )
    return DocumentBuilder(headers_of({}, addressing, stamp))


def _element(given: ElementValue) -> Element:
    if isinstance(given, list):
        return [_repetition(each) for each in given]
    return _repetition(given)


def _repetition(given: Value | tuple[Value, ...]) -> str | tuple[str, ...]:
    return tuple(map(_text, given)) if isinstance(given, tuple) else _text(given)


def _text(value: Value) -> str:
    if type(value) not in _VALUE_TYPES:  # exactly: a bool is an int
        raise TypeError(f"A value is str, int or Decimal, not {type(value).__name__}.")
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _values(segments: list[Segment]) -> Iterator[str]:
    for segment in segments:
        for element in segment:
            for repetition in element if isinstance(element, list) else [element]:
                yield from (repetition,) if isinstance(repetition, str) else repetition
