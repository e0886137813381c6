"""What is looked up and made before the unit of a submission: addressees, sealed bytes, times."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from longshore.domain.interchanges.encryption import SealedParts, seal_content
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.partners.identities import own_identity
from longshore.domain.partners.model import Identity, Partner, PartnerId
from longshore.domain.ports import Compute, Sealer
from longshore.domain.units import ReadUnit

LONG_BYTES: Final = 262_144  # below it sealing is done sooner than a thread is woken
MAX_INLINE_VALIDATION_CHARS: Final = 2_048
"""Longer documents are validated outside the event loop: hostile ones cost 20 us a character."""


class TradingParties(NamedTuple):
    """Whom a document is for, without secrets, and who we are towards them."""

    partner: Partner
    own: Identity


async def find_parties(unit: ReadUnit, partner_id: int) -> TradingParties:
    """Return a partner and our identity.

    Raises:
        PartnerNotFoundError: There is no such partner.
        NoOwnIdentityError: The account has no identity.
    """
    stored = await unit.partners.find(PartnerId(partner_id))
    if stored is None:
        raise PartnerNotFoundError
    partner = partner_of(stored)
    return TradingParties(partner, own_identity(partner, await unit.identities.list()))


async def are_unchanged(unit: ReadUnit, known: TradingParties) -> bool:
    """Tell whether partner and identity are what they were when a document was written for them."""
    partner, own = known
    stored = await unit.partners.find(partner.id)
    if stored is None or stored.version != partner.version:
        return False
    return own_identity(partner, await unit.identities.list()) == own


def local_time(now: datetime, zone: str) -> datetime:
    """Return a moment in a time zone; one that this machine does not know counts as UTC."""
    try:
        return now.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, OSError):  # the name of a directory is an OSError
        return now.astimezone(UTC)


async def sealed(executor: Compute, sealer: Sealer, content: bytes) -> SealedParts:
    """Return the bytes of an interchange sealed, long ones outside the event loop."""
    if len(content) <= LONG_BYTES:
        return seal_content(sealer, content, {})
    return await executor.submit_to_executor(seal_content, sealer, content, {})
