"""The 824: every character of one, and the code of each kind of error."""

from dataclasses import replace

import pytest

from longshore.engine import acknowledge, validate
from longshore.x12.acks.answer_plans import SetContents, plan_advice
from longshore.x12.acks.application import preview_answer_numbers, write_application
from longshore.x12.acks.assessment import received_interchanges
from longshore.x12.acks.profile import AckProfile, RejectLevel
from longshore.x12.findings import FindingCode
from longshore.x12.results import SetResult
from tests.unit.x12.acks.acknowledged import a_result, an_error, walked
from tests.unit.x12.documents import an_850

BEG = "BEG*00*SA*PO-1**20260115"
LINE = "PO1*1*2*EA*3.50"
HEAD = (
    "ISA*00*          *00*          *14*RECEIVER       *ZZ*SENDER         "
    "*240115*0930*U*00401*000000001*0*T*>~GS*AG*RECEIVER*SENDER*20240115*0930*1*X*004010~"
    "ST*824*0001~BGN*11*000000001-0001*20240115*0930~"
)


def advised(document: str) -> str:
    return acknowledge(document, ack_type="824").text


def notes(document: str) -> list[str]:
    """Return OTI01 and the TED segments of an 824."""
    rows = [each.split("*", 2) for each in advised(document).split("~")]
    oti = [row[1] for row in rows if row[0] == "OTI"]
    return oti + ["*".join(row[1:]) for row in rows if row[0] == "TED"]


def test_every_character_of_an_824_of_004010() -> None:
    document = an_850(BEG, LINE, "PO1*2*1x0*EA*5")
    text = advised(document)
    assert text == (
        f"{HEAD}OTI*TR*TN*PO-1*SENDER*RECEIVER*20240115*0930*7*0001*850*004010~"
        "TED*848*element holds a character its type does not allow*PO1*4*2*330~"
        "SE*5*0001~GE*1*1~IEA*1*000000001~"
    )
    assert validate(text).is_valid


def test_a_document_without_errors_is_accepted_in_its_release() -> None:
    new = an_850(BEG, LINE).replace("*004010~", "*005010~")
    text = advised(new)
    assert "*X*005010~ST*824*0001~BGN*11*000000001-0001*20240115*0930****WQ~OTI*TA*TN*PO-1*" in text
    assert validate(text).is_valid
    assert "****U~OTI*TR*" in advised(new.replace("EA*3.50", "EA*x"))


@pytest.mark.parametrize(
    ("segment", "note"),
    [
        ("PO1*1**EA*9.25", "007*conditionally required element is missing*PO1*3*2*330"),
        ("PO1*1*2*EA*3.50*TOOLONG", "008*element is longer than allowed*PO1*3*5*639*TOOLONG"),
        ("DTM*002*20240230", "009*element is not a date*DTM*3*2*373*20240230"),
        ("QQQ*1", "848*segment id is not known*QQQ*3"),
    ],
)
def test_the_kind_of_an_error_gives_its_code(segment: str, note: str) -> None:
    code, _, place = note.split("*", 2)
    found = notes(an_850(BEG, segment, *[LINE] * (not segment.startswith("PO1"))))[1]
    assert (found.split("*", 2)[0], found.split("*", 2)[2]) == (code, place)


def made_by_hand(document: str, result: SetResult, profile: AckProfile) -> tuple[list[str], bool]:
    """Return OTI and TED of the 824 for a set with this result, and whether some were left out."""
    (received,) = received_interchanges(walked(document).envelope, {1: result})
    plan, is_truncated = plan_advice(received, profile, SetContents())
    assert plan is not None
    rows = write_application(plan, preview_answer_numbers(plan)).split("~")
    return [row for row in rows if row[:3] in {"OTI", "TED"}], is_truncated


def test_amounts_combinations_and_too_many_of_something_have_codes_of_their_own() -> None:
    result = a_result(
        an_error("N1", 3, "8", "10", at=4, ref="67"),
        an_error("REF", 3, "5"),
        an_error("BEG", 4, "8", "7", at=2, ref="C001", value="a>b"),
    )
    result.other_errors.append(
        replace(an_error("TDS", 2, "8"), code=FindingCode.INVOICE_OUT_OF_BALANCE, ack_code=None)
    )
    found, _ = made_by_hand(an_850(BEG), result, AckProfile(reject_level=RejectLevel.LENIENT))
    assert found == [
        "OTI*TR*TN*0001*SENDER*RECEIVER*20240115*0930*7*0001*850*004010",
        "TED*010*invoice out of balance*TDS*2",
        "TED*012*made by hand*N1*3*4*67",
        "TED*008*made by hand*REF*3",
        "TED*848*made by hand*BEG*4*2",
    ]


@pytest.mark.parametrize(("level", "status"), [("strict", "TR"), ("lenient", "TE")])
def test_amounts_alone_decide_by_the_level(level: str, status: str) -> None:
    result = SetResult(is_checked=True)
    amount = FindingCode.INVOICE_OUT_OF_BALANCE
    result.other_errors.append(replace(an_error("TDS", 2, "8"), code=amount, ack_code=None))
    profile = AckProfile(reject_level=RejectLevel(level))
    found, _ = made_by_hand(an_850(BEG), result, profile)
    assert [row[:6] for row in found] == [f"OTI*{status}", "TED*01"]


def test_faults_of_the_frame_have_no_place_and_1000_of_a_set_are_written() -> None:
    document = an_850(BEG, LINE).replace("SE*4*", "SE*9*").replace("GE*1*7", "GE*1*8")
    assert notes(document) == [
        "TR",
        "848*functional group error 4 (AK905)",
        "848*transaction set error 4 (AK502)",
    ]
    many = a_result(*[an_error("REF", 3, "5")] * 1_001)
    found, is_truncated = made_by_hand(an_850(BEG), many, AckProfile())
    assert (len(found), is_truncated) == (1_001, True)


def test_a_set_that_was_not_checked_is_withheld() -> None:
    unchecked = an_850(BEG).replace("ST*850", "ST*888")
    assert acknowledge(unchecked, ack_type="824").withheld == (1,)
