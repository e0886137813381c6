"""Paths of a partner overlay: which position, loop, element or component an edit is about.

``BEG.01``, ``lines PO1.06``, ``lines.descriptions``, ``parties[ship_to] N1.03``, ``DTM[2]``. A name
in lower case is a label; one in capitals is a segment, where there is none a loop. The name in
brackets is the label of one of several, or its number counted from 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Protocol

from longshore.x12.dictionary.candidates import clash
from longshore.x12.dictionary.lines import Line
from longshore.x12.dictionary.model import Loop, Node, SegmentUse

_STEP: Final = (
    r"(?:[a-z][a-z0-9_]*|[A-Z0-9][A-Z0-9_]{1,9})(?:\[(?:[a-z][a-z0-9_]*|[1-9][0-9]{0,8})\])?"
)
_PATH: Final = re.compile(rf"{_STEP}(?:\.{_STEP})*")
_SEGMENT_PATH: Final = re.compile(rf"[A-Z][A-Z0-9]{{1,2}}(?:\[[a-z0-9_]+\])?(?:\.{_STEP})*")
_OCCURRENCE: Final = re.compile(r"[MO](?:[0-9]+|\*)")
_POSITION: Final = re.compile("[0-9]{2}")
_ORDINAL: Final = re.compile("[0-9]+")
_MOST_POSITIONS: Final = 2  # element and component

Splits = Mapping[str, set[str]]


class Change(Protocol):
    """Makes of a node what stands in its place; ``is_trigger``: it begins a loop."""

    def __call__(self, node: Node, *, is_trigger: bool) -> tuple[Node, ...]:
        """Return what stands in the place of ``node``."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One name of a path; ``variant``: what stands in brackets behind it."""

    name: str
    variant: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"{self.name}[{self.variant}]" if self.variant else self.name


@dataclass(frozen=True, slots=True)
class Path:
    """Steps from the outside in; element and component positions, 1-based, or None."""

    steps: tuple[Step, ...]
    position: int | None
    component: int | None
    text: str


def read_path(line: Line, words: list[str], *, is_one_word: bool = False) -> Path:
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
    if not _PATH.fullmatch(".".join(parts)) or len(positions) > _MOST_POSITIONS:
        raise line.fault(f"{text} is not a path such as BEG.01 or lines.PO1.06")
    steps = tuple(_step(part) for part in parts)
    position, component = (*positions, None, None)[:_MOST_POSITIONS]
    return Path(steps, position, component, text)


def _continues(word: str) -> bool:
    return _SEGMENT_PATH.fullmatch(word) is not None and not _OCCURRENCE.fullmatch(word)


def _step(part: str) -> Step:
    name, _, variant = part.rstrip("]").partition("[")
    return Step(name, variant)


@dataclass(frozen=True, slots=True)
class Walk:
    """The way of one edit to the node it changes.

    ``splits``: labels of the variants that earlier edits made, by the name they were split under.
    ``change`` gets the node and returns what stands in its place. A path that ends in a loop and
    names an element means that of the trigger.
    """

    line: Line
    path: Path
    splits: Splits
    change: Change

    def changed(self, body: tuple[Node, ...]) -> tuple[Node, ...]:
        """Return ``body`` with the change in it.

        Raises:
            DictionaryError: the path matches nothing, or several nodes; what is put there cannot be
                told from its neighbours; what ``change`` raises.
        """
        return self._changed(body, self.path.steps, is_inside=False)

    def _changed(
        self, body: tuple[Node, ...], steps: tuple[Step, ...], *, is_inside: bool
    ) -> tuple[Node, ...]:
        index = self._found(body, steps[0])
        node = body[index]
        new: tuple[Node, ...]
        if len(steps) > 1:
            if not isinstance(node, Loop):
                raise self.line.fault(f"{steps[0]} is no loop")
            new = (replace(node, body=self._changed(node.body, steps[1:], is_inside=True)),)
        elif self.path.position is not None and isinstance(node, Loop):
            trigger = self.change(node.trigger, is_trigger=True)
            new = (replace(node, body=(*trigger, *node.body[1:])),)
        else:
            new = self.change(node, is_trigger=is_inside and index == 0)
        whole = (*body[:index], *new, *body[index + 1 :])
        if [each.label for each in new] not in ([], [node.label]):
            _check_neighbours(self.line, whole)
        return whole

    def _found(self, body: tuple[Node, ...], step: Step) -> int:
        """Return the index of the node a step names.

        Raises:
            DictionaryError: none, or more than one.
        """
        named = [at for at, node in enumerate(body) if _is_named(node, step.name)]
        if not named:
            loops = enumerate(body)
            named = [at for at, node in loops if isinstance(node, Loop) and node.id == step.name]
        if _ORDINAL.fullmatch(step.variant):
            named = named[int(step.variant) - 1 : int(step.variant)]
        elif step.variant:
            split = step.variant in self.splits.get(step.name, ())
            labelled = [at for at, node in enumerate(body) if node.label == step.variant]
            named = [at for at in labelled if split or at in named]
        if not named:
            raise self.line.fault(f"{step} names nothing here")
        if len(named) > 1:
            count = len(named)
            raise self.line.fault(f"{step} stands here {count} times: name one by label or as [2]")
        return named[0]


def _check_neighbours(line: Line, body: tuple[Node, ...]) -> None:
    """Refuse a changed body.

    Raises:
        DictionaryError: a label stands twice in it, or neighbours cannot be told apart.
    """
    labels = [node.label for node in body if node.label]
    if len(set(labels)) < len(labels):
        raise line.fault("a label would stand twice in one body")
    for earlier, later in pairwise(body):
        if _tag(earlier) == _tag(later) and (reason := clash(earlier.when, later.when)):
            raise line.fault(f"two {_tag(later)} side by side: {reason}")


def _tag(node: Node) -> str:
    return node.trigger.segment.id if isinstance(node, Loop) else node.segment.id


def _is_named(node: Node, name: str) -> bool:
    is_segment = isinstance(node, SegmentUse) and node.segment.id == name
    return is_segment or node.label == name
