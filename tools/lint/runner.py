"""Run every house rule over the Python files, and the rule of words over pages too."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType

from tools.lint import (
    banned_words,
    broad_excepts,
    digits,
    loose_dicts,
    marked_tasks,
    naive_datetimes,
    plain_docstrings,
    private_names,
    secret_comparisons,
    sql_texts,
    statuses,
)
from tools.lint.source import Source, Violation

Rule = Callable[[Source], Iterator[Violation]]

RULES: MappingProxyType[str, Rule] = MappingProxyType({
    module.NAME: module.check
    for module in (
        banned_words,
        broad_excepts,
        digits,
        loose_dicts,
        marked_tasks,
        naive_datetimes,
        plain_docstrings,
        private_names,
        secret_comparisons,
        sql_texts,
        statuses,
    )
})
FOLDERS = ("src", "tests", "tools")


def violations(source: Source) -> Iterator[tuple[str, Violation]]:
    """Yield each violation of ``source`` that is not excused on its line, with its rule."""
    for name, check in RULES.items():
        for violation in check(source):
            if not source.is_excused(violation, name):
                yield name, violation


def stale_edges(root: Path) -> Iterator[str]:
    """Yield the named edges that no longer exist: an exception must not outlive its reason."""
    return (path for path in broad_excepts.EDGES if not (root / path).is_file())


def page_violations(root: Path) -> Iterator[Violation]:
    """Yield each banned word in the documentation and the sources of the browser pages."""
    for pattern in banned_words.PAGES:
        for file in sorted(root.glob(pattern)):
            path = file.relative_to(root).as_posix()
            yield from banned_words.check_page(path, file.read_text(encoding="utf-8"))


def main(root: Path) -> int:
    """Print every violation below ``root``; return the exit status."""
    found = 0
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            path = file.relative_to(root).as_posix()
            for rule, violation in violations(Source(path, file.read_text(encoding="utf-8"))):
                print(f"{violation.path}:{violation.line}: {rule}: {violation.message}")
                found += 1
    for violation in page_violations(root):
        print(f"{violation.path}:{violation.line}: {banned_words.NAME}: {violation.message}")
        found += 1
    for path in stale_edges(root):
        print(f"{path}: broad-excepts: named as an edge, but there is no such file")
        found += 1
    print(f"house rules: {found} found" if found else "house rules: no violation", file=sys.stderr)
    return 1 if found else 0
