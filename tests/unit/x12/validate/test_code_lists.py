"""Which elements are checked against their code lists, by definition."""

from longshore.x12.dictionary.library import shipped
from longshore.x12.validate.code_lists import CodesChecked, codes_checked
from tests.unit.x12.dictionary.test_overlay import applied
from tests.unit.x12.dictionary.texts import defined, order


def test_a_strict_list_is_enforced_and_an_open_or_missing_one_is_not() -> None:
    assert codes_checked(order()) == CodesChecked(
        enforced=("349",),
        not_enforced=("66", "98", "100", "128", "353", "355", "374", "750"),
    )


def test_a_guide_enforces_what_it_narrows_wherever_it_uses_the_element() -> None:
    assert codes_checked(defined("837", "005010", "005010X999")) == CodesChecked(
        enforced=("128", "353", "735", "1005", "1331"),
        not_enforced=("98", "1065", "1270", "1332"),
    )


def test_every_definition_that_comes_with_longshore_says_something() -> None:
    for entry in shipped().contents:
        for release in entry.releases:
            definition = shipped().definition(entry.tx_set, release)
            assert definition is not None
            enforced, not_enforced, own_codes = codes_checked(definition)
            assert not_enforced
            assert own_codes == ()
            assert not set(enforced) & set(not_enforced)


def test_what_an_overlay_takes_away_has_no_codes() -> None:
    before = codes_checked(order())
    after = codes_checked(applied("CUR drop\nlines PO1.03 drop\n"))
    assert set(before.not_enforced) - set(after.not_enforced) == {"100", "355"}
