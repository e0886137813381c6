"""Where the control numbers towards a partner stand, and how long they last.

Source: x12.md section 3, contract.md section 15 (``control-numbers``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    days_left,
    group_counter,
    isa_counter,
    left,
)
from longshore.domain.control_numbers.store import Counter, MissingNumbers, MissingQuery
from longshore.domain.partners.connections import simulates
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.identities import own_identity
from longshore.domain.partners.model import OwnIdentity, Partner, PartnerId
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.partners.store import StoredPartner
from longshore.domain.partners.writer import found_partner
from longshore.domain.ports import RequestContext
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError

GAPS_SINCE: Final = timedelta(days=90)
MAX_GAPS: Final = 100
WIDEST_GAP: Final = 1_000_000
"""Whoever leaves out more has begun another count: behind 999999999 comes 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterView:
    """A counter towards a partner."""

    kind: NumberKind
    environment: Environment
    last: int | None
    """The next number follows this one. None: the counter gave no number yet."""
    range: NumberRange
    left: int
    """The numbers left before the range starts again."""
    days_left: int | None
    """The days they last at the pace since the partner was created. None: not known."""


class ControlNumberService:
    """Counters of all accounts, each through the scope of its caller."""

    def __init__(self, units: Units, clock: Clock) -> None:
        self._units = units
        self._clock = clock

    async def of_partner(
        self, context: RequestContext, partner_id: PartnerId
    ) -> tuple[CounterView, ...]:
        """Return the counters between us and a partner, by environment and kind.

        Those that nothing was drawn from yet are not there.

        Raises:
            PartnerNotFoundError: There is no partner of this id.
            NoOwnIdentityError: The account has no identity.
        """

        async def read(
            unit: ReadUnit,
        ) -> tuple[StoredPartner, Sequence[OwnIdentity], Sequence[Counter]]:
            stored = await found_partner(unit, partner_id)
            identity = stored.facts.identity
            towards = [(identity.qualifier, identity.isa_id), ("", identity.group_id)]
            counters = await unit.control_numbers.list(towards)
            return stored, await unit.identities.list(), counters

        stored, identities, counters = await self._units.read(context.scope, read)
        return views_of(partner_of(stored), identities, counters, self._clock.now())

    async def advance(
        self, context: RequestContext, partner_id: PartnerId, count: int
    ) -> tuple[CounterView, ...]:
        """Skip the next ``count`` numbers of each counter towards a partner, and record it.

        The counters are those of the environment of ``context``: ISA13, GS06, and ST02 where the
        partner wants it to count on from group to group.

        Returns:
            The counters afterwards.

        Raises:
            PartnerNotFoundError: There is no partner of this id.
            NoOwnIdentityError: The account has no identity.
            AdvanceTooFarError: A range does not have more numbers than ``count``.
        """
        now = self._clock.now()

        async def work(unit: WriteUnit) -> None:
            partner = partner_of(await found_partner(unit, partner_id))
            ranges = _ranges(partner, await unit.identities.list())
            smallest = min(each.size for each in ranges.values())
            if not 0 < count < smallest:
                raise AdvanceTooFarError(smallest)
            owner = context.account_id, context.environment
            for key, numbers in ranges.items():
                is_used = key.kind is not NumberKind.ST or (
                    partner.terms.settings.st02 is SetNumbering.CONTINUOUS
                )
                if is_used:
                    await unit.control_numbers.advance(owner, key, numbers, count, now)
            action = f"control_numbers.advance_{context.environment}"
            entry = entry_of(context, action, f"partner {partner_id} by {count}")
            await AuditWriter(unit, None, context.account_id).record([entry], now)

        await self._units.write(context.scope, work)
        views = await self.of_partner(context, partner_id)
        return tuple(each for each in views if each.environment is context.environment)

    async def missing_of_partner(
        self, context: RequestContext, partner_id: PartnerId
    ) -> tuple[MissingNumbers, ...]:
        """Return the gaps in the ISA13 received from a partner, by environment and number.

        A number that comes later closes its gap. Of more than ``MAX_GAPS`` the newest. None where
        a simulator answers: it derives its numbers from ours, and passes over others on purpose.

        Raises:
            PartnerNotFoundError: There is no partner of this id.
            NoOwnIdentityError: The account has no identity.
        """
        since = self._clock.now() - GAPS_SINCE

        async def read(unit: ReadUnit) -> list[MissingNumbers]:
            partner = partner_of(await found_partner(unit, partner_id))
            own = own_identity(partner, await unit.identities.list())
            key = isa_counter(own, partner.terms.identity)
            query = MissingQuery(key=key, since=since, widest=WIDEST_GAP, most=MAX_GAPS)
            missing = await unit.control_numbers.list_missing(query)
            connections = partner.terms.connections
            return [
                each
                for each in missing
                if not simulates(connections.of(each.environment), each.environment)
            ]

        gaps = await self._units.read(context.scope, read)
        return tuple(sorted(gaps, key=_place))


def _place(gap: MissingNumbers) -> tuple[Environment, int]:
    return gap.environment, gap.first


def views_of(
    partner: Partner,
    identities: Sequence[OwnIdentity],
    counters: Sequence[Counter],
    now: datetime,
) -> tuple[CounterView, ...]:
    """Return the counters that count between us and a partner.

    Raises:
        NoOwnIdentityError: The account has no identity.
    """
    ranges = _ranges(partner, identities)
    return tuple(
        _view(each, ranges[each.key], partner.created_at, now)
        for each in counters
        if each.key in ranges
    )


def _ranges(
    partner: Partner, identities: Sequence[OwnIdentity]
) -> Mapping[CounterKey, NumberRange]:
    """Return the counters between us and a partner, in the order they are drawn from."""
    own, their = own_identity(partner, identities), partner.terms.identity
    settings = partner.terms.settings
    agreed = NumberRange(least=settings.control_min, most=settings.control_max)
    return {
        isa_counter(own, their): agreed,
        group_counter(own, their): agreed,
        group_counter(own, their, NumberKind.ST): NumberRange(),
    }


def _view(counter: Counter, numbers: NumberRange, since: datetime, now: datetime) -> CounterView:
    last = numbers.skip(counter.last, counter.reserved)
    rest = left(numbers, last)
    drawn = numbers.size - rest
    return CounterView(
        kind=counter.key.kind,
        environment=counter.environment,
        last=last,
        range=numbers,
        left=rest,
        days_left=days_left(rest, drawn, since, now),
    )


class AdvanceTooFarError(LongshoreError):
    """A counter would skip its whole range, or nothing."""

    def __init__(self, size: int) -> None:
        super().__init__(
            ErrorCode.INVALID_PARAMETER,
            f"Skip at least 1 number and fewer than {size:,}, the size of the smallest range that"
            " was agreed with this partner.",
        )
