"""Each sample answers exactly its ``fields.json`` and has nothing to complain about."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from longshore.engine import parse
from longshore.formats import x12doc
from longshore.kit.errors import LongshoreError
from longshore.x12.fast_path import read_fast_path

SAMPLES = Path(__file__).parents[2] / "samples"
NAMES = sorted(path.parent.name for path in SAMPLES.glob("*/input.*"))


def document(name: str) -> tuple[bytes, str]:
    [path] = (SAMPLES / name).glob("input.*")
    return path.read_bytes(), {".edi": "x12"}.get(path.suffix, path.suffix[1:])


def fields_of(name: str) -> dict[str, str]:
    fields: dict[str, str] = json.loads((SAMPLES / name / "fields.json").read_text("utf-8"))
    return fields


def test_every_format_and_nine_sets_have_a_sample() -> None:
    assert NAMES == [
        "204_load_tender",
        "214_shipment_status",
        "810_invoice",
        "835_remittance",
        "837p_claim",
        "850_purchase_order",
        "855_order_acknowledgment",
        "856_ship_notice",
        "997_functional_acknowledgment",
        "csv_order",
        "json_order",
        "xml_order",
    ]


def test_every_sample_has_its_line_in_the_readme() -> None:
    lines = (SAMPLES / "README.md").read_text("utf-8").splitlines()
    named = [line.split("`")[1] for line in lines if line.startswith("| `")]
    assert sorted(named) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_fields_in_order(name: str) -> None:
    content, kind = document(name)
    expected = fields_of(name)
    answer = json.loads(parse(content, format=kind).result_json())
    assert list(answer["fields"].items()) == list(expected.items())
    assert answer["field_count"] == len(expected)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_has_no_finding(name: str) -> None:
    content, kind = document(name)
    answer = json.loads(parse(content, format=kind).result_json())
    assert (answer["warnings"], answer["errors"]) == ([], [])


@pytest.mark.parametrize(
    ("name", "tx_set", "version", "rep_sep", "segments"),
    [
        ("204_load_tender", "204", "004010", "", 35),
        ("214_shipment_status", "214", "004010", "", 26),
        ("810_invoice", "810", "004010", "", 33),
        ("835_remittance", "835", "005010X221A1", "^", 35),
        ("837p_claim", "837", "005010X222A1", "^", 47),
        ("850_purchase_order", "850", "004010", "", 32),
        ("855_order_acknowledgment", "855", "004010", "", 27),
        ("856_ship_notice", "856", "004010", "", 38),
        ("997_functional_acknowledgment", "997", "004010", "", 10),
    ],
)
def test_what_a_sample_is(
    name: str, tx_set: str, version: str, rep_sep: str, segments: int
) -> None:
    answer = json.loads(parse(document(name)[0]).result_json())
    found = (answer["tx_set"], answer["version"], answer["rep_sep"], answer["segment_count"])
    assert found == (tx_set, version, rep_sep, segments)


def test_the_remittance_balances() -> None:
    fields = fields_of("835_remittance")
    paid = sum(
        float(value)
        for key, value in fields.items()
        if key.startswith("CLP") and key.endswith(".04")
    )
    assert paid - float(fields["PLB.04"]) == pytest.approx(float(fields["BPR.02"]))


def lines_of(fields: dict[str, str], tag: str) -> list[tuple[str, str]]:
    """Return quantity and price of each order or invoice line."""
    keys = [key for key in fields if key.startswith((f"{tag}.", f"{tag}[")) and key[-3:] == ".02"]
    return [(fields[key], fields[key[:-1] + "4"]) for key in keys]


def total(lines: list[tuple[str, str]]) -> Decimal:
    return sum((Decimal(quantity) * Decimal(price) for quantity, price in lines), Decimal(0))


def test_the_answers_to_the_order_belong_to_it() -> None:
    order = fields_of("850_purchase_order")
    number = order["BEG.03"]
    acknowledgment, notice = fields_of("855_order_acknowledgment"), fields_of("856_ship_notice")
    assert (acknowledgment["BAK.03"], notice["PRF.01"]) == (number, number)
    assert lines_of(acknowledgment, "PO1") == lines_of(order, "PO1")
    receipt = fields_of("997_functional_acknowledgment")
    assert [receipt[key] for key in ("AK1.01", "AK1.02", "AK2.01", "AK2.02")] == [
        order[key] for key in ("GS.01", "GS.06", "ST.01", "ST.02")
    ]


def test_the_invoice_bills_what_was_shipped() -> None:
    invoice, notice = fields_of("810_invoice"), fields_of("856_ship_notice")
    billed = lines_of(invoice, "IT1")
    assert [quantity for quantity, _ in billed] == [
        notice[key] for key in ("SN1.02", "SN1[2].02", "SN1[3].02")
    ]
    cents, discount = total(billed) * 100, Decimal(invoice["ITD.08"])
    assert cents == Decimal(invoice["TDS.01"])
    assert discount == cents * Decimal(invoice["ITD.03"]) / 100 == Decimal(invoice["TDS.04"])
    assert cents - discount == Decimal(invoice["TDS.03"])
    assert invoice["BIG.04"] == fields_of("850_purchase_order")["BEG.03"]


def test_the_shipment_is_the_one_that_was_tendered() -> None:
    tender, status = fields_of("204_load_tender"), fields_of("214_shipment_status")
    names = ("B2.04", "B2.02", "L11.01", "L11[2].01", "N7.02")
    reported = ("B10.02", "B10.03", "L11.01", "L11[2].01", "MS2.02")
    assert [tender[key] for key in names] == [status[key] for key in reported]
    assert tender["L11.01"] == fields_of("856_ship_notice")["REF.02"]


# ---- the quick way for usual documents answers as the general way does --------------------------

ODD_CHARACTERS = '*~>^U"`\n \x1cA9é'


def both_ways(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[object, object, bool]:
    """Return the answer, that of the general way alone, and whether the quick way was taken."""

    def answer() -> object:
        try:
            return x12doc.parse(text).result_json()
        except LongshoreError as refusal:
            return refusal.code, refusal.message, refusal.details

    quickly = answer()
    with monkeypatch.context() as patched:
        patched.setattr(x12doc, "read_fast_path", lambda _: None)
        return quickly, answer(), read_fast_path(text) is not None


@pytest.mark.parametrize("name", [name for name in NAMES if name[:3].isdecimal()])
def test_a_sample_reads_alike_both_ways(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = document(name)[0].decode()
    quickly, generally, is_quick = both_ways(text, monkeypatch)
    assert quickly == generally
    assert is_quick is (name not in {"835_remittance", "837p_claim"})  # these have composites


@pytest.mark.parametrize("character", ODD_CHARACTERS)
def test_a_sample_with_any_character_replaced_reads_alike_both_ways(
    character: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = document("997_functional_acknowledgment")[0].decode()
    quick = 0
    for at in range(len(text)):
        changed = text[:at] + character + text[at + 1 :]
        quickly, generally, is_quick = both_ways(changed, monkeypatch)
        assert quickly == generally
        quick += is_quick
    assert quick < len(text)
    assert (quick == 0) is (character in '"\x1cé')  # escaped in JSON, or to be warned of
