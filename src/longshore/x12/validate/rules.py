"""What the sets of one definition are judged by, and the fast answer that all is well with one.

Theory. Of a valid document each segment is placed and matched against a compiled pattern; nothing
else happens. From the slots that were seen in such sets one pattern is made that takes a whole set
at one stroke. What is not accepted here is looked at anew by ``judge``, so findings never come from
the fast way (performance.md section 1, item 4).

Source: x12.md section 2.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import call
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.control import SegmentSpan
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import Definition
from longshore.x12.elements.faults import SetContext
from longshore.x12.elements.patterns import Patterns, pattern_of, patterns_for
from longshore.x12.loops.placement import slots_in_order
from longshore.x12.loops.slots import Slot
from longshore.x12.loops.table import LoopTable, table_of
from longshore.x12.validate.balance import AMOUNTS, BALANCES, is_balanced
from longshore.x12.validate.cross_checks import CrossChecks
from longshore.x12.validate.set_pattern import set_source

MAX_RULES: Final = 64  # kept ready
MAX_SET_CHARS: Final = 1_048_576  # of a set that is matched whole; no segment may be longer
_LEARNED_AFTER: Final = (
    4_000  # segments matched one by one; a small document is not worth a pattern
)
_MAX_SOURCE_CHARS: Final = 200_000
_MAX_SEPARATORS: Final = 3

_Matcher = Callable[[str], object]
_Search = Callable[[str, int, int], re.Match[str] | None]


@lru_cache(maxsize=MAX_RULES)
def rules_of(definition: Definition, context: SetContext, dictionary: Dictionary) -> Rules:
    """Return what judges sets of a definition; the last ones are kept."""
    return Rules(definition, context, dictionary)


class Rules:
    """What sets of one definition, written with the same separators, are judged by.

    ``known_ids``: the segment ids that X12 has, whether a set here uses them or not.
    """

    def __init__(self, definition: Definition, context: SetContext, dictionary: Dictionary) -> None:
        self.definition = definition
        self.context = context
        self.known_ids = dictionary.vocabulary.known_ids
        self.table = table_of(definition)
        self.balance = BALANCES.get(definition.tx_set)
        patterns = patterns_for(definition, context)
        self.matchers = _Matchers(patterns)
        self._cross_checks = CrossChecks(self.table, context.delimiters)
        self._whole = _Whole(self.table, context)
        frame = (dictionary.vocabulary.segment(tag, definition.release) for tag in ("ST", "SE"))
        self._frame = {each.id: len(each.uses) for each in frame if each is not None}

    @property
    def is_balanced(self) -> bool:
        """Whether the amounts of the set are compared."""
        return self.definition.tx_set in AMOUNTS

    def surplus(self, row: list[str]) -> int:
        """Return the first position beyond the last one that ST or SE has; 0 if none is filled."""
        most = self._frame.get(row[0], len(row))
        return most + 1 if len(row) > most + 1 and any(row[most + 1 :]) else 0

    def is_regular(self, batch: SegmentBatch) -> bool:
        """Tell whether the patterns are for segments like these."""
        return batch.kind is BatchKind.SEGMENTS and batch.delimiters == self.context.delimiters

    def match(self, text: str, at: int, separator: str) -> re.Match[str] | None:
        """Match all that follows ST, which ends before ``at``, SE included; never wrongly.

        ``separator``: what stands between two segments. Groups 1 and 2 are SE01 and SE02. A match
        does not check ``passes_cross_checks`` or empty elements at the end of a segment.
        """
        return self._whole.match(text, at, separator)

    def passes_cross_checks(self, text: str, separator: str) -> bool:
        """Tell whether levels, counts and amounts agree in what has been matched.

        ``text`` begins with the ``separator`` before the first segment.
        """
        return self._cross_checks.hold(text, separator)

    def has_pattern(self, separator: str) -> bool:
        """Tell whether there is a pattern of whole sets, so that good ones need no other way."""
        return self._whole.is_made(separator)

    def learn(self, slots: Sequence[Slot]) -> None:
        """Make use of a good set, whose segments stand in these slots."""
        self._whole.learn(slots)

    def accepts(self, body: SegmentSpan) -> bool:
        """Tell whether nothing is wrong with what stands between ST and SE; never wrongly True."""
        batch, first, last = body.batch, body.first, body.last
        rows = batch.rows[first:last]
        tags = [row[0] for row in rows]
        slots = slots_in_order(self.table, self.context.delimiters, rows, tags)
        if slots is None or not all(self.matched(slots, batch.texts[first:last])):
            return False
        self.learn(slots)
        return self.balance is None or is_balanced(self.balance(), rows)

    def matched(self, slots: Sequence[Slot], texts: list[str]) -> list[object]:
        """Tell of each segment, up to the last with a slot, if its text is what the slot demands.

        What is not true needs a closer look.
        """
        return [*map(call, map(self.matchers.__getitem__, slots), texts)]


class _Matchers(dict[Slot, _Matcher]):
    """What accepts the text of a segment in a slot; made when first asked for."""

    def __init__(self, patterns: Patterns | None) -> None:
        self._patterns = patterns

    def __missing__(self, slot: Slot) -> _Matcher:
        pattern = self._patterns.of(slot.use) if self._patterns is not None else None
        self[slot] = match = _never if pattern is None else pattern.fullmatch
        return match


def _never(text: str) -> bool:  # noqa: ARG001 - has the form of fullmatch
    return False


class _Whole:
    """The pattern of whole sets of one definition, from behind ST to SE.

    It knows the slots that were seen in good sets; where it does not match, nothing is said by
    that. To make it takes as long as to judge some thousand segments one by one, so it waits for
    so many, and each time for twice as many as the last time.
    """

    def __init__(self, table: LoopTable, context: SetContext) -> None:
        self._table = table
        self._context = context
        self._patterns: dict[str, _Search | None] = {}  # by joint
        self._known: dict[Slot, str] = {}
        self._seen: set[Slot] = set()
        self._has_news = False
        self._until = self._patience = _LEARNED_AFTER

    def is_made(self, separator: str) -> bool:
        """Tell whether there is a pattern; it is made, if it is time."""
        if separator not in self._patterns:
            if not self._known or len(self._patterns) >= _MAX_SEPARATORS:
                return False
            self._patterns[separator] = self._made(separator)
        return self._patterns[separator] is not None

    def match(self, text: str, at: int, separator: str) -> re.Match[str] | None:
        """Match what stands behind an ST, which is at ``at``; groups 1 and 2 are SE01 and SE02."""
        search = self._patterns[separator] if self.is_made(separator) else None
        return None if search is None else search(text, at, at + MAX_SET_CHARS)

    def learn(self, slots: Sequence[Slot]) -> None:
        """Learn from a set that was found good segment by segment, whose slots are these."""
        news = set(slots) - self._seen
        self._seen |= news
        self._has_news = self._has_news or bool(news)
        self._until -= len(slots)
        if self._until > 0 or not self._has_news:
            return
        self._patience = self._until = 2 * self._patience
        self._has_news = False
        self._patterns.clear()
        for slot in self._seen - self._known.keys():
            source = pattern_of(slot.use, self._context, is_plain=True)
            if source is not None:
                self._known[slot] = source

    def _made(self, separator: str) -> _Search | None:
        inner, marks = self._table.start.inner, self._context.delimiters
        assert inner is not None  # the body of the set
        body = set_source(inner, self._known, marks, separator)
        if body is None or len(body) > _MAX_SOURCE_CHARS:
            return None
        element, end = re.escape(marks.element), re.escape(separator)
        trailer = f"SE{element}([0-9]{{1,10}}+){element}([A-Za-z0-9]{{4,9}}+){end}"
        return re.compile(body + trailer).match
