"""Secrets are never compared with ``==``.

Danger: ``==`` stops at the first differing character, so the time of an answer tells how much of a
guess was right. Look a digest up, or use ``hmac.compare_digest``. A comparison with a constant in
the code is free: there is no secret in it.
"""

import ast
from collections.abc import Iterator

from tools.lint.source import Source, Violation

NAME = "secret-comparisons"
SECRET_WORDS = frozenset({
    "secret",
    "password",
    "token",
    "digest",
    "hexdigest",
    "signature",
    "hmac",
    "csrf",
    "apikey",
})


def check(source: Source) -> Iterator[Violation]:
    """Find ``==`` and ``!=`` where a side is named like a secret."""
    if not source.is_under("src"):
        return
    for node in source.walk():
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        if (
            any(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops)
            and any(_is_secret(side) for side in sides)
            and not any(isinstance(side, ast.Constant) for side in sides)
        ):
            yield source.violation(node, "compare secrets by hmac.compare_digest")


def _is_secret(node: ast.expr) -> bool:
    """Return whether the last name of the expression holds a word for a secret."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            words = name.lower().strip("_").split("_")
            return bool(SECRET_WORDS.intersection(words)) or words[-2:] == ["key", "text"]
        case ast.Call(func=ast.Attribute() as method):
            return _is_secret(method)
        case ast.Subscript(value=value):
            return _is_secret(value)
        case _:
            return False
