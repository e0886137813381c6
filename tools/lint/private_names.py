"""No package uses another package's ``_name``.

Danger: an underscore says "may change without notice". Once a neighbour leans on it, a change that
looks local breaks a package nobody thought of. Import contracts see modules, not names.
"""

import ast
from collections.abc import Iterator

from tools.lint.source import Source, Violation

NAME = "private-names"


def check(source: Source) -> Iterator[Violation]:
    """Find imports of private names from, and private attributes of, other packages of ours."""
    if not source.is_under("src"):
        return
    home = _package_of(source.path)
    foreign: set[str] = set()
    for node in source.walk():
        if isinstance(node, ast.ImportFrom) and _is_foreign(node.module, home):
            foreign.update(alias.asname or alias.name for alias in node.names)
            for alias in node.names:
                if _is_private(alias.name) or any(map(_is_private, str(node.module).split("."))):
                    yield source.violation(node, f"{node.module} keeps {alias.name} to itself")
    for node in source.walk():
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in foreign
            and _is_private(node.attr)
        ):
            yield source.violation(node, f"{node.value.id} keeps {node.attr} to itself")


def _package_of(path: str) -> str:
    """Return ``longshore.x12`` for ``src/longshore/x12/reader.py``."""
    return ".".join(path.split("/")[1:-1])


def _is_foreign(module: str | None, home: str) -> bool:
    """Return whether ``module`` is ours and lies outside the package ``home``."""
    ours = module is not None and module.split(".")[0] == "longshore"
    return ours and module != home and str(module).rpartition(".")[0] != home


def _is_private(name: str) -> bool:
    """Return whether ``name`` begins with an underscore and is no dunder."""
    return name.startswith("_") and not name.endswith("__")
