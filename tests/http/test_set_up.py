"""POST /api/setup: the first user, and the first password of a user an owner made."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from longshore.domain.accounts.model import AccountId, AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.ports import SYSTEM
from longshore.domain.units import WriteUnit
from longshore.domain.users.administration import open_set_up
from longshore.domain.users.changes import new_user
from longshore.domain.users.model import UserRole
from longshore.http.app import create_app
from longshore.storage.sqlite.database import SqliteDatabase, open_database
from tests.support.client import ApiClient, calling
from tests.support.clock import CountedIds, StoppedClock
from tests.support.database import make_sqlite
from tests.support.http_service import RecordedEngine, World
from tests.support.users import PASSWORD, People, session_headers

SET_UP = "/api/setup"
EMAIL = "ada@example.com"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    """A database with an account and nobody in it."""
    make_sqlite(tmp_path)
    with open_database(tmp_path) as database:
        clock = StoppedClock()
        accounts = AccountService(database.units, clock, database.revocations)
        asyncio.run(accounts.create("demo", AccountType.DEVELOPER))
        yield database


@pytest.fixture
def page(
    database: SqliteDatabase, clock: StoppedClock, closed_world: tuple[Path, World]
) -> Iterator[ApiClient]:
    _, world = closed_world
    empty = World(database=database, keys=world.keys, sessions=world.sessions)
    with calling(create_app(empty.services(RecordedEngine(), clock=clock))) as client:
        yield client


def link(database: SqliteDatabase, clock: StoppedClock, seed: str = "first") -> str:
    """Return the token of a link for the first user, as a start makes it."""
    issued = asyncio.run(open_set_up(database.units, clock, CountedIds(seed)))
    assert issued is not None
    return issued.token


@pytest.fixture
def token(database: SqliteDatabase, clock: StoppedClock) -> str:
    return link(database, clock)


def use(
    page: ApiClient, token: str, email: str | None = EMAIL, password: str = PASSWORD
) -> tuple[int, str]:
    members = {"token": token, "email": email, "password": password}
    response = page.post(SET_UP, json=members)
    return response.status_code, response.json().get("code", "")


def test_the_first_link_makes_the_owner_and_logs_in(
    page: ApiClient, database: SqliteDatabase, clock: StoppedClock
) -> None:
    members = {"token": link(database, clock), "email": EMAIL, "password": PASSWORD}
    response = page.post(SET_UP, json=members)
    assert response.json()["user"] == {"id": 1, "email": EMAIL, "role": "owner"}
    secret = response.headers["set-cookie"].partition("=")[2].partition(";")[0]
    [user] = page.get("/api/users", headers=session_headers(secret)).json()["users"]
    assert user == {
        "id": 1,
        "email": EMAIL,
        "role": "owner",
        "has_password": True,
        "created_at": "2026-01-15T14:05:09",
        "last_login_at": "2026-01-15T14:05:09",
    }


def test_a_link_works_once_and_so_do_all_of_the_starts_before(
    page: ApiClient, database: SqliteDatabase, clock: StoppedClock
) -> None:
    first, second = link(database, clock), link(database, clock, "second")
    assert use(page, second) == (200, "")
    for token in (first, second):
        assert use(page, token, "eve@example.com") == (404, "not_found")
    assert asyncio.run(open_set_up(database.units, clock, CountedIds("third"))) is None


def test_a_link_lives_a_day(page: ApiClient, database: SqliteDatabase, clock: StoppedClock) -> None:
    token = link(database, clock)
    clock.move(timedelta(hours=24) - timedelta(microseconds=1))
    assert use(page, token, password="short") == (400, "invalid_parameter")
    clock.move(timedelta(microseconds=1))
    assert use(page, token) == (404, "not_found")


@pytest.mark.parametrize(
    ("email", "password", "param", "words"),
    [
        ("E-MAIL", PASSWORD, "email", "looks like name@example.com"),
        ("a b@example.com", PASSWORD, "email", "no spaces"),
        ("a@b@example.com", PASSWORD, "email", "looks like"),
        ("a@" + "b" * 253, PASSWORD, "email", "at most 254 characters"),
        ("a@example.com\0", PASSWORD, "email", "looks like"),
        (None, PASSWORD, "email", "needs an e-mail address"),
        (EMAIL, "PASSWORD", "password", "at least 12 characters"),
        (EMAIL, "\u00e9" * 513, "password", "at most 1,024 bytes"),
    ],
)
def test_what_cannot_be_used_is_named_and_leaves_the_link_as_it_was(
    page: ApiClient, token: str, email: str | None, password: str, param: str, words: str
) -> None:
    members = {"token": token, "email": email, "password": password}
    refused = page.post(SET_UP, json=members)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_parameter")
    assert refused.json()["details"][0]["param"] == param
    assert words in refused.json()["error"]
    assert use(page, token) == (200, "")


@pytest.mark.parametrize("length", [12, 512])
def test_the_shortest_and_the_longest_password_let_their_user_in(
    page: ApiClient, database: SqliteDatabase, clock: StoppedClock, length: int
) -> None:
    password = ("éàüöñçøåßþðæ" * 43)[:length]  # two bytes each
    assert use(page, link(database, clock), password=password) == (200, "")
    login = page.post("/api/session", json={"email": EMAIL, "password": password})
    assert login.status_code == 200


@pytest.mark.parametrize("guess", ["", "x", "A" * 43, "A" * 5_000, "\0" * 43, "\u00e9" * 43])
def test_a_token_nobody_made_is_not_found(page: ApiClient, guess: str) -> None:
    assert use(page, guess) == (404, "not_found")


def test_guessing_tokens_has_to_wait_after_five(
    page: ApiClient, database: SqliteDatabase, clock: StoppedClock
) -> None:
    assert [use(page, "A" * 43)[0] for _ in range(5)] == [404] * 5
    token = link(database, clock)
    assert use(page, token) == (429, "rate_limited")
    clock.move(timedelta(minutes=15))
    assert use(page, token) == (200, "")


def test_a_link_of_a_suspended_account_makes_nobody(
    page: ApiClient, database: SqliteDatabase, clock: StoppedClock
) -> None:
    token = link(database, clock)
    accounts = AccountService(database.units, clock, database.revocations)
    asyncio.run(accounts.suspend("demo"))
    assert use(page, token) == (403, "account_suspended")
    asyncio.run(accounts.resume("demo"))
    assert use(page, token) == (200, "")


def owner_headers(page: ApiClient, database: SqliteDatabase, clock: StoppedClock) -> dict[str, str]:
    members = {"token": link(database, clock), "email": EMAIL, "password": PASSWORD}
    cookie = page.post(SET_UP, json=members).headers["set-cookie"]
    return session_headers(cookie.partition("=")[2].partition(";")[0])


def test_a_user_without_a_password_sets_one_by_a_link_of_the_same_kind(
    page: ApiClient, database: SqliteDatabase, clock: StoppedClock
) -> None:
    owner = owner_headers(page, database, clock)
    body = {"email": "grace@example.com", "role": UserRole.EDITOR.value}
    made = page.post("/api/users", json=body, headers=owner).json()
    address, _, token = made["setup_link"].partition("#token=")
    assert address == "https://edi.example.com/setup"
    assert made["setup_expires_at"] == "2026-01-16T14:05:09"
    assert made["user"]["has_password"] is False
    login = {"email": body["email"], "password": PASSWORD}
    assert page.post("/api/session", json=login).json()["code"] == "invalid_login"
    assert use(page, token, "other@example.com") == (400, "invalid_parameter")
    set_up = page.post(SET_UP, json={"token": token, "password": PASSWORD})
    assert set_up.json()["user"] == {"id": 2, **body}
    assert use(page, token, None) == (404, "not_found")
    assert page.post("/api/session", json=login).status_code == 200


def test_an_address_that_is_taken_is_refused(
    page: ApiClient, database: SqliteDatabase, clock: StoppedClock
) -> None:
    token = link(database, clock)
    accounts = AccountService(database.units, clock, database.revocations)
    asyncio.run(accounts.create("Northwind", AccountType.ENTERPRISE))
    new = new_user(AccountId(2), EMAIL, UserRole.VIEWER, None, clock.now())

    async def at_the_same_time(unit: WriteUnit) -> None:
        await unit.users.insert(new)

    asyncio.run(database.units.write(SYSTEM, at_the_same_time))
    assert use(page, token, EMAIL.upper()) == (400, "invalid_parameter")
    assert use(page, token, "lin@example.com") == (200, "")


def test_a_user_of_any_account_ends_the_link_of_the_first_start(
    page: ApiClient, database: SqliteDatabase, clock: StoppedClock
) -> None:
    token = link(database, clock)
    accounts = AccountService(database.units, clock, database.revocations)
    asyncio.run(accounts.create("Northwind", AccountType.ENTERPRISE))
    administration = People(database, clock).administration
    asyncio.run(administration.create("Northwind", EMAIL, UserRole.VIEWER, PASSWORD))
    assert use(page, token, "lin@example.com") == (404, "not_found")
