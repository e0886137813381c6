"""Build JSON output: nested objects and arrays, written as compact text.

Theory. Nearly every value is the only one at its position, so it is written there directly, into
the container its rule wrote to before: one look-up by binding, one assignment. Only where a second
value may come, or ``explain`` is requested, a ``CellValues`` holds the values.

Members are in the order in which they were first written; the gaps of an array are ``{}``, ``[]``
or ``null``, as its other items are objects, arrays or scalars.

Source: fields-and-mapping.md sections 7 (JSON) and 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from json.encoder import encode_basestring as quoted
from typing import Final, NamedTuple

from longshore.formats.keys import escape_name
from longshore.mapping.cells import (
    MAX_OUTPUT_BYTES,
    Built,
    CellPart,
    CellValues,
    Written,
    add_part,
    join_parts,
    parts_of_rule,
    plain_rules,
)
from longshore.mapping.output import OutputSize, checked_text
from longshore.mapping.target_paths import ALL, Index, JsonTarget
from longshore.mapping.target_refusals import index_too_far
from longshore.mapping.writes import Binding, JsonLiteral, RuleWrites

MAX_BEYOND: Final = 1_000  # of an index in ``tgt``, the end of its array


class _Container(dict[str | int, "_Container | CellValues | str"]):
    """An object: its members by name."""


class _Array(_Container):
    """An array: its items by index.

    Args:
        length: One more than the highest.
    """

    length = 0


_Tree = dict[str | Index, "_Tree | str"]
_Node = _Container | CellValues | str
_Steps = tuple[str | Index, ...]


def build_json(rules: Sequence[RuleWrites], *, is_traced: bool = False) -> Built:
    """Return what rules write as a JSON text.

    Args:
        rules: What the rules write.
        is_traced: List the origins that the rules carry.

    Raises:
        LongshoreError: conversion_failed (duplicate_target, character_not_allowed) or
            limit_exceeded (array_index, output_bytes).
    """
    document = _Document(rules, is_traced=is_traced)
    for writes in rules:
        document.add(writes)
    text = checked_text(_Texts().of(document.root), rules)
    return Built(text, (), tuple(_trace(document.root, "")) if is_traced else ())


class Skeleton(NamedTuple):
    """A JSON text that lacks nothing but its values."""

    text: str
    """With ``%s`` for each of them."""
    order: tuple[int, ...]
    """For each value, the index of its position."""


def skeleton_of(places: Iterable[_Steps]) -> Skeleton:
    """Return the text that values at these names have, if none of them is missing."""
    root: _Tree = {}
    for number, steps in enumerate(places):
        _opened(root, steps[:-1])[steps[-1]] = f"\0{number}\0"  # quoted, no name has this character
    pieces = _straight_text(root).replace("%", "%%").split("\0")
    return Skeleton("%s".join(pieces[::2]), tuple(map(int, pieces[1::2])))


def build_straight(written: Sequence[tuple[_Steps, str]], skeleton: Skeleton) -> str | None:
    """Return values at different names as a JSON text.

    Args:
        written: The values and their names.
        skeleton: The skeleton of these names and of those without a value.

    Returns:
        None where ``build_json`` refuses the output: it is too long or has no UTF-8 form.
    """
    texts = [value if isinstance(value, JsonLiteral) else quoted(value) for _, value in written]
    if sum(map(len, texts)) > MAX_OUTPUT_BYTES:
        return None
    if len(texts) == len(skeleton.order):
        text = skeleton.text % tuple([texts[place] for place in skeleton.order])
    else:
        root: _Tree = {}
        for (steps, _), value in zip(written, texts, strict=True):
            _opened(root, steps[:-1])[steps[-1]] = value
        text = _straight_text(root)
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError:
        return None
    return text if size <= MAX_OUTPUT_BYTES else None


def _opened(tree: _Tree, steps: _Steps) -> _Tree:
    """Return the object at a path; missing objects around it are made."""
    for step in steps:
        inner = tree.setdefault(step, {})
        assert isinstance(inner, dict)  # no target is a scalar and a parent
        tree = inner
    return tree


def _straight_text(tree: _Tree) -> str:
    members = [
        f"{quoted(name)}:{node if isinstance(node, str) else _straight_text(node)}"  # type: ignore[arg-type]  # a name
        for name, node in tree.items()
    ]
    return f"{{{','.join(members)}}}"


class _Document:
    """The containers of a document."""

    def __init__(self, rules: Sequence[RuleWrites], *, is_traced: bool) -> None:
        self._plain = plain_rules(rules, is_traced=is_traced)
        first = rules[0].target if rules else JsonTarget(("",))
        assert isinstance(first, JsonTarget)  # the rules were read for a JSON target
        self.root = _empty(first.steps[0])
        """The outermost."""
        # The containers at a path, by the ordinals of its wildcards.
        self._known: dict[_Steps, dict[Binding, _Container]] = {(): {(): self.root}}

    def add(self, writes: RuleWrites) -> None:
        """Put what one rule writes where it belongs."""
        target = writes.target
        assert isinstance(target, JsonTarget)  # see above
        parents, last = target.steps[:-1], target.steps[-1]
        if self._is_fast(writes, target) and isinstance(last, str):
            known = self._known.setdefault(parents, {})
            for binding, value in writes.entries:
                container = known.get(binding)
                if container is None:
                    container = self._container(parents, binding, last, writes.rule)
                container[last] = value
        else:
            self._add_cells(writes, parents, last)

    def _is_fast(self, writes: RuleWrites, target: JsonTarget) -> bool:
        """Return whether its values can be written without examining them."""
        entries = writes.entries
        has_own_places = not entries or len(entries[0][0]) == target.wildcards
        return writes.rule in self._plain and has_own_places

    def _add_cells(self, writes: RuleWrites, parents: _Steps, last: str | Index) -> None:
        count = parents.count(ALL)
        for binding, part in parts_of_rule(writes):
            container = self._container(parents, binding[:count], last, writes.rule)
            key = self._key(container, last, binding[count:], writes.rule)
            old = container.get(key)
            assert not isinstance(old, _Container)  # no target is a scalar and a parent
            container[key] = add_part(old, part)

    def _container(
        self, steps: _Steps, binding: Binding, inside: str | Index, rule: int
    ) -> _Container:
        """Return the container at ``steps``; ``inside`` is the step that follows."""
        known = self._known.setdefault(steps, {})
        found = known.get(binding)
        if found is None:
            parents, last = steps[:-1], steps[-1]
            count = parents.count(ALL)
            around = self._container(parents, binding[:count], last, rule)
            found = known[binding] = _empty(inside)
            around[self._key(around, last, binding[count:], rule)] = found
        return found

    @staticmethod
    def _key(container: _Container, step: str | Index, binding: Binding, rule: int) -> str | int:
        if isinstance(step, str):
            return step
        assert isinstance(container, _Array)  # no target has names and indexes at one place
        index = binding[0] if step is ALL else step
        if step is not ALL and index > container.length + MAX_BEYOND:
            raise index_too_far(MAX_BEYOND, rule)
        container.length = max(container.length, index + 1)
        return index


def _empty(inside: str | Index) -> _Container:
    return _Container() if isinstance(inside, str) else _Array()


def _in_order(container: _Container) -> Iterator[tuple[str | int, _Node]]:
    """Yield members as first written, items by index."""
    if isinstance(container, _Array):
        for index in sorted(container, key=int):
            yield index, container[index]
    else:
        yield from container.items()


class _Texts:
    """The texts of containers, as long as they fit into an output."""

    def __init__(self) -> None:
        self._size = OutputSize()

    def of(self, container: _Container) -> str:
        """Return a container and all within it as JSON."""
        if isinstance(container, _Array):
            texts = [self._node(node) for _, node in _in_order(container)]
            return f"[{','.join(self._with_gaps(container, texts))}]"
        members: list[str] = []
        chars = 0
        for name, node in container.items():
            if type(node) is str:  # most are, and this is where an output takes its time
                text = quoted(node)
                chars += len(text)
            else:
                text = self._node(node)
            members.append(f"{quoted(name)}:{text}")  # type: ignore[arg-type]  # a name
        self._size.add(chars)
        return f"{{{','.join(members)}}}"

    def _node(self, node: _Node) -> str:
        if isinstance(node, str):
            return self._value(node)
        return self._cell(node) if isinstance(node, CellValues) else self.of(node)

    def _cell(self, cell: CellValues) -> str:
        texts = [self._value(_joined(group)) for group in cell.groups]
        return f"[{','.join(texts)}]" if cell.is_array else texts[0]

    def _value(self, value: str) -> str:
        text = value if isinstance(value, JsonLiteral) else quoted(value)
        self._size.add(len(text))
        return text

    def _with_gaps(self, array: _Array, texts: list[str]) -> list[str]:
        length = array.length
        if length == len(texts):
            return texts
        kinds = {type(node) for node in array.values()}
        gap = "{}" if _Container in kinds else "[]" if _Array in kinds else "null"
        self._size.add(len(gap) * (length - len(texts)))
        filled = [gap] * length
        for (index, _), text in zip(_in_order(array), texts, strict=True):
            filled[int(index)] = text
        return filled


def _joined(group: list[CellPart]) -> str:
    return group[0].value if len(group) == 1 else join_parts(group)


def _trace(container: _Container, path: str) -> Iterator[Written]:
    for key, node in _in_order(container):
        if isinstance(key, int):
            tgt = f"{path}[{key}]"
        else:
            tgt = f"{path}.{escape_name(key)}" if path else escape_name(key)
        if isinstance(node, _Container):
            yield from _trace(node, tgt)
        else:
            assert isinstance(node, CellValues)  # where somebody asks, cells are made
            for index, group in enumerate(node.groups):
                place = f"{tgt}[{index}]" if node.is_array else tgt
                yield from (part.written_at(place) for part in group)
