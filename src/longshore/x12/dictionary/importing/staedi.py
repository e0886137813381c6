"""Read schemas of StAEDI (EDISchema version 2 to 4): types, and the sequence of a transaction.

Everything else (an interchange, an implementation, included files) is reported as a warning.
"""

from __future__ import annotations

import re
from typing import Final

from longshore.x12.dictionary.importing.schema import (
    ELEMENT,
    ENVELOPE,
    LOOP_ID,
    RELEASE,
    SET_ID,
    ImportedElement,
    ImportedSchema,
    ImportedSegment,
    ImportedUse,
    ImportSource,
    code_list,
    position,
    shown,
    title_of,
)
from longshore.x12.dictionary.importing.xml_elements import XmlElement, XmlReader, read_xml
from longshore.x12.dictionary.model import Definition, Node, RelationalNote
from longshore.x12.dictionary.records import COMPOSITE_ID, SEGMENT_ID

_NAMESPACE = re.compile("http://xlate.io/EDISchema/v[234]")
_KINDS: Final = {
    "string": "AN",
    "identifier": "ID",
    "decimal": "R",
    "date": "DT",
    "time": "TM",
    "binary": "B",
    "numeric": "N",
}
_NOTES: Final = {"paired": "P", "required": "R", "exclusion": "E", "conditional": "C", "list": "L"}
_SCALE = re.compile("[0-9]")
_WITHOUT_LIMIT: Final = 99_999  # as most schemas write it


def read_staedi(source: ImportSource) -> ImportedSchema:
    """Return the schema of a file.

    Raises:
        DictionaryError: The file cannot be read; it says all reasons.
    """
    root = read_xml(source)
    if root.name != "schema" or not _NAMESPACE.fullmatch(root.namespace):
        raise source.fault(root.line, "the file is no schema of StAEDI, version 2 to 4")
    return _Reader(source, root).read()


class _Reader(XmlReader):
    def __init__(self, source: ImportSource, root: XmlElement) -> None:
        super().__init__(source)
        self._root = root
        self._numbers: dict[str, str] = {}  # of elements, by the names of their types

    def read(self) -> ImportedSchema:
        for element in self._root.named("elementType"):
            with self.faults.gathered():
                self.schema.elements.append(self._element(element))
        for child in self._root.children:
            with self.faults.gathered():
                self._take(child)
        missing = "the schema has no transaction"
        has_one = any(self._root.named("transaction"))
        self.require(self._root.line, missing, is_there=has_one)
        return self.finished()

    def _take(self, child: XmlElement) -> None:
        match child.name:
            case "elementType":
                pass  # read before
            case "compositeType":
                self.schema.composites.append(self._segment(child, COMPOSITE_ID))
            case "segmentType":
                if child.attributes.get("name") not in ENVELOPE:
                    self.schema.segments.append(self._segment(child, SEGMENT_ID))
            case "transaction":
                self.schema.sets.append(self._set(child))
            case _:
                self.leave(child)

    def _element(self, of: XmlElement) -> ImportedElement:
        name = self.attribute(of, "name")
        number = of.attributes.get("code", of.attributes.get("number", "")) or name
        number = re.sub("^[A-Z]*0*", "", number)
        self._numbers[name] = self.source.name(of.line, number, ELEMENT)
        base = of.attributes.get("base", "string")
        if base not in _KINDS:
            raise self.source.fault(of.line, f"{shown(name)} has the unknown base {shown(base)}")
        kind = _KINDS[base]
        if base == "numeric":
            kind += self.source.name(of.line, of.attributes.get("scale", "0"), _SCALE)
        codes = [
            self.source.code(value.line, value.text.strip())
            for each in of.named("enumeration")
            for value in each.named("value")
        ]
        for child in of.children:
            if child.name not in {"enumeration", "description"}:
                self.leave(child)
        minimum, maximum = self.count(of, "minLength", 1), self.count(of, "maxLength", 1)
        return ImportedElement(number, kind, minimum, maximum, code_list(codes))

    def _segment(self, of: XmlElement, form: re.Pattern[str]) -> ImportedSegment:
        uses: list[ImportedUse] = []
        notes = []
        for child in of.children:
            if child.name == "sequence":
                uses = [self._use(each) for each in child.children]
            elif child.name == "syntax" and child.attributes.get("type") in _NOTES:
                positions = [
                    self.source.number(each.line, each.text.strip())
                    for each in child.named("position")
                ]
                notes.append(RelationalNote(_NOTES[child.attributes["type"]], tuple(positions)))
            elif child.name != "description":
                self.leave(child)
        name = self.source.name(of.line, self.attribute(of, "name"), form)
        return ImportedSegment(name, tuple(uses), tuple(notes))

    def _use(self, of: XmlElement) -> ImportedUse:
        name = self.attribute(of, "type")
        if of.name == "composite":
            reference = name
        elif of.name == "element":
            reference = self._numbers.get(name) or re.sub("^[A-Z]*0*", "", name)
        else:
            raise self.source.fault(of.line, f"<{shown(of.name)}> cannot be imported")
        self.source.name(of.line, reference, ELEMENT)
        is_mandatory = self.count(of, "minOccurs", 0) > 0
        return ImportedUse(reference, is_mandatory, self.count(of, "maxOccurs", 1))

    def _set(self, of: XmlElement) -> Definition:
        source = self.source
        if not SET_ID.fullmatch(source.tx_set) or not RELEASE.fullmatch(source.release):
            raise source.fault(of.line, "a schema does not name its set: use --set and --release")
        for child in of.children:
            if child.name not in {"sequence", "description"}:
                self.leave(child)
        body = tuple(node for each in of.named("sequence") for node in self._body(each, 1))
        return Definition(
            tx_set=source.tx_set,
            release=source.release,
            functional_id=source.group_of(source.tx_set),
            title=title_of("", source.tx_set),
            body=body,
        )

    def _body(self, of: XmlElement, depth: int) -> list[Node]:
        nodes: list[Node] = []
        for child in of.children:
            self.take_position(child.line, depth)
            is_mandatory = self.count(child, "minOccurs", 0) > 0
            maximum = self.count(child, "maxOccurs", 1)
            maximum = 0 if maximum >= _WITHOUT_LIMIT else maximum
            if child.name == "segment":
                name = self.source.name(child.line, self.attribute(child, "type"), SEGMENT_ID)
                if name not in ENVELOPE:
                    nodes.append(position(name, is_mandatory=is_mandatory, maximum=maximum))
            elif child.name == "loop":
                body = [
                    node for each in child.named("sequence") for node in self._body(each, depth + 1)
                ]
                code = self.source.name(child.line, self.attribute(child, "code"), LOOP_ID)
                requirement = "M" if is_mandatory else "O"
                loop = self.loop(child.line, code, body, requirement=requirement, maximum=maximum)
                nodes.append(loop)
            elif child.name != "description":
                self.leave(child)
        return nodes
