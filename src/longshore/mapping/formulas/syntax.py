"""The tree of a formula, and the fault of one that cannot be read.

Chains of one precedence are one node, so that the depth of a tree is the depth of its brackets.

Source: formulas.md section 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

MAX_FORMULA_CHARS: Final = 4_096
MAX_DEPTH: Final = 32
MAX_NODES: Final = 1_000

INVALID: Final = "invalid_formula"
DIFFERENT_ROWS: Final = "different_rows"


class FormulaError(ValueError):
    """A formula is refused; the text begins with the character at fault."""

    def __init__(self, message: str, position: int, code: str = INVALID) -> None:
        super().__init__(f"character {position}: {message}")
        self.position = position
        """The number of the character at fault, from 1."""
        self.code = code
        """The code of the error detail: ``invalid_formula`` or ``different_rows``."""


@dataclass(frozen=True, slots=True)
class LiteralNode:
    """A number, a text, ``true``, ``false`` or ``null``."""

    value: Decimal | str | bool | None
    position: int
    """Of its first character, from 1, as in every node."""


@dataclass(frozen=True, slots=True)
class PathNode:
    """A path into the document, without its braces."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class CallNode:
    """A call of a function; the name is in lower case."""

    name: str
    arguments: tuple[Node, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Chain:
    """Operands joined from left to right by operators of one precedence."""

    operands: tuple[Node, ...]
    operators: tuple[str, ...]
    """The operator before each operand but the first: ``+ - * / % &``, ``and`` or ``or``."""
    position: int


@dataclass(frozen=True, slots=True)
class ComparisonNode:
    """Two operands compared by ``= <> < <= > >=``."""

    operator: str
    left: Node
    right: Node
    position: int


@dataclass(frozen=True, slots=True)
class Prefixed:
    """An operand after ``-`` or ``not``."""

    operator: str
    operand: Node
    position: int


Node = LiteralNode | PathNode | CallNode | Chain | ComparisonNode | Prefixed
