"""Split the text of a formula into tokens.

Source: formulas.md section 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from longshore.mapping.formulas.syntax import FormulaError

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]++)
    |(?P<number>[0-9]++(?:\.[0-9]++)?+(?![A-Za-z0-9_]))
    |(?P<word>[^\W][\w]*+(?:\.\w++)*+)
    |(?P<text>"(?:[^"]|"")*+")
    |(?P<sign><>|<=|>=|[-+*/%&=<>(),])""",
    re.VERBOSE,
)
# What a path in braces consists of: quoted values, escaped characters, an inner pair of braces.
_PATH = re.compile(r"\{((?:'(?:[^']|'')*+'|\\.|\{[^{}]*+\}|[^{}'\\])*+)\}", re.DOTALL)
END: Final = "end"


class FormulaToken(NamedTuple):
    """One token."""

    kind: str
    """``number``, ``word``, ``text``, ``sign``, ``path`` or ``end``."""
    text: str
    """As written; of a path without braces."""
    position: int
    """Of its first character, from 1."""


def tokens_of(text: str) -> Iterator[FormulaToken]:
    """Yield the tokens of a formula, the last of them ``end``.

    Raises:
        FormulaError: A character begins none.
    """
    at = 0
    while at < len(text):
        if text[at] == "{":
            path = _PATH.match(text, at)
            if path is None:
                raise FormulaError("expected } at the end of the path that begins here", at + 1)
            yield FormulaToken("path", path[1], at + 1)
            at = path.end()
            continue
        token = _TOKEN.match(text, at)
        if token is None:
            raise FormulaError(_unknown(text[at]), at + 1)
        kind = token.lastgroup
        assert kind is not None  # each alternative has a name
        if kind != "blank":
            yield FormulaToken(kind, token[0], at + 1)
        at = token.end()
    yield FormulaToken(END, "", len(text) + 1)


def _unknown(char: str) -> str:
    if char == '"':
        return 'expected " at the end of the text that begins here'
    return "expected a value or an operator; a path with other characters stands in braces"
