"""Documents as tables: keys, order, types, rejected files, Arrow."""

import sys
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest

import longshore as ls
from longshore.library import table_rows
from longshore.library.table_columns import TABLES, ColumnType
from longshore.library.table_sources import ROW_SOURCES
from longshore.library.table_values import NotOfTypeError, timestamp, typed
from tests.architecture.repository import ROOT
from tests.unit.x12.documents import a_group, a_set, interchange

SAMPLES = ROOT / "samples"
BEG = "BEG*00*SA*PO-1**20240115"


def records(tables: ls.DocumentTables, name: str) -> list[dict[str, object]]:
    names = [column.name for column in tables.columns(name)]
    return [dict(zip(names, row, strict=True)) for row in tables.rows(name)]


def columns(tables: ls.DocumentTables, name: str, *wanted: str) -> list[tuple[object, ...]]:
    return [tuple(row[each] for each in wanted) for row in records(tables, name)]


def test_an_order_has_its_lines_with_keys_and_types() -> None:
    tables = ls.tables(str(SAMPLES / "850_purchase_order/input.edi"))
    first = records(tables, "purchase_order_lines")[0]
    assert (first["interchange"], first["group"], first["transaction_set"], first["segment"]) == (
        *(1, 1, 1, 22),
    )
    assert list(first.values())[6:] == [
        *("PO-20260302-17", "1", Decimal("48.0000"), "EA", Decimal("12.7500")),
        *("QH-2201", "BW-LAMP-BRS", None, "Desk lamp, brass"),
    ]
    (st,) = records(tables, "transaction_sets")
    assert list(st.values())[5:] == [
        *("850", "0001", "004010", None, "exact", "valid", 0, "PO-20260302-17"),
        *(date(2026, 3, 2), None, 28),
    ]
    (file,) = columns(tables, "files", "status", "charset", "segment_count", "finding_count")
    assert file == ("done", "utf-8", 32, 0)


def test_health_care_and_shipments_have_their_parents_keys() -> None:
    claims = ls.tables([SAMPLES / "837p_claim/input.edi", SAMPLES / "835_remittance/input.edi"])
    assert columns(claims, "claims", "claim", "total", "subscriber", "payer", "frequency") == [
        ("WL-30071", Decimal(185), "LK000111222", "LKPLAN1", "1"),
        ("WL-30084", Decimal(90), "LK000333444", "LKPLAN1", "1"),
    ]
    assert columns(claims, "claim_services", "claim", "procedure", "service_date")[2] == (
        *("WL-30084", "G0463", date(2026, 3, 26)),
    )
    assert columns(claims, "remittance_claims", "payment", "payer", "paid")[0] == (
        *("EFT-0009917", "Larkfield Health Plan", Decimal("151.40")),
    )
    assert [row[-1] for row in columns(claims, "transaction_sets", "total")] == [
        *(None, Decimal("216.40")),
    ]
    shipped = ls.tables(SAMPLES / "856_ship_notice/input.edi")
    assert columns(shipped, "ship_notice_items", "order", "quantity", "buyer_item")[0] == (
        *("PO-20260302-17", Decimal(48), "QH-2201"),
    )


def test_an_invoice_total_has_the_decimals_that_its_definition_implies() -> None:
    invoice = ls.new("810", "004010", stamp=ls.Stamp(date="20260302", time="1015"))
    invoice.add("BIG", "20260302", "INV-7").add("IT1", "1", "2.5x", "EA", "1.23456").add("TDS", 625)
    tables = ls.tables(invoice.content())
    assert columns(tables, "transaction_sets", "total", "outcome") == [(Decimal("6.25"), "invalid")]
    assert columns(tables, "invoice_lines", "line", "quantity", "unit_price") == [("1", None, None)]
    of_types = [row for row in records(tables, "findings") if row["code"] == "column_type"]
    assert [(row["segment"], row["path"], row["message"]) for row in of_types] == [
        (5, "IT1.02", "IT102 is no value for the column quantity: it is null"),
        (5, "IT1.04", "IT104 is no value for the column unit_price: it is null"),
    ]
    assert {row["severity"] for row in of_types} == {"warning"}


def test_segments_elements_and_findings_have_the_place_of_each_row() -> None:
    hl = a_set("BSN*00*1*20240115*1200", "HL*1**S", "HL*2*1*O", "ZZZ*a", set_id="856")
    text = interchange(
        *a_group(*a_set(BEG, "PO1*1*5*EA")), "REF*1", *a_group(*hl, number="8"), "IEA*2*000000101"
    )
    tables = ls.tables(text + text.partition("SE*")[0], TABLES)
    rows = columns(tables, "segments", "segment_id", "interchange", "group", "transaction_set")
    assert rows[:8] == [
        *(("ISA", 1, None, None), ("GS", 1, 1, None), ("ST", 1, 1, 1), ("BEG", 1, 1, 1)),
        *(("PO1", 1, 1, 1), ("SE", 1, 1, 1), ("GE", 1, 1, None), ("REF", 1, None, None)),
    ]
    assert rows[8:10] == [("GS", 1, 2, None), ("ST", 1, 2, 2)]
    assert rows[-5:-3] == [("ISA", 2, None, None), ("GS", 2, 3, None)]
    levels = columns(tables, "segments", "segment_id", "hl_id", "hl_parent", "loop", "loop_index")
    assert levels[11:14] == [
        *(("HL", "1", None, ["HL"], [1]), ("HL", "2", "1", ["HL"], [2])),
        ("ZZZ", "2", "1", ["HL"], [2]),
    ]
    assert levels[16] == ("IEA", None, None, [], [])
    elements = [row[1:] for row in columns(tables, "elements", "segment", "position", "value")]
    assert elements[elements.index((1, "850")) :][:4] == [
        *((1, "850"), (2, "0001"), (1, "00"), (2, "SA")),
    ]
    found = columns(tables, "findings", "code", "transaction_set", "segment", "ack_code")
    assert ("segment_unknown", 2, 14, [("segment", "1")]) in found
    assert ("interchange_trailer_missing", None, 18, [("interchange", "023")]) in found


def test_composites_are_lists_and_binary_and_group_times_are_exact() -> None:
    text = interchange(*a_group(*a_set("SV1*HC>1*2")), "IEA*1*000000101")
    for time, expected in (("0930", datetime.fromisoformat("2024-01-15T09:30")), ("2530", None)):
        tables = ls.tables(
            text.replace("*0930*7", f"*{time}*7"), ["segments", "groups", "findings"]
        )
        assert columns(tables, "groups", "timestamp") == [(expected,)]
        codes = [row[0] for row in columns(tables, "findings", "code")]
        assert codes.count("column_type") == (expected is None)
    tables = ls.tables(text, ["segments"])
    assert columns(tables, "segments", "elements")[3] == ([[["HC", "1"]], [["2"]]],)
    fragment = ls.tables(b"GS*PO*A*B~ST*850*0001~SE*2*0001~", ["groups", "elements"])
    assert columns(fragment, "groups", "interchange", "timestamp") == [(None, None)]
    assert columns(fragment, "elements", "name")[3:5] == [("Transaction set",), ("Control number",)]


def test_acknowledgements_have_a_row_for_everything_that_they_answer() -> None:
    notes = ("IK3*NM1*8*2010AA*8", "CTX*CLM01>1", "IK4*3>1>2*1036*1*WRONG", "IK4*x**7")
    answers = a_group(
        *a_set(
            *("AK1*HC*41*005010X222A1", "AK2*837*0001", *notes, "IK5*R*5*I5", "AK2*837*0002"),
            *("AK2*837*0003", "IK5*A", "AK9*P*3*3*1*5*2"),
            set_id="999",
        ),
        *a_set(
            "AK1*PO*9", "AK2*850*0004", "AK3*PO1*12345678901*PO1*3", "AK9*R*1*1*0", set_id="997"
        ),
    )
    text = interchange("TA1*000000007*240115*0930*R*018", *answers, "IEA*1*000000101")
    tables = ls.tables(text, ["acknowledgements"])
    found = [tuple(row.values())[4:] for row in records(tables, "acknowledgements")]
    claims, orders, nothing = ("HC", "41", "837"), ("PO", "9", "850"), (None,) * 5
    place = ("NM1", 8, "2010AA")
    assert found == [
        (None, 2, "interchange", "TA1", "000000007", *(None,) * 4, "R", ["018"], *(None,) * 8),
        (1, 6, "set", "999", None, *claims, "0001", "R", ["5", "I5"], *(None,) * 3, *nothing),
        (1, 7, "segment", "999", None, *claims, "0001", None, ["8"], *place, *nothing),
        (
            *(1, 9, "element", "999", None, *claims, "0001", None, ["1"], *place),
            *(3, 1, 2, "1036", "WRONG"),
        ),
        (1, 10, "element", "999", None, *claims, "0001", None, ["7"], *place, *nothing),
        (1, 12, "set", "999", None, *claims, "0002", None, [], *(None,) * 3, *nothing),
        (1, 13, "set", "999", None, *claims, "0003", "A", [], *(None,) * 3, *nothing),
        (1, 15, "group", "999", None, "HC", "41", None, None, "P", ["5", "2"], *(None,) * 8),
        (2, 19, "set", "997", None, *orders, "0004", None, [], *(None,) * 3, *nothing),
        (2, 20, "segment", "997", None, *orders, "0004", None, ["3"], "PO1", None, "PO1", *nothing),
        (2, 21, "group", "997", None, "PO", "9", None, None, "R", [], *(None,) * 8),
    ]


def test_an_acknowledgement_that_is_cut_off_has_no_result() -> None:
    text = interchange("GS*FA*A*B*20240115*0930*7*X*004010", "ST*997*1", "AK1*PO*9", "AK2*850*0004")
    (row,) = records(ls.tables(text, ["acknowledgements"]), "acknowledgements")
    assert (row["answered_set"], row["status"], row["codes"]) == ("0004", None, [])


def test_long_sets_are_given_in_pieces_and_uncounted_errors_are_null(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_rows, "_PIECE_ROWS", 2)
    text = interchange(*a_group(*a_set(BEG, *["QQQ*1"] * 1001)), "IEA*1*000000101")
    tables = ls.tables(text, ["segments", "transaction_sets", "files"])
    assert [row["segment"] for row in records(tables, "segments")] == [*range(1, 1009)]
    assert columns(tables, "transaction_sets", "outcome", "error_count") == [("invalid", None)]
    ((count,),) = columns(tables, "files", "finding_count")
    assert isinstance(count, int)
    assert count > 1000


def test_a_set_outside_groups_has_the_place_that_its_segments_have() -> None:
    outside = interchange(*a_set(BEG), "IEA*0*000000101")
    inside = interchange(*a_group(*a_set(BEG)), *a_set(BEG), "IEA*1*000000101")
    for text in (outside + inside, "ST*850*0001~SE*2*0001~"):
        tables = ls.tables(text.encode(), ["transaction_sets", "segments"])
        keys = ("interchange", "group", "transaction_set")
        starts = columns(tables, "segments", "segment_id", *keys)
        places = columns(tables, "transaction_sets", *keys)
        assert places == [each[1:] for each in starts if each[0] == "ST"]


def test_a_file_that_cannot_be_read_has_one_row(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "b.edi").write_bytes(b"Dear partner")
    (tmp_path / "below/a.edi").write_text(interchange("IEA*0*000000101"))
    for source in (tmp_path, str(tmp_path / "**/*.edi"), [tmp_path / "b.edi", tmp_path / "below"]):
        tables = ls.tables(source)
        assert columns(tables, "files", "status", "error_code") == [
            *(("rejected", "document_unparseable"), ("done", None)),
        ]
        assert [row["segment_id"] for row in records(tables, "segments")] == ["ISA", "IEA"]
    missing = ls.tables(str(tmp_path / "none.edi"))
    assert columns(missing, "files", "status", "error_code", "error_message", "file_sha256") == [
        *[("rejected", "storage_unavailable", "System error: No such file or directory.", None)],
    ]


def test_a_table_that_is_not_there_is_refused() -> None:
    with pytest.raises(ls.LongshoreError) as refused:
        ls.tables("x.edi", ["claim"])
    assert refused.value.message.startswith("Unknown table 'claim'. Use one of: files, ")
    tables = ls.tables("x.edi", ["claims"])
    assert repr(tables) == "<tables of 1 sources: claims>"
    for use in (tables.rows, tables.columns, tables.batches, tables.to_pyarrow):
        with pytest.raises(ls.LongshoreError) as refused:
            use("files")
        assert refused.value.details[0].allowed == ("claims",)


@pytest.mark.parametrize(
    ("text", "column_type", "decimals", "value"),
    [
        ("", ColumnType.DATE, 0, None),
        ("x", ColumnType.TEXT, 0, "x"),
        ("-.5", ColumnType.AMOUNT, 0, Decimal("-0.5")),
        ("5.", ColumnType.AMOUNT, 0, Decimal(5)),
        ("12345678901234.5678", ColumnType.AMOUNT, 0, Decimal("12345678901234.5678")),
        ("-1250", ColumnType.AMOUNT, 2, Decimal("-12.50")),
        ("20240229", ColumnType.DATE, 0, date(2024, 2, 29)),
    ],
)
def test_texts_of_a_type_are_values(
    text: str, column_type: ColumnType, decimals: int, value: object
) -> None:
    assert typed(text, column_type, decimals) == value


@pytest.mark.parametrize(
    ("text", "column_type", "decimals"),
    [
        *[(text, ColumnType.AMOUNT, 0) for text in ("-", ".", "1e5", "1,5", "٣", "0.00001")],
        *[(text, ColumnType.AMOUNT, 0) for text in ("100000000000000", " 1")],
        *[(text, ColumnType.AMOUNT, 2) for text in ("12.50", "x")],
        *[(text, ColumnType.DATE, 0) for text in ("240115", "20240230", "2024-01-15")],
    ],
)
def test_other_texts_are_never_guessed(text: str, column_type: ColumnType, decimals: int) -> None:
    with pytest.raises(NotOfTypeError):
        typed(text, column_type, decimals)


def test_a_time_of_a_group_has_a_century_or_is_none() -> None:
    assert timestamp("", "") is None
    assert timestamp("20240115", "09301599") == datetime.fromisoformat("2024-01-15T09:30:15")
    for day, time in (("240115", "0930"), ("20240115", ""), ("20240115", "2430")):
        with pytest.raises(NotOfTypeError):
            timestamp(day, time)


def test_every_column_of_business_rows_has_a_source_and_the_other_way() -> None:
    sources: dict[str, set[str]] = {}
    for row in (row for rows in ROW_SOURCES.values() for row in rows):
        sources.setdefault(row.table, set()).update(row.columns)
    assert sources == {name: {column.name for column in TABLES[name][6:]} for name in sources}
    assert len({column.type for table in TABLES.values() for column in table}) == len(ColumnType)


def test_arrow_batches_have_the_rows_and_types_of_the_table() -> None:
    tables = ls.tables(str(SAMPLES / "837p*/input.edi"), TABLES)
    for name in TABLES:
        if name == "files":  # its seconds differ
            continue
        table, names = tables.to_pyarrow(name), [each.name for each in TABLES[name]]
        assert [tuple(row[each] for each in names) for row in table.to_pylist()] == [
            *tables.rows(name)
        ]
    claims = tables.to_pyarrow("claims").schema
    assert (claims.field("total").type, claims.field("segment").type) == (
        *(pa.decimal128(18, 4), pa.int32()),
    )
    assert [batch.num_rows for batch in tables.batches("claims")] == [2]


def test_other_libraries_get_the_arrow_table(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = ls.tables(SAMPLES / "837p_claim/input.edi", ["claims"])
    taken = SimpleNamespace(from_arrow=lambda table: table.num_rows)
    for name, use in (("polars", tables.to_polars), ("duckdb", tables.to_duckdb)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ImportError) as missing:
            use("claims")
        assert str(missing.value) == (
            f"This needs the package {name}: install it with pip install '{name}'."
        )
        monkeypatch.setitem(sys.modules, name, taken)
        assert use("claims") == 2
    assert tables.to_duckdb("claims", SimpleNamespace(from_arrow=lambda _: "own")) == "own"


def test_pandas_gets_it_with_the_types_of_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    def table_of(_batches: Iterable[object], _schema: object) -> object:
        return SimpleNamespace(to_pandas=lambda types_mapper: f"frame of {types_mapper}")

    stand_in = SimpleNamespace(**(vars(pa) | {"Table": SimpleNamespace(from_batches=table_of)}))
    monkeypatch.setitem(sys.modules, "pyarrow", stand_in)
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(ArrowDtype="types"))
    assert ls.tables("x.edi", ["claims"]).to_pandas("claims") == "frame of types"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'longshore\[bulk\]'"):
        ls.tables("x.edi", ["claims"]).to_pyarrow("claims")
