"""The output of rules: the interface between sources and targets.

Rules run in list order, and each has one ``RuleWrites``, even if it writes nothing: a target may
need to know that the rule exists.

Source: fields-and-mapping.md sections 4, 5 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum, unique
from typing import Final, Literal, NamedTuple, Self

from longshore.mapping.target_paths import TargetPath

# The ordinals, 0-based, of the wildcards of a rule, outermost first.
Binding = tuple[int, ...]


class JsonLiteral(str):
    """A value that JSON writes without quotes: a number, ``true``, ``false`` or ``null``.

    Other targets write it as text, and ``NULL`` as nothing.
    """

    __slots__ = ()


NULL: Final = JsonLiteral("null")


class LateValue(str):  # noqa: SLOT000 - a text with a slot of its own cannot be
    """A value that depends on the output before it; until that is known it is ``0``."""

    def __new__(cls, compute: Callable[[Mapping[str, int]], str]) -> Self:
        """Make one.

        Args:
            compute: Returns the value for the numbers of segments before it, by id.
        """
        value = super().__new__(cls, "0")
        value.compute = compute
        return value

    compute: Callable[[Mapping[str, int]], str]
    """Returns the value for the numbers of segments before it, by id."""


@unique
class OnDuplicate(StrEnum):
    """The behaviour for a value whose target has one already."""

    LAST = "last"
    FIRST = "first"
    APPEND = "append"
    JOIN = "join"
    ERROR = "error"


class ReadValue(NamedTuple):
    """A value that was read."""

    src: str
    """Its canonical key."""
    span: tuple[int, int] | None
    """Its raw text in the document, 0-based, ``[start, end)``; None if that is not one range."""
    value: str


class ValueOrigin(NamedTuple):
    """The origin of a value."""

    kind: Literal["source", "const", "default"]
    sources: tuple[ReadValue, ...]
    before: str
    """The value after joining."""


@dataclass(slots=True)
class RuleWrites:
    """The values that one rule writes."""

    rule: int
    """Its index in the list, from 0."""
    target: TargetPath
    on_duplicate: OnDuplicate = OnDuplicate.LAST
    separator: str = ""
    """The separator of ``OnDuplicate.JOIN``."""
    has_source: bool = True
    """False for ``const``."""
    is_alone: bool = False
    """No other value can come to its positions, except fillers."""
    entries: list[tuple[Binding, str]] = field(default_factory=list)
    """Binding and value (a ``str``, or a ``JsonLiteral``), in order of bindings; the binding has as
    many ordinals as ``src`` has wildcards, so ``target.wildcards`` or, if that is 0 or a CSV
    column, any number."""
    fillers: list[tuple[Binding, str]] = field(default_factory=list)
    """To be written after them, only where the target has no value (``on_missing``: ``null`` or
    ``empty``)."""
    origins: list[ValueOrigin] = field(default_factory=list)
    """The origins of the entries, then of the fillers; empty unless requested."""

    def append(self, writes: RuleWrites, outer: Binding) -> None:
        """Add what the rule writes for one element of a list.

        Args:
            writes: What it writes there.
            outer: The ordinals of the element, which stand before those of ``writes``.
        """
        count, own = len(self.entries), len(writes.entries)
        self.origins[count:count] = writes.origins[:own]
        self.origins += writes.origins[own:]
        self.entries += [((*outer, *binding), value) for binding, value in writes.entries]
        self.fillers += [((*outer, *binding), value) for binding, value in writes.fillers]
        self.is_alone &= writes.is_alone


_SETS_SHOWN: Final = 10  # of those a warning is about, in its text


@dataclass(frozen=True, slots=True)
class SetPlace:
    """A transaction set of an X12 source."""

    index: int
    """Its number in the document, from 1."""
    tx_set: str
    """ST01."""
    control_number: str
    """ST02."""


@dataclass(frozen=True, slots=True)
class MappingWarning:
    """Something noteworthy; members that do not apply are empty."""

    code: str
    message: str
    param: str = ""
    """The rule, such as ``field_map[2]``."""
    tgt: str = ""
    """The target of that rule, as written there."""
    src: str = ""
    """The source path of that rule."""
    count: int = 0
    """The number of sets or rows it is about."""
    sets: tuple[SetPlace, ...] = ()
    """The first sets it is about."""
    row: tuple[int, ...] = ()
    """The first row it is about: for each list the number of its row, from 1, outermost first."""

    @property
    def text(self) -> str:
        """The message with its code and its place, as people read it."""
        return f"{self.message} ({' '.join(filter(None, (self.code, self._place())))})"

    def _place(self) -> str:
        """Return the first sets; or the rule, its target and the rows: ``row 1.2 and 4 more``."""
        if self.sets:
            return ", ".join(
                f"ST[{each.index}] {each.tx_set} {each.control_number}"
                for each in self.sets[:_SETS_SHOWN]
            )
        row = f"row {'.'.join(map(str, self.row))}" if self.row else ""
        others = f"and {self.count - 1} more" if self.row and self.count > 1 else ""
        return " ".join(filter(None, (self.param, self.tgt, row, others)))

    def to_members(self) -> dict[str, object]:
        """Return the members that apply, as JSON answers have them."""
        return {name: value for name, value in asdict(self).items() if value}
