"""Nothing below the edges handles ``dict[str, Any]``.

Danger: a request passed down as a dictionary is parsed again in every layer, each with its own
idea of what may be missing; a misspelt member is found by a customer. The edge parses once into a
type, and the type travels.
"""

import ast
from collections.abc import Iterator

from tools.lint.source import Source, Violation, dotted_name

NAME = "loose-dicts"
EDGES = ("src/longshore/http", "src/longshore/cli", "src/longshore/settings")
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})


def check(source: Source) -> Iterator[Violation]:
    """Find mappings to ``Any`` outside the edges."""
    if not source.is_under("src") or source.is_under(*EDGES):
        return
    for node in source.walk():
        if (
            isinstance(node, ast.Subscript)
            and dotted_name(node.value).rpartition(".")[2] in MAPPINGS
            and isinstance(node.slice, ast.Tuple)
            and dotted_name(node.slice.elts[-1]).rpartition(".")[2] == "Any"
        ):
            yield source.violation(node, "parse at the edge and pass a type, not a dict of Any")
