"""HTTP error statuses are known to ``http/errors.py`` alone.

Danger: a status chosen where the refusal happens drifts from the catalogue, and the same refusal
gets 400 from one route and 422 from the next. The domain names the refusal; one table turns it
into a status.
"""

import ast
from collections.abc import Iterator

from tools.lint.source import Source, Violation, dotted_name

NAME = "statuses"
HOME = "src/longshore/http/errors.py"
ERROR_STATUSES = frozenset({400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 503})


def check(source: Source) -> Iterator[Violation]:
    """Find error statuses in http outside their home, and any named as such elsewhere."""
    if not source.is_under("src") or source.path == HOME:
        return
    inside_http = source.is_under("src/longshore/http")
    for node in source.walk():
        if isinstance(node, ast.ImportFrom | ast.Import) and _imports_statuses(node):
            yield source.violation(node, "statuses come from http/errors.py")
        elif inside_http and isinstance(node, ast.Constant) and (status := _status_of(node)):
            yield source.violation(node, f"{status} belongs into http/errors.py")
        elif not inside_http and isinstance(node, ast.expr | ast.keyword | ast.Assign):
            yield from _named_statuses(source, node)


def _imports_statuses(node: ast.ImportFrom | ast.Import) -> bool:
    """Return whether the import brings a list of statuses."""
    names = {alias.name for alias in node.names}
    module = node.module if isinstance(node, ast.ImportFrom) else None
    return bool(names & {"HTTPStatus", "starlette.status"}) or module == "starlette.status"


def _named_statuses(source: Source, node: ast.AST) -> Iterator[Violation]:
    """Find a status given to, or compared with, something that is called a status."""
    match node:
        case ast.keyword(arg=str(name), value=ast.Constant() as value):
            pairs = [(name, value)]
        case ast.Assign(targets=[target], value=ast.Constant() as value):
            pairs = [(dotted_name(target), value)]
        case ast.Compare(left=left, comparators=[ast.Constant() as value]):
            pairs = [(dotted_name(left), value)]
        case _:
            pairs = []
    for name, value in pairs:
        if "status" in name.lower() and (status := _status_of(value)):
            yield source.violation(value, f"{name} {status} belongs into http/errors.py")


def _status_of(node: ast.Constant) -> int | None:
    """Return the error status that the constant is, if it is one."""
    value = node.value
    return value if type(value) is int and value in ERROR_STATUSES else None
