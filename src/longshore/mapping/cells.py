"""The values at one position of the output: one, several, or a filler that any other replaces.

Source: fields-and-mapping.md sections 5 (``on_duplicate``, ``on_missing``) and 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from longshore.mapping.target_refusals import conversion_failed, output_too_long, unfit_rules
from longshore.mapping.writes import (
    NULL,
    Binding,
    JsonLiteral,
    MappingWarning,
    OnDuplicate,
    RuleWrites,
    ValueOrigin,
)

MAX_OUTPUT_BYTES: Final = 64 * 1024 * 1024


class Written(NamedTuple):
    """A position of the output and its value, for ``explain``."""

    tgt: str
    """Its path with indexes."""
    rule: int | None
    origin: ValueOrigin | None
    """None where it was generated."""
    after: str


class CellPart(NamedTuple):
    """One value that a rule writes."""

    writes: RuleWrites
    number: int
    """Its index among the entries, then the fillers, of the rule."""
    value: str

    @property
    def is_filler(self) -> bool:
        """True if it is written only where there is no other value."""
        return self.number >= len(self.writes.entries)

    @property
    def text(self) -> str:
        """The value for a target without null."""
        return plain(self.value)

    def written_at(self, tgt: str) -> Written:
        """Return the entry of ``explain`` for it, at a position of the output."""
        return Written(tgt, self.writes.rule, self.writes.origins[self.number], self.text)


class Built(NamedTuple):
    """A document that a map made, as text."""

    text: str
    warnings: tuple[MappingWarning, ...]
    written: tuple[Written, ...]
    """What ``explain`` shows, in output order; empty unless requested."""
    tx_set: str = ""
    """The set id of an X12 document."""


@dataclass(slots=True)
class CellValues:
    """The values at one position: one group, or an array of groups; each is joined to one text."""

    groups: list[list[CellPart]]
    is_array: bool = False

    @property
    def is_filler(self) -> bool:
        """True if any other value replaces it."""
        return self.groups[0][0].is_filler

    @property
    def value(self) -> str:
        """The value written last, as its rule gave it."""
        return self.groups[0][-1].value

    @property
    def text(self) -> str:
        """The value for a target without arrays and null."""
        group = self.groups[0]
        return plain(group[0].value) if len(group) == 1 else join_parts(group)


def parts_of_rule(writes: RuleWrites) -> Iterator[tuple[Binding, CellPart]]:
    """Yield what a rule writes, fillers last."""
    for number, (binding, value) in enumerate(chain(writes.entries, writes.fillers)):
        yield binding, CellPart(writes, number, value)


def add_part(old: CellValues | str | None, part: CellPart) -> CellValues:
    """Return the content of a position with ``old`` when ``part`` is added.

    Raises:
        conversion_failed: A LongshoreError, duplicate_target: the rule allows no second value.
    """
    assert not isinstance(old, str)  # a plain rule is alone at its places
    mode = part.writes.on_duplicate
    if part.is_filler and old is not None:
        return old
    if old is None or old.is_filler:
        return CellValues([[part]], is_array=mode is OnDuplicate.APPEND and not part.is_filler)
    if mode is OnDuplicate.ERROR:
        message = "the target has a value already"
        raise conversion_failed("duplicate_target", part.writes.rule, message)
    if mode is OnDuplicate.LAST:
        return CellValues([[part]])
    if mode is OnDuplicate.APPEND:
        old.groups.append([part])
        old.is_array = True
    elif mode is OnDuplicate.JOIN:
        old.groups[-1].append(part)
    return old


def join_parts(group: list[CellPart]) -> str:
    """Return parts as one text, each but the first behind its rule's separator.

    Raises:
        output_too_long: A LongshoreError limit_exceeded: longer than an output may be.
    """
    pieces = [group[0].text]
    for part in group[1:]:
        pieces += part.writes.separator, part.text
    if sum(map(len, pieces)) > MAX_OUTPUT_BYTES:
        raise output_too_long(MAX_OUTPUT_BYTES)
    return "".join(pieces)


def plain(value: str) -> str:
    """Return the text of a value for a target without null."""
    return "" if isinstance(value, JsonLiteral) and value == NULL else value


def is_null(value: str) -> bool:
    """Return whether a value is the null of JSON, rather than a text of these letters."""
    return isinstance(value, JsonLiteral) and value == NULL


def plain_rules(rules: Sequence[RuleWrites], *, is_traced: bool) -> frozenset[int]:
    """Return the rules that need no ``CellValues``: no other rule writes to their positions."""
    if is_traced:
        return frozenset()
    return frozenset([each.rule for each in rules if each.is_alone and not each.fillers])


def refuse_arrays(rules: Sequence[RuleWrites]) -> None:
    """Refuse rules that make arrays, for a target that has none.

    Raises:
        unfit_rules: A LongshoreError invalid_mapping_rule, naming each of them.
    """
    message = (
        "only JSON has arrays to append to; XML and X12 count with [*], and join makes one text"
    )
    faults = [
        (writes.rule, "on_duplicate", message)
        for writes in rules
        if writes.on_duplicate is OnDuplicate.APPEND
    ]
    if faults:
        raise unfit_rules(faults)
