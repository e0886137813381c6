"""Rules about lists: groups, order, choice of rows, and lists that are joined by a key."""

from collections.abc import Sequence
from json import loads

import pytest

from longshore.engine.trials import MapTrial, count_rules
from longshore.kit.errors import LongshoreError
from longshore.mapping.rule_texts import RuleText
from longshore.mapping.writes import MappingWarning
from tests.unit.mapping.formula_cases import converted, formula, order

TABLE = "po,sku,qty,price\nA,k1,2,1.50\nB,k2,1,4\nA,k3,3,2.25\nC,k4,0,1\n,k5,9,1\n"
GROUPED = {"tgt": "orders[*]", "group": "{row[*]/po}"}


def src(path: str, tgt: str, **others: object) -> dict[str, object]:
    return {"src": path, "tgt": tgt, **others}


def output_of(rules: Sequence[object], document: str = TABLE, **options: object) -> str:
    return converted(rules, document, **{"source_format": "csv", **options}).output


def test_rows_with_equal_keys_become_one_element_in_order_of_first_appearance() -> None:
    rules = [
        GROUPED,
        src("po", "orders[*].po"),
        formula("index()", "orders[*].n"),
        formula("sum({row[*]/qty} * {row[*]/price})", "orders[*].total", type="number"),
        src("row[*]/sku", "orders[*].lines[*].sku"),
        {"const": "EA", "tgt": "orders[*].lines[*].unit"},
        formula("index()", "orders[*].lines[*].line"),
        formula('counter("line")', "orders[*].lines[*].all"),
        src("row[2]/sku", "orders[*].second", default="none"),
        src("row[qty=3]/sku", "orders[*].three", on_missing="null"),
        formula("count({row[*]/sku})", "rows"),
    ]
    made = loads(output_of(rules))
    line = {"unit": "EA"}
    assert made["orders"][0] == {
        "po": "A", "n": "1", "total": 9.75, "second": "k3", "three": "k3",
        "lines": [
            {"sku": "k1", **line, "line": "1", "all": "1"},
            {"sku": "k3", **line, "line": "2", "all": "2"},
        ],
    }  # fmt: skip
    assert [each.get("po") for each in made["orders"]] == ["A", "B", "C", None]
    assert made["orders"][1]["lines"] == [{"sku": "k2", **line, "line": "1", "all": "3"}]
    assert [each["second"] for each in made["orders"]] == ["k3", "none", "none", "none"]
    assert [each["three"] for each in made["orders"]] == ["k3", None, None, None]
    assert made["rows"] == "5"


def test_rows_are_chosen_and_ordered_before_they_are_grouped() -> None:
    rules = [
        GROUPED | {"where": "{row[*]/qty} > 0", "sort": "-number({row[*]/qty})", "note": "n"},
        src("po", "orders[*].po"),
        src("row[*]/sku", "orders[*].skus[*]"),
    ]
    assert output_of(rules) == (
        '{"orders":[{"skus":["k5"]},{"po":"A","skus":["k3","k1"]},{"po":"B","skus":["k2"]}]}'
    )
    chosen = [
        {"tgt": "l[*]", "where": '{row[*]/po} = "A"', "x_note": 1},
        src("row[*]/sku", "l[*].sku"),
        formula("{row[*]/qty} & index()", "l[*].n"),
    ]
    assert output_of(chosen) == '{"l":[{"sku":"k1","n":"21"},{"sku":"k3","n":"32"}]}'
    nothing = [{"tgt": "l[*]", "where": '{row[*]/po} = "Z"'}, src("row[*]/sku", "l[*].sku")]
    assert output_of(nothing) == "{}"


def test_groups_within_groups_and_rows_of_a_csv_output() -> None:
    table = "po,box,sku\nA,1,x\nA,2,y\nA,1,z\nB,1,w\n"
    rules = [
        GROUPED,
        {"tgt": "orders[*].packs[*]", "group": "{row[*]/box}"},
        src("po", "orders[*].po"),
        src("box", "orders[*].packs[*].box"),
        src("row[*]/sku", "orders[*].packs[*].items[*]"),
        {"const": "t", "tgt": "orders[*].packs[*].kind"},
    ]
    assert output_of(rules, table) == (
        '{"orders":[{"po":"A","packs":[{"box":"1","items":["x","z"],"kind":"t"},'
        '{"box":"2","items":["y"],"kind":"t"}]},'
        '{"po":"B","packs":[{"box":"1","items":["w"],"kind":"t"}]}]}'
    )
    rows = [
        {"tgt": "row[*]", "group": "{row[*]/po}"},
        src("po", "po"),
        formula("index()", "n"),
        formula("count({row[*]/sku})", "items"),
    ]
    assert output_of(rows, table, target_format="csv") == "po,n,items\r\nA,1,3\r\nB,2,1\r\n"


def test_lists_within_lists_are_grouped_in_each_row_and_lists_are_joined_by_a_key() -> None:
    document = order(
        c=[
            {"n": "x", "r": [{"p": 1, "q": 1}, {"p": 2, "q": 5}, {"p": 1, "q": 7}]},
            {"n": "y", "r": [{"p": 1, "q": 9}]},
            {"n": "z"},
        ],
        notes=[{"of": "y", "t": "b"}, {"of": "x", "t": "a"}, {"of": "y", "t": "c"}],
    )
    rules = [
        src("c[*].n", "c[*].n"),
        {"tgt": "c[*].o[*]", "group": "{c[*].r[*].p}"},
        src("c[*].r[0].p", "c[*].o[*].p"),
        formula("sum({c[*].r[*].q})", "c[*].o[*].sum"),
        src("c[*].r[*].q", "c[*].o[*].q[*]"),
        {"tgt": "c[*].notes[*]", "where": "{c[*].n} = {notes[*].of}"},
        src("notes[*].t", "c[*].notes[*].t"),
        formula("{c[*].n} & index()", "c[*].notes[*].id"),
        {"const": "k", "tgt": "c[*].kind"},
    ]
    made = converted(rules, document)
    assert loads(made.output)["c"] == [
        {
            "n": "x",
            "o": [{"p": "1", "sum": "8", "q": ["1", "7"]}, {"p": "2", "sum": "5", "q": ["5"]}],
            "notes": [{"t": "a", "id": "x1"}],
            "kind": "k",
        },
        {
            "n": "y",
            "o": [{"p": "1", "sum": "9", "q": ["9"]}],
            "notes": [{"t": "b", "id": "y1"}, {"t": "c", "id": "y2"}],
            "kind": "k",
        },
        {"n": "z", "kind": "k"},
    ]
    assert made.warnings == ()
    only = [
        {"tgt": "c[*].o[*]", "where": "{c[*].r[*].q} > 4"},
        src("c[*].r[*].q", "c[*].o[*].q"),
        {"const": "k", "tgt": "c[*].kind"},
    ]
    assert converted(only, document).output == (
        '{"c":[{"o":[{"q":"5"},{"q":"7"}],"kind":"k"},{"o":[{"q":"9"}],"kind":"k"}]}'
    )


def test_x12_and_xml_outputs_of_groups() -> None:
    rules = [
        {"tgt": "PO1[*]", "group": "{row[*]/sku}"},
        {"const": "850", "tgt": "ST.01"},
        formula("index()", "PO1[*].01"),
        formula("sum({row[*]/qty})", "PO1[*].02"),
        src("sku", "PO1[*].07"),
        src("row[*]/qty", "PO1[*]>SCH[*].01"),
        formula('count_written("PO1")', "CTT.01"),
    ]
    table = "sku,qty\na,1\nb,2\na,4\n"
    assert output_of(rules, table, target_format="x12").split("~")[3:-4] == [
        "PO1*1*5*****a", "SCH*1", "SCH*4", "PO1*2*2*****b", "SCH*2", "CTT*2",
    ]  # fmt: skip
    document = "<o><l k='a'>1</l><l k='b'>2</l><l k='a'>4</l></o>"
    rules = [
        {"tgt": "O.G[*]", "group": "{o.l[*].@k}"},
        src("o.l.@k", "O.G[*].@k"),
        src("o.l[*]", "O.G[*].V[*]"),
    ]
    assert output_of(rules, document, source_format="xml", target_format="xml").endswith(
        '<O><G k="a"><V>1</V><V>4</V></G><G k="b"><V>2</V></G></O>'
    )


def test_rows_whose_formulas_fail_are_findings() -> None:
    rules = [
        GROUPED | {"where": "{row[*]/qty}"},
        src("po", "orders[*].po"),
        formula("{row[*]/sku} * 1", "other[*]"),
    ]
    made = converted(rules, TABLE, source_format="csv")
    assert made.warnings[:2] == (
        MappingWarning(
            "formula_type", "where needs true or false and got a text; the value is missing",
            "field_map[0]", "orders[*]", count=5, row=(1,),
        ),
        MappingWarning(
            "formula_type", "* needs numbers and got a text; the value is missing",
            "field_map[2]", "other[*]", count=5, row=(1,),
        ),
    )  # fmt: skip
    rules = [
        GROUPED | {"sort": "{row[*]/qty} / {row[*]/qty}"},
        formula("{row[*]/price} / {row[*]/qty}", "orders[*].p[*]"),
    ]
    made = converted(rules, TABLE, source_format="csv")
    assert [(each.param, each.count, each.row) for each in made.warnings] == [
        ("field_map[0]", 1, (4,)),
        ("field_map[1]", 1, (4, 1)),
    ]


def test_explain_of_rules_below_a_list() -> None:
    rules = [
        GROUPED | {"where": "{row[*]/qty} > 1"},
        src("po", "orders[*].po", on_missing="null"),
        src("row[*]/price", "orders[*].prices[*]"),
        src("zzz", "orders[*].z"),
    ]
    made = converted(rules, TABLE, source_format="csv", is_explained=True)
    shown = {
        each["tgt"]: [source["src"] for source in each["sources"]]
        for each in made.explain["outputs"]
    }
    assert shown == {
        "orders[0].po": ["po"],
        "orders[0].prices[0]": ["price"],
        "orders[0].prices[1]": ["row[3]/price"],
        "orders[1].po": [],
        "orders[1].prices[0]": ["row[5]/price"],
    }
    assert made.explain["unused"] == [
        "sku", "row[2]/sku", "row[2]/price", "row[3]/sku", "row[4]/sku", "row[4]/price",
        "row[5]/sku",
    ]  # fmt: skip
    assert [each["rule"] for each in made.explain["rules_without_value"]] == [3]


REFUSED = [
    ([{"tgt": "l", "group": "{row[*]/po}"}], "field_map[0].tgt"),
    ([{"tgt": "l[*].x", "group": "{row[*]/po}"}], "field_map[0].tgt"),
    ([{"tgt": "l[[*]", "group": "{row[*]/po}"}], "field_map[0].tgt"),
    ([{"group": "{row[*]/po}"}], "field_map[0].tgt"),
    ([{"tgt": "l[*]", "group": 5}], "field_map[0].group"),
    ([{"tgt": "l[*]", "group": "{row[*]/po}", "src": "po"}], "field_map[0].src"),
    ([{"tgt": "l[*]", "group": "{row[*]/po"}], "field_map[0].group"),
    ([{"tgt": "l[*]", "group": "po"}], "field_map[0]"),
    ([{"tgt": "l[*]", "where": "{row[*]/po} = 1 and zz()"}], "field_map[0].where"),
    ([{"tgt": "l[*]", "where": "{row[*]/po} = 1", "sort": "1 +"}], "field_map[0].sort"),
    ([GROUPED, src("row[*]/po", "orders[*].po")], "field_map[1].tgt"),
]


@pytest.mark.parametrize(("rules", "param"), REFUSED)
def test_faulty_list_rules_are_refused_before_there_is_a_document(
    rules: list[object], param: str
) -> None:
    with pytest.raises(LongshoreError) as caught:
        output_of([*rules, src("sku", "other"), {"tgt": 5}, {"tgt": "a[", "const": 1}])
    params = [detail.param for detail in caught.value.details]
    assert params[0] == param


def test_list_rules_need_a_document_of_rows() -> None:
    with pytest.raises(LongshoreError) as caught:
        converted([{"tgt": "l[*]", "group": "{PO1[*].07}"}], "", source_format="x12")
    (detail,) = caught.value.details
    assert detail.message == "group, sort and where need a JSON, XML or CSV document"
    with pytest.raises(LongshoreError) as caught:
        output_of([{"tgt": "orders[*]", "group": "po"}], target_format="csv")
    (detail,) = caught.value.details
    assert detail.message == "group, sort and where are about a list, such as row[*]"
    with pytest.raises(TypeError):
        converted([GROUPED | {"where": "today() = {row[*]/po}"}, src("po", "orders[*]")], TABLE,
                  source_format="csv", stamp=None)  # fmt: skip


def test_list_rules_count_as_rules() -> None:
    rules = '[{"tgt":"o[*]","group":"{r[*].k}"},{"src":"r[0].k","tgt":"o[*]"}]'
    trial = MapTrial(rules=RuleText(rules, source_format="json"), tx_set="")
    assert count_rules(trial) == 2
