"""Conversions of documents, and files that are written."""

import json
from pathlib import Path

import pytest

import longshore as ls
from longshore.engine import convert
from longshore.mapping.starters import compiled
from tests.architecture.repository import ROOT
from tests.unit.x12.documents import an_850

ORDER = ROOT / "samples/850_purchase_order/input.edi"


def test_a_document_is_converted_by_a_starter_map_or_by_rules() -> None:
    document = ls.read(ORDER)
    expected = convert(ORDER.read_bytes(), compiled("850-to-json"))
    assert ls.convert(document, "850-to-json").output == expected.output
    rules = [{"src": "BEG.03", "tgt": "number"}]
    assert json.loads(ls.convert(document, rules).output) == {"number": "PO-20260302-17"}
    latin = ls.read(an_850("N1*ST*Zürich").encode("iso-8859-1"))
    by_name = [{"src": "N1.02", "tgt": "name"}]
    assert json.loads(ls.convert(latin, by_name).output) == {"name": "Zürich"}
    rows = ls.convert("sku\nA-1\n", [{"src": "sku", "tgt": "id"}], source_format="csv")
    assert json.loads(rows.output) == {"id": "A-1"}


def test_what_cannot_be_converted_is_refused() -> None:
    with pytest.raises(ls.LongshoreError) as refused:
        ls.convert(ls.read(ORDER), "850-to-jsn")
    assert refused.value.code == "not_found"
    with pytest.raises(ls.LongshoreError) as refused:
        ls.convert(ls.read(ORDER, elem_sep="*"), "850-to-json")
    assert (refused.value.code, refused.value.details[0].param) == (
        *("invalid_parameter", "document"),
    )


def test_documents_acknowledgements_and_texts_are_written_to_new_files(tmp_path: Path) -> None:
    document, target = ls.read(ORDER), tmp_path / "out.edi"
    ls.write(document, target)
    assert target.read_bytes() == ORDER.read_bytes()
    with pytest.raises(FileExistsError):
        ls.write("x", str(target))
    assert target.read_bytes() == ORDER.read_bytes()
    for content, data in (
        (document.ack(), document.ack().content()),
        ("Zürich", "Zürich".encode()),
        (b"\xff", b"\xff"),
    ):
        ls.write(content, target, is_forced=True)
        assert target.read_bytes() == data
