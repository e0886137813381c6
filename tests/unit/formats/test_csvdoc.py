import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats import csvdoc
from longshore.formats.document import ParsedDocument
from longshore.kit.errors import ErrorCode
from tests.unit.formats.claims import (
    TREE,
    fault_of,
    fields_of,
    limit_of,
    refusal_of,
    tree_of,
)


def parsed(document: str) -> ParsedDocument:
    return csvdoc.parse(document)


def items(document: str, *, header: bool = True) -> list[tuple[str, str]]:
    return list(fields_of(csvdoc.parse(document, header=header)).items())


def test_an_order_becomes_its_cells_in_document_order() -> None:
    order = parsed('sku;qty\n"a;b";1\nc;2\n')  # example 95
    assert (order.format, order.elem_sep, order.seg_term) == ("csv", ";", "\n")
    assert list(fields_of(order).items()) == [
        ("sku", "a;b"),
        ("qty", "1"),
        ("row[2]/sku", "c"),
        ("row[2]/qty", "2"),
    ]


def test_what_belongs_to_other_formats_stays_empty() -> None:
    order = parsed("a\n1")
    assert (order.tx_set, order.null_fields, order.empty_containers, order.views) == (
        "",
        (),
        (),
        {},
    )


def test_without_header_every_record_is_a_row_and_columns_go_by_position() -> None:
    assert items("a,b\n1,2,3", header=False) == [
        ("c01", "a"),
        ("c02", "b"),
        ("row[2]/c01", "1"),
        ("row[2]/c02", "2"),
        ("row[2]/c03", "3"),
    ]


@pytest.mark.parametrize(
    ("_case", "document", "fields"),
    [
        (
            "a repeated header is numbered",
            "sku,sku,sku\n1,2,3",
            [("sku", "1"), ("sku[2]", "2"), ("sku[3]", "3")],
        ),
        ("an empty header goes by position", "a,b,\n1,2,3", [("a", "1"), ("b", "2"), ("c03", "3")]),
        (
            "cells beyond the header",
            "a,b\n1,2,3,4\n5,6,7",
            [
                ("a", "1"),
                ("b", "2"),
                ("c03", "3"),
                ("c04", "4"),
                ("row[2]/a", "5"),
                ("row[2]/b", "6"),
                ("row[2]/c03", "7"),
            ],
        ),
        (
            "a header spelled like a position, before",
            "c03,b,\n1,2,3",
            [("c03", "1"), ("b", "2"), ("c03[2]", "3")],
        ),
        (
            "a header spelled like a position, behind",
            ",c01\n1,2",
            [("c01", "1"), ("c01[2]", "2")],
        ),
        (
            "a header spelled like a column beyond",
            "c02\n1,2",
            [("c02", "1"), ("c02[2]", "2")],
        ),
        (
            "a header spelled like a number",
            "sku,sku,sku[2]\n1,2,3",
            [("sku", "1"), ("sku[2]", "2"), (r"sku\[2\]", "3")],
        ),
        ("a header spelled like a row", "row[2]/a\n1", [(r"row\[2\]\/a", "1")]),
        ("a blank header is a name", "a, \n1,2", [("a", "1"), (" ", "2")]),
        ("short rows lack keys", "a,b\n1\n2,3", [("a", "1"), ("row[2]/a", "2"), ("row[2]/b", "3")]),
        ("an empty cell has no key", 'a,b,c\n,"",3', [("c", "3")]),
        ("empty lines are skipped", "\n\na,b\n\n1,2\r\n\n\n3,4\n\n", [
            ("a", "1"), ("b", "2"), ("row[2]/a", "3"), ("row[2]/b", "4"),
        ]),
        ("a row of empty cells is a row", "a,b\n,\n1,2", [("row[2]/a", "1"), ("row[2]/b", "2")]),
        ("cells are verbatim", "a,b\n 1 ,007\t", [("a", " 1 "), ("b", "007\t")]),
        ("quotes doubled and line breaks", 'a,b\n"x ""y""\r\nz",""""', [
            ("a", 'x "y"\r\nz'), ("b", '"'),
        ]),
        ("a quote inside a cell is text", 'a,b\n5" pipe, "x"', [("a", '5" pipe'), ("b", ' "x"')]),
        ("CR alone ends a record", "a,b\r1,2\r", [("a", "1"), ("b", "2")]),
        ("other separators of lines are text", "a,b\n1\x0b\x85\u2028,2", [
            ("a", "1\x0b\x85\u2028"), ("b", "2"),
        ]),
        ("U+0000", "a,b\n\x00,2", [("a", "\x00"), ("b", "2")]),
        ("a leading U+FEFF", '\ufeff"a",b\n1,2', [("a", "1"), ("b", "2")]),
        ("a header only", "a,b", []),
    ],
)  # fmt: skip
def test_fields(_case: str, document: str, fields: list[tuple[str, str]]) -> None:
    assert items(document) == fields


def test_a_hundredth_column_has_three_digits() -> None:
    assert items("," * 99 + "x", header=False) == [("c100", "x")]


@pytest.mark.parametrize(
    ("_case", "document", "delimiter"),
    [
        ("comma", "a,b\n1,2", ","),
        ("semicolon", "a;b\n1;2", ";"),
        ("tab", "a\tb\n1\t2", "\t"),
        ("bar", "a|b\n1|2", "|"),
        ("nothing divides", "a\n1", ","),
        ("decimal commas", "sku;price\nA;1,50\nB;2,75", ";"),
        ("commas in text", "a|b\nx, y|1\nz|2", "|"),
        ("a tie is a comma", "a;b,c\n1;2,3", ","),
        ("a tie of others goes by order", "a|b\tc\n1|2\t3", "\t"),
        ("delimiters in quotes do not count", 'a;b\n"1,1,1";"2"\n"3,3,3";4', ";"),
        ("a delimiter that cannot read the quotes", '"a";"b"\n"1,5";"2,5"', ";"),
        ("only fifty records count", "a;b\n" + "1;2\n" * 49 + "1,2\n" * 200, ";"),
        ("empty lines are no records", "a;b\n" + "\n" * 60 + "1,5;2\n" * 9, ";"),
    ],
)
def test_the_delimiter_is_the_one_that_divides_most_evenly(
    _case: str, document: str, delimiter: str
) -> None:
    assert parsed(document).elem_sep == delimiter


@pytest.mark.parametrize(
    ("_case", "document", "line_ending"),
    [
        ("LF", "a\n1\r\n", "\n"),
        ("CR LF", "a\r\n1\n", "\r\n"),
        ("CR", "a\r1\n", "\r"),
        ("none", "a", ""),
        ("in quotes it ends nothing", '"a\nb"\r\n1\r\n', "\r\n"),
        ("before the header", "\r\na\n1", "\r\n"),
    ],
)
def test_the_first_line_ending_is_named(_case: str, document: str, line_ending: str) -> None:
    assert parsed(document).seg_term == line_ending


@pytest.mark.parametrize(
    ("_case", "document", "offset", "line"),
    [
        ("a quote never closed", 'a,b\r\n1,2\r\n3,"x\n\n', 12, 3),
        ("a last quote doubled", 'a,b\n1,"x""', 6, 2),
        ("a quote alone", '"', 0, 1),
        ("text behind a closing quote", 'a,b\n"1"x,2', 7, 2),
        ("space behind a closing quote", '\ufeff"a" ,b', 4, 1),
        ("a lone surrogate", "a\n\ud800", 2, 2),
    ],
)
def test_a_fault_is_refused_at_its_place(_case: str, document: str, offset: int, line: int) -> None:
    assert fault_of(lambda: parsed(document)) == ("csv_syntax", offset, line)


@pytest.mark.parametrize("document", ["", "\n\r\n", " \t", "\ufeff"])
def test_white_space_only_is_an_empty_document(document: str) -> None:
    assert refusal_of(lambda: parsed(document))[0] == ErrorCode.DOCUMENT_EMPTY


def test_a_view_of_x12_is_refused() -> None:
    code, detail = refusal_of(lambda: csvdoc.parse("a\n1", views=frozenset({"segments"})))
    assert (code, detail.param, detail.allowed) == ("invalid_parameter", "include", ("tree",))


def test_the_tree_is_a_list_of_rows_with_every_cell() -> None:
    order = csvdoc.parse('sku,sku,\n1,,é\n"x"\n,,,4', views=TREE)
    assert tree_of(order) == [
        {"sku": "1", "sku[2]": "", "c03": "é"},
        {"sku": "x"},
        {"sku": "", "sku[2]": "", "c03": "", "c04": "4"},
    ]


def test_the_tree_of_a_header_alone_is_empty() -> None:
    assert tree_of(csvdoc.parse("a,b", views=TREE)) == []


def test_four_hundred_thousand_fields_pass_and_one_more_does_not() -> None:
    assert parsed("a,b\n" + "1,2\n" * 200_000).field_count == 400_000
    assert limit_of(lambda: parsed("a,b\n" + "1,2\n" * 200_000 + "3")) == ("fields", 400_000)


@pytest.mark.parametrize("cell", ["", '""'])
def test_four_hundred_thousand_columns_pass_and_one_more_does_not(cell: str) -> None:
    widest = ",".join([cell] * 400_000)
    assert items(f"{widest}\n1") == [("c01", "1")]
    assert limit_of(lambda: parsed(f"{widest},\n1")) == ("fields", 400_000)


def test_a_cell_may_be_longer_than_the_csv_module_allows() -> None:
    before = csv.field_size_limit()
    cell = "x," * 100_000
    assert items(f'a,b\n"{cell}",2') == [("a", cell), ("b", "2")]
    assert csv.field_size_limit() == before


cells = st.text(alphabet='ab ,;\t|"\n\r\x00é', max_size=6)


@given(
    rows=st.lists(st.lists(cells, min_size=4, max_size=4), min_size=1), are_all_quoted=st.booleans()
)
def test_what_the_csv_module_writes_is_read_back(
    rows: list[list[str]], *, are_all_quoted: bool
) -> None:
    names = ["h1", "h2", "h3", "h4"]
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL if are_all_quoted else csv.QUOTE_MINIMAL)
    writer.writerows([names, *rows])
    tree = tree_of(csvdoc.parse(out.getvalue(), views=TREE))
    assert tree == [dict(zip(names, row, strict=True)) for row in rows]


@given(header=st.lists(st.sampled_from(["", "a", "c01", "c02", "c03", "a[2]", "c02[2]"])))
def test_no_two_columns_share_a_key(header: list[str]) -> None:
    width = len(header) + 3
    document = ",".join([*header, "end"]) + "\n" + ",".join(str(n) for n in range(width))
    assert [value for _, value in items(document)] == [str(n) for n in range(width)]
