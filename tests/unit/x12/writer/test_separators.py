"""Separators that no value holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.kit.errors import LongshoreError
from longshore.x12.delimiters import Delimiters, is_usable
from longshore.x12.writer.separators import DEFAULT_DELIMITERS, free_delimiters, separators_for

EVERYTHING = "".join(chr(code) for code in range(128))


@pytest.mark.parametrize(
    ("values", "wanted", "chosen"),
    [
        ((), DEFAULT_DELIMITERS, ("*", "~", ":", "^")),
        (("A*B", "x"), DEFAULT_DELIMITERS, ("|", "~", ":", "^")),
        (("A*B|",), DEFAULT_DELIMITERS, ("\x1d", "~", ":", "^")),
        (("~",), DEFAULT_DELIMITERS, ("*", "\x1c", ":", "^")),
        (("10:30",), DEFAULT_DELIMITERS, ("*", "~", ">", "^")),
        (("10:30>",), DEFAULT_DELIMITERS, ("*", "~", "\x1f", "^")),
        (("^",), DEFAULT_DELIMITERS, ("*", "~", ":", "\x1e")),
        (("*~:^",), DEFAULT_DELIMITERS, ("|", "\x1c", ">", "\x1e")),
        (("*~:^|\x1c\x1d\x1e\x1f>",), DEFAULT_DELIMITERS, ("!", '"', "#", "$")),
        (("^",), Delimiters("*", "~", ":"), ("*", "~", ":", "")),
        (("x",), Delimiters("|", "\r\n", ">"), ("|", "\r\n", ">", "")),
        (("a\rb",), Delimiters("|", "\r\n", ">"), ("|", "~", ">", "")),
        (("a\nb",), Delimiters("|", "\n", ">"), ("|", "~", ">", "")),
        (("a\rb",), Delimiters("|", "\n", ">"), ("|", "~", ">", "")),
        (("*",), Delimiters("*", "|", ":", "\x1d"), ("\x1c", "|", ":", "\x1d")),
    ],
)
def test_only_what_occurs_is_replaced(
    values: tuple[str, ...], wanted: Delimiters, chosen: tuple[str, ...]
) -> None:
    assert separators_for(values, wanted)[:4] == chosen
    assert separators_for(values, wanted).release == ""


def test_values_that_hold_everything_are_refused() -> None:
    assert free_delimiters([EVERYTHING]) is None
    with pytest.raises(LongshoreError) as caught:
        separators_for([EVERYTHING])
    assert (caught.value.code, caught.value.details[0].param) == ("delimiter_in_data", "separators")


@given(st.lists(st.text(alphabet=EVERYTHING + "é", max_size=30), max_size=5))
def test_what_is_chosen_is_usable_and_in_no_value(values: list[str]) -> None:
    delimiters = free_delimiters(values)
    if delimiters is not None:
        assert len(set(delimiters.marks)) == 4
        assert all(is_usable(mark) for mark in delimiters.marks)
        assert not set(delimiters.marks) & set("".join(values))
