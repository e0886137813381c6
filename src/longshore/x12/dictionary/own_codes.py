"""Codes of users: which they add to the lists of elements, remove from them, or put in their place.

They are lines of CSV: ``element,code,meaning,from,to,action``. The first two are required. ``from``
and ``to`` are the first and the last day on which the line holds. The action is ``add``,
``remove`` or ``replace``: an element with a line ``replace`` has the codes of such lines alone.

Source: docs/howto/use-your-own-codes.md.
"""

from __future__ import annotations

import csv
import io
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum, unique
from functools import lru_cache
from typing import Final, NamedTuple

from longshore.kit.digests import sha256
from longshore.x12.dictionary.lines import DictionaryError, FileFault, FileFaults
from longshore.x12.dictionary.model import ElementType
from longshore.x12.dictionary.release import FIRST_CLASS
from longshore.x12.dictionary.vocabulary import Vocabulary

COLUMNS: Final = ("element", "code", "meaning", "from", "to", "action")
MAX_ROWS: Final = 200_000
MAX_CHARS: Final = 32 << 20
_MIN_COLUMNS: Final = 2
_NUMBER: Final = re.compile("[1-9][0-9]{0,4}")
_DAY: Final = re.compile("([0-9]{4})-?([0-9]{2})-?([0-9]{2})")
_END_OF_TIME: Final = "99991231"
_GROUP_DAY: Final = re.compile("[0-9]{8}")
_MAX_PERIODS: Final = 64  # entries of the cache


@unique
class CodeAction(StrEnum):
    """The effect of a code on the list of its element."""

    ADD = "add"
    REMOVE = "remove"
    REPLACE = "replace"


class CodeRow(NamedTuple):
    """One code. Days are CCYYMMDD, ``""`` without a limit."""

    element: str
    code: str
    meaning: str = ""
    first_day: str = ""
    last_day: str = ""
    action: CodeAction = CodeAction.ADD


@dataclass(frozen=True, slots=True)
class ElementCodes:
    """The codes of one element that differ from the list of the standard."""

    added: frozenset[str]
    removed: frozenset[str]
    replaced: frozenset[str] | None
    """The only codes; None if the list of the standard stays."""


@dataclass(frozen=True, slots=True)
class CodeChanges:
    """The changes of users' codes in a period. Equal names have equal changes."""

    name: str
    by_element: Mapping[str, ElementCodes] = field(compare=False, repr=False)


class CodeLists:
    """The codes of users, for validation.

    Two with the same rows are equal, so that what is made for one serves the other in each process.
    """

    def __init__(self, rows: Iterable[CodeRow]) -> None:
        # Validation needs no meanings, and other processes receive the codes with each document.
        self._rows = tuple(row._replace(meaning="") for row in rows)
        self.name = sha256(repr(self._rows).encode()).hex()
        """Names the rows: lists of one name have the same."""
        self._first_days = sorted({row.first_day for row in self._rows} - {""})
        self._last_days = sorted({row.last_day for row in self._rows} - {""})

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same rows."""
        return isinstance(other, CodeLists) and other.name == self.name

    def __hash__(self) -> int:
        """Hash the rows."""
        return hash(self.name)

    def changes_on(self, day: str) -> CodeChanges:
        """Return what the rows that hold on a day change.

        Args:
            day: CCYYMMDD; with any other text all rows hold.
        """
        if not _GROUP_DAY.fullmatch(day):
            return _changes(self, _END_OF_TIME, "")
        begun, over = bisect_right(self._first_days, day), bisect_left(self._last_days, day)
        return _changes(self, ["", *self._first_days][begun], ["", *self._last_days][over])

    def changes_between(self, begun: str, over: str) -> CodeChanges:
        """Return what the rows change that begin up to one day and do not end up to another."""
        by_element: defaultdict[str, defaultdict[CodeAction, set[str]]]
        by_element = defaultdict(lambda: defaultdict(set))
        for row in self._rows:
            if row.first_day <= begun and (not row.last_day or row.last_day > over):
                by_element[row.element][row.action].add(row.code)
        changes = {element: _element_codes(codes) for element, codes in by_element.items()}
        return CodeChanges(f"{self.name}:{begun}:{over}", changes)


@lru_cache(maxsize=_MAX_PERIODS)
def _changes(lists: CodeLists, begun: str, over: str) -> CodeChanges:
    return lists.changes_between(begun, over)


def _element_codes(codes: Mapping[CodeAction, set[str]]) -> ElementCodes:
    found = {action: frozenset(codes.get(action, ())) for action in CodeAction}
    is_replaced = CodeAction.REPLACE in codes
    return ElementCodes(
        found[CodeAction.ADD],
        found[CodeAction.REMOVE],
        found[CodeAction.REPLACE] if is_replaced else None,
    )


def merged(rows: Iterable[CodeRow], more: Iterable[CodeRow]) -> tuple[CodeRow, ...]:
    """Return rows with more of them, in order of element and code.

    A new row takes the place of one about the same code that begins on the same day, and rows that
    replace a list take the place of all others of their element.
    """
    more = [*more]
    replaced = {row.element for row in more if row.action is CodeAction.REPLACE}
    kept = [row for row in rows if row.element not in replaced]
    found = {(row.element, row.code, row.first_day): row for row in (*kept, *more)}
    return tuple(sorted(found.values(), key=lambda row: (int(row.element), row[1:])))


# ---- text ---------------------------------------------------------------------------------------


def write_code_rows(rows: Iterable[CodeRow]) -> str:
    """Return rows as CSV with a header, which ``read_code_rows`` reads."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return text.getvalue()


def read_code_rows(
    file: str, text: str, known: Vocabulary, action: CodeAction = CodeAction.ADD
) -> tuple[CodeRow, ...]:
    """Return the rows of CSV.

    Args:
        file: The name of the file, for faults.
        text: Its text. If the first line names columns, they may be in any order; else they are
            those of ``COLUMNS``, of which the last ones may be missing.
        known: The elements, and which of them have a strict list.
        action: The action of lines that name none.

    Raises:
        DictionaryError: A line is malformed, names an element that does not exist or a code that it
            cannot have, stands twice, or there are too many; with each fault, its line and reason.
    """
    if len(text) > MAX_CHARS:
        raise DictionaryError([FileFault(file, 0, f"more than {MAX_CHARS} characters")])
    faults = FileFaults()
    found: dict[CodeRow, int] = {}
    reader = _RowReader(file, known, action)
    for line, cells in _lines(file, text, faults):
        if reader.has_taken_header(cells, line):
            continue
        with faults.gathered():
            row = reader.row(cells, line)
            at = row._replace(meaning="", action=CodeAction.ADD, last_day="")
            if at in found:
                raise reader.fault(line, f"the same code is in line {found[at]}")
            found[at] = line
            reader.rows.append(row)
    faults.check()
    return tuple(reader.rows)


def _lines(file: str, text: str, faults: FileFaults) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not blank, each with its number.

    Raises:
        DictionaryError: There are too many.
    """
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        for count, cells in enumerate(reader):
            if count >= MAX_ROWS:
                raise DictionaryError([FileFault(file, 0, f"more than {MAX_ROWS} lines")])
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                yield reader.line_num, stripped
    except csv.Error as error:
        faults.add(FileFault(file, reader.line_num, f"this is no CSV: {error}"))


class _RowReader:
    """Reads the lines of one file, the first of which may name the columns."""

    def __init__(self, file: str, known: Vocabulary, action: CodeAction) -> None:
        self._file = file
        self._known = known
        self._action = action
        self._columns: Sequence[str] = COLUMNS
        self._is_first = True
        self.rows: list[CodeRow] = []

    def fault(self, line: int, reason: str) -> DictionaryError:
        return DictionaryError([FileFault(self._file, line, reason)])

    def has_taken_header(self, cells: list[str], line: int) -> bool:
        """Return whether a line is the first one and names columns."""
        is_first, self._is_first = self._is_first, False
        names = [cell.lower() for cell in cells]
        if not is_first or names[0] not in COLUMNS:
            return False
        unknown = [name for name in names if name not in COLUMNS]
        if unknown or len({*names}) < len(names) or not {"element", "code"}.issubset(names):
            reason = f"a header names element and code, and may name {', '.join(COLUMNS[2:])}"
            raise self.fault(line, reason)
        self._columns = names
        return True

    def row(self, cells: list[str], line: int) -> CodeRow:
        if not _MIN_COLUMNS <= len(cells) <= len(self._columns):
            reason = f"there are {len(cells)} columns, from {_MIN_COLUMNS} to "
            raise self.fault(line, f"{reason}{len(self._columns)} are expected")
        given = dict.fromkeys(COLUMNS, "") | dict(zip(self._columns, cells, strict=False))
        if given["action"] and given["action"] not in {*CodeAction}:
            raise self.fault(line, f"the action must be one of: {', '.join(CodeAction)}")
        action = CodeAction(given["action"] or self._action)
        self._check_code(given["element"], given["code"], action, line)
        first, last = (self._day(given, name, line) for name in ("from", "to"))
        if last and last < first:
            raise self.fault(line, "the last day is before the first")
        if not given["meaning"].isprintable():
            raise self.fault(line, "the meaning has a character that cannot be printed")
        return CodeRow(given["element"], given["code"], given["meaning"], first, last, action)

    def _check_code(self, number: str, code: str, action: CodeAction, line: int) -> None:
        types = [] if not _NUMBER.fullmatch(number) else _types(self._known, number)
        if not types:
            raise self.fault(line, "the element is not one of the dictionary, such as 355")
        if kinds := {each.kind for each in types} - {"AN", "ID"}:
            raise self.fault(line, f"element {number} is of type {kinds.pop()} and has no codes")
        if not any(each.minimum <= len(code) <= each.maximum for each in types):
            lengths = f"{min(each.minimum for each in types)} to {max(e.maximum for e in types)}"
            raise self.fault(line, f"a code of element {number} has {lengths} characters")
        if not (code.isascii() and code.isprintable()):
            raise self.fault(line, "the code has a character outside printable ASCII")
        is_strict = any(each.codes is not None and each.codes.is_strict for each in types)
        if action is CodeAction.REMOVE and not is_strict:
            reason = f"the list of element {number} is open: replace it, so that it refuses codes"
            raise self.fault(line, reason)

    def _day(self, given: Mapping[str, str], name: str, line: int) -> str:
        if not given[name]:
            return ""
        found = _DAY.fullmatch(given[name])
        try:
            parts = [int(each) for each in found.groups()] if found else [0, 0, 0]
            return f"{date(*parts):%Y%m%d}"
        except ValueError:
            raise self.fault(line, f"{name} is no date such as 2026-01-31") from None


def _types(known: Vocabulary, number: str) -> list[ElementType]:
    """Return an element in each release that has it."""
    found = (known.element(number, release) for release in FIRST_CLASS)
    return [each for each in found if each is not None]
