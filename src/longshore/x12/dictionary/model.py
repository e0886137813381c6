"""The model of a definition: a transaction set in one release, under one guide.

All of it is immutable and shared. Positions count from 1; a maximum of 0 means no limit.

Source: the grammar in docs/reference/dictionary.md; element types, x12.md section 1.6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import contains
from typing import Final

STANDARD: Final = "standard"  # the layer of X12 itself


CodeBlock = tuple[str, ...]
"""Codes of one length: for each position the characters that may stand there."""


def is_in_block(code: str, block: CodeBlock) -> bool:
    """Return whether a code is one of a block."""
    return len(code) == len(block) and all(map(contains, block, code))


@dataclass(frozen=True, slots=True)
class CodeList:
    """Codes with a meaning in our words. Only a ``strict`` list refuses other codes."""

    name: str
    meanings: Mapping[str, str]
    is_strict: bool = False
    blocks: tuple[CodeBlock, ...] = ()
    """Codes that the list may have and that have no meaning here."""
    has_own_codes: bool = False
    """True if users' codes changed the list."""

    def __contains__(self, code: str) -> bool:
        """Return whether the list has a code, or may have it."""
        return code in self.meanings or any(is_in_block(code, block) for block in self.blocks)


@dataclass(frozen=True, slots=True)
class ElementType:
    """A simple data element.

    ``number`` without leading zeros, ``kind`` one of ``AN ID N0…N9 R DT TM B``, lengths in
    characters.
    """

    number: str
    kind: str
    minimum: int
    """The minimum length of a value."""
    maximum: int
    """The maximum length of a value."""
    codes: CodeList | None = None


@dataclass(frozen=True, slots=True)
class RelationalNote:
    """A relational condition: ``kind`` P, R, E, C or L over 1-based element positions."""

    kind: str
    positions: tuple[int, ...]

    def __str__(self) -> str:
        """Return the usual spelling, such as ``P0304``."""
        return self.kind + "".join(f"{position:02d}" for position in self.positions)


@dataclass(frozen=True, slots=True)
class ElementUse:
    """An element at its position in a segment, or a component in a composite."""

    type: ElementType | CompositeType
    is_mandatory: bool = False
    repeat: int = 1
    label: str = ""

    @property
    def reference(self) -> str:
        """Return the element's number, or the composite's id: ``353``, ``C040``."""
        return self.type.number if isinstance(self.type, ElementType) else self.type.id


@dataclass(frozen=True, slots=True)
class CompositeType:
    """A composite data element and its components."""

    id: str
    uses: tuple[ElementUse, ...]
    notes: tuple[RelationalNote, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentType:
    """A segment in one release: its elements in order, its relational notes, what it is called."""

    id: str
    uses: tuple[ElementUse, ...]
    notes: tuple[RelationalNote, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class ValueCondition:
    """A position matches a segment only if this element (or component) has one of these values."""

    position: int
    component: int | None
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ElementRule:
    """The rule of a guide or a partner for one element, or for one component of a composite.

    None leaves the repetitions, lengths or codes of the standard.
    """

    requirement: str = ""
    """M or R (required), O or S (situational), N (not used); ``""`` leaves that of the standard."""
    repeat: int | None = None
    minimum: int | None = None
    """The minimum length."""
    maximum: int | None = None
    """The maximum length."""
    codes: tuple[str, ...] | None = None
    components: Mapping[int, ElementRule] = field(default_factory=dict)
    """The rules of components, by position."""
    layer: str = STANDARD
    """The layer the rule belongs to: ``standard``, a guide or an overlay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentUse:
    """A segment at its position in a set."""

    segment: SegmentType
    requirement: str
    """M or O; in guides also R, S and N."""
    maximum: int
    label: str = ""
    when: ValueCondition | None = None
    rules: Mapping[int, ElementRule] = field(default_factory=dict)
    """The rules for elements, by position."""
    is_closed: bool = False
    """An element without a rule is not used."""
    layer: str = STANDARD
    base_requirement: str = ""
    """The requirement of the standard, if this use narrows it."""
    base_maximum: int = 0
    """The maximum of the standard, if this use narrows it."""

    @property
    def is_required(self) -> bool:
        """Return whether the segment must be there wherever its loop is."""
        return self.requirement in {"M", "R"}

    def __hash__(self) -> int:
        """Hash what is cheap to hash; equal uses have equal hashes."""
        return hash((self.segment.id, self.requirement, self.maximum, self.label))


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A loop; the first use of its body is the trigger, which every iteration begins with."""

    id: str
    requirement: str
    maximum: int
    body: tuple[SegmentUse | Loop, ...]
    label: str = ""
    when: ValueCondition | None = None
    layer: str = STANDARD
    base_requirement: str = ""
    base_maximum: int = 0

    @property
    def trigger(self) -> SegmentUse:
        """Return the segment that begins an iteration."""
        first = self.body[0]
        assert isinstance(first, SegmentUse)  # the loader refuses anything else
        return first

    @property
    def is_required(self) -> bool:
        """Return whether the loop must occur wherever its parent does."""
        return self.requirement in {"M", "R"}

    def __hash__(self) -> int:
        """Hash what is cheap to hash; equal loops have equal hashes."""
        return hash((self.id, self.requirement, self.maximum, self.label))


Node = SegmentUse | Loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A transaction set in one release, under one guide or none, ST and SE left out."""

    tx_set: str
    release: str
    functional_id: str
    title: str
    has_strict_lists: bool = True
    """Strict code lists refuse codes; False if all lists are open."""
    own_codes: str = ""
    """The name of the changes of users' codes in it (``own_codes.CodeChanges``)."""
    own: str = ""
    """The name of the user's definition that this is; ``""`` for one of Longshore."""
    body: tuple[Node, ...]
    guide: str | None = None
    layer: str = STANDARD
    """The layer that findings name if only the guide or an overlay causes them."""
    base: Definition | None = None
    """The definition of the standard that this one narrows."""
    extensions: tuple[str, ...] = ()
    """The edits that widened it on purpose, in words."""

    def positions(self) -> Iterator[tuple[tuple[Loop, ...], SegmentUse]]:
        """Yield the segments in table order, each with the loops around it, outermost first."""
        yield from _positions(self.body, ())

    def __hash__(self) -> int:
        """Hash what names it; equal definitions have equal hashes."""
        lists = self.has_strict_lists, self.own_codes, self.own
        return hash((self.tx_set, self.release, self.guide, self.layer, lists))


def _positions(
    body: tuple[Node, ...], around: tuple[Loop, ...]
) -> Iterator[tuple[tuple[Loop, ...], SegmentUse]]:
    for node in body:
        if isinstance(node, Loop):
            yield from _positions(node.body, (*around, node))
        else:
            yield around, node
