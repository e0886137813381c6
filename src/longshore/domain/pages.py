"""Pages of lists, and how far is counted what fits on all of them.

Counting costs time for each row. A program gets the exact number; a page
that a person looks at needs no more than "more than 10,000". Source: decision 0016.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ALL: Final = 2**62
"""Counts to the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageParameters:
    """The requested page of a list: entries from ``offset`` on, counted up to ``count_to``."""

    limit: int
    offset: int = 0
    count_to: int = ALL


@dataclass(frozen=True, slots=True)
class Total:
    """The number of entries on all pages: exact, or a lower bound."""

    count: int
    is_exact: bool


def total_of(found: int, asked: PageParameters) -> Total:
    """Return what is known of a list in which ``found`` were counted, up to one too many."""
    return Total(min(found, asked.count_to), is_exact=found <= asked.count_to)
