"""What source paths of JSON, XML and CSV lead to."""

import pytest

from longshore.mapping.trees import CsvRoot, TreeLeaf
from longshore.mapping.writes import JsonLiteral
from tests.unit.mapping.outcomes import entries_of, failure_of, outcome_of, rule, values_of

JSON = (
    '\ufeff{"o":{"id":1.10,"big":12345678901234567890,"n":null,"e":"",'
    '"l":[{"s":"a","t":"x"},{"s":"b\\u0041","t":"y"},{}]},"a.b":true,"m":[[1,2],[3]],"":{"x":"q"},'
    '"z":{},"w":[]}'
)
XML = (
    '<o v="1" xmlns="u" xmlns:p="w" p:lang="en"><l>1</l><l k="b">2&amp;é</l> x '
    '<m><n>q</n><p:n>r</p:n><n xmlns="">s</n></m><!-- c --><e/><d><![CDATA[<c>]]></d>'
    '<i xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/></o>'
)
CSV = 'sku;qty;sku\n"a;b";1;\nc;;3\n;;\nd;4;5\n'


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("o.id", ["1.10"]),
        ("o.big", ["12345678901234567890"]),
        ("o.n", []),
        ("o.e", [""]),
        ("o.l[0].s", ["a"]),
        ("o.l[1].s", ["bA"]),
        ("o.l[-2].s", ["bA"]),
        ("o.l[3].s", []),
        ("o.l[t=y].s", ["bA"]),
        ("o.l[t!=x].s", ["bA"]),
        ("o.l[t!=x][1].s", []),
        ("o.l[t=x|y][1].s", ["bA"]),
        ("o.l[t='y',s=bA].s", ["bA"]),
        ("o.l[t=q].s", []),
        ("o.l[@t=y].s", []),
        ("o.l", []),
        ("o", []),
        ("o.id[0]", []),
        ("o.x.y", []),
        ("x[0]", []),
        ("a\\.b", ["true"]),
        ("m[0][1]", ["2"]),
        ("m[-1][0]", ["3"]),
        (".x", ["q"]),
    ],
)
def test_json_paths(path: str, values: list[str]) -> None:
    assert values_of(rule(path), JSON, "json") == values


def test_json_wildcards_bind_items() -> None:
    rules = [rule("o.l[*].s", "a[*]"), rule("m[*][*]", "b[*][*]"), rule("o.l[t=y][*].s", "c[*]")]
    assert entries_of(rules, JSON, "json") == [
        [((0,), "a"), ((1,), "bA")],
        [((0, 0), "1"), ((0, 1), "2"), ((1, 0), "3")],
        [((0,), "bA")],
    ]
    assert values_of(rule("[*].a", "t[*]"), '[{"a":"1"},{"a":2}]', "json") == ["1", "2"]


def test_raw_keeps_the_json_type_and_the_literal() -> None:
    rules = [rule("o.id", "a", type="raw"), rule("a\\.b", "b", type="raw"), rule("o.id", "c")]
    values = [entries[0][1] for entries in entries_of(rules, JSON, "json")]
    assert values == ["1.10", "true", "1.10"]
    assert [type(value) for value in values] == [JsonLiteral, JsonLiteral, str]


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("o.id", True),
        ("o.n", False),
        ("o.e", False),
        ("o", True),
        ("o.l", True),
        ("z", False),
        ("w", False),
        ("x", False),
        ("!x", True),
        ("o.id=1.10", True),
        ("o.id!=1.10|2", False),
        ("o.l[t=y]", True),
        ("o.l[*].t=y", True),
        ("o.l[*].t=q", False),
    ],
)
def test_json_conditions(when: str, *, holds: bool) -> None:
    assert values_of(rule("o.id", when=when), JSON, "json") == ["1.10"] * holds


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("o.@v", ["1"]),
        ("o.@{w}lang", ["en"]),
        ("o.@lang", []),
        ("o.l", ["1"]),
        ("o.l[2]", ["2&é"]),
        ("o.l[-1]", ["2&é"]),
        ("o.l[@k=b]", ["2&é"]),
        ("o.l[@k!=b]", ["1"]),
        ("o[l=1].@v", ["1"]),
        ("o.m.n", ["s"]),  # as the key of the one without a namespace
        ("o.m.n[2]", []),
        ("o.m.{w}n", ["r"]),
        ("o.m.{u}n", ["q"]),
        ("o.{u}m.n", ["s"]),
        ("o.m", []),
        ("o.e", []),
        ("o.i", []),
        ("o.i.@{http://www.w3.org/2001/XMLSchema-instance}nil", []),
        ("o", ["x"]),
        ("o.d", ["<c>"]),
        ("p", []),
        ("p.q.@r", []),
    ],
)
def test_xml_paths(path: str, values: list[str]) -> None:
    assert values_of(rule(path), XML, "xml") == values


def test_xml_wildcards_bind_siblings() -> None:
    rules = [rule("o.l[*]", "a[*]"), rule("o.l[*].@k", "b[*]")]
    assert entries_of(rules, XML, "xml") == [[((0,), "1"), ((1,), "2&é")], [((1,), "b")]]


@pytest.mark.parametrize(
    ("when", "holds"), [("o.m", True), ("o.e", False), ("o.l", True), ("o.l[*].@k=b", True)]
)
def test_xml_conditions(when: str, *, holds: bool) -> None:
    assert values_of(rule("o.@v", when=when), XML, "xml") == ["1"] * holds


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("sku", ["a;b"]),
        ("sku[2]", []),
        ("row[2]/sku[2]", ["3"]),
        ("row[1]/qty", ["1"]),
        ("row[2]/qty", []),
        ("row[-1]/qty", ["4"]),
        ("row[9]/qty", []),
        ("row[sku=c]/sku", ["c"]),
        ("row[sku!=c][3]/sku", ["d"]),
        ("row[@sku=c]/sku", []),
        ("row", []),
        ("row[2]", []),
    ],
)
def test_csv_paths(path: str, values: list[str]) -> None:
    assert values_of(rule(path), CSV, "csv") == values


def test_csv_wildcards_bind_rows_empty_ones_too() -> None:
    (entries,) = entries_of([rule("row[*]/sku", "t[*]")], CSV, "csv")
    assert entries == [((0,), "a;b"), ((1,), "c"), ((3,), "d")]


def test_csv_without_header_names_columns_by_position() -> None:
    cell = CsvRoot("a,b\n", header=False).among(None)[0].child("c02", is_attribute=False)
    assert cell is not None
    assert (cell.value, cell.key) == ("b", "c02")


def test_nothing_stands_in_a_cell_and_no_row_in_a_row() -> None:
    root = CsvRoot(CSV)
    row = root.among(None)[2]
    leaf = TreeLeaf(row, "sku", "")
    assert (leaf.among("x"), leaf.child("x", is_attribute=False), leaf.is_filled) == (
        (),
        None,
        False,
    )
    assert (row.among("x"), row.is_filled, row.key) == ((), False, "row[3]/")
    assert root.child("x", is_attribute=False) is None


def spans_of(document: str, source_format: str, *paths: str) -> list[tuple[str, str | None]]:
    """Return canonical key and raw text of the source of each path."""
    rules = [rule(path, f"t{at}") for at, path in enumerate(paths)]
    outcome = outcome_of(rules, document, source_format, is_explained=True)
    reads = [read for made in outcome.writes for origin in made.origins for read in origin.sources]
    return [
        (read.src, None if read.span is None else document[slice(*read.span)]) for read in reads
    ]


def test_explanations_give_canonical_keys_and_raw_text_of_json() -> None:
    assert spans_of(JSON, "json", "o.id", "o.l[t=y].s", "a\\.b", "m[-1][0]", ".x") == [
        ("o.id", "1.10"),
        ("o.l[1].s", "b\\u0041"),
        ("a\\.b", "true"),
        ("m[1][0]", "3"),
        (".x", "q"),
    ]
    assert spans_of('[{"a":[5]}]', "json", "[0].a[0]") == [("[0].a[0]", "5")]
    assert spans_of('{"":[5]}', "json", "[0]") == [("[0]", "5")]


def test_explanations_give_canonical_keys_and_raw_text_of_xml() -> None:
    paths = ("o.l[2]", "o.@v", "o.m.n", "o.m.{w}n", "o", "o.d", "o.l[-1].@k")
    assert spans_of(XML, "xml", *paths) == [
        ("o.l[2]", "2&amp;é"),
        ("o.@v", None),
        ("o.m.n", "s"),
        ("o.m.{w}n", "r"),
        ("o", None),
        ("o.d", None),
        ("o.l[2].@k", None),
    ]


def test_explanations_give_canonical_keys_of_csv() -> None:
    assert spans_of(CSV, "csv", "sku", "row[sku=c]/sku[2]") == [
        ("sku", None),
        ("row[2]/sku[2]", None),
    ]


def test_conditions_on_the_way_count_as_read() -> None:
    outcome = outcome_of(
        [rule("o.l[t=y].s", when="o.id=1.10"), rule("o.n", "n", default="d")],
        JSON,
        "json",
        is_explained=True,
    )
    assert outcome.reads == {"o.l[1].s", "o.l[1].t", "o.id"}
    assert [origin.kind for origin in outcome.writes[1].origins] == ["default"]


def test_a_required_value_that_json_has_as_null_is_missing() -> None:
    failure = failure_of(rule("o.n", required=True), JSON, "json")
    assert failure == ("required_missing", "field_map[0]")
