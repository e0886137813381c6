"""Redact a document: it stays as long as it is, and validation says the same of it.

Replaced are all values but those that say nothing about anybody: codes, amounts, quantities, times,
control numbers, versions, the numbers of lines, loops and levels. Dates are moved. Text outside
interchanges and segments that no definition knows are replaced whole.

Source: docs/reference/redaction.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import chain, islice, repeat, zip_longest
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.control import SegmentSpan
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import CodeList, ElementRule, ElementType, SegmentUse
from longshore.x12.elements.check import is_formatted
from longshore.x12.elements.values import FORMATS, NO_RULE
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.redaction.aliases import Aliases, like_octets
from longshore.x12.release import split_released
from longshore.x12.walk import Walk

# Elements of type AN that hold codes, versions and numbers of the document's own.
_KEPT: Final = frozenset((
    "329",
    "350",
    "447",
    "480",
    "628",
    "734",
    "1271",
    "1331",
    "1339",
    "1705",
    "9999",
))
# Codes of lists outside X12 in a composite: procedures. Elsewhere 234 is the number of an article.
_KEPT_IN: Final[Mapping[str, frozenset[str]]] = {"C003": frozenset(("234",))}
_POSTAL_CODE: Final = "116"
_LONGEST_CODE: Final = 3
"""Longer values of a list that is not known may be a name in the wrong place."""
_NUMBER: Final = re.compile(r"-?[0-9]*\.?[0-9]*(?:E-?[0-9]+)?")
_DIGITS: Final = re.compile("[0-9]+")
_DAY_FORMS: Final[Mapping[int, str]] = {6: "YYMMDD", 8: "CCYYMMDD"}
# What begins a document keeps its name where it stands outside of one, and nothing else gets it.
_BEGINNINGS: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:ISA|IEA|GS|GE|ST|SE|STX|UN[ABHTZ]|MSH|[FB]HS)(?![A-Za-z0-9])"
)
_BEGIN_WITH: Final = "BFGIMSU"
_ANY_RELEASE: Final = "005010"
"""Names the elements of segments in sets without a definition."""


def redact(
    text: str,
    key: bytes,
    dictionary: Dictionary,
    overrides: DelimiterOverrides = NO_OVERRIDES,
) -> str:
    """Return the redacted text of an X12 document, as long as the text is.

    Args:
        text: The document.
        key: Decides the replacements: the same key replaces equal values equally.
        dictionary: Knows the elements.
        overrides: Separators that replace those of the ISA.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    redaction = _Redaction(Aliases(key), dictionary)
    outside = Aliases(key, _BEGIN_WITH)
    walk = Walk(lambda: (text,), overrides)
    layout = walk.layout
    lines = [text[layout.start :]]
    if layout.line_width:
        lines = lines[0].split(layout.line_break)
    body = "".join(lines)  # what the reader's offsets count
    pieces: list[str] = []
    at = 0
    for spans in walk.span_lists():
        for span in spans:
            for index, redacted in enumerate(redaction.segments(span), span.first):
                start = span.batch.starts[index]
                pieces += (_outside(body[at:start], outside), redacted)
                at = start + len(redacted)
    pieces.append(_outside(body[at:], outside))
    redacted_body = iter("".join(pieces))
    redacted_lines = ("".join(islice(redacted_body, len(line))) for line in lines)
    return _outside(text[: layout.start], outside) + layout.line_break.join(redacted_lines)


def _outside(text: str, aliases: Aliases) -> str:
    """Return the replacement of what no segment holds."""
    pieces: list[str] = []
    at = 0
    for found in _BEGINNINGS.finditer(text):
        pieces += (aliases.of(text[at : found.start()]), found[0])
        at = found.end()
    return "".join(pieces) + aliases.of(text[at:])


class _Action(Enum):
    KEEP = auto()
    REPLACE = auto()
    NUMBER = auto()
    """Kept if it is a number."""
    CODE = auto()
    """Kept if it is one of the codes, or short."""
    DAY = auto()
    FORMATTED = auto()
    """A date or time whose form the value before it names."""


@dataclass(frozen=True, slots=True)
class _Part:
    """The treatment of an element or a component."""

    action: _Action
    codes: frozenset[str] = frozenset()
    """The codes that the definition names."""
    listed: CodeList | None = None
    """The list of the standard."""

    def __contains__(self, value: str) -> bool:
        """Return whether a value is one of the codes."""
        return value in self.codes or (self.listed is not None and value in self.listed)


_KEEP: Final = _Part(_Action.KEEP)
_REPLACE: Final = _Part(_Action.REPLACE)
_DAY: Final = _Part(_Action.DAY)
_Parts = tuple[tuple[_Part, ...], ...]
"""Of a segment, by element and component."""


def _control(actions: str) -> _Parts:
    """Return the parts of a control segment, one character for each element."""
    return tuple(({"k": _KEEP, "r": _REPLACE, "d": _DAY}[each],) for each in actions)


_CONTROL: Final[Mapping[str, _Parts]] = {
    "ISA": _control("krkrkrkrdkkkkkkk"),
    "IEA": _control("kk"),
    "GS": _control("krrdkkkk"),
    "GE": _control("kk"),
    "ST": _control("kkk"),
    "SE": _control("kk"),
    "TA1": _control("kdkkk"),
    "ISX": _control("kkk"),
}


class _Redaction:
    """Redacts the segments of one document, in order."""

    def __init__(self, aliases: Aliases, dictionary: Dictionary) -> None:
        self._aliases = aliases
        self._placement = DocumentPlacement(dictionary)
        self._vocabulary = dictionary.vocabulary

    def segments(self, span: SegmentSpan) -> Iterator[str]:
        """Yield the replacements of the segments of a span, separators included."""
        cursors = self._placement.of(span)
        for index, cursor in enumerate(cursors, span.first):
            slot = None if cursor is None else cursor.slot
            yield self._segment(span.batch, index, None if slot is None else slot.use)

    def _segment(self, batch: SegmentBatch, index: int, use: SegmentUse | None) -> str:
        text, row, marks = batch.texts[index], batch.rows[index], batch.delimiters
        if batch.kind is BatchKind.BINARY:
            head = len(text) - len(row[-1])
            return text[:head] + "".join(map(like_octets, row[-1]))
        parts = self._parts_of(row[0], use)
        separators = "" if row[0] == "ISA" else marks.repetition + marks.component
        elements = (
            split_released(text, marks.element, marks.release)
            if marks.release
            else text.split(marks.element)
        )
        redacted, before = [elements[0]], ""
        for element, components in zip_longest(elements[1:], parts[: len(elements) - 1]):
            redacted.append(self._element(element, components or (), before, separators))
            before = element
        return marks.element.join(redacted)

    def _element(self, text: str, parts: tuple[_Part, ...], before: str, separators: str) -> str:
        """Return an element whose repetitions and components are replaced one by one."""
        repetition, component = separators[:-1], separators[-1:]
        pieces = []
        for each in text.split(repetition) if repetition else (text,):
            values = each.split(component) if component else [each]
            known = chain(parts, repeat(_REPLACE))
            redacted = map(self._value, values, known, (before, *values))
            pieces.append(component.join(redacted))
        return repetition.join(pieces)

    def _value(self, value: str, part: _Part, before: str) -> str:
        action, aliases = part.action, self._aliases
        if not value or action is _Action.KEEP or value in part:
            return value
        if action is _Action.NUMBER and _NUMBER.fullmatch(value):
            return value
        if action is _Action.CODE:
            return value if len(value) <= _LONGEST_CODE else aliases.outside(value, part)
        if action is _Action.DAY and _DIGITS.fullmatch(value) and len(value) in _DAY_FORMS:
            return aliases.day(value, _DAY_FORMS[len(value)])
        if action is _Action.FORMATTED and (form := FORMATS.get(before)) is not None:
            width = len(form.date)
            moments = value.split("-") if form.is_range else [value]
            return "-".join(self._moment(each, form.date, width) for each in moments)
        return aliases.outside(value, part) if part.codes or part.listed else aliases.of(value)

    def _moment(self, text: str, form: str, width: int) -> str:
        """Return a date and time; the time stays."""
        if not _DIGITS.fullmatch(text) or len(text) < width:
            return self._aliases.of(text)
        return (self._aliases.day(text[:width], form) if form else "") + text[width:]

    def _parts_of(self, tag: str, use: SegmentUse | None) -> _Parts:
        if tag in _CONTROL:
            return _CONTROL[tag]
        if use is not None:
            return _parts_of_use(use)
        definition = self._placement.definition
        release = _ANY_RELEASE if definition is None else definition.release
        segment = self._vocabulary.segment(tag, release)
        if segment is None:
            return ()
        return _parts_of_use(SegmentUse(segment=segment, requirement="O", maximum=0))


@lru_cache(maxsize=4_096)
def _parts_of_use(use: SegmentUse) -> _Parts:
    uses = use.segment.uses
    return tuple(tuple(_parts_of_element(use, position)) for position in range(1, len(uses) + 1))


def _parts_of_element(use: SegmentUse, position: int) -> Iterator[_Part]:
    """Yield the parts of one element: its components, or itself."""
    uses, rule = use.segment.uses, use.rules.get(position, NO_RULE)
    element = uses[position - 1]
    if isinstance(element.type, ElementType):
        codes = _codes_of(use, position, None, rule)
        yield _part(element.type, codes, is_formatted=is_formatted(position, uses))
        return
    composite = element.type
    for number, component in enumerate(composite.uses, 1):
        codes = _codes_of(use, position, number, rule.components.get(number, NO_RULE))
        assert isinstance(component.type, ElementType)  # the dictionary refuses another
        if component.reference in _KEPT_IN.get(composite.id, ()):
            yield _KEEP
        else:
            formatted = is_formatted(number, composite.uses)
            yield _part(component.type, codes, is_formatted=formatted)


def _codes_of(
    use: SegmentUse, position: int, component: int | None, rule: ElementRule
) -> frozenset[str]:
    """Return the codes that rules and conditions name for an element or component."""
    codes = {*(rule.codes or ())}
    when = use.when
    if when is not None and (when.position, when.component) == (position, component):
        codes.update(when.values)
    return frozenset(codes)


def _part(element: ElementType, codes: frozenset[str], *, is_formatted: bool) -> _Part:
    kind = element.kind
    if element.number in _KEPT:
        return _KEEP
    if kind[0] in "NR" or kind == "TM":
        return _Part(_Action.NUMBER, codes)
    if kind == "DT":
        return _Part(_Action.DAY, codes)
    if is_formatted:
        return _Part(_Action.FORMATTED, codes)
    is_code = kind == "ID" and element.number != _POSTAL_CODE
    return _Part(_Action.CODE if is_code else _Action.REPLACE, codes, element.codes)
