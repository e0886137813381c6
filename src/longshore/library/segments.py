"""A segment of a document: its elements by position and by name, its place, its loops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from longshore.engine.x12_names import element_name, in_words, segment_name
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.binary import LENGTH_ELEMENT
from longshore.x12.delimiters import Delimiters
from longshore.x12.loops.faults import LoopStep
from longshore.x12.loops.placement import SetCursor
from longshore.x12.release import split_text, unreleased
from longshore.x12.segment_table import is_composite

_SHOWN_CHARS: Final = 60
_DIGITS: Final = tuple("0123456789")
_AFTER_ID = re.compile("([0-9]{2})(?:[-.]([0-9]{1,2}))?", re.ASCII)


class SegmentPlace(NamedTuple):
    """The place of a segment in its document."""

    ordinal: int
    """The position in the document, from 1."""
    position: int
    """The position in the transaction set, ST = 1; 0 outside every set."""
    path: str
    """The field path of the segment, as the keys of ``parse`` begin: ``PO1[2]``."""


NO_PLACE: Final = SegmentPlace(0, 0, "")
_UNSPLIT: Final = frozenset(("ISA", *LENGTH_ELEMENT))  # they have no repetitions and components
_NO_DELIMITERS: Final = Delimiters("*", "~", ":")


class DocumentSegment:
    """A segment, or, false, one that is not there.

    ``seg[2]`` and ``seg["PO102"]`` are the text of an element without release characters, ``""``
    if it is empty or missing; ``seg["SV101-2"]`` is a component of its first repetition.
    ``seg.po102`` is ``seg["PO102"]``. ``seg[0]`` is the id.
    """

    __slots__ = ("cursor", "delimiters", "id", "place", "row", "text")

    def __init__(
        self,
        text: str,
        row: list[str],
        delimiters: Delimiters,
        place: SegmentPlace,
        cursor: SetCursor | None = None,
    ) -> None:
        self.text = text
        """The segment as received, without its terminator."""
        self.row = row
        """The id and the elements as received, with padding and release characters."""
        self.id: str = row[0]
        """The segment id, such as ``PO1``."""
        self.delimiters = delimiters
        """The separators of its interchange."""
        self.place = place
        self.cursor = cursor
        """Its position in the definition of its set, None without one."""

    @classmethod
    def absent(cls, segment_id: str) -> DocumentSegment:
        """Return the segment for one that is not there."""
        return cls("", [segment_id], _NO_DELIMITERS, NO_PLACE)

    # ---- its place ------------------------------------------------------------------------------

    @property
    def ordinal(self) -> int:
        """The position in the document, from 1."""
        return self.place.ordinal

    @property
    def position(self) -> int:
        """The position in the transaction set, ST = 1; 0 outside every set."""
        return self.place.position

    @property
    def path(self) -> str:
        """The field path, as the keys of ``parse`` begin: ``PO1[2]``, ``ST[2]/BEG``."""
        return self.place.path

    @property
    def loop_id(self) -> str:
        """The innermost loop, else ``heading`` or ``summary``; ``""`` without a definition."""
        return "" if self.cursor is None else self.cursor.loop_id

    @property
    def loops(self) -> tuple[LoopStep, ...]:
        """The loops around it in its definition, the outermost first: id, iteration, label.

        Where a definition has one HL loop for all levels, which HL holds which is in the data:
        iterate the transaction set to have those nested.
        """
        return () if self.cursor is None else self.cursor.path

    @property
    def has_place(self) -> bool:
        """The definition allows it at this position; False without a definition."""
        return self.cursor is not None and self.cursor.has_place

    # ---- its elements ---------------------------------------------------------------------------

    @property
    def elements(self) -> list[str]:
        """The elements, the first at index 0, without the id."""
        return [self[position] for position in range(1, len(self.row))]

    def __getitem__(self, element: int | str) -> str:
        """Return an element by position or name.

        Raises:
            _no_element: A LongshoreError invalid_parameter: this is the name of no element of such
                a segment.
        """
        if isinstance(element, int):
            if element < 0:
                raise _no_element(f"{self.id} has no element {element}: positions begin at 1.")
            return self._element(element)
        position, component = self._named(element)
        if not component:
            return self._element(position)
        parts = self.repetitions(position)[0]
        return parts[component - 1] if component <= len(parts) else ""

    def repetitions(self, position: int) -> list[list[str]]:
        """Return the repetitions of an element, each as its components; there is at least one."""
        text = self.row[position] if 0 < position < len(self.row) else ""
        marks = self.delimiters
        if self.id == "ISA" or self.id in LENGTH_ELEMENT:
            return [[self._element(position)]]
        if not text or text.isalnum():
            return [[text]]  # no separator is a letter or a digit
        found = []
        for repetition in split_text(text, marks.repetition, marks.release):
            component = marks.component if is_composite(self.id, position) else ""
            parts = split_text(repetition, component, marks.release)
            found.append([unreleased_value(part, marks) for part in parts])
        return found

    def name(self, position: int = 0) -> str:
        """Return the name of an element in plain words; without position that of the segment.

        ``""`` if there is none.
        """
        slot = None if self.cursor is None else self.cursor.slot
        use = None if slot is None else slot.use
        if not position:
            label = "" if use is None else use.label or use.segment.label
            return in_words(label) if label else segment_name(self.id)
        uses = () if use is None else use.segment.uses
        label = uses[position - 1].label if 0 < position <= len(uses) else ""
        return in_words(label) if label else element_name(self.id, position)

    def __getattr__(self, name: str) -> str:
        """Return an element by its name in small letters, such as ``seg.po102``.

        Raises:
            AttributeError: It is the name of no element of this segment.
        """
        # What ends in no digit is none, so that no attribute of its own is ever asked for here.
        if name[-1:] in _DIGITS and name.startswith(self.id.lower()) and name.islower():
            found = _AFTER_ID.fullmatch(name, len(self.id))
            if found is not None and found[1] != "00":
                return self._element(int(found[1]))
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __iter__(self) -> Iterator[str]:
        """Yield the id and the elements, so that ``list(seg)[n]`` is ``seg[n]``."""
        return map(self._element, range(len(self.row)))

    def __len__(self) -> int:
        """Return the number of elements, the id counted."""
        return len(self.row)

    def __bool__(self) -> bool:
        """Return whether there is such a segment."""
        return bool(self.text)

    def __repr__(self) -> str:
        """Return its text, cut where it is long."""
        if not self:
            return f"<no segment {self.id}>"
        shown = self.text if len(self.text) <= _SHOWN_CHARS else f"{self.text[:_SHOWN_CHARS]}…"
        return f"<segment {self.path or self.ordinal}: {shown!r}>"

    def _element(self, position: int) -> str:
        if position >= len(self.row):
            return ""
        text = self.row[position]
        if self.id == "ISA":
            return text.rstrip(" ")
        return text if self.id in LENGTH_ELEMENT else unreleased_value(text, self.delimiters)

    def _named(self, name: str) -> tuple[int, int]:
        """Return the position of an element and of a component, 0 for none, by its name.

        Raises:
            _no_element: A LongshoreError invalid_parameter.
        """
        found = _AFTER_ID.fullmatch(name, len(self.id)) if name.startswith(self.id) else None
        if found is None or found[1] == "00" or (found[2] and not int(found[2])):
            example = f"{self.id}01 or {self.id}01-2"
            raise _no_element(f"{name!r} names no element of a {self.id}, as {example} do.")
        return int(found[1]), int(found[2] or 0)


def parts_of(segment: DocumentSegment) -> list[list[list[str]]]:
    """Return of each element what ``repetitions`` returns; few segments have to be looked at."""
    text, marks = segment.text, segment.delimiters
    if (
        marks.release
        or segment.id in _UNSPLIT
        or (marks.repetition and marks.repetition in text)
        or (marks.component and marks.component in text)
    ):
        return [segment.repetitions(position) for position in range(1, len(segment.row))]
    return [[[each]] for each in segment.row[1:]]


def row_of(text: str, delimiters: Delimiters, *, is_binary: bool) -> list[str]:
    """Return the id and the elements of a segment but ISA, release characters included."""
    if is_binary:
        return text.split(delimiters.element, LENGTH_ELEMENT[text[:3]] + 1)
    return split_text(text, delimiters.element, delimiters.release)


def unreleased_value(text: str, delimiters: Delimiters) -> str:
    """Return a value without the release characters before its separators."""
    release = delimiters.release
    return unreleased(text, release, delimiters.marks) if release else text


def _no_element(message: str) -> LongshoreError:
    code = ErrorCode.INVALID_PARAMETER
    detail = ErrorDetail(code=code, param="element", message=message)
    return LongshoreError(code, message, details=(detail,))
