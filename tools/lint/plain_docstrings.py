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


PACKAGES = (
    "src/longshore/background.py",
    "src/longshore/cli",
    "src/longshore/crypto",
    "src/longshore/settings",
    "src/longshore/telemetry",
    "src/longshore/transport",
    "src/longshore/domain/delivery",
    "src/longshore/compute",
    *(
        f"src/longshore/domain/{name}"
        for name in (
            "accounts",
            "acks",
            "audit",
            "control_numbers",
            "encryption.py",
            "events",
            "exports.py",
            "idempotency",
            "inbound",
            "interchanges",
            "maps",
            "outbound",
            "overview",
            "pages.py",
            "partners",
            "ports.py",
            "samples",
            "trading.py",
            "transactions",
            "units.py",
            "users",
            "vault",
        )
    ),
    "src/longshore/demo",
    "src/longshore/engine",
    "src/longshore/formats",
    "src/longshore/http",
    "src/longshore/kit",
    "src/longshore/mapping",
    "src/longshore/storage",
    "src/longshore/database.py",
    "src/longshore/wiring.py",
    "src/longshore/x12",
    "tools",
)
"""Where the docstrings are written so by now; the other packages follow."""

SENTENCES = (
    "src/longshore/engine",
    "src/longshore/formats",
    "src/longshore/kit",
    "src/longshore/mapping",
    "src/longshore/x12",
)
"""Where every docstring begins with a sentence, not with a question; the other packages follow."""


def check(source: Source) -> Iterator[Violation]:
    """Find docstrings that describe names in fragments, or begin with a question word.

    Codes of errors in Raises are no names.
    """
    if source.is_under(*SENTENCES):
        yield from _questions(source)
    if not source.is_under(*PACKAGES):
        return
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
