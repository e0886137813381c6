"""Write one segment under given separators.

Source: x12.md sections 1.1 and 1.8.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from longshore.kit.errors import ErrorCode
from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.delimiters import Delimiters
from longshore.x12.writer.refusals import separator_in, unwritable
from longshore.x12.writer.segments import Components, Element, Segment, trimmed


@lru_cache(maxsize=64)
def _any_of(marks: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(marks)}]")


class SegmentWriter:
    """Writes segments, each with its terminator.

    Args:
        line_break: What stands behind that.
        is_single_octet: As for ``InterchangeWriter``.

    Raises:
        LongshoreError: delimiter_in_data: a value holds a separator in force.
    """

    def __init__(
        self, marks: Delimiters, line_break: str = "", *, is_single_octet: bool = False
    ) -> None:
        self.marks = marks
        self._ending = marks.segment + line_break
        self._is_single_octet = is_single_octet
        refused = marks.marks + ("\r\n" if "\n" in marks.segment else "")
        self._refused = _any_of(refused)
        self.is_refused = self._refused.search
        """Finds a separator in force in a text."""

    def write(self, segment: Segment) -> str:
        """Return a segment as text."""
        tag = segment[0]
        assert isinstance(tag, str)  # a segment begins with its id
        if tag in LENGTH_ELEMENT and len(segment) > LENGTH_ELEMENT[tag] + 1:
            return self.written(self._binary(tag, segment))
        texts = [each for each in segment if isinstance(each, str)]
        # Almost every segment is plain texts, which one look can tell to be writable.
        if len(texts) < len(segment) or self._refused.search("".join(texts)):
            texts = [self._element(tag, at, each) for at, each in enumerate(segment)]
        return self.written(texts if texts[-1] else trimmed(texts))

    def written(self, texts: Sequence[str]) -> str:
        """Return a segment of texts that hold no separator."""
        return self.marks.element.join(texts) + self._ending

    def _binary(self, tag: str, segment: Segment) -> list[str]:
        at = LENGTH_ELEMENT[tag]
        data = segment[at + 1]
        assert isinstance(data, str)  # binary data has no parts
        count = len(data.encode("iso-8859-1" if self._is_single_octet else "utf-8"))
        before = [self._element(tag, each, segment[each]) for each in range(at)]
        return [*before, str(count), data]

    def _element(self, tag: str, position: int, element: Element) -> str:
        repetitions = element if isinstance(element, list) else [element]
        texts = trimmed([self._repetition(tag, position, each) for each in repetitions])
        if len(texts) > 1 and not self.marks.repetition:
            message = f"{tag}{position:02d} repeats, but this version has no repetitions"
            raise unwritable(message, f"{tag}.{position:02d}", ErrorCode.INVALID_PARAMETER)
        return self.marks.repetition.join(texts)

    def _repetition(self, tag: str, position: int, element: str | Components) -> str:
        components = (element,) if isinstance(element, str) else element
        texts = [self._value(tag, position, each) for each in components]
        return self.marks.component.join(trimmed(texts))

    def _value(self, tag: str, position: int, value: str) -> str:
        if not self._refused.search(value):
            return value
        release = self.marks.release
        if not release:
            raise separator_in(tag, position)
        return self._refused.sub(lambda match: release + match[0], value)
