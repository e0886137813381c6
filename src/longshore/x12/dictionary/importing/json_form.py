"""Read a set or guide in our own JSON form, which ``whole_export`` writes.

Everything is taken over, with labels. Members that the form does not have are warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from longshore.x12.dictionary.importing.lined_values import LinedObject, read_json
from longshore.x12.dictionary.importing.schema import (
    ELEMENT,
    LOOP_ID,
    ImportedElement,
    ImportedSchema,
    ImportedSegment,
    ImportedUse,
    ImportSource,
    one_line,
    shown,
    title_of,
)
from longshore.x12.dictionary.importing.schema_reader import SchemaReader
from longshore.x12.dictionary.model import (
    CodeBlock,
    CodeList,
    Definition,
    ElementRule,
    Loop,
    Node,
    RelationalNote,
    SegmentType,
    SegmentUse,
    ValueCondition,
)
from longshore.x12.dictionary.records import COMPOSITE_ID, LABEL, SEGMENT_ID

_REQUIREMENT = re.compile("[MORSN]")
_OF_RULE = re.compile("[RSN]")
_KIND = re.compile("AN|ID|N[0-9]|R|DT|TM|B")
_NOTE = re.compile("([PRECL])((?:[0-9]{2}){2,})")
_GUIDE = re.compile("[0-9A-Za-z]{1,12}")
_PLACE = re.compile(r"([0-9]{2})(?:\.([0-9]{2}))?")
_BLOCK = re.compile(r"(?:[0-9A-Z]|\[[0-9A-Z]+\])+")
_BLOCK_PART = re.compile(r"\[([0-9A-Z]+)\]|([0-9A-Z])")
_USES: Final = frozenset(("notes", "elements", "label"))


def read_json_form(source: ImportSource) -> ImportedSchema:
    """Return the schema of a file.

    Raises:
        DictionaryError: The file cannot be read; it says all reasons.
    """
    return _Reader(source).read(LinedObject(source, read_json(source)))


@dataclass(slots=True)
class _OpenLoop:
    """A loop whose positions are being read."""

    head: Loop
    line: int
    body: list[Node] = field(default_factory=list)


class _Reader(SchemaReader):
    def read(self, whole: LinedObject) -> ImportedSchema:
        self.schema.has_names = True
        known = ("set", "release", "guide", "functional_id", "name", "positions")
        parts = ("segments", "composites", "elements", "code_lists")
        self._leave_others(whole, (*known, *parts))
        with self.faults.gathered():
            self.schema.sets.append(self._definition(whole))
        lists = self._code_lists(whole)
        for each in whole.objects("elements"):
            with self.faults.gathered():
                self.schema.elements.append(self._element(each, lists))
        for each in whole.objects("composites"):
            with self.faults.gathered():
                self.schema.composites.append(self._uses(each, "composite", COMPOSITE_ID))
        for each in whole.objects("segments"):
            with self.faults.gathered():
                self.schema.segments.append(self._uses(each, "segment", SEGMENT_ID))
        return self.finished()

    def _leave_others(self, of: LinedObject, known: Iterable[str]) -> None:
        for name, value in of.members.items():
            if name not in known:
                self.warn(value.line, f"the member {shown(name)} is not taken over")

    # ---- positions ------------------------------------------------------------------------------

    def _definition(self, whole: LinedObject) -> Definition:
        source, line = self.source, whole.line
        tx_set = source.set_of(line, whole.text("set", ""))
        guide = whole.text("guide", source.guide)
        named = source.functional_id or whole.text("functional_id", "")
        return Definition(
            tx_set=tx_set,
            release=source.release_of(line, whole.text("release", "")),
            functional_id=named or source.group_of(tx_set),
            title=title_of(whole.text("name", ""), tx_set),
            body=tuple(self._body(whole.objects("positions"))),
            guide=source.name(line, guide, _GUIDE) if guide else None,
        )

    def _body(self, positions: Iterable[LinedObject]) -> list[Node]:
        """Put the positions into the loops of their paths."""
        body: list[Node] = []
        open_loops: list[_OpenLoop] = []
        for position in positions:
            *loops, _ = position.text("path").split("/")
            self.take_position(position.line, len(loops))
            head = position.object("loop")
            self._close(body, open_loops, len(loops) - (head is not None))
            use = self._position(position)
            if head is not None:
                loop = self._loop(head, use)
                open_loops.append(_OpenLoop(loop, position.line))
                use = replace(use, when=None)
            if [each.head.id for each in open_loops] != loops:
                reason = f"{shown(position.text('path'))} is no path of the loops that are open"
                raise self.source.fault(position.line, reason)
            (open_loops[-1].body if open_loops else body).append(use)
        self._close(body, open_loops, 0)
        return body

    def _close(self, body: list[Node], open_loops: list[_OpenLoop], depth: int) -> None:
        """End the loops that are deeper than ``depth``."""
        while len(open_loops) > depth:
            last = open_loops.pop()
            loop = replace(last.head, body=tuple(last.body))
            (open_loops[-1].body if open_loops else body).append(loop)

    def _position(self, of: LinedObject) -> SegmentUse:
        parts = ("path", "segment", "requirement", "max", "label", "when", "loop", "rules")
        self._leave_others(of, parts)
        rules = self._rules(of, "rules")
        return SegmentUse(
            segment=SegmentType(self.source.name(of.line, of.text("segment"), SEGMENT_ID), ()),
            requirement=self.source.name(of.line, of.text("requirement"), _REQUIREMENT),
            maximum=of.number("max"),
            label=self._label(of),
            when=self._when(of),
            rules=rules,
            is_closed="rules" in of.members,
        )

    def _loop(self, head: LinedObject, trigger: SegmentUse) -> Loop:
        self._leave_others(head, ("id", "requirement", "max", "label"))
        return Loop(
            id=self.source.name(head.line, head.text("id"), LOOP_ID),
            requirement=self.source.name(head.line, head.text("requirement"), _REQUIREMENT),
            maximum=head.number("max"),
            body=(trigger,),
            label=self._label(head),
            when=trigger.when,
        )

    def _when(self, of: LinedObject) -> ValueCondition | None:
        when = of.object("when")
        if when is None:
            return None
        place = _PLACE.fullmatch(when.text("element"))
        if place is None:
            raise self.source.fault(when.line, "element must be a position such as 01 or 01.02")
        component = None if place[2] is None else int(place[2])
        return ValueCondition(int(place[1]), component, self._codes(when))

    def _codes(self, of: LinedObject) -> tuple[str, ...]:
        return tuple(self.source.code(of.line, each) for each in of.texts("codes"))

    def _rules(self, of: LinedObject, member: str) -> dict[int, ElementRule]:
        return {each.number("position"): self._rule(each) for each in of.objects(member)}

    def _rule(self, of: LinedObject) -> ElementRule:
        parts = ("position", "requirement", "repeat", "min", "max", "codes", "components")
        self._leave_others(of, parts)
        limits = {name: of.number(name, 0) or None for name in ("repeat", "min", "max")}
        return ElementRule(
            requirement=self.source.name(of.line, of.text("requirement"), _OF_RULE),
            repeat=limits["repeat"],
            minimum=limits["min"],
            maximum=limits["max"],
            codes=self._codes(of) if "codes" in of.members else None,
            components=self._rules(of, "components"),
        )

    # ---- segments, composites, elements, code lists ---------------------------------------------

    def _uses(self, of: LinedObject, kind: str, form: re.Pattern[str]) -> ImportedSegment:
        self._leave_others(of, {kind, *_USES})
        name = self.source.name(of.line, of.text(kind), form)
        uses = tuple(map(self._use, of.objects("elements")))
        notes = tuple(self._note(of.line, each) for each in of.texts("notes"))
        return ImportedSegment(name, uses, notes, self._label(of))

    def _use(self, of: LinedObject) -> ImportedUse:
        self._leave_others(of, ("element", "requirement", "repeat", "label"))
        return ImportedUse(
            self.source.name(of.line, of.text("element"), ELEMENT),
            self.source.name(of.line, of.text("requirement"), _REQUIREMENT) == "M",
            of.number("repeat", 1),
            self._label(of),
        )

    def _note(self, line: int, text: str) -> RelationalNote:
        found = _NOTE.fullmatch(self.source.name(line, text, _NOTE))
        assert found is not None  # it was checked
        digits = found[2]
        positions = (int(digits[at : at + 2]) for at in range(0, len(digits), 2))
        return RelationalNote(found[1], tuple(positions))

    def _element(self, of: LinedObject, lists: dict[str, CodeList]) -> ImportedElement:
        self._leave_others(of, ("element", "type", "min", "max", "code_list"))
        named = of.text("code_list", "")
        if named and named not in lists:
            raise self.source.fault(of.line, f"the file has no code list {shown(named)}")
        return ImportedElement(
            self.source.name(of.line, of.text("element"), ELEMENT),
            self.source.name(of.line, of.text("type"), _KIND),
            of.number("min"),
            of.number("max"),
            lists.get(named),
        )

    def _code_lists(self, whole: LinedObject) -> dict[str, CodeList]:
        lists = whole.object("code_lists")
        found: dict[str, CodeList] = {}
        for name, value in ({} if lists is None else lists.members).items():
            with self.faults.gathered():
                found[name] = self._code_list(name, LinedObject(self.source, value))
        return found

    def _code_list(self, name: str, of: LinedObject) -> CodeList:
        self._leave_others(of, ("strict", "codes", "blocks"))
        codes = of.object("codes")
        meanings = {}
        if codes is not None:
            meanings = {
                self.source.code(codes.line, each): one_line(codes.text(each)) or each
                for each in codes.members
            }
        blocks = tuple(self._block(of.line, each) for each in of.texts("blocks"))
        return CodeList(name, meanings, of.flag("strict"), blocks)

    def _block(self, line: int, text: str) -> CodeBlock:
        parts = _BLOCK_PART.findall(self.source.name(line, text, _BLOCK))
        return tuple(some or one for some, one in parts)

    def _label(self, of: LinedObject) -> str:
        label = of.text("label", "")
        return self.source.name(of.line, label, LABEL) if label else ""
