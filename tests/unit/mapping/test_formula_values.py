"""What operators and functions of formulas give, and what they cannot take."""

import pytest

from longshore.kit.errors import LongshoreError
from tests.unit.mapping.formula_cases import converted, formula, order, result_of, results_of


def test_numbers_are_exact() -> None:
    expected = {
        "0.1 + 0.2": "0.3",
        "price * 48": "612.000",
        "1 / 3": "0.3333333333333333333333333333",
        "2 / 3 * 3": "2.0000000000000000000000000001",
        "99999999999999999999999999999999 + 0.01": "99999999999999999999999999999999.01",
        "digits + n": "47",
        '".5" + "+1." + "-2"': "-0.5",
        "-digits": "-42",
        "-(0 * -1)": "0",
        "-none": "{}",
        "7 % -3": "-2",
        "-7 % -3": "-1",
        "6 % 3": "0",
        "none * 2": "{}",
        "1 - none": "{}",
        "huge + 1": "+ needs numbers and got a text",
        "vast + 1": "+ needs numbers and got a text",
        "long + 1": "+ needs numbers and got a text",
        '"1e5" + 1': "+ needs numbers and got a text",
        "yes + 1": "+ needs numbers and got a boolean",
        "empty + 1": "+ needs numbers and got a text",
        "5 % 0": "% cannot divide by zero",
        "5 / 0": "/ cannot divide by zero",
        "today() * 2": "* needs numbers and got a date",
        "now() * 2": "* needs numbers and got a date with a time",
        'time("0930") - 1': "- needs numbers and got a time",
        "n + 1 - 2 * 3 % 4": "4",
    }
    assert results_of(expected) == expected


def test_a_result_that_is_not_exact_within_a_thousand_digits_is_none() -> None:
    seven = f'number("{"7" * 900}")'
    too_long = "has more than 1000 digits"
    assert result_of(f"{seven} * {seven}") == f"the result of * {too_long}"
    assert result_of(f"{seven} + 0.{'1' * 200}") == f"the result of + {too_long}"
    assert result_of(f"to_implied({seven}, 30)") == "7" * 900 + "0" * 30
    assert (
        result_of(f'to_implied(number("{"7" * 1000}"), 1)')
        == f"the result of to_implied {too_long}"
    )
    assert (
        result_of(f'round(number("{"7" * 1000}"), 1)') == "the result of round has too many digits"
    )
    assert result_of("number(long)") == "number needs numbers and got a text"


def test_dates_move_by_days() -> None:
    expected = {
        'date("20260228") + 1': '"2026-03-01"',
        '1 + date("20260228")': '"2026-03-01"',
        'date("20260301") - 1': '"2026-02-28"',
        "now() + 1": '"2026-03-05T08:15:30"',
        "today() + none": "{}",
        "today() - none": "{}",
        'today() - date("20260301")': "3",
        "today() + 0.5": "+ needs a whole number of days up to 3652058",
        "today() + 9999999": "+ needs a whole number of days up to 3652058",
        "today() - 3652058": "- leads beyond the years 1 to 9999",
        "add_months(today(), 120000)": "add_months leads beyond the years 1 to 9999",
        "add_months(none, 1)": "{}",
        'add_months(date("20240229"), 12)': '"2025-02-28"',
        'add_months(date("20260331"), -1)': '"2026-02-28"',
        'add_months("20260331", 1)': "add_months needs a date and got a text",
        "add_months(today(), 0.5)": "add_months needs a whole number from -120000 to 120000",
        "days_between(none, today())": "{}",
        "days_between(today(), none)": "{}",
        "year(none)": "{}",
        "weekday(yes)": "weekday needs a date and got a boolean",
        "max(today(), today() + 1)": '"2026-03-05"',
        "min(today(), 1)": "min needs numbers and got a date",
        "today() < today() + 1": "true",
        'today() = "2026-03-04"': "true",
        "now() > today()": "true",
    }
    assert results_of(expected) == expected


def test_texts_become_dates_and_times_where_they_are_some() -> None:
    expected = {
        'date("260304")': '"2026-03-04"',
        'date("2026-03-04")': '"2026-03-04"',
        "date(today())": '"2026-03-04"',
        "date(none)": "{}",
        "date(n)": "date needs a text and got a number",
        'date("20260230")': "date needs CCYYMMDD, YYMMDD or CCYY-MM-DD, or a pattern",
        'date("2026-02-30")': "date got a day that does not exist",
        'date("next week")': "date needs CCYYMMDD, YYMMDD or CCYY-MM-DD, or a pattern",
        'date("4.3.26", "DD.MM.YY")': "date got a text that does not match its pattern",
        'date("0326", "MMYY")': "the pattern of date needs year, month and day",
        'date("202603040915", "CCYYMMDDHHMI")': '"2026-03-04T09:15:00"',
        'date("26", t)': "date needs a pattern of CCYY YY MM DD HH MI SS, each at most once",
        "date(t, n)": "date needs a pattern of CCYY YY MM DD HH MI SS, each at most once",
        'time("09:30:15")': '"09:30:15"',
        'time("09301525")': '"09:30:15.250000"',
        'time(time("0930"))': '"09:30:00"',
        "time(none)": "{}",
        'time("2430")': "time needs HHMM, HHMMSS, HH:MM or HH:MM:SS",
        'time("0960")': "time needs HHMM, HHMMSS, HH:MM or HH:MM:SS",
        'time("9")': "time needs HHMM, HHMMSS, HH:MM or HH:MM:SS",
        'format(none, "YY")': "{}",
        'format(time("0930"), "HH:MI:SS")': '"09:30:00"',
        'format(today(), "DD.MM.YY")': '"04.03.26"',
        'format(today(), "HHMI")': "format got a value without what its pattern writes",
        'format("x", "YY")': "format needs a date or time and got a text",
        "format(today(), t)": "format needs a pattern of CCYY YY MM DD HH MI SS, each at most once",
    }
    assert results_of(expected) == expected


def test_texts_are_cut_and_searched_by_characters() -> None:
    expected = {
        'left("ab", 5)': '"ab"',
        "left(none, 5)": "{}",
        "left(t, -1)": "left needs a whole number from 0 to 1048576",
        "left(t, 1.5)": "left needs a whole number from 0 to 1048576",
        'left(t, "1")': "left needs a whole number from 0 to 1048576",
        "left(n, 1)": "left needs a text and got a number",
        'right("ab", 5)': '"ab"',
        'right("ab", 0)': '""',
        "right(none, 5)": "{}",
        "mid(t, 2, 9)": '"bc"',
        "mid(t, 9, 9)": '""',
        "mid(none, 1, 9)": "{}",
        "mid(t, 0, 1)": "mid needs a whole number from 1 to 1048576",
        "len(none)": "0",
        "upper(none)": "{}",
        "upper(n)": "upper needs a text and got a number",
        'replace(t, "", "x")': "replace needs a text to find that is not empty",
        "replace(t, none, t)": "replace needs a text to find that is not empty",
        'replace(none, "a", "b")': "{}",
        'replace(t, "b", none)': '"ac"',
        'pad_left(none, 5, "0")': "{}",
        "pad_left(t, 5)": '"  abc"',
        'pad_right(t, 5, "")': "pad_right needs one character to fill with",
        "pad_right(t, 5, n)": "pad_right needs one character to fill with",
        'split("a,b", ",", 3)': "{}",
        'split("a,b", ",", -3)': "{}",
        'split("a,b", "", 1)': "split needs a separator that is not empty",
        'split("a,b", ",", 0)': "split counts from 1, or from the end by negative numbers",
        'split(none, ",", 1)': "{}",
        "contains(none, t)": "false",
        "contains(t, none)": "false",
        "contains(t, n)": "contains needs a text and got a number",
        'n & "/" & price & yes & none & today()': '"5/12.750true2026-03-04"',
        '"say ""hi"""': '"say \\"hi\\""',
        "long": '"' + "1" * 1001 + '"',
    }
    results = results_of(expected)
    results["long"] = f'"{results["long"]}"'  # a number that is too long stays the literal it is
    assert results == expected


def test_comparisons_and_conditions() -> None:
    expected = {
        "n = 5.00": "true",
        "digits = 42": "true",
        "42 < digits": "false",
        "digits = n & 2": "false",
        '"10" < "9"': "true",
        "t = n": "false",
        "n <> t": "true",
        "yes = true": "true",
        'yes = "true"': "true",
        "none = none": "false",
        "none <> 1": "false",
        "1 >= none": "false",
        "not none": "true",
        "not yes": "false",
        "yes and n > 4 and n <= 5": "true",
        "yes and none or false": "false",
        "none or yes": "true",
        "not t": "not needs true or false and got a text",
        "t or yes": "or needs true or false and got a text",
        "yes or t": "true",
        "false and t": "false",
        'if(none, 1, "no")': '"no"',
        "if(yes, 1, 1 / 0)": "1",
        "if(n, 1, 2)": "if needs true or false and got a number",
        'switch(n, 4, "four", "5", "five")': '"five"',
        "switch(t, 4, 1 / 0)": "{}",
        "switch(t, 4, 1, 2)": "2",
        "coalesce(none, none)": "{}",
        "coalesce(n, 1 / 0)": "5",
        "is_null(empty)": "false",
        'lookup("units", n)': '"five"',
        'lookup("units", none)': "{}",
        'lookup("units", none, "?")': '"?"',
        'lookup("units", t)': "the table units has no such key",
    }
    assert results_of(expected) == expected


def test_functions_of_numbers() -> None:
    expected = {
        'implied("12.5", 2)': "implied needs a number without a decimal point",
        "implied(none, 2)": "{}",
        "implied(-5, 3)": "-0.005",
        "implied(5, 31)": "implied needs a whole number from 0 to 30",
        "to_implied(none, 2)": "{}",
        "to_implied(1.255, 2)": "to_implied got a number with more decimals than that",
        'to_implied("1.5", 2)': "150",
        "round(2.5)": "3",
        "round(-2.5)": "-3",
        "round(5, 2)": "5.00",
        "round(-0.4)": "0",
        "round(none)": "{}",
        "floor(none)": "{}",
        "floor(2.9)": "2",
        "ceil(-2.9)": "-2",
        "abs(none)": "{}",
        'abs("-7")': "7",
        "abs(t)": "abs needs numbers and got a text",
        'max(n, "7", none)': "7",
        "max(none, none)": "{}",
        "max(n, t)": "max needs numbers and got a text",
        "max(yes, no)": "max needs numbers and got a boolean",
    }
    assert results_of(expected) == expected


def test_functions_of_lists() -> None:
    expected = {
        "sum({lines[*].qty})": "12",
        "sum({nowhere[*].qty})": "0",
        "avg({lines[*].qty})": "6",
        "avg({nowhere[*].qty})": "{}",
        "sum({lines[*].sku})": "sum needs numbers and got a text",
        "count({lines[*].sku})": "2",
        "count(t)": "1",
        "count(none)": "0",
        "first({lines[*].sku})": '"A"',
        "last({lines[*].sku})": '"B"',
        "last({nowhere[*].sku})": "{}",
        'any({lines[*].sku} = "B")': "true",
        "any({lines[*].sku})": "any needs true or false and got a text",
        "all({lines[*].qty} > 1)": "false",
        "all({nowhere[*].qty} > 1)": "true",
        'join({lines[*].qty}, "; ")': '"2; 10"',
        'join({nowhere[*].qty}, "; ")': "{}",
        "join({lines[*].qty}, none)": '"210"',
        'join(sort({lines[*].qty}), " ")': '"10 2"',
        'join(sort({lines[*].sku}, -{lines[*].qty}), " ")': '"B A"',
        'join(sort({lines[*].sku}, today() + {lines[*].qty}), " ")': '"A B"',
        'join(sort({orders[*].no}, number({orders[*].no}) * -1), "")': '"321"',
        'join(distinct({lines[*].qty} > 1), " ")': '"true false"',
        'join(upper(distinct({lines[*].sku})), " ")': '"A B"',
        'sum(where({lines[*].qty}, {lines[*].sku} = "B"))': "10",
        'sum(where({lines[*].qty} * 2, {lines[*].sku} = "B"))': "20",
        "count(where({lines[*].sku}, yes))": "2",
        "count(where(t, yes))": "1",
        "sum(where({lines[*].qty}, t))": "where needs true or false and got a text",
        "sum(if(is_null({lines[*].qty}), 1, index()))": "4",
        "sum({lines[*].qty} * sum({orders[*].rows[*].p}))": "120",
        "count(sort(t))": "1",
        "max(where({lines[*].qty}, index() > 1))": "10",
    }
    assert results_of(expected) == expected


def test_values_keep_their_kind_only_with_type_raw() -> None:
    rules = [formula(text, f"v{at}") for at, text in enumerate(["n", "n + 0.50", "yes", "n > 1"])]
    assert converted(rules).output == '{"v0":"5","v1":"5.50","v2":"true","v3":"true"}'


@pytest.mark.parametrize(
    "text",
    [
        'pad_left("x", 1048576) & "y"',
        'replace(pad_left("x", 1000), " ", pad_left("x", 2000))',
        'concat(pad_left("x", 1048576), "y")',
        'join({lines[*].qty} & pad_left("x", 700000), "")',
    ],
)
def test_a_value_that_is_too_long_ends_the_conversion(text: str) -> None:
    with pytest.raises(LongshoreError) as caught:
        converted([formula(text)])
    (detail,) = caught.value.details
    assert (detail.code, detail.limit, detail.max) == ("limit_exceeded", "value_chars", 1_048_576)
    assert detail.param == "field_map[0].formula"
    assert caught.value.message == (
        "The formula makes a value longer than 1048576 characters (field_map[0])."
    )


def test_formulas_take_a_limited_number_of_steps() -> None:
    document = order(rows=[{"p": 1}] * 1_000)
    checks: list[int] = []
    rules = [formula("{rows[*].p}" + "+0" * 498, on_duplicate="last")]
    assert converted(rules, document, checkpoint=checks.append).output == '{"v":"1"}'
    assert len(checks) > 90
    fewer = formula("count({rows[*].p} * count({rows[*].p}))")
    long = formula('pad_left("x", 1000000) & {rows[*].p}', "t[*]")
    messages = set()
    for rule in (fewer, long):
        with pytest.raises(LongshoreError) as caught:
            converted([rule], document)
        (detail,) = caught.value.details
        assert (detail.code, detail.limit, detail.max) == ((
            "limit_exceeded",
            "formula_steps",
            500_000,
        ))
        messages.add(caught.value.message)
    assert messages == {"The formulas of a conversion take more than 500000 steps."}
