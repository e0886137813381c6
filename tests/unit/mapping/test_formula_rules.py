"""Rules with a formula: rows, other members of the rule, findings, outputs, explain."""

from datetime import datetime
from json import loads

import pytest

from longshore.engine.convert import convert
from longshore.engine.trials import MapTest, MapTrial, run_tests
from longshore.kit.errors import LongshoreError
from longshore.mapping.envelopes import Stamp
from longshore.mapping.rule_texts import RuleText
from longshore.mapping.writes import MappingWarning, SetPlace
from tests.unit.mapping.formula_cases import STAMP, converted, formula, order
from tests.unit.mapping.outcomes import case

ORDERS = order(
    name="N",
    orders=[
        {"no": "1", "rows": [{"p": 1}, {"p": 2}]},
        {"no": "2"},
        {"no": "3", "rows": [{"p": 7, "x": "a"}]},
    ],
    parties=[{"id": "P"}],
)


def output_of(*rules: object, document: str = ORDERS, **options: object) -> str:
    return converted(rules, document, **options).output


def test_a_path_of_the_list_means_its_row_and_what_is_left_is_a_list_in_it() -> None:
    rules = [
        formula("{orders[*].no} * 10", "o[*].ten"),
        formula("sum({orders[*].rows[*].p})", "o[*].sum"),
        formula("{orders[*].no} & name & {orders[*].rows[*].p}", "o[*].r[*].id"),
        formula("sum({orders[*].rows[*].p}) - {orders[*].rows[*].p}", "o[*].r[*].rest"),
        formula('join({parties[*].id}, ",") & {orders[*].no}', "o[*].parties"),
    ]
    assert output_of(*rules) == (
        '{"o":[{"ten":"10","sum":"3","r":[{"id":"1N1","rest":"0"},{"id":"1N2","rest":"0"}],'
        '"parties":"P1"},'
        '{"ten":"20","sum":"0","parties":"P2"},'
        '{"ten":"30","sum":"7","r":[{"id":"3N7","rest":"0"}],"parties":"P3"}]}'
    )


def test_a_formula_that_says_nothing_of_the_rows_is_written_in_those_of_other_rules() -> None:
    rules = [
        formula('name & "-" & index()', "o[*].r[*].n"),
        formula("{orders[*].no}", "o[*].r[*].order"),
        formula('counter("row")', "o[*].r[*].all"),
        formula('counter("row") + 100', "o[*].r[*].again"),
        {"src": "orders[*].rows[*].p", "tgt": "o[*].r[*].p"},
        formula("count({orders[*].rows[*].p})", "o[*].count"),
        formula("today()", "o[*].day"),
        formula("name", "alone[*].x"),
    ]
    made = loads(output_of(*rules))["o"]
    day = "2026-03-04"
    first = {"n": "N-1", "order": "1", "all": "1", "again": "101", "p": "1"}
    second = {"n": "N-2", "order": "1", "all": "2", "again": "102", "p": "2"}
    third = {"n": "N-1", "order": "3", "all": "3", "again": "103", "p": "7"}
    assert [made[0]["r"], made[2]["r"]] == [[first, second], [third]]
    assert [each["count"] for each in made] == ["2", "0", "1"]
    assert [each.get("day") for each in made] == [day, day, day]


def test_a_single_place_takes_several_values_where_the_rule_says_how() -> None:
    assert output_of(formula("{orders[*].no} * 2", on_duplicate="append")) == '{"v":["2","4","6"]}'
    assert output_of(formula("{orders[*].no}", on_duplicate="join:+")) == '{"v":"1+2+3"}'
    made = formula("where({orders[*].no}, {orders[*].no} <> 2)", on_duplicate="append")
    assert output_of(made) == '{"v":["1","3"]}'
    partly = formula("10 / (sort({orders[*].no}) - 2)", on_duplicate="append")
    made_partly = converted([partly], ORDERS)
    assert made_partly.output == '{"v":["-10","10"]}'
    assert [(each.code, each.row) for each in made_partly.warnings] == [("formula_type", (2,))]
    faulty = formula("sort({orders[*].no} - name)", on_duplicate="append")
    assert converted([faulty], ORDERS).warnings[0] == MappingWarning(
        "formula_type",
        "- needs numbers and got a text; the value is missing",
        "field_map[0]",
        "v",
    )


def test_the_value_goes_through_the_other_members_of_the_rule() -> None:
    rules = [
        formula("name & 1", "a", transform="lowercase", then=[{"op": "pad", "len": 4}]),
        formula("{orders[*].no}", "l[*].name", lookup={"table": {"1": "one"}}),
        formula("1 / 4", "c", type="number"),
        formula("name", "d", when="name=N"),
        formula("name", "e", when="name=X"),
        formula("nowhere", "f", default="none"),
        formula('"x" * 2', "g", default="none"),
        formula("nowhere", "h", on_missing="null"),
        formula("{orders[*].no} & {orders[*].no}", "l[*].twice", when="orders[*].rows"),
        formula("index()", "l[*].n", when="name"),
    ]
    assert output_of(*rules) == (
        '{"a":"  n1","l":[{"name":"one","twice":"11","n":"1"},{"name":"2","n":"2"},'
        '{"name":"3","twice":"33","n":"3"}],"c":0.25,"d":"N","f":"none","g":"none","h":null}'
    )
    with pytest.raises(LongshoreError) as caught:
        output_of(formula('"x" * 2', required=True))
    (detail,) = caught.value.details
    assert (detail.code, detail.param) == ("required_missing", "field_map[0]")


def test_a_formula_is_not_computed_where_its_rule_does_not_apply() -> None:
    given = formula("{orders[*].no} / ({orders[*].no} - 2)", "l[*]", when="orders[*].rows")
    assert converted([given], ORDERS).warnings == ()
    given = formula('counter("c")', "l[*].n", when="name=X")
    rows = {"src": "orders[*].no", "tgt": "l[*].no"}
    assert '"n"' not in output_of(rows, given)


def test_rows_that_cannot_be_computed_are_findings() -> None:
    rules = [
        formula('10 / ({orders[*].no} - 2) & ""', "l[*].q"),
        formula("{orders[*].rows[*].p} * coalesce({orders[*].rows[*].x}, 2)", "l[*].r[*].p"),
        formula('lookup("units", {orders[*].no})', "l[*].u"),
    ]
    missing = "; the value is missing"
    assert converted(rules, ORDERS).warnings == (
        MappingWarning(
            "formula_type", f"/ cannot divide by zero{missing}", "field_map[0]", "l[*].q",
            count=1, row=(2,),
        ),
        MappingWarning(
            "formula_type", f"* needs numbers and got a text{missing}", "field_map[1]",
            "l[*].r[*].p", count=1, row=(3, 1),
        ),
        MappingWarning(
            "lookup_miss", f"the table units has no such key{missing}", "field_map[2]", "l[*].u",
            count=3, row=(1,),
        ),
    )  # fmt: skip
    members = converted(rules[:1], ORDERS).warnings[0].to_members()
    assert (members["row"], members["count"]) == ((2,), 1)


def test_the_text_of_a_warning_names_its_rule_and_its_rows() -> None:
    rule = ("formula_type", "no number", "field_map[1]", "l[*].p")
    assert MappingWarning(*rule).text == "no number (formula_type field_map[1] l[*].p)"
    one = MappingWarning(*rule, count=1, row=(3, 1))
    assert one.text == "no number (formula_type field_map[1] l[*].p row 3.1)"
    several = MappingWarning(*rule, count=5, row=(2,))
    assert several.text == "no number (formula_type field_map[1] l[*].p row 2 and 4 more)"
    counted = MappingWarning("segment_counts_wrong", "two counts are wrong", count=2)
    assert counted.text == "two counts are wrong (segment_counts_wrong)"
    left_out = MappingWarning(
        "sets_not_converted", "left out", count=1, sets=(SetPlace(2, "850", "0002"),)
    )
    assert left_out.text == "left out (sets_not_converted ST[2] 850 0002)"


def test_rows_of_a_csv_output_follow_from_the_paths_outside_list_functions() -> None:
    rules = [
        formula("index()", "line"),
        {"src": "PO1[*].02", "tgt": "quantity"},
        formula("{PO1[*].02} * {PO1[*].04}", "amount"),
        formula("count({PO1[*]>PID[*].05})", "texts"),
        formula("count({N1[*].01})", "parties"),
        formula("BEG.03", "order"),
    ]
    made = convert(case(), rules, target_format="csv")
    assert made.output.splitlines() == [
        "line,quantity,amount,texts,parties,order",
        "1,10,92.50,1,2,PO-4711",
        "2,4,400,0,2,PO-4711",
        "3,1,0.5,1,2,PO-4711",
    ]
    assert (
        convert(case(), rules[4:], target_format="csv").output == "parties,order\r\n2,PO-4711\r\n"
    )


def test_rows_of_csv_and_xml_documents() -> None:
    rules = [
        formula("{row[*]/qty} * {row[*]/price}", "l[*].amount"),
        formula("index()", "l[*].n"),
        formula("sum({row[*]/qty} * {row[*]/price})", "total"),
        formula("upper(sku)", "first"),
    ]
    table = "sku,qty,price\na,2,1.50\nb,3,2\n"
    assert output_of(*rules, document=table, source_format="csv") == (
        '{"l":[{"amount":"3.00","n":"1"},{"amount":"6","n":"2"}],"total":"9.00","first":"A"}'
    )
    rows = [formula("index()", "n"), formula('join({row[*]/sku}, "")', "s"), formula("sku", "x")]
    assert (
        output_of(
            *rows[:1],
            {"src": "row[*]/sku", "tgt": "sku"},
            document=table,
            source_format="csv",
            target_format="csv",
        )
        == "n,sku\r\n1,a\r\n2,b\r\n"
    )
    document = "<o><l q='2'><p>3</p></l><l q='5'><p>1</p><p>2</p></l></o>"
    rules = [
        formula("{o.l[*].@q} * sum({o.l[*].p[*]})", "O.L[*].S"),
        formula("count({o.l[*].p[*]})", "O.L[*].@n"),
    ]
    made = output_of(*rules, document=document, source_format="xml", target_format="xml")
    assert made.endswith('<O><L n="1"><S>6</S></L><L n="2"><S>15</S></L></O>')


def test_sets_are_rows_too() -> None:
    rules = [
        formula("sum({ST[*]/PO1[*].02})", "s[*].sum"),
        formula("count({ST[*]/PO1[*].02})", "n"),
    ]
    assert convert(case(), rules).output == '{"s":[{"sum":"15"}],"n":"3"}'


def test_segments_written_so_far_are_counted_in_the_output() -> None:
    rules = [
        {"const": "850", "tgt": "ST.01"},
        {"src": "BEG.03", "tgt": "BEG.03"},
        {"src": "PO1[*].02", "tgt": "PO1[*].02"},
        formula('count_written("PO1") + 1', "PO1[*].01"),
        formula('"L" & count_written("PO1")', "PO1[*]>PID.05", transform="lowercase"),
        formula('count_written("PO1")', "CTT.01"),
        formula('"x" + count_written("PO1")', "CTT.02", default="7"),
        formula('if(count_written("PO1") = 9, "x", null)', "CTT.03"),
    ]
    made = convert(case(), rules, target_format="x12", stamp=STAMP).output.split("~")
    assert made[3:10] == [
        "BEG***PO-4711",
        "PO1*1*10", "PID*****l1", "PO1*2*4", "PID*****l2", "PO1*3*1", "PID*****l3",
    ]  # fmt: skip
    assert made[10] == "CTT*3*7"


def test_explain_names_what_was_read_for_a_value() -> None:
    rules = [
        formula('if({PO1[*].03} = "EA", {PO1[*].07}, {PO1[*].99})', "l[*].id"),
        formula("sum({PO1[*]>PID[*].02})", "l[*].none"),
        formula('lookup("units", PO1.03) & today() & today()', "unit"),
        formula("{N1[01=ST].02} & {BEG.03}", "l[*].ship"),
        formula("last({PO1[*].07})", "last"),
    ]
    made = convert(case(), rules, stamp=STAMP, lookups={"units": {"EA": "each"}}, is_explained=True)
    shown = {
        each["tgt"]: [(source["src"], source["value"]) for source in each["sources"]]
        for each in made.explain["outputs"]
    }
    ship = [("N1[2].02", "Acme Store 12"), ("BEG.03", "PO-4711")]
    assert shown == {
        "l[0].id": [("PO1.03", "EA"), ("PO1.07", "012345678905")],
        "l[0].none": [],
        "l[0].ship": ship,
        "l[1].none": [],
        "l[1].ship": ship,
        "l[2].id": [("PO1[3].03", "EA"), ("PO1[3].07", "012345678929")],
        "l[2].none": [],
        "l[2].ship": ship,
        "last": [("PO1[3].07", "012345678929")],
        "unit": [("PO1.03", "EA"), ('units["EA"]', "each"), ("today()", "2026-03-04")],
    }
    spans = [source["span"] for each in made.explain["outputs"] for source in each["sources"]]
    assert [case()[slice(*span)] for span in spans if span][:2] == ["EA", "012345678905"]
    assert not {"PO1.03", "PO1[3].07", "N1[2].01", "BEG.03"} & set(made.explain["unused"])
    assert "PO1[2].07" in made.explain["unused"]
    assert made.explain["rules_without_value"] == []


def test_explain_of_a_row_that_a_path_does_not_have() -> None:
    rules = [
        {"src": "orders[*].rows[*].p", "tgt": "o[*].r[*].p"},
        {"src": "more[*].rows[*].q", "tgt": "o[*].r[*].q"},
        formula('{orders[*].no} & "."', "o[*].r[*].no"),
    ]
    document = order(orders=[{"no": "1", "rows": [{"p": 1}]}], more=[{}, {"rows": [{"q": 2}]}])
    made = converted(rules, document, is_explained=True)
    assert made.output == '{"o":[{"r":[{"p":"1","no":"1."}]},{"r":[{"q":"2","no":"."}]}]}'
    assert made.explain["outputs"][-1]["sources"] == []


def test_explain_of_lists_that_a_formula_makes_and_of_findings() -> None:
    rules = [
        formula("sort({PO1[*].07})", on_duplicate="append"),
        formula("{PO1[*].07} * {PO1[*].03}", "l[*]"),
        formula("{PO1[*].08}", "k[*]", required=True, default="-"),
    ]
    made = convert(case(), rules, is_explained=True)
    outputs = [(each["tgt"], each["origin"], each["after"]) for each in made.explain["outputs"]]
    assert outputs[:2] == [("v[0]", "source", "012345678905"), ("v[1]", "source", "012345678912")]
    assert ("k[1]", "default", "-") in outputs
    assert [each["rule"] for each in made.explain["rules_without_value"]] == [1]


def test_the_moment_of_the_call_is_needed_only_by_formulas_that_read_it() -> None:
    with pytest.raises(TypeError, match="need the time of the call"):
        convert(ORDERS, [formula("now()")], source_format="json")
    assert convert(ORDERS, [formula("name")], source_format="json").output == '{"v":"N"}'
    assert Stamp.at(datetime(2026, 3, 4, 8, 15, 30)) == STAMP  # noqa: DTZ001 - of no zone
    assert STAMP.moment == datetime(2026, 3, 4, 8, 15, 30)  # noqa: DTZ001


def test_formulas_in_the_tests_of_a_map() -> None:
    rules = (
        '[{"tgt":"d","formula":"today() & name"},'
        '{"tgt":"n","formula":"0.10+price","type":"number"}]'
    )
    trial = MapTrial(rules=RuleText(rules, source_format="json"), tx_set="")
    test = MapTest(
        name="one", document='{"name":"N","price":1.25}', expected='{"d":"2000-01-01N","n":1.35}'
    )
    report = run_tests(trial, [test])
    assert (report.passed, report.results[0].diff) == (1, ())


def test_rows_left_out_by_a_formula_are_a_warning() -> None:
    (warning,) = converted([formula("{orders.no}")], ORDERS).warnings[:1]
    assert (warning.code, warning.src) == ("rows_not_converted", "orders.no")
