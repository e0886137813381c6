"""Keys in the hands of a user: whose password counts, and that others' keys are out of reach."""

from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.domain.accounts.keys import KeyFacts
from longshore.domain.accounts.model import AccountType, ApiKeyId, KeyStatus
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.users.model import Confirmation, UserId, UserRole
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.users import IP, PASSWORD, People

SANDBOX = KeyFacts(environment=Environment.SANDBOX, name="ci")


@pytest.fixture
def people(database: Database, clock: StoppedClock) -> People:
    return People(database, clock)


@pytest.fixture
async def owner(people: People, accounts: AccountService) -> Confirmation:
    await accounts.create("demo", AccountType.ENTERPRISE)
    secret = await people.with_session("demo", "owner@demo.example", UserRole.OWNER)
    live = await people.sessions.authenticate(secret)
    return Confirmation(user=live.caller(Environment.SANDBOX), password=PASSWORD, ip=IP)


async def test_a_page_of_the_sandbox_manages_production_keys(
    people: People, owner: Confirmation, clock: StoppedClock
) -> None:
    issued = await people.own_keys.create(owner, KeyFacts(environment=Environment.PRODUCTION))
    rotated = await people.own_keys.rotate(owner, issued.record.id, 1)
    await people.own_keys.revoke(owner, rotated.record.id)
    keys = await people.own_keys.list(owner.user.scope)
    assert [key.status(clock.now()) for key in keys] == [KeyStatus.GRACE, KeyStatus.REVOKED]
    assert {key.environment for key in keys} == {Environment.PRODUCTION}


async def test_the_password_of_whoever_has_the_address_now_is_not_that_of_the_user(
    people: People, owner: Confirmation, clock: StoppedClock
) -> None:
    clock.move(timedelta(minutes=11))
    somebody = replace(owner, user=replace(owner.user, user_id=UserId(99)))
    with pytest.raises(LongshoreError) as refusal:
        await people.own_keys.create(somebody, SANDBOX)
    assert refusal.value.code is ErrorCode.INVALID_LOGIN
    assert await people.own_keys.list(owner.user.scope) == ()
    assert (await people.own_keys.create(owner, SANDBOX)).record.name == "ci"


async def test_a_key_of_another_account_is_not_found(
    people: People, owner: Confirmation, accounts: AccountService, keys: KeyService
) -> None:
    await accounts.create("other", AccountType.DEVELOPER)
    foreign = (await keys.create("other", Environment.SANDBOX)).record
    for change in (
        people.own_keys.revoke(owner, foreign.id),
        people.own_keys.rotate(owner, foreign.id, 0),
        people.own_keys.revoke(owner, ApiKeyId(999)),
    ):
        with pytest.raises(LongshoreError, match="There is no such API key") as refusal:
            await change
        assert refusal.value.code is ErrorCode.NOT_FOUND
    assert await keys.list("other") == (foreign,)
    assert await people.own_keys.list(owner.user.scope) == ()


async def test_a_secret_shows_in_no_repr(people: People, owner: Confirmation) -> None:
    issued = await people.own_keys.create(owner, SANDBOX)
    rotated = await people.own_keys.rotate(owner, issued.record.id, 1)
    for value in (issued, rotated, owner):
        assert all(secret not in repr(value) for secret in (issued.key, rotated.key, PASSWORD))
