"""Split a window of text into segments and elements, by ``str.split`` where it is regular.

A window is regular if the same line break follows each terminator and no segment is empty; both can
be tested without examining single segments (x12.md section 1.3).
"""

from __future__ import annotations

import re
from typing import Final

from longshore.x12.batch import BatchDiagnostic, BatchKind, SegmentBatch
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import MAX_FINDINGS, FindingCode
from longshore.x12.refusals import MAX_SEGMENT_CHARS
from longshore.x12.release import last_released, split_released, unreleased
from longshore.x12.segment_table import KNOWN_SEGMENTS

_WELL_FORMED_ID = re.compile("[A-Z][A-Z0-9]{1,2}")

# What may be between a terminator and the next segment id; a line break that is itself the
# terminator may not.
_BLANK: Final = " \t\r\n"
_NEAR_CHARS: Final = 256
_NONE: Final[frozenset[str]] = frozenset()


class Splitter:
    """Splits text under one set of separators."""

    def __init__(self, delimiters: Delimiters) -> None:
        self.delimiters = delimiters
        self.is_line = "\n" in delimiters.segment
        """The terminator is a line break."""
        self.terminator = "\n" if self.is_line else delimiters.segment
        """The one character to split at; for CR LF it is LF, so that a lone LF ends a segment too,
        and a CR before it is not data."""
        self._blank = "".join(
            mark for mark in _BLANK if mark not in self.terminator + delimiters.element
        )
        self._blank_run = re.compile(f"[{self._blank}]*")
        self.separator = ""
        """Terminator and line break as first seen between two segments; ``""`` before that."""
        self._good_ids: set[str] = set()
        self._empty_count = 0
        self._binary_tags = ("BIN" + delimiters.element, "BDS" + delimiters.element)

    def skip_blank(self, text: str, index: int) -> int:
        """Return the index of the next character that may begin a segment id."""
        run = self._blank_run.match(text, index)
        assert run is not None  # it matches the empty text
        return run.end()

    def skip_terminator(self, text: str, index: int) -> int:
        """Return the index after the terminator at ``index``, or ``index`` if there is none."""
        if self.is_line and text.startswith("\r\n", index):
            return index + 2
        return index + text.startswith(self.terminator, index)

    def is_special(self, start: str) -> bool:
        """Return whether a segment with these first characters looks like binary data or an ISA."""
        if start.startswith("ISA"):
            mark = start[3:4]
            return bool(mark) and not mark.isalnum() and mark not in "\r\n" + self.terminator
        return start.startswith(self._binary_tags)

    def window_end(self, text: str, start: int, chars: int, *, is_short: bool) -> int:
        """Return the index of the terminator that ends a window; -1 if there is none yet.

        To cut no set, the window ends before the last ST in it, or before the first if
        ``is_short``. Without any terminator it continues to the next one.
        """
        end, release, terminator = start + chars, self.delimiters.release, self.terminator
        if release:
            return last_released(text, terminator, release, start, chars)
        separator = self.separator or terminator
        cut = (text.find if is_short else text.rfind)(
            f"{separator}ST{self.delimiters.element}", start, end
        )
        if cut >= 0:
            return cut + separator.index(terminator)
        cut = text.rfind(terminator, start, end)
        return cut if cut >= 0 else text.find(terminator, end, start + MAX_SEGMENT_CHARS + 1)

    def split(
        self, body: str, start: int, diagnostics: tuple[BatchDiagnostic, ...]
    ) -> SegmentBatch:
        """Split ``body``, the text before a terminator, into a batch that begins at ``start``.

        ``diagnostics`` concern its first segment.
        """
        if release := self.delimiters.release:
            pieces = split_released(body, self.terminator, release)
            return self._one_by_one(body, pieces, start, diagnostics)
        raw = body
        if self.is_line:
            body = body.removesuffix("\r")
        separator = self.separator or self._learn_separator(body)
        texts = body.split(separator)
        if not self._is_regular(body, separator, len(texts)):
            return self._one_by_one(raw, raw.split(self.terminator), start, diagnostics)
        element = self.delimiters.element
        rows = [text.split(element) for text in texts]
        ids = {row[0] for row in rows}
        odd_ids = self._odd_ids(ids)
        if any(not odd or odd[0] in self._blank for odd in odd_ids):
            return self._one_by_one(raw, raw.split(self.terminator), start, diagnostics)
        return SegmentBatch(
            BatchKind.SEGMENTS,
            self.delimiters,
            texts,
            rows,
            ids,
            odd_ids,
            body,
            start,
            separator,
            diagnostics,
        )

    def _is_regular(self, body: str, separator: str, count: int) -> bool:
        """Return whether the same separator is between all of ``count`` texts."""
        if separator == self.terminator:
            return separator != "\n" or "\r" not in body
        return body.count(self.terminator) == count - 1

    def separator_from(self, text: str, start: int) -> str:
        """Return the text between two segments, learned from the text at ``start`` if necessary."""
        return self.separator or self._learn_separator(text[start : start + _NEAR_CHARS])

    def _learn_separator(self, body: str) -> str:
        first = body.find(self.terminator)
        if first < 0:
            return self.terminator
        if self.is_line:
            self.separator = "\r\n" if body[first - 1 : first] == "\r" else "\n"
        else:
            self.separator = body[first : self.skip_blank(body, first + 1)]
        return self.separator

    def _odd_ids(self, ids: set[str]) -> frozenset[str]:
        """Return the ids that are not well-formed; remember the others."""
        new = ids - KNOWN_SEGMENTS
        if not new or not (new := new - self._good_ids):
            return _NONE
        good = {text for text in new if _WELL_FORMED_ID.fullmatch(text)}
        self._good_ids |= good
        return frozenset(new - good)

    def _one_by_one(
        self, body: str, pieces: list[str], start: int, diagnostics: tuple[BatchDiagnostic, ...]
    ) -> SegmentBatch:
        """Make a batch of an irregular window: blanks, empty segments, released separators."""
        texts: list[str] = []
        starts: list[int] = []
        empty: list[BatchDiagnostic] = []
        offset, uncounted = start, 0
        for piece in pieces:
            text = piece.lstrip(self._blank)
            lead = len(piece) - len(text)
            end = offset + len(piece)
            if self.is_line:
                text = text.removesuffix("\r")
            if not text and self._empty_count < MAX_FINDINGS:
                self._empty_count += 1
                empty.append(BatchDiagnostic(FindingCode.EMPTY_SEGMENT, end, end + 1, len(texts)))
            elif not text:
                uncounted += 1
            else:
                if uncounted:
                    empty.append(_run_of_empty(offset, len(texts), uncounted))
                    uncounted = 0
                texts.append(text)
                starts.append(offset + lead)
            offset = end + 1
        if uncounted:
            empty.append(_run_of_empty(offset, len(texts), uncounted))
        rows = [self._elements(text) for text in texts]
        ids = {row[0] for row in rows}
        return SegmentBatch(
            BatchKind.SEGMENTS,
            self.delimiters,
            texts,
            rows,
            ids,
            self._odd_ids(ids),
            body,
            start,
            diagnostics=(*diagnostics, *empty),
            starts=starts,
        )

    def _elements(self, text: str) -> list[str]:
        element, release = self.delimiters.element, self.delimiters.release
        if not release:
            return text.split(element)
        parts = split_released(text, element, release)
        return [unreleased(part, release, self.delimiters.marks) for part in parts]


def any_isa(odd_ids: frozenset[str]) -> bool:
    """Return whether one of these ids may be that of an ISA with another separator."""
    return any(odd.startswith("ISA") for odd in odd_ids)


def _run_of_empty(end: int, before: int, times: int) -> BatchDiagnostic:
    """Return one note for a run of empty segments; the log is full and only counts them.

    One for each run, since a window may be cut between two of them.
    """
    return BatchDiagnostic(FindingCode.EMPTY_SEGMENT, end - 1, end, before, times=times)
