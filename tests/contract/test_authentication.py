"""Who is let in, for how long, and at what cost to the database."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import TypeVar

import pytest

from longshore.domain.accounts import authentication
from longshore.domain.accounts.authentication import Authenticator
from longshore.domain.accounts.errors import INVALID_API_KEY_TEXT
from longshore.domain.accounts.keys import new_key
from longshore.domain.accounts.model import ALL_SCOPES, AccountType, ApiCaller, IssuedKey
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.ports import Scope
from longshore.domain.units import ReadUnit
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import CountedUnits, Database, Engine, SqliteEngine
from tests.support.plans import key_beyond_plan

T = TypeVar("T")

MICROSECOND = timedelta(microseconds=1)
INVALID = (ErrorCode.INVALID_API_KEY, INVALID_API_KEY_TEXT)
SUSPENDED = (
    ErrorCode.ACCOUNT_SUSPENDED,
    "This account is suspended. Ask the operator of the service to resume it.",
)
PLAN_REQUIRED = (
    ErrorCode.PLAN_REQUIRED,
    (
        "Production needs an account of type developer-pro or enterprise."
        " Use the sandbox, or ask the operator for another plan (longshore accounts set-plan)."
    ),
)


@pytest.fixture
async def issued(accounts: AccountService, keys: KeyService) -> IssuedKey:
    await accounts.create("demo", AccountType.DEVELOPER)
    return await keys.create("demo", Environment.SANDBOX)


async def refusal(authenticator: Authenticator, key: str) -> tuple[ErrorCode, str]:
    with pytest.raises(LongshoreError) as refused:
        await authenticator.authenticate(key)
    return refused.value.code, refused.value.message


async def test_a_good_key_stands_for_its_caller(
    authenticator: Authenticator, issued: IssuedKey
) -> None:
    caller = await authenticator.authenticate(issued.key)
    assert caller == ApiCaller(
        account_id=issued.record.account_id,
        account_name="demo",
        account_type=AccountType.DEVELOPER,
        environment=Environment.SANDBOX,
        key_id=issued.record.id,
        scopes=ALL_SCOPES,
    )
    assert caller.scope == Scope(
        account_id=issued.record.account_id, environment=Environment.SANDBOX
    )


async def test_malformed_unknown_revoked_and_expired_keys_get_one_and_the_same_answer(
    authenticator: Authenticator, issued: IssuedKey, keys: KeyService, clock: StoppedClock
) -> None:
    unknown = new_key(Environment.SANDBOX, CountedIds("elsewhere"))
    short_lived = await keys.create("demo", Environment.SANDBOX, expires_at=START + MICROSECOND)
    await authenticator.authenticate(short_lived.key)
    await keys.revoke(issued.record.id)
    clock.move(MICROSECOND)
    for key in ("", "svc_test_", issued.key[:-1], unknown, issued.key, short_lived.key):
        assert await refusal(authenticator, key) == INVALID


async def test_random_keys_with_a_good_prefix_cost_no_look_at_the_database(
    authenticator: Authenticator, units: CountedUnits
) -> None:
    ids = CountedIds()
    for _ in range(5_000):
        guess = "svc_test_" + ids.token_bytes(18).hex()
        assert await refusal(authenticator, guess) == INVALID
    assert (units.reads, units.writes, units.deferred) == (0, 0, 0)


@pytest.mark.parametrize(
    ("account_type", "answer"),
    [
        (AccountType.DEVELOPER, PLAN_REQUIRED),
        (AccountType.DEVELOPER_PRO, None),
        (AccountType.ENTERPRISE, None),
    ],
)
async def test_a_production_key_needs_a_plan_that_has_production(
    authenticator: Authenticator,
    accounts: AccountService,
    database: Database,
    clock: StoppedClock,
    account_type: AccountType,
    answer: tuple[ErrorCode, str] | None,
) -> None:
    await accounts.create("shop", account_type)
    issued = await key_beyond_plan(database, CountedIds(), clock, "shop")
    if answer is None:
        caller = await authenticator.authenticate(issued.key)
        assert caller.environment is Environment.PRODUCTION
    else:
        assert await refusal(authenticator, issued.key) == answer


async def test_a_suspended_account_is_refused_from_the_next_request_on_until_resumed(
    authenticator: Authenticator, issued: IssuedKey, accounts: AccountService
) -> None:
    await authenticator.authenticate(issued.key)
    await accounts.suspend("demo")
    assert await refusal(authenticator, issued.key) == SUSPENDED
    await accounts.resume("demo")
    assert (await authenticator.authenticate(issued.key)).account_name == "demo"


async def test_a_changed_plan_counts_from_the_next_request_on(
    authenticator: Authenticator, accounts: AccountService, keys: KeyService
) -> None:
    await accounts.create("shop", AccountType.ENTERPRISE)
    issued = await keys.create("shop", Environment.PRODUCTION)
    assert (await authenticator.authenticate(issued.key)).account_type is AccountType.ENTERPRISE
    assert (await accounts.set_plan("SHOP", AccountType.DEVELOPER)).name == "shop"
    assert (await refusal(authenticator, issued.key))[0] == ErrorCode.PLAN_REQUIRED
    await accounts.set_plan("shop", AccountType.DEVELOPER_PRO)
    assert (await authenticator.authenticate(issued.key)).environment is Environment.PRODUCTION


async def test_a_revoked_key_of_a_suspended_account_is_not_told_from_an_unknown_one(
    authenticator: Authenticator, issued: IssuedKey, accounts: AccountService, keys: KeyService
) -> None:
    await keys.revoke(issued.record.id)
    await accounts.suspend("demo")
    assert await refusal(authenticator, issued.key) == INVALID


async def test_a_revocation_through_another_process_is_heard(
    authenticator: Authenticator,
    issued: IssuedKey,
    engine: Engine,
    database: Database,
    clock: StoppedClock,
) -> None:
    await authenticator.authenticate(issued.key)
    before = database.revocations.count()
    async with engine.open() as beside:
        keys = KeyService(beside.units, clock, CountedIds("beside"), beside.revocations)
        await keys.revoke(issued.record.id)
    async with asyncio.timeout(30):
        while database.revocations.count() == before:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    assert await refusal(authenticator, issued.key) == INVALID


class Unheard:
    """Revocations that nobody hears, as when a process dies between commit and announcement."""

    def count(self) -> int:
        return 0

    def announce(self) -> None:
        pass


async def test_a_revocation_that_nobody_heard_holds_after_five_seconds(
    authenticator: Authenticator, issued: IssuedKey, database: Database, clock: StoppedClock
) -> None:
    await authenticator.authenticate(issued.key)
    await KeyService(database.units, clock, CountedIds(), Unheard()).revoke(issued.record.id)
    clock.move(timedelta(seconds=5) - MICROSECOND)
    await authenticator.authenticate(issued.key)
    clock.move(MICROSECOND)
    assert await refusal(authenticator, issued.key) == INVALID


REVOKE = """
import asyncio, sys
from pathlib import Path
from longshore.domain.accounts.service import KeyService
from longshore.kit.clock import SystemClock
from longshore.kit.ids import SystemIdSource
from longshore.storage.sqlite.database import open_database

with open_database(Path(sys.argv[1])) as database:
    keys = KeyService(database.units, SystemClock(), SystemIdSource(), database.revocations)
    asyncio.run(keys.revoke(int(sys.argv[2])))
"""


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
async def test_a_revocation_by_another_process_holds_from_the_next_request_on(
    authenticator: Authenticator, issued: IssuedKey, engine: SqliteEngine, units: CountedUnits
) -> None:
    for _ in range(2):
        await authenticator.authenticate(issued.key)
    assert units.reads == 1  # the clock stands still: only the announcement can tell
    command = [sys.executable, "-c", REVOKE, str(engine.place), str(issued.record.id)]
    subprocess.run(command, check=True, timeout=60)  # noqa: ASYNC221 - nothing else runs here
    assert await refusal(authenticator, issued.key) == INVALID


async def test_a_key_expires_to_the_microsecond_though_it_is_cached(
    authenticator: Authenticator, keys: KeyService, clock: StoppedClock, issued: IssuedKey
) -> None:
    assert issued.record.expires_at is None
    ends_at = START + timedelta(seconds=1)
    short_lived = await keys.create("demo", Environment.SANDBOX, expires_at=ends_at)
    clock.move(timedelta(seconds=1) - MICROSECOND)
    await authenticator.authenticate(short_lived.key)
    clock.move(MICROSECOND)
    assert await refusal(authenticator, short_lived.key) == INVALID


async def test_a_rotated_key_works_for_exactly_the_overlap(
    authenticator: Authenticator, keys: KeyService, clock: StoppedClock, issued: IssuedKey
) -> None:
    await authenticator.authenticate(issued.key)
    fresh = await keys.rotate(issued.record.id, 2)
    clock.move(timedelta(hours=2) - MICROSECOND)
    assert (await authenticator.authenticate(issued.key)).key_id == issued.record.id
    clock.move(MICROSECOND)
    assert await refusal(authenticator, issued.key) == INVALID
    assert (await authenticator.authenticate(fresh.key)).key_id == fresh.record.id


async def test_a_key_rotated_without_overlap_is_refused_at_once(
    authenticator: Authenticator, keys: KeyService, issued: IssuedKey
) -> None:
    await authenticator.authenticate(issued.key)
    fresh = await keys.rotate(issued.record.id, 0)
    assert await refusal(authenticator, issued.key) == INVALID
    await authenticator.authenticate(fresh.key)


@pytest.mark.parametrize(
    ("step", "reads"),
    [(timedelta(seconds=5) - MICROSECOND, 1), (timedelta(seconds=5), 2), (-MICROSECOND, 2)],
    ids=["within five seconds", "after five seconds", "clock set back"],
)
async def test_what_the_database_said_is_kept_for_five_seconds(
    authenticator: Authenticator,
    issued: IssuedKey,
    clock: StoppedClock,
    units: CountedUnits,
    *,
    step: timedelta,
    reads: int,
) -> None:
    await authenticator.authenticate(issued.key)
    clock.move(step)
    await authenticator.authenticate(issued.key)
    assert units.reads == reads


async def test_the_cache_is_bounded_and_the_oldest_key_gives_way(
    authenticator: Authenticator,
    keys: KeyService,
    issued: IssuedKey,
    units: CountedUnits,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(authentication, "CACHE_MAX_KEYS", 2)
    others = [await keys.create("demo", Environment.SANDBOX) for _ in range(2)]
    for key in (issued, *others):
        await authenticator.authenticate(key.key)
    for key in reversed(others):
        await authenticator.authenticate(key.key)
    assert units.reads == 3
    await authenticator.authenticate(issued.key)
    assert units.reads == 4


class RevokedMeanwhile(CountedUnits):
    """Another process revokes right after each look-up."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.units)
        self._revocations = database.revocations

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        found = await super().read(scope, work)
        self._revocations.announce()
        return found


async def test_what_was_read_before_a_revocation_is_not_kept(
    database: Database, clock: StoppedClock, issued: IssuedKey
) -> None:
    units = RevokedMeanwhile(database)
    authenticator = Authenticator(units, clock, database.revocations)
    for _ in range(3):
        await authenticator.authenticate(issued.key)
    assert units.reads == 3


class AnotherRequestMeanwhile(CountedUnits):
    """During the first look-up a right is taken away and another request notices it."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.units)
        self._revocations = database.revocations
        self.another: Coroutine[object, None, ApiCaller] | None = None

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        found = await super().read(scope, work)
        if self.another is not None:
            another, self.another = self.another, None
            self._revocations.announce()
            await another
        return found


async def test_what_was_read_before_a_revocation_is_not_kept_though_others_saw_it_first(
    database: Database, clock: StoppedClock, keys: KeyService, issued: IssuedKey
) -> None:
    units = AnotherRequestMeanwhile(database)
    authenticator = Authenticator(units, clock, database.revocations)
    other = await keys.create("demo", Environment.SANDBOX)
    units.another = authenticator.authenticate(other.key)
    await authenticator.authenticate(issued.key)
    assert units.reads == 2
    await authenticator.authenticate(other.key)
    assert units.reads == 2
    await authenticator.authenticate(issued.key)
    assert units.reads == 3


async def test_use_is_recorded_once_a_minute_and_not_waited_for(
    engine: Engine, issued: IssuedKey, clock: StoppedClock
) -> None:
    async with engine.open() as database:  # its end runs what was deferred
        units = CountedUnits(database.units)
        authenticator = Authenticator(units, clock, database.revocations)
        for _ in range(60):
            await authenticator.authenticate(issued.key)
            clock.move(timedelta(seconds=1))
        assert (units.deferred, units.writes) == (1, 0)
        await authenticator.authenticate(issued.key)
        assert units.deferred == 2
    async with engine.open() as database:
        keys = KeyService(database.units, clock, CountedIds(), database.revocations)
        assert (await keys.list())[0].last_used_at == START + timedelta(minutes=1)


async def test_a_refused_key_counts_as_not_used(
    authenticator: Authenticator, issued: IssuedKey, keys: KeyService, units: CountedUnits
) -> None:
    await keys.revoke(issued.record.id)
    await refusal(authenticator, issued.key)
    assert units.deferred == 0
