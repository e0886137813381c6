"""CSV output: rows by bindings, columns by rules, quoting, explain."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats.csvdoc import parse
from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.targets_csv import build_csv
from longshore.mapping.writes import NULL, JsonLiteral
from tests.unit.mapping.written_rules import rules_of


def text(*rules: tuple[object, ...]) -> str:
    return build_csv(rules_of("csv", *rules)).text


def refused(*rules: tuple[object, ...]) -> tuple[str, ErrorDetail]:
    with pytest.raises(LongshoreError) as caught:
        text(*rules)
    (detail,) = caught.value.details
    return caught.value.code, detail


def test_rules_without_wildcards_make_one_row_or_repeat_in_every_row() -> None:
    header = ("po", "PO-4711")
    assert text(header, ("date", "20240115")) == "po,date\r\nPO-4711,20240115\r\n"
    assert text(header, ("qty", ["10", "4"]), ("unit", ["EA", "CA"])) == (
        "po,qty,unit\r\nPO-4711,10,EA\r\nPO-4711,4,CA\r\n"
    )


def test_a_shorter_binding_repeats_in_the_rows_that_begin_with_it() -> None:
    rules = [("sku", ["A", "B", "C"]), ("date", {(0, 0): "d1", (0, 1): "d2", (2, 0): "d3"})]
    assert text(*rules) == "sku,date\r\nA,d1\r\nA,d2\r\nB,\r\nC,d3\r\n"


def test_rows_are_in_order_of_their_ordinals() -> None:
    found = {(10,): "k", (2,): "c", (0,): "a"}
    assert text(("x", found)) == "x\r\na\r\nc\r\nk\r\n"


def test_a_column_without_values_is_there_and_nothing_at_all_is_a_header() -> None:
    assert text(("a", []), ("b", "1")) == "a,b\r\n,1\r\n"
    assert text(("a", []), ("b", [])) == "a,b\r\n"
    assert text() == ""


def test_the_last_present_value_wins_whatever_its_binding() -> None:
    assert text(("x", "1"), ("x", [None, "2"]), ("y", ["a", "b"])) == "x,y\r\n1,a\r\n2,b\r\n"
    assert text(("x", ["1", "2"]), ("x", "3", "first")) == "x\r\n1\r\n2\r\n"
    assert text(("x", ["1", "2"]), ("x", "3", "join:-")) == "x\r\n1-3\r\n2-3\r\n"
    code, detail = refused(("x", ["1"]), ("x", "3", "error"))
    assert (code, detail.code, detail.param) == (
        "conversion_failed",
        "duplicate_target",
        "field_map[1]",
    )


def test_null_is_an_empty_cell_and_literals_are_text() -> None:
    rules = [("a", NULL), ("b", NULL, "last", "filler"), ("c", JsonLiteral("1.50")), ("d", "null")]
    assert text(*rules) == "a,b,c,d\r\n,,1.50,null\r\n"


def test_quoting() -> None:
    rules = [("a,b", 'x"y'), ("c", "1\n2"), ("d", "\r"), ("e", " z "), ("f", "=1+1")]
    assert text(*rules) == '"a,b",c,d,e,f\r\n"x""y","1\n2","\r", z ,=1+1\r\n'


def test_a_row_with_nothing_but_one_empty_cell_is_no_empty_line() -> None:
    assert text(("a", ["", "x"])) == 'a\r\n""\r\nx\r\n'


def test_arrays_have_no_place_in_a_cell() -> None:
    with pytest.raises(LongshoreError) as caught:
        text(("a", "1", "append"), ("b", "1"), ("c", "1", "append"))
    assert caught.value.code == "invalid_mapping_rule"
    assert [each.param for each in caught.value.details] == [
        "field_map[0].on_duplicate",
        "field_map[2].on_duplicate",
    ]


def test_a_lone_surrogate_is_refused() -> None:
    code, detail = refused(("a", "\udc00"))
    assert (code, detail.code, detail.param) == (
        "conversion_failed",
        "character_not_allowed",
        "field_map[0]",
    )


def test_the_output_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("longshore.mapping.output.MAX_OUTPUT_BYTES", 9)
    assert text(("a", ["1", "2"])) == "a\r\n1\r\n2\r\n"
    code, detail = refused(("a", ["1", "2", "3"]))
    assert (code, detail.limit, detail.max) == ("limit_exceeded", "output_bytes", 9)


def test_explain_names_cells_as_keys_do() -> None:
    rules = rules_of("csv", ("p.o", "P"), ("q", ["1", "2"]), ("r", [None, "x", "y"], "join:,"))
    built = build_csv(rules, is_traced=True)
    assert built.text == "p.o,q,r\r\nP,1,\r\nP,2,x\r\nP,,y\r\n"
    assert [(each.tgt, each.rule, each.after) for each in built.written] == [
        ("p\\.o", 0, "P"),
        ("q", 1, "1"),
        ("row[2]/p\\.o", 0, "P"),
        ("row[2]/q", 1, "2"),
        ("row[2]/r", 2, "x"),
        ("row[3]/p\\.o", 0, "P"),
        ("row[3]/r", 2, "y"),
    ]


_CELLS = st.lists(st.text('ab,"\r\n;\t ', max_size=4), min_size=1, max_size=4)


@given(_CELLS, _CELLS)
def test_what_is_written_is_read_again(first: list[str], second: list[str]) -> None:
    written = text(("one", [*first]), ("two", [*second]))
    rows = list(csv.reader(io.StringIO(written, newline="")))
    count = max(len(first), len(second))
    padded = [[*column, *[""] * (count - len(column))] for column in (first, second)]
    assert rows == [["one", "two"], *map(list, zip(*padded, strict=True))]
    filled = sum(map(bool, first)) + sum(map(bool, second))
    parsed = parse(written)
    assert (parsed.field_count, parsed.elem_sep) in {(filled, ","), (parsed.field_count, ";")}
