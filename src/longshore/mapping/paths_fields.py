r"""Source paths of JSON, XML and CSV: ``lines[*].sku``, ``Line[@type=ship].Name``, ``row[*]/sku``.

Names are written as in keys, with ``\`` before each of ``\ . [ ] / * > @ {``.

Source: fields-and-mapping.md sections 2.2 to 2.5 and 4.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from longshore.mapping.paths import (
    INDEX,
    VALUES,
    Comparison,
    SourcePathError,
    comparison_of,
    index_of,
)
from longshore.mapping.target_paths import ALL, Index

# A key writes a name in one way only, so names are compared as they are written.
_NAME: Final = r"(?:[^\\.\[\]/*>@{]|\\[\\.\[\]/*>@{])*+"
# Of a name before a comparison or a further condition.
_SHORT_NAME: Final = r"(?:[^\\.\[\]/*>@{=!,|]|\\[\\.\[\]/*>@{])*+"
_URI: Final = r"(?:\{(?:[^\\{}]|\\[\\{}])*+\})?"
_CONDITION: Final = rf"@?{_URI}{_SHORT_NAME}!?={VALUES}"
_ONE_CONDITION = re.compile(rf"(@?)({_URI}{_SHORT_NAME})(!?=)({VALUES})(?:,|\]\[?)", re.DOTALL)
_SELECTION = re.compile(
    rf"((?:\[{_CONDITION}(?:,{_CONDITION})*+\])*+)({INDEX})?(?=[.\[/=!]|\Z)", re.DOTALL
)
_NUMBER = re.compile(r"(?:\[[1-9][0-9]{0,8}\])?")
_ROW = re.compile(r"row(?=\[)")


@dataclass(frozen=True, slots=True)
class FieldCondition:
    """``type=ship``: what a member, child, column or, ``is_attribute``, an attribute must be."""

    name: str
    is_attribute: bool
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Selection:
    """The choice among several: those that fulfil all conditions, counted from 0 by ``index``."""

    conditions: tuple[FieldCondition, ...] = ()
    index: Index = 0
    is_written: bool = True
    """False if the path has no selection, which means the first."""


FIRST: Final = Selection(is_written=False)
EVERY: Final = Selection(index=ALL)


@dataclass(frozen=True, slots=True)
class FieldStep:
    """One step: by name, as keys write it, or None for what is there; then a selection, if any."""

    name: str | None
    selection: Selection | None = None
    is_attribute: bool = False

    @property
    def is_many(self) -> bool:
        """True if it has a wildcard, so that it leads to any number of nodes."""
        return self.selection is not None and self.selection.index is ALL

    @property
    def is_unindexed(self) -> bool:
        """True if it leads to the first of several without an index."""
        return self.selection is not None and not self.selection.is_written

    def at_first(self) -> FieldStep:
        """Return the step to the first of those that this one leads to."""
        assert self.selection is not None  # it has a wildcard
        return replace(self, selection=replace(self.selection, index=0))

    def of_all(self) -> FieldStep:
        """Return the step to all where this one leads to the first without saying so."""
        return replace(self, selection=EVERY) if self.is_unindexed else self


# The names of the steps to a list.
ListPlace = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A source path into a tree."""

    text: str
    prefixes: tuple[str, ...]
    steps: tuple[FieldStep, ...]

    def at_first(self, prefixes: Sequence[str]) -> FieldPath:
        """Return the path to the first row of the outermost lists that it has in common.

        Args:
            prefixes: The prefixes of these lists.
        """
        count = 0
        while count < min(len(prefixes), len(self.prefixes)):
            if prefixes[count] != self.prefixes[count]:
                break
            count += 1
        if not count:
            return self
        steps, left = [], count
        for step in self.steps:
            is_first = step.selection is not None and step.is_many and left > 0
            left -= is_first
            steps.append(step.at_first() if is_first else step)
        return replace(self, prefixes=self.prefixes[count:], steps=tuple(steps))

    @property
    def lists_read(self) -> Iterator[ListPlace]:
        """The lists of which it has a wildcard for the rows."""
        names = tuple(step.name for step in self.steps)
        return (names[:number] for number, step in enumerate(self.steps, 1) if step.is_many)


class _Reader(ABC):
    """Reads one path.

    Args:
        base: The first index.
    """

    grammar = ""
    base = 1

    def __init__(self, text: str, *, is_open: bool) -> None:
        self._at = 0
        self._text = text
        self._prefixes: list[str] = []
        self._name = re.compile(_SHORT_NAME if is_open else _NAME)
        self._expanded_name = re.compile(_URI + self._name.pattern)

    def path(self) -> tuple[FieldPath, int]:
        steps = tuple(self._steps())
        text = self._text[: self._at]
        if not text:
            raise SourcePathError(self.grammar)
        return FieldPath(text, tuple(self._prefixes), steps), self._at

    @abstractmethod
    def _steps(self) -> Iterator[FieldStep]:
        """Read the steps, one after the other."""

    def _take(self, mark: str) -> bool:
        is_there = self._text.startswith(mark, self._at)
        self._at += len(mark) if is_there else 0
        return is_there

    def _word(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        assert match is not None  # names may be empty
        self._at = match.end()
        return match[0]

    def _selection(self) -> Selection | None:
        """Read conditions and index, if there are any; without an index the first is chosen.

        Raises:
            SourcePathError: The text in brackets is neither.
        """
        if not self._text.startswith("[", self._at):
            return None
        match = _SELECTION.match(self._text, self._at)
        if match is None or not match[0]:
            raise SourcePathError(self.grammar)
        self._at = match.end()
        index = index_of(match[2], self.base)
        if index is ALL:
            self._prefixes.append(self._text[: self._at])
        elif index >= self.base:
            index -= self.base
        elif index == 0:
            raise SourcePathError("occurrences are numbered from 1")
        conditions = map(_condition, _ONE_CONDITION.finditer(match[1], 1))
        return Selection(tuple(conditions), index)


def _condition(match: re.Match[str]) -> FieldCondition:
    return FieldCondition(match[2], bool(match[1]), comparison_of(match[3], match[4]))


class _JsonReader(_Reader):
    grammar = (
        r"a path is like order.lines[*].sku or lines[type=ship].name, counted from 0; "
        r"in names a backslash stands before each of \ . [ ] / * > @ {"
    )
    base = 0

    def _steps(self) -> Iterator[FieldStep]:
        if not self._text.startswith("["):
            yield self._member()
        yield from self._selections()
        while self._take("."):
            yield self._member()
            yield from self._selections()

    def _member(self) -> FieldStep:
        return FieldStep(self._word(self._name), self._selection())

    def _selections(self) -> Iterator[FieldStep]:
        while selection := self._selection():
            yield FieldStep(None, selection)


class _XmlReader(_Reader):
    grammar = (
        r"a path is like Order.Line[*].Qty, Line[@type=ship].Name or Order.@version, counted from "
        r"1; in names a backslash stands before each of \ . [ ] / * > @ {"
    )

    def _steps(self) -> Iterator[FieldStep]:
        yield self._element()
        while self._take("."):
            if self._take("@"):
                yield FieldStep(self._word(self._expanded_name), is_attribute=True)
                return
            yield self._element()

    def _element(self) -> FieldStep:
        return FieldStep(self._word(self._expanded_name), self._selection() or FIRST)


class _CsvReader(_Reader):
    grammar = (
        r"a path is like sku, row[*]/sku or row[type=ship]/sku, rows counted from 1; "
        r"in names a backslash stands before each of \ . [ ] / * > @ {"
    )

    def _steps(self) -> Iterator[FieldStep]:
        row: Selection | None = None
        if _ROW.match(self._text):
            self._at = len("row")
            row = self._selection()
            if not self._take("/"):
                self._at, row = 0, None
                self._prefixes.clear()
        yield FieldStep(None, row or FIRST)
        name = self._word(self._name)
        yield FieldStep(name + self._word(_NUMBER))


def read_json_path(text: str, *, is_open: bool) -> tuple[FieldPath, int]:
    """Read a path at the beginning of ``text``; return it and where it ends.

    Raises:
        SourcePathError: there is none.
    """
    return _JsonReader(text, is_open=is_open).path()


def read_xml_path(text: str, *, is_open: bool) -> tuple[FieldPath, int]:
    """Read a path at the beginning of ``text``; return it and where it ends.

    Raises:
        SourcePathError: there is none.
    """
    return _XmlReader(text, is_open=is_open).path()


def read_csv_path(text: str, *, is_open: bool) -> tuple[FieldPath, int]:
    """Read a path at the beginning of ``text``; return it and where it ends.

    Raises:
        SourcePathError: there is none.
    """
    return _CsvReader(text, is_open=is_open).path()
