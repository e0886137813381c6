"""A body while an overlay edits it, at a cost in proportion to the edits, not to the body.

The nodes of a body are linked to their neighbours and found by name. A loop is taken apart at the
first edit inside it, and put together once, at the end.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Protocol

from longshore.x12.dictionary.candidates import clash
from longshore.x12.dictionary.lines import FileLine
from longshore.x12.dictionary.model import Loop, Node
from longshore.x12.dictionary.paths import Path, PathStep

_ORDINAL: Final = re.compile("[0-9]+")

Splits = Mapping[str, set[str]]
"""Labels of the variants that earlier edits made, by the name they were split under."""


class NodeChange(Protocol):
    """Makes of a node what stands in its place.

    Args:
        is_trigger: It begins a loop.
    """

    def __call__(self, node: Node, *, is_trigger: bool) -> tuple[Node, ...]:
        """Return the nodes that replace ``node``."""
        ...


class EditedNode:
    """A node between its neighbours."""

    __slots__ = ("before", "behind", "inner", "node")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.before: EditedNode | None = None
        self.behind: EditedNode | None = None
        self.inner: EditedBody | None = None
        """The body of a loop once an edit went into it."""

    def whole(self) -> Node:
        """Return the node with all that was changed in it."""
        if self.inner is None:
            return self.node
        assert isinstance(self.node, Loop)  # nothing else has a body
        return replace(self.node, body=self.inner.nodes())

    def entered(self, line: FileLine, step: PathStep) -> EditedBody:
        """Return the body of the loop.

        Raises:
            DictionaryError: it is no loop.
        """
        if not isinstance(self.node, Loop):
            raise line.fault(f"{step} is no loop")
        if self.inner is None:
            self.inner = EditedBody(self.node.body)
        return self.inner


class EditedBody:
    """A body whose nodes are found by name and replaced."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.first: EditedNode | None = None
        """The first cell; in a loop, its trigger."""
        self._named: dict[str, dict[EditedNode, None]] = {}  # by segment id, and by label
        self._loops: dict[str, dict[EditedNode, None]] = {}  # by loop id
        self._ordered: dict[str, list[EditedNode]] = {}  # by name, until nodes come or go
        self._insert(None, nodes, None)

    def nodes(self) -> tuple[Node, ...]:
        """Return the body as it is now."""
        return tuple(cell.whole() for cell in self._cells())

    def found(self, line: FileLine, step: PathStep, splits: Splits) -> EditedNode:
        """Return the node that a step names.

        Raises:
            DictionaryError: none, or more than one.
        """
        named = self._named.get(step.name) or self._loops.get(step.name) or {}
        found: Collection[EditedNode] = named
        if _ORDINAL.fullmatch(step.variant):
            at = int(step.variant)
            found = self._in_order(step.name, named)[at - 1 : at]
        elif step.variant:
            is_split = step.variant in splits.get(step.name, ())
            labelled = self._named.get(step.variant, {})
            found = [each for each in labelled if is_split or each in named]
        if not found:
            raise line.fault(f"{step} names nothing here")
        if len(found) > 1:
            count = len(found)
            raise line.fault(f"{step} stands here {count} times: name one by label or as [2]")
        return next(iter(found))

    def put(self, line: FileLine, cell: EditedNode, new: tuple[Node, ...]) -> None:
        """Replace a node.

        Raises:
            DictionaryError: A label would occur twice, or neighbours could not be distinguished.
        """
        if [each.label for each in new] == [cell.node.label]:
            cell.inner = _inner(cell, new[0])
            cell.node = new[0]
            return
        if new:
            self._check(line, cell, new)
        self._unindex(cell)
        for one in self._insert(cell.before, new, cell.behind):
            one.inner = _inner(cell, one.node)

    def _check(self, line: FileLine, cell: EditedNode, new: tuple[Node, ...]) -> None:
        """Refuse nodes that cannot replace a cell.

        Raises:
            DictionaryError: A label would occur twice, or neighbours could not be distinguished.
        """
        labels = [node.label for node in new if node.label]
        taken = [each for label in labels for each in self._named.get(label, ()) if each != cell]
        if taken or len(set(labels)) < len(labels):
            raise line.fault("a label would stand twice in one body")
        before = (cell.before.node,) if cell.before is not None else ()
        behind = (cell.behind.node,) if cell.behind is not None else ()
        for earlier, later in pairwise((*before, *new, *behind)):
            if _tag(earlier) == _tag(later) and (reason := clash(earlier.when, later.when)):
                raise line.fault(f"two {_tag(later)} side by side: {reason}")

    # ---- the chain of cells, and its indexes ----------------------------------------------------

    def _insert(
        self, before: EditedNode | None, nodes: Sequence[Node], behind: EditedNode | None
    ) -> list[EditedNode]:
        """Make cells of nodes, and replace everything between two cells by them."""
        cells = [EditedNode(node) for node in nodes]
        for one, next_one in pairwise((before, *cells, behind)):
            if one is None:
                self.first = next_one
            else:
                one.behind = next_one
            if next_one is not None:
                next_one.before = one
        for cell in cells:
            for is_loop, name in _names(cell.node):
                (self._loops if is_loop else self._named).setdefault(name, {})[cell] = None
        self._ordered.clear()
        return cells

    def _unindex(self, cell: EditedNode) -> None:
        for is_loop, name in _names(cell.node):
            del (self._loops if is_loop else self._named)[name][cell]

    def _cells(self) -> Iterator[EditedNode]:
        cell = self.first
        while cell is not None:
            yield cell
            cell = cell.behind

    def _in_order(self, name: str, named: Collection[EditedNode]) -> list[EditedNode]:
        """Return cells of one name in the order of the body."""
        if name not in self._ordered:
            self._ordered[name] = [cell for cell in self._cells() if cell in named]
        return self._ordered[name]


def edit(
    body: EditedBody,
    line: FileLine,
    path: Path,
    splits: Splits,
    change: NodeChange,
    *,
    is_whole: bool,
) -> None:
    """Change the node at a path; the path of an element that ends in a loop means its trigger.

    Args:
        body: The body that the path begins in.
        line: The line of the edit, for faults.
        path: The path.
        splits: The variants that positions were split into.
        change: Returns the nodes that replace the node.
        is_whole: The change needs the body of a loop.

    Raises:
        DictionaryError: The path matches no node or several; the new node cannot be distinguished
            from its neighbours; or ``change`` raises it.
    """
    outermost = body
    for step in path.steps[:-1]:
        body = body.found(line, step, splits).entered(line, step)
    last = path.steps[-1]
    cell = body.found(line, last, splits)
    if path.position is not None and isinstance(cell.node, Loop):
        body = cell.entered(line, last)
        assert body.first is not None  # a loop has a trigger
        cell = body.first
    is_trigger = body is not outermost and cell is body.first
    node = cell.whole() if is_whole else cell.node
    body.put(line, cell, change(node, is_trigger=is_trigger))


def _inner(old: EditedNode, new: Node) -> EditedBody | None:
    """Return the body of an old cell if it still belongs to a new node."""
    is_same = isinstance(new, Loop) and isinstance(old.node, Loop) and new.body is old.node.body
    return old.inner if is_same else None


def _names(node: Node) -> Iterator[tuple[bool, str]]:
    """Yield what steps name a node by, and whether that is the id of a loop."""
    yield (True, node.id) if isinstance(node, Loop) else (False, node.segment.id)
    if node.label:
        yield False, node.label


def _tag(node: Node) -> str:
    return node.trigger.segment.id if isinstance(node, Loop) else node.segment.id
