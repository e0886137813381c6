import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats.keys import escape_name, in_namespace, numbered


@pytest.mark.parametrize("character", list("\\.[]/*>@{"))
def test_a_character_with_a_meaning_in_keys_gets_a_backslash(character: str) -> None:
    assert escape_name(f"a{character}b") == f"a\\{character}b"


def test_every_other_character_stands_for_itself() -> None:
    name = "Qty é 数 }!\"#$%&'()+,-:;<=?^_`|~\x00"
    assert escape_name(name) == name


@given(name=st.text(alphabet="a\\.[]/*>@{}"))
def test_an_escaped_name_gives_the_name_back(name: str) -> None:
    assert re.sub(r"\\(.)", r"\1", escape_name(name)) == name


@pytest.mark.parametrize(
    ("_case", "uri", "local_name", "written"),
    [
        ("an address stands verbatim", "http://a.example/x", "lang", "{http://a.example/x}lang"),
        ("the local part is escaped", "urn:a", "b.c", r"{urn:a}b\.c"),
        ("a brace cannot end it early", "a}b{c\\", "d", r"{a\}b\{c\\}d"),
        ("no namespace has no braces", "", "b.c", r"b\.c"),
    ],
)
def test_an_expanded_name(_case: str, uri: str, local_name: str, written: str) -> None:
    assert in_namespace(uri, local_name) == written


def test_only_the_first_occurrence_keeps_the_bare_name() -> None:
    assert [numbered("Line", n) for n in (1, 2, 10)] == ["Line", "Line[2]", "Line[10]"]
