"""The store of control numbers, over named queries."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    RangeExhaustedError,
)
from longshore.domain.control_numbers.store import Counter, NumberRequest
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql
from longshore.storage.times import from_us, to_us

Owner = tuple[AccountId, Environment]


class SqlControlNumberStore:
    """Counters as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def list(self, partner_ids: Sequence[tuple[str, str]]) -> Sequence[Counter]:
        found: list[Counter] = []
        for qualifier, peer_id in partner_ids:
            rows = await self._sql.fetch_all(
                "list_control_counters", qualifier=qualifier, peer_id=peer_id
            )
            found += map(_counter, rows)
        return found

    async def draw(self, owner: Owner, request: NumberRequest, now: datetime) -> tuple[int, ...]:
        await self._take_turn(owner, request.key)
        free: list[int] = []
        left = request.numbers.size
        while missing := request.count - len(free):
            if missing > left:
                raise RangeExhaustedError
            left -= missing
            drawn = await self._draw(owner, request, missing, now)
            used = await self._submitted(owner, request, drawn)
            free += (number for number in drawn if number not in used)
        return tuple(free)

    async def hold(self, owner: Owner, key: CounterKey, now: datetime) -> int | None:
        await self._take_turn(owner, key)
        row = await self._sql.fetch_one(
            "hold_control_counter",
            account_id=owner[0],
            environment=owner[1],
            now=to_us(now),
            **_named(key),
        )
        assert row is not None
        return row[0] or None

    async def used(self, owner: Owner, key: CounterKey, number: int) -> datetime | None:
        _, environment = owner
        if key.kind is NumberKind.ISA:
            row = await self._sql.fetch_one(
                "find_isa_number_use", environment=environment, number=number, **_pair(key)
            )
        elif key.kind is NumberKind.GS:
            row = await self._sql.fetch_one(
                "find_gs_number_use",
                environment=environment,
                own_id=key.own_id,
                peer_id=key.partner_id,
                number=number,
            )
        else:
            return None  # ST02 is unique within its group alone
        assert row is not None
        return from_us(row[0])

    async def _take_turn(self, owner: Owner, key: CounterKey) -> None:
        await self._sql.fetch_one("take_turn", key=json.dumps([*owner, *key]))

    async def _draw(
        self, owner: Owner, request: NumberRequest, count: int, now: datetime
    ) -> tuple[int, ...]:
        numbers = request.numbers
        row = await self._sql.fetch_one(
            "draw_control_numbers",
            account_id=owner[0],
            environment=owner[1],
            least=numbers.least,
            size=numbers.size,
            count=count,
            now=to_us(now),
            **_named(request.key),
        )
        assert row is not None
        return _up_to(row[0], count, numbers)

    async def _submitted(
        self, owner: Owner, request: NumberRequest, drawn: Collection[int]
    ) -> Collection[int]:
        """Return which numbers callers used, among others that were not drawn."""
        key, environment = request.key, owner[1]
        first, last, since = min(drawn), max(drawn), to_us(request.skip_since)
        if key.kind is NumberKind.ISA:
            rows = await self._sql.fetch_all(
                "list_submitted_isa_numbers",
                environment=environment,
                first=first,
                last=last,
                since=since,
                **_pair(key),
            )
        elif key.kind is NumberKind.GS:
            rows = await self._sql.fetch_all(
                "list_submitted_gs_numbers",
                environment=environment,
                own_id=key.own_id,
                peer_id=key.partner_id,
                first=first,
                last=last,
                since=since,
            )
        else:
            rows = ()
        return {row[0] for row in rows}


def _up_to(last: int, count: int, numbers: NumberRange) -> tuple[int, ...]:
    """Return the ``count`` numbers of which ``last`` is the last."""
    place = last - numbers.least
    return tuple(numbers.least + (place - back) % numbers.size for back in reversed(range(count)))


def _named(key: CounterKey) -> Mapping[str, str]:
    return {"kind": key.kind, **_pair(key)}


def _pair(key: CounterKey) -> Mapping[str, str]:
    return {
        "own_qualifier": key.own_qualifier,
        "own_id": key.own_id,
        "peer_qualifier": key.partner_qualifier,
        "peer_id": key.partner_id,
    }


def _counter(row: Row) -> Counter:
    return Counter(
        key=CounterKey(NumberKind(row[0]), *row[1:5]),
        environment=Environment(row[5]),
        last=row[6] or None,
        updated_at=from_us(row[7]),
    )
