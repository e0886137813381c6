"""Read the text of a formula into a tree.

Source: formulas.md section 1.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from longshore.mapping.formulas.syntax import (
    MAX_DEPTH,
    MAX_FORMULA_CHARS,
    MAX_NODES,
    CallNode,
    Chain,
    ComparisonNode,
    FormulaError,
    LiteralNode,
    Node,
    PathNode,
    Prefixed,
)
from longshore.mapping.formulas.tokens import END, FormulaToken, tokens_of
from longshore.mapping.members import echo
from longshore.mapping.values import MAX_DIGITS

_CONSTANTS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_WORD_OPERATORS: Final = frozenset(("and", "or", "not"))
_COMPARISONS: Final = frozenset(("=", "<>", "<", "<=", ">", ">="))


def parse(text: str) -> Node:
    """Return the tree of a formula.

    Raises:
        FormulaError: It does not follow the grammar, or exceeds a limit.
    """
    if len(text) > MAX_FORMULA_CHARS:
        message = f"a formula has at most {MAX_FORMULA_CHARS} characters"
        raise FormulaError(message, MAX_FORMULA_CHARS + 1)
    return _Parser(text).formula()


class _Parser:
    """Reads one formula, one token ahead."""

    def __init__(self, text: str) -> None:
        self._tokens = tokens_of(text)
        self._next = next(self._tokens)
        self._depth = 0
        self._node_count = 0

    def formula(self) -> Node:
        self._take("=")
        node = self._or()
        if self._next.kind != END:
            raise self._expected("an operator or the end")
        return node

    def _or(self) -> Node:
        return self._chain(self._and, ("or",))

    def _and(self) -> Node:
        return self._chain(self._not, ("and",))

    def _not(self) -> Node:
        token = self._next
        if self._take("not"):
            return self._made(Prefixed("not", self._compare(), token.position))
        return self._compare()

    def _compare(self) -> Node:
        left, token = self._join(), self._next
        if token.kind != "sign" or token.text not in _COMPARISONS:
            return left
        self._advance()
        return self._made(ComparisonNode(token.text, left, self._join(), token.position))

    def _join(self) -> Node:
        return self._chain(self._sum, ("&",))

    def _sum(self) -> Node:
        return self._chain(self._product, ("+", "-"))

    def _product(self) -> Node:
        return self._chain(self._unary, ("*", "/", "%"))

    def _unary(self) -> Node:
        token = self._next
        if self._take("-"):
            return self._made(Prefixed("-", self._atom(), token.position))
        return self._atom()

    def _chain(self, operand: Callable[[], Node], operators: tuple[str, ...]) -> Node:
        first = operand()
        if not self._is_at(operators):
            return first
        operands, found = [first], []
        position = self._next.position
        while self._is_at(operators):
            found.append(self._advance().text.lower())
            operands.append(operand())
        return self._made(Chain(tuple(operands), tuple(found), position))

    def _atom(self) -> Node:
        token = self._next
        if token.kind == "number":
            return self._made(LiteralNode(self._number(self._advance()), token.position))
        if token.kind == "text":
            text = self._advance().text[1:-1].replace('""', '"')
            return self._made(LiteralNode(text, token.position))
        if token.kind == "path":
            return self._made(PathNode(self._advance().text, token.position))
        if token.kind == "word" and token.text.lower() not in _WORD_OPERATORS:
            return self._named(self._advance())
        if self._take("("):
            node = self._inner(token)
            self._require(")")
            return node
        raise self._expected("a value: a number, a text, a path, a function or (")

    def _named(self, token: FormulaToken) -> Node:
        word = token.text.lower()
        if self._take("("):
            return self._call(token)
        if word in _CONSTANTS:
            return self._made(LiteralNode(_CONSTANTS[word], token.position))
        return self._made(PathNode(token.text, token.position))

    def _call(self, token: FormulaToken) -> Node:
        arguments: list[Node] = []
        if not self._is_at((")",)):
            arguments.append(self._inner(token))
            while self._take(","):
                arguments.append(self._inner(token))
        self._require(")", is_after_argument=bool(arguments))
        return self._made(CallNode(token.text.lower(), tuple(arguments), token.position))

    def _inner(self, token: FormulaToken) -> Node:
        """Read a formula in brackets.

        Raises:
            FormulaError: They are too deep.
        """
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise FormulaError(f"brackets are at most {MAX_DEPTH} deep", token.position)
        node = self._or()
        self._depth -= 1
        return node

    def _number(self, token: FormulaToken) -> Decimal:
        if len(token.text) > MAX_DIGITS:
            raise FormulaError(f"a number has at most {MAX_DIGITS} characters", token.position)
        return Decimal(token.text)

    def _made(self, node: Node) -> Node:
        self._node_count += 1
        if self._node_count > MAX_NODES:
            message = f"a formula has at most {MAX_NODES} values, operators and functions"
            raise FormulaError(message, node.position)
        return node

    def _is_at(self, words: tuple[str, ...]) -> bool:
        token = self._next
        return token.kind in {"sign", "word"} and token.text.lower() in words

    def _take(self, word: str) -> bool:
        if not self._is_at((word,)):
            return False
        self._advance()
        return True

    def _require(self, sign: str, *, is_after_argument: bool = False) -> None:
        if not self._take(sign):
            comma = ", a comma" if is_after_argument else ""
            raise self._expected(f"an operator{comma} or {sign}")

    def _advance(self) -> FormulaToken:
        token, self._next = self._next, next(self._tokens)
        return token

    def _expected(self, what: str) -> FormulaError:
        token = self._next
        found = "the end" if token.kind == END else echo(token.text) or "an empty path"
        return FormulaError(f"expected {what}, found {found}", token.position)
