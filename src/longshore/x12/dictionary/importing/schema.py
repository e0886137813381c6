"""A schema read from another form, and the text of the dictionary that is written from it.

Positions and loops are those of the model; a segment that they name has its id alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.lines import DictionaryError, FileFault
from longshore.x12.dictionary.model import (
    CodeList,
    Definition,
    RelationalNote,
    SegmentType,
    SegmentUse,
)
from longshore.x12.dictionary.records import COMPOSITE_ID, block_text
from longshore.x12.dictionary.render import render

MAX_CHARS: Final = 32 << 20
MAX_POSITIONS: Final = 100_000
ENVELOPE: Final = frozenset(("ST", "SE"))  # of each set, never written
REPEATS_WITHOUT_LIMIT: Final = 100_000
SET_ID: Final = re.compile("[0-9]{3}")
RELEASE: Final = re.compile("[0-9]{6}")
LOOP_ID: Final = re.compile("[A-Z0-9][A-Z0-9_]{0,9}")
ELEMENT: Final = re.compile(f"{COMPOSITE_ID.pattern}|[1-9][0-9]{{0,4}}|I[0-9]{{2}}")
"""The reference of an element or composite."""
IMPORTED: Final = "imported_"
"""The beginning of the names of code lists that an import makes."""
_NUMBER: Final = re.compile("[0-9]{1,15}")
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
    codes: CodeList | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class ImportedUse:
    """An element or composite at its position; 0 repetitions mean no limit."""

    reference: str
    is_mandatory: bool
    repeat: int = 1
    label: str = ""


@dataclass(frozen=True, slots=True)
class ImportedSegment:
    """A segment or a composite."""

    id: str
    uses: tuple[ImportedUse, ...]
    notes: tuple[RelationalNote, ...] = ()
    label: str = ""


@dataclass(slots=True)
class ImportedSchema:
    """Everything that a file describes."""

    sets: list[Definition] = field(default_factory=list)
    """Sets and guides, without ST and SE; all of one release."""
    segments: list[ImportedSegment] = field(default_factory=list)
    composites: list[ImportedSegment] = field(default_factory=list)
    elements: list[ImportedElement] = field(default_factory=list)
    warnings: list[FileFault] = field(default_factory=list)
    """Parts of the file that are not taken over."""
    has_names: bool = False
    """The file has labels and all code lists; otherwise those of the dictionary stay."""


def position(segment_id: str, *, is_mandatory: bool, maximum: int) -> SegmentUse:
    """Return a position of a set; a maximum of 0 means no limit."""
    requirement = "M" if is_mandatory else "O"
    return SegmentUse(segment=SegmentType(segment_id, ()), requirement=requirement, maximum=maximum)


def code_list(codes: Iterable[str]) -> CodeList | None:
    """Return codes without meanings as a strict list; None if there are none."""
    meanings = {code: code for code in codes}
    return CodeList("", meanings, is_strict=True) if meanings else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSource:
    """A file to import, with what it may not say itself."""

    file: str
    text: str
    known: Dictionary
    """The dictionary that it is added to."""
    tx_set: str = ""
    release: str = ""
    functional_id: str = ""
    guide: str = ""

    def fault(self, line: int, reason: str) -> DictionaryError:
        """Return the error that a line cannot be used."""
        return DictionaryError([FileFault(self.file, line, reason)])

    def release_of(self, line: int, named: str) -> str:
        """Return the release that is given, else the one that the file names.

        Raises:
            DictionaryError: It has not six digits.
        """
        release = self.release or named
        if not RELEASE.fullmatch(release):
            raise self.fault(line, "the release is unknown: name it with --release")
        return release

    def set_of(self, line: int, named: str) -> str:
        """Return the set that is given, else the one that the file names.

        Raises:
            DictionaryError: It has not three digits.
        """
        tx_set = self.tx_set or named
        if not SET_ID.fullmatch(tx_set):
            raise self.fault(line, f"{shown(tx_set)} is not a set such as 850: use --set")
        return tx_set

    def group_of(self, tx_set: str) -> str:
        """Return GS01 of a set.

        Raises:
            DictionaryError: It is neither given nor known.
        """
        found = self.functional_id or self.known.functional_ids.get(tx_set, "")
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
            DictionaryError: It is no number of at most fifteen digits.
        """
        if not _NUMBER.fullmatch(text):
            raise self.fault(line, f"{shown(text)} is not a number of at most fifteen digits")
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


def title_of(text: str, tx_set: str) -> str:
    """Return the title of a set: a text of the file in one line, or its id if it is empty."""
    return one_line(text) or f"Set {tx_set}"


def one_line(text: str) -> str:
    """Return a text as it can stand in quotes: in one line, without quotes in it."""
    printable = (each if each.isprintable() else " " for each in text.replace('"', "'"))
    return " ".join("".join(printable).split())


def texts_of(schema: ImportedSchema, title: str) -> dict[str, str]:
    """Return the files of a schema by their names: one for each set, and one for each kind.

    Each line about a segment, composite or element is for the release of the schema alone.

    Args:
        schema: The schema; code lists without a name get one.
        title: The source, for the line that names it.
    """
    head = f"# sources: {' '.join(title.split())}, imported\n"
    tag = f" @{schema.sets[0].release}"
    kinds = {
        "segments.xd": (_record(each) + tag for each in schema.segments),
        "composites.xd": (_record(each) + tag for each in schema.composites),
        "elements.xd": (_element(each) + tag for each in schema.elements),
        "codes.xd": _code_lists(schema.elements),
    }
    found = {_file_name(each): render(each) for each in schema.sets}
    found |= {name: _lines(lines) for name, lines in kinds.items()}
    return {name: head + text for name, text in found.items() if text}


def _file_name(of: Definition) -> str:
    return f"{of.tx_set}.xd" if of.guide is None else f"{of.guide}_{of.tx_set}.xd"


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _record(of: ImportedSegment) -> str:
    notes = f" ; {' '.join(map(str, of.notes))}" if of.notes else ""
    return f"{_labelled(of.id, of.label)} {' '.join(map(_use, of.uses))}{notes}"


def _use(use: ImportedUse) -> str:
    repeat = "" if use.repeat == 1 else f"x{use.repeat or REPEATS_WITHOUT_LIMIT}"
    return _labelled(f"{use.reference}{'!' if use.is_mandatory else ''}{repeat}", use.label)


def _labelled(text: str, label: str) -> str:
    return f"{text}:{label}" if label else text


def _element(of: ImportedElement) -> str:
    codes = f" codes={of.codes.name}" if of.codes is not None else ""
    return f"{_labelled(of.number, of.label)} {of.kind} {of.minimum}/{of.maximum}{codes}"


def _code_lists(elements: Iterable[ImportedElement]) -> Iterator[str]:
    """Yield the lists that are imported; others are in the dictionary."""
    lists = {each.codes.name: each.codes for each in elements if each.codes is not None}
    for name, codes in lists.items():
        if name.startswith(IMPORTED):
            yield f"list {name}{' strict' if codes.is_strict else ''}"
            yield from (f"  {_word(code)} {_word(text)}" for code, text in codes.meanings.items())
            yield from (f"  also {block_text(block)}" for block in codes.blocks)


def _word(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else f'"{text}"'
