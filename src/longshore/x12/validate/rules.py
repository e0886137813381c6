"""What the sets of one definition are judged by, and the fast answer that all is well with one.

Theory. Of a valid document each segment is placed and matched against a compiled pattern; nothing
else happens. Where the segment id alone tells which pattern that is, as in the standards, one
pattern takes all segments of a set at one stroke. What is not accepted here is looked at anew by
``judge``, so findings never come from the fast way (performance.md section 1, item 4).
Source: x12.md section 2.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import call
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.control import Stretch
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import Definition
from longshore.x12.elements.faults import Context
from longshore.x12.elements.patterns import Patterns, patterns_for
from longshore.x12.loops.placement import slots_in_order
from longshore.x12.loops.slots import Slot
from longshore.x12.loops.table import Table, table_of
from longshore.x12.validate.balance import BALANCED, BALANCES, Here

MOST_RULES: Final = 64  # kept ready
_JOINED_AFTER: Final = 2_000  # segments matched one by one; a small document is not worth a pattern
_MOST_JOINS: Final = 8  # patterns made, as segment ids come that the last one does not know

_Matcher = Callable[[str], object]


@lru_cache(maxsize=MOST_RULES)
def rules_of(definition: Definition, context: Context, dictionary: Dictionary) -> Rules:
    """Return what judges sets of a definition; the last ones are kept."""
    return Rules(definition, context, dictionary)


class Rules:
    """What sets of one definition, written with the same separators, are judged by.

    ``known_ids``: the segment ids that X12 has, whether a set here uses them or not.
    """

    def __init__(self, definition: Definition, context: Context, dictionary: Dictionary) -> None:
        self.definition = definition
        self.context = context
        self.known_ids = dictionary.vocabulary.known_ids
        self.table = table_of(definition)
        self.balance = BALANCES.get(definition.tx_set)
        patterns = patterns_for(definition, context)
        self.matchers = _Matchers(patterns)
        self._joint = _Joint(self.table, patterns, context.delimiters.segment)
        frame = (dictionary.vocabulary.segment(tag, definition.release) for tag in ("ST", "SE"))
        self._frame = {each.id: len(each.uses) for each in frame if each is not None}

    @property
    def is_balanced(self) -> bool:
        """Whether the amounts of the set are compared."""
        return self.definition.tx_set in BALANCED

    def surplus(self, row: list[str]) -> int:
        """Return the first position beyond the last one that ST or SE has; 0 if none is filled."""
        most = self._frame.get(row[0], len(row))
        return most + 1 if len(row) > most + 1 and any(row[most + 1 :]) else 0

    def is_regular(self, batch: SegmentBatch) -> bool:
        """Tell whether the patterns are for segments like these."""
        return batch.kind is BatchKind.SEGMENTS and batch.delimiters == self.context.delimiters

    def accepts(self, body: Stretch) -> bool:
        """Tell whether nothing is wrong with what stands between ST and SE; never wrongly True."""
        batch, first, last = body.batch, body.first, body.last
        rows = batch.rows[first:last]
        tags = [row[0] for row in rows]
        slots = slots_in_order(self.table, self.context.delimiters, rows, tags)
        if slots is None or not self.are_matched(slots, batch.texts[first:last]):
            return False
        if self.balance is None:
            return True
        balance = self.balance()
        balance.take(Here(body, rows, tags, {}))
        balance.finish()
        return not balance.faults

    def are_matched(self, slots: Sequence[Slot], texts: list[str]) -> bool:
        """Tell whether the texts of segments are what their slots demand; never wrongly True."""
        if self._joint.accepts(texts):
            return True
        if self._joint.knows(slots) or not all(self.matched(slots, texts)):
            return False
        self._joint.learn(slots)
        return True

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


class _Joint:
    """One pattern for all segments of a set, where the segment id tells what is demanded.

    It knows the segment ids that were seen. Where it does not match, nothing is said by that.
    """

    def __init__(self, table: Table, patterns: Patterns | None, terminator: str) -> None:
        self._everywhere = table.everywhere
        self._patterns = patterns
        self._terminator = terminator
        self._match: _Matcher | None = None
        self._sources: dict[str, str] = {}
        self._until = _JOINED_AFTER
        self._left = 0 if table.definition.guide else _MOST_JOINS

    def accepts(self, texts: list[str]) -> bool:
        """Tell whether the pattern matches these segments."""
        if self._match is None:
            return False
        return self._match(self._terminator.join((*texts, ""))) is not None

    def knows(self, slots: Sequence[Slot]) -> bool:
        """Tell whether nothing can be learned from these segments."""
        return self._match is not None and self._sources.keys() >= {slot.tag for slot in slots}

    def learn(self, slots: Sequence[Slot]) -> None:
        """Widen the pattern by segments that were matched one by one."""
        self._until -= len(slots)
        if self._until > 0 or not self._left or self._patterns is None:
            return
        self._left -= 1
        for tag in {slot.tag for slot in slots}:
            patterns = {self._patterns.of(each.use) for each in self._everywhere[tag]}
            sources = {pattern and pattern.pattern for pattern in patterns}
            source = sources.pop()
            if sources or source is None:
                self._left = 0  # the id does not tell
                return
            self._sources[tag] = source
        any_segment = "|".join(self._sources.values())
        joint = f"(?:(?:{any_segment}){re.escape(self._terminator)})*+"
        self._match = re.compile(joint).fullmatch
