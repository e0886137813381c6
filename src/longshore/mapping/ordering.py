"""Sort segments in the order of the dictionary, those of a loop after its trigger.

Theory. The definition of the set is searched for each segment: it finds its position in the body of
the set or of its loop, as a segment of that body or as the trigger of one of its loops; a condition
on a code and the maximum choose among several positions. A segment that only an inner loop has,
such as ``N4`` written without ``N1>``, goes to the instance of that loop with the same number.
Segments that the dictionary does not know come last, in the order of the rules; so do all segments
of an unknown set.

Source: fields-and-mapping.md section 7, X12, point 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from longshore.mapping.instances import Instance
from longshore.x12.dictionary.model import Loop, Node, SegmentUse, ValueCondition

_HL: Final = "HL"
_Body = tuple[Node, ...]


class _Table:
    """The body of the set, or of a loop without its trigger."""

    def __init__(self, body: _Body) -> None:
        self.body = body
        self.by_tag: dict[str, list[int]] = {}
        """Positions in it."""
        for index, node in enumerate(body):
            if node.requirement != "N":
                self.by_tag.setdefault(_trigger(node), []).append(index)


@dataclass(slots=True)
class Ordered:
    """The segments of an output in the order of the definition, and what is unsure about it."""

    segments: list[Instance] = field(default_factory=list)
    """The segments in the order in which they are written."""
    guessed: list[Instance] = field(default_factory=list)
    """The segments whose loop was guessed."""


def in_order(instances: Iterable[Instance], body: _Body) -> Ordered:
    """Return the segments of a set in the order of its definition.

    Args:
        instances: The segments that rules write.
        body: The body of the definition, empty if there is none.
    """
    ordered = Ordered()
    _Level(_Table(body), None, ordered, {}).write(instances)
    return ordered


class _Level:
    """The segments directly in the set, or in one instance of a loop.

    Args:
        around: The loop, None in the set itself and in a loop the dictionary does not know.
        tables: The tables of the loops seen before, by the identity of the loop.
    """

    def __init__(
        self, table: _Table, around: Loop | None, ordered: Ordered, tables: dict[int, _Table]
    ) -> None:
        self._body = table.body
        self._by_tag = table.by_tag
        self._around = around
        self._ordered = ordered
        self._tables = tables
        self._uses: Counter[int] = Counter()
        self._at: dict[Instance, int] = {}
        self._adopted: dict[Instance, list[Instance]] = {}

    def write(self, instances: Iterable[Instance]) -> None:
        """Append the segments, and those within them, to the order."""
        strays = []
        for instance in sorted(instances, key=lambda each: (each.ordinal, each.shape.mention)):
            index = self._index(instance)
            if index is None:
                strays.append(instance)
            else:
                self._at[instance] = index
        self._settle(strays)
        for instance in self._by_position():
            self._ordered.segments.append(instance)
            members = [*instance.members.values(), *self._adopted.get(instance, ())]
            loop = self._loop(instance)
            if members:
                _Level(self._table(loop), loop, self._ordered, self._tables).write(members)

    def _table(self, loop: Loop | None) -> _Table:
        if id(loop) not in self._tables:
            self._tables[id(loop)] = _Table(loop.body[1:] if loop else ())
        return self._tables[id(loop)]

    def _index(self, instance: Instance) -> int | None:
        """Return the position of a segment in the body; None if it has none.

        After the end of the body, where one loop serves all levels, come the HL below.
        """
        tag = instance.segment_id
        found = self._by_tag.get(tag)
        if not found:
            is_below = self._around is not None and _trigger(self._around) == tag == _HL
            return len(self._body) if is_below else None
        meant = [index for index in found if _holds(self._body[index].when, instance)] or found
        index = next(filter(self._has_room, meant), meant[-1])
        self._uses[index] += 1
        return index

    def _has_room(self, index: int) -> bool:
        maximum = self._body[index].maximum
        return not maximum or self._uses[index] < maximum

    def _settle(self, strays: list[Instance]) -> None:
        """Put segments into the loops that hold them further in; last where there is none."""
        loops: dict[int, list[Instance]] = {}
        for instance, index in self._at.items():
            loops.setdefault(index, []).append(instance)
        holders: dict[str, list[int]] = {}
        for stray in strays:
            tag = stray.segment_id
            if tag not in holders:
                holders[tag] = self._holders(tag)
            index = next(filter(loops.__contains__, holders[tag]), -1)
            if index < 0:
                self._at[stray] = next(iter(holders[tag]), len(self._body) + 1)
                continue
            found = loops[index]
            holder = found[min(stray.ordinal, len(found) - 1)]
            self._adopted.setdefault(holder, []).append(stray)
            if len(found) > 1:
                self._ordered.guessed.append(stray)

    def _holders(self, tag: str) -> list[int]:
        """Return the positions of the loops that have a segment further in."""
        return [
            index
            for index, node in enumerate(self._body)
            if isinstance(node, Loop) and _knows(node.body[1:], tag)
        ]

    def _by_position(self) -> Iterable[Instance]:
        mentions: dict[str, int] = {}
        for instance in self._at:
            tag, mention = instance.segment_id, instance.shape.mention
            mentions[tag] = min(mention, mentions.get(tag, mention))
        return sorted(
            self._at,
            key=lambda each: (self._at[each], mentions[each.segment_id], each.ordinal),
        )

    def _loop(self, instance: Instance) -> Loop | None:
        """Return the loop that a segment begins."""
        index = self._at[instance]
        if index == len(self._body):
            return self._around
        node = self._body[index] if index < len(self._body) else None
        is_trigger = isinstance(node, Loop) and _trigger(node) == instance.segment_id
        return node if isinstance(node, Loop) and is_trigger else None


def _trigger(node: Node) -> str:
    return node.segment.id if isinstance(node, SegmentUse) else node.trigger.segment.id


def _knows(body: _Body, tag: str) -> bool:
    return any(
        _trigger(node) == tag or (isinstance(node, Loop) and _knows(node.body[1:], tag))
        for node in body
    )


def _holds(when: ValueCondition | None, instance: Instance) -> bool:
    if when is None:
        return True
    parts = (0, 1) if when.component in {None, 1} else (when.component,)
    cells = (instance.cells.get((when.position, 1, part or 0)) for part in parts)
    return any(cell.text in when.values for cell in cells if cell is not None)
