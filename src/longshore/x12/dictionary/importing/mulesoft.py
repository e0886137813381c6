"""Read schemas of MuleSoft (ESL, which is YAML): structures, segments, composites and elements.

An overlay of another schema is refused. Members that are not taken over, and imported files, are
reported as warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from longshore.x12.dictionary.importing.lined_values import LinedObject
from longshore.x12.dictionary.importing.schema import (
    ELEMENT,
    ENVELOPE,
    LOOP_ID,
    ImportedElement,
    ImportedSchema,
    ImportedSegment,
    ImportedUse,
    ImportSource,
    position,
    shown,
    title_of,
)
from longshore.x12.dictionary.importing.schema_reader import SchemaReader
from longshore.x12.dictionary.importing.yaml_text import read_yaml
from longshore.x12.dictionary.model import Definition, Node
from longshore.x12.dictionary.records import COMPOSITE_ID, SEGMENT_ID

_FORMS: Final = ("X12", "HIPAA")
_USAGE = re.compile("[MOCU]")
_GROUP = re.compile("[A-Z]{2}")
_KIND = re.compile("AN|ID|N[0-9]|R|DT|TM|B")
_QUIET: Final = frozenset(("name", "position", "varTag"))
_PARTS: Final = ("heading", "detail", "summary")


def read_mulesoft(source: ImportSource) -> ImportedSchema:
    """Return the schema of a file.

    Raises:
        DictionaryError: The file cannot be read; it says all reasons.
    """
    return _Reader(source).read(LinedObject(source, read_yaml(source)))


class _Reader(SchemaReader):
    def read(self, whole: LinedObject) -> ImportedSchema:
        if whole.text("form", "") not in _FORMS:
            raise self.source.fault(whole.line, "the schema is not of form X12 or HIPAA")
        parts = ("structures", "segments", "composites", "elements")
        self._leave_others(whole, ("form", "version", *parts))
        version = whole.text("version", "")
        for each in whole.objects("elements"):
            with self.faults.gathered():
                self.schema.elements.append(self._element(each))
        for each in whole.objects("composites"):
            with self.faults.gathered():
                self.schema.composites.append(self._uses(each, COMPOSITE_ID))
        for each in whole.objects("segments"):
            with self.faults.gathered():
                if each.text("id") not in ENVELOPE:
                    self.schema.segments.append(self._uses(each, SEGMENT_ID))
        for each in whole.objects("structures"):
            with self.faults.gathered():
                self.schema.sets.append(self._set(each, version))
        missing = "the schema has no structure"
        self.require(whole.line, missing, is_there="structures" in whole.members)
        return self.finished()

    def _leave_others(self, of: LinedObject, known: Iterable[str]) -> None:
        for name, value in of.members.items():
            if name not in known and name not in _QUIET:
                self.warn(value.line, f"the member {shown(name)} is not taken over")

    def _set(self, of: LinedObject, version: str) -> Definition:
        self._refuse_overlay(of, "idRef")
        self._leave_others(of, ("id", "class", *_PARTS))
        tx_set = self.source.set_of(of.line, of.text("id"))
        group = of.text("class", "")
        return Definition(
            tx_set=tx_set,
            release=self.source.release_of(of.line, version),
            functional_id=group if _GROUP.fullmatch(group) else self.source.group_of(tx_set),
            title=title_of(of.text("name", ""), tx_set),
            body=tuple(node for part in _PARTS for node in self._body(of.objects(part), 1)),
        )

    def _refuse_overlay(self, of: LinedObject, member: str) -> None:
        if member in of.members:
            reason = f"{member} changes another schema: an overlay cannot be imported"
            raise self.source.fault(of.line, reason)

    def _body(self, parts: Iterable[LinedObject], depth: int) -> Iterator[Node]:
        for of in parts:
            with self.faults.gathered():
                self.take_position(of.line, depth)
                yield from self._node(of, depth)

    def _node(self, of: LinedObject, depth: int) -> Iterator[Node]:
        self._refuse_overlay(of, "groupIdRef")
        usage = self._usage(of)
        if usage == "U":
            self.warn(of.line, "a position with usage U is left out")
            return
        maximum = self._count(of)
        if "groupId" in of.members:
            self._leave_others(of, ("groupId", "usage", "count", "items"))
            body = list(self._body(of.objects("items"), depth + 1))
            requirement = "M" if usage == "M" else "O"
            loop_id = self.source.name(of.line, of.text("groupId"), LOOP_ID)
            yield self.loop(of.line, loop_id, body, requirement=requirement, maximum=maximum)
            return
        self._leave_others(of, ("idRef", "usage", "count"))
        name = self.source.name(of.line, of.text("idRef"), SEGMENT_ID)
        if name not in ENVELOPE:
            yield position(name, is_mandatory=usage == "M", maximum=maximum)

    def _uses(self, of: LinedObject, form: re.Pattern[str]) -> ImportedSegment:
        self._leave_others(of, ("id", "values"))
        name = self.source.name(of.line, of.text("id"), form)
        return ImportedSegment(name, tuple(map(self._use, of.objects("values"))))

    def _use(self, of: LinedObject) -> ImportedUse:
        self._leave_others(of, ("idRef", "usage", "count"))
        reference = self._number(of, "idRef")
        return ImportedUse(reference, self._usage(of) == "M", self._count(of))

    def _element(self, of: LinedObject) -> ImportedElement:
        self._leave_others(of, ("id", "type", "minLength", "maxLength"))
        kind = self.source.name(of.line, of.text("type"), _KIND)
        minimum = self.source.number(of.line, of.text("minLength"))
        maximum = self.source.number(of.line, of.text("maxLength"))
        return ImportedElement(self._number(of, "id"), kind, minimum, maximum)

    def _number(self, of: LinedObject, name: str) -> str:
        return self.source.name(of.line, of.text(name).lstrip("0"), ELEMENT)

    def _usage(self, of: LinedObject) -> str:
        return self.source.name(of.line, of.text("usage", "O"), _USAGE)

    def _count(self, of: LinedObject) -> int:
        """Return how often it may occur; 0 without limit (``>1``)."""
        text = of.text("count", "1")
        return 0 if text.startswith(">") else self.source.number(of.line, text)
