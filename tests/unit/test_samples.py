"""Each sample answers exactly its ``fields.json`` and has nothing to complain about."""

import json
from pathlib import Path

import pytest

from longshore.engine import parse

SAMPLES = Path(__file__).parents[2] / "samples"
NAMES = sorted(path.parent.name for path in SAMPLES.glob("*/input.*"))


def document(name: str) -> tuple[bytes, str]:
    [path] = (SAMPLES / name).glob("input.*")
    return path.read_bytes(), {".edi": "x12"}.get(path.suffix, path.suffix[1:])


def test_every_format_and_the_four_sets_have_a_sample() -> None:
    assert NAMES == [
        "835_remittance",
        "837p_claim",
        "850_purchase_order",
        "856_ship_notice",
        "csv_order",
        "json_order",
        "xml_order",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_fields_in_order(name: str) -> None:
    content, kind = document(name)
    expected = json.loads((SAMPLES / name / "fields.json").read_text(encoding="utf-8"))
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
        ("835_remittance", "835", "005010X221A1", "^", 35),
        ("837p_claim", "837", "005010X222A1", "^", 47),
        ("850_purchase_order", "850", "004010", "", 32),
        ("856_ship_notice", "856", "004010", "", 38),
    ],
)
def test_what_a_sample_is(
    name: str, tx_set: str, version: str, rep_sep: str, segments: int
) -> None:
    answer = json.loads(parse(document(name)[0]).result_json())
    found = (answer["tx_set"], answer["version"], answer["rep_sep"], answer["segment_count"])
    assert found == (tx_set, version, rep_sep, segments)


def test_the_remittance_balances() -> None:
    fields = json.loads((SAMPLES / "835_remittance" / "fields.json").read_text(encoding="utf-8"))
    paid = sum(
        float(value)
        for key, value in fields.items()
        if key.startswith("CLP") and key.endswith(".04")
    )
    assert paid - float(fields["PLB.04"]) == pytest.approx(float(fields["BPR.02"]))
