"""S11: nothing that changes something is done for a page that is not ours.

Every unsafe operation of a session, read from the table of operations, against every way in which
such a request can be told from ours. A new operation needs no line here.
"""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from longshore.domain.users.passwords import csrf_token
from longshore.http.app import create_app
from longshore.http.exchange import Exchange
from longshore.http.operation import AnyOperation
from longshore.http.origin import OwnAddress
from longshore.http.routes import OPERATIONS
from longshore.http.session_caller import SECURITY
from tests.support.client import ApiClient, calling
from tests.support.clock import CountedIds
from tests.support.http_service import RecordedEngine, World, open_world
from tests.support.users import BASE_URL, session_headers

UNSAFE = [each for each in OPERATIONS if each.caller.security == SECURITY and each.method != "GET"]
OPEN = [each for each in OPERATIONS if each.path in {"/api/setup", "/api/session"} and each.body]

FOREIGN_PAGES = {
    "another site": {"Sec-Fetch-Site": "cross-site"},
    "a sister host": {"Sec-Fetch-Site": "same-site"},
    "a word nobody knows": {"Sec-Fetch-Site": "Same-Origin"},
    "another origin": {"Origin": "https://evil.example"},
    "a sandboxed page": {"Origin": "null"},
    "without encryption": {"Origin": "http://edi.example.com"},
    "another port": {"Origin": f"{BASE_URL}:8443"},
    "a longer name": {"Origin": f"{BASE_URL}.evil.example"},
    "the name of the Host header": {"Origin": "http://longshore.test"},
    "two origins": {"Origin": f"{BASE_URL}, https://evil.example"},
    "ours by one header alone": {"Origin": BASE_URL, "Sec-Fetch-Site": "cross-site"},
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("csrf")


@pytest.fixture(scope="module")
def people(place: Path) -> Iterator[World]:
    with open_world(place) as world:
        yield world


@pytest.fixture(scope="module")
def page(people: World) -> Iterator[ApiClient]:
    with calling(create_app(people.services(RecordedEngine()))) as client:
        yield client


def rows(place: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{place}/longshore.db?mode=ro", uri=True)) as database:
        return [line for line in database.iterdump() if line.startswith("INSERT")]


def refused(page: ApiClient, operation: AnyOperation, headers: dict[str, str]) -> tuple[int, str]:
    path = operation.path.replace("{id}", "1")
    body = None if operation.body is None else operation.body_example
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    response = page.request(operation.method, path, headers=raw, json=body)
    return response.status_code, response.json().get("code", "")


def test_the_table_has_operations_to_look_at() -> None:
    assert {(each.method, each.path) for each in UNSAFE} >= {
        ("DELETE", "/api/session"),
        ("POST", "/api/account/password"),
        ("DELETE", "/api/account/sessions/{id}"),
        ("POST", "/api/users"),
        ("PUT", "/api/users/{id}"),
        ("DELETE", "/api/users/{id}"),
        ("POST", "/api/keys"),
        ("POST", "/api/keys/{id}/rotate"),
        ("DELETE", "/api/keys/{id}"),
        ("POST", "/api/inspect"),
    }
    assert all(each.method != "GET" or each.body is None for each in OPERATIONS)
    assert len(OPEN) == 2


@pytest.mark.parametrize("operation", UNSAFE, ids=lambda each: each.operation_id)
def test_nothing_is_changed_for_a_foreign_page_or_without_the_token(
    page: ApiClient, people: World, place: Path, operation: AnyOperation
) -> None:
    before = rows(place)
    ours = session_headers(people.sessions.owner)
    without = {name: value for name, value in ours.items() if name != "X-CSRF-Token"}
    tokens = {
        "empty": "",
        "of another session": csrf_token(people.sessions.editor),
        "of another account": csrf_token(people.sessions.neighbour_owner),
        "cut": ours["X-CSRF-Token"][:-1],
        "the id of the session": people.sessions.owner,
        "not ASCII": "\xe9" * 43,
    }
    attempts = [without, *(ours | {"X-CSRF-Token": token} for token in tokens.values())]
    attempts += [ours | page_headers for page_headers in FOREIGN_PAGES.values()]
    for headers in attempts:
        assert refused(page, operation, headers) == (403, "csrf_failed"), headers
    assert rows(place) == before


@pytest.mark.parametrize("operation", OPEN, ids=lambda each: each.operation_id)
@pytest.mark.parametrize("headers", FOREIGN_PAGES.values(), ids=FOREIGN_PAGES.keys())
def test_nobody_is_logged_in_by_a_foreign_page(
    page: ApiClient, operation: AnyOperation, headers: dict[str, str]
) -> None:
    assert refused(page, operation, headers) == (403, "csrf_failed")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": BASE_URL},
        {"Origin": BASE_URL, "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_a_page_of_ours_is_let_in(page: ApiClient, people: World, headers: dict[str, str]) -> None:
    ours = session_headers(people.sessions.owner) | headers
    absent = page.request("DELETE", "/api/account/sessions/999", headers=ours)
    assert absent.json()["code"] == "not_found"


def test_reading_needs_neither_token_nor_origin(page: ApiClient, people: World) -> None:
    cookie = session_headers(people.sessions.owner)["Cookie"]
    foreign = {"Cookie": cookie, "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert page.get("/api/users", headers=foreign).status_code == 200


def exchange(served_at: tuple[str, int | None] | None, **headers: str) -> Exchange:
    async def send(_: object) -> None:
        await asyncio.sleep(0)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "headers": raw, "server": served_at}
    return Exchange(scope, send, CountedIds())


@pytest.mark.parametrize(
    ("base_url", "served_at", "origin", "is_ours"),
    [
        (None, ("127.0.0.1", 8080), "http://127.0.0.1:8080", True),
        (None, ("127.0.0.1", 8080), "http://localhost:8080", True),
        (None, ("::1", 8080), "http://[::1]:8080", True),
        (None, ("10.0.0.5", 8080), "http://10.0.0.5:8080", True),
        (None, ("10.0.0.5", 80), "http://10.0.0.5", True),
        (None, ("10.0.0.5", 8080), "http://localhost:8080", False),
        (None, ("127.0.0.1", 8080), "http://evil.example:8080", False),
        (None, ("127.0.0.1", 8080), "https://127.0.0.1:8080", False),
        (None, ("127.0.0.1", 8080), "http://127.0.0.1:8081", False),
        (None, None, "http://127.0.0.1:8080", False),
        (None, ("/run/longshore.sock", None), "http://localhost", False),
        ("https://edi.example.com", ("127.0.0.1", 8080), "http://127.0.0.1:8080", False),
        ("https://edi.example.com/edi", ("127.0.0.1", 8080), "https://edi.example.com", True),
        ("https://edi.example.com:443", ("127.0.0.1", 8080), "https://edi.example.com", True),
        ("http://edi.example.com:8080", ("127.0.0.1", 80), "http://edi.example.com:8080", True),
    ],
)
def test_which_origin_is_ours(
    base_url: str | None, served_at: tuple[str, int | None] | None, origin: str, *, is_ours: bool
) -> None:
    asks = exchange(served_at, host="evil.example:8080", origin=origin)
    if is_ours:
        OwnAddress(base_url).refuse_other_sites(asks)
    else:
        with pytest.raises(Exception, match="only taken from a page of this service"):
            OwnAddress(base_url).refuse_other_sites(asks)


@pytest.mark.parametrize(
    ("base_url", "served_at", "cookie"),
    [
        ("https://edi.example.com", ("127.0.0.1", 8080), "__Host-svc_session=s; {}; Secure"),
        ("http://edi.example.com", ("127.0.0.1", 8080), "svc_session=s; {}; Secure"),
        ("http://127.0.0.1:8080", ("10.0.0.5", 8080), "svc_session=s; {}"),
        ("http://localhost:8080", None, "svc_session=s; {}"),
        (None, ("127.0.0.1", 8080), "svc_session=s; {}"),
        (None, ("::1", 8080), "svc_session=s; {}"),
        (None, ("10.0.0.5", 8080), "svc_session=s; {}; Secure"),
        (None, None, "svc_session=s; {}; Secure"),
    ],
)
def test_the_cookie_needs_encryption_everywhere_but_on_loopback(
    base_url: str | None, served_at: tuple[str, int | None] | None, cookie: str
) -> None:
    _, value = OwnAddress(base_url).session_cookie(exchange(served_at).visitor, "s")
    assert value.decode() == cookie.format("Path=/; HttpOnly; SameSite=Lax")
