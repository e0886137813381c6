"""The base of all balances: where an amount is, its sum, and the fault if the two differ."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from decimal import Decimal
from typing import ClassVar, NamedTuple, Protocol

from longshore.x12.control import SegmentSpan
from longshore.x12.findings import FindingCode
from longshore.x12.validate.amounts import ZERO


class BalanceSpan(NamedTuple):
    """A stretch of a set: its rows and segment ids, and how often each id came before it."""

    span: SegmentSpan | None
    """None if positions are not needed."""
    rows: list[list[str]]
    tags: list[str]
    earlier: Mapping[str, int]

    def number(self, ahead: int) -> int:
        """Return which segment of its id in the set the one at index ``ahead`` of it is, from 1."""
        tag = self.tags[ahead]
        return self.earlier.get(tag, 0) + self.tags[: ahead + 1].count(tag)


AmountRef = tuple[BalanceSpan, int]
"""The segment of an amount: its span, and its index there. Made for each one balanced."""


class BalanceFault(NamedTuple):
    """An amount that disagrees: its finding, in words, at which 1-based element, and where."""

    code: FindingCode
    message: str
    element: int
    place: AmountRef


class Balance(Protocol):
    """Follows one transaction set."""

    faults: list[BalanceFault]
    """The amounts that disagree so far; the caller may empty the list."""

    def take(self, span: BalanceSpan) -> None:
        """Take a stretch; what ends in it is balanced."""
        ...

    def finish(self) -> None:
        """Balance what is open at the end of the set."""
        ...


class Sum:
    """An amount, and what has to add up to it."""

    __slots__ = ("element", "expected", "place", "total")

    def __init__(
        self,
        expected: Decimal | None,
        place: AmountRef,
        element: int,
        total: Decimal | None = ZERO,
    ) -> None:
        self.expected = expected
        self.place = place
        self.element = element
        self.total = total

    def add(self, part: Decimal | None) -> None:
        """Add a part; a part that is unknown makes the sum unknown."""
        self.total = None if self.total is None or part is None else self.total + part

    def subtract(self, part: Decimal | None) -> None:
        """Subtract a part; a part that is unknown makes the sum unknown."""
        self.total = None if self.total is None or part is None else self.total - part


class AmountBalance:
    """Base class of balances of amounts."""

    wanted: ClassVar[frozenset[str]]
    """Ids of the segments that matter."""

    def __init__(self) -> None:
        self.faults: list[BalanceFault] = []

    def take(self, span: BalanceSpan) -> None:
        """Take a stretch; what ends in it is balanced."""
        rows, wanted = span.rows, self.wanted
        for ahead, tag in enumerate(span.tags):
            if tag in wanted:
                self.take_segment(tag, rows[ahead], (span, ahead))

    @abstractmethod
    def take_segment(self, tag: str, row: list[str], place: AmountRef) -> None:
        """Take one of the segments wanted."""

    @abstractmethod
    def finish(self) -> None:
        """Balance what is open at the end of the set."""

    def check(self, take_segment: Sum | None, code: FindingCode, message: str) -> None:
        """Compare an amount with its sum, if both are known."""
        if take_segment is None or take_segment.total is None or take_segment.expected is None:
            return
        if take_segment.total != take_segment.expected:
            self.faults.append(
                BalanceFault(code, message, take_segment.element, take_segment.place)
            )
