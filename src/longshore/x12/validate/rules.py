"""The rules for the sets of one definition, and the fast check that a set has no fault.

Theory. In a valid document each segment is placed and matched against a compiled pattern; nothing
else happens. The slots that occurred in such sets are compiled into one pattern that matches a
whole set. ``set_validator`` checks again what is not accepted here, so no finding ever comes from
the fast path (performance.md section 1, item 3).

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
from longshore.x12.dictionary.model import Definition
from longshore.x12.dictionary.vocabulary import Vocabulary
from longshore.x12.elements.check_digits import digit_places
from longshore.x12.elements.faults import SetContext
from longshore.x12.elements.patterns import Patterns, pattern_of, patterns_for
from longshore.x12.loops.placement import slots_in_order
from longshore.x12.loops.slots import Slot
from longshore.x12.loops.table import LoopTable, table_of
from longshore.x12.validate.balance import AMOUNTS, BALANCES, is_balanced
from longshore.x12.validate.cross_checks import CrossChecks
from longshore.x12.validate.digit_search import DigitSearch, Places, digit_search
from longshore.x12.validate.set_pattern import set_source

MAX_RULES: Final = 64  # entries of the cache
MAX_SET_CHARS: Final = 1_048_576  # of a set that is matched whole; no segment may be longer
_LEARNED_AFTER: Final = (
    4_000  # segments matched one by one; a small document is not worth a pattern
)
_MAX_SOURCE_CHARS: Final = 200_000
_MAX_SEPARATORS: Final = 3

_Matcher = Callable[[str], object]
_Search = Callable[[str, int, int], re.Match[str] | None]


@lru_cache(maxsize=MAX_RULES)
def rules_of(definition: Definition, context: SetContext, vocabulary: Vocabulary) -> SetRules:
    """Return the rules for sets of a definition, from a cache."""
    return SetRules(definition, context, vocabulary)


class SetRules:
    """The rules for sets of one definition, written with the same separators."""

    def __init__(self, definition: Definition, context: SetContext, vocabulary: Vocabulary) -> None:
        self.definition = definition
        self.context = context
        self.known_ids = vocabulary.known_ids
        """The segment ids that X12 has, whether a set here uses them or not."""
        self.table = table_of(definition)
        self.balance = BALANCES.get(definition.tx_set)
        patterns = patterns_for(definition, context)
        self.matchers = _Matchers(patterns)
        self._cross_checks = CrossChecks(self.table, context.delimiters)
        self.digit_places = digit_places(definition)
        """Where identifiers with check digits may be, by segment id."""
        self._digits = digit_search(self.digit_places, context.delimiters)
        self._whole = _WholeSetPattern(self.table, context, self.digit_places)
        frame = (vocabulary.segment(tag, definition.release) for tag in ("ST", "SE"))
        self._frame = {each.id: len(each.uses) for each in frame if each is not None}

    @property
    def is_balanced(self) -> bool:
        """True if the amounts of the set are compared."""
        return self.definition.tx_set in AMOUNTS

    def surplus_position(self, row: list[str]) -> int:
        """Return the first position beyond the last one that ST or SE has; 0 if none is filled."""
        most = self._frame.get(row[0], len(row))
        return most + 1 if len(row) > most + 1 and any(row[most + 1 :]) else 0

    def is_regular(self, batch: SegmentBatch) -> bool:
        """Return whether the patterns are for segments like these."""
        return batch.kind is BatchKind.SEGMENTS and batch.delimiters == self.context.delimiters

    def match(self, text: str, at: int, separator: str) -> re.Match[str] | None:
        """Match the text of a whole set after its ST, up to and including its SE.

        Groups 1 and 2 of the match are SE01 and SE02. The pattern never matches an invalid set,
        except that it does not check ``passes_cross_checks`` and empty elements at the end of a
        segment.

        Args:
            text: The text.
            at: The index after ST.
            separator: The text between two segments.
        """
        return self._whole.match(text, at, separator)

    def passes_cross_checks(self, text: str, separator: str) -> bool:
        """Return whether levels, counts, amounts and check digits are right in what has matched.

        ``text`` begins with the ``separator`` before the first segment.
        """
        digits = self._whole.digits
        return self._cross_checks.are_passed(text, separator) and (
            digits is None or digits.are_right(text)
        )

    def has_pattern(self, separator: str) -> bool:
        """Return whether there is a pattern of whole sets, so that good ones need no other way."""
        return self._whole.is_made(separator)

    def learn(self, slots: Sequence[Slot]) -> None:
        """Add the slots of a valid set to the pattern of whole sets."""
        self._whole.learn(slots)

    def accepts(self, body: SegmentSpan) -> bool:
        """Return whether the segments between ST and SE have no fault; never wrongly True."""
        batch, first, last = body.batch, body.first, body.last
        rows = batch.rows[first:last]
        tags = [row[0] for row in rows]
        slots = slots_in_order(self.table, self.context.delimiters, rows, tags)
        if slots is None or not all(self.matched(slots, batch.texts[first:last])):
            return False
        self.learn(slots)
        if self.balance is not None and not is_balanced(self.balance(), rows):
            return False
        return self.has_right_digits(batch, batch.texts[first:last])

    def has_right_digits(self, batch: SegmentBatch, texts: Sequence[str]) -> bool:
        """Return whether no check digit in segments can be wrong; False does not mean that one is.

        Args:
            batch: The batch of the segments.
            texts: Their texts.
        """
        if self._digits is None:
            return True
        marks = self.context.delimiters
        return (
            self.is_regular(batch)
            and not marks.release
            and self._digits.are_right(marks.segment.join(texts))
        )

    def matched(self, slots: Sequence[Slot], texts: list[str]) -> list[object]:
        """Return for each segment, up to the last with a slot, whether its text matches the slot.

        Segments that do not match must be checked.
        """
        return [*map(call, map(self.matchers.__getitem__, slots), texts)]


class _Matchers(dict[Slot, _Matcher]):
    """The functions that match the text of a segment in a slot, made on first use."""

    def __init__(self, patterns: Patterns | None) -> None:
        self._patterns = patterns

    def __missing__(self, slot: Slot) -> _Matcher:
        pattern = self._patterns.of(slot.use) if self._patterns is not None else None
        self[slot] = match = _never if pattern is None else pattern.fullmatch
        return match


def _never(text: str) -> bool:  # noqa: ARG001 - has the form of fullmatch
    return False


class _WholeSetPattern:
    """The pattern of whole sets of one definition, from after ST to SE.

    It contains the slots that occurred in valid sets; a set that does not match may be valid.
    Compiling it takes as long as checking some thousand segments one by one, so it waits for that
    many, and for twice as many before each further time.
    """

    def __init__(self, table: LoopTable, context: SetContext, places: Places) -> None:
        self._table = table
        self._context = context
        self._places = places
        self.digits: DigitSearch | None = None
        """Searches the sets that match for wrong check digits; None if they have none."""
        self._patterns: dict[str, _Search | None] = {}  # by joint
        self._known: dict[Slot, str] = {}
        self._seen: set[Slot] = set()
        self._has_news = False
        self._until = self._patience = _LEARNED_AFTER

    def is_made(self, separator: str) -> bool:
        """Return whether there is a pattern; it is made, if it is time."""
        if separator not in self._patterns:
            if not self._known or len(self._patterns) >= _MAX_SEPARATORS:
                return False
            self._patterns[separator] = self._made(separator)
        return self._patterns[separator] is not None

    def match(self, text: str, at: int, separator: str) -> re.Match[str] | None:
        """Match the text after an ST, which ends at ``at``; groups 1 and 2 are SE01 and SE02."""
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
        tags = {slot.tag for slot in self._known}
        self.digits = digit_search(self._places, self._context.delimiters, tags)

    def _made(self, separator: str) -> _Search | None:
        inner, marks = self._table.start.inner, self._context.delimiters
        assert inner is not None  # the body of the set
        body = set_source(inner, self._known, marks, separator)
        if body is None or len(body) > _MAX_SOURCE_CHARS:
            return None
        element, end = re.escape(marks.element), re.escape(separator)
        trailer = f"SE{element}([0-9]{{1,10}}+){element}([A-Za-z0-9]{{4,9}}+){end}"
        return re.compile(body + trailer).match
