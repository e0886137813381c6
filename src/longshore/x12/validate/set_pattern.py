"""One pattern for the text between ST and SE: structure and elements in one match.

Theory. A definition is a tree of slots, so it can be written as a pattern: slots follow one
another, loops are groups, maxima are counts, all of it possessive, so that no text is tried twice.
A segment goes to the first slot that may hold its id (and code, where a condition decides); if it
has a fault there, no later slot takes it. Where a later one might, a look-ahead ends the match. So
the pattern matches no set in which the automaton would place a segment elsewhere, or in which a
segment would not fit its slot. It matches fewer sets, however: only slots that are ``known`` are
written, and siblings with one id only in their order in the definition.

Source: docs/reference/dictionary.md section 8, steps 1 to 3; performance.md section 1, item 3.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import chain, groupby
from operator import attrgetter

from longshore.x12.delimiters import Delimiters
from longshore.x12.loops.moves import Cursor, open_loops, targets
from longshore.x12.loops.slots import Body, Slot


def set_source(
    body: Body, known: Mapping[Slot, str], marks: Delimiters, separator: str
) -> str | None:
    """Return the pattern of the segments of a set; None if a required slot has no known pattern.

    Args:
        body: The body of the definition.
        known: The patterns of the segments that fit a slot, without terminator.
        marks: The separators in force.
        separator: The terminator and the line break after it.
    """
    return _SetWriter(known, marks, separator).body(body)


class _SetWriter:
    def __init__(self, known: Mapping[Slot, str], marks: Delimiters, separator: str) -> None:
        self._known = known
        self._separator = re.escape(separator)
        self._element = re.escape(marks.element)
        self._component = re.escape(marks.component)
        self._outside = re.escape(marks.element + marks.segment)  # what ends an element
        self._within = self._outside + self._component + re.escape(marks.repetition)

    def body(self, body: Body) -> str | None:
        """Return the pattern of a body; None if a required slot has no known pattern."""
        found = []
        for _, siblings in groupby(body.slots, key=attrgetter("first")):
            source = self._run([*siblings])
            if source is None:
                return None
            found.append(source)
        return "".join(found)

    def _run(self, run: list[Slot]) -> str | None:
        """Return the pattern of siblings in a row that have one segment id."""
        beyond = [*_beyond(run)]
        is_decided = _is_decided([*run, *beyond])
        found = []
        for index, slot in enumerate(run, 1):
            source = self._slot(slot) if is_decided else None
            if source is None and slot.is_required:
                return None
            found.append(source or "")
            if self._may_be_taken(slot, run[index:]):
                found.append(f"(?!{self._selected(slot)})")
        if is_decided:
            guarded = [slot for slot in run if self._may_be_taken(slot, beyond)]
            found += [f"(?!{self._selected(slot)})" for slot in guarded]
        else:
            found.append(f"(?!{run[0].tag}[{self._outside}])")
        return "".join(found)

    def _slot(self, slot: Slot) -> str | None:
        """Return the pattern of all uses of a slot; None if it is not known."""
        segment = self._known.get(slot)
        inner = "" if slot.inner is None else self.body(slot.inner)
        if segment is None or inner is None:
            return None
        look = "" if slot.when is None else f"(?={self._selected(slot)})"
        one = f"{look}{segment}{self._separator}{inner}"
        least, most = int(slot.is_required), slot.node.maximum
        if least == most == 1:
            return f"(?>{one})"
        return f"(?:{one}){{{least},{most or ''}}}+"

    def _may_be_taken(self, slot: Slot, later: Collection[Slot]) -> bool:
        """Return whether one of the others would take a segment that belongs to ``slot``."""
        return any(other in self._known and _are_alike(slot, other) for other in later)

    def _selected(self, slot: Slot) -> str:
        """Return the pattern of the beginning of a segment that belongs to ``slot``."""
        when = slot.when
        if when is None:
            return f"{slot.tag}[{self._outside}]"
        before = f"(?:{self._element}[^{self._outside}]*+){{{when.position - 1}}}{self._element}"
        end = self._outside
        if when.component is not None:
            part = f"[^{self._within}]*+{self._component}"
            before += f"(?:{part}){{{when.component - 1}}}"
            end = self._within
        return f"{slot.tag}{before}(?:{'|'.join(map(re.escape, when.values))})[{end}]"


def _beyond(run: list[Slot]) -> Iterator[Slot]:
    """Yield the slots of the same id that follow those of ``run``."""
    inside = [slot.inner for slot in run]
    for target in targets([*open_loops((Cursor(run[-1]),))], run[0].tag):
        if target.slot not in run and target.slot.body not in inside:
            yield target.slot


def _is_decided(slots: list[Slot]) -> bool:
    """Return whether the conditions of slots, where they have one, test the same text."""
    conditions = [slot.when for slot in slots if slot.when is not None]
    values = chain.from_iterable(when.values for when in conditions)
    return len({(when.position, when.component) for when in conditions}) <= 1 and "" not in values


def _are_alike(one: Slot, other: Slot) -> bool:
    """Return whether the same segment may match both."""
    if one.when is None or other.when is None:
        return True
    return not set(one.when.values).isdisjoint(other.when.values)
