"""Separators: read from the ISA, overridden by a request, refused where they cannot be."""

import pytest

from longshore.kit.errors import LongshoreError
from longshore.x12.delimiters import (
    DelimiterOverrides,
    Delimiters,
    HeadFault,
    InterchangeHead,
    has_fixed_width_isa,
    is_usable,
    parse_overrides,
    read_head,
)
from tests.unit.x12.documents import GS, a_set, an_850, codes, fields_of, isa, refusal, result_of


def head_of(text: str, **overrides: str) -> InterchangeHead:
    head = read_head(text, 0, DelimiterOverrides(**overrides))
    assert isinstance(head, InterchangeHead)
    return head


def fault_of(text: str) -> tuple[str, int]:
    fault = read_head(text, 0)
    assert isinstance(fault, HeadFault)
    return fault.code, fault.offset


def separators(document: str, **options: str) -> tuple[object, ...]:
    result = result_of(document, **options)
    return tuple(result[name] for name in ("elem_sep", "seg_term", "comp_sep", "rep_sep"))


@pytest.mark.parametrize(
    ("element", "segment", "component"),
    [
        ("*", "~", ">"),
        ("|", "'", ":"),
        ("\x1d", "\x1c", "\x1f"),
        ("*", "\n", ":"),
        ("*", "\r\n", ":"),
        ("*", "\r", ":"),
        ("\t", "~", ":"),
        ("\\", '"', "\x85"),
        ("*", "§", "¤"),
    ],
    ids=repr,
)
def test_separators_come_from_the_fixed_places_of_the_isa(
    element: str, segment: str, component: str
) -> None:
    head = head_of(isa(element, e16=component) + segment + "GS")
    assert head.delimiters == Delimiters(element=element, segment=segment, component=component)
    assert (head.chars, head.terminator, head.is_fixed_width) == (105, segment, True)


@pytest.mark.parametrize(
    ("version", "mark", "repetition"),
    [
        ("00401", "^", ""),
        ("00402", "^", "^"),
        ("00403", "!", "!"),
        ("00500", "^", "^"),
        ("00501", "^", "^"),
        ("00501", "U", ""),
        ("00501", "A", ""),
        ("00501", "7", ""),
        ("00501", " ", ""),
        ("00501", "~", ""),
        ("00501", ">", ""),
        ("00801", "\x1e", "\x1e"),
        ("00200", "^", ""),
        ("00305", "^", ""),
        ("0050", "^", ""),
        ("abcde", "^", ""),
        ("99999", "^", "^"),
    ],
)
def test_isa11_is_a_repetition_separator_from_00402_on_if_it_can_be_one(
    version: str, mark: str, repetition: str
) -> None:
    assert head_of(isa(e11=mark, e12=version) + "~").delimiters.repetition == repetition
    trimmed = head_of(isa(padded=False, e11=mark, e12=version) + "~")
    assert trimmed.delimiters.repetition == repetition


def test_an_isa_of_fixed_width_has_its_sixteen_separators_and_no_other() -> None:
    head = isa()
    assert has_fixed_width_isa(head, 0)
    assert has_fixed_width_isa("##" + head, 2)
    assert not has_fixed_width_isa(head[:104], 0)
    assert not has_fixed_width_isa(head.replace("SENDER ", "SEND*R "), 0)
    assert not has_fixed_width_isa("isa" + head[3:], 0)
    assert not has_fixed_width_isa(isa(padded=False).ljust(200), 0)


def test_a_trimmed_isa_is_read_by_its_sixteen_separators() -> None:
    head = head_of(isa(padded=False) + "~GS")
    assert (head.is_fixed_width, head.terminator) == (False, "~")
    assert head.chars == len(isa(padded=False))
    assert head.delimiters == Delimiters(element="*", segment="~", component=">")


@pytest.mark.parametrize("sender", ["ACME-ST", "A.GS", "B_IEA", "C/TA1", "D&ST", "E ST"])
def test_an_id_that_ends_like_a_tag_does_not_end_a_trimmed_isa(sender: str) -> None:
    document = an_850(head=isa(padded=False, e6=sender))
    assert fields_of(document)["ISA.06"] == sender
    assert codes(document) == ["isa_not_fixed_width"]


@pytest.mark.parametrize(
    ("_case", "text", "code", "offset"),
    [
        ("letter", isa("A") + "~", "element_separator_invalid", 3),
        ("digit", isa("1") + "~", "element_separator_invalid", 3),
        ("space", "ISA " + isa()[4:] + "~", "element_separator_invalid", 3),
        ("nul", isa("\0") + "~", "element_separator_invalid", 3),
        ("nothing after the tag", "ISA", "element_separator_invalid", 3),
        ("component is a letter", isa(e16="A") + "~", "component_separator_invalid", 104),
        ("component is a space", isa(e16=" ") + "~", "component_separator_invalid", 104),
        ("component is absent", isa()[:104], "component_separator_invalid", 104),
        ("trimmed, no component", isa(padded=False)[:-1], "component_separator_invalid", 68),
        ("terminator is a letter", isa() + "G", "segment_terminator_invalid", 105),
        ("terminator is a digit", isa() + "0", "segment_terminator_invalid", 105),
        ("terminator is absent", isa(), "segment_terminator_invalid", 105),
        ("terminator is the element separator", isa() + "*", "segment_terminator_invalid", 105),
        ("terminator is the component separator", isa() + ">", "segment_terminator_invalid", 105),
        ("two elements", "ISA*00*~", "control_structure_invalid", 0),
        ("fifteen elements", isa()[:102] + "~" + GS + "~", "control_structure_invalid", 0),
        ("no ISA15, a set", "ISA*00**00**ZZ*A*ZZ*B*240115*0930*U*00401*000000101*0~" + GS + "~ST*",
         "control_structure_invalid", 0),
    ],
)  # fmt: skip
def test_an_isa_that_cannot_be_read_says_why_and_where(
    _case: str, text: str, code: str, offset: int
) -> None:
    assert fault_of(text) == (code, offset)


def test_a_component_separator_equal_to_the_element_separator_is_no_fixed_width() -> None:
    assert fault_of(isa(e16="*") + "~") == ("component_separator_invalid", 104)


@pytest.mark.parametrize(
    ("spelling", "meant"),
    [
        ("|", "|"),
        ("\n", "\n"),
        (r"\n", "\n"),
        (r"\t", "\t"),
        (r"\x1D", "\x1d"),
        (r"\x1d", "\x1d"),
        ("0x1C", "\x1c"),
        ("0xa7", "§"),
        ("\\", "\\"),
    ],
)
def test_an_override_may_be_spelled(spelling: str, meant: str) -> None:
    assert parse_overrides(spelling, None) == DelimiterOverrides(element=meant)
    assert parse_overrides(None, spelling) == DelimiterOverrides(segment=meant)


@pytest.mark.parametrize("spelling", ["\r\n", r"\r\n"])
def test_carriage_return_and_line_feed_are_one_terminator_but_no_element_separator(
    spelling: str,
) -> None:
    assert parse_overrides("", spelling) == DelimiterOverrides(segment="\r\n")
    with pytest.raises(LongshoreError) as caught:
        parse_overrides(spelling, None)
    assert [each.param for each in caught.value.details] == ["elem_sep"]


@pytest.mark.parametrize(
    "bad", ["A", "0", " ", "\0", "**", r"\x", r"\x4", r"\x41", "0x", "0x301", r"\q", "é", "~\n"]
)
def test_an_override_that_is_no_separator_is_refused_for_each_parameter(bad: str) -> None:
    with pytest.raises(LongshoreError) as caught:
        parse_overrides(bad, bad)
    assert caught.value.code == "invalid_parameter"
    assert [(each.code, each.param) for each in caught.value.details] == [
        ("invalid_parameter", "elem_sep"),
        ("invalid_parameter", "seg_term"),
    ]


@pytest.mark.parametrize(("element", "segment"), [("*", "*"), (r"\x2a", "*"), ("\n", "\r\n")])
def test_overrides_must_differ(element: str, segment: str) -> None:
    code, detail = refusal(an_850(), elem_sep=element, seg_term=segment)
    assert (code, detail.param) == ("invalid_parameter", "seg_term")
    assert detail.message == "seg_term and elem_sep must differ"


def test_overrides_hold_for_everything_after_the_isa() -> None:
    document = isa() + "~GS|PO|A|B|20240115|0930|7|X|004010\nST|850|0001\nSE|2|0001\n"
    document += "GE|1|7\nIEA|1|000000101\n"
    assert codes(document, elem_sep="|", seg_term=r"\n") == ["separator_override_conflict"]
    assert separators(document, elem_sep="|", seg_term=r"\n") == ("|", "\n", ">", "")
    fields = fields_of(document, elem_sep="|", seg_term=r"\n")
    assert (fields["ISA.08"], fields["GS.08"], fields["IEA.02"]) == (
        "RECEIVER", "004010", "000000101",
    )  # fmt: skip


def test_overrides_that_agree_with_the_isa_or_are_empty_say_nothing() -> None:
    assert codes(an_850(), elem_sep="*", seg_term="~") == []
    assert codes(an_850(), elem_sep="", seg_term="") == []


def test_overrides_say_how_a_fragment_is_written() -> None:
    document = "".join(text + "%" for text in a_set("BEG*00"))
    assert refusal(document)[1].code == "not_x12"
    assert separators(document, seg_term="%") == ("*", "%", ":", "^")
    assert separators("N1+ST+A*B'N2+C'", elem_sep="+") == ("+", "'", ":", "^")
    assert separators("N1>ST:A'N2>C'", elem_sep=">") == (">", "'", ":", "^")
    assert separators("N1:ST:A'N2:C'") == (":", "'", ">", "^")
    assert separators("N1^ST^A'N2^C'") == ("^", "'", ":", "")


def test_an_override_that_is_the_component_separator_is_refused() -> None:
    code, detail = refusal(an_850(), elem_sep=">")
    assert (code, detail.code, detail.offset) == ("document_unparseable", "delimiter_invalid", 104)
    code, detail = refusal(an_850(), seg_term=">")
    assert (code, detail.code, detail.offset) == ("document_unparseable", "delimiter_invalid", 105)


def test_an_override_does_not_excuse_an_isa_without_terminator() -> None:
    code, detail = refusal(isa() + "GS*PO~IEA*1*000000101~", seg_term="~")
    assert (code, detail.code, detail.offset) == ("document_unparseable", "delimiter_invalid", 105)


def test_marks_are_all_characters_that_separate() -> None:
    assert Delimiters("*", "\r\n", ":", "^", "?").marks == "*\r\n:^?"


@pytest.mark.parametrize(
    ("character", "verdict"),
    [("*", True), ("\n", True), ("\x1c", True), ("é", False), ("", False), ("ab", False)],
)
def test_a_separator_is_one_character_that_cannot_be_data(character: str, *, verdict: bool) -> None:
    assert is_usable(character) is verdict
