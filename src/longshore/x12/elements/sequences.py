r"""Regular expressions of a sequence of parts under relational notes.

Theory. The text after each part begins with a separator or ends, so the next character always
decides which branch matches: no pattern made here tries a text twice. Whether a note is fulfilled
depends on which parts are present. Positions that a note ties together are written out as the tree
of the combinations allowed (``P0304``: ``(?:\*A\*B|\*)``), with equal branches joined. A note over
a long range would make that tree large; it becomes a look-ahead that finds its violation.

Source: x12.md section 2.4, relational conditions; performance.md section 1, item 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from longshore.x12.dictionary.model import RelationalNote
from longshore.x12.elements.fragments import NEVER
from longshore.x12.elements.presence import excluded_by, missing_by

MAX_TIED: Final = 3  # positions written out as a tree


@dataclass(frozen=True, slots=True)
class SequencePart:
    """A part's pattern when it is present, None if it must not be."""

    source: str | None
    is_required: bool


class Sequence:
    """The pattern of a sequence of parts in the making.

    Args:
        separator: Between them, escaped.
        content: The class of the characters of a part.
    """

    def __init__(
        self,
        parts: tuple[SequencePart, ...],
        notes: tuple[RelationalNote, ...],
        separator: str,
        content: str,
    ) -> None:
        self._parts = parts
        self._notes = notes
        self._separator = separator
        self._content = content
        self._has_head = True
        self._looks: dict[int, list[str]] = {}
        self._tied, wide = _contiguous_ranges(notes)
        self._wide = wide

    def source(self, *, has_head: bool) -> str:
        """Return the pattern of the whole sequence, trailing separators included.

        Args:
            has_head: A separator precedes the first part too; without it, the sequence is never
                empty.
        """
        self._has_head = has_head
        for note in self._wide:
            for condition in _violations(note):
                look = f"(?!{self._condition(condition, min(condition))})"
                self._looks.setdefault(min(condition), []).append(look)
        return self._rest(1)

    def _rest(self, at: int) -> str:
        """Return the pattern from the separator before part ``at`` on."""
        if self._can_end(at) and not any(part.source for part in self._parts[at - 1 :]):
            return f"{self._separator}*+"
        last, _ = self._tied.get(at, (at, ()))
        inner = self._options(at, at, ()) + self._rest(last + 1)
        return f"(?:{inner}|)" if self._can_end(at) else inner

    def _can_end(self, at: int) -> bool:
        """Return whether all parts from ``at`` on may be absent, as far as they alone decide."""
        return not (
            any(part.is_required for part in self._parts[at - 1 :])
            or any(note.kind == "R" and min(note.positions) >= at for note in self._notes)
            or (at == 1 and not self._has_head)
        )

    def _options(self, at: int, first: int, before: tuple[bool, ...]) -> str:
        """Return the pattern of some parts.

        Args:
            at: The first of them; the last is the last part tied to ``first``.
            first: The first part of the relational notes.
            before: For each tied part before ``at``: whether it is present.
        """
        last, notes = self._tied.get(first, (first, ()))
        if at > last:
            return ""
        part = self._parts[at - 1]
        may_be, may_not = (
            self._is_possible(first, last, notes, (*before, is_there)) for is_there in (True, False)
        )
        present = self._options(at + 1, first, (*before, True)) if may_be else NEVER
        absent = self._options(at + 1, first, (*before, False)) if may_not else NEVER
        step = "" if at == 1 and not self._has_head else self._separator
        if not may_be:
            body = step + absent
        elif not may_not:
            body = f"{step}{part.source}{present}"
        elif present == absent:
            body = f"{step}(?:{part.source}|){present}"
        else:
            body = f"{step}(?:{part.source}{present}|{absent})"
        body = "".join(self._looks.get(at, ())) + body
        rest = (False,) * (last - at + 1)
        if at > first and self._can_end(at) and _holds(notes, first, (*before, *rest)):
            return f"(?:{body}|(?!{self._separator}))"
        return body

    def _is_possible(
        self, first: int, last: int, notes: tuple[RelationalNote, ...], before: tuple[bool, ...]
    ) -> bool:
        """Return whether a combination of tied parts can be completed to one the notes allow."""
        choices = [
            (True,) * (part.source is not None) + (False,) * (not part.is_required)
            for part in self._parts[first - 1 : last]
        ]
        if not all(is_there in choice for is_there, choice in zip(before, choices, strict=False)):
            return False
        return any(
            _holds(notes, first, (*before, *rest)) for rest in product(*choices[len(before) :])
        )

    def _condition(self, condition: dict[int, bool], at: int) -> str:
        """Return the pattern, from the separator before part ``at``, of what a note forbids."""
        left = {number: is_there for number, is_there in condition.items() if number >= at}
        if not left:
            return ""
        step = "" if at == 1 and not self._has_head else self._separator
        more = self._condition(condition, at + 1)
        if left.get(at):
            return f"{step}{self._content}{f'{self._content}*+' if more else ''}{more}"
        other = (
            f"{step}(?!{self._content}){more}" if at in left else f"{step}{self._content}*+{more}"
        )
        # The text may end before parts that are absent.
        return other if any(left.values()) or not step else f"(?:{other}|(?!{step}))"


def _contiguous_ranges(
    notes: tuple[RelationalNote, ...],
) -> tuple[dict[int, tuple[int, tuple[RelationalNote, ...]]], list[RelationalNote]]:
    """Return the stretches of tied positions: by the first, the last and the notes that tie them.

    Then the notes that would make a stretch too long.
    """
    narrow = list(notes)
    wide: list[RelationalNote] = []
    while True:
        found: dict[int, tuple[int, tuple[RelationalNote, ...]]] = {}
        last = 0
        for note in sorted(narrow, key=lambda each: min(each.positions)):
            start, end = min(note.positions), max(note.positions)
            if found and start <= last:
                begin, (_, others) = found.popitem()
                last = max(last, end)
                found[begin] = (last, (*others, note))
            else:
                last = end
                found[start] = (end, (note,))
        long = next((each for first, each in found.items() if each[0] - first >= MAX_TIED), None)
        if long is None:
            return found, wide
        widest = max(long[1], key=lambda each: max(each.positions) - min(each.positions))
        narrow.remove(widest)
        wide.append(widest)


def _holds(notes: tuple[RelationalNote, ...], first: int, there: tuple[bool, ...]) -> bool:
    present = {number for number, is_there in enumerate(there, first) if is_there}
    return not any(missing_by(note, present) or excluded_by(note, present) for note in notes)


def _violations(note: RelationalNote) -> Iterator[dict[int, bool]]:
    """Yield what violates a note: which positions are present and which are not."""
    first, *others = note.positions
    match note.kind:
        case "P":
            for other in others:
                yield {first: True, other: False}
                yield {first: False, other: True}
        case "C":
            for other in others:
                yield {first: True, other: False}
        case "L":
            yield {first: True, **dict.fromkeys(others, False)}
        case "R":
            yield dict.fromkeys(note.positions, False)
        case _:
            for index, one in enumerate(note.positions):
                for other in note.positions[index + 1 :]:
                    yield {one: True, other: True}
