"""Reproducible random numbers: the same seed gives the same traffic on any machine.

Secrets never come from here: tokens of partners come from ``kit.ids``, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, TypeVar

T = TypeVar("T")

_PERCENT: Final = 100


class RandomNumbers:
    """A sequence of random numbers that depends on its names only."""

    def __init__(self, *names: object) -> None:
        self._name = " ".join(map(str, names))
        self._count = 0

    def token_bytes(self, count: int) -> bytes:
        """Return the next bytes. The class is an ``IdSource`` for values that are not secret."""
        drawn = b""
        while len(drawn) < count:
            self._count += 1
            drawn += sha256(f"{self._name} {self._count}".encode()).digest()
        return drawn[:count]

    def between(self, least: int, most: int) -> int:
        """Return a number from ``least`` to ``most``, both included."""
        return least + int.from_bytes(self.token_bytes(8)) % (most - least + 1)

    def happens(self, percent: int) -> bool:
        """Return true in so many of a hundred calls."""
        return self.between(1, _PERCENT) <= percent

    def one_of(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.between(0, len(items) - 1)]

    def some_of(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Return ``count`` different items, in their order."""
        left = list(range(len(items)))
        while len(left) > count:
            left.pop(self.between(0, len(left) - 1))
        return tuple(items[at] for at in left)
