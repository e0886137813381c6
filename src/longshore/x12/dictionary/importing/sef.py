"""Read the Standard Exchange Format (SEF 1.6): sections of lines, sets in brackets and braces.

Taken over: ``.INI`` (release, title), ``.SETS``, ``.SEGS``, ``.COMS``, ``.ELMS`` and ``.CODES``.
Other sections, and marks at segments and elements (requirements of a user, masks, ordinals), are
reported as warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

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
from longshore.x12.dictionary.lines import FileFault, FileFaults
from longshore.x12.dictionary.model import RelationalNote
from longshore.x12.dictionary.records import COMPOSITE_ID, SEGMENT_ID

_TOKEN = re.compile(r"\[([^\[\]{}]*)\]|\{([^\[\]{}]*)|(\})|(\^)|(\s+)")
_USE = re.compile(r"([^A-Z0-9]*)([A-Z]?[A-Z0-9]+)([^,]*)(?:,([A-Z]?))?(?:,(>?[0-9]*))?(.*)")
_LOOP = re.compile(r"([^:]*)(?::(>?[0-9]*))?(.*)", re.DOTALL)
_NOTE = re.compile(r"([PRECL])((?:[0-9]{2}){2,})")
_KIND = re.compile("AN|ID|N[0-9]?|R|DT|TM|B")
_READ: Final = frozenset((".SETS", ".SEGS", ".COMS", ".ELMS", ".CODES"))
_QUIET: Final = frozenset((".VER", ".INI", ".STD", ".PRIVATE", ".PUBLIC"))
_INI_RELEASE, _INI_TITLE = 2, 5


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


class _Reader:
    def __init__(self, source: ImportSource) -> None:
        self._source = source
        self._schema = ImportedSchema()
        self._faults = FileFaults()
        self._limit = PositionLimit(source)
        self._release = source.release
        self._title = ""

    def read(self) -> ImportedSchema:
        sections = self._sections()
        codes = {}
        for entry in sections[".CODES"]:
            with self._faults.gathered():
                codes[self._element_id(entry)] = self._codes(entry)
        for entry in sections[".ELMS"]:
            with self._faults.gathered():
                self._schema.elements.append(self._element(entry, codes))
        for entry in sections[".COMS"]:
            with self._faults.gathered():
                self._schema.composites.append(self._segment(entry, COMPOSITE_ID))
        for entry in sections[".SEGS"]:
            with self._faults.gathered():
                if entry.key not in ENVELOPE:
                    self._schema.segments.append(self._segment(entry, SEGMENT_ID))
        for entry in sections[".SETS"]:
            with self._faults.gathered():
                self._schema.sets.append(self._set(entry))
        if not sections[".SETS"]:
            self._faults.take(self._source.fault(0, "the file has no set in a section .SETS"))
        self._faults.check()
        return self._schema

    # ---- sections -------------------------------------------------------------------------------

    def _sections(self) -> dict[str, list[_Entry]]:
        found: dict[str, list[_Entry]] = {name: [] for name in _READ}
        section = ""
        for number, raw in enumerate(self._source.text.splitlines(), 1):
            line = raw.strip()
            if not line or line.startswith("*"):
                continue
            if line.startswith("."):
                section = line.split(" ", 1)[0].upper()
                if section not in _READ | _QUIET:
                    self._warn(number, f"the section {shown(section)} is not taken over")
            elif section == ".INI":
                self._take_header(line)
            elif section in _READ:
                key, equals, value = line.partition("=")
                if equals:
                    found[section].append(_Entry(number, key.strip(), value.strip()))
                else:
                    reason = f"a line of {section} is a name, = and a value"
                    self._faults.take(self._source.fault(number, reason))
        return found

    def _take_header(self, line: str) -> None:
        words = [*line.split(","), *[""] * (_INI_TITLE + 1)]
        self._release = self._release or words[_INI_RELEASE].replace(" ", "")[:6]
        self._title = ",".join(line.split(",")[_INI_TITLE:]).strip()

    def _warn(self, line: int, reason: str) -> None:
        self._schema.warnings.append(FileFault(self._source.file, line, reason))

    # ---- elements, composites, segments ---------------------------------------------------------

    def _element(self, entry: _Entry, codes: dict[str, tuple[str, ...]]) -> ImportedElement:
        words = [each.strip() for each in entry.value.split(",")]
        match words:
            case [kind, minimum, maximum, *others] if _KIND.fullmatch(kind):
                if any(others):
                    self._warn(
                        entry.line, f"more than lengths of {shown(entry.key)} is not taken over"
                    )
                number = self._element_id(entry)
                return ImportedElement(
                    number,
                    "N0" if kind == "N" else kind,
                    self._source.number(entry.line, minimum),
                    self._source.number(entry.line, maximum),
                    codes.get(number, ()),
                )
        raise self._source.fault(
            entry.line, f"{shown(entry.key)} is not a type and lengths such as ID,2,2"
        )

    def _element_id(self, entry: _Entry) -> str:
        return self._source.name(entry.line, _number(entry.key), ELEMENT)

    def _codes(self, entry: _Entry) -> tuple[str, ...]:
        codes = filter(None, (each.strip() for each in entry.value.split(",")))
        return tuple(self._source.code(entry.line, each) for each in codes)

    def _segment(self, entry: _Entry, form: re.Pattern[str]) -> ImportedSegment:
        text, _, notes = entry.value.partition("+")
        uses = []
        for token in self._tokens(entry, text):
            if token[1] is None:
                raise self._source.fault(
                    entry.line, f"{shown(entry.key)} is not a list of elements"
                )
            found = self._use(entry.line, token[1])
            reference = self._source.name(entry.line, _number(found.id), ELEMENT)
            uses.append(ImportedUse(reference, found.is_mandatory, found.maximum))
        relations = tuple(
            RelationalNote(kind, tuple(int(each[at : at + 2]) for at in range(0, len(each), 2)))
            for kind, each in _NOTE.findall(notes)
        )
        if _NOTE.sub("", notes).strip("+ "):
            self._warn(entry.line, f"a note of {shown(entry.key)} is not taken over")
        name = self._source.name(entry.line, entry.key, form)
        return ImportedSegment(name, tuple(uses), relations)

    def _use(self, line: int, text: str) -> ImportedNode:
        found = _USE.fullmatch(text.strip())
        if found is None:
            raise self._source.fault(
                line, f"[{shown(text)}] is not an id, a requirement and a maximum"
            )
        before, name, after, requirement, maximum, rest = found.groups("")
        if before or after or rest:
            self._warn(line, f"marks of {name} are not taken over: {shown(before + after + rest)}")
        if requirement not in {"", "M", "O", "C"}:
            self._warn(line, f"the requirement {requirement} of {name} is read as optional")
        return ImportedNode(name, requirement == "M", self._maximum(line, maximum))

    # ---- sets -----------------------------------------------------------------------------------

    def _set(self, entry: _Entry) -> ImportedSet:
        source = self._source
        tx_set = source.tx_set or entry.key[:3]
        if not SET_ID.fullmatch(tx_set):
            raise source.fault(
                entry.line, f"{shown(entry.key)} is not a set such as 850: use --set"
            )
        if not RELEASE.fullmatch(self._release):
            raise source.fault(0, "the release is unknown: name it with --release")
        tokens = self._tokens(entry, entry.value)
        body = self._body(entry, tokens, 0)
        title = self._title or f"Set {tx_set}"
        return ImportedSet(tx_set, source.group_of(tx_set), self._release, title, body)

    def _body(
        self, entry: _Entry, tokens: Iterator[tuple[str | None, ...]], depth: int
    ) -> tuple[ImportedNode, ...]:
        nodes = []
        for _, segment, loop, end in tokens:
            self._limit.take(entry.line, depth)
            if segment is not None:
                node = self._use(entry.line, segment)
                self._source.name(entry.line, node.id, SEGMENT_ID)
                if node.id not in ENVELOPE:
                    nodes.append(node)
            elif loop is not None:
                nodes.append(self._loop(entry, loop, self._body(entry, tokens, depth + 1)))
            elif end is not None and depth:
                return tuple(nodes)
            else:
                raise self._source.fault(entry.line, "} without {")
        if depth:
            raise self._source.fault(entry.line, "{ without }")
        return tuple(nodes)

    def _loop(self, entry: _Entry, head: str, body: tuple[ImportedNode, ...]) -> ImportedNode:
        found = _LOOP.fullmatch(head.strip())
        assert found is not None  # it matches any text
        if not body or body[0].body:
            raise self._source.fault(
                entry.line, f"the loop {{{shown(head)} does not begin with a segment"
            )
        name, maximum, rest = found.groups("")
        if rest:
            self._warn(entry.line, f"marks of a loop are not taken over: {shown(rest)}")
        first, *others = body
        trigger = ImportedNode(first.id, is_mandatory=True, maximum=1)
        inner = (trigger, *others)
        name = self._source.name(entry.line, name or first.id, LOOP_ID)
        return ImportedNode(name, first.is_mandatory, self._maximum(entry.line, maximum), inner)

    def _maximum(self, line: int, text: str) -> int:
        """Return a maximum; 0 without limit (``>1``)."""
        return 0 if text.startswith(">") else self._source.number(line, text or "1")

    def _tokens(self, entry: _Entry, text: str) -> Iterator[tuple[str | None, ...]]:
        """Yield of each token its text, and what it is: a segment, a loop, the end of one."""
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise self._source.fault(
                    entry.line, f"{shown(entry.key)}: unreadable from {shown(text[at : at + 12])}"
                )
            at = found.end()
            if found[4] is None and found[5] is None:
                yield found[0], found[1], found[2], found[3]


def _number(text: str) -> str:
    return text.strip().lstrip("0")
