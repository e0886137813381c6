"""What is done with a submitted document before anything is stored."""

import pickle
from dataclasses import replace

from longshore.domain.outbound.checks import CheckedRequest
from longshore.domain.outbound.drafts import Draft, DraftRequest, draft
from longshore.domain.outbound.templates import fill_template
from longshore.domain.partners.model import Direction, Partner, PartnerStatus
from longshore.domain.partners.setting_kinds import Charset, CodeCheck
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.transactions.model import ValidationStatus
from longshore.kit.environment import Environment
from longshore.x12.dictionary.own_codes import CodeAction, CodeLists, CodeRow
from longshore.x12.findings import Severity
from tests.unit.domain.trading import NOW, US, a_partner, some_terms
from tests.unit.x12.documents import a_group, a_set, interchange, isa

BODY = ("BEG*00*SA*PO-1**20240115", "PO1*1*1*EA*9.25**VP*A1", "CTT*1")
BARE = "~".join((*a_set(*BODY), ""))


def asked(
    partner: Partner | None = None,
    *,
    restamp: bool | None = None,
    settings: PartnerSettings | None = None,
    direction: Direction = Direction.OUTBOUND,
) -> DraftRequest:
    request = CheckedRequest(
        key_environment=Environment.SANDBOX,
        direction=direction,
        tx_set="850",
        restamp=restamp,
    )
    terms = some_terms(settings=settings)
    testing = a_partner(status=PartnerStatus.TESTING, terms=terms)
    return DraftRequest(request=request, partner=partner or testing, own=US, local_now=NOW)


def text_of(made: Draft) -> str:
    assert made.template is not None
    return fill_template(made.template, made.template.preview).text


def test_it_may_be_made_in_another_process() -> None:
    lenient = PartnerSettings(leniency={"segment_missing": Severity.WARNING})
    request = pickle.loads(pickle.dumps(asked(settings=lenient)))
    made = draft("~".join((*a_set("PO1*1*1*EA*9.25**VP", "CTT*1"), "")), request)
    assert pickle.loads(pickle.dumps(made)) == made
    assert (made.validation_summary.error_count, made.validation_summary.warning_count) == (1, 1)


def test_imported_codes_that_were_given_are_used() -> None:
    lists = CodeLists([CodeRow("353", "00", action=CodeAction.REMOVE)])
    made = [draft(BARE, replace(asked(), code_lists=each)) for each in (None, lists)]
    assert [each.validation_summary.error_count for each in made] == [0, 1]


def test_bare_sets_that_are_received_get_the_envelope_of_the_partner() -> None:
    made = draft(BARE, asked(direction=Direction.INBOUND))
    other = draft(BARE.replace("PO-1", "PO-2"), asked(direction=Direction.INBOUND))
    head, gs, *_ = made.text.split("~")
    assert head[32:70] == "01*123456789      *ZZ*ACMECORP       *"
    assert head[-15:] == f"{head[90:99]}*0*T*>"
    assert gs == "GS*PO*NWRETAIL*ACMECORP*20260115*1405*1*X*004010"
    assert made.text[90:99] != other.text[90:99]
    assert made.text.endswith(f"~IEA*1*{head[90:99]}~")
    assert "~BEG*00*SA*PO-1**20240115~" in made.text


def test_an_interchange_lies_between_identities_as_the_settings_spell_them() -> None:
    head = isa(e6="acmecorp", e8="123456789", e7="01")
    made = draft(interchange(*a_group(*a_set(*BODY)), "IEA*1*000000101", head=head), asked())
    assert made.outline is not None
    assert made.outline.pair.sender.id == "ACMECORP"


def test_a_group_without_interchange_keeps_its_kind_and_version() -> None:
    group = "~".join((*a_group(*a_set(*BODY)), "")).replace("*X*004010", "*X*004010VICS")
    made = draft(group, asked())
    assert made.content.interchange_count == 0
    assert "GS*PO*ACMECORP*NWRETAIL*20260115*1405*1*X*004010VICS~" in text_of(made)


def test_a_group_of_odd_characters_is_written_and_its_row_is_fit_to_be_stored() -> None:
    odd = interchange(*a_group(*a_set(*BODY)), "IEA*1*000000101").replace("GS*PO", "GS*P\x00")
    made = draft(odd, asked(restamp=True))
    assert "GS*P\x00*ACMECORP*" in text_of(made)
    assert made.template is not None
    (group,) = made.template.outline.groups
    assert group.header is not None
    assert group.header.functional_id == "P?"


def test_the_characters_that_were_agreed_are_demanded() -> None:
    document = BARE.replace("PO-1", "cafe")
    basic = draft(document, asked(settings=PartnerSettings(charset=Charset.BASIC)))
    extended = draft(document, asked(settings=PartnerSettings(charset=Charset.EXTENDED)))
    assert basic.validation_summary.statuses == {1: ValidationStatus.INVALID}
    assert not extended.validation_summary.has_errors
    assert basic.validation_summary.has_errors


def test_codes_of_the_partner_can_be_sent_if_that_was_agreed() -> None:
    document = BARE.replace("BEG*00*SA", "BEG*00*Q1")
    assert document != BARE
    assert draft(document, asked()).validation_summary.has_errors
    settings = PartnerSettings(codes=CodeCheck.OFF)
    assert not draft(document, asked(settings=settings)).validation_summary.has_errors


def test_a_document_that_the_checks_refuse_is_not_written() -> None:
    request = replace(asked(), request=replace(asked().request, tx_set="810"))
    made = draft(BARE, request)
    assert (made.template, made.outline, made.text) == (None, None, BARE)
    assert [each.code for each in made.checks.refusals] == ["tx_set_mismatch"]


def test_an_error_outside_the_sets_is_one_of_each_set() -> None:
    document = interchange(*a_group(*a_set(*BODY)), "IEA*1*000000999")
    made = draft(document, asked())
    assert made.validation_summary.statuses == {1: ValidationStatus.INVALID}
