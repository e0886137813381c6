"""Segments, composites, elements and code lists in a release."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.model import CodeList, CompositeType, ElementType, ElementUse
from longshore.x12.dictionary.vocabulary import Vocabulary
from tests.unit.x12.dictionary.texts import CODES, ELEMENTS, SEGMENTS, TEXTS, faults, small


def vocabulary(**changes: str) -> Vocabulary:
    return Vocabulary(TEXTS | {name.replace("__", "/") + ".xd": it for name, it in changes.items()})


def test_a_segment_in_a_release() -> None:
    beg = small().vocabulary.segment("BEG", "004010")
    assert beg is not None
    purpose = CodeList("purpose", {"00": "original"})
    assert beg.uses == (
        ElementUse(ElementType("353", "ID", 2, 2, purpose), is_mandatory=True, label="purpose"),
        ElementUse(ElementType("324", "AN", 1, 22), is_mandatory=True, label="order_number"),
    )
    assert [use.reference for use in beg.uses] == ["353", "324"]


def test_a_line_with_a_tag_goes_before_one_without() -> None:
    counts = {
        release: len(found.uses)
        for release in ("004010", "005010")
        if (found := small().vocabulary.segment("DTM", release))
    }
    assert counts == {"004010": 2, "005010": 3}


def test_elements_and_code_lists_change_with_the_release() -> None:
    words = small().vocabulary
    assert [words.element("127", each) for each in ("004010", "005010")] == [
        ElementType("127", "AN", 1, 30),
        ElementType("127", "AN", 1, 50),
    ]
    purpose = words.element("353", "005010")
    assert purpose is not None
    assert purpose.codes == CodeList("purpose", {"00": "original", "05": "replace # all"})
    kind = words.element("349", "005010")
    assert kind is not None
    assert kind.codes == CodeList(
        "pid_kind", {"F": "free form", "S": "from a list"}, is_strict=True
    )


def test_blocks_of_codes_change_with_the_release() -> None:
    words = small({
        "codes/lists.xd": CODES.replace("  S from a list", "  S from a list\n  also [XY] @005010..")
    }).vocabulary
    lists = [words.element("349", release) for release in ("004010", "005010")]
    found = [each.codes for each in lists if each is not None and each.codes is not None]
    assert [("X" in each, "S" in each, "F" in each, "Z" in each) for each in found] == [
        (False, True, True, False),
        (True, True, True, False),
    ]


def test_a_composite_has_components_and_notes() -> None:
    found = small().vocabulary.composite("C040", "004010")
    assert found is not None
    assert [(use.reference, use.is_mandatory) for use in found.uses] == [
        ("128", True),
        ("127", True),
        ("128", False),
        ("127", False),
    ]
    assert [str(note) for note in found.notes] == ["P0304"]
    hi = small().vocabulary.segment("HI", "005010")
    assert hi is not None
    assert isinstance(hi.uses[0].type, CompositeType)
    assert (hi.uses[1].reference, hi.uses[1].repeat) == ("C022", 3)


def test_what_a_release_does_not_have_is_none() -> None:
    words = small().vocabulary
    assert words.segment("NTE", "004010") is None
    assert words.segment("QQQ", "004010") is None
    assert words.composite("C999", "004010") is None
    assert words.element("9999", "004010") is None
    assert "NTE" not in words.segment_ids("004010")
    assert words.segment_ids("005010")[:4] == ("BEG", "BHT", "CLM", "CTT")


def test_a_further_file_goes_before_the_main_one() -> None:
    words = vocabulary(segments__mine="CUR 98 100 373\nZZ1 98\n")
    assert [words.segment(each, "004010") is not None for each in ("BEG", "ZZ1")] == [True, True]
    cur = words.segment("CUR", "004010")
    assert cur is not None
    assert len(cur.uses) == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ZZ1 9999 98 C999", "element 9999 is not defined in 005010"),
        ("ZZ1 98 C999", "composite C999 is not defined in 005010"),
    ],
)
def test_a_segment_of_unknown_elements_names_each(line: str, reason: str) -> None:
    words = vocabulary(segments=f"{line}\n")
    with pytest.raises(DictionaryError) as raised:
        words.segment("ZZ1", "005010")
    assert faults(raised)[0] == (1, reason)
    assert len(faults(raised)) == line.count("99") - line.count("9999")


def test_a_missing_list_and_a_missing_file() -> None:
    with pytest.raises(DictionaryError, match=r"elements.xd:1: there is no code list nope"):
        vocabulary(elements="353 ID 2/2 codes=nope\n").element("353", "004010")
    with pytest.raises(DictionaryError, match=r"segments.xd:0: the file is missing"):
        Vocabulary({}).segment("BEG", "004010")


@pytest.mark.parametrize(
    ("more", "is_refused"),
    [
        ("N3 166!", True),
        ("N3 166! @004010", False),
        ("DTM 374! @005010", True),
        ("DTM 374! @..004010", False),
    ],
)
def test_two_lines_of_one_segment(more: str, *, is_refused: bool) -> None:
    words = vocabulary(segments=f"{SEGMENTS}{more}\n")
    if not is_refused:
        assert words.segment(more[:3].strip(), "004010") is not None
        return
    with pytest.raises(
        DictionaryError, match=f"{more.split(maxsplit=1)[0]} is defined twice, see line "
    ):
        words.segment(more.split(maxsplit=1)[0], "004010")


def test_a_list_twice() -> None:
    for more in ("codes__more", "codes__purpose2"):
        words = vocabulary(**{more: "list purpose\n  01 x\n"})
        with pytest.raises(DictionaryError, match="the list purpose is defined twice"):
            words.element("353", "004010")
        with pytest.raises(DictionaryError, match="the list purpose is defined twice"):
            _ = words.code_lists


def test_a_look_up_reads_no_line_about_anything_else() -> None:
    words = vocabulary(segments=f"{SEGMENTS}QQ1 nonsense\n", elements=f"{ELEMENTS}x\n")
    assert words.segment("BEG", "004010") is not None
    for read in (lambda: words.segment("QQ1", "004010"), lambda: words.segments):
        with pytest.raises(DictionaryError, match="nonsense is not an element such as"):
            read()


def test_labels_come_from_the_element_unless_the_segment_says_otherwise() -> None:
    words = vocabulary(
        elements="353:purpose ID 2/2\n128:kind ID 2/3\n127:number AN 1/30\n324 AN 1/22\n",
        composites="C040:related 128! 127! 128 127\n",
        segments="QQ1:request 353! 128 127:own 128 C040 324 324\n",
    )
    found = words.segment("QQ1", "004010")
    assert found is not None
    assert found.label == "request"
    labels = ["purpose", "kind", "own", "kind_2", "related", "", ""]
    assert [use.label for use in found.uses] == labels
    composite = found.uses[4].type
    assert isinstance(composite, CompositeType)
    assert [use.label for use in composite.uses] == ["kind", "number", "kind_2", "number_2"]


@pytest.mark.parametrize("name", ["segments", "elements"])
def test_a_label_is_of_lower_case_letters(name: str) -> None:
    line = "QQ1:Request 353\n" if name == "segments" else "353:Purpose ID 2/2\n"
    words = vocabulary(**{name: line})
    with pytest.raises(DictionaryError, match=r"is not a label: lower-case letters"):
        words.segment("QQ1", "004010") if name == "segments" else words.element("353", "004010")


def test_faults_of_several_files_are_named_together() -> None:
    words = vocabulary(elements=f"{ELEMENTS}x\n", elements__mine="y\n")
    with pytest.raises(DictionaryError) as raised:
        _ = words.elements
    assert [fault.file for fault in raised.value.faults] == ["elements.xd", "elements/mine.xd"]


def test_what_is_defined_without_end_is_refused() -> None:
    years = [f"{year}010" for year in range(100, 165)]
    codes = "".join(f"  01 x @{year}\n" for year in years)
    asked = {
        "codes__more": (f"list more\n{codes}", "01 stands more than 64 times in the list more"),
        "segments": ("".join(f"QQ1 353 @{year}\n" for year in years), "QQ1 is defined more than"),
        "elements": ("9 AN 1/1000000000\n", "is more than any document has"),
    }
    for kind, (text, reason) in asked.items():
        words = vocabulary(**{kind: text})
        with pytest.raises(DictionaryError, match=reason):
            _ = words.code_lists if kind == "codes__more" else getattr(words, kind)


def test_a_further_file_with_a_tag_replaces_the_main_one_in_that_release_alone() -> None:
    found = vocabulary(**{
        "segments/own": "# sources: mine\nBEG 353 @004010\n",
        "elements/own": "# sources: mine\n353 ID 2/3 @004010\n",
    })
    old, new = found.segment("BEG", "004010"), found.segment("BEG", "005010")
    assert old is not None
    assert new is not None
    assert [(use.reference, use.is_mandatory) for use in old.uses] == [("353", False)]
    assert [(use.reference, use.is_mandatory) for use in new.uses] == [("353", True), ("324", True)]
    lengths = [found.element("353", each) for each in ("004010", "005010")]
    assert [each and each.maximum for each in lengths] == [3, 2]
    assert len(found.segments["BEG"]) == 2
