"""The envelope a submitted document is given. Examples 34 and 71 of x12.md section 5."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.outbound.envelope import (
    EnvelopeNumbers,
    EnvelopeParties,
    OutboundGroup,
    Wrapped,
    plan_envelope,
    with_usage,
    write_envelope,
)
from longshore.domain.partners.model import Identity, PartnerTerms
from longshore.domain.partners.settings import PartnerSettings
from longshore.engine import parse
from longshore.kit.errors import LongshoreError
from longshore.x12.delimiters import Delimiters
from longshore.x12.walk import Walk
from tests.unit.domain.trading import US, some_terms
from tests.unit.x12.documents import a_group, a_set, an_850, interchange, isa

TERMS = some_terms()
FIXED = PartnerSettings(fixed_separators=True)
ST_SE = "ST*850*4711~BEG*00*SA*PO-1**20240115~SE*3*4711~"


def planned(document: str, version: str = "004010") -> tuple[OutboundGroup, ...]:
    return plan_envelope(Walk(lambda: (document,)), version)


def numbers_for(groups: tuple[OutboundGroup, ...]) -> EnvelopeNumbers:
    return EnvelopeNumbers(
        interchange="000000123",
        groups=tuple(str(50 + at) for at in range(len(groups))),
        sets=tuple(tuple(f"{at:04d}" for at in range(1, len(group.sets) + 1)) for group in groups),
        date="20260115",
        time="1405",
    )


def wrapped(document: str, terms: PartnerTerms = TERMS, own: Identity = US) -> Wrapped:
    groups = planned(document, terms.version)
    addressed = EnvelopeParties(own=own, terms=terms, usage="T")
    return write_envelope(groups, numbers_for(groups), addressed)


def terms_with(settings: PartnerSettings) -> PartnerTerms:
    return replace(TERMS, settings=settings)


def test_34_bare_sets_get_the_envelope_of_the_partner() -> None:
    assert wrapped(ST_SE) == Wrapped(
        text="ISA*00*          *00*          *ZZ*ACMECORP       *01*123456789      "
        "*260115*1405*U*00401*000000123*0*T*>~"
        "GS*PO*ACMECORP*NWRETAIL*20260115*1405*50*X*004010~"
        "ST*850*0001~BEG*00*SA*PO-1**20240115~SE*3*0001~"
        "GE*1*50~IEA*1*000000123~",
        delimiters=Delimiters("*", "~", ">", ""),
        is_changed=False,
        is_replaced=False,
    )


def test_from_00402_on_there_is_a_repetition_separator() -> None:
    found = wrapped(ST_SE, replace(TERMS, version="005010"))
    assert "*^*00501*000000123*" in found.text
    assert found.delimiters == Delimiters("*", "~", ">", "^")
    assert "*X*005010~" in found.text


def test_consecutive_sets_of_a_kind_share_a_group() -> None:
    second = "ST*850*0002~BEG*00*SA*PO-2**20240115~SE*3*0002~"
    invoice = "ST*810*0003~BIG*20240115*1~SE*3*0003~"
    groups = planned(ST_SE + second + invoice)
    assert [(each.functional_id, len(each.sets)) for each in groups] == [("PO", 2), ("IN", 1)]
    text = wrapped(ST_SE + second + invoice).text
    assert parse(text).errors == ()
    assert text.endswith(
        "SE*3*0002~GE*2*50~GS*IN*ACMECORP*NWRETAIL*20260115*1405*51*X*004010~"
        "ST*810*0001~BIG*20240115*1~SE*3*0001~GE*1*51~IEA*2*000000123~"
    )


def test_the_guide_that_st03_names_is_the_version_of_its_group() -> None:
    document = "ST*837*0001*005010X222A1~BHT*0019*00*1~SE*3*0001~"
    (group,) = planned(document)
    assert (group.functional_id, group.version) == ("HC", "005010X222A1")
    text = wrapped(document).text
    assert "*00501*" in text
    assert "ST*837*0001*005010X222A1~" in text


def test_a_set_whose_group_is_not_known_is_refused() -> None:
    with pytest.raises(LongshoreError) as refused:
        planned("ST*999Z*0001~BEG*00~SE*3*0001~")
    assert (refused.value.code, refused.value.details[0].param) == ("invalid_parameter", "content")


def test_a_new_envelope_keeps_groups_and_sets_and_takes_our_numbers() -> None:
    first = a_group(*a_set("BEG*00*SA*PO-1**20240115"), number="7")
    second = a_group(*a_set("BEG*00*SA*PO-2**20240115", number="0009"), number="8")
    document = interchange(*first, *second, "IEA*2*000000101", break_="\n", head=isa(e15="P"))
    text = wrapped(document).text
    assert parse(text).errors == ()
    fields = parse(text).fields
    assert [fields[key] for key in ("ISA.13", "ISA.15", "GS.06", "GS[2].06", "ST[2].02")] == [
        *("000000123", "T", "50", "51"),
        "0001",
    ]
    assert (fields["BEG.03"], fields["ST[2]/BEG.03"]) == ("PO-1", "PO-2")
    assert (fields["ISA.06"], fields["GS.03"]) == ("ACMECORP", "NWRETAIL")


def test_what_stands_outside_sets_is_left_out() -> None:
    group = a_group("TXT*stray", *a_set("BEG*00*SA*PO-1**20240115"))
    document = interchange("TA1*000000001*240115*0930*A*000", *group, "IEA*1*000000101")
    text = wrapped(document).text
    assert "TA1" not in text
    assert "stray" not in text


def test_a_set_behind_the_end_of_a_group_is_bare_again() -> None:
    document = interchange(
        *a_group(*a_set("BEG*00*SA*PO-1**20240115")), *a_set("BIG*1*2", set_id="810")
    )
    assert [each.functional_id for each in planned(document)] == ["PO", "IN"]


# ---- separators ----------------------------------------------------------------------------------


def test_other_separators_are_chosen_where_a_value_holds_one() -> None:
    found = wrapped("ST|850|0001~BEG|00|SA|PO*1||20240115~MSG|a>b~SE|4|0001~")
    assert found.is_changed
    assert (found.delimiters.element, found.delimiters.component) == ("|", ":")
    fields = parse(found.text).fields
    assert (fields["BEG.03"], fields["MSG.01"]) == ("PO*1", "a>b")


def test_fixed_separators_refuse_a_value_that_holds_one() -> None:
    with pytest.raises(LongshoreError) as refused:
        wrapped("ST|850|0001~BEG|00|SA|PO*1||20240115~SE|3|0001~", terms_with(FIXED))
    assert refused.value.code == "delimiter_in_data"
    assert refused.value.details[0].param == "BEG.03"


def test_fixed_separators_in_values_are_replaced_if_the_partner_says_by_what() -> None:
    settings = replace(FIXED, replace_delimiters_with=" ")
    document = "ST|850|0001~BEG|00|SA|PO*1||20240115~ZZZ|a*b:c*d~BIN|3|*~x~SE|5|0001~"
    found = wrapped(document, terms_with(settings))
    assert (found.is_replaced, found.is_changed) == (True, False)
    assert "BEG*00*SA*PO 1**20240115~ZZZ*a b>c d~BIN*3**~x~" in found.text
    assert not wrapped(ST_SE, terms_with(settings)).is_replaced


def test_repetitions_are_kept_and_replaced_within() -> None:
    settings = replace(FIXED, replace_delimiters_with=" ")
    terms = replace(terms_with(settings), version="005010")
    document = "ST|837|0001|005010X222A1~HI|A:b*c^D:e~SE|3|0001~"
    assert "HI*A>b c^D>e~" in wrapped(document, terms).text


def test_before_00402_what_looks_like_a_repetition_is_data() -> None:
    found = wrapped("ST*850*0001~BEG*00*SA*A^B**20240115~SE*3*0001~")
    assert "BEG*00*SA*A^B**20240115~" in found.text


def test_an_id_is_not_written_over_a_separator() -> None:
    found = wrapped(ST_SE, own=Identity(qualifier="ZZ", isa_id="ACME*CORP"))
    assert found.is_changed
    assert parse(found.text).fields["ISA.06"] == "ACME*CORP"


MARK = "VALUE"


@given(value=st.text("AZ09 *~>:^|!\"'", min_size=1, max_size=20))
def test_any_value_comes_back(value: str) -> None:
    value = value.strip() or "X"
    group = a_group(*a_set(f"BEG*00*SA*{MARK}"))
    document = interchange(*group, "IEA*1*000000101", head=isa(e16="\x1f")).replace("~", "\x1c")
    document = document.replace("*", "\x1d").replace(MARK, value)
    assert parse(wrapped(document).text).fields["BEG.03"] == value


# ---- one character -------------------------------------------------------------------------------


def restamped(document: str) -> str:
    return with_usage(document, Walk(lambda: (document,)), "T")


LIVE = an_850(head=isa(e15="P"))


def test_an_isa15_with_a_blank_becomes_one_character() -> None:
    found = restamped(an_850(head=isa(e15="P ", padded=False)))
    assert found == an_850(head=isa(e15="T", padded=False))


@pytest.mark.parametrize(
    "document",
    [
        LIVE,
        f"\n  {LIVE}",
        an_850(head=isa(e15="P"), break_="\r\n"),
        an_850(head=isa(e15="P", padded=False)),
        f"## header line\n{LIVE}",
        "\n".join(LIVE[at : at + 40] for at in range(0, len(LIVE), 40)),
    ],
    ids=["plain", "blanks", "lines", "trimmed", "garbage", "wrapped"],
)
def test_71_one_character_becomes_another_and_nothing_else(document: str) -> None:
    found = restamped(document)
    changed = [at for at, (a, b) in enumerate(zip(document, found, strict=True)) if a != b]
    assert len(changed) == 1
    assert (document[changed[0]], found[changed[0]]) == ("P", "T")
    assert parse(found).fields["ISA.15"] == "T"
