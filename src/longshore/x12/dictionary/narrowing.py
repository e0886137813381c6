"""The edit of one element by a partner overlay, checked against the rule in force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from longshore.x12.dictionary.lines import FileLine
from longshore.x12.dictionary.model import (
    CodeList,
    CompositeType,
    ElementRule,
    ElementType,
    ElementUse,
    SegmentUse,
)
from longshore.x12.dictionary.sets import check_codes, element_of


@dataclass(frozen=True, slots=True)
class NarrowedUse:
    """An element or component: its use in the standard and the rule on it so far."""

    use: ElementUse
    rule: ElementRule | None
    is_closed: bool

    @property
    def requirement(self) -> str:
        """Return R, S or N."""
        if self.rule is None:
            return "N" if self.is_closed else _requirement_of(self.use)
        if not self.rule.requirement:
            return _requirement_of(self.use)
        return {"M": "R", "O": "S"}.get(self.rule.requirement, self.rule.requirement)

    @property
    def codes(self) -> tuple[str, ...] | None:
        """Return the codes allowed; None if any is, or more than those with a meaning."""
        if self.rule is not None and self.rule.codes is not None:
            return self.rule.codes
        known = self._strict_list
        return tuple(known.meanings) if known is not None and not known.blocks else None

    def refused(self, codes: Iterable[str]) -> list[str]:
        """Return those of some codes that are not allowed."""
        if self.rule is not None and self.rule.codes is not None:
            return [code for code in codes if code not in self.rule.codes]
        known = self._strict_list
        return [] if known is None else [code for code in codes if code not in known]

    @property
    def _strict_list(self) -> CodeList | None:
        of = self.use.type
        known = of.codes if isinstance(of, ElementType) else None
        return known if known is not None and known.is_strict else None


def place_of(line: FileLine, use: SegmentUse, position: int, component: int | None) -> NarrowedUse:
    """Return what holds at an element or a component.

    Raises:
        DictionaryError: the segment has no such position, or the composite is not used.
    """
    element_of(line, use.segment, position, component)
    whole = NarrowedUse(use.segment.uses[position - 1], use.rules.get(position), use.is_closed)
    if component is None:
        return whole
    if whole.requirement == "N":
        raise line.fault(f"{use.segment.id}.{position:02d} is not used")
    of = whole.use.type
    assert isinstance(of, CompositeType)  # element_of refuses a component of anything else
    rules = whole.rule.components if whole.rule is not None else {}
    return NarrowedUse(of.uses[component - 1], rules.get(component), use.is_closed and bool(rules))


def with_rule(
    use: SegmentUse, position: int, component: int | None, rule: ElementRule
) -> SegmentUse:
    """Return a segment with the rule on one element or component replaced."""
    if component is not None:
        whole = use.rules.get(position) or ElementRule(layer=rule.layer)
        rule = replace(whole, components={**whole.components, component: rule})
    return replace(use, rules={**use.rules, position: rule})


@dataclass(frozen=True, slots=True)
class ElementEdit:
    """The rule an overlay sets for an element; None changes nothing. Reports where it is wider."""

    requirement: str | None = None
    repeat: int | None = None
    lengths: tuple[int, int] | None = None
    codes: tuple[str, ...] | None = None
    more_codes: tuple[str, ...] = ()

    def widenings(self, place: NarrowedUse) -> Iterator[str]:
        """Yield what of it allows more than holds now, or demands what cannot be, in words."""
        now = place.requirement
        if self.requirement is not None:
            if now == "N" and self.requirement != "N":
                yield "used"
            elif now == "R" and self.requirement != "R":
                yield "not required" if self.requirement == "S" else "not used"
        repeat = place.rule.repeat if place.rule is not None else None
        if self.repeat is not None and self.repeat > (repeat or place.use.repeat):
            yield f"{self.repeat} times"
        minimum, maximum = lengths_of(place)
        if (
            self.lengths is not None
            and not minimum <= self.lengths[0] <= self.lengths[1] <= maximum
        ):
            yield f"length {self.lengths[0]}/{self.lengths[1]}"
        if beyond := place.refused(self.codes or ()):
            yield f"codes {' '.join(beyond)}"

    def applied(self, line: FileLine, place: NarrowedUse, layer: str) -> ElementRule:
        """Return the rule with this edit in it.

        Raises:
            DictionaryError: lengths or codes on a composite; codes that do not fit the element;
                codes added where any is allowed.
        """
        rule = place.rule or ElementRule(requirement="N" if place.requirement == "N" else "")
        of = place.use.type
        if isinstance(of, CompositeType):
            if self.lengths or self.codes is not None:
                raise line.fault("a composite has no lengths and codes: name a component")
        else:
            check_codes(line, _resized(of, self, place), (self.codes or ()) + self.more_codes)
        return replace(
            rule,
            requirement=self.requirement or rule.requirement,
            repeat=self.repeat or rule.repeat,
            minimum=self.lengths[0] if self.lengths else rule.minimum,
            maximum=self.lengths[1] if self.lengths else rule.maximum,
            codes=self._codes(line, place),
            layer=layer,
        )

    def _codes(self, line: FileLine, place: NarrowedUse) -> tuple[str, ...] | None:
        if self.codes is None:
            return place.rule.codes if place.rule is not None else None
        if self.codes:
            return self.codes + self.more_codes
        if place.codes is None:
            raise line.fault("more codes are allowed here than are listed; name those to allow")
        return place.codes + self.more_codes


def lengths_of(place: NarrowedUse) -> tuple[int, int]:
    """Return the minimum and maximum length; of a composite 0 and 0."""
    of, rule = place.use.type, place.rule or ElementRule()
    if isinstance(of, CompositeType):
        return 0, 0
    return rule.minimum or of.minimum, rule.maximum or of.maximum


def _resized(of: ElementType, edit: ElementEdit, place: NarrowedUse) -> ElementType:
    minimum, maximum = edit.lengths or lengths_of(place)
    return replace(of, minimum=minimum, maximum=maximum)


def _requirement_of(use: ElementUse) -> str:
    return "R" if use.is_mandatory else "S"
