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
    ImportedNode,
    ImportedSchema,
    ImportedSegment,
    ImportedSet,
    ImportedUse,
    ImportSource,
    PositionLimit,
    shown,
)
from longshore.x12.dictionary.importing.xml_elements import XmlElement, read_xml
from longshore.x12.dictionary.lines import FileFault, FileFaults
from longshore.x12.dictionary.model import RelationalNote
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


class _Reader:
    def __init__(self, source: ImportSource, root: XmlElement) -> None:
        self._source = source
        self._root = root
        self._schema = ImportedSchema()
        self._faults = FileFaults()
        self._limit = PositionLimit(source)
        self._numbers: dict[str, str] = {}  # of elements, by the names of their types

    def read(self) -> ImportedSchema:
        for element in self._root.named("elementType"):
            with self._faults.gathered():
                self._schema.elements.append(self._element(element))
        for child in self._root.children:
            with self._faults.gathered():
                self._take(child)
        if not self._schema.sets:
            self._faults.take(self._source.fault(self._root.line, "the schema has no transaction"))
        self._faults.check()
        return self._schema

    def _take(self, child: XmlElement) -> None:
        match child.name:
            case "elementType":
                pass  # read before
            case "compositeType":
                self._schema.composites.append(self._segment(child, COMPOSITE_ID))
            case "segmentType":
                if child.attributes.get("name") not in ENVELOPE:
                    self._schema.segments.append(self._segment(child, SEGMENT_ID))
            case "transaction":
                self._schema.sets.append(self._set(child))
            case _:
                self._leave(child)

    def _leave(self, child: XmlElement) -> None:
        reason = f"<{shown(child.name)}> is not taken over"
        self._schema.warnings.append(FileFault(self._source.file, child.line, reason))

    def _element(self, of: XmlElement) -> ImportedElement:
        name = self._attribute(of, "name")
        number = of.attributes.get("code", of.attributes.get("number", "")) or name
        number = re.sub("^[A-Z]*0*", "", number)
        self._numbers[name] = self._source.name(of.line, number, ELEMENT)
        base = of.attributes.get("base", "string")
        if base not in _KINDS:
            raise self._source.fault(of.line, f"{shown(name)} has the unknown base {shown(base)}")
        kind = _KINDS[base]
        if base == "numeric":
            kind += self._source.name(of.line, of.attributes.get("scale", "0"), _SCALE)
        codes = [
            self._source.code(value.line, value.text.strip())
            for each in of.named("enumeration")
            for value in each.named("value")
        ]
        for child in of.children:
            if child.name not in {"enumeration", "description"}:
                self._leave(child)
        minimum, maximum = self._count(of, "minLength", 1), self._count(of, "maxLength", 1)
        return ImportedElement(number, kind, minimum, maximum, tuple(codes))

    def _segment(self, of: XmlElement, form: re.Pattern[str]) -> ImportedSegment:
        uses: list[ImportedUse] = []
        notes = []
        for child in of.children:
            if child.name == "sequence":
                uses = [self._use(each) for each in child.children]
            elif child.name == "syntax" and child.attributes.get("type") in _NOTES:
                positions = [
                    self._source.number(each.line, each.text.strip())
                    for each in child.named("position")
                ]
                notes.append(RelationalNote(_NOTES[child.attributes["type"]], tuple(positions)))
            elif child.name != "description":
                self._leave(child)
        name = self._source.name(of.line, self._attribute(of, "name"), form)
        return ImportedSegment(name, tuple(uses), tuple(notes))

    def _use(self, of: XmlElement) -> ImportedUse:
        name = self._attribute(of, "type")
        if of.name == "composite":
            reference = name
        elif of.name == "element":
            reference = self._numbers.get(name) or re.sub("^[A-Z]*0*", "", name)
        else:
            raise self._source.fault(of.line, f"<{shown(of.name)}> cannot be imported")
        self._source.name(of.line, reference, ELEMENT)
        is_mandatory = self._count(of, "minOccurs", 0) > 0
        return ImportedUse(reference, is_mandatory, self._count(of, "maxOccurs", 1))

    def _set(self, of: XmlElement) -> ImportedSet:
        source = self._source
        if not SET_ID.fullmatch(source.tx_set) or not RELEASE.fullmatch(source.release):
            raise source.fault(of.line, "a schema does not name its set: use --set and --release")
        for child in of.children:
            if child.name not in {"sequence", "description"}:
                self._leave(child)
        body = tuple(node for each in of.named("sequence") for node in self._body(each, 1))
        group = source.group_of(source.tx_set)
        return ImportedSet(source.tx_set, group, source.release, f"Set {source.tx_set}", body)

    def _body(self, of: XmlElement, depth: int) -> list[ImportedNode]:
        nodes = []
        for child in of.children:
            self._limit.take(child.line, depth)
            is_mandatory = self._count(child, "minOccurs", 0) > 0
            maximum = self._count(child, "maxOccurs", 1)
            maximum = 0 if maximum >= _WITHOUT_LIMIT else maximum
            if child.name == "segment":
                name = self._source.name(child.line, self._attribute(child, "type"), SEGMENT_ID)
                if name not in ENVELOPE:
                    nodes.append(ImportedNode(name, is_mandatory, maximum))
            elif child.name == "loop":
                body = [
                    node for each in child.named("sequence") for node in self._body(each, depth + 1)
                ]
                if not body or body[0].body:
                    raise self._source.fault(child.line, "a loop must begin with a segment")
                trigger = ImportedNode(body[0].id, is_mandatory=True, maximum=1)
                inner = (trigger, *body[1:])
                code = self._source.name(child.line, self._attribute(child, "code"), LOOP_ID)
                nodes.append(ImportedNode(code, is_mandatory, maximum, inner))
            elif child.name != "description":
                self._leave(child)
        return nodes

    def _attribute(self, of: XmlElement, name: str) -> str:
        value = of.attributes.get(name, "").strip()
        if not value:
            raise self._source.fault(of.line, f"<{shown(of.name)}> has no {name}")
        return value

    def _count(self, of: XmlElement, name: str, default: int) -> int:
        return self._source.number(of.line, of.attributes.get(name, str(default)))
