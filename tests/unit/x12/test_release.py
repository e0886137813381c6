"""Release characters: ISX01 makes the separator after it data, from 007040 on."""

import pytest

from longshore.x12.release import split_released, unreleased
from tests.unit.x12.documents import GS, Said, codes, fields_of, interchange, isa, said, segments_of

HEAD = isa(e11="^", e12="00704", e16=":")


def with_isx(*body: str, isx: str = "ISX*?", head: str = HEAD, break_: str = "") -> str:
    inside = (GS, "ST*850*0001", *body, f"SE*{len(body) + 2}*0001", "GE*1*7")
    return interchange(isx, *inside, "IEA*1*000000101", head=head, break_=break_)


@pytest.mark.parametrize(
    ("segment", "fields"),
    [
        ("BEG*00*SA*PO?*1", {"BEG.01": "00", "BEG.02": "SA", "BEG.03": "PO*1"}),
        ("MSG*a?~b*c", {"MSG.01": "a~b", "MSG.02": "c"}),
        ("MSG*a??*c", {"MSG.01": "a?", "MSG.02": "c"}),
        ("MSG*a???*c", {"MSG.01": "a?*c"}),
        ("MSG*a?b", {"MSG.01": "a?b"}),
        ("MSG*?*?~?:?^??", {"MSG.01": "*~:^?"}),
        ("ZZZ*a?:b:c", {"ZZZ.01": "a:b:c", "ZZZ.01.01": "a:b", "ZZZ.01.02": "c"}),
        ("ZZZ*a?^b^c", {"ZZZ.01": "a^b", "ZZZ.01[2]": "c"}),
        ("ZZZ*a?:b", {"ZZZ.01": "a:b"}),
        ("ZZZ**?*", {"ZZZ.02": "*"}),
    ],
)
@pytest.mark.parametrize("break_", ["", "\n"])
def test_a_released_separator_is_data(segment: str, fields: dict[str, str], break_: str) -> None:
    document = with_isx(segment, "N1*ST", break_=break_)
    found = fields_of(document)
    body = {key: value for key, value in found.items() if key[:3] == segment[:3]}
    assert body == fields
    assert (found["ISX.01"], found["N1.01"]) == ("?", "ST")
    assert codes(document) == []


def test_the_segments_view_has_the_values_and_the_raw_span() -> None:
    document = with_isx("ZZZ*a?*b*c?^d^e")
    segment = segments_of(document)[4]
    assert segment["e"] == ["a*b", ["c^d", "e"]]
    assert document[slice(*segment["span"])] == "ZZZ*a?*b*c?^d^e"


def test_places_after_released_separators_are_those_of_the_document() -> None:
    document = with_isx("MSG*?*?**é", "ref*1")
    assert said(document) == [
        Said("extended_charset", 1, "MSG", 2, 2, "MSG.02", document.index("é"), 1),
        Said("lowercase_segment_id", 1, "ref", 3, None, "ref", document.index("ref"), 1),
    ]


@pytest.mark.parametrize(
    ("isx", "head"),
    [
        ("ISX*?", isa(e11="^", e12="00703", e16=":")),
        ("ISX*?", isa(e16=":")),
        ("ISX", HEAD),
        ("ISX*", HEAD),
        ("ISX*A", HEAD),
        ("ISX*??", HEAD),
        ("ISX*^", HEAD),
        ("ISX*:", HEAD),
    ],
)
def test_an_isx_that_cannot_be_in_force_is_said_and_there_is_no_escape(isx: str, head: str) -> None:
    document = with_isx("BEG*00*PO?*1", isx=isx, head=head)
    assert fields_of(document)["BEG.02"] == "PO?"
    assert Said("release_character_invalid", None, "ISX", 2, None, "ISX", 106, 1) in said(document)


def test_a_second_isx_does_not_change_the_release_character() -> None:
    document = with_isx("BEG*00", "ISX*!", "MSG*a?*b!*c")
    assert fields_of(document)["MSG.01"] == "a*b!"
    at = document.index("ISX*!")
    place = Said("release_character_invalid", 1, "ISX", 3, None, "ISX[2]", at, 1)
    assert place in said(document)


def test_a_release_character_ends_with_its_interchange() -> None:
    document = with_isx("MSG*a?*b") + interchange("TA1*?*", "IEA*0*000000101")
    fields = fields_of(document)
    assert (fields["MSG.01"], fields["TA1.01"]) == ("a*b", "?")


def test_a_release_character_at_the_end_releases_nothing() -> None:
    document = with_isx().rsplit("IEA", 1)[0] + "IEA*1*1?"
    assert fields_of(document)["IEA.02"] == "1?"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", [""]),
        ("a*b", ["a", "b"]),
        ("a?*b", ["a?*b"]),
        ("a??*b", ["a??", "b"]),
        ("*", ["", ""]),
        ("a?", ["a?"]),
        ("?", ["?"]),
        ("a*?", ["a", "?"]),
        ("a?\n*b", ["a?\n", "b"]),
    ],
)
def test_splitting_leaves_release_characters_in_the_pieces(text: str, pieces: list[str]) -> None:
    assert split_released(text, "*", "?") == pieces


@pytest.mark.parametrize(
    ("text", "value"), [("a?*b", "a*b"), ("a??b", "a?b"), ("a?b", "a?b"), ("?", "?"), ("a", "a")]
)
def test_only_a_separator_loses_its_release_character(text: str, value: str) -> None:
    assert unreleased(text, "?", "*~") == value
