"""Regular expressions of whole segments, and the bounded cache of those in use.

The pattern of a segment matches its text, without terminator, if and only if ``check`` finds
nothing, with a few exceptions that are left to the exact check: a number with an exponent; an
element that holds only component or repetition separators; an empty repetition; with the terminator
CR LF, either of the two alone in data. If a pattern cannot be exact at all, there is none (see
``pattern_of``).

Patterns exclude the separators from data, so they can be parts of a larger one that matches many
segments: ``(?:(?:SEG1|SEG2)TERM)*+``.

Source: performance.md section 1, item 3.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.model import (
    CompositeType,
    Definition,
    ElementRule,
    ElementType,
    ElementUse,
    SegmentUse,
    ValueCondition,
)
from longshore.x12.elements.check import FORMATTED, also_allowed, is_formatted
from longshore.x12.elements.faults import Charset, SetContext
from longshore.x12.elements.fragments import formatted_source, value_source
from longshore.x12.elements.presence import PresenceScope, scope_of, scope_within
from longshore.x12.elements.sequences import Sequence, SequencePart
from longshore.x12.elements.values import LATER_CHARACTERS_SINCE, NO_RULE, Demand

MAX_VARIANTS: Final = 4  # of separators, for each definition
MAX_CHARS: Final = 40_000  # of a segment's pattern
_MAX_DEFINITIONS: Final = 64
_IN_NUMBERS: Final = "-."
_TEXTS: Final = frozenset(("AN", "ID"))
_BEFORE_LATER_CHARACTERS: Final = "004010"
_COMMON_MARKS: Final = frozenset("*|~:>^\r\n")


def pattern_of(use: SegmentUse, context: SetContext, *, is_plain: bool = False) -> str | None:
    """Return the source of the regular expression of a segment.

    Args:
        use: The use of the segment in the definition.
        context: The separators, the release and the character set.
        is_plain: Match only characters that need no warning in any release.

    Returns:
        None if the segment holds binary data, a release character is in force, a separator is a
        character that numbers contain (``-`` or ``.``), codes restrict element 1251, an element
        that is no text has blocks of codes, or the pattern would be too long.
    """
    marks = context.delimiters.marks
    if context.delimiters.release or any(mark in marks for mark in _IN_NUMBERS):
        return None
    if not all(map(_can_be_written, _simple_parts(use))):
        return None
    if is_plain:
        charset = context.charset or "extended"
        context = replace(context, charset=charset, release=_BEFORE_LATER_CHARACTERS)
    writer = _Writer(use.when, context, "\r\n" if is_plain else "")
    source = re.escape(use.segment.id) + writer.segment(use)
    return source if len(source) <= MAX_CHARS else None


def _simple_parts(use: SegmentUse) -> list[tuple[ElementType, ElementRule]]:
    """Return all simple elements and components of a segment, each with its rule."""
    found = []
    for position, element in enumerate(use.segment.uses, 1):
        rule = use.rules.get(position, NO_RULE)
        if isinstance(element.type, ElementType):
            found.append((element.type, rule))
            continue
        for number, component in enumerate(element.type.uses, 1):
            assert isinstance(component.type, ElementType)  # the dictionary refuses another
            found.append((component.type, rule.components.get(number, NO_RULE)))
    return found


def _can_be_written(part: tuple[ElementType, ElementRule]) -> bool:
    element, rule = part
    codes = element.codes if element.codes is not None and element.codes.is_strict else None
    is_coded = rule.codes is not None or codes is not None
    has_blocks = codes is not None and codes.blocks and element.kind not in _TEXTS
    return element.kind != "B" and not has_blocks and not (element.number == FORMATTED and is_coded)


class _Writer:
    """Writes the pattern of a segment for one set of separators."""

    def __init__(self, when: ValueCondition | None, context: SetContext, line_breaks: str) -> None:
        marks = context.delimiters
        self._when = when
        self._context = context
        # The characters that end an element, and those it must not contain.
        self._outside = "".join(dict.fromkeys(marks.element + marks.segment + line_breaks))
        self._between = self._outside + marks.repetition  # what ends a repetition
        self._within = self._between + marks.component  # what ends a component

    def segment(self, use: SegmentUse) -> str:
        """Return the pattern of what follows the segment id."""
        scope = scope_of(use)
        parts = tuple(
            self._part(scope, number, self._element(use, number))
            for number in range(1, len(scope.uses) + 1)
        )
        separator = re.escape(self._context.delimiters.element)
        content = f"[^{re.escape(self._outside)}]"
        source = Sequence(parts, scope.notes, separator, content).source(has_head=True)
        return source if any(part.is_required for part in parts) else self._not_alone() + source

    def _not_alone(self) -> str:
        """Return a look-ahead for content, which a segment without required elements needs."""
        marks = self._context.delimiters
        blank = re.escape(marks.element + marks.component + marks.repetition)
        return f"(?=[{blank}]++[^{blank}{re.escape(marks.segment)}])"

    @staticmethod
    def _part(scope: PresenceScope, number: int, source: str) -> SequencePart:
        is_required = scope.uses[number - 1].is_mandatory or scope.is_required(number)
        return SequencePart(None if scope.is_unused(number) else source, is_required)

    def _element(self, use: SegmentUse, position: int) -> str:
        """Return the pattern of an element that is present, with its repetitions."""
        element, rule = use.segment.uses[position - 1], use.rules.get(position, NO_RULE)
        if isinstance(element.type, CompositeType):
            scope = scope_within(element.type, rule, position, is_closed=use.is_closed)
            one = self._composite(scope)
        else:
            demand = Demand(element.type, rule, also_allowed(self._when, position, None))
            one = self._value(demand, use.segment.uses[:position], is_component=False)
        return one + self._repeated(one, element, rule)

    def _composite(self, scope: PresenceScope) -> str:
        """Return the pattern of a composite that is present: not of separators alone."""
        parts = []
        for number, component in enumerate(scope.uses, 1):
            assert isinstance(component.type, ElementType)  # the dictionary refuses another
            assert scope.position is not None
            rule = scope.rules.get(number, NO_RULE)
            demand = Demand(component.type, rule, also_allowed(self._when, scope.position, number))
            source = self._value(demand, scope.uses[:number], is_component=True)
            parts.append(self._part(scope, number, source))
        separator = re.escape(self._context.delimiters.component)
        content = f"[^{re.escape(self._within)}]"
        source = Sequence(tuple(parts), scope.notes, separator, content).source(has_head=False)
        return source if parts[0].is_required else f"(?={separator}*+{content}){source}"

    def _value(self, demand: Demand, uses: tuple[ElementUse, ...], *, is_component: bool) -> str:
        """Return the pattern of a simple value.

        Args:
            demand: The element and its rule.
            uses: The parts up to and including this one.
            is_component: It is a component of a composite.
        """
        marks = self._context.delimiters
        forbidden = self._within if is_component else self._between
        source = value_source(demand, forbidden, self._context)
        if not is_formatted(len(uses), uses):
            return source
        separator = marks.component if is_component else marks.element
        is_at_head = is_component and len(uses) == 2  # noqa: PLR2004 - the composite begins with the qualifier
        heads = marks.element + marks.repetition if is_at_head else separator
        return formatted_source(demand, heads, separator, source)

    def _repeated(self, one: str, element: ElementUse, rule: ElementRule) -> str:
        maximum = min(element.repeat or rule.repeat or 0, rule.repeat or element.repeat)
        mark = self._context.delimiters.repetition
        if not mark or maximum == 1:
            return ""
        count = f"{{0,{maximum - 1}}}+" if maximum else "*+"
        return f"(?:{re.escape(mark)}{one}){count}"


# ---- the patterns in use -----------------------------------------------------------------------


class Patterns:
    """The compiled patterns of a definition's segments, each compiled on first use."""

    def __init__(self, context: SetContext) -> None:
        self._context = context
        # By identity, which is fast; the use is stored, so that its identity is not reused.
        self._known: dict[int, tuple[SegmentUse, re.Pattern[str] | None]] = {}

    def of(self, use: SegmentUse) -> re.Pattern[str] | None:
        """Return the pattern of a segment, or None if it needs the exact check."""
        known = self._known.get(id(use))
        if known is None:
            source = pattern_of(use, self._context)
            known = (use, None if source is None else re.compile(source))
            self._known[id(use)] = known
        return known[1]


def patterns_for(definition: Definition, context: SetContext) -> Patterns | None:
    """Return the patterns of a definition under these separators, or None to use the exact check.

    At most ``MAX_VARIANTS`` contexts of a definition have patterns, so that unusual separators
    cannot consume time. The first ones stay, but common separators replace unusual ones.
    """
    variants = patterns_in_use(definition)
    is_later = context.release >= LATER_CHARACTERS_SINCE
    variant = (context.delimiters, context.charset, is_later)
    if variant not in variants:
        if len(variants) >= MAX_VARIANTS:
            odd = None if _is_odd(variant) else next(filter(_is_odd, variants), None)
            if odd is None:
                return None
            del variants[odd]
        variants[variant] = Patterns(context)
    return variants[variant]


_Variant = tuple[Delimiters, Charset | None, bool]


@lru_cache(maxsize=_MAX_DEFINITIONS)
def patterns_in_use(definition: Definition) -> dict[_Variant, Patterns]:  # noqa: ARG001 - the cache's key
    """Return the patterns of a definition, by how the segments are written, to be added to."""
    return {}


def _is_odd(variant: _Variant) -> bool:
    return not _COMMON_MARKS.issuperset(variant[0].marks)
