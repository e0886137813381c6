"""The quoted segment of a finding: the right one, and the mark below the right character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from longshore.cli.quotation import quotation
from longshore.cli.terminal import visible
from longshore.x12.delimiters import Delimiters

PLAIN = Delimiters("*", "~", ">")
WIDE = 60


@pytest.mark.parametrize(
    ("text", "offset", "line", "column"),
    [
        ("AA*1~BB*22*3~CC~", 5, "BB*22*3", 0),
        ("AA*1~BB*22*3~CC~", 8, "BB*22*3", 3),
        ("AA*1~BB*22*3~CC~", 12, "BB*22*3", 7),
        ("AA*1~\r\n BB*2~", 11, "BB*2", 3),
        ("AA*1~\n", 5, "\\n", 0),
        ("AA*1", 3, "AA*1", 3),
        ("AA*1~BB", 7, "BB", 2),
        ("AA*\t*1~", 4, "AA*\\t*1", 5),
        ("AA*日本*1~", 6, "AA*日本*1", 8),
    ],
)
def test_the_segment_around_the_place_is_quoted(
    text: str, offset: int, line: str, column: int
) -> None:
    assert quotation(text, offset, (PLAIN,), WIDE) == (line, column)


def test_a_terminator_may_have_two_characters() -> None:
    marks = Delimiters("*", "\r\n", ">")
    assert quotation("AA*1\r\nBB*2\r\nCC", 9, (marks,), WIDE) == ("BB*2", 3)


def test_the_separators_are_those_of_the_interchange_before() -> None:
    text = "ISA*1~BB*a|b~ISA^1|BB^a~b|CC|"
    marks = (PLAIN, Delimiters("^", "|", ">"))
    assert quotation(text, text.index("a|b"), marks, WIDE) == ("BB*a|b", 3)
    assert quotation(text, text.index("a~b"), marks, WIDE) == ("BB^a~b", 3)


@pytest.mark.parametrize(
    ("offset", "line", "column"),
    [
        (0, "abcdefghi…", 0),
        (4, "abcdefghi…", 4),
        (5, "abcdefghi…", 5),
        (13, "…jklmnopq…", 5),
        (25, "…rstuvwxyz", 9),
        (26, "…stuvwxyz", 9),
    ],
)
def test_of_a_long_segment_the_part_around_the_place_is_quoted(
    offset: int, line: str, column: int
) -> None:
    assert quotation("abcdefghijklmnopqrstuvwxyz~", offset, (PLAIN,), 10) == (line, column)


# What takes no column of its own joins what stands before it: where it is cut, nobody can tell.
COLUMNS = st.characters(codec="utf-8").filter(
    lambda each: not each.isprintable() or cell_len(each) > 0
)


@given(
    before=st.text(COLUMNS, max_size=80),
    after=st.text(COLUMNS, min_size=1, max_size=80),
    most=st.integers(10, 40),
)
def test_the_mark_stands_below_the_place_and_the_line_fits(
    before: str, after: str, most: int
) -> None:
    text = before.replace("~", "") + after.replace("~", ".")
    offset = len(before.replace("~", ""))
    line, column = quotation(text, offset, (PLAIN,), most)
    assert cell_len(line) <= most
    assert line.isprintable()
    head, tail = _cut(line, column)
    assert head.startswith("…") or visible(text[:offset]).lstrip(" ").endswith(head)
    assert tail.endswith("…") or visible(text[offset:]) == tail


def _cut(line: str, column: int) -> tuple[str, str]:
    """Return the line before and after a column."""
    at = next(at for at in range(len(line) + 1) if cell_len(line[:at]) >= column)
    return line[:at], line[at:]
