"""/api/users, /api/account/password and /api/account/sessions."""

from collections.abc import Iterator
from datetime import timedelta

import httpx2
import pytest

from longshore.domain.users.passwords import csrf_token
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World
from tests.support.users import PASSWORD, session_headers

USERS = "/api/users"
NEW = {"email": "grace@demo.example", "role": "editor", "password": PASSWORD}
BAD_IDS = ["0", "-1", "999", "9223372036854775807", "9223372036854775808", "1e0", "%20", "01", "x"]


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def page(own_world: World, clock: StoppedClock) -> Iterator[ApiClient]:
    with calling(create_app(own_world.services(RecordedEngine(), clock=clock))) as client:
        yield client


@pytest.fixture
def owner(own_world: World) -> dict[str, str]:
    return session_headers(own_world.sessions.owner)


def outcome(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, response.json().get("code", "")


def emails(page: ApiClient, headers: dict[str, str]) -> list[str]:
    return [user["email"] for user in page.get(USERS, headers=headers).json()["users"]]


def log_in(page: ApiClient, email: str, password: str = PASSWORD) -> tuple[int, str]:
    return outcome(page.post("/api/session", json={"email": email, "password": password}))


def test_nobody_without_a_session_sees_or_makes_users(page: ApiClient) -> None:
    assert outcome(page.get(USERS)) == (401, "not_logged_in")
    assert outcome(page.post(USERS, json=NEW)) == (401, "not_logged_in")


def test_an_owner_sees_the_users_of_the_own_account_alone(
    page: ApiClient, own_world: World, owner: dict[str, str]
) -> None:
    assert emails(page, owner) == [
        "owner@demo.example", "editor@demo.example", "viewer@demo.example",
    ]  # fmt: skip
    neighbour = session_headers(own_world.sessions.neighbour_owner)
    assert emails(page, neighbour) == ["owner@northwind.example"]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_neighbours_user_is_not_found_as_one_that_never_was(
    page: ApiClient, own_world: World, owner: dict[str, str], method: str
) -> None:
    body = None if method == "DELETE" else NEW
    bodies = set()
    for user_id in ["4", *BAD_IDS]:
        refused = page.request(method, f"{USERS}/{user_id}", headers=owner, json=body)
        assert outcome(refused) == (404, "not_found")
        bodies.add(refused.text.replace(refused.json()["request_id"], ""))
    assert len(bodies) == 1
    neighbour = session_headers(own_world.sessions.neighbour_owner)
    assert emails(page, neighbour) == ["owner@northwind.example"]


@pytest.mark.parametrize("role", ["editor", "viewer"])
def test_only_owners_manage_users(page: ApiClient, own_world: World, role: str) -> None:
    headers = session_headers(getattr(own_world.sessions, role))
    for method, path, body in [
        ("GET", USERS, None),
        ("POST", USERS, NEW),
        ("PUT", f"{USERS}/3", NEW),
        ("DELETE", f"{USERS}/3", None),
    ]:
        refused = page.request(method, path, headers=headers, json=body)
        assert outcome(refused) == (403, "forbidden_resource")
        assert refused.json()["error"] == (
            f"This needs the role owner; you are {role}. Ask an owner of the account."
        )


def test_a_user_with_a_password_can_log_in_at_once(page: ApiClient, owner: dict[str, str]) -> None:
    made = page.post(USERS, headers=owner, json=NEW).json()
    assert made == {
        "ok": True,
        "user": {
            "id": 6,
            "email": "grace@demo.example",
            "role": "editor",
            "has_password": True,
            "created_at": "2026-01-15T14:05:09",
            "last_login_at": None,
        },
        "setup_link": None,
        "setup_expires_at": None,
    }
    assert log_in(page, NEW["email"]) == (200, "")


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"email": "Owner@Demo.example"}, "email"),
        ({"email": "owner@northwind.example"}, "email"),
        ({"email": "grace"}, "email"),
        ({"role": "admin"}, "role"),
        ({"password": "short"}, "password"),
    ],
)
def test_what_cannot_be_used_makes_and_changes_nobody(
    page: ApiClient, owner: dict[str, str], change: dict[str, str], param: str
) -> None:
    before = page.get(USERS, headers=owner).json()
    for method, path in [("POST", USERS), ("PUT", f"{USERS}/3")]:
        refused = page.request(method, path, headers=owner, json=NEW | change)
        assert outcome(refused) == (400, "invalid_parameter")
        assert refused.json()["details"][0]["param"] == param
    assert page.get(USERS, headers=owner).json() == before


def test_a_changed_user_has_the_new_address_and_role_at_once(
    page: ApiClient, own_world: World, owner: dict[str, str]
) -> None:
    editor = session_headers(own_world.sessions.editor)
    assert outcome(page.get(USERS, headers=editor)) == (403, "forbidden_resource")
    body = {"email": "ed@demo.example", "role": "owner"}
    changed = page.request("PUT", f"{USERS}/2", headers=owner, json=body).json()["user"]
    assert (changed["email"], changed["role"], changed["has_password"]) == (*body.values(), True)
    assert emails(page, editor)[1] == "ed@demo.example"
    assert log_in(page, "editor@demo.example") == (401, "invalid_login")
    assert log_in(page, "ed@demo.example") == (200, "")


def test_a_password_given_by_an_owner_ends_the_sessions_of_the_user(
    page: ApiClient, own_world: World, owner: dict[str, str]
) -> None:
    viewer = session_headers(own_world.sessions.viewer)
    assert page.get("/api/session", headers=viewer).status_code == 200
    body = {"email": "viewer@demo.example", "role": "viewer", "password": "another sentence"}
    assert page.request("PUT", f"{USERS}/3", headers=owner, json=body).status_code == 200
    assert outcome(page.get("/api/session", headers=viewer)) == (401, "not_logged_in")
    assert log_in(page, body["email"]) == (401, "invalid_login")
    assert log_in(page, body["email"], "another sentence") == (200, "")


def test_nobody_changes_the_own_password_without_the_old_one(
    page: ApiClient, owner: dict[str, str]
) -> None:
    body = {"email": "owner@demo.example", "role": "owner", "password": "another sentence"}
    refused = page.request("PUT", f"{USERS}/1", headers=owner, json=body)
    assert outcome(refused) == (400, "invalid_parameter")
    assert log_in(page, body["email"]) == (200, "")


def test_a_removed_user_is_out_at_once(
    page: ApiClient, own_world: World, owner: dict[str, str]
) -> None:
    editor = session_headers(own_world.sessions.editor)
    assert page.get("/api/session", headers=editor).status_code == 200
    assert page.request("DELETE", f"{USERS}/2", headers=owner).json() == {"ok": True}
    assert outcome(page.get("/api/session", headers=editor)) == (401, "not_logged_in")
    assert log_in(page, "editor@demo.example") == (401, "invalid_login")
    assert outcome(page.request("DELETE", f"{USERS}/2", headers=owner)) == (404, "not_found")


def test_the_last_owner_stays(page: ApiClient, owner: dict[str, str]) -> None:
    demotion = {"email": "owner@demo.example", "role": "viewer"}
    for method, body in [("DELETE", None), ("PUT", demotion)]:
        refused = page.request(method, f"{USERS}/1", headers=owner, json=body)
        assert outcome(refused) == (409, "invalid_state")
    second = page.post(USERS, headers=owner, json=NEW | {"role": "owner"})
    assert second.status_code == 200
    assert page.request("PUT", f"{USERS}/1", headers=owner, json=demotion).status_code == 200
    assert outcome(page.get(USERS, headers=owner)) == (403, "forbidden_resource")


def test_a_changed_password_ends_every_session_and_begins_one(
    page: ApiClient, own_world: World
) -> None:
    editor = session_headers(own_world.sessions.editor)
    body = {"old": PASSWORD, "new": "another sentence"}
    response = page.post("/api/account/password", headers=editor, json=body)
    secret = response.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert response.json()["csrf_token"] == csrf_token(secret)
    assert outcome(page.get("/api/session", headers=editor)) == (401, "not_logged_in")
    assert page.get("/api/session", headers=session_headers(secret)).status_code == 200
    assert log_in(page, "editor@demo.example") == (401, "invalid_login")
    assert log_in(page, "editor@demo.example", "another sentence") == (200, "")


def test_a_password_is_not_changed_by_whoever_does_not_know_it(
    page: ApiClient, own_world: World
) -> None:
    viewer = session_headers(own_world.sessions.viewer)
    for body, expected in [
        ({"old": "wrong", "new": "another sentence"}, (401, "invalid_login")),
        ({"old": PASSWORD, "new": "short"}, (400, "invalid_parameter")),
        ({"old": "wrong", "new": "x" * 1_025}, (400, "invalid_parameter")),
        ({"old": PASSWORD, "new": PASSWORD}, (400, "invalid_parameter")),
        ({"old": PASSWORD, "new": "viewer@demo.example"}, (400, "invalid_parameter")),
    ]:
        refused = page.post("/api/account/password", headers=viewer, json=body)
        assert outcome(refused) == expected
        assert "set-cookie" not in refused.headers
    assert page.get("/api/session", headers=viewer).status_code == 200
    assert log_in(page, "viewer@demo.example") == (200, "")


def test_guessing_the_old_password_has_to_wait_as_a_login_does(
    page: ApiClient, own_world: World
) -> None:
    viewer = session_headers(own_world.sessions.viewer)
    body = {"old": "wrong", "new": "another sentence"}
    statuses = [
        page.post("/api/account/password", headers=viewer, json=body).status_code for _ in range(6)
    ]
    assert statuses == [401] * 5 + [429]
    assert log_in(page, "viewer@demo.example")[0] == 429


def test_everybody_sees_and_ends_the_own_sessions_alone(
    page: ApiClient, own_world: World, owner: dict[str, str], clock: StoppedClock
) -> None:
    clock.move(timedelta(minutes=3))
    viewer = session_headers(own_world.sessions.viewer)
    assert log_in(page, "viewer@demo.example") == (200, "")
    listed = page.get("/api/account/sessions", headers=viewer).json()
    assert listed["count"] == 2
    assert [each["current"] for each in listed["sessions"]] == [True, False]
    assert listed["sessions"][1] == {
        "id": 6,
        "created_at": "2026-01-15T14:08:09",
        "last_seen_at": "2026-01-15T14:08:09",
        "ip": "testclient",
        "current": False,
    }
    for session_id in ["6", *BAD_IDS]:
        refused = page.request("DELETE", f"/api/account/sessions/{session_id}", headers=owner)
        assert outcome(refused) == (404, "not_found")
    ended = page.request("DELETE", "/api/account/sessions/6", headers=viewer)
    assert ended.json() == {"ok": True}
    assert page.get("/api/account/sessions", headers=viewer).json()["count"] == 1


def test_a_session_that_is_ended_is_in_the_log_with_its_request(
    page: ApiClient, own_world: World, owner: dict[str, str]
) -> None:
    log_in(page, "viewer@demo.example")
    viewer = session_headers(own_world.sessions.viewer) | {"X-Request-Id": "ended"}
    for path in ("/api/account/sessions/6", "/api/account/sessions/6", "/api/session"):
        page.request("DELETE", path, headers=viewer)
    entries = page.get("/api/audit?action=session.end", headers=owner).json()["entries"]
    members = ("actor", "object", "ip", "request_id", "detail")
    told = [tuple(each[name] for name in members) for each in entries]
    assert told == [("user 3", "user 3", "testclient", "ended", "")] * 2


def test_ended_sessions_are_not_listed(
    page: ApiClient, own_world: World, clock: StoppedClock
) -> None:
    def listed() -> list[int]:
        found = page.get("/api/account/sessions", headers=viewer).json()["sessions"]
        return [each["id"] for each in found]

    viewer = session_headers(own_world.sessions.viewer)
    clock.move(timedelta(minutes=20))
    assert log_in(page, "viewer@demo.example") == (200, "")
    assert listed() == [3, 6]
    clock.move(timedelta(minutes=29))
    assert listed() == [3, 6]
    clock.move(timedelta(minutes=1))
    assert listed() == [3]


def test_a_suspended_account_stops_its_running_sessions(page: ApiClient, own_world: World) -> None:
    suspended = session_headers(own_world.sessions.suspended)
    for method, path in [("GET", "/api/session"), ("GET", USERS), ("DELETE", "/api/session")]:
        refused = page.request(method, path, headers=suspended)
        assert outcome(refused) == (403, "account_suspended")
