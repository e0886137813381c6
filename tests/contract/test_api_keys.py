"""API keys: issue, list, revoke, rotate."""

import asyncio
from collections.abc import Callable, Coroutine
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

import pytest

from longshore.domain.accounts.keys import looks_genuine
from longshore.domain.accounts.model import (
    ALL_SCOPES,
    AccountId,
    AccountType,
    ApiKey,
    ApiKeyId,
    IssuedKey,
    KeyScope,
    KeyStatus,
)
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.accounts.store import ApiKeyStore
from longshore.domain.ports import Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import CountedUnits, Database, Engine

T = TypeVar("T")


@pytest.fixture(autouse=True)
async def demo(accounts: AccountService) -> None:
    await accounts.create("demo", AccountType.DEVELOPER_PRO)


async def a_key(keys: KeyService, environment: Environment = Environment.SANDBOX) -> IssuedKey:
    return await keys.create("demo", environment)


async def test_an_issued_key_is_genuine_and_its_record_is_what_is_listed(keys: KeyService) -> None:
    ends_at = START + timedelta(days=90)
    issued = await keys.create(
        "DEMO", Environment.PRODUCTION, name="ci", scopes={KeyScope.READ}, expires_at=ends_at
    )
    assert looks_genuine(issued.key)
    assert issued.record == ApiKey(
        id=ApiKeyId(1),
        account_id=AccountId(1),
        environment=Environment.PRODUCTION,
        prefix=issued.key[:13],
        last_four=issued.key[-4:],
        scopes=frozenset({KeyScope.READ}),
        created_at=START,
        expires_at=ends_at,
        name="ci",
    )
    assert await keys.list() == await keys.list("Demo") == (issued.record,)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x" * 65, "The name of a key has at most 64 characters, not 65."),
        (" ci", "The name of a key has no control characters and no spaces at its ends."),
        ("c\ni", "The name of a key has no control characters and no spaces at its ends."),
    ],
)
async def test_a_key_with_an_impossible_name_is_not_stored(
    keys: KeyService, name: str, message: str
) -> None:
    with pytest.raises(LongshoreError) as refusal:
        await keys.create("demo", Environment.SANDBOX, name=name)
    assert (refusal.value.code, refusal.value.message) == (ErrorCode.INVALID_PARAMETER, message)
    assert refusal.value.details[0].param == "name"
    assert await keys.list() == ()


async def test_the_environment_shows_in_the_key_and_every_scope_is_the_default(
    keys: KeyService,
) -> None:
    sandbox, production = [await a_key(keys, environment) for environment in Environment]
    assert (sandbox.key[:9], production.key[:9]) == ("svc_test_", "svc_live_")
    assert sandbox.record.scopes == production.record.scopes == ALL_SCOPES


@pytest.mark.parametrize(
    ("account", "scopes", "expires_at", "code", "message"),
    [
        pytest.param(
            "nobody",
            ALL_SCOPES,
            None,
            ErrorCode.NOT_FOUND,
            "There is no account 'nobody'. List them with 'longshore accounts list'.",
            id="account",
        ),
        pytest.param(
            "demo",
            frozenset[KeyScope](),
            None,
            ErrorCode.INVALID_PARAMETER,
            "A key needs at least one scope.",
            id="scopes",
        ),
        pytest.param(
            "demo",
            ALL_SCOPES,
            START,
            ErrorCode.INVALID_PARAMETER,
            "The expiry of a key lies in the future; this one has passed.",
            id="expires_at",
        ),
        pytest.param(
            "demo",
            ALL_SCOPES,
            START + timedelta(days=3650, microseconds=1),
            ErrorCode.INVALID_PARAMETER,
            "A key that expires does so within 3,650 days; without an expiry it works until it is "
            "revoked.",
            id="too far",
        ),
    ],
)
async def test_a_refused_key_is_not_stored(
    keys: KeyService,
    account: str,
    scopes: AbstractSet[KeyScope],
    expires_at: datetime | None,
    code: ErrorCode,
    message: str,
) -> None:
    with pytest.raises(LongshoreError) as refusal:
        await keys.create(account, Environment.SANDBOX, scopes=scopes, expires_at=expires_at)
    assert (refusal.value.code, refusal.value.message) == (code, message)
    assert await keys.list() == ()


async def test_keys_of_one_account_are_listed_alone(
    keys: KeyService, accounts: AccountService, database: Database
) -> None:
    other = await accounts.create("other", AccountType.DEVELOPER)
    own = await a_key(keys)
    foreign = await keys.create("other", Environment.SANDBOX)
    assert await keys.list("other") == (foreign.record,)
    assert await keys.list() == (own.record, foreign.record)

    async def visible(unit: ReadUnit) -> list[object]:
        return [await unit.api_keys.find(own.record.id), *await unit.api_keys.list(None)]

    scope = Scope(account_id=other.id, environment=Environment.SANDBOX)
    assert await database.units.read(scope, visible) == [None, foreign.record]


async def test_the_keys_of_an_unknown_account_are_not_listed(keys: KeyService) -> None:
    with pytest.raises(LongshoreError, match="There is no account 'nobody'"):
        await keys.list("nobody")


async def test_a_key_is_revoked_once(keys: KeyService, clock: StoppedClock) -> None:
    issued = await a_key(keys)
    revoked = replace(issued.record, revoked_at=START)
    assert await keys.revoke(issued.record.id) == revoked
    clock.move(timedelta(hours=1))
    assert await keys.revoke(issued.record.id) == revoked
    assert revoked.status(START) is KeyStatus.REVOKED


@pytest.mark.parametrize("key_id", [-1, 0, 2, 2**63 - 1, 2**63, 10**30])
async def test_an_id_without_a_key_is_not_found(keys: KeyService, key_id: int) -> None:
    issued = await a_key(keys)
    for change in (keys.revoke, keys.rotate):
        with pytest.raises(LongshoreError) as refusal:
            await change(ApiKeyId(key_id))
        assert (refusal.value.code, refusal.value.message) == (
            ErrorCode.NOT_FOUND,
            f"There is no API key {key_id}. List them with 'longshore keys list'.",
        )
    assert await keys.list() == (issued.record,)


@pytest.mark.parametrize("hours", [1, 24, 168])
async def test_rotation_leaves_the_old_key_a_grace_and_copies_its_rights(
    keys: KeyService, hours: int
) -> None:
    old = await keys.create("demo", Environment.SANDBOX, name="ci", scopes={KeyScope.CONVERT})
    new = await keys.rotate(old.record.id, hours)
    listed_old, listed_new = await keys.list()
    ends_at = START + timedelta(hours=hours)
    assert listed_old == replace(old.record, expires_at=ends_at, replaced_by=new.record.id)
    assert listed_new == new.record
    assert (new.old_expires_at, new.record.name) == (ends_at, "ci")
    assert (new.record.scopes, new.record.expires_at) == (frozenset({KeyScope.CONVERT}), None)
    assert new.key[:9] == "svc_test_"
    assert new.key != old.key
    assert listed_old.status(ends_at - timedelta(microseconds=1)) is KeyStatus.GRACE
    assert listed_old.status(ends_at) is KeyStatus.EXPIRED


async def test_rotation_without_overlap_revokes_the_old_key(keys: KeyService) -> None:
    old = await a_key(keys)
    await keys.rotate(old.record.id, 0)
    assert [key.status(START) for key in await keys.list()] == [
        KeyStatus.REVOKED,
        KeyStatus.ACTIVE,
    ]


async def test_rotation_starts_the_same_lifetime_anew_and_never_lengthens_the_old_one(
    keys: KeyService, clock: StoppedClock
) -> None:
    old = await keys.create("demo", Environment.SANDBOX, expires_at=START + timedelta(days=90))
    clock.move(timedelta(days=89, hours=20))
    new = await keys.rotate(old.record.id, 24)
    assert new.record.expires_at == clock.now() + timedelta(days=90)
    assert (await keys.list())[0].expires_at == old.record.expires_at


@pytest.mark.parametrize("hours", [-1, 169])
async def test_an_overlap_outside_seven_days_is_refused(keys: KeyService, hours: int) -> None:
    issued = await a_key(keys)
    with pytest.raises(LongshoreError) as refusal:
        await keys.rotate(issued.record.id, hours)
    assert (refusal.value.code, refusal.value.message) == (
        ErrorCode.INVALID_PARAMETER,
        "The overlap of a rotation is 0 to 168 hours (seven days).",
    )
    assert refusal.value.details[0].param == "overlap_hours"
    assert await keys.list() == (issued.record,)


@pytest.mark.parametrize("status", [KeyStatus.REVOKED, KeyStatus.EXPIRED, KeyStatus.GRACE])
async def test_only_an_active_key_is_rotated(
    keys: KeyService, clock: StoppedClock, status: KeyStatus
) -> None:
    ends_at = START + timedelta(days=1)
    issued = await keys.create("demo", Environment.SANDBOX, expires_at=ends_at)
    if status is KeyStatus.REVOKED:
        await keys.revoke(issued.record.id)
    elif status is KeyStatus.EXPIRED:
        clock.move(timedelta(days=1))
    else:
        await keys.rotate(issued.record.id)
    before = await keys.list()
    with pytest.raises(LongshoreError) as refusal:
        await keys.rotate(issued.record.id)
    assert (refusal.value.code, refusal.value.message) == (
        ErrorCode.INVALID_STATE,
        f"API key 1 is {status}; only an active key is rotated. Make a new one instead.",
    )
    assert await keys.list() == before


async def test_of_eight_rotations_at_once_one_wins(keys: KeyService) -> None:
    issued = await a_key(keys)
    answers = await asyncio.gather(
        *(keys.rotate(issued.record.id) for _ in range(8)), return_exceptions=True
    )
    assert sum(isinstance(answer, IssuedKey) for answer in answers) == 1
    assert {getattr(answer, "code", None) for answer in answers} == {None, ErrorCode.INVALID_STATE}
    assert len(await keys.list()) == 2


@dataclass(frozen=True)
class LateKeys:
    """The keys of a unit, one of which is revoked right after it is first found."""

    inner: ApiKeyStore

    async def find(self, key_id: ApiKeyId) -> ApiKey | None:
        found = await self.inner.find(key_id)
        await self.inner.revoke(key_id, START)
        return found

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


class LateUnits(CountedUnits):
    """Units in which another transaction comes in between, as it may on PostgreSQL."""

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        async def late(unit: WriteUnit) -> T:
            # All other methods are the inner store's; the type checker cannot see that.
            api_keys: Any = LateKeys(unit.api_keys)
            return await work(replace(unit, api_keys=api_keys))

        return await super().write(scope, late)


async def test_a_key_that_is_revoked_while_it_is_rotated_is_not_rotated(
    database: Database, keys: KeyService, clock: StoppedClock
) -> None:
    issued = await a_key(keys)
    late = KeyService(LateUnits(database.units), clock, CountedIds("late"), database.revocations)
    with pytest.raises(LongshoreError, match="API key 1 is changed meanwhile") as refusal:
        await late.rotate(issued.record.id)
    assert refusal.value.code is ErrorCode.INVALID_STATE
    assert await keys.list() == (issued.record,)


async def test_nothing_on_the_disk_holds_a_usable_key(engine: Engine, keys: KeyService) -> None:
    issued = [await a_key(keys, environment) for environment in Environment]
    issued.append(await keys.rotate(issued[0].record.id))
    dump = await engine.dump()
    for one in issued:
        assert one.record.prefix.encode() in dump  # the dump is the one that was asked for
        assert one.key.encode() not in dump
        assert one.key[9:39].encode() not in dump
        assert one.key not in repr(one)
