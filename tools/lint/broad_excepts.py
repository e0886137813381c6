"""``except Exception`` stands at named edges only.

Danger: a broad handler in the middle turns a programming mistake into a wrong answer that nobody
hears of. At an edge it is the last resort: it logs under the request id and answers
``internal_error``. A handler that ends by raising again swallows nothing and is free.
"""

import ast
from collections.abc import Iterator

from tools.lint.source import Source, Violation, dotted_name

NAME = "broad-excepts"
BROAD = frozenset({"Exception", "BaseException", ""})
EDGES = {
    "src/longshore/cli/main.py": "the last resort of the command line",
    "src/longshore/compute/fair_executor.py": "hands each error to who asked for the work",
    "src/longshore/compute/worker.py": "hands each error to the process that asked for the work",
    "src/longshore/http/front.py": "the last resort of HTTP",
    "src/longshore/storage/sqlite/writer.py": "hands each error to the callers of its units",
}


def check(source: Source) -> Iterator[Violation]:
    """Find handlers of everything outside the edges."""
    if not source.is_under("src") or source.path in EDGES:
        return
    for node in source.walk():
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type) and not _raises_again(node):
            yield source.violation(node, "name the error; only an edge may catch everything")


def _is_broad(caught: ast.expr | None) -> bool:
    """Return whether the handler catches everything, alone or in a tuple."""
    if isinstance(caught, ast.Tuple):
        return any(map(_is_broad, caught.elts))
    return caught is None or dotted_name(caught) in BROAD


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """Return whether the handler ends by raising."""
    return isinstance(handler.body[-1], ast.Raise)
