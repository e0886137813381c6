"""X12 to JSON and back by the starter maps: every segment comes back as it was."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longshore.engine import convert
from longshore.mapping.starters import THERE_AND_BACK, compiled
from longshore.x12.samples.parts import SampleKind
from longshore.x12.validate.validation import validate as check
from tests.unit.mapping.starter_documents import (
    BY_HAND,
    BY_NAME,
    GENERATED,
    SETS,
    STAMP,
    body,
    there_and_back,
    unused,
)
from tests.unit.x12.valid_documents import a_document

NAMES = [name for name, each in BY_NAME.items() if each.tx_set in THERE_AND_BACK]

# By case, the segments that come to no place and so do not come back; the documents are faulty.
LOST = {
    "tests/cases/18_lowercase_segment.edi": ["ref"],
    "tests/cases/19_linebreak_in_data.edi": ["MSG"],
    "tests/cases/20_component_sep_in_text.edi": ["MSG"],
}


@pytest.mark.parametrize("name", [name for name in GENERATED if name[:3] in THERE_AND_BACK])
def test_a_document_with_every_position_comes_back(name: str) -> None:
    tx_set, text = GENERATED[name]
    back = there_and_back(text, tx_set)
    assert body(back) == body(text)
    assert check(lambda: (back,)).findings == ()


@pytest.mark.parametrize("name", [name for name in BY_HAND if BY_HAND[name][0] in THERE_AND_BACK])
def test_every_document_at_hand_comes_back(name: str) -> None:
    tx_set, text = BY_HAND[name]
    kept = [row for row in body(text) if row[0][0][0] not in LOST.get(name, [])]
    assert body(there_and_back(text, tx_set)) == kept


def test_there_are_documents_of_all_sets() -> None:
    counts = Counter(tx_set for tx_set, _ in BY_HAND.values())
    assert min(counts[tx_set] for tx_set in SETS) >= 2
    assert counts["850"] > 30
    assert set(LOST) <= set(BY_HAND)


@settings(max_examples=40)  # each runs thousands of rules
@given(st.sampled_from(NAMES), st.integers(0, 2**32))
def test_any_valid_document_comes_back(name: str, seed: int) -> None:
    text = a_document(BY_NAME[name], SampleKind.VARIED, seed).text()
    back = there_and_back(text, BY_NAME[name].tx_set)
    assert body(back) == body(text)
    assert check(lambda: (back,)).findings == ()


@settings(max_examples=40)  # each runs thousands of rules
@given(st.sampled_from(NAMES), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_what_does_not_come_back_of_a_faulty_document_is_reported(
    name: str, seed: int, random: Random
) -> None:
    document = a_document(BY_NAME[name], SampleKind.VARIED, seed)
    rows = document.rows
    rows.insert(random.randrange(len(rows)), rows.pop(random.randrange(len(rows))))
    text, tx_set = document.text(rows), BY_NAME[name].tx_set
    back = there_and_back(text, tx_set)
    lost = Counter(map(repr, body(text))) - Counter(map(repr, body(back)))
    assert not lost or unused(f"{tx_set}-to-json", text)


def test_segments_out_of_order_come_back_in_order() -> None:
    text = shipment("HL*1**S~REF*BM*1~TD1*CTN*2~HL*2*1*I~SN1**5*EA~LIN**UP*1~CTT*2~")
    assert (
        body(there_and_back(text, "856"))[1:]
        == body(shipment("HL*1**S~TD1*CTN*2~REF*BM*1~HL*2*1*I~LIN**UP*1~SN1**5*EA~CTT*2~"))[1:]
    )


def test_the_release_comes_back_and_an_envelope_says_who_sends() -> None:
    text = a_document(BY_NAME["850_005010"], SampleKind.MINIMAL).text()
    json = convert(text, compiled("850-to-json")).output
    envelope = {"sender_id": "US", "receiver_id": "YOU", "version": "004010"}
    back = convert(json, compiled("json-to-850"), stamp=STAMP, envelope=envelope).output
    assert back.split("~")[1] == "GS*PO*US*YOU*20260302*0915*417*X*005010"
    assert back.split("~")[2].startswith("ST*850*")


def shipment(segments: str) -> str:
    """Return an 856 of these segments; its counts are wrong."""
    return (
        "ISA*00*          *00*          *ZZ*US             *ZZ*YOU            *260302*0915*U*00401"
        "*000000001*0*T*>~GS*SH*US*YOU*20260302*0915*1*X*004010~ST*856*0001~"
        f"BSN*00*1*20260302*0915~{segments}SE*1*0001~GE*1*1~IEA*1*000000001~"
    )


def test_the_levels_of_a_ship_notice_come_back_in_any_shape() -> None:
    levels = ["HL*1**S", "HL*7*1*O", "HL*3*1*T", "HL*4*3*P", "HL*9*7*I", "HL*11*4*I", "HL*12**S"]
    text = shipment("".join(f"{level}~REF*ZZ*{at}~" for at, level in enumerate(levels)))
    assert body(there_and_back(text, "856")) == body(text)


def test_a_partial_document_written_by_hand_makes_what_it_says() -> None:
    json = """{"order": {"purpose": "00", "type": "SA", "number": 4711, "date": "20260302",
        "release_number": null}, "notes": [], "parties": [{"role": "ST", "name": "Depot"}, {}],
        "lines": [{"quantity": 10.50, "unit": "EA", "product_ids": [{}, {"qualifier": "VN",
        "id": "A-1"}], "descriptions": [{"type": "F", "text": "blue"}]}], "remark": "not known"}"""
    out = convert(json, compiled("json-to-850"), stamp=STAMP).output
    assert out.split("~")[3:7] == [
        "BEG*00*SA*4711**20260302",
        "N1*ST*Depot",
        "PO1**10.50*EA*****VN*A-1",
        "PID*F****blue",
    ]
    assert out.split("~")[7] == "SE*6*0001"
    assert check(lambda: (out,)).findings == ()
