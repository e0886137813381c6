"""The tail gate: no file or test grows until everybody must touch it.

A smoke detector, not a goal: a table or an algorithm that reads best whole stays whole, with one
line here that says why.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.architecture.repository import ROOT, python_files

MODULE_LINES = 400
TEST_MODULE_LINES = 600
TEST_STATEMENTS = 25

ALLOWED: Mapping[str, str] = {
    "src/longshore/domain/partners/settings.py": "all settings of a partner, in one table",
    "src/longshore/storage/schema/versions/v0001_initial.py": "all tables, in one migration",
}
"""Path from the root to the reason why the module is longer than its limit."""


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def limit_of(path: Path) -> int:
    return TEST_MODULE_LINES if path.is_relative_to(ROOT / "tests") else MODULE_LINES


def too_long(paths: list[Path]) -> dict[str, int]:
    return {
        path.relative_to(ROOT).as_posix(): lines_of(path)
        for path in paths
        if lines_of(path) > limit_of(path)
    }


def test_no_module_is_longer_than_its_limit_without_a_reason() -> None:
    found = too_long(python_files("src", "tools", "tests"))
    assert {path: lines for path, lines in found.items() if path not in ALLOWED} == {}


def test_every_exception_is_still_needed() -> None:
    found = too_long(python_files("src", "tools", "tests"))
    assert [path for path in ALLOWED if path not in found] == []
    assert all(ALLOWED.values())


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        path.relative_to(ROOT).as_posix()
        for path in python_files("src", "tools")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_no_test_has_more_statements_than_a_reader_holds() -> None:
    long = {
        f"{path.relative_to(ROOT).as_posix()}:{test.lineno}": count
        for path in python_files("tests")
        for test, count in counted_tests(path.read_text(encoding="utf-8"))
        if count > TEST_STATEMENTS
    }
    assert long == {}


def counted_tests(code: str) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    """Yield each test function with the number of its statements, its own line aside."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test"
        ):
            yield node, sum(isinstance(inner, ast.stmt) for inner in ast.walk(node)) - 1


@pytest.mark.parametrize("statements", [TEST_STATEMENTS, TEST_STATEMENTS + 1])
def test_statements_are_counted(statements: int) -> None:
    code = "async def test_x():\n" + "    f()\n" * statements
    assert [count for _, count in counted_tests(code)] == [statements]
