"""Stores partners inside a write unit, which may belong to another use case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.maps.model import MapId
from longshore.domain.partners.connections import with_secrets_of
from longshore.domain.partners.encryption import (
    TokenWriter,
    facts_of,
    opened_secrets,
    partner_of,
    sealed_secrets,
    terms_secrets,
    terms_with_secrets,
)
from longshore.domain.partners.errors import (
    InvalidPartnerError,
    PartnerEditConflictError,
    PartnerIdentityTakenError,
    PartnerNotFoundError,
)
from longshore.domain.partners.members import RequestFaults
from longshore.domain.partners.model import (
    CLOSED_BREAKER,
    CircuitBreaker,
    Connections,
    ConnectionStatus,
    Identity,
    InboundToken,
    NewPartner,
    PartnerId,
    PartnerTerms,
    first_connection_status,
)
from longshore.domain.partners.status import FIRST_STATUSES
from longshore.domain.partners.store import PartnerFacts, StoredPartner
from longshore.domain.ports import AccountId, Sealer
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment


class PartnerWriter:
    """Stores partners of one account."""

    def __init__(self, unit: WriteUnit, sealer: Sealer, account_id: AccountId) -> None:
        self._unit = unit
        self._sealer = sealer
        self._account_id = account_id

    async def insert(
        self, new: NewPartner, tokens: Mapping[Environment, str], now: datetime
    ) -> PartnerId | None:
        """Store a partner and the tokens that were drawn for it; None if the name is taken."""
        facts, status = facts_of(new.terms), new.status or FIRST_STATUSES[0]
        partner_id = await self._unit.partners.insert(self._account_id, facts, status, now)
        if partner_id is None:
            return None
        stored = await found_partner(self._unit, partner_id)
        await self._store_secrets(stored, new.terms)
        for environment, text in tokens.items():
            await self.insert_token(partner_id, environment, text, now)
        return partner_id

    async def change(self, stored: StoredPartner, terms: PartnerTerms, now: datetime) -> None:
        """Store new terms; secrets that they do not name stay.

        What is known of a connection holds no longer when another takes its place; the same with
        another secret is another. One that was disabled is tried again in any case: who saves a
        partner has looked at it.

        Raises:
            PartnerEditConflictError: The partner was changed since it was read.
        """
        old = terms_with_secrets(self._sealer, stored)
        connections = Connections(
            test=with_secrets_of(terms.connections.test, old.connections.test),
            live=with_secrets_of(terms.connections.live, old.connections.live),
        )
        merged = replace(terms, connections=connections)
        await self._count_change(stored, facts_of(merged), now)
        await self._store_secrets(stored, merged)
        # A worker may have changed the breaker since the partner was read; its row is locked now.
        before = partner_of(await found_partner(self._unit, stored.id))
        for environment in Environment:
            new = connections.of(environment)
            is_disabled = before.connection_status(environment) is ConnectionStatus.DISABLED
            if is_disabled or new != old.connections.of(environment):
                status = first_connection_status(new.type)
                await self._unit.partners.set_connection_status(stored.id, environment, status)
                breaker = before.breaker(environment)
                if breaker != CLOSED_BREAKER:
                    await self._close_breaker(stored, environment, breaker, now)

    async def _close_breaker(
        self,
        stored: StoredPartner,
        environment: Environment,
        breaker: CircuitBreaker,
        now: datetime,
    ) -> None:
        """Forget the failures of another connection: what waits is due at once."""
        is_closed = await self._unit.partners.set_breaker(
            stored.id, environment, breaker, CLOSED_BREAKER
        )
        assert is_closed  # its row is locked
        await self._unit.outbox.make_due(stored.id, environment, now, now)
        event = NewEvent(
            type=EventType.PARTNER_CIRCUIT_CLOSED,
            data={"partner_id": stored.id},
            message="The connection of the partner was changed.",
        )
        owner = (self._account_id, environment)
        await EventWriter(self._unit, self._sealer, owner).record((event,), now)

    async def hold(self, stored: StoredPartner, now: datetime) -> None:
        """Count a change that leaves the terms as they are: of two at once one is refused.

        Raises:
            PartnerEditConflictError: The partner was changed since it was read.
        """
        await self._count_change(stored, stored.facts, now)

    async def insert_token(
        self, partner_id: PartnerId, environment: Environment, text: str, now: datetime
    ) -> InboundToken:
        """Store a token that was drawn, as the newest of an environment."""
        writer = TokenWriter(self._unit, self._sealer, (self._account_id, partner_id))
        return await writer.insert(text, environment, now)

    async def _count_change(
        self, stored: StoredPartner, facts: PartnerFacts, now: datetime
    ) -> None:
        """Store what a partner is.

        Raises:
            PartnerEditConflictError: The partner was changed since it was read.
        """
        if not await self._unit.partners.change(stored.id, stored.version, facts, now):
            raise PartnerEditConflictError((await found_partner(self._unit, stored.id)).version)

    async def _store_secrets(self, stored: StoredPartner, terms: PartnerTerms) -> None:
        secrets = terms_secrets(terms)
        if secrets != opened_secrets(self._sealer, stored):
            sealed = sealed_secrets(self._sealer, stored, secrets)
            await self._unit.partners.set_secrets(stored.id, sealed)


async def found_partner(unit: ReadUnit, partner_id: PartnerId) -> StoredPartner:
    """Return the partner of an id.

    Raises:
        PartnerNotFoundError: There is none.
    """
    stored = await unit.partners.find(partner_id)
    if stored is None:
        raise PartnerNotFoundError
    return stored


async def refuse_taken_identity(
    unit: WriteUnit, account_id: AccountId, terms: PartnerTerms, own_id: PartnerId
) -> None:
    """Refuse an identity that another partner has; two that are saved at once wait for each other.

    ``own_id`` is the partner that is stored or changed.

    Raises:
        PartnerIdentityTakenError: It names the first partner that has the identity.
    """
    wanted = terms.identity
    if not wanted.isa_id:
        return
    await unit.partners.lock_identities(account_id)
    for each in await unit.partners.list_addresses():
        if each.id != own_id and _is_same(each.identity, wanted):
            other = await found_partner(unit, each.id)
            raise PartnerIdentityTakenError(other.id, other.facts.name, wanted.edi_identity)


def _is_same(one: Identity, other: Identity) -> bool:
    return (one.edi_identity, one.group_id) == (other.edi_identity, other.group_id)


async def refuse_unknown(unit: WriteUnit, terms: PartnerTerms) -> None:
    """Refuse terms that name an own identity or a map which the account has not.

    Raises:
        InvalidPartnerError: With a detail for each.
    """
    faults, own = RequestFaults(), terms.own_identity_id
    if own is not None and own not in {each.id for each in await unit.identities.list()}:
        param = "own_identity_id"
        faults.add(param, f'Parameter "{param}" must be the id of an identity of your account.')
    for at, route in enumerate(terms.routes):
        if route.map_id is not None and await unit.maps.find(MapId(route.map_id)) is None:
            param = f"routes[{at}].map_id"
            faults.add(param, f'Parameter "{param}" must be the id of a map of your account.')
    if faults.details:
        raise InvalidPartnerError(faults.details)
