"""The 277CA: every character of one, and which error rejects which claims."""

import pytest

from longshore.engine import Acknowledgement, acknowledge, validate
from longshore.x12.acks.answer_plans import plan_claim_answers, read_contents
from longshore.x12.acks.assessment import received_interchanges
from longshore.x12.acks.claims import ClaimReader
from longshore.x12.acks.profile import AckProfile, CountMismatch, RejectLevel
from longshore.x12.walk import Walk

HEAD = (
    "ISA*00*          *00*          *ZZ*CLINIC         *ZZ*PLAN           "
    "*260327*1820*^*00501*000000731*0*T*:~GS*HC*CLINIC*PLAN*20260327*1820*731*X*005010X222A1~"
)
HEADING = (
    "BHT*0019*00*BATCH-1*20260327*1820*CH~NM1*41*2*CLINIC*****46*C1~PER*IC*DESK*TE*2075550161~"
    "NM1*40*2*PLAN*****46*P1~"
)
PROVIDER = (
    "HL*1**20*1~NM1*85*2*CLINIC*****XX*1234567893~N3*1 LANE~N4*EAST*ME*049970001~REF*EI*009999999~"
)
SUBSCRIBER = (
    "HL*2*1*22*0~SBR*P*18*******CI~NM1*IL*1*SAMPLE*ROWAN*Q**JR*MI*M1~N3*5 STEPS~N4*EAST*ME*04997~"
    "DMG*D8*19710519*F~NM1*PR*2*PLAN*****PI*P1~"
)
GOOD = (
    "CLM*A-1*185.5***11:B:1*Y*A*Y*Y~HI*ABK:Z0000~LX*1~SV1*HC:G0438*150.5*UN*1***1~"
    "DTP*472*D8*20260324~LX*2~SV1*HC:G0444*35*UN*1***1~DTP*472*D8*20260326~"
)
BAD = "CLM*A-2*90***11:B:1*Y*A*Y*Y~HI*ABK:~LX*1~SV1*HC:G0463*90*UN*1***1~DTP*472*D8*20260326~"
ANSWER = (
    "ISA*00*          *00*          *ZZ*PLAN           *ZZ*CLINIC         "
    "*260327*1820*^*00501*000000001*0*T*:~GS*HN*PLAN*CLINIC*20260327*1820*1*X*005010X214~"
    "ST*277*0001*005010X214~BHT*0085*08*000000001-0001*20260327*1820*TH~HL*1**20*1~"
    "NM1*PR*2*PLAN*****46*P1~TRN*1*000000001-0001~DTP*050*D8*20260327~DTP*009*D8*20260327~"
    "HL*2*1*21*1~NM1*41*2*CLINIC*****46*C1~TRN*2*BATCH-1~STC*A1:19:PR*20260327*WQ*275.5~"
    "QTY*90*1~QTY*AA*1~AMT*YU*185.5~AMT*YY*90~HL*3*2*19*1~NM1*85*2*CLINIC*****XX*1234567893~"
    "TRN*1*0~STC*A1:19:PR**WQ*275.5~QTY*QA*1~QTY*QC*1~AMT*YU*185.5~AMT*YY*90~HL*4*3*PT~"
    "NM1*QC*1*SAMPLE*ROWAN*Q**JR*MI*M1~TRN*2*A-1~STC*A2:20*20260327*WQ*185.5~"
    "DTP*472*RD8*20260324-20260326~HL*5*3*PT~NM1*QC*1*SAMPLE*ROWAN*Q**JR*MI*M1~TRN*2*A-2~"
    "STC*A6:684*20260327*U*90********HI01-2 in segment 27, mandatory component is missing~"
    "DTP*472*D8*20260326~SE*34*0001~GE*1*1~IEA*1*000000001~"
)


def an_837(*parts: str, guide: str = "005010X222A1", count: int = 0) -> str:
    """Return an interchange with one 837 of these parts; ``count`` is a wrong SE01."""
    body = "".join(parts)
    segments = count or body.count("~") + 2
    return (
        f"{HEAD.replace('005010X222A1', guide)}ST*837*0001*{guide}~{body}SE*{segments}*0001~"
        "GE*1*731~IEA*1*000000731~"
    )


def answer(document: str, unknown_sets: str = "hold") -> Acknowledgement:
    return acknowledge(document, ack_type="277CA", unknown_sets=unknown_sets)


def statuses(document: str) -> list[str]:
    """Return STC01 and STC03 of each level, in order."""
    rows = [each.split("*") for each in answer(document).text.split("~")]
    return [f"{row[1]} {row[3]}" for row in rows if row[0] == "STC"]


def test_each_claim_is_answered_and_every_character_is_right() -> None:
    made = answer(an_837(HEADING, PROVIDER, SUBSCRIBER, GOOD, BAD))
    assert made == Acknowledgement(text=ANSWER, ack_type="277CA", is_truncated=False)
    assert validate(made.text).is_valid


@pytest.mark.parametrize(
    ("faulty", "status"),
    [
        (GOOD.replace("ABK:Z0000", "ABK:"), "A6:684 U"),
        (GOOD.replace("HI*ABK:Z0000~", ""), "A6:684 U"),
        (GOOD.replace("LX*1~", ""), "A7:684 U"),
        (GOOD.replace("20260324", "20260399"), "A7:684 U"),
        (GOOD.replace("Y*A*Y*Y~", "Y*A*Y*Y*****HERE~"), "A8:684 U"),
        (GOOD.replace("185.5", "185.4"), "A8:400 U"),
    ],
)
def test_the_first_error_of_a_claim_gives_its_status(faulty: str, status: str) -> None:
    document = an_837(HEADING, PROVIDER, SUBSCRIBER, faulty, GOOD.replace("A-1", "A-3"))
    received = "A1:19:PR WQ"
    assert statuses(document) == [received, received, status, "A2:20 WQ"]
    assert validate(answer(document).text).is_valid


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("PER*IC*DESK*TE*2075550161~", ["A3:684 U"] * 5),
        ("N3*1 LANE~", ["A1:19:PR WQ", "A3:684 U", "A3:684 U", "A1:19:PR WQ", "A2:20 WQ"]),
        (
            "NM1*PR*2*PLAN*****PI*P1~",
            ["A1:19:PR WQ", "A1:19:PR WQ", "A3:684 U", "A1:19:PR WQ", "A2:20 WQ"],
        ),
    ],
)
def test_an_error_outside_the_claims_rejects_what_it_contains(
    broken: str, expected: list[str]
) -> None:
    other = PROVIDER.replace("HL*1*", "HL*3*") + SUBSCRIBER.replace("HL*2*1", "HL*4*3")
    whole = (HEADING, PROVIDER + SUBSCRIBER + GOOD, other + GOOD)
    parts = [each.replace(broken, "") for each in whole[:2]]
    assert statuses(an_837(*parts, whole[2])) == expected


def test_a_patient_who_is_not_the_subscriber_is_named_and_answers_for_the_own_claims() -> None:
    patient = "PAT*19~NM1*QC*1*SAMPLE*KIM~N3*5 STEPS~N4*EAST*ME*04997~DMG*D8*20100519*F~"
    first = f"HL*3*2*23*0~{patient.replace('20100519', '20109919')}{GOOD}"
    second = f"HL*4*2*23*0~{patient.replace('KIM', 'LEE')}{GOOD}"
    document = an_837(HEADING, PROVIDER, SUBSCRIBER.replace("22*0", "22*1"), first, second)
    assert statuses(document)[2:] == ["A3:684 U", "A2:20 WQ"]
    assert "NM1*QC*1*SAMPLE*LEE****MI*M1~" in answer(document).text


def test_a_set_that_is_rejected_rejects_its_claims() -> None:
    document = an_837(HEADING, PROVIDER, SUBSCRIBER, GOOD, count=99)
    assert statuses(document) == ["A3:684 U"] * 3
    assert "*185.5********its transaction set is rejected~" in answer(document).text
    rejected_group = an_837(HEADING, PROVIDER, SUBSCRIBER, GOOD).replace("GE*1*731", "GE*1*732")
    assert statuses(rejected_group) == ["A3:684 U"] * 3


def test_a_wrong_count_that_is_accepted_rejects_no_claim() -> None:
    document = an_837(HEADING, PROVIDER, SUBSCRIBER, GOOD, count=99)
    validation = validate(document).validation
    (received,) = received_interchanges(validation.envelope, validation.results)
    profile = AckProfile(
        reject_level=RejectLevel.LENIENT, count_mismatch=CountMismatch.ACCEPT_WITH_ERRORS
    )
    contents = read_contents(Walk(lambda: (document,)))
    plan, _ = plan_claim_answers(received, profile, contents)
    assert plan is not None
    assert plan_claim_answers(received, profile, contents, lambda _: False) == (None, False)


def test_what_the_837_lacks_is_unknown_and_a_claim_without_provider_is_answered() -> None:
    document = an_837(
        "BHT*0019*00~",
        "CLM**x~NM1*QC*1*NOBODY~DTP*431*D8*20260101~DTP*472*D8*20269999~",
        "HL*1**22~",
        "REF*EI*1~",
        guide="005010",
    )
    text = answer(document).text
    assert [each for each in text.split("~") if each[:3] in {"NM1", "TRN"}] == [
        "NM1*PR*2*UNKNOWN*****46*UNKNOWN",
        "TRN*1*000000001-0001",
        "NM1*41*2*UNKNOWN*****46*UNKNOWN",
        "TRN*2*UNKNOWN",
        "NM1*85*2*UNKNOWN*****FI*UNKNOWN",
        "TRN*1*0",
        "NM1*QC*2*UNKNOWN*****MI*UNKNOWN",
        "TRN*2*UNKNOWN",
    ]
    assert "AMT*YY*0~" in text


@pytest.mark.parametrize(
    "document",
    [
        an_837(HEADING, PROVIDER, SUBSCRIBER),
        an_837(HEADING, PROVIDER, SUBSCRIBER, GOOD).replace("IEA*1*000000731", "IEA*1*000000732"),
    ],
)
def test_without_claims_and_in_a_rejected_interchange_there_is_nothing_to_answer(
    document: str,
) -> None:
    assert answer(document) == Acknowledgement(text="", ack_type="", is_truncated=False)


def test_a_set_that_was_not_checked_is_withheld() -> None:
    document = an_837(HEADING, PROVIDER, SUBSCRIBER, GOOD, guide="005010X999A9")
    assert answer(document).withheld == (1,)
    assert "STC*A2:20*" in answer(document, unknown_sets="accept").text
    assert "STC*A3:684*" in answer(document, unknown_sets="reject").text


def test_a_provider_without_claims_is_left_out_and_a_tax_id_stands_for_an_npi() -> None:
    second = PROVIDER.replace("HL*1*", "HL*3*").replace("*XX*1234567893", "")
    alone = PROVIDER.replace("HL*1*", "HL*5*")
    document = an_837(
        HEADING,
        PROVIDER,
        SUBSCRIBER,
        GOOD,
        second,
        SUBSCRIBER.replace("HL*2*1", "HL*4*3"),
        GOOD,
        alone,
    )
    names = [each for each in answer(document).text.split("~") if each.startswith("NM1*85")]
    assert names == ["NM1*85*2*CLINIC*****XX*1234567893", "NM1*85*2*CLINIC*****FI*009999999"]


def test_a_value_with_a_separator_moves_the_separator() -> None:
    text = answer(an_837(HEADING, PROVIDER, SUBSCRIBER, GOOD.replace("A-1", "A:1"))).text
    assert "TRN*2*A:1~" in text
    assert "STC*A2>20*" in text
    assert validate(text).is_valid


def test_where_no_separator_is_free_the_value_gives_way() -> None:
    marks = "".join(map(chr, range(0x21, 0x7F))) + "\x1c\x1d\x1e\x1f"
    free = [mark for mark in marks if not mark.isalnum() and mark not in "*~:"]
    claim = GOOD.replace("A-1", f"A:1{''.join(free)}")
    assert "TRN*2*A?1" in answer(an_837(HEADING, PROVIDER, SUBSCRIBER, claim)).text


def test_an_837_with_more_errors_than_are_looked_up_is_left_out() -> None:
    document = an_837(HEADING, PROVIDER, SUBSCRIBER, GOOD, *["Q~"] * 10_001)
    assert answer(document) == Acknowledgement(text="", ack_type="", is_truncated=True)


def test_only_its_own_beginning_names_a_batch() -> None:
    reader = ClaimReader()
    for position, row in enumerate((["ST"], ["BHT", "", "", "A"], ["BHT", "", "", "B"]), 1):
        reader.take(position, row)
    assert reader.batch.reference == "A"
