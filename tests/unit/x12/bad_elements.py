"""Generated documents with one bad element or component each, and what has to be said of it.

Left out are the elements that more depends on than their own form: those a condition looks at, the
numbers of HL and of binary data, dates under a qualifier, and what is repeated.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from longshore.x12.dictionary.model import (
    STANDARD,
    CompositeType,
    ElementRule,
    ElementType,
    ElementUse,
    RelationalNote,
    ValueCondition,
)
from tests.unit.x12.valid_documents import NO_RULE, Document, Item

_LEFT_OUT: Final = frozenset(("HL", "BIN", "CTT"))


class Fault(NamedTuple):
    """``component``: None where the element is simple."""

    code: str
    layer: str
    position: int
    element: int
    component: int | None
    ref: str | None


class BadElement(NamedTuple):
    rows: list[list[str]]
    fault: Fault


@dataclass(frozen=True)
class _Part:
    """An element or component that is there. ``layer``: of what only the guide says."""

    use: ElementUse
    rule: ElementRule
    notes: tuple[RelationalNote, ...]
    element: int
    component: int | None
    when: ValueCondition | None

    @property
    def decides(self) -> bool:
        when = self.when
        return when is not None and (when.position, when.component) == (
            self.element,
            self.component,
        )

    @property
    def is_noted(self) -> bool:
        number = self.component or self.element
        return any(number in note.positions for note in self.notes)


def with_one_bad_element(document: Document) -> Iterator[BadElement]:
    for at, item in enumerate(document.items):
        if item.row[0] in _LEFT_OUT:
            continue
        uses = item.use.segment.uses
        surplus_position = [*item.row, *[""] * (len(uses) + 1 - len(item.row)), "X"]
        fault = Fault("too_many_elements", STANDARD, at + 2, len(uses) + 1, None, None)
        yield _case(document, at, surplus_position, fault)
        for part in _parts(item):
            for code, layer, value in _wrong(part, document.definition.layer):
                row = _with(item.row, part, value)
                ref = part.use.reference
                fault = Fault(code, layer, at + 2, part.element, part.component, ref)
                yield _case(document, at, row, fault)


def _case(document: Document, at: int, row: list[str], fault: Fault) -> BadElement:
    rows = document.rows
    while not row[-1]:
        row.pop()
    return BadElement([*rows[:at], row, *rows[at + 1 :]], fault)


def _parts(item: Item) -> Iterator[_Part]:
    loop = item.within.loop
    when = (loop.when if item.is_trigger and loop is not None else None) or item.use.when
    segment = item.use.segment
    for element, (value, use) in enumerate(zip(item.row[1:], segment.uses, strict=False), 1):
        rule = item.use.rules.get(element, NO_RULE)
        if not value or "^" in value:
            continue
        if isinstance(use.type, CompositeType):
            values = value.split(":")
            for number, (text, each) in enumerate(zip(values, use.type.uses, strict=False), 1):
                inner = rule.components.get(number, NO_RULE)
                if text and len(values) > 1:
                    yield _Part(each, inner, use.type.notes, element, number, when)
        else:
            yield _Part(use, rule, segment.notes, element, None, when)


def _wrong(part: _Part, guide: str) -> Iterator[tuple[str, str, str]]:
    """Yield what can be wrong: the code, who says so, a value."""
    element = part.use.type
    assert isinstance(element, ElementType)
    if part.decides or element.number == "1251":
        return
    is_required = part.rule.requirement in {"M", "R"}
    if (part.use.is_mandatory or is_required) and not part.is_noted:
        yield "element_missing", STANDARD if part.use.is_mandatory else guide, ""
    code = "Q" * element.minimum
    if element.codes is not None and element.codes.is_strict:
        unknown = (each * element.minimum for each in "Q9X0a")
        yield (
            "element_code_invalid",
            STANDARD,
            next(it for it in unknown if it not in element.codes),
        )
    elif part.rule.codes is not None:
        if code not in part.rule.codes and element.kind in {"ID", "AN"}:
            yield "element_code_not_used", guide, code
    elif element.kind[0] in "NR":
        yield "element_character_invalid", STANDARD, "1x"
        yield "element_too_long", STANDARD, "1" * (element.maximum + 1)
    elif element.kind == "DT":
        yield "element_date_invalid", STANDARD, "20230229"[-element.maximum :]
    elif element.kind == "TM":
        yield "element_time_invalid", STANDARD, "2400"
    else:
        yield "element_too_long", STANDARD, "X" * (element.maximum + 1)
        if element.minimum > 1:
            yield "element_too_short", STANDARD, "X" * (element.minimum - 1)


def _with(row: list[str], part: _Part, value: str) -> list[str]:
    row = list(row)
    if part.component is None:
        row[part.element] = value
    else:
        values = row[part.element].split(":")
        values[part.component - 1] = value
        row[part.element] = ":".join(values)
    return row
