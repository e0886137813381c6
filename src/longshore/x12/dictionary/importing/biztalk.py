"""Read XML schemas of BizTalk for X12: a root element with segments and loops, and their fields.

The schemas do not number elements. A field has the element that the dictionary has at its position;
where it has none, a number of its own from 90001. Relational conditions are taken over. Other
particles and attributes of XML schemas are reported as warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from longshore.x12.dictionary.importing.schema import (
    ENVELOPE,
    LOOP_ID,
    ImportedElement,
    ImportedSchema,
    ImportedSegment,
    ImportedUse,
    ImportSource,
    code_list,
    position,
    title_of,
)
from longshore.x12.dictionary.importing.xml_elements import XmlElement, XmlReader, read_xml
from longshore.x12.dictionary.model import (
    CompositeType,
    Definition,
    ElementType,
    ElementUse,
    Node,
    RelationalNote,
)
from longshore.x12.dictionary.records import COMPOSITE_ID, SEGMENT_ID

_XSD: Final = "http://www.w3.org/2001/XMLSchema"
_ROOT = re.compile("X12_([0-9]{5})_([0-9]{3})(?:_.*)?")
_LOOP = re.compile("([A-Z][A-Z0-9]{1,2})Loop[0-9]*")
_FIELD = re.compile("[A-Z0-9]+?([0-9]{2})(?:_.*)?")
_KIND = re.compile("X12_(AN|ID|N[0-9]|R|DT|TM|B)(?:_.*)?")
_RULE: Final = "X12ConditionDesignatorX_"
_NOTES: Final = {"Pai": "P", "Req": "R", "Exc": "E", "Con": "C", "Lis": "L"}
_FIRST_NUMBER: Final = 90_001
_MAX_BASES: Final = 8


def read_biztalk(source: ImportSource) -> ImportedSchema:
    """Return the schema of a file.

    Raises:
        DictionaryError: The file cannot be read; it says all reasons.
    """
    root = read_xml(source)
    if root.name != "schema" or root.namespace != _XSD:
        raise source.fault(root.line, "the file is no XML schema")
    return _Reader(source, root).read()


class _Reader(XmlReader):
    def __init__(self, source: ImportSource, root: XmlElement) -> None:
        super().__init__(source)
        self._root = root
        self._named = {(each.name, each.attributes.get("name", "")): each for each in root.children}
        self._release = ""
        self._contents: dict[int, tuple[XmlElement, ...]] = {}  # by the identity of the element
        self._own_numbers = 0
        self._segments: dict[str, ImportedSegment] = {}
        self._composites: dict[str, ImportedSegment] = {}
        self._elements: dict[str, ImportedElement] = {}

    def read(self) -> ImportedSchema:
        with self.faults.gathered():
            self.schema.sets.append(self._set())
        self.schema.segments += self._segments.values()
        self.schema.composites += self._composites.values()
        self.schema.elements += self._elements.values()
        return self.finished()

    def _set(self) -> Definition:
        source = self.source
        tops = list(self._root.named("element"))
        found = [each for each in tops if _ROOT.fullmatch(each.attributes.get("name", ""))]
        if not found:
            raise source.fault(self._root.line, "the schema has no element such as X12_00401_850")
        match = _ROOT.fullmatch(found[0].attributes["name"])
        assert match is not None  # it was chosen for that
        tx_set = source.set_of(found[0].line, match[2])
        self._release = source.release_of(found[0].line, f"{match[1]}0")
        return Definition(
            tx_set=tx_set,
            release=self._release,
            functional_id=source.group_of(tx_set),
            title=title_of("", tx_set),
            body=tuple(self._body(found[0], 1)),
        )

    # ---- particles ------------------------------------------------------------------------------

    def _body(self, of: XmlElement, depth: int) -> Iterator[Node]:
        for particle in self._particles(of):
            with self.faults.gathered():
                yield from self._node(particle, depth)

    def _node(self, particle: XmlElement, depth: int) -> Iterator[Node]:
        self.take_position(particle.line, depth)
        of = self._resolved(particle)
        is_mandatory = self.count(particle, "minOccurs", 1) > 0
        maximum = self._maximum(particle)
        tag = self._segment_id(of)
        if not tag:
            name = self.attribute(of, "name")
            found = _LOOP.fullmatch(name)
            loop_id = self.source.name(of.line, found[1] if found else name.upper(), LOOP_ID)
            body, requirement = list(self._body(of, depth + 1)), "M" if is_mandatory else "O"
            yield self.loop(of.line, loop_id, body, requirement=requirement, maximum=maximum)
        elif tag not in ENVELOPE:
            self._add_segment(tag, of)
            yield position(tag, is_mandatory=is_mandatory, maximum=maximum)

    def _particles(self, of: XmlElement) -> tuple[XmlElement, ...]:
        """Return the elements in the content of an element, in their order."""
        if id(of) not in self._contents:
            self._contents[id(of)] = tuple(self._content(of))
        return self._contents[id(of)]

    def _content(self, of: XmlElement) -> Iterator[XmlElement]:
        named = self._named.get(("complexType", _local(of.attributes.get("type", ""))))
        for content in (*of.named("complexType"), *(() if named is None else (named,))):
            for each in content.children:
                yield from self._elements_in(each)

    def _elements_in(self, of: XmlElement) -> Iterator[XmlElement]:
        if of.name == "element":
            yield of
        elif of.name == "sequence":
            for each in of.children:
                yield from self._elements_in(each)
        elif of.name != "annotation":
            self.leave(of)

    def _resolved(self, of: XmlElement) -> XmlElement:
        name = _local(of.attributes.get("ref", ""))
        found = self._named.get(("element", name)) if name else of
        if found is None:
            raise self.source.fault(of.line, f"there is no element {name}")
        return found

    def _is_record(self, of: XmlElement) -> bool:
        return any(self._particles(of))

    def _segment_id(self, of: XmlElement) -> str:
        """Return the id of a segment; ``""`` of a loop, which has no fields."""
        name = self.attribute(of, "name").split("_")[0]
        parts = [self._resolved(each) for each in self._particles(of)]
        has_fields = any(not self._is_record(each) for each in parts)
        has_composites = any(_composite_id(each) for each in parts)
        if not has_fields and not has_composites:
            return ""
        return self.source.name(of.line, name, SEGMENT_ID)

    def _maximum(self, of: XmlElement) -> int:
        is_unbounded = of.attributes.get("maxOccurs") == "unbounded"
        return 0 if is_unbounded else self.count(of, "maxOccurs", 1)

    # ---- segments and fields --------------------------------------------------------------------

    def _add_segment(self, tag: str, of: XmlElement) -> None:
        known = self.source.known.vocabulary.segment(tag, self._release)
        uses = self._uses(of, tag, () if known is None else known.uses)
        found = ImportedSegment(tag, uses, tuple(self._notes(of)))
        if self._segments.setdefault(tag, found) != found:
            self.warn(of.line, f"{tag} differs from its first description, which counts")

    def _uses(
        self, of: XmlElement, owner: str, known: tuple[ElementUse, ...]
    ) -> tuple[ImportedUse, ...]:
        uses: list[ImportedUse] = []
        for particle in self._particles(of):
            field = self._resolved(particle)
            found = _FIELD.fullmatch(self.attribute(field, "name"))
            place = int(found[1]) if found and not _composite_id(field) else len(uses) + 1
            while len(uses) + 1 < place:  # the schema leaves positions out
                uses.append(self._left_out(field, owner, len(uses), known))
            use = known[place - 1] if place <= len(known) else None
            reference = self._reference(field, f"{owner}{place:02d}", use)
            is_mandatory = self.count(particle, "minOccurs", 1) > 0
            uses.append(ImportedUse(reference, is_mandatory, self._maximum(particle)))
        return tuple(uses)

    def _left_out(
        self, field: XmlElement, owner: str, at: int, known: tuple[ElementUse, ...]
    ) -> ImportedUse:
        if at >= len(known):
            raise self.source.fault(field.line, f"{owner}{at + 1:02d} is not described")
        return ImportedUse(known[at].reference, is_mandatory=False, repeat=known[at].repeat)

    def _reference(self, of: XmlElement, place: str, use: ElementUse | None) -> str:
        """Return the element or composite of a field, and add what the schema says of it."""
        if self._is_record(of):
            composite = use.type if use is not None else None
            inner = composite.uses if isinstance(composite, CompositeType) else ()
            name = composite.id if isinstance(composite, CompositeType) else _composite_id(of)
            self.source.name(of.line, name, COMPOSITE_ID)
            if COMPOSITE_ID.match(place):
                raise self.source.fault(of.line, f"{name} is a composite in a composite")
            uses = self._uses(of, name, inner)
            self._composites.setdefault(name, ImportedSegment(name, uses, tuple(self._notes(of))))
            return name
        of_use = use.type if use is not None else None
        known = of_use if isinstance(of_use, ElementType) else None
        number = known.number if known is not None else self._own_number(of, place)
        self._add_element(of, number, known)
        return number

    def _own_number(self, of: XmlElement, place: str) -> str:
        number = str(_FIRST_NUMBER + self._own_numbers)
        self._own_numbers += 1
        self.warn(of.line, f"the dictionary has no element for {place}: it becomes {number}")
        return number

    def _add_element(self, of: XmlElement, number: str, known: ElementType | None) -> None:
        kind = ""
        facets: dict[str, XmlElement] = {}
        codes: list[str] = []
        for restriction in self._restrictions(of):
            base = _KIND.fullmatch(_local(restriction.attributes.get("base", "")))
            kind = kind or (base[1] if base else "")
            for facet in restriction.children:
                if facet.name == "enumeration":
                    codes.append(self.source.code(facet.line, self.attribute(facet, "value")))
                else:
                    facets.setdefault(facet.name, facet)
        lengths = (1, 80) if known is None else (known.minimum, known.maximum)
        found = ImportedElement(
            number,
            kind or ("AN" if known is None else known.kind),
            self._length(facets, "minLength", lengths[0]),
            self._length(facets, "maxLength", lengths[1]),
            code_list(codes),
        )
        if self._elements.setdefault(number, found) != found:
            self.warn(of.line, f"element {number} differs from its first use, which counts")

    def _length(self, facets: dict[str, XmlElement], name: str, default: int) -> int:
        facet = facets.get(name, facets.get("length"))
        return default if facet is None else self.count(facet, "value", default)

    def _restrictions(self, of: XmlElement) -> Iterator[XmlElement]:
        """Yield the restrictions of a field, the narrowest first."""
        name = _local(of.attributes.get("type", ""))
        inline = next(of.named("simpleType"), None)
        for _ in range(_MAX_BASES):
            simple = inline or self._named.get(("simpleType", name))
            inline = None
            restriction = None if simple is None else next(simple.named("restriction"), None)
            if restriction is None:
                return
            yield restriction
            name = _local(restriction.attributes.get("base", ""))

    def _notes(self, of: XmlElement) -> Iterator[RelationalNote]:
        for annotation in of.named("annotation"):
            for info in annotation.named("appinfo"):
                for rule in info.named("Rule"):
                    yield from self._note(rule)

    def _note(self, rule: XmlElement) -> Iterator[RelationalNote]:
        kind = _NOTES.get(rule.attributes.get("subjects", "").removeprefix(_RULE)[:3])
        found = [_FIELD.fullmatch(self.attribute(each, "name")) for each in rule.named("Subject")]
        if kind is None or None in found:
            self.leave(rule)
        else:
            yield RelationalNote(kind, tuple(int(each[1]) for each in found if each is not None))


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _composite_id(of: XmlElement) -> str:
    """Return the id of a composite by the name of its element; ``""`` if it is none."""
    found = COMPOSITE_ID.search(of.attributes.get("name", ""))
    return found[0] if found is not None else ""
