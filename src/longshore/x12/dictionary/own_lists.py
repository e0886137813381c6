"""A definition whose code lists have the changes of users' codes.

The codes that a guide or a partner asks for are rules and stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

from longshore.x12.dictionary.element_changes import with_elements
from longshore.x12.dictionary.model import (
    CodeBlock,
    CodeList,
    Definition,
    ElementType,
    is_in_block,
)
from longshore.x12.dictionary.own_codes import CodeChanges, ElementCodes

MAX_DEFINITIONS: Final = 64  # entries of the cache


@lru_cache(maxsize=MAX_DEFINITIONS)
def with_own_codes(definition: Definition, changes: CodeChanges) -> Definition:
    """Return a definition whose code lists are changed, from a cache."""
    changed = with_elements(definition, partial(_changed, changes))
    return replace(changed, own_codes=changes.name)


def _changed(changes: CodeChanges, of: ElementType) -> ElementType:
    codes = changes.by_element.get(of.number)
    if codes is None:
        return of
    if codes.replaced is not None:
        there = sorted((codes.replaced | codes.added) - codes.removed)
        own = CodeList(of.number, dict.fromkeys(there, ""), is_strict=True, has_own_codes=True)
        return replace(of, codes=own)
    if of.codes is None or not of.codes.is_strict:
        return of  # it accepts any code
    return replace(of, codes=_with(of.codes, codes))


def _with(known: CodeList, codes: ElementCodes) -> CodeList:
    meanings = dict.fromkeys(sorted(codes.added), "") | dict(known.meanings)
    kept = {code: text for code, text in meanings.items() if code not in codes.removed}
    blocks = tuple(_blocks_without(known.blocks, codes.removed))
    return replace(known, meanings=kept, blocks=blocks, has_own_codes=True)


def _blocks_without(blocks: Iterable[CodeBlock], codes: Iterable[str]) -> Iterator[CodeBlock]:
    left = [*blocks]
    for code in codes:
        left = [part for block in left for part in block_without(block, code)]
    return iter(left)


def block_without(block: CodeBlock, code: str) -> Iterator[CodeBlock]:
    """Yield blocks that have together all codes of a block but one."""
    if not is_in_block(code, block):
        yield block
        return
    for at, characters in enumerate(block):
        others = characters.replace(code[at], "")
        if others:
            yield (*code[:at], others, *block[at + 1 :])
