"""Replacements of single values."""

from datetime import date

import pytest

from longshore.x12.elements.check_digits import IDENTIFIERS
from longshore.x12.redaction.aliases import Aliases, like_octets

ALIASES = Aliases(b"k" * 16)


def test_a_replacement_has_the_form_of_the_value() -> None:
    alias = ALIASES.of("Smith-Jones & Co. 12/7")
    assert [each.isupper() for each in alias] == [
        each.isupper() for each in "Smith-Jones & Co. 12/7"
    ]
    assert [each.isdigit() for each in alias] == [
        each.isdigit() for each in "Smith-Jones & Co. 12/7"
    ]
    kept = {at: each for at, each in enumerate("Smith-Jones & Co. 12/7") if not each.isalnum()}
    assert {at: alias[at] for at in kept} == kept


def test_equal_values_are_replaced_equally_with_one_key_alone() -> None:
    assert ALIASES.of("SENDER         ") == ALIASES.of("SENDER") + " " * 9
    assert Aliases(b"k" * 16).of("SENDER") == ALIASES.of("SENDER")
    assert Aliases(b"l" * 16).of("SENDER") != ALIASES.of("SENDER")
    assert ALIASES.of("SENDER") != ALIASES.of("SENDEX")


def test_a_long_value_has_no_period() -> None:
    alias = ALIASES.of("A" * 1000)
    assert len(alias) == 1000
    assert alias[:32] not in alias[1:]


@pytest.mark.parametrize(
    ("letter", "replacement"),
    [("ü", "é"), ("Ü", "É"), ("š", "ё"), ("語", "中"), ("𐍈", "\U00020000"), ("²", "²"), ("…", "…")],
)
def test_a_letter_outside_ascii_becomes_one_of_as_many_octets(
    letter: str, replacement: str
) -> None:
    assert ALIASES.of(letter) == replacement
    assert len(replacement.encode()) == len(letter.encode())


def test_of_binary_data_only_the_number_of_octets_stays() -> None:
    assert "".join(map(like_octets, "%P\n\0ü語")) == "XXXXé中"


def test_a_check_digit_is_right_if_it_was() -> None:
    forms = {each.name: each for kinds in IDENTIFIERS.values() for each in kinds.values()}
    for length, name in ((9, "ABA routing number"), (10, "NPI"), (12, "UPC"), (18, "SSCC")):
        for number in range(20):
            value = str(7 * number).rjust(length, "3")
            assert forms[name].is_wrong(ALIASES.of(value)) == forms[name].is_wrong(value)
    for value in ("00340123450000000018", "00340123450000000011"):
        alias = ALIASES.of(value)
        assert forms["SSCC"].is_wrong(alias) == forms["SSCC"].is_wrong(value)
        assert alias[2:] != value[2:]


@pytest.mark.parametrize(
    ("day", "form"),
    [
        ("20260331", "CCYYMMDD"),
        ("260331", "YYMMDD"),
        ("202603", "CCYYMM"),
        ("03312026", "MMDDCCYY"),
    ],
)
def test_days_move_by_weeks(day: str, form: str) -> None:
    def read(text: str) -> date:
        if form == "MMDDCCYY":
            text = text[4:] + text[:4]
        text = ("20" + text if form == "YYMMDD" else text).ljust(8, "0")
        return date(int(text[:4]), int(text[4:6]), int(text[6:]) or 1)

    moved = ALIASES.day(day, form)
    assert len(moved) == len(day)
    weeks, rest = divmod((read(day) - read(moved)).days, 7)
    assert 52 <= weeks <= 520 + 5
    assert rest == 0 or form == "CCYYMM"


@pytest.mark.parametrize(
    ("day", "form", "moved"),
    [
        ("20260229", "CCYYMMDD", "16260229"),
        ("21000229", "CCYYMMDD", "17000229"),
        ("20261301", "CCYYMMDD", "16261301"),
        ("00000000", "CCYYMMDD", "00000000"),
        ("00010101", "CCYYMMDD", "00000101"),
        ("260229", "YYMMDD", "220229"),
        ("020230", "YYMMDD", "980230"),
        ("202613", "CCYYMM", "162613"),
    ],
)
def test_a_day_that_no_calendar_has_stays_one(day: str, form: str, moved: str) -> None:
    assert ALIASES.day(day, form) == moved


def test_a_value_that_is_no_code_becomes_none() -> None:
    codes = {ALIASES.of("QQ")}
    assert ALIASES.outside("QQ", codes) not in {*codes, "QQ"}


def test_a_value_without_another_replacement_stays() -> None:
    class Everything:
        def __contains__(self, value: str, /) -> bool:
            return True

    assert ALIASES.outside("QQ", Everything()) == "QQ"
