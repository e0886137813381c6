"""A Python file as the rules see it, and what they answer."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

EXCUSE = re.compile(r"#\s*house:\s*([a-z-]+)\s+-\s+\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One place that breaks a rule. ``line`` counts from 1."""

    path: str
    line: int
    message: str


class Source:
    """One Python file. ``path`` is relative to the repository, with forward slashes."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.tree = ast.parse(text)

    def is_under(self, *folders: str) -> bool:
        """Return whether the file lies in one of ``folders``, or is one of them."""
        return any(PurePosixPath(self.path).is_relative_to(folder) for folder in folders)

    def walk(self) -> Iterator[ast.AST]:
        """Yield every node of the file."""
        return iter(self._nodes)

    def violation(self, node: ast.expr | ast.stmt | ast.ExceptHandler, message: str) -> Violation:
        """Return a violation at the line of ``node``."""
        return Violation(path=self.path, line=node.lineno, message=message)

    def is_excused(self, violation: Violation, rule: str) -> bool:
        """Return whether the line itself says that ``rule`` does not apply, and why."""
        line = self.text.splitlines()[violation.line - 1]
        excuse = EXCUSE.search(line)
        return excuse is not None and excuse[1] == rule

    def texts(self) -> Iterator[ast.Constant]:
        """Yield the string constants that are not docstrings."""
        for node in self.walk():
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str | bytes)
                and id(node) not in self._docstrings
            ):
                yield node

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def _docstrings(self) -> frozenset[int]:
        """Identify the constants that stand alone as a statement."""
        return frozenset(id(node.value) for node in self.walk() if isinstance(node, ast.Expr))


def dotted_name(node: ast.AST) -> str:
    """Return ``a.b.c`` for a plain dotted expression, an empty text for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            prefix = dotted_name(value)
            return f"{prefix}.{attribute}" if prefix else ""
        case _:
            return ""
