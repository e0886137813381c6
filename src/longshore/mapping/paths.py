"""The common parts of source paths: conditions, occurrences, wildcards, and ``when``.

Source: fields-and-mapping.md sections 4 and 5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from longshore.mapping.target_paths import ALL, Index

# A negative index counts from the last occurrence.
INDEX: Final = r"\[(?:-?[1-9][0-9]{0,8}|0|\*)\]"
_VALUE: Final = r"(?:'(?:[^']|'')*+'|[^,|\]'*]*+)"
VALUES: Final = rf"{_VALUE}(?:\|{_VALUE})*+"
_ONE_VALUE = re.compile(rf"({_VALUE})(?:\||\Z)")
_COMPARISON = re.compile(rf"(!?=)({VALUES})\Z", re.DOTALL)


MAX_PATH_CHARS: Final = 4_096
"""The maximum length of a path or condition; each of its steps may have to search the whole
document."""


class SourcePathError(ValueError):
    """A source path or a condition does not parse; the text says what is valid."""


class SourcePath(Protocol):
    """The common properties of the paths of every format.

    Args:
        text: As written.
        prefixes: For each wildcard, from the first, the text that ends with it; paths with a common
            prefix iterate over the same occurrences.
    """

    @property
    def text(self) -> str:
        """The path as written, a comparison after it left out."""

    @property
    def prefixes(self) -> tuple[str, ...]:
        """For each wildcard the text that ends with it."""


class PathReader(Protocol):
    """Reads the path of one format."""

    def __call__(self, text: str, *, is_open: bool) -> tuple[SourcePath, int]:
        """Read the path that a text begins with; return it and the index after it.

        Args:
            text: The text.
            is_open: The path is in a condition, where a segment needs no element.
        """
        ...


"""Reads a path at the beginning of a text, one without an element too if the flag is set.

Returns the path and where it ends. Raises SourcePathError.
"""


class Comparison(NamedTuple):
    """``=A|B`` or ``!=A|B``; a missing value compares as the empty one."""

    is_equal: bool
    values: frozenset[str]

    def holds(self, value: str | None) -> bool:
        """Return whether ``value`` fulfils it."""
        return ((value or "") in self.values) is self.is_equal


@dataclass(frozen=True, slots=True)
class PathCondition:
    """A condition of a rule."""

    path: SourcePath
    comparison: Comparison | None
    """None: the value exists and is not empty."""
    is_negated: bool

    def holds(self, value: str | None) -> bool:
        """Return whether one occurrence fulfils it, negation left out."""
        return bool(value) if self.comparison is None else self.comparison.holds(value)


def comparison_of(operator: str, values: str) -> Comparison:
    """Read the values after ``=`` or ``!=``, without quotes."""
    found = [match[1] for match in _ONE_VALUE.finditer(values)]
    if values and not values.endswith("|"):
        found.pop()  # the empty match at the end
    return Comparison(operator == "=", frozenset(map(_unquoted, found)))


def _unquoted(value: str) -> str:
    return value[1:-1].replace("''", "'") if value.startswith("'") else value


def index_of(text: str | None, default: Index) -> Index:
    """Read ``[2]``, ``[-1]`` or ``[*]``; ``default`` if there is none."""
    if not text:
        return default
    return ALL if text == "[*]" else int(text[1:-1])


def read_source(read: PathReader, text: str) -> SourcePath:
    """Read a source path.

    Raises:
        SourcePathError: it does not parse.
    """
    _check_length(text)
    path, end = read(text, is_open=False)
    if end != len(text):
        raise SourcePathError("something follows the end of the path")
    return path


def read_when(read: PathReader, text: str) -> PathCondition:
    """Read a condition: ``[!] path [ (= | !=) value { | value } ]``.

    Raises:
        SourcePathError: it does not parse.
    """
    _check_length(text)
    is_negated = text.startswith("!")
    text = text.removeprefix("!")
    path, end = read(text, is_open=True)
    if end == len(text):
        return PathCondition(path, None, is_negated)
    comparison = _COMPARISON.match(text, end)
    if comparison is None:
        raise SourcePathError("a condition is a path, alone or with = or != and values")
    return PathCondition(path, comparison_of(comparison[1], comparison[2]), is_negated)


def _check_length(text: str) -> None:
    if len(text) > MAX_PATH_CHARS:
        raise SourcePathError(f"a path has at most {MAX_PATH_CHARS} characters")
