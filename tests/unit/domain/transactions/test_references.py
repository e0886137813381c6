"""The numbers people know a document by."""

import pytest

from longshore.domain.transactions.references import ReferenceCollector, references_of
from longshore.x12.business_keys import KEY_ELEMENTS
from longshore.x12.walk import Walk
from tests.unit.x12.documents import a_set, interchange


def values(tx_set: str, *segments: str) -> list[tuple[str, str]]:
    rows = [segment.split("*") for segment in segments]
    return [(each.element, each.value) for each in references_of(tx_set, rows)]


@pytest.mark.parametrize(
    ("tx_set", "elements"),
    [
        ("850", "BEG.03"),
        ("855", "BAK.03"),
        ("860", "BCH.03"),
        ("856", "BSN.02 PRF.01"),
        ("810", "BIG.02 BIG.04"),
        ("820", "TRN.02"),
        ("835", "TRN.02"),
        ("837", "BHT.03 CLM.01"),
        ("204", "B2.04"),
        ("214", "B10.02"),
        ("990", "B1.02"),
        ("940", "W05.02"),
        ("945", "W06.02"),
        ("997", "AK1.02"),
        ("999", "AK1.02"),
    ],
)
def test_the_table_is_the_contract(tx_set: str, elements: str) -> None:
    assert [each.element for each in KEY_ELEMENTS[tx_set]] == elements.split()
    assert len(KEY_ELEMENTS) == 15


def test_the_first_of_the_table_comes_first_wherever_it_stands() -> None:
    segments = ("ST*856*0001", "PRF*PO-1", "BSN*00*SH-9*20240115*0930", "PRF*PO-2", "PRF*PO-1")
    assert values("856", *segments) == [
        ("BSN.02", "SH-9"),
        ("PRF.01", "PO-1"),
        ("PRF.01", "PO-2"),
    ]


def test_what_is_empty_or_endless_identifies_nothing() -> None:
    assert values("850", "BEG*00*SA* ") == []
    assert values("850", "BEG*00*SA") == []
    assert values("850", f"BEG*00*SA*{'9' * 256}") == [("BEG.03", "9" * 256)]
    assert values("850", f"BEG*00*SA*{'9' * 257}") == []


def test_there_are_at_most_50() -> None:
    claims = [f"CLM*{number}" for number in range(60)]
    found = values("837", "BHT*0019*00*B-1", *claims)
    assert len(found) == 50
    assert found[:2] == [("BHT.03", "B-1"), ("CLM.01", "0")]


def test_a_set_without_an_entry_has_none() -> None:
    assert values("864", "BMG*00*text") == []


def test_each_set_of_a_document_has_its_own() -> None:
    first = a_set("BEG*00*SA*PO-1**20240115", set_id="850")
    second = ("ST*810*0002", "BIG*20240115*INV-1*20240101*PO-1", "SE*3*0002")
    third = ("ST*864*0003", "BMG*00*text", "SE*3*0003")
    document = interchange(
        "GS*PO*THEM*US*20240115*0930*1*X*004010",
        *first,
        *second,
        *third,
        "GE*3*1",
        "IEA*1*000000101",
    )
    walk, collector = Walk(lambda: (document,)), ReferenceCollector()
    for spans in walk.span_lists():
        collector.add(spans)
    found = collector.found()
    assert [each.value for each in found[1]] == ["PO-1"]
    assert [(each.name, each.value) for each in found[2]] == [
        ("Invoice number", "INV-1"),
        ("Purchase order number", "PO-1"),
    ]
    assert found[3] == ()
