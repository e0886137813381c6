"""Faults about which elements are there: exact kinds, places and values."""

import pytest

from longshore.x12.dictionary.model import (
    ElementRule,
    ElementType,
    ElementUse,
    RelationalNote,
    SegmentType,
    SegmentUse,
)
from longshore.x12.elements.check import check
from longshore.x12.elements.faults import ElementFault, ElementFaultKind, SetContext
from longshore.x12.elements.patterns import pattern_of
from tests.unit.x12.elements.segments import CONTEXT, OLD, PLAIN, code_of, use_of

Said = tuple[str, int, int | None, int | None]


def said(text: str, use: SegmentUse | None = None, context: SetContext = CONTEXT) -> list[Said]:
    """Return code, position, component and repetition of each fault."""
    faults = check(text.split("*"), use or use_of(text.split("*", maxsplit=1)[0]), context)
    return [(code_of(each), *each[1:4]) for each in faults]


def test_a_valid_segment_has_no_fault() -> None:
    assert said("N1*ST*ACME*92*0001") == []


@pytest.mark.parametrize("text", ["LE", "LE*", "LE***"])
def test_an_id_alone_lacks_its_mandatory_element(text: str) -> None:
    faults = check(text.split("*"), use_of("LE"), CONTEXT)
    assert faults == [ElementFault(ElementFaultKind.MANDATORY_MISSING, 1, element_ref="447")]


def test_each_mandatory_element_that_is_missing_is_a_fault() -> None:
    assert said("DTP") == [("1", 1, None, None), ("1", 2, None, None), ("1", 3, None, None)]


@pytest.mark.parametrize(
    ("kind", "present", "expected"),
    [
        ("P", "", []),
        ("P", "123", []),
        ("P", "1", [("2", 2), ("2", 3)]),
        ("P", "23", [("2", 1)]),
        ("R", "", [("2", 1)]),
        ("R", "3", []),
        ("R", "123", []),
        ("E", "", []),
        ("E", "2", []),
        ("E", "13", [("10", 3)]),
        ("E", "123", [("10", 2)]),
        ("C", "", []),
        ("C", "23", []),
        ("C", "123", []),
        ("C", "1", [("2", 2), ("2", 3)]),
        ("C", "12", [("2", 3)]),
        ("L", "", []),
        ("L", "3", []),
        ("L", "13", []),
        ("L", "1", [("2", 2)]),
    ],
)
def test_relational_notes(kind: str, present: str, expected: list[tuple[str, int]]) -> None:
    each = ElementUse(ElementType("1", "AN", 1, 5))
    segment = SegmentType("AB", (each, each, each, each), (RelationalNote(kind, (1, 2, 3)),))
    use = SegmentUse(segment=segment, requirement="O", maximum=1)
    row = "*".join(["AB", *("X" if str(number) in present else "" for number in (1, 2, 3)), "X"])
    assert said(row, use) == [(*place, None, None) for place in expected]


def test_an_element_missing_for_two_reasons_is_one_fault() -> None:
    each, must = (
        ElementUse(ElementType("1", "AN", 1, 5)),
        ElementUse(ElementType("2", "AN", 1, 5), is_mandatory=True),
    )
    notes = (
        RelationalNote("P", (1, 2)),
        RelationalNote("C", (1, 2)),
        RelationalNote("P", (1, 3)),
        RelationalNote("C", (1, 3)),
    )
    use = SegmentUse(
        segment=SegmentType("AB", (each, must, each), notes), requirement="O", maximum=1
    )
    assert said("AB*X", use) == [("1", 2, None, None), ("2", 3, None, None)]


def test_two_exclusions_at_one_place_are_one_fault() -> None:
    each = ElementUse(ElementType("1", "AN", 1, 5))
    segment = SegmentType(
        "AB", (each,) * 3, (RelationalNote("E", (1, 3)), RelationalNote("E", (2, 3)))
    )
    use = SegmentUse(segment=segment, requirement="O", maximum=1)
    assert said("AB*A*B*C", use) == [("10", 3, None, None)]


def test_an_excluded_element_is_reported_with_its_value() -> None:
    each = ElementUse(ElementType("1", "AN", 1, 5))
    segment = SegmentType("AB", (each, each), (RelationalNote("E", (1, 2)),))
    use = SegmentUse(segment=segment, requirement="O", maximum=1)
    assert check(["AB", "ONE", "TWO"], use, CONTEXT) == [
        ElementFault(ElementFaultKind.EXCLUSION, 2, element_ref="1", value="TWO")
    ]


def test_too_many_elements_are_one_fault_at_the_first_beyond() -> None:
    assert check(["LE", "A", "B", "C"], use_of("LE"), CONTEXT) == [
        ElementFault(ElementFaultKind.TOO_MANY_ELEMENTS, 2, value="B", maximum=1)
    ]
    assert check(["LE", "A", "", "C"], use_of("LE"), CONTEXT) == [
        ElementFault(ElementFaultKind.TOO_MANY_ELEMENTS, 2, maximum=1)
    ]


def test_empty_elements_at_the_end_do_not_count() -> None:
    assert said("LE*A****") == []


def test_faults_are_in_order_of_place() -> None:
    assert said("DTP*43*D8*2024013") == [("4", 1, None, None), ("8", 3, None, None)]
    assert said("SV**1^2^34*D8*:A:20240132^:::X") == [
        ("1", 1, None, None),
        ("4", 2, None, 1),
        ("4", 2, None, 2),
        ("5", 4, 3, 1),
        ("2", 4, 4, 1),
        ("12", 4, None, 2),
    ]


# ---- composites -------------------------------------------------------------------------------


def test_a_composite_is_split_only_where_the_dictionary_has_one() -> None:
    assert said("N1*ST*A:B:C") == []
    assert said("REF*DP*1**D9:2:3") == [("4", 4, 3, None), ("2", 4, 4, None)]


def test_components_are_checked_within_their_composite() -> None:
    faults = check(["REF", "DP", "1", "", "D9"], use_of("REF"), CONTEXT)
    assert faults == [ElementFault(ElementFaultKind.MANDATORY_MISSING, 4, 2, element_ref="127")]


@pytest.mark.parametrize("text", ["REF*DP*1**D9:2::::::", "REF*DP*1**:::", "REF*DP*1**:::*"])
def test_empty_components_at_the_end_do_not_count(text: str) -> None:
    assert said(text) == []


def test_a_mandatory_composite_of_separators_alone_is_missing() -> None:
    assert said("HI*:::") == [("1", 1, None, None)]


def test_too_many_components_are_one_fault() -> None:
    row = ["REF", "DP", "1", "", "D9:2:DP:3:DP:4:X:Y"]
    assert check(row, use_of("REF"), CONTEXT) == [
        ElementFault(ElementFaultKind.TOO_MANY_COMPONENTS, 4, 7, maximum=6)
    ]


def test_notes_of_a_composite_count_its_components() -> None:
    assert said("HI*A:B:D8") == [("2", 1, 4, None)]
    assert said("HI*A:B:::5") == [("10", 1, 5, None)]


# ---- repetitions ------------------------------------------------------------------------------


def test_repetitions_are_split_where_a_separator_is_in_force() -> None:
    assert said("SV*HC:1*10^20^30") == []
    assert said("SV*HC:1*10^2^30") == [("4", 2, None, 2)]
    assert said("SV*HC:1*10^20", context=OLD) == [("5", 2, None, 1)]


def test_an_element_that_does_not_repeat_has_one_repetition_too_many() -> None:
    assert check(["N1", "ST", "A^BB"], use_of("N1"), CONTEXT) == [
        ElementFault(ElementFaultKind.TOO_MANY_REPETITIONS, 2, None, 2, "93", "BB", maximum=1)
    ]
    assert said("N1*S^TT*A") == [("4", 1, None, 1), ("12", 1, None, 2)]


def test_a_repetition_too_many_is_one_fault_and_not_looked_into() -> None:
    assert check(["SV", "HC:1", "10^20^30^40^5^6"], use_of("SV"), CONTEXT) == [
        ElementFault(ElementFaultKind.TOO_MANY_REPETITIONS, 2, None, 5, "98", "5", maximum=4)
    ]


def test_empty_repetitions_are_passed_over() -> None:
    assert said("SV*HC:1*10^^30^^^^^") == []
    assert said("SV*HC:1^:^HC^^^") == [("1", 1, 2, 3)]
    assert check(["SV", "HC:1", "10^20^30^40^^5"], use_of("SV"), CONTEXT)[0].value is None


def test_separators_alone_are_an_absent_element() -> None:
    assert said("LE*^^") == [("1", 1, None, None)]
    assert said("SV*:^::") == [("1", 1, None, None)]
    assert said("SV*:^HC:1") == []


def test_a_repeated_composite_is_checked_each_time() -> None:
    assert said("SV*HC:1^AD^HC:2") == [("1", 1, 2, 2)]


def test_no_limit_of_repetitions() -> None:
    element = ElementUse(ElementType("1", "ID", 2, 2), repeat=0)
    use = SegmentUse(segment=SegmentType("AB", (element,)), requirement="O", maximum=1)
    assert said("AB*" + "^".join(["AA"] * 500 + ["B"]), use) == [("4", 1, None, 501)]


# ---- release character, binary data -----------------------------------------------------------


def test_a_released_separator_is_data() -> None:
    context = SetContext(PLAIN._replace(release="?"), "007040")
    assert check(["REF", "DP", "1", "", "D9:2?:3"], use_of("REF"), context) == []
    assert check(["LE", "A?^B?*??"], use_of("LE"), context) == []
    long = check(["LE", "A?^B?*??12"], use_of("LE"), context)
    assert long == [
        ElementFault(
            ElementFaultKind.TOO_LONG, 1, None, None, "447", "A^B*?12", "standard", None, 1, 6, 7
        )
    ]
    assert pattern_of(use_of("LE"), context) is None


def test_binary_data_is_never_split_nor_shown() -> None:
    assert check(["BIN", "9", "^^^^:*\0é "], use_of("BIN"), CONTEXT) == []
    assert check(["BIN", "10", "0123456789"], use_of("BIN"), CONTEXT) == [
        ElementFault(
            ElementFaultKind.TOO_LONG, 2, None, None, "102", None, "standard", None, 1, 9, 10
        )
    ]


# ---- guides -----------------------------------------------------------------------------------


def ruled(**rule: object) -> SegmentUse:
    return use_of("N1", {2: ElementRule(layer="guide", **rule)})  # type: ignore[arg-type]


def test_a_guide_requires_an_element() -> None:
    fault = check(["N1", "ST", "", "92", "1"], ruled(requirement="R"), CONTEXT)[0]
    assert fault == ElementFault(
        ElementFaultKind.MANDATORY_MISSING, 2, element_ref="93", layer="guide"
    )


def test_the_standard_speaks_before_the_guide() -> None:
    assert check(["N1", "ST"], ruled(requirement="R"), CONTEXT) == [
        ElementFault(ElementFaultKind.CONDITION_MISSING, 2, element_ref="93")
    ]


def test_an_element_that_the_guide_does_not_use() -> None:
    assert check(["N1", "ST", "A"], ruled(requirement="N"), CONTEXT) == [
        ElementFault(ElementFaultKind.ELEMENT_NOT_USED, 2, None, None, "93", "A", "guide")
    ]
    closed = use_of("N1", {1: ElementRule("R"), 2: ElementRule("S")}, is_closed=True)
    assert said("N1*ST*A*92*12", closed) == [("I10", 3, None, None), ("I10", 4, None, None)]
    assert check(["N1", "ST", "A", "", "", "AB"], closed, CONTEXT)[0].layer == "guide"


def test_codes_of_the_guide() -> None:
    assert check(["N1", "ST", "C"], ruled(codes=("A", "B")), CONTEXT) == [
        ElementFault(ElementFaultKind.CODE_NOT_USED, 2, None, None, "93", "C", "guide", ("A", "B"))
    ]


def test_lengths_of_the_guide_count_where_the_standard_has_no_fault() -> None:
    use = ruled(minimum=2, maximum=4)
    assert check(["N1", "ST", "A"], use, CONTEXT) == [
        ElementFault(ElementFaultKind.TOO_SHORT, 2, None, None, "93", "A", "guide", None, 2, 4, 1)
    ]
    assert check(["N1", "ST", "ABCDE"], use, CONTEXT) == [
        ElementFault(
            ElementFaultKind.TOO_LONG, 2, None, None, "93", "ABCDE", "guide", None, 2, 4, 5
        )
    ]
    assert check(["N1", "ST", "A" * 61], use, CONTEXT)[0][6:] == ("standard", None, 1, 60, 61)


def test_repetitions_of_the_guide() -> None:
    use = use_of("SV", {2: ElementRule(repeat=2, layer="guide")})
    assert check(["SV", "HC:1", "10^20^30"], use, CONTEXT) == [
        ElementFault(
            ElementFaultKind.TOO_MANY_REPETITIONS, 2, None, 3, "98", "30", "guide", None, None, 2
        )
    ]
    assert check(["SV", "HC:1", "10^20^30^40^50"], use, CONTEXT)[0][3:10] == (
        5, "98", "50", "standard", None, None, 4,
    )  # fmt: skip


def test_components_of_the_guide() -> None:
    inner = {1: ElementRule("R", codes=("HC",), layer="g"), 2: ElementRule("S", layer="g")}
    use = use_of("SV", {1: ElementRule("R", components=inner, layer="g")}, is_closed=True)
    assert said("SV*AD:1:12", use) == [("I6", 1, 1, 1), ("I10", 1, 3, 1)]
    assert said("SV*HC:1", use) == []


def test_a_guide_that_names_no_components_leaves_them_open() -> None:
    use = use_of("SV", {1: ElementRule("R", layer="g")}, is_closed=True)
    assert said("SV*HC:1:12", use) == []
