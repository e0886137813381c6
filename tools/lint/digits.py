r"""Digits are ``[0-9]``; never ``\d``, ``isdigit``, ``isdecimal`` or ``isnumeric``.

Danger: the others take the digits of every script, and ``isdigit`` even a superscript two. A count
written so passes the check and then means something else, or raises, one layer further down.
"""

import ast
from collections.abc import Iterator

from tools.lint.source import Source, Violation

NAME = "digits"
METHODS = frozenset({"isdigit", "isdecimal", "isnumeric"})


def check(source: Source) -> Iterator[Violation]:
    """Find patterns and methods that accept other scripts' digits."""
    if not source.is_under("src"):
        return
    for node in source.walk():
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            yield source.violation(node, f"{node.attr} takes other scripts' digits: use [0-9]")
    for constant in source.texts():
        text = constant.value
        if isinstance(text, str) and r"\d" in text.replace(r"\\", ""):
            yield source.violation(constant, r"\d takes other scripts' digits: use [0-9]")
