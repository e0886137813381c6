"""Faults within a value: types, lengths, characters, codes, dates and times."""

import pytest

from longshore.x12.dictionary.model import (
    CodeList,
    ElementRule,
    ElementType,
    ElementUse,
    SegmentType,
    SegmentUse,
    ValueCondition,
)
from longshore.x12.elements.check import check
from longshore.x12.elements.faults import (
    Charset,
    ElementFault,
    ElementFaultKind,
    SetContext,
)
from longshore.x12.findings import ACK_CODES, FindingCode
from tests.unit.x12.elements.segments import CONTEXT, OLD, PLAIN, code_of, use_of


def codes_of(
    value: str, kind: str, minimum: int, maximum: int, context: SetContext = CONTEXT
) -> str:
    """Return the codes of the faults of a value; the warning that has none is ``w``."""
    element = ElementUse(ElementType("1", kind, minimum, maximum))
    use = SegmentUse(segment=SegmentType("AB", (element,)), requirement="O", maximum=1)
    return " ".join(
        code_of(each) if FindingCode(each.kind) in ACK_CODES else "w"
        for each in check(["AB", value], use, context)
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1", "4"), ("12", ""), ("-12", ""), ("0012", ""), ("12345", "5"), ("-1234", ""),
        ("1.2", "6"), ("1A", "6"), ("-", "6"), ("+12", "6"), ("1-2", "6"), (" 12", "6"),
        ("٣٣", "6"), ("²2", "6"),
    ],
)  # fmt: skip
def test_whole_numbers(value: str, expected: str) -> None:
    assert codes_of(value, "N2", 2, 4) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("12", ""), ("1.2", ""), ("-1.234", ""), (".12", ""), ("-.12", ""), ("1", "4"),
        ("12345", "5"), ("1.2345", "5"), ("12.", "w"), ("1.", "w 4"), (".", "6"), ("-.", "6"),
        ("1.2.3", "6"), ("1,2", "6"), ("1E2", ""), ("1.5E-3", ""), ("1.E3", "w"), ("E3", "6"),
        ("1E", "6"), ("123E45", "5"), ("1e2", "6"), ("A", "6"),
    ],
)  # fmt: skip
def test_decimal_numbers(value: str, expected: str) -> None:
    assert codes_of(value, "R", 2, 4) == expected


def test_an_exponent_is_known_since_004020() -> None:
    assert codes_of("1E2", "R", 1, 9, OLD) == "6"
    assert codes_of("1E2", "R", 1, 9, SetContext(PLAIN, "004020")) == ""


def test_a_number_with_a_bare_point_is_reported_with_its_value() -> None:
    assert check(["MEA", "", "", "5."], use_of("MEA"), CONTEXT)[:1] == [
        ElementFault(ElementFaultKind.NUMBER_FORM, 3, None, None, "212", "5.")
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("AB", ""),
        (" A", ""),
        ("A ", ""),
        ("A", "4"),
        ("ABCDE", "5"),
        ("  ", "6"),
        (" ", "6 4"),
        ("\u3000\u3000", ""),
    ],
)
def test_text(value: str, expected: str) -> None:
    assert codes_of(value, "AN", 2, 4) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("20240229", ""), ("20230229", "8"), ("19000229", "8"), ("20000229", ""), ("00000101", "8"),
        ("20241301", "8"), ("20240100", "8"), ("20240431", "8"), ("20241231", ""),
        ("2024010", "4 8"), ("202401011", "5 8"), ("240101", "4 8"), ("2024O101", "8"),
        ("٢٠٢٤٠١٠١", "8"), (" 2024010", "8"),
    ],
)  # fmt: skip
def test_dates_with_century(value: str, expected: str) -> None:
    assert codes_of(value, "DT", 8, 8) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("240229", ""),
        ("230229", "8"),
        ("000229", ""),
        ("680229", ""),
        ("990431", "8"),
        ("20240101", "5 8"),
    ],
)
def test_dates_without_century(value: str, expected: str) -> None:
    assert codes_of(value, "DT", 6, 6) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("240229", ""), ("20240229", ""), ("2402290", "8")]
)
def test_dates_of_either_length(value: str, expected: str) -> None:
    assert codes_of(value, "DT", 6, 8) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0000", ""), ("2359", ""), ("2400", "9"), ("1260", "9"), ("235959", ""), ("235960", "9"),
        ("1200001", ""), ("12000012", ""), ("12000", "9"), ("120", "4 9"), ("120000123", "5 9"),
        ("12:00", "9"), ("12AA", "9"),
    ],
)  # fmt: skip
def test_times(value: str, expected: str) -> None:
    assert codes_of(value, "TM", 4, 8) == expected


def test_a_bad_value_is_shown_up_to_99_characters() -> None:
    fault = check(["N1", "ST", "A" * 200], use_of("N1"), CONTEXT)[0]
    assert fault == ElementFault(
        ElementFaultKind.TOO_LONG, 2, None, None, "93", "A" * 99, "standard", None, 1, 60, 200
    )


def test_a_bad_character_is_reported_without_the_value() -> None:
    assert check(["AMT", "TT", "1.5"], use_of("AMT"), CONTEXT) == [
        ElementFault(ElementFaultKind.INVALID_CHARACTER, 2, element_ref="782")
    ]


@pytest.mark.parametrize(
    ("value", "charset", "release", "expected"),
    [
        ("ABC 1!\"&'()+,-./;?=", "basic", "005010", ""),
        ("abc", "basic", "005010", "6"),
        ("A#B", "basic", "005010", "6"),
        ("A:B\nC", "basic", "005010", ""),
        ("abc%~@[]_{}\\|<>#$", "extended", "004010", ""),
        ("a`", "extended", "004010", "6"),
        ("a`", "extended", "005010", ""),
        ("é", "extended", "005010", "6"),
        ("\t", "extended", "005010", "6"),
        ("é`\t", None, "004010", ""),
    ],
)
def test_character_sets(value: str, charset: Charset | None, release: str, expected: str) -> None:
    assert codes_of(value, "AN", 1, 30, SetContext(PLAIN, release, charset)) == expected


def test_separators_that_do_not_split_are_no_bad_characters() -> None:
    context = SetContext(PLAIN._replace(component="<"), "004010", "basic")
    assert codes_of("A<B", "AN", 1, 30, context) == ""


# ---- codes ------------------------------------------------------------------------------------


def coded(
    *, is_strict: bool, rule: ElementRule | None = None, when: ValueCondition | None = None
) -> SegmentUse:
    codes = CodeList("list", {"A": "", "B": ""}, is_strict=is_strict)
    segment = SegmentType("AB", (ElementUse(ElementType("1", "ID", 1, 2, codes)),))
    rules = {} if rule is None else {1: rule}
    return SegmentUse(segment=segment, requirement="O", maximum=1, rules=rules, when=when)


def test_only_a_strict_list_refuses() -> None:
    assert check(["AB", "C"], coded(is_strict=False), CONTEXT) == []
    assert check(["AB", "C"], coded(is_strict=True), CONTEXT) == [
        ElementFault(ElementFaultKind.INVALID_CODE, 1, None, None, "1", "C", "standard", ("A", "B"))
    ]


def test_a_code_outside_both_lists_is_the_fault_of_the_standard() -> None:
    use = coded(is_strict=True, rule=ElementRule(codes=("A",), layer="guide"))
    assert [each.kind for each in check(["AB", "C"], use, CONTEXT)] == [
        ElementFaultKind.INVALID_CODE
    ]
    assert [each.kind for each in check(["AB", "B"], use, CONTEXT)] == [
        ElementFaultKind.CODE_NOT_USED
    ]
    assert check(["AB", "A"], use, CONTEXT) == []


def test_a_code_in_a_block_is_right_and_one_outside_is_shown_without_the_list() -> None:
    codes = CodeList("list", {"A": ""}, is_strict=True, blocks=(("0", "12"),))
    segment = SegmentType("AB", (ElementUse(ElementType("1", "ID", 1, 2, codes)),))
    use = SegmentUse(segment=segment, requirement="O", maximum=1)
    assert [check(["AB", code], use, CONTEXT) for code in ("A", "01", "02")] == [[], [], []]
    assert check(["AB", "03"], use, CONTEXT) == [
        ElementFault(ElementFaultKind.INVALID_CODE, 1, None, None, "1", "03")
    ]
    [too_long] = check(["AB", "011"], use, CONTEXT)
    assert too_long.kind is ElementFaultKind.TOO_LONG


def test_a_partner_may_use_a_code_that_the_standard_does_not_have() -> None:
    use = coded(is_strict=True, rule=ElementRule(codes=("A", "Q"), layer="acme"))
    assert check(["AB", "Q"], use, CONTEXT) == []


def test_the_code_that_chose_the_segment_is_allowed() -> None:
    rule = ElementRule(codes=("A",), layer="guide")
    use = coded(is_strict=True, rule=rule, when=ValueCondition(1, None, ("ZZ",)))
    assert check(["AB", "ZZ"], use, CONTEXT) == []
    other = coded(is_strict=True, rule=rule, when=ValueCondition(2, None, ("ZZ",)))
    assert len(check(["AB", "ZZ"], other, CONTEXT)) == 1


def test_the_code_of_a_component_that_chose_the_segment_is_allowed() -> None:
    inner = {1: ElementRule(codes=("A",), layer="guide")}
    rules = {1: ElementRule(components=inner, layer="guide")}
    use = use_of("HI", rules, when=ValueCondition(1, 1, ("ABK",)))
    assert check(["HI", "ABK:1"], use, CONTEXT) == []
    assert [each[:3] for each in check(["HI", "ABF:1"], use, CONTEXT)] == [
        (ElementFaultKind.CODE_NOT_USED, 1, 1)
    ]


# ---- forms of 1251 ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("qualifier", "value", "expected"),
    [
        ("D8", "20240229", ""), ("D8", "240229", "8"), ("D8", "20240230", "8"),
        ("D8", "ABCDEFGH", "8"),
        ("D6", "240229", ""), ("D6", "20240229", "8"), ("D6", "240230", "8"),
        ("DT", "202402291259", ""), ("DT", "202402291260", "9"), ("DT", "202402301260", "8"),
        ("DT", "20240229", "8"),
        ("RTS", "20240229125959", ""), ("RTS", "20240229125960", "9"), ("RTS", "202402291259", "8"),
        ("RD8", "20240101-20240131", ""), ("RD8", "20240101", "8"),
        ("RD8", "20240101-20240132", "8"),
        ("RD8", "20240101-20240102-20240103", "8"),
        ("RDT", "202401010000-202401312359", ""), ("RDT", "202401010000-202401312400", "9"),
        ("TM", "1259", ""), ("TM", "1260", "9"), ("TM", "125959", "9"), ("TM", "AAAA", "9"),
        ("CM", "202412", ""), ("CM", "202413", "8"), ("CM", "20241", "8"),
        ("DB", "02292024", ""), ("DB", "02292023", "8"), ("DB", "20240229", "8"),
        ("UN", "ANY", ""), ("XXX", "ANY", ""),
    ],
)  # fmt: skip
def test_forms_by_qualifier(qualifier: str, value: str, expected: str) -> None:
    faults = check(["DTP", "472", qualifier, value], use_of("DTP"), CONTEXT)
    assert [(code_of(each), each.position, each.value) for each in faults] == [
        (code, 3, value) for code in expected.split()
    ]


def test_the_form_of_each_repetition() -> None:
    faults = check(["DTP", "472", "D8", "20240132^20240101"], use_of("DTP"), CONTEXT)
    assert [each[:4] for each in faults] == [
        (ElementFaultKind.INVALID_DATE, 3, None, 1),
        (ElementFaultKind.TOO_MANY_REPETITIONS, 3, None, 2),
    ]


def test_the_form_of_a_component() -> None:
    assert check(["HI", "A:B:D8:20240132"], use_of("HI"), CONTEXT) == [
        ElementFault(ElementFaultKind.INVALID_DATE, 1, 4, None, "1251", "20240132")
    ]


def test_a_value_without_qualifier_before_it_has_no_form() -> None:
    odd = SegmentType("AB", (ElementUse(ElementType("1251", "AN", 1, 35)),) * 2)
    use = SegmentUse(segment=odd, requirement="O", maximum=1)
    assert check(["AB", "D8", "2"], use, CONTEXT) == []
