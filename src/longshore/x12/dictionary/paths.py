"""Paths of a partner overlay: the position, loop, element or component that an edit changes.

``BEG.01``, ``lines PO1.06``, ``lines.descriptions``, ``parties[ship_to] N1.03``, ``DTM[2]``. A name
in lower case is a label; a name in capitals is a segment or, if there is none, a loop. The name in
brackets is the label of one of several, or its number counted from 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from longshore.x12.dictionary.lines import FileLine

_STEP: Final = (
    r"(?:[a-z][a-z0-9_]*|[A-Z0-9][A-Z0-9_]{1,9})(?:\[(?:[a-z][a-z0-9_]*|[1-9][0-9]{0,8})\])?"
)
_PATH: Final = re.compile(rf"{_STEP}(?:\.{_STEP})*")
_SEGMENT_PATH: Final = re.compile(rf"[A-Z][A-Z0-9]{{1,2}}(?:\[[a-z0-9_]+\])?(?:\.{_STEP})*")
_OCCURRENCE: Final = re.compile(r"[MO](?:[0-9]+|\*)")
_POSITION: Final = re.compile("[0-9]{2}")
_MAX_POSITIONS: Final = 2  # element and component


@dataclass(frozen=True, slots=True)
class PathStep:
    """One name of a path."""

    name: str
    variant: str
    """The text in brackets after the name."""

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"{self.name}[{self.variant}]" if self.variant else self.name


@dataclass(frozen=True, slots=True)
class Path:
    """Steps from the outside in; element and component positions, 1-based, or None."""

    steps: tuple[PathStep, ...]
    position: int | None
    component: int | None
    text: str


def read_path(line: FileLine, words: list[str], *, is_one_word: bool = False) -> Path:
    """Take the path from the front of ``words``.

    Its second word counts to it if it names a segment, unless ``is_one_word``.

    Raises:
        DictionaryError: there is none.
    """
    text = words.pop(0)
    if not is_one_word and words and _continues(words[0]):
        text = f"{text}.{words.pop(0)}"
    parts = text.split(".")
    positions: list[int] = []
    while parts and _POSITION.fullmatch(parts[-1]):
        positions.insert(0, int(parts.pop()))
    if not _PATH.fullmatch(".".join(parts)) or len(positions) > _MAX_POSITIONS:
        raise line.fault(f"{text} is not a path such as BEG.01 or lines.PO1.06")
    steps = tuple(_step(part) for part in parts)
    position, component = (*positions, None, None)[:_MAX_POSITIONS]
    return Path(steps, position, component, text)


def _continues(word: str) -> bool:
    return _SEGMENT_PATH.fullmatch(word) is not None and not _OCCURRENCE.fullmatch(word)


def _step(part: str) -> PathStep:
    name, _, variant = part.rstrip("]").partition("[")
    return PathStep(name, variant)
