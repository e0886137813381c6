"""Parse XML documents with expat in two passes, first for the names, then for the fields.

Whether a name is written ``{uri}local`` depends on siblings that come later. So the first pass
finds the parents with one local name in two namespaces (and refuses invalid documents), and the
second pass writes final keys at once. No tree is built: memory holds the result only.

Guards: any DOCTYPE is refused when it starts, so there are no entities to multiply. Namespace URIs
are short, because expat repeats them in each name. A tag with a flood of attributes is refused
before expat indexes them.

Order: the text of an element is at the start of the element, after its attributes and before the
keys of its children, even if a part of it comes later. Source: fields-and-mapping.md 2.3.
"""

import re
from collections.abc import Callable
from xml.parsers import expat

from longshore.formats.document import ParsedDocument
from longshore.formats.flatmap import MAX_DEPTH, MAX_FIELDS, FlatMap
from longshore.formats.keys import escape_name, in_namespace, numbered
from longshore.formats.refusals import (
    LimitExceededError,
    UnparseableDocumentError,
    refuse_unknown_views,
    utf8_of,
)
from longshore.formats.xmltree import TreeWriter

MAX_NAMESPACE_CHARS = 1_024
"""Characters of a namespace URI."""

_BEFORE_LOCAL_NAME = "\x1f"  # no XML document can hold it, so expanded names split without doubt
_NIL = f"http://www.w3.org/2001/XMLSchema-instance{_BEFORE_LOCAL_NAME}nil"
_XML_SPACE = " \t\r\n"
_TAG_WITH_MANY_ATTRIBUTES = re.compile(
    rf"<(?![!?/])(?=[^<]{{{5 * MAX_FIELDS}}})"  # an attribute takes five characters or more
    r"""(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+"""
)


def parse(document: str, *, views: frozenset[str] = frozenset()) -> ParsedDocument:
    """Return the texts and attributes of an XML document as fields, in document order.

    An element with ``xsi:nil="true"`` is listed in ``null_fields`` and that attribute is no field.
    The view ``tree`` nests the elements (``longshore.formats.xmltree``). The encoding declaration
    means nothing: the document is text already.

    Raises:
        LongshoreError: ``document_empty``, or ``invalid_parameter`` for an unknown view.
        UnparseableDocumentError: ``xml_syntax`` or ``xml_doctype``.
        LimitExceededError: ``depth``, ``fields``, ``nodes``, ``namespace_chars`` or
            ``output_bytes``.
    """
    refuse_unknown_views(views, "xml")
    encoded = utf8_of(document, surrogate_code="xml_syntax")
    for tag in _TAG_WITH_MANY_ATTRIBUTES.finditer(document):
        if tag[0].count("=") > MAX_FIELDS:
            raise LimitExceededError("fields", MAX_FIELDS, "a tag has too many attributes")
    fields = FlatMap(len(encoded))
    scout = _Scout(fields)
    _run(document, encoded, scout.start, scout.end)
    tree = TreeWriter(fields.charge) if "tree" in views else None
    reader = _Reader(fields, scout.ambiguous_names, tree)
    _run(document, encoded, reader.start, reader.end, reader.text)
    return fields.parsed("xml", tree=tree.json() if tree else None)


def _run(
    document: str,
    encoded: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None] | None = None,
) -> None:
    # Without the dictionary of names (None) expat's names live no longer than their elements.
    parser = expat.ParserCreate("utf-8", _BEFORE_LOCAL_NAME, None)
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartNamespaceDeclHandler = _refuse_long_namespace

    def refuse_doctype(*_declaration: object) -> None:
        offset = document.rfind("<!DOCTYPE", 0, _characters(encoded, parser.CurrentByteIndex) + 1)
        raise UnparseableDocumentError(
            "xml_doctype", "DOCTYPE is not accepted; remove it", document, offset
        )

    parser.StartDoctypeDeclHandler = refuse_doctype
    try:
        parser.Parse(encoded, True)  # noqa: FBT003 - "final"; expat takes no keywords
    except expat.ExpatError as error:
        fault = f"the XML is not well-formed: {expat.ErrorString(error.code)}"
        offset = _characters(encoded, parser.ErrorByteIndex)
        raise UnparseableDocumentError("xml_syntax", fault, document, offset) from error
    finally:
        # This handler knows the parser: as a circle both would hold the document until the garbage
        # collector comes by, and large documents would add up.
        parser.StartDoctypeDeclHandler = None


def _characters(encoded: bytes, byte_index: int) -> int:
    return len(encoded[:byte_index].decode(errors="ignore"))


def _refuse_long_namespace(_prefix: str | None, uri: str | None) -> None:
    if uri is not None and len(uri) > MAX_NAMESPACE_CHARS:
        raise LimitExceededError(
            "namespace_chars", MAX_NAMESPACE_CHARS, "a namespace URI is too long"
        )


class _Scout:
    """Checks depth and count of elements and finds names that need their namespace."""

    def __init__(self, fields: FlatMap) -> None:
        self.ambiguous_names: dict[int, set[str]] = {}
        """By number of the parent (elements count from 1 in document order), the local names that
        its children have in more than one namespace."""
        self._fields = fields
        self._element_count = 0
        self._open: list[tuple[int, dict[str, str]]] = []

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        if len(self._open) == MAX_DEPTH:
            raise LimitExceededError("depth", MAX_DEPTH, "elements are nested too deep")
        self._fields.count_node()
        if self._open:
            parent, expanded_names = self._open[-1]
            local_name = name.rpartition(_BEFORE_LOCAL_NAME)[2]
            if expanded_names.setdefault(local_name, name) != name:
                self.ambiguous_names.setdefault(parent, set()).add(local_name)
        self._element_count += 1
        self._open.append((self._element_count, {}))

    def end(self, _name: str) -> None:
        self._open.pop()


class _Element:
    """An open element: its position among elements and fields, its children so far, its text."""

    __slots__ = ("child_counts", "number", "place", "texts")

    def __init__(self, number: int) -> None:
        self.number = number
        self.child_counts: dict[str, int] = {}
        self.place: int | None = None  # of the text among the fields, reserved when a child comes
        self.texts: list[str] = []


class _Reader:
    """Writes the fields. ``_steps`` holds one piece of the key for each open element.

    Keys are joined at values only: a prefix stored for each level would let 64 tags hold 64 copies
    of a name as long as the document.
    """

    def __init__(
        self, fields: FlatMap, ambiguous_names: dict[int, set[str]], tree: TreeWriter | None
    ) -> None:
        self._fields = fields
        self._ambiguous_names = ambiguous_names
        self._tree = tree
        self._element_count = 0
        self._open: list[_Element] = []
        self._steps: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        step = self._step(name)
        if self._open and self._open[-1].place is None:
            self._open[-1].place = self._fields.reserve()
        self._steps.append(f".{step}" if self._open else step)
        self._element_count += 1
        self._open.append(_Element(self._element_count))
        is_nil = attributes.get(_NIL, "").strip(_XML_SPACE) in {"true", "1"}
        if is_nil:
            del attributes[_NIL]
            self._fields.add_null("".join(self._steps))
        written = {_expanded(key): value for key, value in attributes.items()}
        for attribute, value in written.items():
            self._fields.add(f"{''.join(self._steps)}.@{attribute}", value)
        if self._tree:
            self._tree.start(step, written, is_nil=is_nil)

    def text(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def end(self, _name: str) -> None:
        element = self._open.pop()
        text = "".join(element.texts)
        if element.place is not None:
            text = text.strip(_XML_SPACE)
            if text:
                self._fields.fill(element.place, "".join(self._steps), text)
        elif text:
            self._fields.add("".join(self._steps), text)
        self._steps.pop()
        if self._tree:
            self._tree.end(text)

    def _step(self, name: str) -> str:
        local_name = name.rpartition(_BEFORE_LOCAL_NAME)[2]
        if not self._open:
            return escape_name(local_name)
        parent = self._open[-1]
        occurrence = parent.child_counts.get(name, 0) + 1
        parent.child_counts[name] = occurrence
        is_ambiguous = local_name in self._ambiguous_names.get(parent.number, ())
        return numbered(_expanded(name) if is_ambiguous else escape_name(local_name), occurrence)


def _expanded(name: str) -> str:
    uri, _, local_name = name.rpartition(_BEFORE_LOCAL_NAME)
    return in_namespace(uri, local_name)
