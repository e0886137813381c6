r"""Read target paths, which say where a rule writes, in the grammar of each target format.

``lines[*].qty`` (JSON), ``Order.Line[*].@unit`` (XML), ``qty`` (CSV), ``PO1[*]>PID.05`` (X12).
Names escape ``\ . [ ] / * > @ {`` by a backslash. Wildcards are numbered in their order: the first
takes the first ordinal of a binding.

Source: fields-and-mapping.md sections 2.5 and 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Final

MAX_STEPS: Final = 32
MAX_INDEX: Final = 100_000


class Wildcard(Enum):
    """``*`` in place of an index."""

    ALL = auto()


ALL: Final = Wildcard.ALL
Index = int | Wildcard


@dataclass(frozen=True, slots=True)
class JsonTarget:
    """``lines[*].qty``: names of members, and 0-based indexes of arrays, in order."""

    steps: tuple[str | Index, ...]

    @property
    def wildcards(self) -> int:
        """The number of wildcards."""
        return self.steps.count(ALL)


@dataclass(frozen=True, slots=True)
class XmlStep:
    """An element by name; ``occurrence`` from 1 among those of this name in its parent."""

    name: str
    occurrence: Index = 1


@dataclass(frozen=True, slots=True)
class XmlTarget:
    """``Order.Line[*].@unit``: the text of an element or, if ``attribute`` is set, that of it."""

    steps: tuple[XmlStep, ...]
    attribute: str = ""

    @property
    def wildcards(self) -> int:
        """The number of wildcards."""
        return sum(step.occurrence is ALL for step in self.steps)


@dataclass(frozen=True, slots=True)
class CsvTarget:
    """The name of a column. It has no wildcards: the bindings of its rule make the rows."""

    column: str

    @property
    def wildcards(self) -> int:
        """None, ever."""
        return 0


@dataclass(frozen=True, slots=True)
class X12Step:
    """A segment by id; ``occurrence`` from 1, in its set or in the loop of the step before."""

    segment_id: str
    occurrence: Index = 1


@dataclass(frozen=True, slots=True)
class X12Target:
    """``PO1[*]>PID.05``, ``HI.01[2].01``; positions and repetitions count from 1.

    The last step is the segment that is written; each one before it begins the loop around the
    next.
    """

    steps: tuple[X12Step, ...]
    position: int
    repetition: Index = 1
    component: int = 0
    """0 for the whole element."""

    @property
    def wildcards(self) -> int:
        """The number of wildcards."""
        return sum(step.occurrence is ALL for step in self.steps) + (self.repetition is ALL)


TargetPath = JsonTarget | XmlTarget | CsvTarget | X12Target


class TargetPathError(ValueError):
    """A target path is wrong; the text says why, without quoting it.

    ``limit`` and ``maximum`` are set if it exceeds a limit.
    """

    def __init__(self, message: str, limit: str = "", maximum: int = 0) -> None:
        super().__init__(message)
        self.limit = limit
        self.maximum = maximum


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NAME: Final = r"(?:[^\\.\[\]/*>@{]|\\[\\.\[\]/*>@{])++"
_INDEX: Final = r"\[(?:[0-9]{1,9}|\*)\]"
_JSON_STEP = re.compile(rf"(?:{_INDEX}|{_NAME})(?:{_INDEX})*+(?:\.(?=.)|\Z)", re.DOTALL)
_JSON_PART = re.compile(rf"(?P<index>{_INDEX})|(?P<name>{_NAME})")
_XML_STEP = re.compile(rf"(@?)({_NAME})({_INDEX})?(?:\.(?=.)|\Z)", re.DOTALL)
_X12_STEP = re.compile(r"([A-Z][A-Z0-9]{1,2})(\[(?:[1-9][0-9]{0,8}|\*)\])?")
_X12_ELEMENT = re.compile(
    r"\.([0-9]{2,3})(\[(?:[1-9][0-9]{0,8}|\*)\])?(?:\.([0-9]{2,3}))?\Z",
)


def unescaped(name: str) -> str:
    """Return a name without its escapes."""
    return _ESCAPED.sub(r"\1", name) if "\\" in name else name


def json_target(text: str) -> JsonTarget:
    """Read a path of a JSON target.

    Raises:
        TargetPathError: it does not parse, or passes a limit.
    """
    steps: list[str | Index] = []
    at = 0
    while at < len(text) or not text:
        step = _JSON_STEP.match(text, at)
        if step is None:
            raise TargetPathError(_JSON_GRAMMAR)
        steps.extend(map(_json_part, _JSON_PART.finditer(step[0])))
        at = step.end()
    _limit_steps(len(steps))
    return JsonTarget(tuple(steps))


def _json_part(part: re.Match[str]) -> str | Index:
    return unescaped(part[0]) if part["name"] else _index(part[0])


def xml_target(text: str) -> XmlTarget:
    """Read a path of an XML target.

    Raises:
        TargetPathError: it does not parse, or passes a limit.
    """
    steps: list[XmlStep] = []
    attribute = ""
    at = 0
    while at < len(text) or not text:
        step = _XML_STEP.match(text, at)
        if step is None or attribute or (step[1] and (step[3] or not steps)):
            raise TargetPathError(_XML_GRAMMAR)
        name, occurrence = unescaped(step[2]), _index(step[3])
        if occurrence == 0:
            raise TargetPathError(_XML_GRAMMAR)
        if step[1]:
            attribute = name
        else:
            steps.append(XmlStep(name, occurrence))
        at = step.end()
    _limit_steps(len(steps))
    return XmlTarget(tuple(steps), attribute)


def csv_target(text: str) -> CsvTarget:
    """Read the name of a column; characters of other grammars may be escaped and need not be.

    Raises:
        TargetPathError: it is empty, or has a wildcard.
    """
    if not text or "*" in text.replace("\\*", ""):
        raise TargetPathError("a CSV target is the name of a column, without wildcards")
    return CsvTarget(unescaped(text))


def x12_target(text: str) -> X12Target:
    """Read a path of an X12 target.

    Raises:
        TargetPathError: it does not parse, or passes a limit.
    """
    head, dot, _ = text.partition(".")
    steps = [_x12_step(step) for step in head.split(">")]
    element = _X12_ELEMENT.match(text, len(head))
    if not dot or element is None:
        raise TargetPathError(_X12_GRAMMAR)
    position, component = int(element[1]), int(element[3] or 0)
    if not position or (element[3] and not component):
        raise TargetPathError("elements and components are numbered from 01")
    _limit_steps(len(steps))
    return X12Target(tuple(steps), position, _index(element[2]), component)


def _x12_step(text: str) -> X12Step:
    step = _X12_STEP.fullmatch(text)
    if step is None:
        raise TargetPathError(_X12_GRAMMAR)
    return X12Step(step[1], _index(step[2]))


def _index(text: str | None) -> Index:
    """Read ``[2]`` or ``[*]``; 1 if there is none.

    Raises:
        TargetPathError: it passes the limit.
    """
    if not text:
        return 1
    if text == "[*]":
        return ALL
    index = int(text[1:-1])
    if index > MAX_INDEX:
        raise TargetPathError(f"an index is at most {MAX_INDEX}", "array_index", MAX_INDEX)
    return index


def _limit_steps(count: int) -> None:
    if count > MAX_STEPS:
        raise TargetPathError(f"a target has at most {MAX_STEPS} steps", "target_depth", MAX_STEPS)


_JSON_GRAMMAR: Final = (
    r"a JSON target is like lines[*].qty: names and indexes from 0, joined by points; "
    r"in names a backslash stands before each of \ . [ ] / * > @ {"
)
_XML_GRAMMAR: Final = (
    r"an XML target is like Order.Line[*].Qty or Order.@version, counted from 1; "
    r"in names a backslash stands before each of \ . [ ] / * > @ {"
)
_X12_GRAMMAR: Final = "an X12 target is like BEG.03, PO1[*].02, PO1[*]>PID.05 or HI.01[2].01"

TARGET_PATHS: Final[Mapping[str, Callable[[str], TargetPath]]] = MappingProxyType({
    "x12": x12_target,
    "json": json_target,
    "csv": csv_target,
    "xml": xml_target,
})
"""The reader of target paths, by target format."""
