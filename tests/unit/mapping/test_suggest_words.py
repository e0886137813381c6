"""Names taken apart into what they stand for."""

import pytest

from longshore.mapping.suggest_places import date_in, is_iso_date, kinds_of, level_of
from longshore.mapping.suggest_words import MAX_NAME_CHARS, meaning_of, words_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("poNumber", ["po", "number"]),
        ("PONumber", ["po", "number"]),
        ("po_number", ["po", "number"]),
        ("PO-Number", ["po", "number"]),
        ("po number", ["po", "number"]),
        ("ponumber", ["po", "number"]),
        ("shiptozip", ["shipto", "zip"]),
        ("Address2", ["address", "2"]),
        ("line_items", ["line", "item"]),
        ("parties", ["party"]),
        ("addresses", ["address"]),
        ("status", ["status"]),
        ("gross", ["gross"]),
        ("gas", ["gas"]),
        ("straße", ["straße"]),
        ("***", []),
        ("", []),
        ("x" * 100, ["x" * MAX_NAME_CHARS]),
    ],
)
def test_words_of_names(name: str, words: list[str]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("name", "concepts"),
    [
        ("Purchase Order No.", ("order", "number")),
        ("poNbr", ("order", "number")),
        ("shipToZip", ("ship_to", "postal")),
        ("DeliverTo_PostCode", ("ship_to", "postal")),
        ("unitOfMeasure", ("unit",)),
        ("unit price", ("price",)),
        ("uom", ("unit",)),
        ("unit cost amount", ("price", "amount")),
        ("header", ()),
        ("number of number", ("number",)),
        ("widget", ("widget",)),
    ],
)
def test_names_for_the_same_thing_mean_the_same(name: str, concepts: tuple[str, ...]) -> None:
    assert meaning_of(name) == concepts


def test_lists_of_lines_by_any_name() -> None:
    names = ("lines", "items", "order_items", "Products", "rows", "details")
    assert [bool(level_of(name) & {"line"}) for name in names] == [True] * 5 + [False]


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ("", set()),
        ("EA", {"text"}),
        ("12.75", {"number", "text"}),
        ("-.5", {"number", "text"}),
        ("2026-03-02", {"date"}),
        ("2026-03-02T10:00:00Z", {"date"}),
        ("20260302", {"date", "number", "text"}),
        ("20260230", {"number", "text"}),
        ("2026-02-30", {"text"}),
        ("True", {"flag"}),
        ("Y", {"flag", "text"}),
        ("1", {"flag", "number", "text"}),
        ("١٢", {"text"}),
    ],
)
def test_kinds_of_values(value: str, kinds: set[str]) -> None:
    assert kinds_of(value) == kinds


def test_dates_are_the_same_however_they_are_written() -> None:
    assert date_in("2026-03-02T10:00") == date_in("20260302") == "20260302"
    assert (is_iso_date("2026-03-02"), is_iso_date("20260302"), is_iso_date("2026-13-02")) == (
        True,
        False,
        False,
    )
