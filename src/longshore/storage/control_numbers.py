"""The store of control numbers, over named queries."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final, LiteralString, NamedTuple

from longshore.domain.control_numbers.numbers import (
    CounterKey,
    NumberKind,
    NumberRange,
    RangeExhaustedError,
)
from longshore.domain.control_numbers.store import (
    Allotment,
    Counter,
    MissingNumbers,
    MissingQuery,
    NumberRequest,
)
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql
from longshore.storage.times import from_us, to_us

Owner = tuple[AccountId, Environment]


class SqlControlNumberStore:
    """Counters as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def list(self, peers: Sequence[tuple[str, str]]) -> Sequence[Counter]:
        found: list[Counter] = []
        for qualifier, peer_id in peers:
            rows = await self._sql.fetch_all(
                "list_control_counters", qualifier=qualifier, peer_id=peer_id
            )
            found += map(_counter, rows)
        return found

    async def list_missing(self, query: MissingQuery) -> Sequence[MissingNumbers]:
        rows = await self._sql.fetch_all(
            "list_missing_isa_numbers",
            since=to_us(query.since),
            widest=query.widest + 1,
            most=query.most,
            **_pair(query.key),
        )
        return [
            MissingNumbers(
                kind=NumberKind.ISA,
                environment=Environment(row["environment"]),
                first=row["first_number"],
                last=row["last_number"],
                since=from_us(row["noticed_at"]),
            )
            for row in rows
        ]

    async def draw(self, owner: Owner, request: NumberRequest, now: datetime) -> Allotment:
        free: list[int] = []
        first = passed = 0
        while missing := request.count - len(free):
            if passed + missing > request.numbers.size:
                await self._go_back(owner, request, passed, now)
                raise RangeExhaustedError
            drawn = await self._draw(owner, request, missing, now)
            first = first or drawn[0]
            passed += missing
            used = await self._used(owner, request, drawn)
            free += (number for number in drawn if number not in used)
            if drawn[-1] in used:
                passed += await self._pass_used(owner, request, drawn[-1], now)
        return Allotment(numbers=tuple(free), before=first - 1)

    async def draw_even_if_used(
        self, owner: Owner, request: NumberRequest, now: datetime
    ) -> tuple[int, ...]:
        return await self._draw(owner, request, request.count, now)

    async def advance(
        self, owner: Owner, key: CounterKey, numbers: NumberRange, count: int, now: datetime
    ) -> int:
        return await self._move(owner, key, numbers, count, now)

    async def hold(self, owner: Owner, key: CounterKey, now: datetime) -> int | None:
        row = await self._sql.fetch_one(
            "hold_control_counter",
            now=to_us(now),
            **_counter_of(owner, key),
        )
        assert row is not None
        return row["last"] or None

    async def used(self, owner: Owner, key: CounterKey, number: int) -> datetime | None:
        query = _USES.get(key.kind)
        if query is None:
            return None
        row = await self._sql.fetch_one(
            query.latest, environment=owner[1], number=number, **_between(key)
        )
        assert row is not None
        used_at: int | None = row["used_at"]
        return from_us(used_at)

    async def _draw(
        self, owner: Owner, request: NumberRequest, count: int, now: datetime
    ) -> tuple[int, ...]:
        last = await self._move(owner, request.key, request.numbers, count, now)
        return _up_to(last, count, request.numbers)

    async def _move(
        self, owner: Owner, key: CounterKey, numbers: NumberRange, count: int, now: datetime
    ) -> int:
        """Move a counter on by so many numbers; return where it stands then."""
        row = await self._sql.fetch_one(
            "draw_control_numbers",
            least=numbers.least,
            size=numbers.size,
            count=(count - 1) % numbers.size + 1,
            now=to_us(now),
            **_counter_of(owner, key),
        )
        assert row is not None
        last: int = row["last"]
        return last

    async def _go_back(
        self, owner: Owner, request: NumberRequest, passed: int, now: datetime
    ) -> None:
        """Move the counter on to where it stood before it passed so many numbers."""
        rest = -passed % request.numbers.size
        if rest:
            await self._move(owner, request.key, request.numbers, rest, now)

    async def _used(
        self, owner: Owner, request: NumberRequest, drawn: Sequence[int]
    ) -> Collection[int]:
        """Return which of the numbers that were drawn are used, maybe among others."""
        query, found = _USES.get(request.key.kind), set[int]()
        if query is None:
            return found
        for first, last in _runs(drawn):
            rows = await self._sql.fetch_all(
                query.all_of, **_search(owner, request, (first, last)), **_between(request.key)
            )
            found.update(row["number"] for row in rows)
        return found

    async def _pass_used(
        self, owner: Owner, request: NumberRequest, last: int, now: datetime
    ) -> int:
        """Move the counter on from a used number to the last of those used that follow it at once.

        Return how many these are.
        """
        run = (last, request.numbers.most)
        (row,) = await self._sql.fetch_all(
            _USES[request.key.kind].ends_of,
            most=1,
            **_search(owner, request, run),
            **_between(request.key),
        )
        count: int = row["number"] - last
        if count:
            await self._move(owner, request.key, request.numbers, count, now)
        return count


class _Uses(NamedTuple):
    """The queries for the numbers in what was sent."""

    latest: LiteralString
    all_of: LiteralString
    ends_of: LiteralString


_USES: Final[Mapping[NumberKind, _Uses]] = {
    NumberKind.ISA: _Uses(
        "find_isa_number_use", "list_used_isa_numbers", "list_ends_of_used_isa_numbers"
    ),
    NumberKind.GS: _Uses(
        "find_gs_number_use", "list_used_gs_numbers", "list_ends_of_used_gs_numbers"
    ),
}
"""Of the kinds that are looked up: ST02 is unique within its group alone."""

_PAIR: Final = ("own_qualifier", "own_id", "peer_qualifier", "peer_id")
"""The columns of the two identities between which a counter counts."""


def _search(owner: Owner, request: NumberRequest, run: tuple[int, int]) -> Mapping[str, str | int]:
    """Return the parameters of a search for used numbers from the first to the last of a run."""
    return {
        "environment": owner[1],
        "first": run[0],
        "last": run[1],
        "since": to_us(request.skip_since),
    }


def _between(key: CounterKey) -> Mapping[str, str]:
    if key.kind is NumberKind.ISA:
        return _pair(key)
    return {"own_id": key.own_id, "peer_id": key.peer_id}


def _runs(drawn: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of the numbers up to the end of the range, and of those after.

    Asked for at once, all between the two would be looked through.
    """
    first = drawn[0]
    for before, number in pairwise(drawn):
        if number < before:
            yield first, before
            first = number
    yield first, drawn[-1]


def _up_to(last: int, count: int, numbers: NumberRange) -> tuple[int, ...]:
    """Return the ``count`` numbers of which ``last`` is the last."""
    place = last - numbers.least
    return tuple(numbers.least + (place - back) % numbers.size for back in reversed(range(count)))


def _counter_of(owner: Owner, key: CounterKey) -> Mapping[str, str | int]:
    """Return the parameters that name a counter, and the turn to change it."""
    return {
        "key": json.dumps([*owner, *key]),
        "account_id": owner[0],
        "environment": owner[1],
        "kind": key.kind,
        **_pair(key),
    }


def _pair(key: CounterKey) -> Mapping[str, str]:
    return {
        "own_qualifier": key.own_qualifier,
        "own_id": key.own_id,
        "peer_qualifier": key.peer_qualifier,
        "peer_id": key.peer_id,
    }


def _counter(row: Row) -> Counter:
    return Counter(
        key=CounterKey(NumberKind(row["kind"]), *(row[name] for name in _PAIR)),
        environment=Environment(row["environment"]),
        last=row["last"] or None,
        reserved=row["reserved"],
        updated_at=from_us(row["updated_at"]),
    )
