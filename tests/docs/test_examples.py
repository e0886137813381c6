"""Each numbered example of x12.md section 5.2 is played over the services, by its number.

Those of section 5.1 are the documents of ``tests/cases``.
"""

import ast
import re

from tests.docs.pages import ROOT

NOT_YET = frozenset({77})
"""Webhooks; the set shrinks as they come."""

PLAYED = ("tests/contract", "tests/http")


def numbers_of_the_page() -> list[int]:
    text = (ROOT / "docs/reference/x12.md").read_text(encoding="utf-8")
    table = text.split("### 5.2 ", 1)[1].split("\n## ", 1)[0]
    return [int(number) for number in re.findall(r"^\| ([0-9]+) \|", table, re.MULTILINE)]


def names_of_the_tests() -> list[str]:
    files = [file for folder in PLAYED for file in (ROOT / folder).glob("test_examples_*.py")]
    functions = (ast.AsyncFunctionDef, ast.FunctionDef)
    return [
        node.name
        for file in files
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, functions) and node.name.startswith("test_")
    ]


def test_the_examples_of_the_page_are_numbered_without_a_gap() -> None:
    numbers = numbers_of_the_page()
    assert numbers == [*range(41, 41 + len(numbers))]


def test_every_example_has_a_test_of_its_number_or_is_known_to_be_missing() -> None:
    names = names_of_the_tests()
    played = [int(found[1]) for name in names if (found := re.match("test_([0-9]+)_", name))]
    assert len(played) == len(names)  # those files hold nothing else
    assert set(numbers_of_the_page()) - set(played) == NOT_YET
    assert set(played) <= set(numbers_of_the_page())
