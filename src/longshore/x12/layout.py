"""Find where a document begins and how it is laid out, before its segments are read.

The scout reads the text once from its beginning and stops as soon as it is certain: an ordinary
document costs its first 107 characters. Only text that does not begin with a readable ISA, or looks
wrapped into lines of one length, is read to its end, in constant memory. Because the scout decides,
the reader gives the same result however the text is cut into chunks.

Source: x12.md sections 1.2 and 1.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from longshore.x12.delimiters import (
    HEAD_CHARS,
    ISA_CHARS,
    NO_OVERRIDES,
    DelimiterOverrides,
    Delimiters,
    HeadFault,
    InterchangeHead,
    ends_of,
    has_fixed_width_isa,
    read_head,
)
from longshore.x12.other_formats import OtherFormat, recognise
from longshore.x12.refusals import (
    MAX_SEGMENT_CHARS,
    NotX12Error,
    empty_document,
    not_x12,
    unreadable_head,
)

# White space, NUL and Ctrl-Z (x12.md 1.2 rule 2), and a byte order mark left in the text.
FILLER: Final = (
    " \t\r\n\x0b\x0c\0\x1a\ufeff"
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

# The first segment of a fragment ends within this, or it is too long (x12.md 1.3).
_FRAGMENT_CHARS: Final = MAX_SEGMENT_CHARS + 4096
# Bounded: a run of a million line breaks must not be searched anew from each of them. And not \s,
# which holds 0x1C to 0x1F: those are separators, so what follows them is a segment of its own.
_BLANK_AND_ID: Final = rf"[{re.escape(FILLER)}]{{0,64}}[A-Za-z][A-Za-z0-9]{{1,2}}"
_MAX_LINE_CHARS: Final = 4096
_TERMINATORS: Final = ("~", "\r\n", "\n", "'", "\x1c", "\x1e", "|", "!")
_FRAGMENT_START = re.compile(r"[A-Za-z0-9]{2,3}([^A-Za-z0-9 \0])")
_UPPERCASE_START = re.compile(r"[A-Z][A-Z0-9]{1,2}[^A-Za-z0-9]")


class DocumentLayout(NamedTuple):
    """The layout of a document."""

    filler_chars: int
    """The number of white space and control characters before anything else."""
    start: int
    """0-based offset of the first segment; what lies between the two is garbage."""
    first_line: int = 1
    """The 1-based line on which the filler ends."""
    head: InterchangeHead | None = None
    """The first ISA, if the scout has read it."""
    fragment: Delimiters | None = None
    """The separators of a document without ISA, else None."""
    line_width: int = 0
    """Characters per line of a document that was wrapped without regard to segments, 0 if it was
    not; ``line_break`` is what then ends a line."""
    line_break: str = ""


class _Lookahead:
    """The text from its first character that is not filler, pulled in on demand."""

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks = iter(chunks)
        self.skipped = 0
        self.first_line = 1
        self.text = ""
        for chunk in self._chunks:
            self.text = chunk.lstrip(FILLER) if chunk[:1] in FILLER else chunk
            filler_chars = len(chunk) - len(self.text)
            self.skipped += filler_chars
            self.first_line += chunk.count("\n", 0, filler_chars)
            if self.text:
                break

    def pull(self, count: int) -> str:
        """Return the text, with at least ``count`` characters if there are so many."""
        if len(self.text) < count:
            pieces, length = [self.text], len(self.text)
            for chunk in self._chunks:
                pieces.append(chunk)
                length += len(chunk)
                if length >= count:
                    break
            self.text = "".join(pieces)
        return self.text

    def all_pieces(self) -> Iterator[str]:
        """Yield the whole text; nothing can be pulled afterwards."""
        yield self.text
        yield from self._chunks


def scout(chunks: Iterable[str], overrides: DelimiterOverrides) -> DocumentLayout:
    """Find out how the document in ``chunks`` is laid out.

    Raises:
        empty_document: A LongshoreError document_empty: there is nothing but filler.
        LongshoreError: document_unparseable with the detail isa_too_short, delimiter_invalid or
            not_x12.
        NotX12Error: The document is of another format.
    """
    ahead = _Lookahead(chunks)
    head = ahead.pull(ISA_CHARS + 2)
    if not head:
        raise empty_document()
    if not head.startswith("ISA"):
        return _without_isa_in_front(ahead, overrides)
    return _with_isa_in_front(ahead, overrides)


def _with_isa_in_front(ahead: _Lookahead, overrides: DelimiterOverrides) -> DocumentLayout:
    start = ahead.skipped
    if lines := _equal_lines(ahead):
        unwrapped = ahead.pull(HEAD_CHARS)[:HEAD_CHARS].replace(lines[1], "")
        head = read_head(unwrapped, 0, overrides)
        if isinstance(head, InterchangeHead) and head.is_fixed_width:
            return _wrapped_or_plain(ahead, lines, head)
    head = read_head(ahead.text, 0, overrides)
    if isinstance(head, HeadFault) or not head.is_fixed_width:
        head = read_head(ahead.pull(HEAD_CHARS), 0, overrides)
    if isinstance(head, InterchangeHead):
        return _layout(ahead, head=head)
    beginning = ahead.text[:HEAD_CHARS]
    later = _first_fixed_width_isa(ahead.all_pieces())
    if later is None:
        raise unreadable_head(head, (start, ahead.first_line), beginning)
    return _layout(ahead, garbage_chars=later)


def _without_isa_in_front(ahead: _Lookahead, overrides: DelimiterOverrides) -> DocumentLayout:
    window = ahead.pull(_FRAGMENT_CHARS)[:_FRAGMENT_CHARS]
    delimiters = _fragment_delimiters(window, overrides)
    lines = _equal_lines(ahead)
    unwrapped = _fragment_delimiters(window.replace(lines[1], ""), overrides) if lines else None
    later, is_wrapped = _survey(ahead, lines, unwrapped)
    if later is not None:
        return _layout(ahead, garbage_chars=later)
    found = recognise(window)
    is_chosen = overrides != NO_OVERRIDES  # what has columns may have segments all the same
    if found is not None and not (is_chosen and found is OtherFormat.CSV):
        raise NotX12Error(found, ahead.skipped, ahead.first_line)
    if lines and unwrapped and is_wrapped:
        return _layout(ahead, fragment=unwrapped, lines=lines)
    if delimiters is None:
        raise not_x12(ahead.skipped, ahead.first_line)
    return _layout(ahead, fragment=delimiters)


def _survey(
    ahead: _Lookahead, lines: tuple[int, str] | None, unwrapped: Delimiters | None
) -> tuple[int | None, bool]:
    """Look through the whole text once: for a later ISA, and for lines of one length."""
    wrap = _WrapCheck(lines, unwrapped.segment) if lines and unwrapped else None

    def watched() -> Iterator[str]:
        for piece in ahead.all_pieces():
            if wrap:
                wrap.feed(piece)
            yield piece

    later = _first_fixed_width_isa(watched())
    return later, wrap is not None and wrap.holds()


def _fragment_delimiters(text: str, overrides: DelimiterOverrides) -> Delimiters | None:
    """Guess the separators of a document without ISA (x12.md section 1.2, rule 9)."""
    start = _FRAGMENT_START.match(text)
    if start is None:
        return None
    element = overrides.element or start[1]
    segment = overrides.segment or _fragment_terminator(text, element)
    if not segment or element in ends_of(segment):
        return None
    component = next((mark for mark in ">:" if mark in text and mark not in element + segment), ":")
    if component in element + segment:
        component = ">"
    repetition = "^" if "^" not in element + segment else ""
    return Delimiters(element=element, segment=segment, component=component, repetition=repetition)


def _fragment_terminator(text: str, element: str) -> str:
    for terminator in _TERMINATORS:
        if element in ends_of(terminator):
            continue
        following = re.escape(terminator) + _BLANK_AND_ID + re.escape(element)
        if re.search(following, text):
            return terminator
    body = text.rstrip(FILLER)
    # A single segment: nothing follows to prove the terminator, so only an upper-case id will do.
    is_single = _UPPERCASE_START.match(text) is not None and body[-1] != element
    return body[-1] if is_single and body[-1] in "~'\x1c\x1e|!" else ""


def _first_fixed_width_isa(pieces: Iterable[str]) -> int | None:
    """Return the offset of the first ISA at which the fixed layout holds, or None."""
    carry, base, found = "", 0, None
    for piece in pieces:
        if found is not None:
            continue  # the other watcher of the pieces still wants them
        text = carry + piece
        at = text.find("ISA")
        while at >= 0 and len(text) - at >= ISA_CHARS:
            if has_fixed_width_isa(text, at):
                found = base + at
                break
            at = text.find("ISA", at + 1)
        keep = len(text) - at if at >= 0 else 2
        carry = text[max(len(text) - keep, 0) :]
        base += len(text) - len(carry)
    return found


def _equal_lines(ahead: _Lookahead) -> tuple[int, str] | None:
    """Return width and line break if the first two lines are equally long and a third follows."""
    first = ahead.pull(ISA_CHARS + 2).find("\n", 0, _MAX_LINE_CHARS)
    if first < 0:
        first = ahead.pull(_MAX_LINE_CHARS).find("\n", 0, _MAX_LINE_CHARS)
    if first <= 0:
        return None
    line_break = "\r\n" if ahead.text[first - 1] == "\r" else "\n"
    width = first + 1 - len(line_break)
    second_end = 2 * width + 2 * len(line_break)
    text = ahead.pull(second_end + 1)
    second = text[width + len(line_break) : second_end]
    has_third = len(text) > second_end
    if not has_third or not second.endswith(line_break) or "\n" in second[: -len(line_break)]:
        return None
    return width, line_break


def _wrapped_or_plain(
    ahead: _Lookahead, lines: tuple[int, str], head: InterchangeHead
) -> DocumentLayout:
    check = _WrapCheck(lines, head.delimiters.segment)
    for piece in ahead.all_pieces():
        check.feed(piece)
    return _layout(ahead, head=head, lines=lines) if check.holds() else _layout(ahead)


def _layout(
    ahead: _Lookahead,
    *,
    head: InterchangeHead | None = None,
    fragment: Delimiters | None = None,
    garbage_chars: int = 0,
    lines: tuple[int, str] = (0, ""),
) -> DocumentLayout:
    return DocumentLayout(
        filler_chars=ahead.skipped,
        start=ahead.skipped + garbage_chars,
        first_line=ahead.first_line,
        head=head,
        fragment=fragment,
        line_width=lines[0],
        line_break=lines[1],
    )


class _WrapCheck:
    """Checks that all lines but the last are equally long and one has a terminator inside.

    The caller has checked the first two lines.
    """

    def __init__(self, lines: tuple[int, str], terminator: str) -> None:
        self._width, self._line_break = lines
        self._terminator = terminator
        self._carry = ""
        self._is_even = "\n" not in terminator
        self._has_inner_terminator = False
        self._is_ending = False

    def feed(self, piece: str) -> None:
        if not self._is_even:
            return
        text = self._carry + piece
        step = self._width + len(self._line_break)
        at = 0
        while len(text) - at >= step and not self._is_ending:
            is_whole = text.find("\n", at, at + step) == at + step - 1
            has_return = text.find("\r", at, at + self._width) >= 0
            if has_return or not is_whole or text[at + self._width] != self._line_break[0]:
                self._is_ending = True  # only the last line may be of another form
                break
            inner = text.find(self._terminator, at, at + self._width - 1)
            self._has_inner_terminator |= inner >= 0
            at += step
        self._carry = text[at:]
        if self._is_ending:
            self._is_even = self._is_last_short()
            # So much filler is counted that more text would make the line too long.
            self._carry = self._carry[: 2 * step]

    def _is_last_short(self) -> bool:
        """Return whether the text left over is one line, with nothing but filler after it."""
        last = self._carry.rstrip(FILLER)
        return len(last) <= self._width and "\n" not in last and "\r" not in last

    def holds(self) -> bool:
        """Return the result after the last piece."""
        inner = self._terminator in self._carry.rstrip(FILLER)[: self._width - 1]
        return self._is_even and self._is_last_short() and (self._has_inner_terminator or inner)
