"""The texts about faulty calls in formulas.

Source: formulas.md section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from longshore.mapping.formulas.date_functions import layout_of
from longshore.mapping.formulas.functions import SIGNATURES
from longshore.mapping.formulas.syntax import CallNode, FormulaError, LiteralNode
from longshore.mapping.members import echo

Lookups = Mapping[str, Mapping[str, str]]


def unknown_function(name: str) -> str:
    """Return what is wrong with a name that no function has."""
    nearest = get_close_matches(name[:40], SIGNATURES, 1)
    hint = f"; did you mean {SIGNATURES[nearest[0]].text}?" if nearest else ""
    return f"expected the name of a function, found {echo(name)}{hint}"


def unknown_table(name: str, tables: Lookups) -> str:
    """Return what is wrong with a name that no table has."""
    nearest = get_close_matches(name[:40], tables, 1)
    hint = f"; did you mean {echo(nearest[0])}?" if nearest else ""
    return f"the map has no lookup table {echo(name)}{hint}"


def in_words(count: int) -> str:
    """Return a number of arguments in words."""
    return "1 argument" if count == 1 else f"{count} arguments"


def check_pattern(node: CallNode) -> None:
    """Refuse a pattern that is written out and is none.

    Raises:
        FormulaError: It is none.
    """
    given = node.arguments[-1] if len(node.arguments) > 1 else None
    if isinstance(given, LiteralNode) and not (
        isinstance(given.value, str) and layout_of(given.value) is not None
    ):
        message = "expected a pattern of CCYY YY MM DD HH MI SS, each at most once"
        raise FormulaError(message, given.position)
