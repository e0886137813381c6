"""Read the lines about segments, composites, elements and code lists, one record for each line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from longshore.x12.dictionary.lines import (
    ALWAYS,
    FileFaults,
    FileLine,
    Releases,
    gathered_from,
    read_line,
    read_lines,
    unquoted,
    without_comment,
)
from longshore.x12.dictionary.model import CodeBlock, ElementType, RelationalNote

SEGMENT_ID = re.compile("[A-Z][A-Z0-9]{1,2}")
COMPOSITE_ID = re.compile("C[0-9]{3}")
_NUMBER = re.compile("[1-9][0-9]*|I[0-9]{2}")  # I01 to I65: of control segments
_USE = re.compile(
    rf"(?P<element>{COMPOSITE_ID.pattern}|{_NUMBER.pattern})(?P<must>!)?"
    "(?:x(?P<times>[1-9][0-9]{0,8}))?(?::(?P<label>.+))?"
)
_KEY = re.compile("[^ :]+")  # what a record begins with
_LENGTHS = re.compile("([0-9]{1,15})/([0-9]{1,15})")
_NOTE = re.compile("([PRECL])((?:[0-9]{2}){2,})")
_KIND = re.compile("AN|ID|N[0-9]|R|DT|TM|B")
LABEL = re.compile("[a-z][a-z0-9_]*")
_CODES: Final = "codes="
_ALSO: Final = "also"
_BLOCK: Final = re.compile(r"(?:[A-Z0-9]|\[(?:[A-Z0-9](?:-[A-Z0-9])?)+\])+")
_BLOCK_PART: Final = re.compile(r"\[([A-Z0-9-]+)\]|([A-Z0-9])")
_BLOCK_RANGE: Final = re.compile("([A-Z0-9])(?:-([A-Z0-9]))?")
_MAX_CHARS: Final = 999_999_999  # of an element that is no binary data
_MAX_LINES: Final = 64  # about one code of a list
# A code of a list as most are written: without comment, quotes, tag and surplus blanks.
_SIMPLE_CODE: Final = re.compile(r'  ([^\s"#@]+) ([^\s"#@]+(?: [^\s"#@]+)*)')


@dataclass(frozen=True, slots=True)
class RawUse:
    """An element or composite named at a position, not looked up yet."""

    reference: str
    is_mandatory: bool
    repeat: int
    label: str


@dataclass(frozen=True, slots=True)
class RawSegment:
    """A segment or composite as its line describes it."""

    id: str
    uses: tuple[RawUse, ...]
    notes: tuple[RelationalNote, ...]
    line: FileLine
    label: str = ""


@dataclass(frozen=True, slots=True)
class RawElement:
    """An element as its line describes it; ``codes`` names a list, or is empty."""

    type: ElementType
    codes: str
    line: FileLine
    label: str = ""


@dataclass(frozen=True, slots=True)
class RawCodeList:
    """A code list; each code with its meaning and the releases it is valid in."""

    name: str
    is_strict: bool
    codes: tuple[tuple[str, str, Releases], ...]
    line: FileLine
    blocks: tuple[tuple[CodeBlock, Releases], ...] = ()
    """Codes without a meaning, which the list may have too."""


Source = tuple[str, int, str]  # a file, the number of a line in it, the line
_Codes = dict[str, list[tuple[str, Releases]]]
_Blocks = list[tuple[CodeBlock, Releases]]


class _SimpleCode(NamedTuple):
    """A line about a code as most are written, read without making a FileLine of it."""

    number: int
    code: str
    only: list[tuple[str, Releases]]
    """Its meaning in all releases."""

    def line(self, file: str) -> FileLine:
        """Return the line as any other is read."""
        return FileLine(file, self.number, 1, (self.code, *self.only[0][0].split()), ALWAYS)


def sources_by_key(file: str, text: str) -> dict[str, list[Source]]:
    """Return the lines of a file by the id or number they begin with, not yet read."""
    found: dict[str, list[Source]] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        if raw and raw[0] not in "# ":
            match = _KEY.match(raw)
            key = match[0] if match else ""
            found.setdefault(key, []).append((file, number, raw))
    return found


def segment_from(source: Source) -> RawSegment:
    """Read the line of a segment or composite.

    Raises:
        DictionaryError: it is no record.
    """
    return _segment(_line_of(source))


def element_from(source: Source) -> RawElement:
    """Read the line of an element.

    Raises:
        DictionaryError: it is no record.
    """
    return _element(_line_of(source))


def read_segments(file: str, text: str) -> tuple[RawSegment, ...]:
    """Return the segments, or the composites, of a file.

    Raises:
        DictionaryError: lines that are no records.
    """
    return gathered_from(read_lines(file, text), _segment)


def read_elements(file: str, text: str) -> tuple[RawElement, ...]:
    """Return the elements of a file.

    Raises:
        DictionaryError: lines that are no records.
    """
    return gathered_from(read_lines(file, text), _element)


def read_code_lists(file: str, text: str) -> tuple[RawCodeList, ...]:
    """Return the code lists of a file.

    Raises:
        DictionaryError: Lines that are neither the head of a list nor a code in one; a code that
            occurs twice in a list in the same release.
    """
    faults = FileFaults()
    lists: list[tuple[RawCodeList, _Codes, _Blocks]] = []
    for each in _code_lines(file, text):
        if isinstance(each, _SimpleCode):
            if lists and lists[-1][1].setdefault(each.code, each.only) is each.only:
                continue
            line = each.line(file)
        else:
            line = each
        with faults.gathered():
            if line.depth == 0:
                lists.append((_list_head(line), {}, []))
            elif not lists:
                raise line.fault("a code needs a list above it")
            elif line.words[0] == _ALSO:
                lists[-1][2].extend((block, line.releases) for block in _blocks(line))
            else:
                _add_code(lists[-1][0].name, lists[-1][1], line)
    faults.check()
    return tuple(
        replace(
            head,
            codes=tuple((code, *each) for code, all_ in known.items() for each in all_),
            blocks=tuple(blocks),
        )
        for head, known, blocks in lists
    )


def _code_lines(file: str, text: str) -> tuple[FileLine | _SimpleCode, ...]:
    """Return the lines of a file of code lists that have content.

    Raises:
        DictionaryError: as ``read_lines``.
    """

    def read(source: tuple[int, str]) -> FileLine | _SimpleCode:
        number, raw = source
        match = _SIMPLE_CODE.fullmatch(raw)
        if match is None or match[1] == _ALSO:
            return read_line(file, number, without_comment(raw))
        return _SimpleCode(number, match[1], [(match[2], ALWAYS)])

    lines = enumerate(text.splitlines(), 1)
    return gathered_from((each for each in lines if without_comment(each[1])), read)


def _line_of(source: Source) -> FileLine:
    file, number, raw = source
    return read_line(file, number, without_comment(raw))


def _segment(line: FileLine) -> RawSegment:
    first, *rest = line.words
    segment_id, label = _labelled(line, first)
    if line.depth or not (SEGMENT_ID.fullmatch(segment_id) or COMPOSITE_ID.fullmatch(segment_id)):
        raise line.fault(f"{segment_id} is neither a segment nor a composite id")
    cut = rest.index(";") if ";" in rest else len(rest)
    uses = tuple(_use(line, word) for word in rest[:cut])
    notes = tuple(_note(line, word, len(uses)) for word in rest[cut + 1 :])
    if not uses:
        raise line.fault(f"{segment_id} has no elements")
    if COMPOSITE_ID.fullmatch(segment_id) and any(use.reference[0] == "C" for use in uses):
        raise line.fault(f"{segment_id} has a composite as component")
    return RawSegment(segment_id, uses, notes, line, label)


def _use(line: FileLine, word: str) -> RawUse:
    match = _USE.fullmatch(word)
    if match is None:
        raise line.fault(f"{word} is not an element such as 353! or C040")
    label = match["label"] or ""
    if label:
        _check_label(line, label)
    return RawUse(match["element"], bool(match["must"]), int(match["times"] or 1), label)


def _labelled(line: FileLine, word: str) -> tuple[str, str]:
    """Split ``353:purpose`` into the number and the label, which may be absent.

    Raises:
        DictionaryError: what stands behind the colon is no label.
    """
    key, colon, label = word.partition(":")
    if colon:
        _check_label(line, label)
    return key, label


def _check_label(line: FileLine, label: str) -> None:
    if not LABEL.fullmatch(label):
        raise line.fault(f"{label} is not a label: lower-case letters, digits and _")


def _note(line: FileLine, word: str, count: int) -> RelationalNote:
    match = _NOTE.fullmatch(word)
    if match is None:
        raise line.fault(f"{word} is not a relational note such as P0304")
    digits = match[2]
    positions = tuple(int(digits[at : at + 2]) for at in range(0, len(digits), 2))
    if not all(1 <= position <= count for position in positions):
        raise line.fault(f"{word} names a position that does not exist")
    if len(set(positions)) < len(positions):
        raise line.fault(f"{word} names a position twice")
    return RelationalNote(match[1], positions)


def _element(line: FileLine) -> RawElement:
    first, *rest = line.words
    number, label = _labelled(line, first)
    if line.depth or not _NUMBER.fullmatch(number) or not 2 <= len(rest) <= 3:  # noqa: PLR2004 - kind, lengths, codes
        raise line.fault("an element is a line such as 353 ID 2/2 codes=purpose")
    kind, lengths, codes = rest[0], rest[1], rest[2] if rest[2:] else ""
    match = _LENGTHS.fullmatch(lengths)
    if not _KIND.fullmatch(kind) or match is None:
        raise line.fault(f"{kind} {lengths} is not a type and lengths such as ID 2/2")
    minimum, maximum = int(match[1]), int(match[2])
    if maximum > _MAX_CHARS and kind != "B":
        raise line.fault(f"the maximum length {maximum} is more than any document has")
    if not 1 <= minimum <= maximum:
        raise line.fault(f"the minimum length {minimum} is above the maximum {maximum}, or zero")
    if codes and not codes.startswith(_CODES):
        raise line.fault(f"{codes} is not codes=<list>")
    of = ElementType(number, kind, minimum, maximum)
    return RawElement(of, codes.removeprefix(_CODES), line, label)


def _list_head(line: FileLine) -> RawCodeList:
    match line.words:
        case ("list", name):
            return RawCodeList(name, is_strict=False, codes=(), line=line)
        case ("list", name, "strict"):
            return RawCodeList(name, is_strict=True, codes=(), line=line)
        case _:
            raise line.fault("a code list begins with: list NAME, or: list NAME strict")


def _blocks(line: FileLine) -> list[CodeBlock]:
    """Return the blocks of codes behind ``also``."""
    if len(line.words) == 1:
        raise line.fault("also needs at least one block of codes behind it")
    return [_block(line, word) for word in line.words[1:]]


def _block(line: FileLine, word: str) -> CodeBlock:
    if not _BLOCK.fullmatch(word):
        raise line.fault(f"{word} is not a block of codes such as 0[1-9] or [A-KM]X")
    return tuple(one or _characters(line, some) for some, one in _BLOCK_PART.findall(word))


def block_text(block: CodeBlock) -> str:
    """Return a block as it is written: ``0[123]`` has 01, 02 and 03."""
    return "".join(each if len(each) == 1 else f"[{each}]" for each in block)


def _characters(line: FileLine, text: str) -> str:
    """Return the characters of one position of a block, sorted."""
    found: set[str] = set()
    for first, last in _BLOCK_RANGE.findall(text):
        if last and not (first < last and (first <= "9") == (last <= "9")):
            raise line.fault(f"{first}-{last} is no range of digits or letters")
        found.update(map(chr, range(ord(first), ord(last or first) + 1)))
    return "".join(sorted(found))


def _add_code(name: str, known: _Codes, line: FileLine) -> None:
    if len(line.words) == 1:
        raise line.fault("a code needs a meaning behind it")
    code, meaning = unquoted(line.words[0]), " ".join(map(unquoted, line.words[1:]))
    others = known.setdefault(code, [])
    if len(others) >= _MAX_LINES:
        raise line.fault(f"{code} stands more than {_MAX_LINES} times in the list {name}")
    if any(line.releases.overlaps(when) for _, when in others):
        raise line.fault(f"{code} stands twice in the list {name}")
    others.append((meaning, line.releases))
