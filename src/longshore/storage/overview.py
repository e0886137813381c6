"""The figures of the overview, over named queries; it reads only."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from longshore.domain.control_numbers.numbers import NumberKind
from longshore.domain.overview.model import Awaited, DayVolume
from longshore.domain.overview.store import Group, StoredCounter, StoredLatency, StoredStates
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    States,
    ValidationStatus,
)
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql
from longshore.storage.times import from_us, to_us

_FIRST_DAY: Final = datetime(1970, 1, 1, tzinfo=UTC).date()
_DAY_US: Final = 86_400_000_000


class SqlOverviewStore:
    """What is counted, as the scope of one unit shows it."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def volumes(
        self, environment: Environment, since: datetime, before: datetime
    ) -> Sequence[DayVolume]:
        # Each day of each set is a span of an index: counted sooner than all are sorted.
        sets, first = await self._sets(environment), since.date()
        days = [first + timedelta(days=each) for each in range((before - since).days)]
        counted = [
            DayVolume(day=day, tx_set=tx_set, count=await self._count(environment, tx_set, day))
            for day in days
            for tx_set in sets
        ]
        return [each for each in counted if each.count]

    async def unusual(
        self, environment: Environment, since: datetime, before: datetime
    ) -> Sequence[StoredStates]:
        rows = await self._sql.fetch_all(
            "list_unusual_states", environment=environment, since=to_us(since), before=to_us(before)
        )
        return [_states(row) for row in rows]

    async def latencies(
        self, environment: Environment, since: datetime, before: datetime
    ) -> Sequence[StoredLatency]:
        rows = await self._sql.fetch_all(
            "list_latencies", environment=environment, since=to_us(since), before=to_us(before)
        )
        return [
            StoredLatency(day=_day(day), seconds=seconds, count=count)
            for count, day, seconds in rows
        ]

    async def awaited(self, environment: Environment) -> Awaited:
        row = await self._sql.fetch_one("find_awaited", environment=environment)
        assert row is not None
        return Awaited(count=row[0], oldest_sent_at=from_us(row[1]))

    async def rejections(
        self, environment: Environment, since: datetime, before: datetime
    ) -> Sequence[Group]:
        rows = await self._sql.fetch_all(
            "list_rejections", environment=environment, since=to_us(since), before=to_us(before)
        )
        return [_group(row) for row in rows]

    async def overdue(self, environment: Environment) -> Sequence[Group]:
        rows = await self._sql.fetch_all("list_overdue_sets", environment=environment)
        return [_group(row) for row in rows]

    async def quarantined(self, environment: Environment) -> Sequence[Group]:
        rows = await self._sql.fetch_all("list_quarantined_reasons", environment=environment)
        return [_group(row) for row in rows]

    async def undelivered(self, environment: Environment) -> Sequence[Group]:
        rows = await self._sql.fetch_all("list_undelivered_partners", environment=environment)
        return [_group(row) for row in rows]

    async def invalid_received(self, environment: Environment, since: datetime) -> Sequence[Group]:
        rows = await self._sql.fetch_all(
            "list_invalid_received", environment=environment, since=to_us(since)
        )
        return [_group(row) for row in rows]

    async def failing_partners(self, environment: Environment) -> Sequence[Group]:
        rows = await self._sql.fetch_all("list_failing_partners", environment=environment)
        return [_group(row) for row in rows]

    async def counters(self, environment: Environment) -> Sequence[StoredCounter]:
        rows = await self._sql.fetch_all("list_counters", environment=environment)
        lasts = {(kind, *peer): last for kind, *peer, last in rows}
        partners = await self._sql.fetch_all("list_partner_ranges")
        return [
            StoredCounter(
                kind=key[0],
                last=lasts[key],
                partner_id=PartnerId(partner_id),
                partner_name=name,
                settings=settings,
            )
            for partner_id, name, qualifier, isa_id, gs_id, settings in partners
            for key in (
                (NumberKind.ISA, qualifier, isa_id),
                (NumberKind.GS, "", gs_id or isa_id),
            )
            if key in lasts
        ]

    async def _sets(self, environment: Environment) -> Sequence[str]:
        """Return the sets that are stored, in order; that of the unreadable is ``""``."""
        sets = [""]
        while True:
            row = await self._sql.fetch_one(
                "find_next_set", environment=environment, tx_set=sets[-1]
            )
            if row is None or row[0] is None:
                return sets
            sets.append(row[0])

    async def _count(self, environment: Environment, tx_set: str, day: date) -> int:
        begin = (day - _FIRST_DAY).days * _DAY_US
        row = await self._sql.fetch_one(
            "count_transactions_of_set",
            environment=environment,
            tx_set=tx_set,
            since=begin,
            before=begin + _DAY_US,
        )
        assert row is not None
        return int(row[0])


def _day(number: int) -> date:
    return _FIRST_DAY + timedelta(days=number)


def _states(row: Row) -> StoredStates:
    return StoredStates(
        day=_day(row[1]),
        direction=Direction(row[2]),
        states=States(
            ProcessingStatus(row[3]),
            ValidationStatus(row[4]),
            DeliveryStatus(row[5]),
            AckStatus(row[6]),
        ),
        count=row[0],
    )


def _group(row: Row) -> Group:
    return Group(
        name=row[1],
        count=row[0],
        since=from_us(row[2]),
        partner_id=None if row[3] is None else PartnerId(row[3]),
        partner_name=row[4],
    )
