"""Received 277CAs and 824s: what they say, verbatim, and what decides a claim."""

from longshore.x12.acks.advice import AdviceNote
from longshore.x12.acks.read_answers import (
    AnsweredClaim,
    ClaimAck,
    ReportedStatus,
    read_advice,
    read_claim_acks,
)
from longshore.x12.delimiters import Delimiters

MARKS = Delimiters("*", "~", ":", "^")


def rows(text: str) -> list[list[str]]:
    return [each.split("*") for each in text.split("~")]


def claim_acks(text: str) -> list[ClaimAck]:
    return read_claim_acks(rows(text), MARKS)


def test_an_answer_has_the_trace_of_the_837_and_each_claim() -> None:
    found = claim_acks(
        "ST*277*0001~BHT*0085~TRN*2*BEFORE~HL*1**20*1~TRN*1*R~HL*2*1*21*1~TRN*2*BATCH-1~"
        "STC*A1:19:PR*20260327*WQ*275.5~HL*3*2*19*1~TRN*1*0~STC*A1:19:PR**WQ*275.5~HL*4*3*PT~"
        "TRN*2*A-1~STC*A2:20*20260327*WQ*185.5~REF*1K*PCN-9~REF*D9*X~HL*5*3*PT~TRN*2*A-2~"
        "STC*A7:562:85*20260327*U*90********NPI~SVC*HC:1~STC*A1:19**WQ~DTP*472*D8*20260327"
    )
    accepted = ReportedStatus("A2", "20", "", "185.5", "", is_accepted=True)
    rejected = ReportedStatus("A7", "562", "85", "90", "NPI", is_accepted=False)
    assert found == [
        ClaimAck(
            reference="BATCH-1",
            status=ReportedStatus("A1", "19", "PR", "275.5", "", is_accepted=True),
            claims=[AnsweredClaim("A-1", accepted, "PCN-9"), AnsweredClaim("A-2", rejected)],
        )
    ]


def test_each_receiver_begins_an_answer_and_there_is_always_one() -> None:
    found = claim_acks("HL*1**21~TRN*2*A~HL*2**21~TRN*2*B")
    assert [each.reference for each in found] == ["A", "B"]
    assert claim_acks("ST*277*0001~TRN*2*A~STC*A3:1") == [ClaimAck()]


def test_of_several_statuses_the_first_that_rejects_decides() -> None:
    claims = claim_acks(
        "HL*1**21~REF*1K*X~HL*2**PT~TRN*2*A~STC*A2:20**WQ~STC*A6:21~STC*A3:1~"
        "TRN*2*B~STC*A4:35~STC*A2:20~TRN*2*C~STC*P1:20~TRN*2*D~STC*A1:20**U~TRN*2*E"
    )[0].claims
    assert [(each.status.category, each.status.is_accepted) for each in claims] == [
        ("A6", False),
        ("A4", None),
        ("P1", None),
        ("A1", False),
        ("", None),
    ]


def test_a_provider_that_is_rejected_as_a_whole_is_noted() -> None:
    found = claim_acks("HL*1**21~HL*2**19~TRN*2*X~STC*A3:116**U~HL*3**20~STC*A3:1")[0]
    assert (found.has_rejected_provider, found.status) == (True, ReportedStatus())


def test_an_824_is_read_by_the_groups_it_names() -> None:
    found = read_advice(
        rows(
            "ST*824*0001~TED*000*LOST~BGN*11*1*20240115~OTI*TR*TN*PO-1*S*R*20240115*0930*7*0001*850~"
            "TED*007*missing*BEG*2*3*324*XX~DTM*x~OTI*TA*TN*PO-2*S*R***8*0001*850~OTI*GA*TN*1*****7~"
            "TED*848*odd**x*123456789012~OTI*TE*TN*PO-3~OTI*TE*TN*PO-4~SE*9*0001"
        )
    )
    assert [
        (each.group_number, [one.status for one in each.originals], len(each.rows))
        for each in found
    ] == [("7", ["TR", "GA"], 5), ("8", ["TA"], 1), ("", ["TE"], 1), ("", ["TE"], 1)]
    first, last = found[0].originals
    assert (first.reference, first.set_number, first.set_id) == ("PO-1", "0001", "850")
    assert first.notes == [
        AdviceNote(
            code="007",
            text="missing",
            segment_id="BEG",
            segment_position=2,
            element_position=3,
            element_ref="324",
            bad_value="XX",
        )
    ]
    assert last.notes == [AdviceNote(code="848", text="odd")]
