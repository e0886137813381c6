"""Find targets that exclude each other, before any data is read.

Each target is a path through one tree. A path ends at a value, so no other path may continue from
there; and siblings are counted either by a wildcard or by numbers.

Source: fields-and-mapping.md section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from longshore.mapping.target_paths import (
    ALL,
    Index,
    JsonTarget,
    TargetPath,
    X12Target,
    XmlTarget,
)

_NAME: Final = "name"
_NUMBER: Final = "number"
WILDCARD: Final = "wildcard"
_ATTRIBUTE: Final = "attribute"
_ELEMENT: Final = "element"
_COMPONENT: Final = "component"
_COLUMN: Final = "column"
# Tokens that exclude no other.
_FREE: Final = frozenset((_ATTRIBUTE, _ELEMENT))


class Token(NamedTuple):
    """One step of the way: of what kind, and which one of that kind."""

    kind: str
    label: str | int


class _Place:
    """A node of the tree: the rule that writes its value, and the nodes that continue from it."""

    __slots__ = ("children", "rule", "rules_by_kind")

    def __init__(self) -> None:
        self.rule: int | None = None
        self.rules_by_kind: dict[str, int] = {}
        self.children: dict[Token, _Place] = {}


def tokens_of(target: TargetPath) -> tuple[Token, ...]:
    """Return the steps of a target's path."""
    if isinstance(target, JsonTarget):
        return tuple(
            Token(_NAME, step) if isinstance(step, str) else _counted(step) for step in target.steps
        )
    if isinstance(target, XmlTarget):
        tokens = [
            token
            for step in target.steps
            for token in (Token(_NAME, step.name), _counted(step.occurrence))
        ]
        if target.attribute:
            tokens.append(Token(_ATTRIBUTE, target.attribute))
        return tuple(tokens)
    if isinstance(target, X12Target):
        tokens = [
            token
            for step in target.steps
            for token in (Token(_NAME, step.segment_id), _counted(step.occurrence))
        ]
        tokens += [Token(_ELEMENT, target.position), _counted(target.repetition)]
        if target.component:
            tokens.append(Token(_COMPONENT, target.component))
        return tuple(tokens)
    return (Token(_COLUMN, target.column),)


def wildcard_prefixes(target: TargetPath) -> tuple[tuple[Token, ...], ...]:
    """Return, for each wildcard, the way up to it."""
    tokens = tokens_of(target)
    ends = (at for at, token in enumerate(tokens, 1) if token.kind == WILDCARD)
    return tuple(tokens[:end] for end in ends)


def _counted(index: Index) -> Token:
    return Token(WILDCARD, "*") if index is ALL else Token(_NUMBER, index)


def conflicts(targets: Iterable[tuple[int, TargetPath]]) -> Iterator[tuple[int, str]]:
    """Yield each rule whose target one before it excludes, and why.

    Args:
        targets: Index of the rule and its target, in order.
    """
    root = _Place()
    for rule, target in targets:
        fault = _enter(root, rule, tokens_of(target))
        if fault:
            yield rule, fault


def _enter(place: _Place, rule: int, tokens: tuple[Token, ...]) -> str:
    for token in tokens:
        if fault := _fault_of_step(place, token):
            return fault
        if token.kind not in _FREE:
            place.rules_by_kind.setdefault(token.kind, rule)
        place = place.children.setdefault(token, _Place())
    if place.rules_by_kind:
        other = next(iter(place.rules_by_kind.values()))
        return f"a value cannot stand where field_map[{other}] writes below"
    if place.rule is None:
        place.rule = rule
    return ""


def _fault_of_step(place: _Place, token: Token) -> str:
    if token.kind == _ATTRIBUTE:
        return ""
    if place.rule is not None:
        return f"nothing can stand below the value that field_map[{place.rule}] writes"
    for kind, rule in place.rules_by_kind.items():
        if token.kind not in {kind, *_FREE}:
            if {kind, token.kind} == {_NUMBER, WILDCARD}:
                return f"field_map[{rule}] counts here otherwise: use [*] or numbers, not both"
            return f"field_map[{rule}] writes an array where this is an object, or the reverse"
    return ""
