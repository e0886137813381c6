"""One break in a set gives one fault, and the segments after it find their places."""

import pytest

from tests.unit.x12.loops.sets import (
    CLAIM,
    CLAIM_GUIDE,
    ORDER,
    definition,
    said,
)

LINES = "PO1 PID SCH TD5 QTY PO1 PID"
ORDER_BREAKS = {
    # left out
    "N1 PO1 PID": "SEGMENT_MISSING BEG 2 heading",
    "BEG N1": "LOOP_MISSING PO1 4 PO1",
    "BEG CTT": "LOOP_MISSING PO1 3 PO1",
    "BEG PO1 PO1 PID": "SEGMENT_MISSING PID 4 PO1",
    "BEG PO1 SCH TD5": "SEGMENT_MISSING PID 4 PO1",
    "BEG PO1 PID SCH SCH TD5 PO1 PID": "SEGMENT_MISSING TD5 6 SCH",
    "BEG PO1 PID SCH QTY CTT": "SEGMENT_MISSING TD5 6 SCH",
    "BEG PO1 PID LS LDT CTT": "SEGMENT_MISSING LE 7 LS",
    "BEG PO1 PID LS LE": "LOOP_MISSING LDT 6 LDT",
    "BEG PID SCH TD5 CTT": "LOOP_MISSING PO1 3 PO1",
    # too often
    "BEG BEG REF PO1 PID": "SEGMENT_OVER_MAXIMUM BEG 3 heading",
    "BEG REF REF REF PO1 PID": "SEGMENT_OVER_MAXIMUM REF 5 heading",
    "BEG N1 N1 N1 N1 N3 PO1 PID": "LOOP_OVER_MAXIMUM N1 6 N1",
    "BEG PO1 PID SCH TD5 SCH TD5 SCH TD5 QTY": "LOOP_OVER_MAXIMUM SCH 9 SCH",
    # out of order
    "BEG REF CUR PO1 PID": "OUT_OF_ORDER CUR 4 heading",
    "CUR BEG REF PO1 PID": "OUT_OF_ORDER BEG 3 heading",
    "BEG REF BEG PO1 PID": "OUT_OF_ORDER BEG 4 heading",
    "BEG N1 N3 CUR N4 PO1 PID": "OUT_OF_ORDER CUR 5 heading",
    "BEG N1 N4 N3 PO1 PID": "OUT_OF_ORDER N3 5 N1",
    "BEG PO1 SCH PID TD5 QTY": "OUT_OF_ORDER PID 5 PO1",
    "BEG PO1 PID SCH TD5 DTM QTY": "OUT_OF_ORDER DTM 7 heading",
    "BEG PO1 PID N1 N3 N4 SCH TD5 CTT": "OUT_OF_ORDER N1 5 N1",
    "CTT BEG REF N1 N3 PO1 PID PO1 PID": "OUT_OF_ORDER BEG 3 heading",
    "BEG PO1 PID REF DTM N1 N3 PO1 PID": "OUT_OF_ORDER REF 5 heading",
    "BEG PO1 PID CTT PO1 PID SCH TD5": "OUT_OF_ORDER PO1 6 PO1",
    # a trigger left out, which nobody knows before what follows it comes again
    "BEG PO1 PID CUR PID CUR PO1 PID": "OUT_OF_ORDER PID 6 PO1",
    "BEG PO1 PID CUR PID CUR SCH TD5 QTY CTT": "OUT_OF_ORDER PID 6 PO1",
    "BEG PO1 PID SCH TD5 QTY TD5 QTY CTT": "OUT_OF_ORDER TD5 8 SCH",
    # in another place or loop
    "BEG N3 PO1 PID": "UNEXPECTED N3 3 heading",
    "BEG N3 N4 DTM PO1 PID": "UNEXPECTED N3 3 heading",
    "BEG SCH TD5 QTY N1 N3 PO1 PID": "UNEXPECTED SCH 3 heading",
    "BEG PO1 PID LDT LDT LE SCH TD5": "UNEXPECTED LDT 5 PO1",
    "BEG PO1 PID QTY CTT": "UNEXPECTED QTY 5 PO1",
    "PID BEG PO1 PID": "UNEXPECTED PID 2 heading",
    "BEG PO1 PID CTT SCH TD5": "UNEXPECTED SCH 6 summary",
    # foreign
    "BEG ZZZ PO1 PID": "NOT_IN_SET ZZZ 3 heading",
    "BEG PO1 QQQ PID": "UNKNOWN_ID QQQ 4 PO1",
    "BEG N1 q N3 PO1 PID": "UNKNOWN_ID q 4 N1",
}


@pytest.mark.parametrize("segments", ORDER_BREAKS)
def test_a_break_of_a_plain_set_is_one_fault(segments: str) -> None:
    assert said(definition(ORDER), segments) == [ORDER_BREAKS[segments]]


@pytest.mark.parametrize(
    ("segments", "second"),
    [
        ("BEG REF BEG REF REF PO1 PID", "SEGMENT_OVER_MAXIMUM REF 6 heading"),
        ("BEG PO1 PID SCH TD5 SCH TD5 QTY TD5 QTY", "SEGMENT_OVER_MAXIMUM QTY 11 SCH"),
        ("BEG N1 N4 N3 N4 PO1 PID", "SEGMENT_OVER_MAXIMUM N4 6 N1"),
    ],
)
def test_no_trigger_is_lost_where_the_loop_cannot_begin_again(segments: str, second: str) -> None:
    faults = said(definition(ORDER), segments)
    assert len(faults) == 2
    assert faults[0].startswith("OUT_OF_ORDER")
    assert faults[1] == second


HEAD = "BHT NM1*41 NM1*40 "
BILLING = HEAD + "HL*1**20 NM1*85 N3 REF*EI "
CLAIM_BREAKS = {
    BILLING + "HL*2*9*22 SBR": "PARENT_UNKNOWN HL 9 2000B",
    BILLING + "HL*2*2*22 SBR": "PARENT_UNKNOWN HL 9 2000B",
    BILLING + "HL*2*1*22 SBR HL*3*2*22 SBR": "PARENT_NOT_ALLOWED HL 11 2000B",
    BILLING + "HL*2*1*20 NM1*85 N3 REF*EI": "PARENT_NOT_ALLOWED HL 9 2000A",
    BILLING + "HL*2*1*QQ SBR CLM HL*3*2*22 SBR": "QUALIFIER_NOT_ALLOWED HL 9 2000B",
    HEAD + "NM1*85 N3 REF*EI HL*2*1*22 SBR HL*3*1*22 SBR": "LOOP_MISSING HL 5 2000A",
    HEAD + "N3 HL*1**20 NM1*85 N3 REF*EI": "NOT_USED N3 5 1000B",
    BILLING + "HL*2*1*22 SBR CLM DTP*999 HI*BK": "QUALIFIER_NOT_ALLOWED DTP 12 2300",
    HEAD + "HL*1**20 NM1*85 REF*QQ N3 REF*EI": "QUALIFIER_NOT_ALLOWED REF 7 2010AA",
    HEAD + "HL*1**20 NM1*85 N3 REF*QQ": "QUALIFIER_NOT_ALLOWED REF 8 2010AA",
    HEAD + "HL*1**20 NM1*QQ N3 REF*EI": "QUALIFIER_NOT_ALLOWED NM1 6 2010AA",
    "BHT NM1*41 NM1*QQ N3 HL*1**20 NM1*85 N3 REF*EI": "QUALIFIER_NOT_ALLOWED NM1 4 1000B",
    "BHT NM1*QQ NM1*41 HL*1**20 NM1*85 N3 REF*EI": "QUALIFIER_NOT_ALLOWED NM1 3 1000A",
    "BHT NM1*QQ NM1*40 HL*1**20 NM1*85 N3 REF*EI": "QUALIFIER_NOT_ALLOWED NM1 3 1000A",
    BILLING + "HL*2*1*22 SBR CLM LX SV1 HL*3*1*22 SBR": "NOT_USED LX 12 2300",
    BILLING + "SVD": "NOT_USED SVD 9 2010AA",
    BILLING + "SBR CLM HL*2*1*22 SBR": "UNEXPECTED SBR 9 2010AA",
    BILLING + "HL*2*1*22 SBR CLM REF*EI": "UNEXPECTED REF 12 2300",
    BILLING + "HL*2*1*22 SBR CLM HI*BK DTP*999": "OUT_OF_ORDER DTP 13 2300",
    BILLING + "HL*2*1*22 SBR CLM HI*BK DTP*431": "OUT_OF_ORDER DTP 13 2300",
    HEAD + "HL*1**20 HL*2*1*22 SBR": "LOOP_MISSING NM1 6 2010AA",
    "BHT HL*1**20 NM1*85 N3 REF*EI NM1*41 NM1*40": "OUT_OF_ORDER NM1 7 1000A",
}


@pytest.mark.parametrize("segments", CLAIM_BREAKS)
def test_a_break_of_a_guide_is_one_fault(segments: str) -> None:
    assert said(definition(CLAIM, CLAIM_GUIDE), segments) == [CLAIM_BREAKS[segments]]
