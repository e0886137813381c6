"""Transforms, operations and types: every example of fields-and-mapping.md, and the edges."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.mapping.dates import iso_of
from longshore.mapping.members import Members, RuleFaults
from longshore.mapping.operations import read_operation
from longshore.mapping.values import (
    TRANSFORMS,
    TYPES,
    ValueFaultError,
    ValueTooLongError,
    number_text,
)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("20240115", "2024-01-15"),
        ("240115", "2024-01-15"),
        ("690101", "1969-01-01"),
        ("681231", "2068-12-31"),
        ("000229", "2000-02-29"),
        ("20230229", None),
        ("20240230", None),
        ("202401", None),
        ("01/15/2024", None),
        ("20240115-20240120", "2024-01-15/2024-01-20"),
        ("240115-20240120", "2024-01-15/2024-01-20"),
        ("202401150930-20240120", "2024-01-15T09:30:00/2024-01-20"),
        ("20240115-20240230", None),
        ("20240115-", None),
        ("20240115-20240116-20240117", None),
        ("202401150930", "2024-01-15T09:30:00"),
        ("20240115T0930", "2024-01-15T09:30:00"),
        ("20240115 093059", "2024-01-15T09:30:59"),
        ("202401150930591", "2024-01-15T09:30:59.1"),
        ("2024011509305912", "2024-01-15T09:30:59.12"),
        ("20240115093059123", None),
        ("202401152400", None),
        ("202401150960", None),
        ("20240115093060", None),
        ("202402300930", None),
        ("2024-01-15T10:00:00Z", "2024-01-15T10:00:00Z"),
        ("2024-01-15", "2024-01-15"),
        ("2024-02-30", None),
        ("00000101", None),
        ("\uff12\uff10\uff12\uff14\uff10\uff11\uff11\uff15", None),
        ("", None),
    ],
)
def test_date_iso(text: str, iso: str | None) -> None:
    assert iso_of(text) == iso
    noted: list[str] = []
    transform = TRANSFORMS["date_iso"]
    assert transform is not None
    assert transform(noted.append)(f" {text}\t") == (iso or text)
    assert noted == ([] if iso else ["date_iso"])


@given(st.text(alphabet="0123456789-T /", max_size=20))
def test_date_iso_is_idempotent(text: str) -> None:
    once = iso_of(text)
    assert once is None or iso_of(once) == once


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("uppercase", "straße é", "STRASSE É"),
        ("lowercase", "ÀB", "àb"),
        ("trim", "\u2003 a b\u00a0\n", "a b"),
        ("trim", "   ", ""),
    ],
)
def test_text_transforms(name: str, value: str, result: str) -> None:
    transform = TRANSFORMS[name]
    assert transform is not None
    assert transform(lambda _code: None)(value) == result


def apply(operation: dict[str, object], value: str) -> str | None:
    faults = RuleFaults()
    make = read_operation(Members(operation, "then[0]", faults))
    assert make is not None
    assert faults.details == []
    return make(pytest.fail)(value)


@pytest.mark.parametrize(
    ("op", "arguments", "value", "result"),
    [
        ("substring", {"start": 1}, "abcd", "bcd"),
        ("substring", {"start": 1, "len": 2}, "abcd", "bc"),
        ("substring", {"start": -2}, "abcd", "cd"),
        ("substring", {"start": -9, "len": 2}, "abcd", "ab"),
        ("substring", {"start": 9, "len": 2}, "abcd", ""),
        ("substring", {"start": 0, "len": 0}, "abcd", ""),
        ("pad", {"len": 4}, "7", "   7"),
        ("pad", {"len": 4, "char": "0"}, "7", "0007"),
        ("pad", {"len": 4, "side": "right"}, "7", "7   "),
        ("pad", {"len": 1}, "77", "77"),
        ("replace", {"find": ".", "with": ""}, "a.b.c", "abc"),
        ("replace", {"find": "a", "with": "bb"}, "aa", "bbbb"),
        ("split", {"on": "-", "index": 1}, "a-b-c", "b"),
        ("split", {"on": "-", "index": -1}, "a-b-c", "c"),
        ("split", {"on": "-", "index": 3}, "a-b-c", None),
        ("split", {"on": "-", "index": -4}, "a-b-c", None),
        ("split", {"on": "-", "index": 0}, "abc", "abc"),
        ("number", {"scale": 2}, "-12345", "-123.45"),
        ("number", {"scale": 2}, "5", "0.05"),
        ("number", {"scale": 0}, "005", "5"),
        ("number", {"scale": 2, "dir": "from_implied"}, "+1234", "12.34"),
        ("number", {"scale": 2, "dir": "to_implied"}, "-123.45", "-12345"),
        ("number", {"scale": 2, "dir": "to_implied"}, "1.5", "150"),
        ("number", {"scale": 2, "dir": "to_implied"}, "1.500", "150"),
        ("number", {"scale": 0, "dir": "to_implied"}, "7", "7"),
        ("multiply", {"by": "0.1"}, "0.2", "0.02"),
        ("multiply", {"by": 3}, "9.25", "27.75"),
        ("multiply", {"by": Decimal("-1.0")}, ".5", "-0.50"),
        ("round", {"digits": 2}, "2.345", "2.35"),
        ("round", {"digits": 2}, "-2.345", "-2.35"),
        ("round", {"digits": 0}, "0.5", "1"),
        ("round", {"digits": 2}, "9", "9.00"),
        ("round", {"digits": 2}, "9.250", "9.25"),
        ("date", {"in": "CCYYMMDD", "out": "MM/DD/YY"}, "20240115", "01/15/24"),
        ("date", {"in": "YYMMDD", "out": "CCYY-MM-DD"}, "690115", "1969-01-15"),
        ("date", {"in": "MMDD", "out": "DD.MM."}, "0229", "29.02."),
        ("time", {"in": "HHMI", "out": "HH:MI"}, "0930", "09:30"),
        ("date", {"in": "CCYYMMDD HHMISS", "out": "DDTHHMI"}, "20240115 093011", "15T0930"),
        ("default", {"value": "x"}, "", "x"),
        ("default", {"value": "x"}, "a", "a"),
    ],
)
def test_operations(op: str, arguments: dict[str, object], value: str, result: str | None) -> None:
    assert apply({"op": op, **arguments}, value) == result


@pytest.mark.parametrize(
    ("operation", "value"),
    [
        ({"op": "number", "scale": 2}, "1.5"),
        ({"op": "number", "scale": 2}, "5."),
        ({"op": "number", "scale": 2}, "x"),
        ({"op": "number", "scale": 2, "dir": "to_implied"}, "1.005"),
        ({"op": "multiply", "by": 2}, "1e5"),
        ({"op": "multiply", "by": 2}, "9" * 1001),
        ({"op": "round", "digits": 2}, ""),
    ],
)
def test_operations_on_what_is_no_such_number(operation: dict[str, object], value: str) -> None:
    with pytest.raises(ValueFaultError) as caught:
        apply(operation, value)
    assert caught.value.code == "type_mismatch"


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ({"op": "date", "in": "CCYYMMDD", "out": "CCYY"}, "20240230"),
        ({"op": "date", "in": "CCYYMMDD", "out": "CCYY"}, "2024011"),
        ({"op": "date", "in": "YYMMDD", "out": "CCYY"}, "\uff12\uff140101"),
        ({"op": "time", "in": "HHMI", "out": "HH"}, "2460"),
        ({"op": "time", "in": "HH:MI", "out": "HH"}, "0930"),
    ],
)
def test_a_moment_that_does_not_fit_stays_and_is_noted(op: dict[str, object], value: str) -> None:
    make = read_operation(Members(op, "then[0]", RuleFaults()))
    assert make is not None
    noted: list[str] = []
    assert make(noted.append)(value) == value
    assert noted == [op["op"]]


def test_replacing_cannot_make_a_value_of_any_length() -> None:
    operation: dict[str, object] = {"op": "replace", "find": "a", "with": "a" * 1024}
    assert apply(operation, "a" * 1024) == "a" * 1_048_576
    with pytest.raises(ValueTooLongError):
        apply(operation, "a" * 1025)
    shrinking: dict[str, object] = {"op": "replace", "find": "ab", "with": "a"}
    assert apply(shrinking, "ab" * 1_048_577) == "a" * 1_048_577


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (".5", "0.5"),
        ("000123", "123"),
        ("9.250", "9.250"),
        ("+7", "7"),
        ("-7", "-7"),
        ("-0", "0"),
        ("-0.00", "0.00"),
        ("-.5", "-0.5"),
        ("5.", "5"),
        ("0", "0"),
        ("00.10", "0.10"),
        ("", None),
        (".", None),
        ("-", None),
        ("-.", None),
        ("1e5", None),
        ("1.2.3", None),
        ("--1", None),
        (" 1", None),
        ("1 ", None),
        ("\uff11", None),
        ("1_000", None),
        ("NaN", None),
    ],
)
def test_numbers(text: str, number: str | None) -> None:
    assert number_text(text) == number


@pytest.mark.parametrize(
    ("type_name", "text", "value"),
    [
        ("string", "007", "007"),
        ("number", "007.10", "7.10"),
        ("integer", "007.00", "7"),
        ("integer", "-0", "0"),
        ("integer", "-12", "-12"),
        ("boolean", "YES", "true"),
        ("boolean", "y", "true"),
        ("boolean", "True", "true"),
        ("boolean", "1", "true"),
        ("boolean", "No", "false"),
        ("boolean", "n", "false"),
        ("boolean", "FALSE", "false"),
        ("boolean", "0", "false"),
    ],
)
def test_types(type_name: str, text: str, value: str) -> None:
    finish = TYPES[type_name]
    assert finish is not None
    assert finish(text) == value


@pytest.mark.parametrize(
    ("type_name", "text"),
    [("number", "x"), ("integer", "1.5"), ("integer", ""), ("integer", "x"), ("boolean", "2")],
)
def test_values_that_are_not_of_the_type(type_name: str, text: str) -> None:
    finish = TYPES[type_name]
    assert finish is not None
    with pytest.raises(ValueFaultError) as caught:
        finish(text)
    assert caught.value.code == "type_mismatch"


DECIMALS = st.decimals(
    allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=4
)


@given(DECIMALS, DECIMALS, st.integers(0, 6))
def test_arithmetic_is_that_of_decimals(one: Decimal, other: Decimal, digits: int) -> None:
    product = apply({"op": "multiply", "by": f"{other:f}"}, f"{one:f}")
    assert Decimal(str(product)) == one * other
    rounded = apply({"op": "round", "digits": digits}, f"{one:f}")
    assert Decimal(str(rounded)) == one.quantize(Decimal(10) ** -digits, ROUND_HALF_UP)
