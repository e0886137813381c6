"""Codes that no list has are errors 7 of their elements; those of real documents are none."""

from longshore.x12.acks.build import preview_acks
from longshore.x12.acks.profile import AckProfile, AckType
from longshore.x12.findings import Finding
from longshore.x12.results import SetResult
from longshore.x12.validate.outcome import Validation
from longshore.x12.validate.validation import validate
from tests.unit.x12.documents import an_850

# Each segment with one code that X12 does not have, and the element that holds it.
NONSENSE = (
    ("BEG*99*SA*PO-1**20240115", 1),
    ("CUR*BY*QQQ", 2),
    ("REF*QQQ*A-17", 1),
    ("PER*QQ*Order desk*TE*2075550142", 1),
    ("PER*BD*Order desk*QQ*2075550142", 3),
    ("FOB*QQ", 1),
    ("ITD*99*3*2**10**30", 1),
    ("DTM*QQQ*20240116", 1),
    ("N1*QQQ*Tarn Hill Depot*92*1003", 1),
    ("N1*ST*Tarn Hill Depot*QQ*1003", 3),
    ("PO1*1*48*QQ*12.75*PE*BP*QH-2201", 3),
    ("PO1*2*48*EA*12.75*QQ*BP*QH-2201", 5),
    ("PO1*3*48*EA*12.75*PE*QQ*QH-2201", 6),
    ("PID*Q****Desk lamp, brass", 1),
)


def of_nonsense() -> Validation:
    text = an_850(*(segment for segment, _ in NONSENSE))
    return validate(lambda: (text,))


def test_all_fourteen_nonsense_codes_of_an_order_are_errors() -> None:
    found: tuple[Finding, ...] = of_nonsense().findings
    assert [(each.segment_position, each.element_position, each.code) for each in found] == [
        (position, element, "element_code_invalid")
        for position, (_, element) in enumerate(NONSENSE, 2)
    ]
    assert [each.layer for each in found] == ["standard"] * len(NONSENSE)


def answer(ack_type: AckType) -> list[str]:
    validation = of_nonsense()
    results: dict[int, SetResult] = dict(validation.results)
    [(_, written)] = preview_acks(validation.envelope, results, AckProfile(ack_type=ack_type))
    return written.text.split("~")


def test_a_997_and_a_999_report_each_of_them_with_code_7() -> None:
    of_997 = [each for each in answer(AckType.A997) if each.startswith("AK4")]
    assert of_997[:3] == ["AK4*1*353*7*99", "AK4*2*100*7*QQQ", "AK4*1*128*7*QQQ"]
    of_999 = [each for each in answer(AckType.A999) if each.startswith("IK4")]
    assert [each.split("*")[3] for each in of_997 + of_999] == ["7"] * 2 * len(NONSENSE)


def test_codes_of_real_documents_without_a_meaning_here_are_right() -> None:
    text = an_850(
        "BEG*00*ZZ*PO-1**20240115",
        "CUR*II*USD",
        "REF*QQ*1",
        "REF*XX*1",
        "REF*ACC*1",
        "PER*OC*Order desk*CP*2075550142",
        "FOB*DF*ZZ",
        "ITD*ZZ*15*2**10**30",
        "DTM*AAG*20240116",
        "N1*WH*Tarn Hill Depot*UL*1003",
        "PO1*1*48*P8*12.75*WM*UA*1*CG*2*ZZ*3",
        "PID*F*08***Desk lamp, brass",
    )
    assert validate(lambda: (text,)).findings == ()
