"""What browsers save: names that stay names, and tables without formulas."""

import csv
from io import StringIO
from itertools import product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.http.downloads import attachment, without_formulas

BEFORE = ("", "\ufeff", "x,", "x;", "x\t", "x|", "x\n", "x\r\n")
AFTER = ("", ",x", "\n", "\r\nx")


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|'/C calc'!A0", "'+cmd|'/C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" =1", " '=1"),
        ('"=1"', '"\'=1"'),
        ('" =1"', '" \'=1"'),
        ("\uff1d1", "'\uff1d1"),
        ("-5.00", "-5.00"),
        ("+49", "+49"),
        ("-1,5", "-1,5"),
        ("-1e5", "-1e5"),
        ('"-5.00"', '"-5.00"'),
        ('"-1"+cmd|1', '"\'-1"+cmd|1'),
        ('"-1\n*cmd|1"', '"\'-1\n*cmd|1"'),
        ("-1\t*cmd|1", "'-1\t*cmd|1"),
        ("-", "'-"),
        ("a=b", "a=b"),
        ("PO-1", "PO-1"),
        ("", ""),
    ],
)
def test_a_cell_that_would_be_a_formula_gets_an_apostrophe(cell: str, safe: str) -> None:
    for before, after in product(BEFORE, AFTER):
        assert without_formulas(before + cell + after) == before + safe + after


@given(rows=st.lists(st.lists(st.text("=+-@\t\r\n ,;\"'a1.", max_size=8), min_size=1), max_size=5))
def test_no_cell_of_any_table_begins_as_a_formula(rows: list[list[str]]) -> None:
    written = StringIO()
    csv.writer(written).writerows(rows)
    for row in csv.reader(StringIO(without_formulas(written.getvalue()), newline="")):
        for cell in row:
            begins = cell.lstrip(" ")[:1]
            assert begins not in {"=", "@"} or not begins
            assert begins not in {"+", "-"} or cell.strip()[1:2].isdecimal()


def test_a_table_of_formulas_takes_time_in_proportion() -> None:
    def seconds(text: str) -> float:
        begun = process_time()
        without_formulas(text)
        return process_time() - begun

    for hostile in (" ", "-1", '"', "=,", "1.1,"):
        short, long = hostile * 20_000, hostile * 200_000
        assert min(seconds(long) for _ in range(3)) < 40 * max(
            min(seconds(short) for _ in range(3)), 0.0005
        )


@pytest.mark.parametrize(
    ("name", "disposition"),
    [
        ("850-1a.json", "filename=\"850-1a.json\"; filename*=UTF-8''850-1a.json"),
        ('a"b\r\nX: y', "filename=\"a_b__X__y\"; filename*=UTF-8''a%22b%0D%0AX%3A%20y"),
        ("../ü.csv", "filename=\".._ü_.csv\"; filename*=UTF-8''..%2F%C3%BC.csv".replace("ü_", "_")),
    ],
)
def test_a_name_cannot_leave_its_header(name: str, disposition: str) -> None:
    headers = dict(attachment(b"", name).headers)
    assert headers[b"content-disposition"].decode() == f"attachment; {disposition}"
