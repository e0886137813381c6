"""XML documents as trees of nodes.

Source: fields-and-mapping.md section 2.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final
from xml.parsers import expat

from longshore.formats import xmldoc
from longshore.formats.keys import escape_name, in_namespace, numbered
from longshore.mapping.trees import TreeLeaf

_BEFORE_LOCAL_NAME: Final = "\x1f"  # no XML document can hold it
_NIL: Final = f"http://www.w3.org/2001/XMLSchema-instance{_BEFORE_LOCAL_NAME}nil"
_SPACE: Final = " \t\r\n"


class XmlNode:
    """An element.

    The document itself is a node without name, whose one child is the root element.
    """

    row_count = 0  # elements of one name are reached by a selection

    def __init__(self, parent: XmlNode | None = None, name: str = "") -> None:
        uri, _, local = name.rpartition(_BEFORE_LOCAL_NAME)
        self.local = escape_name(local)
        self.expanded = in_namespace(uri, local)
        """Its name as keys write it, without and with its URI."""
        self.value: str | None = None
        self.span: tuple[int, int] | None = None
        self.children: list[XmlNode] = []
        self.attributes: dict[str, TreeLeaf] = {}
        self._parent = parent

    @property
    def key(self) -> str:
        """Its canonical key."""
        steps: list[str] = []
        node = self
        while (parent := node._parent) is not None:
            steps.append(parent.steps[id(node)])
            node = parent
        return ".".join(reversed(steps))

    @property
    def prefix(self) -> str:
        """The beginning of the keys of its attributes."""
        return f"{self.key}.@"

    @property
    def is_filled(self) -> bool:
        """True if it has text that is not empty, elements or attributes."""
        return bool(self.value or self.children or self.attributes)

    @cached_property
    def steps(self) -> dict[int, str]:
        """The names of the children in keys, by their identity."""
        expanded: dict[str, set[str]] = {}
        for each in self.children:
            expanded.setdefault(each.local, set()).add(each.expanded)
        counts: dict[str, int] = {}
        steps: dict[int, str] = {}
        for each in self.children:
            counts[each.expanded] = count = counts.get(each.expanded, 0) + 1
            name = each.expanded if len(expanded[each.local]) > 1 else each.local
            steps[id(each)] = numbered(name, count)
        return steps

    @cached_property
    def _by_name(self) -> dict[str, list[XmlNode]]:
        found: dict[str, list[XmlNode]] = {}
        for each in self.children:
            found.setdefault(each.expanded, []).append(each)
        # A bare name is that of the elements without a namespace; where there are none, of all.
        bare = {each.local for each in self.children} - found.keys()
        for each in self.children:
            if each.local in bare:
                found.setdefault(each.local, []).append(each)
        return found

    def among(self, name: str | None) -> Sequence[XmlNode]:
        """Return the children of a name as keys write it, else in any namespace."""
        return self._by_name.get(name or "", ())

    def child(self, name: str, *, is_attribute: bool) -> XmlNode | TreeLeaf | None:
        """Return the first child of a name, or an attribute."""
        if is_attribute:
            return self.attributes.get(name)
        return next(iter(self.among(name)), None)


def xml_root(document: str) -> XmlNode:
    """Return an XML document as a tree.

    Raises:
        LongshoreError: as ``xmldoc.parse``.
    """
    xmldoc.parse(document)
    return _Builder(document).root


class _Builder:
    """Builds the tree."""

    def __init__(self, document: str) -> None:
        self.root = XmlNode()
        """The document."""
        self._open = [self.root]
        self._texts: list[list[str]] = [[]]
        self._starts: list[int | None] = [None]  # of the text of the open elements, in bytes
        self._encoded = document.encode()
        self._known = (0, 0)  # a byte, and the character it belongs to
        self._parser = parser = expat.ParserCreate("utf-8", _BEFORE_LOCAL_NAME, None)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(self._encoded, True)  # noqa: FBT003 - "final"; expat takes no keywords
        # The handlers know the parser: as a circle both would wait for the garbage collector.
        del self._parser

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        parent = self._open[-1]
        node = XmlNode(parent, name)
        parent.children.append(node)
        if attributes.get(_NIL, "").strip(_SPACE) in {"true", "1"}:
            del attributes[_NIL]
        for attribute, value in attributes.items():
            uri, _, local = attribute.rpartition(_BEFORE_LOCAL_NAME)
            written = in_namespace(uri, local)
            node.attributes[written] = TreeLeaf(node, written, value)
        self._open.append(node)
        self._texts.append([])
        self._starts.append(None)

    def _text(self, text: str) -> None:
        self._texts[-1].append(text)
        if self._starts[-1] is None:
            self._starts[-1] = self._parser.CurrentByteIndex

    def _end(self, _name: str) -> None:
        node, start = self._open.pop(), self._starts.pop()
        text = "".join(self._texts.pop())
        if node.children:
            text = text.strip(_SPACE)
        if not text:
            return
        node.value = text
        assert start is not None  # it has text
        raw = self._encoded[start : self._parser.CurrentByteIndex]
        if b"<" not in raw:  # else it is in pieces
            first = self._character(start)
            node.span = first, first + len(raw.decode())

    def _character(self, byte_index: int) -> int:
        """Return the character at a byte.

        Texts in one piece hold no elements, so they come in ascending order.
        """
        known, characters = self._known
        characters += len(self._encoded[known:byte_index].decode())
        self._known = (byte_index, characters)
        return characters
