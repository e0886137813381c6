"""JSON, XML and CSV documents as sources of rules.

Theory. All three are trees: of objects, arrays and values; of elements; of rows and cells. A node
returns its children by name or by number, and following a path is the same for all.

Source: fields-and-mapping.md sections 2.2 to 2.5 and 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from longshore.mapping.paths import SourcePath
from longshore.mapping.paths_fields import (
    FieldCondition,
    FieldPath,
    FieldStep,
    ListPlace,
    Selection,
)
from longshore.mapping.source import MAX_VALUES, PathReading, SourcePlace, too_many_values
from longshore.mapping.writes import Binding


class FieldNode(Protocol):
    """Protocol of a node of a document."""

    @property
    def key(self) -> str:
        """Its canonical key."""

    @property
    def value(self) -> str | None:
        """Its value; None if it has none of its own."""

    @property
    def is_filled(self) -> bool:
        """True if there is anything in it: a value that is not empty, or nodes."""

    @property
    def row_count(self) -> int:
        """The number of items of an array, else 0: paths reach them by an index only."""

    @property
    def span(self) -> tuple[int, int] | None:
        """The range of its raw text; None if that is not one range, or not known."""

    def among(self, name: str | None) -> Sequence[FieldNode]:
        """Return the nodes that a selection after ``name`` chooses from."""

    def child(self, name: str, *, is_attribute: bool) -> FieldNode | None:
        """Return the first child of a name."""


class _Match(NamedTuple):
    """A node that a path leads to, None where there is none."""

    node: FieldNode | None
    looked_at: tuple[FieldNode, ...] = ()
    """The nodes that conditions in the path tested."""


_NOWHERE = _Match(None)
_Reached = tuple[list[Binding], list[_Match]]


RowTrail = tuple[tuple[FieldNode | None, str | None, FieldNode | None], ...]
"""The way to a row: for each list its parent, its name there, and the row of it."""
ChosenRows = Mapping[tuple[int, str | None], Sequence[FieldNode]]
"""The rows that a list is taken to have, by the identity of its parent and its name there."""


class FieldSource:
    """A document as a tree.

    Args:
        root: The outermost node.
        has_literals: Its values may be JSON literals.
        chosen: The rows of lists that are taken to have others than the document.
    """

    def __init__(
        self,
        root: FieldNode,
        *,
        has_literals: bool = False,
        chosen: ChosenRows = MappingProxyType({}),
    ) -> None:
        self.has_literals = has_literals
        """Its values may be JSON literals."""
        self._root = root
        self._chosen = chosen
        self._found: dict[str, _Reached] = {}
        self._reached: dict[str, _Reached] = {}  # by what paths begin with, up to a wildcard

    def read(self, path: SourcePath) -> PathReading:
        """Return the values of a path."""
        bindings, matches = self._matches(path)
        return PathReading(
            bindings, [match.node.value if match.node else None for match in matches]
        )

    def values(self, paths: Iterable[SourcePath]) -> Iterator[str | None]:
        """Yield the values of paths without wildcards."""
        return (self.read(path).values[0] for path in paths)

    def read_condition(self, path: SourcePath) -> PathReading:
        """Return the values of a path; a node without value counts as not empty."""
        bindings, matches = self._matches(path)
        return PathReading(bindings, [_presence(match.node) for match in matches])

    def places(self, path: SourcePath) -> list[SourcePlace]:
        """Return the position of each value of a path."""
        _, matches = self._matches(path)
        return [
            SourcePlace(
                match.node.key if match.node and match.node.value is not None else "",
                match.node.span if match.node else None,
                tuple(node.key for node in match.looked_at),
            )
            for match in matches
        ]

    def guessed_paths(self) -> Sequence[str]:
        """Return nothing: these formats tell what belongs to what."""
        return ()

    def rows_of(self, path: FieldPath) -> list[tuple[Binding, RowTrail]]:
        """Return the rows that the wildcards of a path reach, each with the way to it."""
        last = max(number for number, step in enumerate(path.steps, 1) if step.is_many)
        reached: list[tuple[Binding, FieldNode | None, RowTrail]] = [((), self._root, ())]
        for step in path.steps[:last]:
            reached = [
                (
                    binding + ordinal,
                    match.node,
                    (*trail, (node, step.name, match.node)) if ordinal else trail,
                )
                for binding, node, trail in reached
                for ordinal, match in _follow(_Match(node), step, self._chosen)
            ]
        return [(binding, trail) for binding, _, trail in reached]

    def narrowed(self, trails: Sequence[RowTrail]) -> FieldSource:
        """Return the document in which the lists on the way to rows have these rows only."""
        chosen: dict[tuple[int, str | None], dict[int, FieldNode]] = {}
        for trail in trails:
            for parent, name, row in trail:
                assert row is not None  # a wildcard led to it
                chosen.setdefault((id(parent), name), {})[id(row)] = row
        rows = {place: tuple(nodes.values()) for place, nodes in chosen.items()}
        return FieldSource(
            self._root, has_literals=self.has_literals, chosen={**self._chosen, **rows}
        )

    def emptied(self, trails: Sequence[RowTrail]) -> FieldSource:
        """Return the document in which the innermost lists on the way to rows are empty."""
        empty = {(id(trail[-1][0]), trail[-1][1]): () for trail in trails}
        return FieldSource(
            self._root, has_literals=self.has_literals, chosen={**self._chosen, **empty}
        )

    def unread_rows(self, path: FieldPath) -> Mapping[ListPlace | None, int]:
        """Return by list the number of rows that a path leaves out because it has no index.

        None is the key of arrays that it enters without an index, so that it reads no row.
        """
        unread: Counter[ListPlace | None] = Counter()
        names = tuple(step.name for step in path.steps)
        nodes = [self._root]
        for number, step in enumerate(path.steps, 1):
            if step.selection is None:
                unread[None] += sum(node.row_count for node in nodes)
            elif step.is_unindexed:
                rows = (len(node.among(step.name)) for node in nodes)
                unread[names[:number]] += sum(count - 1 for count in rows if count)
            nodes = _reached_nodes(nodes, step)
        unread[None] += sum(node.row_count for node in nodes)
        return {place: count for place, count in unread.items() if count}

    def is_uniform(self, path: FieldPath) -> bool:
        """Return whether the rows that a path leaves out have the same value as those it reads."""
        nodes = [self._root]
        for step in path.steps:
            nodes = _reached_nodes(nodes, step.of_all())
        values = {node.value for node in nodes if node.value is not None}
        return values <= set(self.read(path).values)

    def _matches(self, path: SourcePath) -> _Reached:
        assert isinstance(path, FieldPath)  # the paths of rules for this source are
        found = self._found.get(path.text)
        if found is None:
            found = self._found[path.text] = self._walk(path)
        return found

    def _walk(self, path: FieldPath) -> _Reached:
        """Walk a path; what it shares with others up to a wildcard is walked once."""
        reached: _Reached = [()], [_Match(self._root)]
        done = 0
        ends = (number for number, step in enumerate(path.steps, 1) if step.is_many)
        for prefix, end in zip(path.prefixes, ends, strict=True):
            if prefix not in self._reached:
                self._reached[prefix] = _further(reached, path.steps[done:end], self._chosen)
            reached, done = self._reached[prefix], end
        return _further(reached, path.steps[done:], self._chosen)


def _further(reached: _Reached, steps: Sequence[FieldStep], chosen: ChosenRows) -> _Reached:
    bindings, matches = reached
    for step in steps:
        if not step.is_many:
            matches = [match for before in matches for _, match in _follow(before, step, chosen)]
            continue
        further = [
            (binding + ordinal, match)
            for binding, before in zip(bindings, matches, strict=True)
            for ordinal, match in _follow(before, step, chosen)
        ]
        if len(further) > MAX_VALUES:
            raise too_many_values()
        bindings = [binding for binding, _ in further]
        matches = [match for _, match in further]
    return bindings, matches


def _reached_nodes(nodes: Sequence[FieldNode], step: FieldStep) -> list[FieldNode]:
    followed = (match.node for node in nodes for _, match in _follow(_Match(node), step, {}))
    return [node for node in followed if node is not None]


def _presence(node: FieldNode | None) -> str | None:
    """Return the value of a node; of one that has none but holds others, its key."""
    if node is None or not node.is_filled:
        return None
    return node.key if node.value is None else node.value


def _follow(
    before: _Match, step: FieldStep, chosen: ChosenRows
) -> Iterator[tuple[Binding, _Match]]:
    node, looked_at = before
    if step.selection is not None:
        yield from _selected(before, step, step.selection, chosen)
        return
    assert step.name is not None  # a step without name has a selection
    child = node.child(step.name, is_attribute=step.is_attribute) if node else None
    yield (), _Match(child, looked_at) if child else _NOWHERE


def _selected(
    before: _Match, step: FieldStep, selection: Selection, chosen: ChosenRows
) -> Iterator[tuple[Binding, _Match]]:
    """Yield what a selection chooses, each with what it adds to the binding."""
    node, looked_at = before
    nodes: Sequence[FieldNode] = node.among(step.name) if node else ()
    if chosen:
        nodes = chosen.get((id(node), step.name), nodes)
    if selection.conditions:
        nodes = [each for each in nodes if _holds(each, selection.conditions)]
    if not isinstance(selection.index, int):
        for ordinal, each in enumerate(nodes):
            yield (ordinal,), _Match(each, (*looked_at, *_looked_at(each, selection.conditions)))
    elif -len(nodes) <= selection.index < len(nodes):
        each = nodes[selection.index]
        yield (), _Match(each, (*looked_at, *_looked_at(each, selection.conditions)))
    else:
        yield (), _NOWHERE


def _holds(node: FieldNode, conditions: tuple[FieldCondition, ...]) -> bool:
    for condition in conditions:
        child = node.child(condition.name, is_attribute=condition.is_attribute)
        if not condition.comparison.holds(child.value if child else None):
            return False
    return True


def _looked_at(node: FieldNode, conditions: tuple[FieldCondition, ...]) -> Iterator[FieldNode]:
    for condition in conditions:
        child = node.child(condition.name, is_attribute=condition.is_attribute)
        if child is not None and child.value is not None:
            yield child
