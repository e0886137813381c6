"""The figures of the overview, over named queries; it reads only."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, LiteralString

from longshore.domain.control_numbers.numbers import NumberKind
from longshore.domain.overview.model import OTHER_SETS, Awaited, DayVolume
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


class SqlOverviewStore:
    """What is counted, as the scope of one unit shows it."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def volumes(
        self, environment: Environment, since: datetime, before: datetime, most: int
    ) -> Sequence[DayVolume]:
        rows = await self._sql.fetch_all(
            "list_volumes",
            environment=environment,
            since=to_us(since),
            before=to_us(before),
            most=most,
        )
        return [
            DayVolume(day=_day(day), tx_set=OTHER_SETS if tx_set is None else tx_set, count=count)
            for count, day, tx_set in rows
        ]

    async def count(self, environment: Environment, since: datetime, before: datetime) -> int:
        row = await self._sql.fetch_one(
            "count_stored_transactions",
            environment=environment,
            since=to_us(since),
            before=to_us(before),
        )
        assert row is not None
        return int(row[0])

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
        self, environment: Environment, since: datetime, before: datetime, most: int
    ) -> Sequence[Group]:
        return await self._rejections("list_rejections", environment, since, before, most)

    async def open_rejections(
        self, environment: Environment, since: datetime, before: datetime, most: int
    ) -> Sequence[Group]:
        return await self._rejections("list_open_rejections", environment, since, before, most)

    async def _rejections(
        self,
        query: LiteralString,
        environment: Environment,
        since: datetime,
        before: datetime,
        most: int,
    ) -> Sequence[Group]:
        rows = await self._sql.fetch_all(
            query,
            environment=environment,
            since=to_us(since),
            before=to_us(before),
            most=most,
        )
        return [_group(row) for row in rows]

    async def overdue(self, environment: Environment, most: int) -> Sequence[Group]:
        rows = await self._sql.fetch_all("list_overdue_sets", environment=environment, most=most)
        return [_group(row) for row in rows]

    async def quarantined(self, environment: Environment) -> Sequence[Group]:
        rows = await self._sql.fetch_all("list_quarantined_reasons", environment=environment)
        return [_group(row) for row in rows]

    async def undelivered(self, environment: Environment, most: int) -> Sequence[Group]:
        rows = await self._sql.fetch_all(
            "list_undelivered_partners", environment=environment, most=most
        )
        return [_group(row) for row in rows]

    async def invalid_received(
        self, environment: Environment, since: datetime, most: int
    ) -> Sequence[Group]:
        rows = await self._sql.fetch_all(
            "list_invalid_received", environment=environment, since=to_us(since), most=most
        )
        return [_group(row) for row in rows]

    async def failing_partners(self, environment: Environment, most: int) -> Sequence[Group]:
        rows = await self._sql.fetch_all(
            "list_failing_partners", environment=environment, most=most
        )
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
