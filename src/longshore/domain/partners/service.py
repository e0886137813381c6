"""Operations on trading partners: list, read, create, change, delete, rotate a token.

A partner is the same in both environments; a change says which version it was made on, and secrets
that it does not name stay. Points where a test lets the process die: ``partners.<verb>.<place>``
with the verbs ``create``, ``change``, ``delete``, ``rotate`` and the places ``before_insert``,
``before_commit``, ``after_commit``.

Source: contract.md sections 8 and 15, transports.md section 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from longshore.domain.accounts.keys import check_overlap
from longshore.domain.accounts.service import fold
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.partners.encryption import (
    draw_token,
    newest_tokens,
    partner_of,
    terms_with_secrets,
)
from longshore.domain.partners.envelopes import EnvelopeProfile, find_profile
from longshore.domain.partners.errors import (
    PartnerEditConflictError,
    PartnerNameTakenError,
    PartnerNotFoundError,
    PartnerTradedError,
)
from longshore.domain.partners.mailbox_passwords import with_hashed_passwords
from longshore.domain.partners.model import NewPartner, Partner, PartnerId, PartnerStatus
from longshore.domain.partners.status import PartnerState, is_visible, refuse_unusable, step
from longshore.domain.partners.store import PartnerQuery, SealedToken, StoredPartner
from longshore.domain.partners.targets import DestinationRules
from longshore.domain.partners.writer import (
    PartnerWriter,
    found_partner,
    refuse_taken_identity,
    refuse_unknown,
)
from longshore.domain.ports import NotUniqueError, RequestContext, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.users.passwords import PasswordHasher
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point
from longshore.kit.ids import IdSource

ALL_STATUSES: Final = frozenset(PartnerStatus)
VISIBLE_TO_API_KEY: Final[Mapping[Environment, frozenset[PartnerStatus]]] = {
    environment: frozenset(each for each in PartnerStatus if is_visible(each, environment))
    for environment in Environment
}
"""The partners that an API key sees, by environment; people see all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerSearch:
    """Filters and page of a list of partners."""

    statuses: frozenset[PartnerStatus] = ALL_STATUSES
    q: str = ""
    """The beginning of the name, in any case."""
    limit: int | None = None
    """None: all that follow ``offset``."""
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPartner:
    """A partner, and the newest token of each environment that has a valid one."""

    partner: Partner
    tokens: Mapping[Environment, str] = field(repr=False)

    def inbound_url(
        self, environment: Environment, base_url: str, to: Environment, *, is_masked: bool = False
    ) -> str:
        """Return where the partner sends documents of an environment; ``""``: not shown.

        The live URL is shown in production alone, and of an active partner alone. Whoever has the
        URL can send in the partner's name, so a caller who may not submit sees it masked.

        Args:
            environment: Of the documents.
            base_url: Of the server.
            to: The environment of the caller.
            is_masked: Whether the token is replaced after its first characters.
        """
        is_live = environment is Environment.PRODUCTION
        is_active = self.partner.status is PartnerStatus.ACTIVE
        token = self.tokens.get(environment, "")
        if not token or (is_live and not (to is environment and is_active)):
            return ""
        if is_masked:
            token = f"{token[:_SHOWN_OF_TOKEN]}{_MASK}"
        return f"{base_url}/edi/receive/{token}{'' if is_live else '?env=test'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerPage:
    """A page of partners by id, without secrets."""

    partners: tuple[KnownPartner, ...]
    total: int
    """The number of entries on all pages."""


_SHOWN_OF_TOKEN: Final = 4
_MASK: Final = "********"


class _Seen(NamedTuple):
    """A partner and the valid tokens of the account, as they lie in their rows."""

    stored: StoredPartner
    tokens: Sequence[SealedToken]


class PartnerService:
    """Trading partners of all accounts, each through the scope of its caller."""

    def __init__(
        self,
        units: Units,
        clock: Clock,
        sealer: Sealer,
        ids: IdSource,
        destinations: DestinationRules,
        hasher: PasswordHasher | None = None,
    ) -> None:
        """Hash the passwords of mailboxes with ``hasher``; without one none can be set."""
        self._hasher = hasher
        self._destinations = destinations
        self._units = units
        self._clock = clock
        self._sealer = sealer
        self._ids = ids

    async def page(self, context: RequestContext, search: PartnerSearch) -> PartnerPage:
        """Return a page of the partners that fit."""
        if not search.statuses:
            return PartnerPage(partners=(), total=0)
        now = self._clock.now()
        statuses = frozenset() if search.statuses == ALL_STATUSES else search.statuses
        query = PartnerQuery(statuses=statuses, folded_prefix=fold(search.q))

        async def read(
            unit: ReadUnit,
        ) -> tuple[Sequence[StoredPartner], Sequence[SealedToken], int]:
            stored = await unit.partners.list(query, search.limit, search.offset)
            return stored, await unit.tokens.list_open(now), await unit.partners.count(query)

        stored, open_tokens, total = await self._units.read(context.scope, read)
        tokens = newest_tokens(self._sealer, open_tokens)
        known = tuple(_known(partner_of(each), tokens) for each in stored)
        return PartnerPage(partners=known, total=total)

    async def get(
        self,
        context: RequestContext,
        partner_id: PartnerId,
        seen: frozenset[PartnerStatus] = ALL_STATUSES,
    ) -> KnownPartner:
        """Return a partner with its secrets. ``seen`` is the statuses that the caller may see.

        Raises:
            PartnerNotFoundError: There is none of this id that may be seen.
        """
        now = self._clock.now()

        async def read(unit: ReadUnit) -> _Seen:
            return await _seen(unit, partner_id, now)

        known = self._opened(await self._units.read(context.scope, read))
        if known.partner.status not in seen:
            raise PartnerNotFoundError
        return known

    async def profile(
        self,
        context: RequestContext,
        partner_id: int,
        seen: frozenset[PartnerStatus] = ALL_STATUSES,
    ) -> EnvelopeProfile:
        """Return the envelope of what we send to a partner. ``seen`` is as in ``get``.

        Raises:
            PartnerNotFoundError: There is none of this id that may be seen.
            NoOwnIdentityError: The account has no identity.
        """

        async def read(unit: ReadUnit) -> EnvelopeProfile:
            return await find_profile(unit, partner_id, seen, context.environment)

        return await self._units.read(context.scope, read)

    async def create(self, context: RequestContext, new: NewPartner) -> KnownPartner:
        """Store a partner, with a token for each environment, and return it.

        Raises:
            PartnerNameTakenError: Another partner has the name.
            PartnerIdentityTakenError: Another partner has the identity.
            InvalidPartnerError: An identity or a map is not of the account, or what is asked for
                is not built, or an address is not one that documents may be sent to.
        """
        refuse_unusable(new.terms, self._destinations)
        new = await with_hashed_passwords(new, self._hasher)
        now = self._clock.now()
        tokens = {each: draw_token(self._ids) for each in Environment}

        async def work(unit: WriteUnit) -> _Seen:
            await refuse_unknown(unit, new.terms)
            fault_point("partners.create.before_insert")
            storing = PartnerWriter(unit, self._sealer, context.account_id)
            partner_id = await storing.insert(new, tokens, now)
            if partner_id is None:
                raise PartnerNameTakenError
            await refuse_taken_identity(unit, context.account_id, new.terms, partner_id)
            await self._audit(unit, context, "create", partner_id, now)
            fault_point("partners.create.before_commit")
            return await _seen(unit, partner_id, now)

        seen = await self._units.write(context.scope, work)
        fault_point("partners.create.after_commit")
        return self._opened(seen)

    async def change(
        self,
        context: RequestContext,
        partner_id: PartnerId,
        expected_version: int | None,
        new: NewPartner,
    ) -> KnownPartner:
        """Store what a partner is from now on; secrets it does not name stay; return it.

        ``expected_version`` is the one that was edited, None for any.

        Raises:
            PartnerNotFoundError: There is none of this id.
            PartnerEditConflictError: It was changed since.
            IllegalPartnerStepError: Its status does not allow the one that is asked for.
            PartnerNameTakenError: Another partner has the name.
            PartnerIdentityTakenError: Another partner has the identity, which this one had not.
            InvalidPartnerError: As of ``create``.
        """
        refuse_unusable(new.terms, self._destinations)
        new = await with_hashed_passwords(new, self._hasher)
        now = self._clock.now()

        async def work(unit: WriteUnit) -> _Seen:
            stored = await _expected(unit, partner_id, expected_version)
            if new.terms.identity != stored.facts.identity:
                await refuse_taken_identity(unit, context.account_id, new.terms, partner_id)
            to = stored.state if new.status is None else step(stored.state, new.status)
            await refuse_unknown(unit, new.terms)
            fault_point("partners.change.before_insert")
            storing = PartnerWriter(unit, self._sealer, context.account_id)
            await storing.change(stored, new.terms, now)
            await self._step(unit, context, stored, to, now)
            await self._audit(unit, context, "change", partner_id, now)
            fault_point("partners.change.before_commit")
            return await _seen(unit, partner_id, now)

        try:
            seen = await self._units.write(context.scope, work)
        except NotUniqueError as error:
            raise PartnerNameTakenError from error
        fault_point("partners.change.after_commit")
        return self._opened(seen)

    async def delete(
        self, context: RequestContext, partner_id: PartnerId, expected_version: int | None
    ) -> None:
        """Remove a partner and its tokens.

        Raises:
            PartnerNotFoundError: There is none of this id.
            PartnerEditConflictError: It was changed since ``expected_version``.
            PartnerTradedError: Documents were exchanged with it.
        """
        now = self._clock.now()

        async def work(unit: WriteUnit) -> None:
            stored = await _expected(unit, partner_id, expected_version)
            fault_point("partners.delete.before_insert")
            if not await unit.partners.delete(partner_id, stored.version):
                await _expected(unit, partner_id, stored.version)
                raise PartnerTradedError
            await self._audit(unit, context, "delete", partner_id, now)
            fault_point("partners.delete.before_commit")

        # That scope alone sees the documents of both environments.
        scope = replace(context.scope, environment=Environment.PRODUCTION)
        await self._units.write(scope, work)
        fault_point("partners.delete.after_commit")

    async def rotate_token(
        self,
        context: RequestContext,
        partner_id: PartnerId,
        environment: Environment,
        overlap_hours: int,
    ) -> KnownPartner:
        """Give the inbound URL of an environment a new token; return the partner with it.

        Those of before are taken for ``overlap_hours`` more.

        Raises:
            InvalidAccountParameterError: The overlap is outside 0..168.
            PartnerNotFoundError: There is none of this id.
            PartnerEditConflictError: It was changed at the same moment.
        """
        check_overlap(overlap_hours)
        text, now = draw_token(self._ids), self._clock.now()

        async def work(unit: WriteUnit) -> _Seen:
            stored = await _expected(unit, partner_id, None)
            fault_point("partners.rotate.before_insert")
            storing = PartnerWriter(unit, self._sealer, context.account_id)
            await storing.hold(stored, now)
            newest = await storing.insert_token(partner_id, environment, text, now)
            await unit.tokens.end_others(newest, now + timedelta(hours=overlap_hours))
            await self._audit(unit, context, "rotate_token", partner_id, now)
            fault_point("partners.rotate.before_commit")
            return await _seen(unit, partner_id, now)

        seen = await self._units.write(context.scope, work)
        fault_point("partners.rotate.after_commit")
        return self._opened(seen)

    def _opened(self, seen: _Seen) -> KnownPartner:
        terms = terms_with_secrets(self._sealer, seen.stored)
        partner = replace(partner_of(seen.stored), terms=terms)
        return _known(partner, newest_tokens(self._sealer, seen.tokens))

    async def _step(
        self,
        unit: WriteUnit,
        context: RequestContext,
        stored: StoredPartner,
        to: PartnerState,
        now: datetime,
    ) -> None:
        if to == stored.state:
            return
        await unit.partners.set_state(stored.id, stored.state, to, now)
        data = {
            "partner_id": stored.id,
            "partner_status": to.status.value,
            "previous_status": stored.state.status.value,
        }
        event = NewEvent(type=EventType.PARTNER_STATUS_CHANGED, data=data, actor=context.actor)
        owner = (context.account_id, context.environment)
        await EventWriter(unit, self._sealer, owner).record((event,), now)

    async def _audit(
        self,
        unit: WriteUnit,
        context: RequestContext,
        verb: str,
        partner_id: PartnerId,
        now: datetime,
    ) -> None:
        entry = entry_of(context, f"partner.{verb}", f"partner {partner_id}")
        await AuditWriter(unit, self._sealer, context.account_id).record((entry,), now)


def _known(partner: Partner, tokens: Mapping[tuple[PartnerId, Environment], str]) -> KnownPartner:
    own = {
        environment: tokens[partner.id, environment]
        for environment in Environment
        if (partner.id, environment) in tokens
    }
    return KnownPartner(partner=partner, tokens=own)


async def _seen(unit: ReadUnit, partner_id: PartnerId, now: datetime) -> _Seen:
    return _Seen(await found_partner(unit, partner_id), await unit.tokens.list_open(now))


async def _expected(
    unit: ReadUnit, partner_id: PartnerId, expected_version: int | None
) -> StoredPartner:
    stored = await found_partner(unit, partner_id)
    if expected_version not in {None, stored.version}:
        raise PartnerEditConflictError(stored.version)
    return stored
