"""Formulas that are refused before there is a document: where, why, and what was expected."""

import pytest

from longshore.kit.errors import LongshoreError
from tests.unit.mapping.formula_cases import converted, formula, refusal_of

SEVERAL = (
    "the formula has several values and tgt one place: say in on_duplicate what to do, or make one "
    "value of them by sum, first or join"
)
VALUE = "expected a value: a number, a text, a path, a function or (, found "


def test_what_the_grammar_does_not_have() -> None:
    expected = {
        "": (1, f"{VALUE}the end"),
        "=": (2, f"{VALUE}the end"),
        "1 +": (4, f"{VALUE}the end"),
        "* 2": (1, f"{VALUE}*"),
        "not not yes": (5, f"{VALUE}not"),
        "--1": (2, f"{VALUE}-"),
        "and": (1, f"{VALUE}and"),
        "1 = 2 = 3": (7, "expected an operator or the end, found ="),
        "1 2": (3, "expected an operator or the end, found 2"),
        "(1": (3, "expected an operator or ), found the end"),
        "upper(t": (8, "expected an operator, a comma or ), found the end"),
        "today(": (7, f"{VALUE}the end"),
        "today(1)": (1, "expected today(), found 1 argument"),
        "if(1, 2)": (1, "expected if(c, a, b), found 2 arguments"),
        'switch(1, "a")': (1, "expected switch(x, v1, r1, …, else), found 2 arguments"),
        "zzz(1)": (1, "expected the name of a function, found zzz"),
        "SUMM(1)": (1, "expected the name of a function, found summ; did you mean sum(list)?"),
        '"abc': (1, 'expected " at the end of the text that begins here'),
        "{abc": (1, "expected } at the end of the path that begins here"),
        "1.": (2, "expected a value or an operator; a path with other characters stands in braces"),
        "1 ; 2": (
            3,
            "expected a value or an operator; a path with other characters stands in braces",
        ),
        "a.b.": (
            4,
            "expected a value or an operator; a path with other characters stands in braces",
        ),
        "{a[x}": (1, PATH),
        'format(today(), "yy")': (17, PATTERN),
        "date(t, 5)": (9, PATTERN),
        'lookup("unit", t)': (8, "the map has no lookup table unit; did you mean units?"),
        'lookup("zz", t)': (8, "the map has no lookup table zz"),
        "lookup(t, t)": (8, "expected the name of a lookup table in quotes"),
        "counter(1)": (9, "expected the name of a counter in quotes"),
        "index()": (1, "index() needs rows: tgt has no [*]"),
        "sum(index())": (5, "index() needs rows: tgt has no [*]"),
        'count_written("PO1")': (1, "count_written counts the segments of an X12 output"),
        "join({lines[*].sku}, {lines[*].sku})": (22, "join needs one separator, not a list"),
    }
    assert {text: refusal_of(text)[1:] for text in expected} == expected
    assert {refusal_of(text)[0] for text in expected} == {"invalid_formula"}


PATTERN = "expected a pattern of CCYY YY MM DD HH MI SS, each at most once"
PATH = (
    "a path is like order.lines[*].sku or lines[type=ship].name, counted from 0; in names a "
    r"backslash stands before each of \ . [ ] / * > @ {"
)


def test_lists_with_different_rows() -> None:
    within = "these lists have different rows: their steps up to the last * differ"
    beyond = "this list has other rows than the one that is written"
    expected = {
        "sum({lines[*].qty} * {orders[*].no})": (20, within),
        "sum(if({lines[*].qty} > 1, {orders[*].no}, 1))": (5, within),
        "sum(coalesce({lines[*].qty}, {orders[*].no}))": (5, within),
        "sum(switch({lines[*].qty}, 1, {orders[*].no}))": (5, within),
        "sum(where({lines[*].qty}, {orders[*].no} = 1))": (5, within),
        "sum(sort({lines[*].qty}, {orders[*].no}))": (5, within),
        "sum({lines[*].qty} = {orders[*].no})": (20, within),
        "sum({orders[*].no} * {orders[*].rows[*].p})": (20, within),
        "sum(distinct({lines[*].qty}) + {lines[*].qty})": (30, within),
        'count(lookup("units", {lines[*].qty}, {orders[*].no}))': (7, within),
        "{lines[*].qty} * {orders[*].no}": (18, beyond),
    }
    assert {text: refusal_of(text)[1:] for text in expected} == expected
    assert {refusal_of(text)[0] for text in expected} == {"different_rows"}
    assert refusal_of("{lines[*].qty} & {orders[*].no}", "out[*].v") == (
        "different_rows",
        18,
        beyond,
    )
    a_list = "a list stands where one value is written; sum, first or join make one of it"
    assert refusal_of("{lines[*].qty} & distinct({orders[*].no})", "out[*].v") == ((
        "invalid_formula",
        1,
        a_list,
    ))


def test_limits_of_a_formula() -> None:
    converted([formula("1" + " " * 4095)])
    assert refusal_of("1" + " " * 4096)[1:] == (4097, "a formula has at most 4096 characters")
    converted([formula("(" * 32 + "1" + ")" * 32)])
    assert refusal_of("(" * 33 + "1" + ")" * 33)[1:] == (33, "brackets are at most 32 deep")
    nested = "upper(" * 32 + "t" + ")" * 32
    assert converted([formula(nested)]).output == '{"v":"ABC"}'
    assert refusal_of(f"upper({nested})")[1:] == (193, "brackets are at most 32 deep")
    converted([formula("1" + "+1" * 998)])
    message = "a formula has at most 1000 values, operators and functions"
    assert refusal_of("1" + "+1" * 999)[2] == message
    assert refusal_of("1" * 1001)[1:] == (1, "a number has at most 1000 characters")


@pytest.mark.parametrize(
    ("rule", "param", "message"),
    [
        ({"formula": 5}, "formula", "it must be a text"),
        ({"formula": "n", "src": "n"}, "src", "a rule has src or formula, not both"),
        ({"formula": "n", "const": "n"}, "src", "a rule has src or formula, not both"),
        ({"formula": "{lines[*].qty}"}, "tgt", SEVERAL),
        ({"formula": "distinct({lines[*].qty})"}, "tgt", SEVERAL),
    ],
)
def test_a_rule_with_a_formula_has_no_other_source(
    rule: dict[str, object], param: str, message: str
) -> None:
    with pytest.raises(LongshoreError) as caught:
        converted([{"tgt": "v", **rule}])
    (detail,) = caught.value.details
    assert caught.value.code == "invalid_mapping_rule"
    assert (detail.param, detail.message) == (f"field_map[0].{param}", message)


def test_all_faulty_formulas_are_reported_in_the_order_of_the_rules() -> None:
    faulty = [formula("1 +"), {"tgt": "b"}, formula("zz()", "c", typo=1), formula("n", "d")]
    with pytest.raises(LongshoreError) as caught:
        converted(faulty)
    assert [(each.code, each.param) for each in caught.value.details] == [
        ("invalid_formula", "field_map[0].formula"),
        ("invalid_mapping_rule", "field_map[1].src"),
        ("invalid_mapping_rule", "field_map[2].typo"),
    ]
