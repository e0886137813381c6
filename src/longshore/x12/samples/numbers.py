"""Numbers that look random and depend on nothing but their seed, on any machine and Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

# A linear congruential generator; constants of Knuth's MMIX. Only its upper bits are used.
_FACTOR: Final = 6364136223846793005
_STEP: Final = 1442695040888963407
_MASK: Final = (1 << 64) - 1
_LOW_BITS: Final = 33
_LIMIT: Final = 1 << 31


class SeededNumbers:
    """A sequence of numbers that its seed decides. Nothing secret may come from it."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = (seed * _FACTOR + _STEP) & _MASK
        self.below(1)
        self.below(1)

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1; a limit is far below 2^31."""
        self._state = state = (self._state * _FACTOR + _STEP) & _MASK
        return (state >> _LOW_BITS) * limit // _LIMIT

    def between(self, first: int, last: int) -> int:
        """Return a number from ``first`` to ``last``, both included."""
        return first + self.below(last - first + 1)

    def happens(self, percent: int) -> bool:
        """Return true in so many of a hundred calls."""
        return self.below(100) < percent

    def one_of(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in another order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in items]

    def digits(self, count: int) -> str:
        """Return so many digits, the first of which is not 0."""
        return str(self.between(1, 9)) + "".join(str(self.below(10)) for _ in range(count - 1))
