"""Interchanges that a map made, put together into the one that is sent."""

import pytest

from longshore.domain.maps.running import ConvertedDocument, ConvertedPart
from longshore.domain.outbound.conversions import agreed_version, draft_converted
from tests.unit.domain.outbound.test_drafts import BARE, asked, text_of
from tests.unit.x12.documents import a_group, a_set, interchange

BODY = ("BEG*00*SA*PO-1**20240115", "PO1*1*1*EA*9.25**VP*A1", "CTT*1")
LINEAGE = '{"outputs":[],"unused":[]}'


def made_of(*texts: str) -> ConvertedDocument:
    return ConvertedDocument(
        parts=tuple(ConvertedPart(each, LINEAGE) for each in texts),
        format="x12",
        map_id=3,
        map_version=1,
        source_format="json",
        source_set="",
    )


def an_interchange(version: str = "004010") -> str:
    whole = interchange(*a_group(*a_set(*BODY)), "IEA*1*000000101")
    return whole.replace("*X*004010", f"*X*{version}")


def test_sets_of_one_kind_share_a_group_and_others_have_their_own() -> None:
    converted = made_of(an_interchange(), an_interchange(), an_interchange("004010VICS"))
    made, _ = draft_converted(converted, asked(restamp=True))
    segments = text_of(made).split("~")
    assert [each for each in segments if each.startswith(("GS", "ST", "GE", "IEA"))] == [
        *("GS*PO*ACMECORP*NWRETAIL*20260115*1405*1*X*004010", "ST*850*0001", "ST*850*0002"),
        *("GE*2*1", "GS*PO*ACMECORP*NWRETAIL*20260115*1405*2*X*004010VICS", "ST*850*0001"),
        *("GE*1*2", "IEA*2*000000001"),
    ]
    assert (made.content.interchange_count, made.validation_summary.error_count) == (1, 0)


def test_what_is_judged_is_what_is_sent() -> None:
    one, _ = draft_converted(made_of(an_interchange(), an_interchange()), asked(restamp=True))
    assert one.text == text_of(one)
    assert BARE.split("~")[1] in one.text


@pytest.mark.parametrize(
    ("version", "tx_set", "agreed"),
    [
        ("004010", "850", "004010"),
        ("005010X222A1", "837", "005010X222A1"),
        ("005010X222A1", "850", "005010"),
        ("004010VICS", "850", "004010VICS"),
    ],
)
def test_the_version_is_a_guide_only_for_its_own_set(
    version: str, tx_set: str, agreed: str
) -> None:
    assert agreed_version(version, tx_set) == agreed
