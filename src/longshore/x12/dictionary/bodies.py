"""Read set and guide files: a head line, then positions and loops by indentation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from longshore.x12.dictionary.lines import (
    FileFault,
    FileFaults,
    FileLine,
    Releases,
    gathered_from,
    read_lines,
    unquoted,
)
from longshore.x12.dictionary.model import ElementRule, ValueCondition
from longshore.x12.dictionary.records import LABEL, SEGMENT_ID
from longshore.x12.dictionary.rules import read_rules

_OCCURRENCE = re.compile(r"([MORSN])([1-9][0-9]{0,8}|\*)")
_LOOP_ID = re.compile("[A-Z0-9][A-Z0-9_]{0,9}")
_REFERENCE = re.compile(r"([A-Z][A-Z0-9]{1,2})\.([0-9]{2})(?:\.([0-9]{2}))?")
_SPAN = re.compile(r"([0-9]{6})(?:\.\.([0-9]{6}))?")
_BASE = re.compile("([0-9]{3})@([0-9]{6})")
_SET_ID = re.compile("[0-9A-Z]{3}")
_GROUP = re.compile("[A-Z]{2}")
_POSITION_NUMBER = re.compile("#[0-9]+")
_MAX_OCCURRENCES: Final = 1024  # entries of the cache
REQUIREMENTS: Final = {"set": "MO", "guide": "RSN"}


class Occurrence(NamedTuple):
    """Requirement code and maximum; 0 means no limit."""

    requirement: str
    maximum: int


@dataclass(frozen=True, slots=True)
class RawNode:
    """A position (``body`` is None) or a loop, as its line describes it."""

    id: str
    """The segment's, or the loop's."""
    occurrence: Occurrence
    label: str
    when: ValueCondition | None
    condition: str
    """The segment that ``when`` speaks of."""
    rules: Mapping[int, ElementRule] | None
    """The element rules of a guide, by position; None in a set."""
    body: tuple[RawNode, ...] | None
    line: FileLine

    @property
    def tag(self) -> str:
        """Return the id of the segment it begins with."""
        return self.body[0].id if self.body else self.id


@dataclass(frozen=True, slots=True)
class RawSet:
    """A set file or a guide file."""

    kind: str
    name: str
    """The set's id, or the guide's."""
    functional_id: str
    releases: Releases
    title: str
    base: tuple[str, str] | None
    """The set and release that a guide narrows."""
    body: tuple[RawNode, ...]
    line: FileLine


def read_set(file: str, text: str) -> RawSet:
    """Read a file with one set or one guide.

    Raises:
        DictionaryError: lines that break the grammar.
    """
    lines = read_lines(file, text)
    head = _head(file, lines)
    if len(lines) == 1:
        raise lines[0].fault("the set has no segments")
    return replace(head, body=read_body(lines[1:], REQUIREMENTS[head.kind], head.name))


def read_head(file: str, text: str) -> RawSet:
    """Read only the head of a set or guide; its body is left empty.

    Raises:
        DictionaryError: the file does not begin with one.
    """
    end = re.search(r"^[^\s#].*$", text, re.MULTILINE)
    before = text[: end.end()] if end else ""
    return _head(file, read_lines(file, before))


def _head(file: str, lines: Sequence[FileLine]) -> RawSet:
    line = lines[0] if lines else FileLine(file, 0, 0, ("",), Releases())
    if line.depth or line.words[0] not in REQUIREMENTS:
        raise line.fault("the file must begin with: set …, or: guide …")
    return _guide_head(line) if line.words[0] == "guide" else _set_head(line)


def _set_head(line: FileLine) -> RawSet:
    match line.words:
        case ("set", name, group, span, title) if (
            _SET_ID.fullmatch(name)
            and _GROUP.fullmatch(group)
            and (found := _SPAN.fullmatch(span))
            and found[1] <= (found[2] or found[1])
        ):
            releases = Releases(found[1], found[2] or found[1])
            return RawSet("set", name, group, releases, unquoted(title), None, (), line)
    raise line.fault('a set begins with: set 850 PO 004010..005010 "title"')


def _guide_head(line: FileLine) -> RawSet:
    match line.words:
        case ("guide", name, "on", base, title) if found := _BASE.fullmatch(base):
            releases = Releases(found[2], found[2])
            on = (found[1], found[2])
            return RawSet("guide", name, "", releases, unquoted(title), on, (), line)
    raise line.fault('a guide begins with: guide 005010X222A1 on 837@005010 "title"')


def read_body(
    lines: Sequence[FileLine], requirements: str, layer: str, depth: int = 1
) -> tuple[RawNode, ...]:
    """Read the nodes of one body, whose own lines are indented to ``depth``.

    ``requirements`` are the requirement codes allowed, ``layer`` is what element rules belong to.

    Raises:
        DictionaryError: lines that break the grammar; a loop without its trigger.
    """
    heads = gathered_from(lines, lambda line: read_node(line, requirements, layer))
    faults = FileFaults()
    body, end = _nest(heads, 0, depth, faults)
    if end < len(heads):
        line = heads[end].line
        faults.add(FileFault(line.file, line.number, "only one set stands in a file"))
    faults.check()
    return body


def _nest(
    heads: Sequence[RawNode], start: int, depth: int, faults: FileFaults
) -> tuple[tuple[RawNode, ...], int]:
    """Put nodes into the loops they are indented under; return them and where the body ends."""
    nodes: list[RawNode] = []
    at = start
    while at < len(heads) and heads[at].line.depth >= depth:
        head = heads[at]
        at += 1
        if head.body is not None:
            body, at = _nest(heads, at, depth + 1, faults)
            head = replace(head, body=body)
        with faults.gathered():
            nodes.append(_checked(head, depth))
    return tuple(nodes), at


def _checked(node: RawNode, depth: int) -> RawNode:
    """Return a node whose body is read.

    Raises:
        DictionaryError: it is indented too deep, has no trigger, or its condition speaks of
            another segment than its own.
    """
    if node.line.depth > depth:
        raise node.line.fault("indented deeper than the body it stands in")
    if node.body is not None:
        if not node.body or node.body[0].body is not None:
            raise node.line.fault(f"loop {node.id} must begin with the segment that triggers it")
        trigger = node.body[0]
        if trigger.occurrence.requirement not in "MR" or trigger.occurrence.maximum != 1:
            raise trigger.line.fault(f"the trigger of loop {node.id} must be M1, in guides R1")
    if node.condition not in {"", node.tag}:
        raise node.line.fault(f"the condition must be on {node.tag}, not on {node.condition}")
    return node


def read_node(line: FileLine, requirements: str, layer: str) -> RawNode:
    """Read one position, or the head of one loop, its body empty; ``layer`` has its element rules.

    Raises:
        DictionaryError: the line breaks the grammar.
    """
    is_loop = line.words[0] == "loop"
    words = list(line.words[1:] if is_loop else line.words)
    rules = None
    if ":" in words:
        at = words.index(":")
        if is_loop or requirements != REQUIREMENTS["guide"]:
            raise line.fault("element rules belong to the segments of a guide")
        rules, words = read_rules(line, " ".join(words[at + 1 :]), layer), words[:at]
    if len(words) < 2:  # noqa: PLR2004 - id and occurrence
        raise line.fault("an id and an occurrence such as M1 or O* are needed")
    node_id, occurrence = words[0], read_occurrence(line, words[1], requirements)
    if not (_LOOP_ID if is_loop else SEGMENT_ID).fullmatch(node_id):
        raise line.fault(f"{node_id} is not a {'loop' if is_loop else 'segment'} id")
    label, condition, when = _options(line, words[2:])
    return RawNode(
        node_id, occurrence, label, when, condition, rules, () if is_loop else None, line
    )


def read_occurrence(line: FileLine, word: str, requirements: str) -> Occurrence:
    """Read a requirement with its maximum, such as ``M1`` or ``O*``.

    Raises:
        DictionaryError: it is something else.
    """
    found = _occurrence(word)
    if found is None or found.requirement not in requirements:
        raise line.fault(f"{word} is not an occurrence: one of {requirements}, then a number or *")
    return found


@lru_cache(maxsize=_MAX_OCCURRENCES)
def _occurrence(word: str) -> Occurrence | None:
    match = _OCCURRENCE.fullmatch(word)
    return match and Occurrence(match[1], 0 if match[2] == "*" else int(match[2]))


def read_label(line: FileLine, word: str) -> str:
    """Return a word that is a label.

    Raises:
        DictionaryError: it is none.
    """
    if not LABEL.fullmatch(word):
        raise line.fault(f"{word} is not a label: lower-case letters, digits and _")
    return word


def _options(line: FileLine, words: list[str]) -> tuple[str, str, ValueCondition | None]:
    """Read what may follow an occurrence: a label, a condition, a position number."""
    label, condition = "", ""
    when: ValueCondition | None = None
    while words:
        word = words.pop(0)
        if word == "as" and words and not label:
            label = read_label(line, words.pop(0))
        elif word == "when" and words and when is None:
            condition, when = _when(line, words.pop(0))
        elif not _POSITION_NUMBER.fullmatch(word):
            raise line.fault(f"{word} is not expected here")
    return label, condition, when


def _when(line: FileLine, word: str) -> tuple[str, ValueCondition]:
    reference, _, values = word.partition("=")
    found = read_reference(reference)
    if found is None or not values:
        raise line.fault(f"{word} is not a condition such as N1.01=ST|BT")
    segment_id, position, component = found
    return segment_id, ValueCondition(
        position, component, tuple(map(unquoted, split_values(values)))
    )


def read_reference(word: str) -> tuple[str, int, int | None] | None:
    """Read ``N1.01`` or ``HI.01.02``: segment, element, component; None if it is neither."""
    match = _REFERENCE.fullmatch(word)
    if match is None:
        return None
    return match[1], int(match[2]), int(match[3]) if match[3] else None


def split_values(text: str) -> list[str]:
    """Split ``A|B|"C|D"`` at the bars outside quotes."""
    return re.findall(r'"[^"]*"|[^|"]+', text)
