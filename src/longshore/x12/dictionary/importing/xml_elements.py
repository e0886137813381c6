"""Read XML of a schema into elements with lines; a DOCTYPE is refused, so there are no entities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from longshore.x12.dictionary.importing.schema import ImportSource, shown
from longshore.x12.dictionary.importing.schema_reader import SchemaReader
from longshore.x12.dictionary.lines import MAX_DEPTH

MAX_ELEMENTS: Final = 1_000_000
MAX_TEXT_CHARS: Final = 65_536
"""Characters of the text of one element, which may be a description."""
_BETWEEN: Final = "\x1f"


@dataclass(slots=True)
class XmlElement:
    """An element: its name without namespace, attributes, text and children."""

    namespace: str
    name: str
    line: int
    attributes: dict[str, str]
    children: list[XmlElement] = field(default_factory=list)
    text: str = ""

    def named(self, name: str) -> Iterator[XmlElement]:
        """Yield the children with a name."""
        return (each for each in self.children if each.name == name)


def read_xml(source: ImportSource) -> XmlElement:
    """Return the root of a document.

    Raises:
        DictionaryError: It is no XML, has a DOCTYPE, is too deep or too long.
    """
    source.check_size()
    builder = _Builder(source)
    try:
        builder.parser.Parse(source.text.encode(errors="replace"), True)  # noqa: FBT003 - "final"
    except expat.ExpatError as error:
        reason = f"the XML is not well-formed: {expat.ErrorString(error.code)}"
        raise source.fault(error.lineno, reason) from error
    finally:
        builder.release()
    return builder.root


class _Builder:
    def __init__(self, source: ImportSource) -> None:
        self._source = source
        self._count = 0
        self.root = XmlElement("", "", 0, {})
        self._open = [self.root]
        self.parser = expat.ParserCreate("utf-8", _BETWEEN)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype

    def release(self) -> None:
        """Forget the parser, which knows this object."""
        self.root = next(iter(self.root.children), self.root)
        del self.parser

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(_BETWEEN)
        line = self.parser.CurrentLineNumber
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise self._source.fault(line, f"the file has more than {MAX_ELEMENTS} elements")
        if len(self._open) > 2 * MAX_DEPTH:
            raise self._source.fault(
                line, f"elements are nested deeper than {2 * MAX_DEPTH} levels"
            )
        element = XmlElement(namespace, local, line, attributes)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if text.isspace():
            return  # between elements
        element = self._open[-1]
        element.text += text
        if len(element.text) > MAX_TEXT_CHARS:
            reason = f"a text has more than {MAX_TEXT_CHARS} characters"
            raise self._source.fault(element.line, reason)

    def _refuse_doctype(self, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise self._source.fault(line, "DOCTYPE is not accepted; remove it")


class XmlReader(SchemaReader):
    """Reads a schema that is XML."""

    def leave(self, of: XmlElement) -> None:
        """Report an element that is not taken over."""
        self.warn(of.line, f"<{shown(of.name)}> is not taken over")

    def attribute(self, of: XmlElement, name: str) -> str:
        """Return an attribute that has to be there.

        Raises:
            DictionaryError: It is absent or empty.
        """
        value = of.attributes.get(name, "").strip()
        if not value:
            raise self.source.fault(of.line, f"<{shown(of.name)}> has no {name}")
        return value

    def count(self, of: XmlElement, name: str, default: int) -> int:
        """Return an attribute that is a number.

        Raises:
            DictionaryError: It is none.
        """
        return self.source.number(of.line, of.attributes.get(name, str(default)))
