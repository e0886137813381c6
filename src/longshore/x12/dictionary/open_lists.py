"""A definition whose code lists refuse nothing, for partners and releases with codes of their own.

The codes that a guide or a partner asks for are rules and stay.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from longshore.x12.dictionary.element_changes import with_elements
from longshore.x12.dictionary.model import Definition, ElementType

MAX_DEFINITIONS: Final = 64  # entries of the cache


@lru_cache(maxsize=MAX_DEFINITIONS)
def with_open_lists(definition: Definition) -> Definition:
    """Return a definition with all its code lists open, from a cache."""
    return replace(with_elements(definition, _opened), has_strict_lists=False)


def _opened(of: ElementType) -> ElementType:
    if of.codes is None or not of.codes.is_strict:
        return of
    return replace(of, codes=replace(of.codes, is_strict=False))
