"""JSON and CSV documents as trees of nodes.

Each document is parsed by its format first, so it is refused in the same cases, and the tree is
built from text that is valid. Keys are made on demand: stored, the names around a value would be in
memory once for each value.

Source: fields-and-mapping.md sections 2.2 and 2.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from json import loads
from typing import Protocol

from longshore.formats import csvdoc, jsondoc
from longshore.formats.keys import escape_name
from longshore.mapping.writes import JsonLiteral

_TOKEN = re.compile(
    r'(?P<text>"(?:[^"\\]++|\\.)*+")|(?P<mark>[\[\]{},:])|(?P<literal>[^\[\]{},:"\s\ufeff]++)'
)


class JsonNode:
    """A value, object or array; null has no value."""

    __slots__ = ("items", "members", "parent", "span", "step", "value")

    def __init__(self, parent: JsonNode | None = None, step: str = "") -> None:
        self.parent = parent
        self.step = step
        """Its name as keys write it, or its number in brackets."""
        self.value: str | None = None
        self.span: tuple[int, int] | None = None
        self.members: dict[str, JsonNode] = {}
        self.items: list[JsonNode] | None = None  # of an array

    @property
    def key(self) -> str:
        """Its canonical key."""
        steps: list[str] = []
        node = self
        while node.parent is not None:
            is_inner = node.parent.parent is not None
            steps.append(f".{node.step}" if is_inner and node.parent.items is None else node.step)
            node = node.parent
        return "".join(reversed(steps))

    @property
    def is_filled(self) -> bool:
        """True if it is a value that is not empty, or holds others."""
        return bool(self.value or self.members or self.items)

    @property
    def row_count(self) -> int:
        """The number of items of an array, else 0."""
        return len(self.items or ())

    def among(self, name: str | None) -> Sequence[JsonNode]:
        """Return the items of an array: this one, or that of a member."""
        if name is None and self.parent is None and self.items is None:
            name = ""  # {"": ["x"]} has the key [0]
        node = self if name is None else self.members.get(name)
        return (node and node.items) or ()

    def child(self, name: str, *, is_attribute: bool) -> JsonNode | None:
        """Return a member; JSON has no attributes."""
        return None if is_attribute else self.members.get(name)

    def leaves(self) -> Iterator[JsonNode]:
        """Yield what holds nothing else, in document order: values, null, ``{}`` and ``[]``."""
        inner = [*self.members.values(), *(self.items or ())]
        for node in inner:
            yield from node.leaves()
        if not inner:
            yield self

    def add(self, name: str) -> JsonNode:
        """Append an item, or a member of this name, and return it."""
        if self.items is not None:
            node = JsonNode(self, f"[{len(self.items)}]")
            self.items.append(node)
            return node
        step = escape_name(name)
        node = self.members[step] = JsonNode(self, step)
        return node


def json_root(document: str) -> JsonNode:
    """Return a JSON document as a tree.

    Raises:
        LongshoreError: as ``jsondoc.parse``.
    """
    jsondoc.parse(document)
    root = JsonNode()
    open_nodes: list[JsonNode] = []
    name: str | None = None
    for token in _TOKEN.finditer(document):
        text, kind = token[0], token.lastgroup
        if kind == "mark" and text in "]},:":
            if text in "]}":
                open_nodes.pop()
            continue
        parent = open_nodes[-1] if open_nodes else None
        if parent is not None and parent.items is None and name is None:
            name = _text(text)
            continue
        node = root if parent is None else parent.add(name or "")
        name = None
        if kind == "mark":
            node.items = [] if text == "[" else None
            open_nodes.append(node)
        elif kind == "text":
            node.value, node.span = _text(text), (token.start() + 1, token.end() - 1)
        elif text != "null":
            node.value, node.span = JsonLiteral(text), token.span()
    return root


def _text(token: str) -> str:
    text: str = loads(token) if "\\" in token else token[1:-1]
    return text


class TreeLeaf:
    """A value without inner nodes: a cell, an attribute.

    Args:
        prefix: The beginning of its key.
        owner: Its row or element.
    """

    __slots__ = ("_name", "_owner", "value")
    span = None
    row_count = 0

    def __init__(self, owner: Owner, name: str, value: str) -> None:
        self._owner = owner
        self._name = name
        self.value = value

    @property
    def key(self) -> str:
        """Its canonical key."""
        return self._owner.prefix + self._name

    @property
    def is_filled(self) -> bool:
        """True if its value is not empty."""
        return self.value != ""

    def among(self, _name: str | None) -> Sequence[TreeLeaf]:
        """Return nothing."""
        return ()

    def child(self, _name: str, *, is_attribute: bool) -> TreeLeaf | None:  # noqa: ARG002 - of a Node
        """Return nothing."""
        return None


class Owner(Protocol):
    """Protocol of a node that has leaves."""

    @property
    def prefix(self) -> str:
        """The beginning of the keys of its leaves."""


class CsvRow:
    """A row; its cells by column, as keys write it. Empty cells are not there."""

    __slots__ = ("_cells", "prefix")
    span = None
    row_count = 0
    value = None

    def __init__(self, number: int, cells: dict[str, str]) -> None:
        self.prefix = "" if number == 1 else f"row[{number}]/"
        self._cells = {name: TreeLeaf(self, name, cell) for name, cell in cells.items() if cell}

    @property
    def key(self) -> str:
        """The beginning of the keys of its cells."""
        return self.prefix

    @property
    def is_filled(self) -> bool:
        """True if any cell is not empty."""
        return bool(self._cells)

    def among(self, _name: str | None) -> Sequence[CsvRow]:
        """Return nothing: there are no rows in a row."""
        return ()

    def child(self, name: str, *, is_attribute: bool) -> TreeLeaf | None:
        """Return a cell; CSV has no attributes."""
        return None if is_attribute else self._cells.get(name)


class CsvRoot:
    """A CSV document: its rows."""

    key = ""
    span = None
    value = None
    is_filled = True
    row_count = 0  # its rows are reached by a selection

    def __init__(self, document: str, *, header: bool = True) -> None:
        """Read a CSV document.

        Args:
            document: The text.
            header: The first record names the columns.

        Raises:
            LongshoreError: As ``csvdoc.parse``.
        """
        tree = csvdoc.parse(document, views=frozenset({"tree"}), header=header).views["tree"]
        self._rows = [CsvRow(number, cells) for number, cells in enumerate(loads(tree), 1)]

    def among(self, _name: str | None) -> Sequence[CsvRow]:
        """Return the rows."""
        return self._rows

    def child(self, _name: str, *, is_attribute: bool) -> TreeLeaf | None:  # noqa: ARG002 - of a Node
        """Return nothing: a path into CSV begins with a row."""
        return None
