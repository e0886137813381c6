"""Users, sessions and one-time links, on every engine."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import timedelta
from typing import TypeVar

import pytest

from longshore.crypto.passwords import Argon2Hasher
from longshore.domain.accounts.model import Account, AccountId, AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.ports import SYSTEM, RequestContext, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.users import authentication, login, service
from longshore.domain.users.administration import open_set_up
from longshore.domain.users.changes import LINK_LIFE
from longshore.domain.users.errors import (
    EmailTakenError,
    InvalidLoginError,
    LastOwnerError,
    LinkNotFoundError,
    NotLoggedInError,
    TooManyUsersError,
)
from longshore.domain.users.login import SetUp
from longshore.domain.users.model import LinkId, LiveSession, SessionUser, User, UserRole
from longshore.domain.users.passwords import digest
from longshore.domain.users.service import UserFacts
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.storage.queries import Query
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import CountedUnits, Database, Engine
from tests.support.users import IP, PASSWORD, People, context_for

DEMO = Scope(account_id=AccountId(1), environment=None)
OWNER = RequestContext(account_id=AccountId(1), environment=Environment.SANDBOX, actor="user 1")
WRITERS = 8

T = TypeVar("T")


@pytest.fixture
async def demo(accounts: AccountService) -> Account:
    return await accounts.create("demo", AccountType.DEVELOPER)


@pytest.fixture
def people(database: Database, clock: StoppedClock, demo: Account) -> People:
    assert demo.id == 1
    return People(database, clock)


async def a_caller(people: People, email: str, role: UserRole = UserRole.OWNER) -> SessionUser:
    secret = await people.with_session("demo", email, role)
    return (await people.sessions.authenticate(secret)).caller(Environment.SANDBOX)


async def outcomes(attempts: Sequence[Awaitable[object]]) -> tuple[int, list[object]]:
    """Return how many did it, and how the others ended."""
    results = await asyncio.gather(*attempts, return_exceptions=True)
    refusals = [each.code for each in results if isinstance(each, LongshoreError)]
    faults = [each for each in results if isinstance(each, Exception)]
    assert len(faults) == len(refusals), faults
    return len(results) - len(faults), list(dict.fromkeys(refusals))


async def test_a_created_user_is_listed_with_the_account(people: People, demo: Account) -> None:
    made = await people.administration.create("DEMO", "Ada@example.com", UserRole.OWNER, PASSWORD)
    assert made == User(
        id=made.id,
        account_id=demo.id,
        email="Ada@example.com",
        role=UserRole.OWNER,
        has_password=True,
        created_at=START,
    )
    assert await people.administration.list() == [(made, demo)]


async def test_a_session_is_what_its_login_said(people: People) -> None:
    secret = await people.with_session("demo", "ada@example.com", UserRole.EDITOR)
    live = await people.sessions.authenticate(secret)
    session, user = live.session, live.user
    assert (session.ip, session.created_at, session.last_seen_at) == (IP, START, START)
    assert session.expires_at == START + timedelta(hours=12)
    assert (user.role, user.last_login_at) == (UserRole.EDITOR, START)
    with pytest.raises(NotLoggedInError):
        await people.sessions.authenticate(secret[:-1] + ("A" if secret[-1] != "A" else "B"))


async def test_what_is_stored_opens_nothing(
    people: People, engine: Engine, database: Database, clock: StoppedClock
) -> None:
    issued = await open_set_up(database.units, clock, CountedIds("x"))
    assert issued is not None
    secret = await people.with_session("demo", "ada@example.com", UserRole.OWNER)
    dump = await engine.dump()
    for text in (secret, issued.token, PASSWORD):
        assert text.encode() not in dump
    assert b"ada@example.com" in dump
    assert b"$argon2id$v=19$m=8,t=1,p=1$" in dump


async def test_an_address_belongs_to_one_user_of_all_accounts(
    people: People, accounts: AccountService
) -> None:
    await accounts.create("other", AccountType.DEVELOPER)
    owner = await a_caller(people, "ada@example.com")
    await people.administration.create("other", "lin@example.com", UserRole.OWNER, PASSWORD)
    taken = UserFacts(email="LIN@example.com", role=UserRole.OWNER, password=None)
    with pytest.raises(EmailTakenError):
        await people.users.create(context_for(owner), taken)
    with pytest.raises(EmailTakenError):
        await people.users.change(context_for(owner), owner.user_id, taken)
    with pytest.raises(EmailTakenError):
        await people.administration.create("demo", "Lin@example.com", UserRole.OWNER, PASSWORD)
    assert [user.email for user, _ in await people.administration.list()] == [
        "ada@example.com", "lin@example.com",
    ]  # fmt: skip


async def test_an_account_is_full_at_its_limit(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_USERS", 2)
    first, second, third = (
        UserFacts(email=f"{name}@example.com", role=UserRole.VIEWER, password=None)
        for name in "abc"
    )
    await people.users.create(OWNER, first)
    await people.users.create(OWNER, second)
    with pytest.raises(TooManyUsersError):
        await people.users.create(OWNER, third)
    assert len(await people.users.list(DEMO)) == 2


async def test_a_session_is_read_once_in_five_seconds_and_its_use_noted_once_a_minute(
    people: People, units: CountedUnits, database: Database, clock: StoppedClock
) -> None:
    secret = await people.with_session("demo", "ada@example.com", UserRole.OWNER)
    sessions = authentication.SessionAuthenticator(units, clock, database.revocations)
    for _ in range(3):
        await sessions.authenticate(secret)
    assert (units.reads, units.deferred) == (1, 0)
    clock.move(timedelta(seconds=59))
    await sessions.authenticate(secret)
    assert (units.reads, units.deferred) == (2, 0)
    clock.move(timedelta(seconds=1))
    for _ in range(3):
        await sessions.authenticate(secret)
    assert (units.reads, units.deferred) == (2, 1)


async def test_guesses_of_no_shape_reach_no_database(
    units: CountedUnits, database: Database, clock: StoppedClock
) -> None:
    sessions = authentication.SessionAuthenticator(units, clock, database.revocations)
    for guess in ("", "A" * 42, "é" * 43):
        with pytest.raises(NotLoggedInError):
            await sessions.authenticate(guess)
    assert units.reads == 0


async def test_the_cache_is_bounded(
    people: People,
    units: CountedUnits,
    database: Database,
    clock: StoppedClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(authentication, "CACHE_MAX_SESSIONS", 1)
    secrets = [
        await people.with_session("demo", f"{name}@example.com", UserRole.VIEWER) for name in "ab"
    ]
    sessions = authentication.SessionAuthenticator(units, clock, database.revocations)
    for secret in secrets * 2:
        await sessions.authenticate(secret)
    assert units.reads == 4


async def test_what_another_process_takes_away_is_gone_at_once(
    people: People, accounts: AccountService
) -> None:
    secret = await people.with_session("demo", "ada@example.com", UserRole.OWNER)
    live: LiveSession = await people.sessions.authenticate(secret)
    await accounts.suspend("demo")
    with pytest.raises(LongshoreError) as refused:
        await people.sessions.authenticate(secret)
    assert refused.value.code is ErrorCode.ACCOUNT_SUSPENDED
    await accounts.resume("demo")
    assert (await people.sessions.authenticate(secret)).user == live.user
    await people.administration.set_password("ADA@example.com", "another sentence")
    with pytest.raises(NotLoggedInError):
        await people.sessions.authenticate(secret)


async def test_a_logout_while_the_session_is_read_holds(
    people: People, database: Database, clock: StoppedClock
) -> None:
    secret = await people.with_session("demo", "ada@example.com", UserRole.OWNER)
    live = await people.sessions.authenticate(secret)

    class LoggingOut(CountedUnits):
        async def read(
            self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]
        ) -> T:
            found = await super().read(scope, work)
            if self.reads == 1:
                caller = live.caller(Environment.SANDBOX)
                await people.users.log_out(context_for(caller), caller)
                with pytest.raises(NotLoggedInError):  # a page that asks meanwhile
                    await sessions.authenticate(secret)
            return found

    sessions = authentication.SessionAuthenticator(
        LoggingOut(database.units), clock, database.revocations
    )
    await sessions.authenticate(secret)  # read before it was over
    with pytest.raises(NotLoggedInError):
        await sessions.authenticate(secret)


async def test_old_sessions_of_a_user_are_deleted_at_the_next_login(
    people: People, clock: StoppedClock
) -> None:
    owner = await a_caller(people, "ada@example.com")
    clock.move(timedelta(minutes=29))
    await people.login.log_in("ada@example.com", PASSWORD, IP)
    clock.move(timedelta(minutes=1))
    await people.login.log_in("ada@example.com", PASSWORD, IP)
    found = await people.users.sessions(owner)
    assert [each.created_at - START for each in found] == [
        timedelta(minutes=29), timedelta(minutes=30),
    ]  # fmt: skip


async def test_the_newest_sessions_of_a_user_stay_and_the_oldest_end(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "MAX_SESSIONS", 2)
    other = await people.with_session("demo", "lin@example.com", UserRole.OWNER)
    secrets = [await people.with_session("demo", "ada@example.com", UserRole.OWNER)]
    for _ in range(3):
        for known in secrets[-2:]:  # so that the authenticator keeps them
            await people.sessions.authenticate(known)
        secrets.append((await people.login.log_in("ada@example.com", PASSWORD, IP)).secret)
    for ended in secrets[:2]:
        with pytest.raises(NotLoggedInError):
            await people.sessions.authenticate(ended)
    for live in (*secrets[2:], other):
        await people.sessions.authenticate(live)


async def test_logins_at_the_same_time_leave_as_many_sessions_as_allowed(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "MAX_SESSIONS", 2)
    owner = await a_caller(people, "ada@example.com")
    for _ in range(2):
        attempts = [people.login.log_in("ada@example.com", PASSWORD, IP) for _ in range(4)]
        assert await outcomes(attempts) == (4, [])
    assert len(await people.users.sessions(owner)) == 2


async def test_a_start_removes_the_links_that_have_expired_and_no_others(
    people: People, engine: Engine, database: Database, clock: StoppedClock
) -> None:
    facts = UserFacts(email="ada@example.com", role=UserRole.OWNER, password=None)
    await people.users.create(OWNER, facts)
    clock.move(timedelta(hours=1))
    later = UserFacts(email="lin@example.com", role=UserRole.OWNER, password=None)
    link = (await people.users.create(OWNER, later)).link
    assert link is not None
    clock.move(LINK_LIFE - timedelta(hours=1))
    assert await open_set_up(database.units, clock, CountedIds("x")) is None
    async with engine.unguarded() as execute:
        rows = await execute(Query("SELECT user_id FROM one_time_links", frozenset()), {})
    assert [tuple(row) for row in rows] == [(2,)]
    await people.login.set_up(SetUp(token=link.token, email=None, password=PASSWORD), IP)


async def test_eight_at_one_link_make_one_owner(
    people: People, database: Database, clock: StoppedClock
) -> None:
    issued = await open_set_up(database.units, clock, CountedIds("x"))
    assert issued is not None
    attempts = [
        people.login.set_up(
            SetUp(token=issued.token, email=f"{number}@example.com", password=PASSWORD),
            f"192.0.2.{number}",
        )
        for number in range(WRITERS)
    ]
    assert await outcomes(attempts) == (1, [ErrorCode.NOT_FOUND])
    assert len(await people.users.list(DEMO)) == 1


async def test_eight_links_of_eight_starts_make_one_owner(
    people: People, database: Database, clock: StoppedClock
) -> None:
    issued = [
        await open_set_up(database.units, clock, CountedIds(str(number)))
        for number in range(WRITERS)
    ]
    attempts = [
        people.login.set_up(
            SetUp(token=each.token, email=f"{number}@example.com", password=PASSWORD),
            f"192.0.2.{number}",
        )
        for number, each in enumerate(issued)
        if each is not None
    ]
    assert len(attempts) == WRITERS
    assert await outcomes(attempts) == (1, [ErrorCode.NOT_FOUND])
    assert len(await people.users.list(DEMO)) == 1


async def test_a_user_made_by_the_operator_closes_the_links_of_the_starts(
    people: People, database: Database, clock: StoppedClock
) -> None:
    issued = await open_set_up(database.units, clock, CountedIds("x"))
    assert issued is not None
    await people.administration.create("demo", "ada@example.com", UserRole.OWNER, PASSWORD)
    chosen = SetUp(token=issued.token, email="eve@example.com", password=PASSWORD)
    with pytest.raises(LinkNotFoundError):
        await people.login.set_up(chosen, IP)
    assert len(await people.users.list(DEMO)) == 1


async def test_eight_at_the_link_of_a_user_set_one_password(people: People) -> None:
    await a_caller(people, "ada@example.com")
    facts = UserFacts(email="lin@example.com", role=UserRole.EDITOR, password=None)
    link = (await people.users.create(OWNER, facts)).link
    assert link is not None
    passwords = [f"a sentence of its own {number}" for number in range(WRITERS)]
    attempts = [
        people.login.set_up(SetUp(token=link.token, email=None, password=password), f"192.0.2.{n}")
        for n, password in enumerate(passwords)
    ]
    assert await outcomes(attempts) == (1, [ErrorCode.NOT_FOUND])
    logins = [
        people.login.log_in("lin@example.com", password, f"198.51.100.{number}")
        for number, password in enumerate(passwords)
    ]
    assert await outcomes(logins) == (1, [ErrorCode.INVALID_LOGIN])


async def test_owners_who_demote_and_remove_each_other_leave_one(people: People) -> None:
    owners = [await a_caller(people, f"{number}@example.com") for number in range(WRITERS)]
    for_ever_viewer = [
        UserFacts(email=owner.email, role=UserRole.VIEWER, password=None) for owner in owners
    ]
    attempts: list[Awaitable[object]] = [
        people.users.change(context_for(owner), owner.user_id, facts)
        if number % 2
        else people.users.remove(context_for(owner), owner.user_id)
        for number, (owner, facts) in enumerate(zip(owners, for_ever_viewer, strict=True))
    ]
    assert await outcomes(attempts) == (WRITERS - 1, [ErrorCode.INVALID_STATE])
    left = await people.users.list(DEMO)
    assert [user.role for user in left].count(UserRole.OWNER) == 1


async def test_eight_users_with_one_address_are_one(people: People) -> None:
    facts = UserFacts(email="ada@example.com", role=UserRole.OWNER, password=None)
    attempts = [people.users.create(OWNER, facts) for _ in range(WRITERS)]
    assert await outcomes(attempts) == (1, [ErrorCode.INVALID_PARAMETER])


async def test_eight_users_who_take_one_address_are_one(people: People) -> None:
    callers = [await a_caller(people, f"{number}@example.com") for number in range(WRITERS)]
    facts = UserFacts(email="ada@example.com", role=UserRole.OWNER, password=None)
    attempts = [people.users.change(context_for(each), each.user_id, facts) for each in callers]
    assert await outcomes(attempts) == (1, [ErrorCode.INVALID_PARAMETER])


async def test_logins_beside_a_change_of_password_leave_no_session_of_the_old_one(
    people: People,
) -> None:
    await people.administration.create("demo", "ada@example.com", UserRole.OWNER, PASSWORD)
    attempts: list[Awaitable[object]] = [
        people.login.log_in("ada@example.com", PASSWORD, f"192.0.2.{n}") for n in range(WRITERS)
    ]
    attempts.insert(4, people.administration.set_password("ada@example.com", "another sentence"))
    results = await asyncio.gather(*attempts, return_exceptions=True)
    for each in results:
        assert not isinstance(each, Exception) or isinstance(each, InvalidLoginError)
        if hasattr(each, "secret"):
            with pytest.raises(NotLoggedInError):
                await people.sessions.authenticate(each.secret)


async def test_a_password_that_is_replaced_while_it_is_checked_lets_nobody_in(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    await people.administration.create("demo", "ada@example.com", UserRole.OWNER, PASSWORD)
    verify = Argon2Hasher.verify

    async def verify_and_replace(
        hasher: Argon2Hasher, password: str, password_hash: str | None
    ) -> bool:
        is_right = await verify(hasher, password, password_hash)
        await people.administration.set_password("ada@example.com", "another sentence")
        return is_right

    monkeypatch.setattr(Argon2Hasher, "verify", verify_and_replace)
    with pytest.raises(InvalidLoginError):
        await people.login.log_in("ada@example.com", PASSWORD, IP)


async def test_the_last_owner_stays(people: People) -> None:
    owner = await a_caller(people, "ada@example.com")
    with pytest.raises(LastOwnerError):
        await people.users.remove(context_for(owner), owner.user_id)
    assert [user.email for user in await people.users.list(DEMO)] == ["ada@example.com"]


@pytest.mark.usefixtures("people")
async def test_the_store_lets_a_link_be_used_once(database: Database, clock: StoppedClock) -> None:
    link = await open_set_up(database.units, clock, CountedIds("x"))
    assert link is not None

    async def find(unit: ReadUnit) -> LinkId:
        found = await unit.links.find_with_account(digest(link.token))
        assert found is not None
        return found[0].id

    link_id = await database.units.read(SYSTEM, find)

    async def use(unit: WriteUnit) -> bool:
        return await unit.links.use(link_id, START)

    assert [await database.units.write(DEMO, use) for _ in range(2)] == [True, False]
