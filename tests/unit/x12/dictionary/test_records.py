"""Segments, composites, elements and code lists as lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from longshore.x12.dictionary.lines import DictionaryError, Releases
from longshore.x12.dictionary.model import ElementType, RelationalNote
from longshore.x12.dictionary.records import (
    RawUse,
    read_code_lists,
    read_elements,
    read_segments,
)
from tests.unit.x12.dictionary.texts import faults


def test_a_segment_has_uses_and_notes() -> None:
    [segment] = read_segments("s.xd", "REF 128!:kind 127x3 C040!x10:more ; R0203 P010203 @005010..")
    assert segment.id == "REF"
    assert segment.uses == (
        RawUse("128", is_mandatory=True, repeat=1, label="kind"),
        RawUse("127", is_mandatory=False, repeat=3, label=""),
        RawUse("C040", is_mandatory=True, repeat=10, label="more"),
    )
    assert [str(note) for note in segment.notes] == ["R0203", "P010203"]
    assert segment.notes[0] == RelationalNote("R", (2, 3))
    assert segment.line.releases == Releases("005010", "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ref 128", "ref is neither a segment nor a composite id"),
        ("REFS 128", "REFS is neither a segment nor a composite id"),
        ("  REF 128", "REF is neither a segment nor a composite id"),
        ("REF", "REF has no elements"),
        ("REF ; R0102", "R0102 names a position that does not exist"),
        ("REF 128?", "128? is not an element such as 353! or C040"),
        ("REF 0128", "0128 is not an element such as 353! or C040"),
        ("REF 128x0", "128x0 is not an element such as 353! or C040"),
        ("REF C40", "C40 is not an element such as 353! or C040"),
        ("REF 128:Kind", "Kind is not a label: lower-case letters, digits and _"),
        ("REF 128 127 ; X0102", "X0102 is not a relational note such as P0304"),
        ("REF 128 127 ; R02", "R02 is not a relational note such as P0304"),
        ("REF 128 127 ; R0203", "R0203 names a position that does not exist"),
        ("REF 128 127 ; R0002", "R0002 names a position that does not exist"),
        ("REF 128 127 ; R0202", "R0202 names a position twice"),
        ("C040 128 C041", "C040 has a composite as component"),
    ],
)
def test_a_wrong_segment(text: str, reason: str) -> None:
    with pytest.raises(DictionaryError) as raised:
        read_segments("s.xd", text)
    assert faults(raised) == [(1, reason)]


def test_an_element_has_type_lengths_and_perhaps_codes() -> None:
    one, two = read_elements("e.xd", "353 ID 2/2 codes=purpose\n610 N2 1/15 @..004010")
    assert (one.type, one.codes) == (ElementType("353", "ID", 2, 2), "purpose")
    assert (two.type, two.codes) == (ElementType("610", "N2", 1, 15), "")


FORM = "an element is a line such as 353 ID 2/2 codes=purpose"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("353 ID", FORM),
        ("  353 ID 2/2", FORM),
        ("0353 ID 2/2", FORM),
        ("x ID 2/2", FORM),
        ("353 ID 2/2 codes=a b", FORM),
        ("353 XX 2/2", "XX 2/2 is not a type and lengths such as ID 2/2"),
        ("353 ID 2", "ID 2 is not a type and lengths such as ID 2/2"),
        ("353 ID 3/2", "the minimum length 3 is above the maximum 2, or zero"),
        ("353 ID 0/2", "the minimum length 0 is above the maximum 2, or zero"),
        ("353 ID 2/2 purpose", "purpose is not codes=<list>"),
    ],
)
def test_a_wrong_element(text: str, reason: str) -> None:
    with pytest.raises(DictionaryError) as raised:
        read_elements("e.xd", text)
    assert faults(raised) == [(1, reason)]


def test_code_lists() -> None:
    text = 'list a\n  00 first of all\n  "0 1" "the # sign" @005010..\nlist b strict\n  X ten\n'
    one, two = read_code_lists("c.xd", text)
    assert (one.name, one.is_strict) == ("a", False)
    assert one.codes == (
        ("00", "first of all", Releases()),
        ("0 1", "the # sign", Releases("005010", "")),
    )
    assert (two.name, two.is_strict, two.codes) == ("b", True, (("X", "ten", Releases()),))


def test_a_code_may_change_its_meaning_with_the_release() -> None:
    [codes] = read_code_lists("c.xd", "list a\n  1 old @..004010\n  1 new @005010..\n")
    assert [meaning for _, meaning, _ in codes.codes] == ["old", "new"]


def test_blocks_of_codes_without_a_meaning() -> None:
    text = "list a strict\n  A1 first\n  also 0[1-3] [A-CX]Z @005010..\n  also Q\n"
    [found] = read_code_lists("c.xd", text)
    assert found.codes == (("A1", "first", Releases()),)
    assert found.blocks == (
        (("0", "123"), Releases("005010", "")),
        (("ABCX", "Z"), Releases("005010", "")),
        (("Q",), Releases()),
    )


HEAD = "a code list begins with: list NAME, or: list NAME strict"
NO_BLOCK = "is not a block of codes such as 0[1-9] or [A-KM]X"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  00 x", [(1, "a code needs a list above it")]),
        ("list a\n  00", [(2, "a code needs a meaning behind it")]),
        ("list a\n  00 x\n  00 y", [(3, "00 stands twice in the list a")]),
        ("list a\n  also", [(2, "also needs at least one block of codes behind it")]),
        ("list a\n  also a", [(2, f"a {NO_BLOCK}")]),
        ("list a\n  also [A-]", [(2, f"[A-] {NO_BLOCK}")]),
        ("list a\n  also [C-A]", [(2, "C-A is no range of digits or letters")]),
        ("list a\n  also [1-A]", [(2, "1-A is no range of digits or letters")]),
        ("list", [(1, HEAD)]),
        ("list a lax", [(1, HEAD)]),
        ("codes a\n", [(1, HEAD)]),
    ],
)
def test_a_wrong_code_list(text: str, expected: list[tuple[int, str]]) -> None:
    with pytest.raises(DictionaryError) as raised:
        read_code_lists("c.xd", text)
    assert faults(raised) == expected


@pytest.mark.parametrize("read", [read_segments, read_elements, read_code_lists])
def test_nothing_is_read_of_nothing(read: Callable[[str, str], tuple[object, ...]]) -> None:
    assert read("x.xd", "# sources: none\n") == ()
