"""Partner overlays: edits of a definition, one a line, each narrower than what it changes.

    overlay acme.850 on 850@004010 "ACME retail order"
    BEG.01 codes 00 05
    parties split N1.01 ST as ship_to M1 | BY as buyer M1

What allows more than before is refused, unless the line says ``extend``; then it is listed in
``Definition.extensions``. Overlays stack: each narrows what the one before it left.

Source: the grammar in docs/reference/dictionary.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from longshore.x12.dictionary.bodies import read_body
from longshore.x12.dictionary.clauses import Clause, ClauseKind, read_clauses
from longshore.x12.dictionary.edited import EditedBody, edit
from longshore.x12.dictionary.guides import is_wider
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lines import FileFaults, FileLine, Releases, read_lines, unquoted
from longshore.x12.dictionary.model import STANDARD, Definition, Loop, Node, SegmentUse
from longshore.x12.dictionary.narrowing import place_of, with_rule
from longshore.x12.dictionary.paths import Path, read_path
from longshore.x12.dictionary.sets import Lookup, standard_body
from longshore.x12.dictionary.variants import split_node

_NAME: Final = re.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_BASE: Final = re.compile("([0-9A-Z]{3})@([0-9]{6})")
_NOT_THERE: Final = "N"  # requirement of the standard where it has no such position


class OverlayHead(NamedTuple):
    """The first line of an overlay: its name, the set and release it is on, its title."""

    name: str
    tx_set: str
    release: str
    title: str


def read_overlay_head(file: str, text: str) -> OverlayHead:
    """Read what an overlay is called and what it is on.

    Raises:
        DictionaryError: the text breaks the grammar, or does not begin with an overlay's head.
    """
    return _head(file, read_lines(file, text))


def apply(definition: Definition, text: str, file: str, lookup: Lookup | None = None) -> Definition:
    """Return ``definition`` narrowed by an overlay, whose name becomes the layer of the changes.

    ``lookup`` finds the segments of added positions; without it, those Longshore knows.

    Raises:
        DictionaryError: every line that breaks the grammar, matches nothing, or allows more than
            before without saying ``extend``; an overlay on another set or release.
    """
    lines = read_lines(file, text)
    head = _head(file, lines)
    if (head.tx_set, head.release) != (definition.tx_set, definition.release):
        raise lines[0].fault(f"this is no overlay on {definition.tx_set}@{definition.release}")
    if head.name in {STANDARD, definition.guide}:
        raise lines[0].fault(f"{head.name} is the name of another layer")
    edits = _Edits(head.name, definition, lookup or shipped().vocabulary.segment)
    faults = FileFaults()
    for block in _blocks(lines[1:]):
        with faults.gathered():
            edits.take(block)
    faults.check()
    return replace(
        definition,
        body=edits.body.nodes(),
        layer=head.name,
        base=definition.base or definition,
        extensions=(*definition.extensions, *edits.extensions),
    )


def _head(file: str, lines: Sequence[FileLine]) -> OverlayHead:
    line = lines[0] if lines else FileLine(file, 0, 0, ("",), Releases())
    match line.words:
        case ("overlay", name, "on", base, title) if _NAME.fullmatch(name) and (
            found := _BASE.fullmatch(base)
        ):
            return OverlayHead(name, found[1], found[2], unquoted(title))
        case _:
            raise line.fault('an overlay begins with: overlay NAME on 850@004010 "title"')


def _blocks(lines: Sequence[FileLine]) -> list[list[FileLine]]:
    """Group each line at depth 0 with the deeper ones that follow it."""
    blocks: list[list[FileLine]] = []
    for line in lines:
        if line.depth and blocks:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


class _Edits:
    """The body of a definition while edits change it."""

    def __init__(self, layer: str, definition: Definition, lookup: Lookup) -> None:
        self.body = EditedBody(definition.body)
        self.extensions: list[str] = []
        self._layer = layer
        self._release = definition.release
        self._requirements = {"M": "R", "O": "S"} if definition.guide else {"M": "M", "O": "O"}
        self._lookup = lookup
        self._splits: dict[str, set[str]] = {}

    def take(self, block: list[FileLine]) -> None:
        """Carry out one edit, unless it is for other releases.

        Raises:
            DictionaryError: it cannot be done.
        """
        line = block[0]
        if line.depth:
            raise line.fault("an edit begins at the left margin")
        if not line.releases.holds(self._release):
            return
        if line.words[0] == "extend":
            self._add(block)
            return
        if block[1:]:
            raise block[1].fault("only a loop that extend adds has lines below it")
        words = list(line.words)
        path = read_path(line, words)
        for clause in read_clauses(line, words):
            self._change(line, path, clause)

    def _change(self, line: FileLine, path: Path, clause: Clause) -> None:
        def change(node: Node, *, is_trigger: bool) -> tuple[Node, ...]:
            if path.position is None:
                return self._node(line, path, clause, node, is_trigger=is_trigger)
            assert isinstance(node, SegmentUse)  # of a loop its trigger is handed over
            return (self._element(line, path, clause, node),)

        is_split = clause.kind is ClauseKind.SPLIT
        edit(self.body, line, path, self._splits, change, is_whole=is_split)

    def _element(self, line: FileLine, path: Path, clause: Clause, use: SegmentUse) -> SegmentUse:
        assert path.position is not None
        if clause.element is None:
            raise line.fault(f"{clause.kind} is for segments and loops, not for elements")
        if clause.maximum == 0:
            raise line.fault("an element repeats a number of times, not without limit")
        place = place_of(line, use, path.position, path.component)
        rule = clause.element.applied(line, place, self._layer)
        self._refuse_wider(line, path, clause, list(clause.element.widenings(place)))
        return with_rule(use, path.position, path.component, rule)

    def _node(
        self, line: FileLine, path: Path, clause: Clause, node: Node, *, is_trigger: bool
    ) -> tuple[Node, ...]:
        if clause.kind in {ClauseKind.LEN, ClauseKind.CODES}:
            raise line.fault(f"{clause.kind} is for elements: name one, such as .01")
        if is_trigger:
            raise line.fault("what begins a loop is always there once: edit the loop")
        if clause.kind is ClauseKind.SPLIT:
            return self._split(line, path, clause, node)
        if clause.kind is ClauseKind.DROP:
            self._refuse_wider(line, path, clause, ["not used"] if node.is_required else [])
            return ()
        maximum = node.maximum if clause.maximum is None else clause.maximum
        self._refuse_wider(line, path, clause, _wider(node, clause.requirement, maximum))
        requirement = self._requirements[clause.requirement]
        return (replace(node, requirement=requirement, maximum=maximum, layer=self._layer),)

    def _split(self, line: FileLine, path: Path, clause: Clause, node: Node) -> tuple[Node, ...]:
        nodes, wider = split_node(line, node, clause, self._layer, self._requirements)
        self._refuse_wider(line, path, clause, wider)
        labels = {variant.label for variant in clause.variants}
        self._splits.setdefault(path.steps[-1].name, set()).update(labels)
        return nodes

    def _add(self, block: list[FileLine]) -> None:
        """Add a position or loop after the one at a path.

        Raises:
            DictionaryError: It breaks the grammar, or its segment is unknown.
        """
        line = block[0]
        words = list(line.words[1:])
        path = read_path(line, words, is_one_word=True) if words else None
        if path is None or path.position is not None or not words:
            raise line.fault("extend PATH needs a position behind it, such as REF O5")
        [raw] = read_body(
            [line._replace(words=tuple(words)), *block[1:]], "MO", self._layer, depth=0
        )
        [new] = standard_body((raw,), self._release, self._lookup)
        added = _of_layer(new, self._layer)

        def change(node: Node, *, is_trigger: bool) -> tuple[Node, ...]:
            del is_trigger  # after a trigger comes the next segment of its loop
            return node, added

        edit(self.body, line, path, self._splits, change, is_whole=False)
        self.extensions.append(f"{path.text}: {' '.join(words)}")

    def _refuse_wider(self, line: FileLine, path: Path, clause: Clause, wider: list[str]) -> None:
        """Refuse an edit that is wider than before without ``extend``; record one with it.

        Raises:
            DictionaryError: The edit is wider and has no ``extend``.
        """
        if wider and not clause.is_extend:
            reason = ", ".join(wider)
            raise line.fault(f"{path.text} would allow more than before ({reason}): say extend")
        if clause.element is not None and clause.element.more_codes:
            wider = [*wider, f"codes {' '.join(clause.element.more_codes)}"]
        self.extensions.extend(f"{path.text}: {what}" for what in wider)


def _wider(node: Node, requirement: str, maximum: int) -> list[str]:
    """Return in words what an occurrence allows more than a node does."""
    wider = ["not required"] if node.is_required and requirement == "O" else []
    if is_wider(maximum, node.maximum):
        wider.append(f"{maximum or 'any number of'} times")
    return wider


def _of_layer(node: Node, layer: str) -> Node:
    """Return a node that the standard does not have in its place."""
    if isinstance(node, Loop):
        node = replace(node, body=tuple(_of_layer(each, layer) for each in node.body))
    return replace(node, layer=layer, base_requirement=_NOT_THERE, base_maximum=0)
