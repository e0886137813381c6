"""Whose a received interchange is. Examples 67 to 71 of x12.md section 5.2."""

from dataclasses import replace

import pytest

from longshore.domain.inbound.routing import (
    AddressedGroup,
    AddressedInterchange,
    PartnerChannel,
    RoutedGroup,
    Routing,
    RoutingProblem,
    addressed,
    is_agreed,
    route_interchange,
    route_of,
    sender_of,
    text_of,
)
from longshore.domain.partners.model import Address, Direction, Identity, Pair, PartnerStatus, Route
from longshore.kit.environment import Environment
from longshore.x12.acks.assessment import received_interchanges
from tests.unit.domain.trading import THEM, US, a_partner, some_terms
from tests.unit.x12.acks.acknowledged import walked
from tests.unit.x12.documents import an_850

LIVE, TEST = Environment.PRODUCTION, Environment.SANDBOX
A = a_partner(7)
B = a_partner(8, terms=some_terms(Identity(qualifier="12", isa_id="5551234")))
WE, THEY = Address("ZZ", "ACMECORP"), Address("01", "123456789")
GROUP = AddressedGroup(functional_id="PO", sender="NWRETAIL", receiver="ACMECORP")
GIVEN = AddressedInterchange(pair=Pair(THEY, WE), usage="P", groups=(GROUP,))


def routed(
    environment: Environment,
    *,
    sender: Address = THEY,
    receiver: Address = WE,
    usage: str = "P",
    status: PartnerStatus = PartnerStatus.ACTIVE,
) -> Routing:
    given = replace(GIVEN, pair=Pair(sender, receiver), usage=usage)
    partner = replace(A, status=status)
    channel = PartnerChannel(partner=partner, environment=environment)
    return route_interchange(given, channel, [US], [partner, B])


def test_a_live_document_of_the_partner_is_live() -> None:
    assert routed(LIVE) == Routing(
        environment=LIVE,
        reason=None,
        ta1_code="",
        is_acknowledged=True,
        groups=(RoutedGroup(A.id, None),),
        warnings=(),
    )


STRANGER, OTHERS = Address("ZZ", "NOBODY"), Address("12", "5551234")


@pytest.mark.parametrize(
    ("_case", "sender", "receiver", "reason", "ta1_code"),
    [
        ("67", STRANGER, WE, RoutingProblem.UNKNOWN_SENDER, "006"),
        ("68", THEY, STRANGER, RoutingProblem.UNKNOWN_RECEIVER, "009"),
        ("69", OTHERS, WE, RoutingProblem.IDENTITY_MISMATCH, "006"),
        ("both", STRANGER, STRANGER, RoutingProblem.UNKNOWN_SENDER, "006"),
        ("ours to us", WE, WE, RoutingProblem.UNKNOWN_SENDER, "006"),
    ],
)
def test_a_live_document_with_wrong_addresses_is_quarantined(
    _case: str, sender: Address, receiver: Address, reason: RoutingProblem, ta1_code: str
) -> None:
    routing = routed(LIVE, sender=sender, receiver=receiver)
    assert (routing.reason, routing.ta1_code, routing.groups) == (reason, ta1_code, ())


@pytest.mark.parametrize(
    ("sender", "receiver", "warnings"),
    [
        (STRANGER, WE, [RoutingProblem.UNKNOWN_SENDER]),
        (THEY, STRANGER, [RoutingProblem.UNKNOWN_RECEIVER]),
        (OTHERS, WE, [RoutingProblem.IDENTITY_MISMATCH]),
        (STRANGER, STRANGER, [RoutingProblem.UNKNOWN_SENDER, RoutingProblem.UNKNOWN_RECEIVER]),
    ],
)
def test_69_on_a_test_channel_it_is_processed_for_its_partner_with_a_warning(
    sender: Address, receiver: Address, warnings: list[RoutingProblem]
) -> None:
    routing = routed(TEST, sender=sender, receiver=receiver, usage="T")
    assert (routing.reason, routing.ta1_code) == (None, "")
    assert routing.groups == (RoutedGroup(A.id, None),)
    assert [*routing.warnings] == warnings


@pytest.mark.parametrize(
    ("channel", "usage", "environment", "warnings", "ta1_code", "is_acknowledged"),
    [
        (LIVE, "P", LIVE, (), "", True),
        (LIVE, "T", TEST, (), "", True),
        (LIVE, "I", TEST, (), "", False),
        (LIVE, "", TEST, (), "", True),
        (LIVE, "p", TEST, (), "", True),
        (TEST, "T", TEST, (), "", True),
        (TEST, "I", TEST, (), "", False),
        (TEST, "P", TEST, (RoutingProblem.USAGE_MISMATCH,), "020", True),
    ],
)
def test_70_only_p_over_a_live_channel_is_live(
    channel: Environment,
    usage: str,
    environment: Environment,
    warnings: tuple[RoutingProblem, ...],
    ta1_code: str,
    is_acknowledged: bool,  # noqa: FBT001 - a column of the table
) -> None:
    routing = routed(channel, usage=usage)
    assert (routing.environment, routing.warnings) == (environment, warnings)
    assert (routing.ta1_code, routing.is_acknowledged) == (ta1_code, is_acknowledged)


def test_a_test_document_over_a_live_channel_is_still_not_forgiven() -> None:
    routing = routed(LIVE, sender=STRANGER, usage="T")
    assert (routing.environment, routing.reason) == (TEST, RoutingProblem.UNKNOWN_SENDER)


def test_another_case_is_found_with_a_warning() -> None:
    routing = routed(LIVE, receiver=Address("zz", "AcmeCorp"))
    assert (routing.reason, routing.warnings) == (None, (RoutingProblem.ID_CASE,))


def test_leading_zeros_count() -> None:
    assert routed(LIVE, sender=Address("01", "0123456789")).reason is RoutingProblem.UNKNOWN_SENDER


@pytest.mark.parametrize("status", [PartnerStatus.PENDING, PartnerStatus.INACTIVE])
def test_a_partner_that_takes_nothing_has_its_groups_quarantined(status: PartnerStatus) -> None:
    for channel in (LIVE, TEST):
        assert routed(channel, status=status).groups == (
            RoutedGroup(A.id, RoutingProblem.PARTNER_INACTIVE),
        )


def test_live_documents_of_a_testing_partner_are_quarantined_and_test_ones_not() -> None:
    testing = PartnerStatus.TESTING
    (live,) = routed(LIVE, status=testing).groups
    (test,) = routed(LIVE, status=testing, usage="T").groups
    assert (live.reason, test.reason) == (RoutingProblem.PARTNER_INACTIVE, None)


@pytest.mark.parametrize("environment", list(Environment))
@pytest.mark.parametrize(
    ("sender", "receiver", "reason", "ta1_code"),
    [
        (THEY, WE, None, ""),
        (OTHERS, WE, None, ""),
        (STRANGER, WE, RoutingProblem.UNKNOWN_SENDER, ""),
        (THEY, STRANGER, RoutingProblem.UNKNOWN_RECEIVER, "009"),
    ],
)
def test_in_a_shared_mailbox_the_isa_alone_decides_in_both_environments(
    environment: Environment,
    sender: Address,
    receiver: Address,
    reason: RoutingProblem | None,
    ta1_code: str,
) -> None:
    given = replace(GIVEN, pair=Pair(sender, receiver), usage="T", groups=())
    of = sender_of(given.pair, [A, B])
    assert of == {THEY: A, OTHERS: B}.get(sender)
    channel = PartnerChannel(partner=of or A, environment=environment, is_shared=True)
    routing = route_interchange(given, channel, [US], [A, B])
    assert (routing.reason, routing.ta1_code) == (reason, ta1_code)


def test_acknowledgements_are_taken_from_any_partner() -> None:
    partner = replace(A, status=PartnerStatus.INACTIVE)
    given = replace(GIVEN, groups=(replace(GROUP, functional_id="FA"),))
    channel = PartnerChannel(partner=partner, environment=LIVE)
    routing = route_interchange(given, channel, [US], [partner])
    assert routing.groups == (RoutedGroup(A.id, None),)


def test_of_partners_that_share_an_isa_id_each_group_names_its_own() -> None:
    depot = a_partner(9, terms=some_terms(replace(THEM, gs_id="NWDEPOT")))
    groups = tuple(replace(GROUP, sender=name) for name in ("NWRETAIL", "NWDEPOT", "ELSE"))
    given = replace(GIVEN, groups=groups)
    channel = PartnerChannel(partner=A, environment=LIVE)
    routing = route_interchange(given, channel, [US], [depot, B, A])
    assert [each.partner_id for each in routing.groups] == [A.id, depot.id, A.id]


def test_an_interchange_is_routed_by_what_its_headers_say() -> None:
    document = an_850().replace("*T*", "*P*")
    (received,) = received_interchanges(walked(document).envelope, {})
    assert addressed(received) == AddressedInterchange(
        pair=Pair(Address("ZZ", "SENDER"), Address("14", "RECEIVER")),
        usage="P",
        groups=(AddressedGroup(functional_id="PO", sender="SENDER", receiver="RECEIVER"),),
    )


def test_a_set_is_agreed_if_it_is_listed_or_nothing_is() -> None:
    some = a_partner(terms=some_terms(tx_sets=("850", "997")))
    assert (is_agreed(some, "850"), is_agreed(some, "810")) == (True, False)
    assert is_agreed(A, "810")


def test_a_set_has_the_route_of_its_code_and_direction() -> None:
    inbound = Route(tx_set="850", map_id=7)
    outbound = Route(tx_set="850", direction=Direction.OUTBOUND, map_id=8)
    partner = a_partner(terms=some_terms(routes=(outbound, inbound)))
    assert route_of(partner, "850", Direction.INBOUND) == inbound
    assert route_of(partner, "850", Direction.OUTBOUND) == outbound
    assert route_of(partner, "810", Direction.INBOUND) is None


def test_every_note_has_a_text_and_a_forgiven_one_says_what_production_does() -> None:
    assert all(map(text_of, RoutingProblem))
    warned = {each for each in RoutingProblem if "production" in text_of(each, is_warning=True)}
    assert warned == {
        RoutingProblem.IDENTITY_MISMATCH,
        RoutingProblem.UNKNOWN_SENDER,
        RoutingProblem.UNKNOWN_RECEIVER,
    }
    assert not any("production" in text_of(each) for each in RoutingProblem)
