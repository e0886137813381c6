"""Small rules of partners: tokens, addresses, states of connections."""

from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountId
from longshore.domain.partners.errors import PartnerEditConflictError, PartnerNotFoundError
from longshore.domain.partners.model import (
    Address,
    AddressMatches,
    ConnectionStatus,
    Identity,
    InboundToken,
    InboundTokenId,
    Pair,
    PartnerId,
    having,
    pair_of,
)
from longshore.kit.environment import Environment
from tests.unit.domain.trading import HOUR, NOW, THEM, US, a_partner

TOKEN = InboundToken(
    id=InboundTokenId(1),
    account_id=AccountId(1),
    partner_id=PartnerId(7),
    environment=Environment.SANDBOX,
    digest=b"d",
    created_at=NOW,
)


def test_a_token_is_valid_until_it_expires_or_is_revoked() -> None:
    rotated = replace(TOKEN, expires_at=NOW + HOUR)
    assert TOKEN.is_valid(NOW)
    assert rotated.is_valid(NOW)
    assert not rotated.is_valid(NOW + HOUR)
    assert not replace(TOKEN, revoked_at=NOW).is_valid(NOW)


def test_each_environment_has_its_own_connection_status() -> None:
    partner = a_partner()
    assert partner.connection_status(Environment.SANDBOX) is ConnectionStatus.CONNECTED
    assert partner.connection_status(Environment.PRODUCTION) is ConnectionStatus.UNVERIFIED


def test_a_group_id_that_nobody_said_is_the_interchange_id() -> None:
    assert (US.group_id, THEM.group_id) == ("ACMECORP", "NWRETAIL")


def test_a_pair_is_read_without_padding() -> None:
    isa = ["ISA", "00", " ", "00", " ", "ZZ", "ACMECORP       ", "01", "123456789      "]
    pair = pair_of(isa)
    assert pair == Pair(Address("ZZ", "ACMECORP"), Address("01", "123456789"))
    assert pair.swapped() == Pair(Address("01", "123456789"), Address("ZZ", "ACMECORP"))


LOWER = Identity(qualifier="ZZ", isa_id="acmecorp")
NOBODY = Identity(qualifier="ZZ", isa_id="")


@pytest.mark.parametrize(
    ("_case", "address", "found"),
    [
        ("exact", Address("ZZ", "ACMECORP"), AddressMatches((0,), is_exact=True)),
        ("exact before any case", Address("ZZ", "acmecorp"), AddressMatches((2,), is_exact=True)),
        ("any case", Address("zz", "AcmeCorp"), AddressMatches((0, 2), is_exact=False)),
        ("another qualifier", Address("01", "ACMECORP"), AddressMatches((), is_exact=True)),
        ("a leading zero counts", Address("01", "0123456789"), AddressMatches((), is_exact=True)),
        ("an identity without id", Address("ZZ", ""), AddressMatches((), is_exact=True)),
    ],
)
def test_identities_are_found_exactly_then_in_any_case(
    _case: str, address: Address, found: AddressMatches
) -> None:
    assert having(address, [US, THEM, LOWER, NOBODY]) == found


def test_refusals_say_what_to_do() -> None:
    assert PartnerNotFoundError().code == "not_found"
    conflict = PartnerEditConflictError(4)
    assert (conflict.code, conflict.details[0].current_version) == ("edit_conflict", 4)
