"""A field or parameter is described at its place, never in a list of fragments.

Danger: "``place``: of the row. ``until``: None if it stays" makes a reader look up two things at
once, and no editor shows it where the name is used.
"""

import ast
import re
from collections.abc import Iterator

from tools.lint.source import Source, Violation

NAME = "plain-docstrings"

_FRAGMENT = re.compile(r"(?:^|[.:;] |\n)``\w+``(?: [a-z]+){0,3}: ")
_RIDDLE = re.compile(r"(?:What|Whether|How|Which|Who) [a-z]")
_RAISES = re.compile(r"\n *Raises:\n.*", re.DOTALL)

PACKAGES = ("src/longshore", "tools")
"""Where the rule holds; the names of tests are sentences, and their docstrings give reasons."""


def check(source: Source) -> Iterator[Violation]:
    """Find docstrings that describe names in fragments, or begin with a question word.

    Codes of errors in Raises are no names.
    """
    if not source.is_under(*PACKAGES):
        return
    yield from _questions(source)
    for node in source.walk():
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(node) or ""
        found = _FRAGMENT.search(_RAISES.sub("", text))
        if found is not None:
            name = found[0].strip(" .:;\n")
            yield source.violation(node, f"{node.name} describes {name} in a fragment")


def _questions(source: Source) -> Iterator[Violation]:
    for node in source.walk():
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
            and _RIDDLE.match(node.value.value.strip())
        ):
            begin = " ".join(node.value.value.split()[:3])
            yield source.violation(node, f"begin with a sentence, not with {begin!r}")
