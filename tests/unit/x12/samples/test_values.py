"""The values of samples: reproducible, with right check digits, as long as an element allows."""

import pytest

from longshore.x12.dictionary.model import ElementType, ElementUse
from longshore.x12.elements.check_digits import IDENTIFIERS
from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.parts import PartPlan
from longshore.x12.samples.values import SampleValues

SEED = 7


def part(
    number: str, kind: str, minimum: int, maximum: int, *avoided: str, is_formatted: bool = False
) -> PartPlan:
    use = ElementUse(ElementType(number, kind, minimum, maximum))
    return PartPlan(
        use, 1, None, (), (), frozenset(avoided), minimum, maximum, is_formatted=is_formatted
    )


def written(of: PartPlan, before: str = "", *, is_varied: bool = False, seed: int = SEED) -> str:
    return SampleValues(SeededNumbers(seed), is_varied=is_varied).write(of, before)


def test_numbers_depend_on_their_seed_alone() -> None:
    numbers = SeededNumbers(2024)
    assert [numbers.below(100) for _ in range(6)] == [25, 91, 41, 12, 26, 91]
    assert (numbers.digits(5), numbers.one_of("abc"), numbers.between(3, 4)) == ("22578", "c", 4)
    assert numbers.shuffled([1, 2, 3, 4]) == [1, 2, 4, 3]
    assert (numbers.happens(0), numbers.happens(100)) == (False, True)


@pytest.mark.parametrize(
    ("number", "kind", "minimum", "maximum", "value"),
    [
        ("19", "AN", 2, 30, "PORT MERRIN"),
        ("116", "ID", 3, 15, "43999"),
        ("166", "AN", 1, 55, "20 HARBOR STREET"),
        ("324", "AN", 1, 22, "PO-39745"),
        ("350", "AN", 1, 20, "1"),
        ("212", "R", 1, 17, "20.67"),
        ("280", "R", 4, 10, "6208"),
        ("373", "DT", 8, 8, "20260415"),
        ("373", "DT", 6, 6, "260415"),
        ("337", "TM", 4, 8, "0938"),
        ("337", "TM", 6, 8, "093813"),
        ("785", "B", 1, 100, "SAMPLE DATA"),
        ("999", "ID", 1, 3, "ZZ"),
        ("999", "ID", 1, 1, "Z"),
        ("999", "AN", 14, 40, "STANDARD620810"),
        ("93", "AN", 1, 3, "REG"),  # no company has so short a name
    ],
)
def test_a_value_is_typical_and_fits(
    number: str, kind: str, minimum: int, maximum: int, value: str
) -> None:
    assert written(part(number, kind, minimum, maximum)) == value


@pytest.mark.parametrize(
    ("number", "qualifier", "value"),
    [
        ("67", "1", "262081099"),
        ("67", "92", "2620"),
        ("234", "HC", "G0463"),
        ("234", "VP", "VP-2620"),
        ("364", "TE", "2075550119"),
        ("364", "EM", "ORDERS@EXAMPLE.COM"),
        ("93", "IC", "BRUNO DUNMORE"),
        ("1035", "1", "BELLAMY"),
        ("1035", "2", "QUILLMARK HOME GOODS"),
        ("1251", "", "19850306"),
    ],
)
def test_a_value_follows_the_qualifier_before_it(number: str, qualifier: str, value: str) -> None:
    assert written(part(number, "AN", 1, 80), qualifier) == value


@pytest.mark.parametrize(("qualifier", "length"), [("UP", 12), ("EN", 13), ("UK", 14)])
def test_an_article_number_has_its_check_digit(qualifier: str, length: int) -> None:
    for seed in range(20):
        digits = [*map(int, written(part("234", "AN", 1, 48), qualifier, seed=seed))]
        assert len(digits) == length
        assert (sum(digits[-1::-2]) + 3 * sum(digits[-2::-2])) % 10 == 0


def test_a_provider_number_has_its_check_digit() -> None:
    for seed in range(20):
        number = written(part("67", "AN", 2, 80), "XX", seed=seed)
        digits = [*map(int, f"80840{number}")]
        doubled = [sum(divmod(2 * each, 10)) for each in digits[-2::-2]]
        assert (len(number), number[0]) == (10, "1")
        assert (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


@pytest.mark.parametrize(
    ("qualifier", "value"),
    [
        ("D8", "20260415"),
        ("D6", "260415"),
        ("RD8", "20260405-20260427"),
        ("DT", "202604151413"),
        ("RTS", "20260415141303"),
        ("RDT", "202604151413-202604140857"),
        ("TM", "0938"),
        ("CM", "202604"),
        ("DB", "04152026"),
    ],
)
def test_a_date_has_the_form_that_its_qualifier_names(qualifier: str, value: str) -> None:
    assert written(part("1251", "AN", 1, 35, is_formatted=True), qualifier) == value


@pytest.mark.parametrize(
    ("kind", "minimum", "maximum", "values"),
    [
        ("N2", 1, 9, ["9", "37", "633"]),
        ("R", 1, 9, ["9", "3.7", "6.33"]),
        ("DT", 8, 8, ["20240229", "20280607", "20050517"]),
        ("TM", 4, 8, ["2111", "054425", "1318201"]),
        ("B", 1, 99, ["1B", "* ~^", "^*~BA1A"]),
        ("ID", 2, 3, ["6H", "I0", "UKM"]),
    ],
)
def test_a_varied_value_has_any_form(
    kind: str, minimum: int, maximum: int, values: list[str]
) -> None:
    of = part("999", kind, minimum, maximum)
    assert [written(of, seed=seed, is_varied=True) for seed in range(3)] == values


def test_a_code_that_means_another_position_is_not_written() -> None:
    others = tuple(letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345678")
    for is_varied in (False, True):
        assert written(part("999", "ID", 1, 1, *others), is_varied=is_varied) == "9"


def test_a_location_number_has_a_right_check_digit() -> None:
    location = IDENTIFIERS["66", "67"]["UL"]
    value = written(part("67", "AN", 2, 80), "UL")
    assert location.form.fullmatch(value)
    assert not location.is_wrong(value)
