"""Lines of dictionary text: what is read of them, and each way to be wrong."""

from __future__ import annotations

import pickle

import pytest

from longshore.x12.dictionary.lines import (
    DictionaryError,
    FileFault,
    FileFaults,
    Releases,
    read_lines,
    unquoted,
    without_comment,
)
from tests.unit.x12.dictionary.texts import faults


def test_comments_blank_lines_depth_words_and_tags() -> None:
    lines = read_lines("a.xd", '# all\n\n  REF O* as "x y" @005010..  # why\n    N1 M1 #12\n')
    assert [(line.number, line.depth, line.words) for line in lines] == [
        (3, 1, ("REF", "O*", "as", '"x y"')),
        (4, 2, ("N1", "M1", "#12")),
    ]
    assert [line.releases for line in lines] == [Releases("005010", ""), Releases()]


@pytest.mark.parametrize(
    ("raw", "bare"),
    [
        ('A "x # y" # z', 'A "x # y"'),
        ("#12 at the margin", ""),
        ("  #12 after blanks", ""),
        ("A #12", "A #12"),
        ("A # 12", "A"),
        ("A   ", "A"),
    ],
)
def test_a_comment_ends_a_line_outside_quotes(raw: str, bare: str) -> None:
    assert without_comment(raw) == bare


@pytest.mark.parametrize(
    ("tag", "releases"),
    [
        ("@004010", Releases("004010", "004010")),
        ("@004010..", Releases("004010", "")),
        ("@..004010", Releases("", "004010")),
        ("@004010..005010", Releases("004010", "005010")),
    ],
)
def test_tags(tag: str, releases: Releases) -> None:
    [line] = read_lines("a.xd", f"A {tag}")
    assert (line.words, line.releases) == (("A",), releases)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("\tA", "a tab; indent with two spaces"),
        ("A\tB", "a tab; indent with two spaces"),
        ('A "B', "a quote is not closed"),
        (" A", "indentation is not a multiple of two spaces"),
        (f"{'  ' * 65}A", "indented deeper than 64 levels"),
        ("A @", "@ is not a tag such as @005010.."),
        ("A @..", "@.. is not a tag such as @005010.."),
        ("A @4010", "@4010 is not a tag such as @005010.."),
        ("A @004010005010", "@004010005010 is not a tag such as @005010.."),
        ("A @005010..004010", "@005010..004010 is not a tag such as @005010.."),
        ("A @..٠٠٤٠١٠", "@..٠٠٤٠١٠ is not a tag such as @005010.."),
        ("A @004010 @005010", "more than one tag"),
        ("@004010", "a tag needs something before it"),
    ],
)
def test_a_wrong_line_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(DictionaryError) as raised:
        read_lines("a.xd", f"ok\n{text}\n")
    assert faults(raised) == [(2, reason)]


def test_all_wrong_lines_are_named_at_once_and_cross_a_process_border() -> None:
    with pytest.raises(DictionaryError) as raised:
        read_lines("a.xd", " A\nB\n\tC\n")
    again = pickle.loads(pickle.dumps(raised.value))
    assert [fault.line for fault in again.faults] == [1, 3]
    assert str(again).splitlines() == [
        "a.xd:1: indentation is not a multiple of two spaces",
        "a.xd:3: a tab; indent with two spaces",
    ]


@pytest.mark.parametrize(
    ("release", "holds"), [("003060", False), ("004010", True), ("004060", True), ("005010", False)]
)
def test_releases_hold_what_lies_between(release: str, *, holds: bool) -> None:
    assert Releases("004010", "004060").holds(release) is holds
    assert Releases("", "").holds(release)


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (Releases("", "004010"), Releases("005010", ""), False),
        (Releases("", "004010"), Releases("004010", ""), True),
        (Releases(), Releases("004010", "004010"), True),
    ],
)
def test_releases_overlap(one: Releases, other: Releases, *, both: bool) -> None:
    assert one.overlaps(other) is other.overlaps(one) is both


def test_unquoted() -> None:
    assert [unquoted(word) for word in ('"a b"', "a", '"', '""')] == ["a b", "a", '"', ""]


def test_nothing_gathered_raises_nothing() -> None:
    gathered = FileFaults()
    gathered.check()
    gathered.add(FileFault("a.xd", 1, "no"))
    with pytest.raises(DictionaryError):
        gathered.check()


def test_an_error_that_is_raised_again_is_taken_once() -> None:
    faults = FileFaults()
    error = DictionaryError([FileFault("a.xd", 1, "first"), FileFault("a.xd", 2, "second")])
    for _ in range(2):
        with faults.gathered():
            raise error
    faults.take(error)
    assert faults.found == error.faults
