"""A JSON, XML or CSV document as a tree to show to people.

A node is ``{"path", "code", "name", "type", "kind", "value", "required", "count", "qualifier",
"children"}``; ``x12_tree`` makes the trees of X12. ``count`` is the number of siblings of the same
kind and code, including the node itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from json import loads
from typing import Final

from longshore.formats.document import json_text
from longshore.formats.keys import escape_name

MAX_NODES: Final = 20_000

_COUNT_DIGITS: Final = 8  # what a node may still grow by once its siblings are counted
_NUMBER: Final = re.compile(r"(?<!\\)\[[0-9]+\]\Z")


class Literal(str):
    """A number of a JSON document, as it was written."""

    __slots__ = ()


@dataclass(slots=True, kw_only=True)
class TreeLine:
    """One line of the tree."""

    path: str
    """The key of its value in the fields of parse; of what has none, the beginning of the keys
    below it."""
    code: str
    """Its name in the document."""
    kind: str
    name: str = ""
    """Its name for people, ``""`` if there is none."""
    type: str | None = None
    """The type of its value."""
    value: str | None = None
    """None where it has none of its own."""
    required: bool = False
    count: int = 1
    qualifier: str | None = None
    """The meaning of a code."""
    children: list[TreeLine] = field(default_factory=list)


class Tree:
    """Nodes in document order, at most 20,000 of them and ``most_bytes`` of JSON."""

    def __init__(self, most_bytes: int) -> None:
        self.roots: list[TreeLine] = []
        self.node_count = 0
        """The nodes that are listed."""
        self.is_truncated = False
        """One did not fit; it is left out, and all that comes after it."""
        self._room = most_bytes

    def add(self, siblings: list[TreeLine], node: TreeLine) -> TreeLine:
        """Put a node at the end of its siblings, if there is room; return it."""
        if not self.is_truncated:
            self._room -= len(json_text(asdict(node))) + _COUNT_DIGITS
            self.is_truncated = self._room < 0 or self.node_count == MAX_NODES
        if not self.is_truncated:
            self.node_count += 1
            siblings.append(node)
        return node

    def json(self) -> bytes:
        """Return the nodes as a JSON array."""
        _count(self.roots)
        return json_text([asdict(node) for node in self.roots])


def json_tree(text: str, tree: Tree) -> None:
    """Add the contents of a JSON document, whose ``text`` is valid."""
    value = loads(text, parse_int=Literal, parse_float=Literal)
    _add_json(tree, tree.roots, ("", "", "item"), value)


def _add_json(
    tree: Tree, siblings: list[TreeLine], place: tuple[str, str, str], value: object
) -> None:
    """Add a JSON value, and the values in it.

    Args:
        tree: The tree that is built.
        siblings: The lines that the line of the value is added to.
        place: The path of the value, its code, and its kind if it has no inner structure.
        value: The value as ``json`` reads it.
    """
    if tree.is_truncated:
        return
    path, code, kind = place
    node = TreeLine(path=path, code=code, kind=kind, type=_json_type(value))
    if isinstance(value, dict):
        node.kind = "object"
        tree.add(siblings, node)
        for name, member in value.items():
            step = escape_name(name)
            inner = f"{path}.{step}" if path else step
            _add_json(tree, node.children, (inner, name, "member"), member)
    elif isinstance(value, list):
        node.kind = "array"
        tree.add(siblings, node)
        for index, item in enumerate(value):
            step = f"[{index}]"
            _add_json(tree, node.children, (path + step, step, "item"), item)
    else:
        if value is not None:
            node.value = str(value).lower() if isinstance(value, bool) else str(value)
        tree.add(siblings, node)


def _json_type(value: object) -> str:
    for kind, name in _JSON_TYPES:
        if isinstance(value, kind):
            return name
    return "null"


_JSON_TYPES: Final = (
    (dict, "object"),
    (list, "array"),
    (bool, "boolean"),
    (Literal, "number"),
    (str, "string"),
)


def xml_tree(text: str, tree: Tree) -> None:
    """Add the elements of the tree view of an XML document (``formats.xmltree``)."""
    _add_xml(tree, tree.roots, "", loads(text))


def _add_xml(
    tree: Tree, siblings: list[TreeLine], above: str, element: Mapping[str, object]
) -> None:
    if tree.is_truncated:
        return
    step, attributes, inner = element["step"], element.get("attributes"), element.get("nodes")
    assert isinstance(step, str)
    path = f"{above}.{step}" if above else step
    text = element.get("text")
    node = TreeLine(
        path=path,
        code=_NUMBER.sub("", step),
        kind="element",
        type="null" if element.get("null") else "string" if isinstance(text, str) else None,
        value=text if isinstance(text, str) else None,
    )
    tree.add(siblings, node)
    if isinstance(attributes, dict):
        for name, value in attributes.items():
            attribute = TreeLine(path=f"{path}.@{name}", code=f"@{name}", kind="attribute")
            attribute.type, attribute.value = "string", value
            tree.add(node.children, attribute)
    if isinstance(inner, list):
        for child in inner:
            _add_xml(tree, node.children, path, child)


def csv_tree(text: str, tree: Tree) -> None:
    """Add the rows of the tree view of a CSV document, and their cells."""
    for number, cells in enumerate(loads(text), 1):
        if tree.is_truncated:
            return
        row = TreeLine(path=f"row[{number}]", code="row", kind="row")
        tree.add(tree.roots, row)
        prefix = "" if number == 1 else f"{row.path}/"
        for column, value in cells.items():
            cell = TreeLine(
                path=prefix + column, code=column, kind="cell", type="string", value=value
            )
            tree.add(row.children, cell)


def _count(siblings: list[TreeLine]) -> None:
    """Set the counts of all nodes from these on."""
    waiting = [siblings]
    while waiting:
        nodes = waiting.pop()
        counts = Counter((node.kind, node.code) for node in nodes)
        for node in nodes:
            node.count = counts[node.kind, node.code]
            waiting.append(node.children)
