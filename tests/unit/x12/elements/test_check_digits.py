"""Check digits: which values are wrong, and where identifiers are looked for."""

import pytest

from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import Definition
from longshore.x12.elements.check_digits import (
    IDENTIFIERS,
    WrongDigit,
    digit_places,
    wrong_digits,
)

# By the numbers of qualifier and element, and the qualifier: published numbers that are right.
RIGHT = [
    ("66", "67", "XX", "1234567893"),
    ("66", "67", "UL", "0614141000012"),
    ("88", "87", "GM", "106141412345678908"),
    ("88", "87", "GM", "00106141412345678908"),
    ("88", "87", "UC", "10614141000019"),
    ("128", "127", "HPI", "1234567893"),
    ("235", "234", "UP", "036000291452"),
    ("235", "234", "EN", "4006381333931"),
    ("235", "234", "UK", "10614141000019"),
    ("506", "507", "01", "021000021"),
]


@pytest.mark.parametrize(("qualifier", "element", "code", "value"), RIGHT)
def test_only_one_last_digit_is_right(qualifier: str, element: str, code: str, value: str) -> None:
    identifier = IDENTIFIERS[qualifier, element][code]
    values = [f"{value[:-1]}{digit}" for digit in range(10)]
    assert [each for each in values if not identifier.is_wrong(each)] == [value]


@pytest.mark.parametrize(("qualifier", "element", "code", "value"), RIGHT)
def test_a_wrong_digit_anywhere_is_noticed(
    qualifier: str, element: str, code: str, value: str
) -> None:
    identifier = IDENTIFIERS[qualifier, element][code]
    is_form_kept = range(2 * (len(value) == 20), len(value))  # an SSCC of 20 begins with 00
    for at in is_form_kept:
        assert identifier.is_wrong(value[:at] + str((int(value[at]) + 1) % 10) + value[at + 1 :])


@pytest.mark.parametrize(
    ("qualifier", "element", "code", "value"),
    [
        ("66", "67", "XX", "123456789"),
        ("66", "67", "XX", "123456789X"),
        ("66", "67", "XX", ""),
        ("66", "67", "UL", "12345678901234"),
        ("235", "234", "UP", "01234567890"),
        ("88", "87", "GM", "11000000000000000011"),
        ("506", "507", "01", "٠٢١٠٠٠٠٢٢"),
    ],
)
def test_a_value_of_another_form_is_not_checked(
    qualifier: str, element: str, code: str, value: str
) -> None:
    assert not IDENTIFIERS[qualifier, element][code].is_wrong(value)


def definition(tx_set: str, release: str, guide: str | None = None) -> Definition:
    found = shipped().definition(tx_set, release, guide)
    assert found is not None
    return found


def test_each_pair_of_a_line_is_a_place() -> None:
    places = digit_places(definition("850", "004010"))
    assert [(place.position, place.reference) for place in places["PO1"]] == [
        (position, "234") for position in range(6, 26, 2)
    ]
    assert {*places["PO1"][0].identifiers} == {"UP", "EN", "UK"}
    assert {*places["N1"][0].identifiers} == {"UL", "XX"}
    assert "BEG" not in places


def test_codes_that_a_guide_excludes_are_no_identifiers() -> None:
    places = digit_places(definition("835", "005010", "005010X221A1"))
    found = {tag: [(at, [*codes]) for at, codes, _ in each] for tag, each in places.items()}
    assert found == {
        "BPR": [(6, ["01"]), (12, ["01"])],
        "N1": [(3, ["XX"])],
        "NM1": [(8, ["XX"])],
        "REF": [(1, ["HPI"])],
    }


def test_a_set_without_such_qualifiers_has_no_places() -> None:
    assert digit_places(definition("997", "004010")) == {}


def test_each_wrong_identifier_of_a_segment_is_found_in_order() -> None:
    places = digit_places(definition("850", "004010"))["PO1"]
    line = "PO1*1*5*EA*9.25**UP*036000291453*VP*036000291453*EN*4006381333931*UK*10614141000018"
    assert [*wrong_digits(line.split("*"), places)] == [
        WrongDigit("UPC", 7, "234"),
        WrongDigit("GTIN-14", 13, "234"),
    ]
