"""Lines of ``.xd`` text: indentation, comments, quotes, tags. Faults name file, line and reason.

Reading reports all faults, not only the first: ``FileFaults`` gathers them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, Self, TypeVar

_TOKEN = re.compile(r'"[^"]*"|[^\s"]+(?:"[^"]*"[^\s"]*)*')
_TAG = re.compile(r"@([0-9]{6})?(\.\.)?([0-9]{6})?")
_POSITION_NUMBER = re.compile("#[0-9]")
_INDENT: Final = 2
MAX_DEPTH: Final = 64
_Source = TypeVar("_Source")
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class FileFault:
    """One thing wrong with a dictionary file; ``line`` from 1, 0 for the file as a whole."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        """Return ``file:line: reason``."""
        return f"{self.file}:{self.line}: {self.reason}"


class DictionaryError(ValueError):
    """A dictionary file that cannot be used, with everything that is wrong with it, each once."""

    def __init__(self, faults: Iterable[FileFault]) -> None:
        self.faults = tuple(dict.fromkeys(faults))
        super().__init__("\n".join(map(str, self.faults)))

    def __reduce__(self) -> tuple[type[DictionaryError], tuple[tuple[FileFault, ...]]]:
        """Let it cross a process border."""
        return DictionaryError, (self.faults,)


class FileFaults:
    """Gathers what is wrong until ``check`` raises all of it at once.

    ``with faults.gathered():`` takes over the faults of a DictionaryError that is raised inside.
    """

    def __init__(self) -> None:
        self._found: dict[FileFault, None] = {}
        self._taken: dict[int, DictionaryError] = {}  # by identity

    def gathered(self) -> Self:
        """Return the context in which faults are gathered: entered thousands of times a load."""
        return self

    def __enter__(self) -> None:
        """Begin to gather."""

    def __exit__(self, _kind: object, error: object, _traceback: object) -> bool:
        """Take over what is wrong; raise every other exception."""
        if isinstance(error, DictionaryError):
            self.take(error)
            return True
        return False

    def take(self, error: DictionaryError) -> None:
        """Take over the faults of an error.

        Many lines that refer to one invalid text raise the same error; its faults are added once.
        """
        if id(error) not in self._taken:
            self._taken[id(error)] = error
            self._found.update(dict.fromkeys(error.faults))

    @property
    def found(self) -> tuple[FileFault, ...]:
        """The faults gathered so far."""
        return tuple(self._found)

    def add(self, fault: FileFault) -> None:
        """Note one more."""
        self._found[fault] = None

    def check(self) -> None:
        """Raise the faults gathered, if there are any.

        Raises:
            DictionaryError: With all faults, in the order they were found.
        """
        if self._found:
            raise DictionaryError(self._found)


@dataclass(frozen=True, slots=True)
class Releases:
    """The releases a line is valid in, six digits each, ``""`` for no bound."""

    first: str = ""
    last: str = ""

    def holds(self, release: str) -> bool:
        """Return whether the line is valid in ``release``."""
        return self.first <= release and (not self.last or release <= self.last)

    @property
    def is_bounded(self) -> bool:
        """Return whether the line carries a tag at all."""
        return bool(self.first or self.last)

    def overlaps(self, other: Releases) -> bool:
        """Return whether some release is in both."""
        return (not self.last or other.first <= self.last) and (
            not other.last or self.first <= other.last
        )


ALWAYS: Final = Releases()


class FileLine(NamedTuple):
    """One line with content: its position, depth (from 0) and words, without its tag."""

    file: str
    number: int
    depth: int
    words: tuple[str, ...]
    releases: Releases

    def fault(self, reason: str) -> DictionaryError:
        """Return the error that this line is wrong."""
        return DictionaryError([FileFault(self.file, self.number, reason)])


def read_lines(file: str, text: str) -> tuple[FileLine, ...]:
    """Return the lines of a file that have content.

    Raises:
        DictionaryError: A tab, an odd indentation, an open quote, a malformed tag.
    """
    bare = ((number, without_comment(raw)) for number, raw in enumerate(text.splitlines(), 1))
    return gathered_from(
        ((number, raw) for number, raw in bare if raw), lambda it: read_line(file, *it)
    )


def gathered_from(
    sources: Iterable[_Source], read: Callable[[_Source], _Read]
) -> tuple[_Read, ...]:
    """Return ``read`` of each source.

    Raises:
        DictionaryError: with the faults of all sources that have any.
    """
    faults = FileFaults()
    done = []
    for source in sources:
        try:  # as ``gathered`` does, in a fifth of the time: thousands of lines are read so
            done.append(read(source))
        except DictionaryError as error:
            faults.take(error)
    faults.check()
    return tuple(done)


def without_comment(raw: str) -> str:
    """Return a line without its comment and trailing blanks; ``#12`` is a position number."""
    if "#" in raw:
        quoted, start = False, len(raw) - len(raw.lstrip())
        for at, mark in enumerate(raw):
            if mark == '"':
                quoted = not quoted
            elif mark == "#" and not quoted:
                is_number = at > start and _POSITION_NUMBER.match(raw, at) is not None
                if not is_number:
                    return raw[:at].rstrip()
    return raw.rstrip()


def read_line(file: str, number: int, bare: str) -> FileLine:
    """Return one line, already without comment.

    Raises:
        DictionaryError: a tab, an odd or too deep indentation, an open quote, a malformed tag.
    """
    text = bare.lstrip(" ")
    depth, odd = divmod(len(bare) - len(text), _INDENT)
    if "\t" in bare or odd or depth > MAX_DEPTH or bare.count('"') % 2:
        raise FileLine(file, number, 0, (), ALWAYS).fault(_malformation(bare, odd))
    words: list[str] = _TOKEN.findall(text) if '"' in text else text.split()
    if "@" not in text and words:
        return FileLine(file, number, depth, tuple(words), ALWAYS)
    line = FileLine(file, number, 0, (), ALWAYS)
    tags = [word for word in words if word.startswith("@")]
    if len(tags) > 1:
        raise line.fault("more than one tag")
    if len(words) == len(tags):
        raise line.fault("a tag needs something before it")
    releases = _releases(line, tags[0]) if tags else ALWAYS
    bare_words = tuple(word for word in words if not word.startswith("@"))
    return FileLine(file, number, depth, bare_words, releases)


def _malformation(bare: str, odd: int) -> str:
    """Return why a line cannot be split into words; ``odd`` is its surplus of blanks."""
    if "\t" in bare:
        return "a tab; indent with two spaces"
    if bare.count('"') % 2:
        return "a quote is not closed"
    return (
        "indentation is not a multiple of two spaces"
        if odd
        else f"indented deeper than {MAX_DEPTH} levels"
    )


def _releases(line: FileLine, word: str) -> Releases:
    match = _TAG.fullmatch(word)
    if match is None:
        raise line.fault(f"{word} is not a tag such as @005010..")
    first, dots, last = match.groups(default="")
    releases = Releases(first, last if dots else first)
    if not releases.is_bounded or (last and not dots) or (releases.last and first > releases.last):
        raise line.fault(f"{word} is not a tag such as @005010..")
    return releases


def unquoted(word: str) -> str:
    """Return a word without the quotes around it."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word
