"""A schema read from another form, and the text of the dictionary that is written from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from longshore.x12.dictionary.lines import MAX_DEPTH, DictionaryError, FileFault
from longshore.x12.dictionary.model import RelationalNote
from longshore.x12.dictionary.records import COMPOSITE_ID

MAX_CHARS: Final = 32 << 20
MAX_POSITIONS: Final = 100_000
ENVELOPE: Final = frozenset(("ST", "SE"))  # of each set, never written
SET_ID: Final = re.compile("[0-9]{3}")
RELEASE: Final = re.compile("[0-9]{6}")
LOOP_ID: Final = re.compile("[A-Z0-9][A-Z0-9_]{0,9}")
ELEMENT: Final = re.compile(f"{COMPOSITE_ID.pattern}|[1-9][0-9]{{0,4}}|I[0-9]{{2}}")
"""The reference of an element or composite."""
_NUMBER: Final = re.compile("[0-9]{1,9}")
_CODE: Final = re.compile('[^"\\s](?:[^"\\r\\n\\t]{0,78}[^"\\s])?')
_SHOWN_CHARS: Final = 40
_PLAIN: Final = re.compile(r'[^\s"#@;:|]+')


@dataclass(frozen=True, slots=True)
class ImportedElement:
    """A simple element: its number without leading zeros, type, lengths and codes."""

    number: str
    kind: str
    minimum: int
    maximum: int
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedUse:
    """An element or composite at its position; 0 repetitions mean no limit."""

    reference: str
    is_mandatory: bool
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class ImportedSegment:
    """A segment or a composite."""

    id: str
    uses: tuple[ImportedUse, ...]
    notes: tuple[RelationalNote, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedNode:
    """A position, or a loop, which has a body that begins with its trigger."""

    id: str
    is_mandatory: bool
    maximum: int
    """0 means no limit."""
    body: tuple[ImportedNode, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedSet:
    """A transaction set without ST and SE."""

    tx_set: str
    functional_id: str
    release: str
    title: str
    body: tuple[ImportedNode, ...]


@dataclass(slots=True)
class ImportedSchema:
    """Everything that a file describes."""

    sets: list[ImportedSet] = field(default_factory=list)
    segments: list[ImportedSegment] = field(default_factory=list)
    composites: list[ImportedSegment] = field(default_factory=list)
    elements: list[ImportedElement] = field(default_factory=list)
    warnings: list[FileFault] = field(default_factory=list)
    """Parts of the file that are not taken over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSource:
    """A file to import, with what it may not say itself."""

    file: str
    text: str
    tx_set: str = ""
    release: str = ""
    functional_id: str = ""
    functional_ids: Mapping[str, str] = field(default_factory=dict)
    """GS01 of the sets that are known."""

    def fault(self, line: int, reason: str) -> DictionaryError:
        """Return the error that a line cannot be used."""
        return DictionaryError([FileFault(self.file, line, reason)])

    def group_of(self, tx_set: str) -> str:
        """Return GS01 of a set.

        Raises:
            DictionaryError: It is neither given nor known.
        """
        found = self.functional_id or self.functional_ids.get(tx_set, "")
        if not found:
            raise self.fault(
                0, f"the functional group of {tx_set} is unknown: name it with --group"
            )
        return found

    def name(self, line: int, text: str, form: re.Pattern[str]) -> str:
        """Return an id that has a form.

        Raises:
            DictionaryError: It has another one.
        """
        if not form.fullmatch(text):
            raise self.fault(line, f"{shown(text)} is not an id that the dictionary can have")
        return text

    def number(self, line: int, text: str) -> int:
        """Return a count or length.

        Raises:
            DictionaryError: It is no number of at most nine digits.
        """
        if not _NUMBER.fullmatch(text):
            raise self.fault(line, f"{shown(text)} is not a number of at most nine digits")
        return int(text)

    def code(self, line: int, text: str) -> str:
        """Return a code of a list.

        Raises:
            DictionaryError: It has a quote or a line break.
        """
        if not _CODE.fullmatch(text):
            raise self.fault(line, f"{shown(text)} is not a code that a list can have")
        return text

    def check_size(self) -> None:
        """Refuse a file that is too long.

        Raises:
            DictionaryError: It is.
        """
        if len(self.text) > MAX_CHARS:
            raise self.fault(0, f"the file has more than {MAX_CHARS} characters")


def shown(text: str) -> str:
    """Return a text of a file for a message: printable, and not too long."""
    printable = "".join(each if each.isprintable() else " " for each in text[:_SHOWN_CHARS])
    return f"{printable}…" if len(text) > _SHOWN_CHARS else printable


def texts_of(schema: ImportedSchema, title: str) -> dict[str, str]:
    """Return the files of a schema by their names: one for each set, and one for each kind.

    Segments, composites and elements have no tag: a line with one would leave the other releases
    without.

    Args:
        schema: The schema.
        title: The source, for the line that names it.
    """
    head = f"# sources: {' '.join(title.split())}, imported\n"
    kinds = {
        "segments.xd": map(_record, schema.segments),
        "composites.xd": map(_record, schema.composites),
        "elements.xd": map(_element, schema.elements),
        "codes.xd": _codes(schema.elements),
    }
    found = {f"{each.tx_set}.xd": _lines(_set(each)) for each in schema.sets}
    found |= {name: _lines(lines) for name, lines in kinds.items()}
    return {name: head + text for name, text in found.items() if text}


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _set(of: ImportedSet) -> Iterator[str]:
    title = " ".join(of.title.replace('"', "'").split())
    yield f'set {of.tx_set} {of.functional_id} {of.release} "{title}"'
    yield from _body(of.body, "  ")


def _body(body: tuple[ImportedNode, ...], indent: str) -> Iterator[str]:
    for node in body:
        occurrence = f"{'M' if node.is_mandatory else 'O'}{node.maximum or '*'}"
        yield f"{indent}{'loop ' if node.body else ''}{node.id} {occurrence}"
        yield from _body(node.body, f"{indent}  ")


def _record(of: ImportedSegment) -> str:
    notes = f" ; {' '.join(map(str, of.notes))}" if of.notes else ""
    return f"{of.id} {' '.join(map(_use, of.uses))}{notes}"


def _use(use: ImportedUse) -> str:
    repeat = "" if use.repeat == 1 else f"x{use.repeat or MAX_POSITIONS}"
    return f"{use.reference}{'!' if use.is_mandatory else ''}{repeat}"


def _element(of: ImportedElement) -> str:
    codes = f" codes={_list_name(of)}" if of.codes else ""
    return f"{of.number} {of.kind} {of.minimum}/{of.maximum}{codes}"


def _codes(elements: Iterable[ImportedElement]) -> Iterator[str]:
    for element in elements:
        if element.codes:
            yield f"list {_list_name(element)} strict"
            for code in dict.fromkeys(element.codes):
                word = code if _PLAIN.fullmatch(code) else f'"{code}"'
                yield f"  {word} {word}"


def _list_name(of: ImportedElement) -> str:
    return f"imported_{of.number}"


class PositionLimit:
    """Counts the positions of a file and refuses too many, or loops that are too deep."""

    def __init__(self, source: ImportSource) -> None:
        self._source = source
        self._count = 0

    def take(self, line: int, depth: int) -> None:
        """Count one position.

        Raises:
            DictionaryError: There are too many, or it is nested too deep.
        """
        self._count += 1
        if self._count > MAX_POSITIONS:
            raise self._source.fault(line, f"the file has more than {MAX_POSITIONS} positions")
        if depth > MAX_DEPTH:
            raise self._source.fault(line, f"loops are nested deeper than {MAX_DEPTH} levels")
