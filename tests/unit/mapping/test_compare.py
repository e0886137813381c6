"""How two outputs differ: by place and value, whatever their layout."""

import pytest

from longshore.mapping.compare import MAX_DIFFERENCES, Difference, differences
from tests.unit.mapping.outcomes import case


def found(format_name: str, before: str, after: str) -> list[tuple[str, str | None, str | None]]:
    return [
        (each.path, each.before, each.after) for each in differences(format_name, before, after)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a":1.10,"b":[]}', '{ "b": [], "a": 1.1 }'),
        ("[1e2]", "[100]"),
        ('{"a":-0}', '{"a":0.0}'),
        ('{"a.b":{"c":null}}', '{"a.b":{"c":null}}'),
        ("[]", "[]"),
    ],
)
def test_json_that_means_the_same_does_not_differ(before: str, after: str) -> None:
    assert found("json", before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [
        ('{"a":"1.0"}', '{"a":"1.00"}', ("a", '"1.0"', '"1.00"')),
        ('{"a":1}', '{"a":"1"}', ("a", "1", '"1"')),
        ('{"a":null}', "{}", ("a", "null", None)),
        ('{"a":true}', '{"a":false}', ("a", "true", "false")),
        ('{"a":[1,2]}', '{"a":[1]}', ("a[1]", "2", None)),
        ('{"a.b":1}', '{"a.b":2}', ("a\\.b", "1", "2")),
        ('{"l":[{"s":"ü"}]}', '{"l":[{"s":"x"}]}', ("l[0].s", '"ü"', '"x"')),
        ("[0.10]", "[0.1000000000000000000001]", ("[0]", "0.10", "0.1000000000000000000001")),
    ],
)
def test_each_place_of_json_is_named_with_both_values(
    before: str, after: str, difference: tuple[str, str | None, str | None]
) -> None:
    expected = [difference]
    if after == "{}":
        expected.append(("", None, "{}"))
    assert found("json", before, after) == expected


def test_numbers_of_a_thousand_digits_and_more_compare_as_they_are_written() -> None:
    digits = "1" * 1_000
    assert found("json", f"[{digits}.0]", f"[{digits}.00]")[0][0] == "[0]"
    assert found("json", f"[{digits[:900]}.0]", f"[{digits[:900]}.00]") == []


def test_long_values_are_cut_and_many_differences_counted_out() -> None:
    ((_, before, after),) = found("json", f'["{"x" * 600}"]', '["y"]')
    assert before is not None
    assert before.startswith('"\\"xxx')
    assert before.endswith('… (602 characters)"')
    assert after == '"y"'
    many = "[" + ",".join("1" * 1_500) + "]"
    assert len(found("json", many, many.replace("1", "2"))) == MAX_DIFFERENCES


def test_xml_compares_by_element_and_numbers_by_value() -> None:
    before = "<o v='1'><q>10.0</q><n>007</n><t>a</t></o>"
    after = "<o v='1'>\n<t>a</t><n>7</n><q>10</q></o>"
    assert found("xml", before, after) == [("o.n", '"007"', "7")]


def test_csv_compares_by_cell() -> None:
    before, after = "sku,qty\r\na,1\r\nb,2\r\n", "qty,sku\r\n1,a\r\n2.0,b\r\n"
    assert found("csv", before, after) == [("row[2]/qty", '"2"', '"2.0"')]


def test_x12_compares_without_times_control_numbers_and_separators() -> None:
    before = case("21_837_composite_repetition.edi")
    isa = before.split("~", 1)[0]
    number = isa.split("*")[13]
    after = before.replace(isa, isa.replace(isa[70:81], "991231*2359")).replace(number, "000000999")
    assert found("x12", before, after) == []
    assert found("x12", before, after.replace("*R05", "*R06").replace(":R05", ":R06")) == [
        ("HI.01[2].02", '"R05"', '"R06"')
    ]


def test_x12_with_other_separators_does_not_differ() -> None:
    before = case("01_850_basic.edi")
    after = before.replace("*", "|")
    assert found("x12", before, after) == []
    assert found("x12", before, after.replace("PO-4711", "PO-4712")) == [
        ("BEG.03", '"PO-4711"', '"PO-4712"')
    ]


@pytest.mark.parametrize("format_name", ["json", "xml", "x12"])
def test_what_cannot_be_read_differs_as_a_whole(format_name: str) -> None:
    assert differences(format_name, "?", "") == [Difference("", '"?"', '""')]
    assert differences(format_name, "?", "?") == []
