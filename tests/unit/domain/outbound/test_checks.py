"""What is checked before a submitted document is taken. Example 71 of x12.md section 5.2."""

from dataclasses import replace

import pytest

from longshore.domain.outbound.checks import (
    CheckedRequest,
    OnInvalid,
    SubmissionChecks,
    SubmittedContent,
    check_submission,
    content_of,
)
from longshore.domain.partners.model import (
    Address,
    Direction,
    Identity,
    Pair,
    Partner,
    PartnerStatus,
)
from longshore.domain.partners.status import is_visible
from longshore.kit.environment import Environment
from tests.unit.domain.trading import US, a_partner, some_terms
from tests.unit.x12.acks.acknowledged import walked
from tests.unit.x12.documents import an_850

LIVE, TEST = Environment.PRODUCTION, Environment.SANDBOX
TESTING = a_partner(status=PartnerStatus.TESTING)
ACTIVE = a_partner()
WE, THEY, STRANGER = Address("ZZ", "ACMECORP"), Address("01", "123456789"), Address("ZZ", "X")
WHOLE = SubmittedContent(
    set_ids=("850", "850"), interchange_count=1, pair=Pair(WE, THEY), usage="P"
)
BARE = SubmittedContent(set_ids=("850",))


def checked(
    content: SubmittedContent = WHOLE,
    *,
    key: Environment = TEST,
    direction: Direction = Direction.OUTBOUND,
    restamp: bool | None = None,
    partner: Partner | None = None,
    own: Identity = US,
) -> SubmissionChecks:
    request = CheckedRequest(
        key_environment=key, direction=direction, tx_set="850", restamp=restamp
    )
    known = partner or (TESTING if key is TEST else ACTIVE)
    return check_submission(request, content, known, own)


def codes(found: SubmissionChecks) -> tuple[list[str], list[str]]:
    """Return the codes of the warnings and of the refusals."""
    return [each.code.value for each in found.warnings], [
        each.code.value for each in found.refusals
    ]


def test_content_is_what_a_walk_found() -> None:
    document = an_850()
    assert content_of(walked(document).envelope) == SubmittedContent(
        set_ids=("850",),
        interchange_count=1,
        pair=Pair(Address("ZZ", "SENDER"), Address("14", "RECEIVER")),
        usage="T",
    )
    bare = walked("ST*850*0001~BEG*00~SE*3*0001~ST*855*0002~BAK*00~SE*3*0002~")
    found = content_of(bare.envelope, is_proper=False)
    assert found == SubmittedContent(set_ids=("850", "855"), is_proper=False)


def test_a_live_document_with_a_live_key_is_live_and_stays_as_it_is() -> None:
    assert checked(key=LIVE) == SubmissionChecks(
        environment=LIVE,
        usage="P",
        is_rewritten=False,
        is_restamped=False,
        on_invalid=OnInvalid.REJECT,
        warnings=(),
        refusals=(),
    )


@pytest.mark.parametrize("tx_sets", [("855",), ("855", "810")])
def test_a_set_that_was_not_agreed_is_refused_live_and_warned_of_in_test(
    tx_sets: tuple[str, ...],
) -> None:
    for key, found_in in ((TEST, 0), (LIVE, 1)):
        known = TESTING if key is TEST else ACTIVE
        partner = replace(known, terms=replace(known.terms, tx_sets=tx_sets))
        usage = "T" if key is TEST else "P"
        found = codes(checked(replace(WHOLE, usage=usage), key=key, partner=partner))
        assert (found[found_in], found[1 - found_in]) == (["set_not_agreed"], [])
        for agreed in ((), ("850",)):
            other = replace(known, terms=replace(known.terms, tx_sets=agreed))
            assert codes(checked(replace(WHOLE, usage=usage), key=key, partner=other)) == ([], [])
        received = replace(WHOLE, usage=usage, pair=Pair(THEY, WE))
        inbound = checked(received, key=key, direction=Direction.INBOUND, partner=partner)
        assert codes(inbound) == ([], [])


def test_71_a_sandbox_key_makes_a_test_of_a_live_document() -> None:
    found = checked()
    assert (found.environment, found.usage, found.is_rewritten) == (TEST, "T", True)
    assert codes(found) == (["usage_restamped"], [])
    assert found.on_invalid is OnInvalid.SEND


def test_71_unless_the_caller_forbids_it() -> None:
    found = checked(restamp=False)
    assert codes(found) == ([], ["usage_mismatch"])
    assert not found.is_rewritten


def test_71_a_new_envelope_has_the_t_from_the_beginning() -> None:
    found = checked(restamp=True)
    assert (found.usage, found.is_rewritten, found.is_restamped) == ("T", False, True)
    assert codes(found) == (["usage_restamped"], [])


@pytest.mark.parametrize("usage", ["T", "I", "", "p"])
def test_a_new_envelope_of_a_live_key_is_a_test_unless_there_was_a_p(usage: str) -> None:
    strange = replace(WHOLE, usage=usage, pair=Pair(STRANGER, STRANGER))
    found = checked(strange, key=LIVE, restamp=True)
    assert (found.environment, found.usage, found.is_restamped) == (TEST, usage, True)
    found = checked(replace(strange, usage="P"), key=LIVE, restamp=True)
    assert (found.environment, found.usage, codes(found)) == (LIVE, "P", ([], []))


def test_what_a_new_envelope_replaces_is_not_checked() -> None:
    strange = replace(WHOLE, pair=Pair(STRANGER, STRANGER))
    assert codes(checked(strange, key=LIVE, restamp=True)) == ([], [])
    assert codes(checked(replace(strange, usage="T"), restamp=True)) == ([], [])


def test_inbound_bytes_stay_and_warn() -> None:
    given = replace(WHOLE, pair=Pair(THEY, WE))
    found = checked(given, direction=Direction.INBOUND)
    assert (found.usage, found.is_rewritten, codes(found)) == ("P", False, (["usage_mismatch"], []))
    refused = checked(given, direction=Direction.INBOUND, restamp=False)
    assert codes(refused) == ([], ["usage_mismatch"])
    assert not checked(given, direction=Direction.INBOUND, restamp=True).is_restamped


@pytest.mark.parametrize("usage", ["T", "I", "", "p"])
def test_anything_but_p_is_a_test_even_with_a_live_key(usage: str) -> None:
    found = checked(replace(WHOLE, usage=usage), key=LIVE)
    assert (found.environment, found.usage, found.is_rewritten) == (TEST, usage, False)
    assert codes(found) == ([], [])


@pytest.mark.parametrize(("key", "usage"), [(LIVE, "P"), (TEST, "T")])
def test_bare_sets_have_the_usage_of_the_key(key: Environment, usage: str) -> None:
    found = checked(BARE, key=key)
    assert (found.environment, found.usage) == (key, usage)
    assert (found.is_rewritten, found.is_restamped, codes(found)) == (False, False, ([], []))


@pytest.mark.parametrize("ids", [("855",), ("850", "855"), ()])
def test_another_set_than_the_request_says_is_refused_everywhere(ids: tuple[str, ...]) -> None:
    for key, content in ((LIVE, WHOLE), (TEST, BARE)):
        found = checked(replace(content, set_ids=ids), key=key)
        assert codes(found)[1] == ["tx_set_mismatch"]


def test_several_interchanges_are_refused() -> None:
    found = checked(replace(WHOLE, interchange_count=2), key=LIVE)
    assert codes(found) == ([], ["invalid_parameter"])
    assert found.refusals[0].message == "The content has 2 interchanges; submit each by itself."


@pytest.mark.parametrize(
    ("pair", "direction", "messages"),
    [
        (
            Pair(WE, STRANGER),
            Direction.OUTBOUND,
            ["The receiver in the ISA is not the partner's."],
        ),
        (Pair(STRANGER, THEY), Direction.OUTBOUND, ["The sender in the ISA is not yours."]),
        (
            Pair(THEY, WE),
            Direction.OUTBOUND,
            [
                "The receiver in the ISA is not the partner's.",
                "The sender in the ISA is not yours.",
            ],
        ),
        (Pair(STRANGER, WE), Direction.INBOUND, ["The sender in the ISA is not the partner's."]),
        (Pair(THEY, STRANGER), Direction.INBOUND, ["The receiver in the ISA is not yours."]),
    ],
)
def test_wrong_addresses_warn_in_the_sandbox_and_are_refused_live(
    pair: Pair, direction: Direction, messages: list[str]
) -> None:
    test = checked(replace(WHOLE, pair=pair, usage="T"), direction=direction)
    live = checked(replace(WHOLE, pair=pair), key=LIVE, direction=direction)
    assert [each.message for each in test.warnings] == messages
    assert [each.message for each in live.refusals] == messages
    assert codes(live) == ([], ["partner_identity_mismatch"] * len(messages))
    assert test.refusals == ()


def test_another_case_is_a_warning_everywhere() -> None:
    pair = Pair(Address("zz", "AcmeCorp"), THEY)
    assert codes(checked(replace(WHOLE, pair=pair), key=LIVE)) == (["id_case"], [])


def test_a_number_used_before_warns_in_the_sandbox_and_is_refused_live() -> None:
    used = replace(WHOLE, is_number_used=True)
    assert codes(checked(used, key=LIVE)) == ([], ["duplicate_interchange"])
    assert codes(checked(replace(used, usage="T"))) == (["duplicate_interchange"], [])
    assert codes(checked(used, key=LIVE, restamp=True)) == ([], [])
    inbound = replace(used, pair=Pair(THEY, WE))
    assert codes(checked(inbound, key=LIVE, direction=Direction.INBOUND)) == ([], [])


def test_a_number_of_nought_is_treated_like_one_used_before() -> None:
    nought = replace(WHOLE, is_number_zero=True)
    assert codes(checked(nought, key=LIVE)) == ([], ["invalid_parameter"])
    assert codes(checked(replace(nought, usage="T"))) == (["invalid_parameter"], [])
    assert codes(checked(nought, key=LIVE, restamp=True)) == ([], [])


def test_a_group_number_used_before_is_a_warning_everywhere() -> None:
    used = replace(WHOLE, is_group_number_used=True)
    assert codes(checked(used, key=LIVE)) == (["duplicate_group"], [])
    assert codes(checked(used, key=LIVE, restamp=True)) == ([], [])


@pytest.mark.parametrize(
    ("status", "live", "test"),
    [
        (PartnerStatus.PENDING, False, False),
        (PartnerStatus.TESTING, False, True),
        (PartnerStatus.ACTIVE, True, True),
        (PartnerStatus.INACTIVE, False, False),
        (PartnerStatus.ERROR, True, True),
    ],
)
def test_a_partner_has_to_take_such_documents(
    status: PartnerStatus, *, live: bool, test: bool
) -> None:
    partner = a_partner(status=status)
    for usage, is_taken in (("P", live), ("T", test)):
        found = checked(replace(WHOLE, usage=usage), key=LIVE, partner=partner)
        assert codes(found)[1] == ([] if is_taken else ["partner_inactive"])


def test_a_sandbox_key_sees_partners_in_testing_only() -> None:
    seen = {each for each in PartnerStatus if is_visible(each, TEST)}
    assert seen == {PartnerStatus.TESTING}
    assert all(is_visible(each, LIVE) for each in PartnerStatus)


def test_an_envelope_of_ours_needs_both_ids() -> None:
    nobody = Identity(qualifier="ZZ", isa_id="")
    partner = a_partner(status=PartnerStatus.TESTING, terms=some_terms(nobody))
    found = checked(BARE, partner=partner, own=nobody)
    assert [each.message for each in found.refusals] == [
        "The partner has no ISA id for an envelope.",
        "Your account has no ISA id for an envelope.",
    ]
    assert codes(checked(partner=partner, restamp=True))[1] == ["invalid_parameter"]
    assert codes(checked(partner=partner))[1] == []
    inbound = checked(BARE, partner=partner, own=nobody, direction=Direction.INBOUND)
    assert codes(inbound)[1] == ["invalid_parameter"] * 2
    assert checked(partner=partner, direction=Direction.INBOUND).refusals == ()


def test_what_is_no_proper_interchange_is_not_sent_live_as_it_stands() -> None:
    loose = replace(WHOLE, is_proper=False)
    assert codes(checked(loose)) == (["usage_restamped", "invalid_parameter"], [])
    assert codes(checked(loose, key=LIVE)) == ([], ["invalid_parameter"])
    assert codes(checked(loose, key=LIVE, restamp=True)) == ([], [])
    assert (
        codes(checked(loose, key=LIVE, direction=Direction.INBOUND))[1]
        == ["partner_identity_mismatch"] * 2
    )


def test_all_refusals_are_told_at_once_and_what_was_asked_for_holds() -> None:
    content = SubmittedContent(
        set_ids=("855",),
        interchange_count=1,
        pair=Pair(STRANGER, STRANGER),
        usage="P",
        is_number_used=True,
    )
    found = checked(content, key=LIVE, partner=TESTING)
    assert codes(found) == (
        [],
        [
            *("tx_set_mismatch", "partner_inactive"),
            *("partner_identity_mismatch", "partner_identity_mismatch", "duplicate_interchange"),
        ],
    )
    request = CheckedRequest(
        key_environment=TEST,
        direction=Direction.OUTBOUND,
        tx_set="850",
        on_invalid=OnInvalid.STORE,
    )
    assert check_submission(request, BARE, TESTING, US).on_invalid is OnInvalid.STORE


def test_a_new_envelope_for_a_part_of_the_content_is_refused_everywhere() -> None:
    content = replace(WHOLE, has_unread_documents=True)
    for key in (TEST, LIVE):
        assert codes(checked(content, key=key, restamp=True))[1] == ["invalid_parameter"]
    kept = replace(content, is_proper=False)
    assert codes(checked(kept, key=LIVE))[1] == ["invalid_parameter"]
    found = content_of(walked(an_850()).envelope, has_unread_documents=True)
    assert found.has_unread_documents
