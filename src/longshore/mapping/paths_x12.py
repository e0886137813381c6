"""Source paths of X12: ``BEG.03``, ``N1[01=ST|BT][*]>N4.01``, ``ST[*]/PO1[-1]:REF.02``.

Source: fields-and-mapping.md section 4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from longshore.mapping.paths import (
    INDEX,
    VALUES,
    Comparison,
    SourcePathError,
    comparison_of,
    index_of,
)
from longshore.mapping.target_paths import ALL, Index
from longshore.x12.control import CONTROL_IDS

OWN_FRAME: Final = frozenset(("ISA", "GS", "ST", "SE"))
"""Segments of the envelope of which each set has its own."""

_ID: Final = "[A-Za-z][A-Za-z0-9]{1,2}"
_POSITION: Final = "[0-9]{2,3}"
_CONDITION: Final = rf"{_POSITION}(?:\.{_POSITION})?!?={VALUES}"
_SCOPE = re.compile(r"ST\[([0-9]{1,9}|\*)\]/")
_STEP = re.compile(
    rf"({_ID})((?:\[{_CONDITION}(?:,{_CONDITION})*+\])*+)({INDEX})?(?![A-Za-z0-9\[])", re.DOTALL
)
_ONE_CONDITION = re.compile(
    rf"({_POSITION})(?:\.({_POSITION}))?(!?=)({VALUES})(?:,|\]\[?)", re.DOTALL
)
_ELEMENT = re.compile(rf"\.({_POSITION})({INDEX})?(?:\.({_POSITION}))?(?![A-Za-z0-9.\[])")
# BEG03 for BEG.03
_ALIAS = re.compile(rf"({_ID}?)([0-9]{{2}})(?![A-Za-z0-9.\[>:])")
_STEP_SEPARATOR = re.compile(">>?|:")
_GRAMMAR: Final = "a path is like BEG.03, PO1[*].02, N1[01=ST]>N4.01 or SV1.01.02"
_COUNTED: Final = "occurrences, elements, repetitions and components are numbered from 1"


class SegmentCondition(NamedTuple):
    """``01=ST`` or ``01.02!=A|B``: what an element of a segment, or a component of it, must be."""

    position: int
    component: int
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class SegmentStep:
    """Segments of an id that fulfil all conditions; ``index`` counts these, from 1."""

    segment_id: str
    conditions: tuple[SegmentCondition, ...]
    index: Index
    separator: str
    """The separator before it: ``>``, ``>>``, ``:`` or, for a first step, ``""``."""

    @property
    def is_deep(self) -> bool:
        """True if all levels below an HL are searched."""
        return self.separator == ">>"

    @property
    def is_direct(self) -> bool:
        """True if it is directly in its set or in the loop of the step before it."""
        return self.separator == ":"

    @property
    def is_first(self) -> bool:
        """True if it is the first segment of its id, whatever its elements."""
        return self.index == 1 and not self.conditions


@dataclass(frozen=True, slots=True)
class X12Path:
    """A source path."""

    text: str
    head: str
    """The text before the element."""
    outer_heads: tuple[str, ...]
    """Up to each step but the last."""
    prefixes: tuple[str, ...]
    tx_index: Index | None
    """The set, from 1, ``ALL`` of them; None: the one the rules are for."""
    steps: tuple[SegmentStep, ...]
    position: int
    """0 for the segment as such, in conditions of rules."""
    repetition: Index
    component: int
    """0 for the whole element."""
    is_control: bool
    """It begins with a segment that is numbered over the whole document."""
    is_near: bool
    """It is about the one set and has one step, which needs no loops."""
    is_whole: bool
    """It names neither a component nor a repetition other than the first."""

    @property
    def is_about_one_set(self) -> bool:
        """True if it reads one set only, or the ISA, GS, ST or SE around it."""
        if self.is_control:
            return self.steps[0].is_first and self.steps[0].segment_id in OWN_FRAME
        return self.tx_index is None


def read_x12_path(text: str, *, is_open: bool) -> tuple[X12Path, int]:
    """Read a path at the beginning of ``text``; return it and where it ends.

    Raises:
        SourcePathError: there is none.
    """
    reader = _Reader(text)
    path = reader.path()
    if not (path.position or is_open):
        raise SourcePathError(_GRAMMAR)
    is_alone = len(path.steps) == 1 and not path.steps[0].is_direct
    if path.is_control and (path.tx_index is not None or not is_alone):
        raise SourcePathError("a segment of the envelope stands in no set and begins no loop")
    return path, reader.at


class _Reader:
    """Reads one path."""

    def __init__(self, text: str) -> None:
        self.at = 0
        """The index after the text that has been read."""
        self._text = text
        self._prefixes: list[str] = []
        self._outer_heads: list[str] = []

    def path(self) -> X12Path:
        tx_index = self._scope()
        steps, position = self._steps()
        head = self._text[: self.at]
        repetition: Index = 1
        component = 0
        if position:
            head = head[:-2]
        elif element := _ELEMENT.match(self._text, self.at):
            position, repetition = self._number(element[1]), self._index(element[2])
            if element[3]:
                component = self._number(element[3])
            if repetition is ALL:
                self._prefixes.append(self._text[: element.end(2)])
            elif repetition < 1:
                raise SourcePathError(_COUNTED)
            self.at = element.end()
        text = self._text[: self.at]
        return X12Path(
            text=text,
            head=head,
            outer_heads=tuple(self._outer_heads),
            prefixes=tuple(self._prefixes),
            tx_index=tx_index,
            steps=steps,
            position=position,
            repetition=repetition,
            component=component,
            is_control=steps[0].segment_id in CONTROL_IDS,
            is_near=tx_index is None and len(steps) == 1 and not steps[0].is_direct,
            is_whole=repetition == 1 and not component,
        )

    def _scope(self) -> Index | None:
        scope = _SCOPE.match(self._text)
        if scope is None:
            return None
        self.at = scope.end()
        if scope[1] != "*":
            return int(scope[1])  # 0: outside every set
        self._prefixes.append(scope[0])
        return ALL

    def _steps(self) -> tuple[tuple[SegmentStep, ...], int]:
        """Read the segments; if the last is written like ``BEG03``, return its position too."""
        steps: list[SegmentStep] = []
        separator = ":" if self._text.startswith(":", self.at) else ""
        self.at += len(separator)
        while True:
            if alias := _ALIAS.match(self._text, self.at):
                self.at = alias.end()
                steps.append(SegmentStep(alias[1], (), 1, separator))
                return tuple(steps), self._number(alias[2])
            steps.append(self._step(separator))
            following = _STEP_SEPARATOR.match(self._text, self.at)
            if following is None:
                return tuple(steps), 0
            self._outer_heads.append(self._text[: self.at])
            separator, self.at = following[0], following.end()

    def _step(self, separator: str) -> SegmentStep:
        match = _STEP.match(self._text, self.at)
        if match is None:
            raise SourcePathError(_GRAMMAR)
        self.at = match.end()
        index = self._index(match[3])
        if index is ALL:
            self._prefixes.append(self._text[: self.at])
        conditions = map(self._condition, _ONE_CONDITION.finditer(match[2], 1))
        return SegmentStep(match[1], tuple(conditions), index, separator)

    def _condition(self, match: re.Match[str]) -> SegmentCondition:
        component = self._number(match[2]) if match[2] else 0
        return SegmentCondition(
            self._number(match[1]), component, comparison_of(match[3], match[4])
        )

    def _index(self, text: str | None) -> Index:
        index = index_of(text, 1)
        if index == 0:
            raise SourcePathError(_COUNTED)
        return index

    def _number(self, digits: str) -> int:
        if not int(digits):
            raise SourcePathError(_COUNTED)
        return int(digits)
