"""The figures of the overview, over named queries; it reads only."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, LiteralString

from longshore.domain.control_numbers.numbers import NumberKind
from longshore.domain.overview.model import OTHER_SETS, DayVolume, OutstandingAcks
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
    """The counts of the overview, in the scope of one unit."""

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
            DayVolume(
                day=_day(row["day"]),
                tx_set=OTHER_SETS if row["tx_set"] is None else row["tx_set"],
                count=row["total"],
            )
            for row in rows
        ]

    async def count(self, environment: Environment, since: datetime, before: datetime) -> int:
        row = await self._sql.fetch_one(
            "count_stored_transactions",
            environment=environment,
            since=to_us(since),
            before=to_us(before),
        )
        assert row is not None
        return int(row["total"])

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
            StoredLatency(day=_day(row["day"]), seconds=row["seconds"], count=row["total"])
            for row in rows
        ]

    async def awaited(self, environment: Environment) -> OutstandingAcks:
        row = await self._sql.fetch_one("find_awaited", environment=environment)
        assert row is not None
        return OutstandingAcks(count=row["total"], oldest_sent_at=from_us(row["oldest_sent_at"]))

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
        lasts = {(row["kind"], row["peer_qualifier"], row["peer_id"]): row["last"] for row in rows}
        partners = await self._sql.fetch_all("list_partner_ranges")
        return [
            StoredCounter(
                kind=key[0],
                last=lasts[key],
                partner_id=PartnerId(partner["id"]),
                partner_name=partner["name"],
                settings=partner["settings"],
            )
            for partner in partners
            for key in (
                (NumberKind.ISA, partner["isa_qualifier"], partner["isa_id"]),
                (NumberKind.GS, "", partner["gs_id"] or partner["isa_id"]),
            )
            if key in lasts
        ]


def _day(number: int) -> date:
    return _FIRST_DAY + timedelta(days=number)


def _states(row: Row) -> StoredStates:
    return StoredStates(
        day=_day(row["day"]),
        direction=Direction(row["direction"]),
        states=States(
            ProcessingStatus(row["processing_status"]),
            ValidationStatus(row["validation_status"]),
            DeliveryStatus(row["delivery_status"]),
            AckStatus(row["ack_status"]),
        ),
        count=row["total"],
    )


def _group(row: Row) -> Group:
    return Group(
        name=row["name"],
        count=row["total"],
        since=from_us(row["since"]),
        partner_id=None if row["partner_id"] is None else PartnerId(row["partner_id"]),
        partner_name=row["partner_name"],
    )
