"""The envelope that a partner's profile gives to a converted X12 document, and ISA15.

A document is live with a live key or channel and ISA15 ``P`` together. With any other ISA15 it must
not become a live document.

Source: contract.md section 4 (partner_id), fields-and-mapping.md section 7 (X12, points 4 and 7),
x12.md section 4 (test and live).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.partners.identities import own_identity
from longshore.domain.partners.model import Identity, PartnerId, PartnerStatus, PartnerTerms
from longshore.domain.units import ReadUnit
from longshore.kit.environment import Environment
from longshore.mapping.addressing import Addressing, PartnerEnvelope

LIVE: Final = "P"
TEST: Final = "T"
INFORMATION: Final = "I"
"""A test that is not acknowledged."""


def environment_of(usage: str, channel: Environment) -> Environment:
    """Return the environment of all rows of a document. ``channel`` is of the key or token."""
    is_live = channel is Environment.PRODUCTION and usage == LIVE
    return Environment.PRODUCTION if is_live else Environment.SANDBOX


_LARGEST_ID: Final = 2**63 - 1


class EnvelopeProfile(NamedTuple):
    """The envelope of what is sent to a partner, and the time zone of its dates and times."""

    envelope: PartnerEnvelope
    zone: str


async def find_profile(
    unit: ReadUnit,
    partner_id: int,
    seen: Collection[PartnerStatus],
    environment: Environment,
) -> EnvelopeProfile:
    """Return the envelope of what is sent to a partner from our account.

    Args:
        unit: Where partners and identities are read.
        partner_id: Any number; the id of a partner, if the account has it.
        seen: The statuses that the caller may see.
        environment: Decides ISA15.

    Raises:
        PartnerNotFoundError: There is none of this id that may be seen.
        NoOwnIdentityError: The account has no identity.
    """
    is_possible = 1 <= partner_id <= _LARGEST_ID
    stored = await unit.partners.find(PartnerId(partner_id)) if is_possible else None
    partner = None if stored is None else partner_of(stored)
    if partner is None or partner.status not in seen:
        raise PartnerNotFoundError
    own = own_identity(partner, await unit.identities.list())
    return _profile(partner.terms, own, environment)


def _profile(terms: PartnerTerms, own: Identity, environment: Environment) -> EnvelopeProfile:
    settings, partner = terms.settings, terms.identity
    addressing = Addressing(
        sender_qualifier=own.qualifier,
        sender_id=own.isa_id,
        receiver_qualifier=partner.qualifier,
        receiver_id=partner.isa_id,
        gs_sender_id=own.group_id,
        gs_receiver_id=partner.group_id,
        version=terms.version,
        usage_indicator=LIVE if environment is Environment.PRODUCTION else TEST,
        separators=settings.separators,
    )
    envelope = PartnerEnvelope(
        addressing=addressing,
        has_fixed_separators=settings.fixed_separators,
        replacement=settings.replace_delimiters_with or "",
    )
    return EnvelopeProfile(envelope, settings.timezone)
