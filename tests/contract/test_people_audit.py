"""What the audit log says of people, keys and the account: who did what; on both engines."""

import asyncio
from typing import Final

import pytest

from longshore.domain.accounts.errors import ApiKeyNotRotatableError
from longshore.domain.accounts.keys import KeyFacts
from longshore.domain.accounts.model import AccountId, AccountType, ApiKeyId
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.audit.service import AuditAdministration
from longshore.domain.ports import RequestContext, Scope
from longshore.domain.users.administration import open_set_up
from longshore.domain.users.authentication import IDLE_LIFE
from longshore.domain.users.errors import (
    InvalidLoginError,
    LastOwnerError,
    LinkNotFoundError,
    SessionNotFoundError,
    TooManyLoginsError,
)
from longshore.domain.users.login import MAX_SESSIONS, SetUp
from longshore.domain.users.model import Confirmation, UserId, UserRole
from longshore.domain.users.service import UserFacts
from longshore.domain.users.throttle import MAX_FAILURES_OF_PAIR
from longshore.kit.environment import Environment
from tests.support.clock import CountedIds, StoppedClock
from tests.support.database import Database
from tests.support.users import IP, PASSWORD, People, context_for

PATIENCE_SECONDS: Final = 10
OWN = AccountId(1)
DEMO = Scope(account_id=OWN, environment=None)
ADA, LIN = "ada@example.com", "lin@example.com"
OWNER = RequestContext(
    account_id=OWN,
    environment=Environment.SANDBOX,
    actor="user 1",
    ip=IP,
    request_id="req_1",
)


@pytest.fixture
async def people(database: Database, clock: StoppedClock, accounts: AccountService) -> People:
    await accounts.create("demo", AccountType.DEVELOPER)
    return People(database, clock)


async def audit_entries(database: Database) -> list[tuple[str, ...]]:
    """Return who did what to whom, from where, oldest first; the chain holds."""
    entries = await database.units.read(DEMO, lambda unit: unit.audit.list_after(OWN, 0, 100))
    assert (await AuditAdministration(database.units).verify(OWN)).broken_at is None
    found = [each.entry for each in entries]
    return [(each.actor, each.action, each.object, each.ip, each.request_id) for each in found]


async def noted(database: Database, count: int) -> None:
    """Wait until so many entries are there: those about refusals are not waited for."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(await audit_entries(database)) < count:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


async def test_logins_are_noted_with_their_place_and_refused_ones_of_a_user_too(
    people: People, database: Database
) -> None:
    await people.administration.create("demo", ADA, UserRole.OWNER, PASSWORD)
    for email, request_id in ((ADA, "req_1"), (LIN, "req_2")):  # nobody has the second address
        with pytest.raises(InvalidLoginError):
            await people.login.log_in(email, "another sentence", IP, request_id)
    await noted(database, 4)
    live = (await people.login.log_in(ADA, PASSWORD, IP, "req_3")).live
    with pytest.raises(InvalidLoginError):
        await people.login.change_password(
            live, "another sentence", "a third sentence of hers", IP, "req_4"
        )
    await noted(database, 6)
    await people.login.log_in(ADA, PASSWORD, IP, "req_5")
    assert await audit_entries(database) == [
        ("operator", "user.create", "user 1", "", ""),
        ("operator", "user.make_owner", "user 1", "", ""),
        ("operator", "user.set_password", "user 1", "", ""),
        ("visitor", "session.refuse", "user 1", IP, "req_1"),
        ("user 1", "session.begin", "user 1", IP, "req_3"),
        ("user 1", "user.refuse_confirmation", "user 1", IP, "req_4"),
        ("user 1", "session.begin", "user 1", IP, "req_5"),
    ]


async def test_the_last_failure_that_is_allowed_is_noted_and_none_after_it(
    people: People, database: Database
) -> None:
    await people.administration.create("demo", ADA, UserRole.OWNER, PASSWORD)
    before = len(await audit_entries(database))
    for number in range(MAX_FAILURES_OF_PAIR + 2):
        error = InvalidLoginError if number < MAX_FAILURES_OF_PAIR else TooManyLoginsError
        with pytest.raises(error):
            await people.login.log_in(ADA, "another sentence", IP, f"req_{number}")
    await noted(database, before + MAX_FAILURES_OF_PAIR + 1)
    await people.login.log_in(ADA, PASSWORD, "203.0.113.9", "req_7")
    found = [each[:3] for each in (await audit_entries(database))[before:]]
    assert sorted(found[:-1]) == [
        *[("visitor", "session.refuse", "user 1")] * MAX_FAILURES_OF_PAIR,
        ("visitor", "session.throttle", "user 1"),
    ]
    assert found[-1] == ("user 1", "session.begin", "user 1")


async def test_the_first_user_and_their_link_are_noted(
    people: People, database: Database, clock: StoppedClock
) -> None:
    issued = await open_set_up(database.units, clock, CountedIds("x"))
    assert issued is not None
    await people.login.set_up(SetUp(token=issued.token, email=ADA, password=PASSWORD), IP, "req_1")
    with pytest.raises(LinkNotFoundError):
        await people.login.set_up(SetUp(token=issued.token, email=ADA, password=PASSWORD), IP)
    by_themselves = ("user.create", "user.make_owner", "user.set_password", "session.begin")
    assert await audit_entries(database) == [
        ("operator", "user.issue_link", "account 1", "", ""),
        *(("user 1", action, "user 1", IP, "req_1") for action in by_themselves),
    ]


async def test_what_an_owner_does_to_others_is_noted_and_what_changes_nothing_is_not(
    people: People, database: Database
) -> None:
    await people.administration.create("demo", ADA, UserRole.OWNER, PASSWORD)
    before = len(await audit_entries(database))
    facts = UserFacts(email=LIN, role=UserRole.VIEWER, password=None)
    link = (await people.users.create(OWNER, facts)).link
    await people.users.change(OWNER, UserId(2), facts)
    changed = UserFacts(email="mae@example.com", role=UserRole.EDITOR, password=PASSWORD)
    await people.users.change(OWNER, UserId(2), changed)
    await people.users.remove(OWNER, UserId(2))
    with pytest.raises(LastOwnerError):
        await people.users.remove(OWNER, UserId(1))
    assert link is not None
    actions = [
        *("create", "make_viewer", "issue_link"),
        *("set_email", "make_editor", "set_password", "remove"),
    ]

    assert (await audit_entries(database))[before:] == [
        ("user 1", f"user.{action}", "user 2", IP, "req_1") for action in actions
    ]


async def test_a_new_password_is_noted_whoever_sets_it(people: People, database: Database) -> None:
    await people.administration.create("demo", ADA, UserRole.OWNER, PASSWORD)
    facts = UserFacts(email=LIN, role=UserRole.EDITOR, password=None)
    link = (await people.users.create(OWNER, facts)).link
    assert link is not None
    before = len(await audit_entries(database))
    chosen = SetUp(token=link.token, email=None, password=PASSWORD)
    live = (await people.login.set_up(chosen, IP)).live
    await people.login.change_password(live, PASSWORD, "another sentence", IP, "req_9")
    await people.administration.set_password(LIN, PASSWORD)
    assert [each[:3] for each in (await audit_entries(database))[before:]] == [
        ("user 2", "user.set_password", "user 2"),
        ("user 2", "session.begin", "user 2"),
        ("user 2", "user.set_password", "user 2"),
        ("user 2", "session.end", "user 2"),
        ("user 2", "session.begin", "user 2"),
        ("operator", "user.set_password", "user 2"),
        ("operator", "session.end", "user 2"),
    ]


async def test_each_session_that_somebody_ends_is_noted_once(
    people: People, database: Database
) -> None:
    live = [
        await people.sessions.authenticate(await people.with_session("demo", ADA, UserRole.OWNER)),
        *[(await people.login.log_in(ADA, PASSWORD, IP)).live for _ in range(3)],
    ]
    ada = live[0].caller(Environment.SANDBOX)
    await people.users.end_session(context_for(ada), ada, live[1].session.id)
    with pytest.raises(SessionNotFoundError):
        await people.users.end_session(context_for(ada), ada, live[1].session.id)
    for _ in range(2):
        await people.users.log_out(context_for(ada), ada)
    before = len(await audit_entries(database))
    await people.administration.set_password(ADA, PASSWORD)
    assert (await audit_entries(database))[before - 2 :] == [
        *[("user 1", "session.end", "user 1", IP, "req_1")] * 2,
        ("operator", "user.set_password", "user 1", "", ""),
        *[("operator", "session.end", "user 1", "", "")] * 2,
    ]


async def test_a_session_that_makes_room_is_noted_and_one_that_was_over_is_not(
    people: People, database: Database, clock: StoppedClock
) -> None:
    await people.administration.create("demo", ADA, UserRole.OWNER, PASSWORD)
    for _ in range(MAX_SESSIONS + 1):
        await people.login.log_in(ADA, PASSWORD, IP)
    ended = ("user 1", "session.end", "user 1", IP, "")
    assert (await audit_entries(database))[-2] == ended
    clock.move(IDLE_LIFE)
    await people.administration.set_password(ADA, PASSWORD)
    assert [each[1] for each in await audit_entries(database)].count("session.end") == 1


async def test_whoever_is_removed_is_logged_out_and_both_are_noted(
    people: People, database: Database
) -> None:
    await people.administration.create("demo", ADA, UserRole.OWNER, PASSWORD)
    await people.with_session("demo", LIN, UserRole.EDITOR)
    await people.users.remove(OWNER, UserId(2))
    assert [each[:3] for each in (await audit_entries(database))[-2:]] == [
        ("user 1", "session.end", "user 2"),
        ("user 1", "user.remove", "user 2"),
    ]


async def test_what_becomes_of_a_key_is_noted_whoever_does_it(
    people: People, database: Database, keys: KeyService
) -> None:
    secret = await people.with_session("demo", ADA, UserRole.OWNER)
    owner = (await people.sessions.authenticate(secret)).caller(Environment.SANDBOX)
    before = len(await audit_entries(database))
    who = Confirmation(user=owner, password=None, ip=IP, request_id="req_1")
    await people.own_keys.create(who, KeyFacts(environment=Environment.SANDBOX))
    await people.own_keys.rotate(who, ApiKeyId(1), 24)
    await people.own_keys.revoke(who, ApiKeyId(2))
    made = await keys.create("demo", Environment.SANDBOX)
    await keys.rotate(made.record.id)
    await keys.revoke(made.record.id)
    with pytest.raises(ApiKeyNotRotatableError):
        await keys.rotate(made.record.id)
    assert (await audit_entries(database))[before:] == [
        ("user 1", "key.create", "key 1", IP, "req_1"),
        ("user 1", "key.rotate", "key 1", IP, "req_1"),
        ("user 1", "key.revoke", "key 2", IP, "req_1"),
        ("operator", "key.create", "key 3", "", ""),
        ("operator", "key.rotate", "key 3", "", ""),
        ("operator", "key.revoke", "key 3", "", ""),
    ]


async def test_a_changed_account_is_noted_and_what_stays_is_not(
    database: Database, accounts: AccountService
) -> None:
    await accounts.create("demo", AccountType.DEVELOPER)
    await accounts.suspend("demo")
    await accounts.resume("demo")
    for plan in (AccountType.DEVELOPER, AccountType.ENTERPRISE, AccountType.ENTERPRISE):
        await accounts.set_plan("demo", plan)
    await accounts.set_retention("demo", 30)
    await accounts.set_own_retention(OWNER, 30)
    await accounts.set_own_retention(OWNER, None)
    assert (await accounts.own(DEMO)).retention_days is None
    assert await audit_entries(database) == [
        ("operator", "account.suspend", "account 1", "", ""),
        ("operator", "account.resume", "account 1", "", ""),
        ("operator", "account.set_plan", "account 1, plan enterprise", "", ""),
        ("operator", "account.set_retention", "account 1", "", ""),
        ("user 1", "account.set_retention", "account 1", IP, "req_1"),
    ]
