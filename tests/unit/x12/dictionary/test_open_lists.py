"""A definition with open lists refuses no code; rules and everything else stay."""

from dataclasses import replace

from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.open_lists import with_open_lists
from longshore.x12.validate.code_lists import codes_checked
from longshore.x12.validate.validation import Options, validate
from tests.unit.x12.dictionary.texts import defined
from tests.unit.x12.documents import an_850, isa


def codes_in(text: str, options: Options | None = None) -> list[str]:
    return [each.code for each in validate(lambda: (text,), options=options).findings]


NONSENSE = an_850("BEG*99*SA*PO-1**20240115", "N1*QQQ*Tarn Hill Depot", "PO1**1*EA")


def test_no_list_refuses_and_no_other_definition_is_meant() -> None:
    definition = defined("850", "004010", dictionary=shipped())
    opened = with_open_lists(definition)
    assert opened is with_open_lists(definition)
    assert codes_checked(definition).enforced
    assert codes_checked(opened).enforced == ()
    assert opened != definition
    assert replace(opened, body=definition.body, has_strict_lists=True) == definition


def test_what_a_guide_allows_stays() -> None:
    guide = defined("837", "005010", "005010X222A1", shipped())
    assert {"353", "1005"} <= set(codes_checked(with_open_lists(guide)).enforced)


def test_any_code_is_accepted_where_lists_are_not_asked_for() -> None:
    assert codes_in(NONSENSE) == ["element_code_invalid"] * 2
    assert codes_in(NONSENSE, Options(has_strict_lists=False)) == []
    assert codes_in(NONSENSE.replace("PO-1", ""), Options(has_strict_lists=False)) == [
        "element_missing"
    ]


def test_codes_of_a_later_release_than_that_of_the_lists_are_accepted() -> None:
    later = NONSENSE.replace("*X*004010", "*X*006020").replace(isa(), isa(e12="00602", e11="^"))
    assert codes_in(later) == ["nearest_definition"]
    earlier = NONSENSE.replace("*X*004010", "*X*003060")
    assert codes_in(earlier) == ["nearest_definition", *["element_code_invalid"] * 2]
