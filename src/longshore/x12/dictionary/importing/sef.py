"""Read the Standard Exchange Format (SEF 1.6): sections of lines, sets in brackets and braces.

Taken over: ``.INI`` (release, title), ``.SETS``, ``.SEGS``, ``.COMS``, ``.ELMS`` and ``.CODES``.
Other sections, and marks at segments and elements (requirements of a user, masks, ordinals), are
reported as warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from longshore.x12.dictionary.importing.schema import (
    ELEMENT,
    ENVELOPE,
    LOOP_ID,
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
from longshore.x12.dictionary.importing.schema_reader import SchemaReader
from longshore.x12.dictionary.model import CodeList, Definition, Loop, Node, RelationalNote
from longshore.x12.dictionary.records import COMPOSITE_ID, SEGMENT_ID

_TOKEN = re.compile(r"\[([^\[\]{}]*)\]|\{([^\[\]{}]*)|(\})|(\^)|(\s+)")
_USE = re.compile(r"([^A-Z0-9]*)([A-Z]?[A-Z0-9]+)([^,]*)(?:,([A-Z]?))?(?:,(>?[0-9]*))?(.*)")
_LOOP = re.compile(r"([^:]*)(?::(>?[0-9]*))?(.*)", re.DOTALL)
_NOTE = re.compile(r"([PRECL])((?:[0-9]{2}){2,})")
_KIND = re.compile("AN|ID|N[0-9]?|R|DT|TM|B")
_READ: Final = frozenset((".SETS", ".SEGS", ".COMS", ".ELMS", ".CODES"))
_QUIET: Final = frozenset((".VER", ".INI", ".STD", ".PRIVATE", ".PUBLIC"))
_INI_RELEASE, _INI_TITLE = 2, 5


class _Mention(NamedTuple):
    """An id in brackets, with its requirement and maximum."""

    id: str
    is_mandatory: bool
    maximum: int


class _Entry(NamedTuple):
    line: int
    key: str
    value: str


def read_sef(source: ImportSource) -> ImportedSchema:
    """Return the schema of a file.

    Raises:
        DictionaryError: Lines that cannot be read, all of them.
    """
    source.check_size()
    return _Reader(source).read()


class _Reader(SchemaReader):
    def __init__(self, source: ImportSource) -> None:
        super().__init__(source)
        self._release = ""
        self._title = ""

    def read(self) -> ImportedSchema:
        sections = self._sections()
        codes = {}
        for entry in sections[".CODES"]:
            with self.faults.gathered():
                codes[self._element_id(entry)] = self._codes(entry)
        for entry in sections[".ELMS"]:
            with self.faults.gathered():
                self.schema.elements.append(self._element(entry, codes))
        for entry in sections[".COMS"]:
            with self.faults.gathered():
                self.schema.composites.append(self._segment(entry, COMPOSITE_ID))
        for entry in sections[".SEGS"]:
            with self.faults.gathered():
                if entry.key not in ENVELOPE:
                    self.schema.segments.append(self._segment(entry, SEGMENT_ID))
        for entry in sections[".SETS"]:
            with self.faults.gathered():
                self.schema.sets.append(self._set(entry))
        missing = "the file has no set in a section .SETS"
        self.require(0, missing, is_there=bool(sections[".SETS"]))
        return self.finished()

    # ---- sections -------------------------------------------------------------------------------

    def _sections(self) -> dict[str, list[_Entry]]:
        found: dict[str, list[_Entry]] = {name: [] for name in _READ}
        section = ""
        for number, raw in enumerate(self.source.text.splitlines(), 1):
            line = raw.strip()
            if not line or line.startswith("*"):
                continue
            if line.startswith("."):
                section = line.split(" ", 1)[0].upper()
                if section not in _READ | _QUIET:
                    self.warn(number, f"the section {shown(section)} is not taken over")
            elif section == ".INI":
                self._take_header(line)
            elif section in _READ:
                key, equals, value = line.partition("=")
                if equals:
                    found[section].append(_Entry(number, key.strip(), value.strip()))
                else:
                    reason = f"a line of {section} is a name, = and a value"
                    self.faults.take(self.source.fault(number, reason))
        return found

    def _take_header(self, line: str) -> None:
        words = [*line.split(","), *[""] * (_INI_TITLE + 1)]
        self._release = words[_INI_RELEASE].replace(" ", "")[:6]
        self._title = ",".join(line.split(",")[_INI_TITLE:]).strip()

    # ---- elements, composites, segments ---------------------------------------------------------

    def _element(self, entry: _Entry, codes: dict[str, CodeList | None]) -> ImportedElement:
        words = [each.strip() for each in entry.value.split(",")]
        match words:
            case [kind, minimum, maximum, *others] if _KIND.fullmatch(kind):
                if any(others):
                    self.warn(
                        entry.line, f"more than lengths of {shown(entry.key)} is not taken over"
                    )
                number = self._element_id(entry)
                return ImportedElement(
                    number,
                    "N0" if kind == "N" else kind,
                    self.source.number(entry.line, minimum),
                    self.source.number(entry.line, maximum),
                    codes.get(number),
                )
        raise self.source.fault(
            entry.line, f"{shown(entry.key)} is not a type and lengths such as ID,2,2"
        )

    def _element_id(self, entry: _Entry) -> str:
        return self.source.name(entry.line, _number(entry.key), ELEMENT)

    def _codes(self, entry: _Entry) -> CodeList | None:
        codes = filter(None, (each.strip() for each in entry.value.split(",")))
        return code_list(self.source.code(entry.line, each) for each in codes)

    def _segment(self, entry: _Entry, form: re.Pattern[str]) -> ImportedSegment:
        text, _, notes = entry.value.partition("+")
        uses = []
        for token in self._tokens(entry, text):
            if token[1] is None:
                raise self.source.fault(entry.line, f"{shown(entry.key)} is not a list of elements")
            found = self._use(entry.line, token[1])
            reference = self.source.name(entry.line, _number(found.id), ELEMENT)
            uses.append(ImportedUse(reference, found.is_mandatory, found.maximum))
        relations = tuple(
            RelationalNote(kind, tuple(int(each[at : at + 2]) for at in range(0, len(each), 2)))
            for kind, each in _NOTE.findall(notes)
        )
        if _NOTE.sub("", notes).strip("+ "):
            self.warn(entry.line, f"a note of {shown(entry.key)} is not taken over")
        name = self.source.name(entry.line, entry.key, form)
        return ImportedSegment(name, tuple(uses), relations)

    def _use(self, line: int, text: str) -> _Mention:
        found = _USE.fullmatch(text.strip())
        if found is None:
            raise self.source.fault(
                line, f"[{shown(text)}] is not an id, a requirement and a maximum"
            )
        before, name, after, requirement, maximum, rest = found.groups("")
        if before or after or rest:
            self.warn(line, f"marks of {name} are not taken over: {shown(before + after + rest)}")
        if requirement not in {"", "M", "O", "C"}:
            self.warn(line, f"the requirement {requirement} of {name} is read as optional")
        return _Mention(name, requirement == "M", self._maximum(line, maximum))

    # ---- sets -----------------------------------------------------------------------------------

    def _set(self, entry: _Entry) -> Definition:
        source = self.source
        tx_set = source.set_of(entry.line, entry.key[:3])
        release = source.release_of(0, self._release)
        tokens = self._tokens(entry, entry.value)
        body = self._body(entry, tokens, 0)
        return Definition(
            tx_set=tx_set,
            release=release,
            functional_id=source.group_of(tx_set),
            title=title_of(self._title, tx_set),
            body=body,
        )

    def _body(
        self, entry: _Entry, tokens: Iterator[tuple[str | None, ...]], depth: int
    ) -> tuple[Node, ...]:
        nodes: list[Node] = []
        for _, segment, loop, end in tokens:
            self.take_position(entry.line, depth)
            if segment is not None:
                found = self._use(entry.line, segment)
                name = self.source.name(entry.line, found.id, SEGMENT_ID)
                must, most = found.is_mandatory, found.maximum
                if name not in ENVELOPE:
                    nodes.append(position(name, is_mandatory=must, maximum=most))
            elif loop is not None:
                nodes.append(self._loop(entry, loop, self._body(entry, tokens, depth + 1)))
            elif end is not None and depth:
                return tuple(nodes)
            else:
                raise self.source.fault(entry.line, "} without {")
        if depth:
            raise self.source.fault(entry.line, "{ without }")
        return tuple(nodes)

    def _loop(self, entry: _Entry, head: str, body: tuple[Node, ...]) -> Loop:
        found = _LOOP.fullmatch(head.strip())
        assert found is not None  # it matches any text
        name, maximum, rest = found.groups("")
        if rest:
            self.warn(entry.line, f"marks of a loop are not taken over: {shown(rest)}")
        most = self._maximum(entry.line, maximum)
        first = body[0] if body else None
        requirement = first.requirement if first is not None else "O"
        loop = self.loop(entry.line, name, body, requirement=requirement, maximum=most)
        loop_id = self.source.name(entry.line, name or loop.trigger.segment.id, LOOP_ID)
        return replace(loop, id=loop_id)

    def _maximum(self, line: int, text: str) -> int:
        """Return a maximum; 0 without limit (``>1``)."""
        return 0 if text.startswith(">") else self.source.number(line, text or "1")

    def _tokens(self, entry: _Entry, text: str) -> Iterator[tuple[str | None, ...]]:
        """Yield of each token its text, and what it is: a segment, a loop, the end of one."""
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise self.source.fault(
                    entry.line, f"{shown(entry.key)}: unreadable from {shown(text[at : at + 12])}"
                )
            at = found.end()
            if found[4] is None and found[5] is None:
                yield found[0], found[1], found[2], found[3]


def _number(text: str) -> str:
    return text.strip().lstrip("0")
