"""POST, GET and DELETE /api/session: who is let in, with which cookie, and for how long."""

import json
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO

import pytest

from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.users import PASSWORD, session_headers

SESSION = "/api/session"
EMAIL = "owner@demo.example"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def page(own_world: World, clock: StoppedClock, log: BytesIO) -> Iterator[ApiClient]:
    """A browser page of ours, over a database of its own."""
    services = own_world.services(RecordedEngine(), clock=clock, log=log)
    with calling(create_app(services)) as client:
        yield client


def log_in(page: ApiClient, email: str = EMAIL, password: str = PASSWORD) -> tuple[int, str]:
    response = page.post(SESSION, json={"email": email, "password": password})
    return response.status_code, response.json().get("code", "")


def secret_of(page: ApiClient, headers: dict[str, str] | None = None) -> str:
    """Log in and return what the cookie holds."""
    body = {"email": EMAIL, "password": PASSWORD}
    cookie = page.post(SESSION, json=body, headers=headers or {}).headers["set-cookie"]
    return cookie.partition("=")[2].partition(";")[0]


def test_without_a_session_there_is_none_to_show_or_end(page: ApiClient) -> None:
    for method in ("GET", "DELETE"):
        refused = page.request(method, SESSION)
        assert (refused.status_code, refused.json()["code"]) == (401, "not_logged_in")
        assert "www-authenticate" not in refused.headers


def test_a_login_answers_who_it_is_and_sets_the_cookie_with_exactly_these_flags(
    page: ApiClient,
) -> None:
    response = page.post(SESSION, json={"email": "OWNER@demo.example", "password": PASSWORD})
    answer = response.json()
    secret = response.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert response.headers["set-cookie"] == (
        f"__Host-svc_session={secret}; Path=/; HttpOnly; SameSite=Lax; Secure"
    )
    assert len(secret) == 43
    assert answer.pop("csrf_token") == session_headers(secret)["X-CSRF-Token"]
    assert answer == {
        "ok": True,
        "user": {"id": 1, "email": EMAIL, "role": "owner"},
        "account": {"id": 1, "name": "demo", "account_type": "developer"},
        "environment": "sandbox",
        "environments": ["sandbox"],
        "expires_at": "2026-01-16T02:05:09",
    }
    shown = page.get(SESSION, headers=session_headers(secret)).json()
    assert {**shown, "csrf_token": ""} == {**answer, "csrf_token": ""}


@pytest.mark.parametrize(
    ("_case", "email", "password"),
    [
        ("wrong password", EMAIL, "correct horse batterz"),
        ("cut password", EMAIL, PASSWORD[:-1]),
        ("longer password", EMAIL, PASSWORD + "x"),
        ("password too long to be any", EMAIL, "x" * 1_025),
        ("empty", "", ""),
        ("unknown", "nobody@demo.example", PASSWORD),
        ("no address", "owner", PASSWORD),
        ("nul", "owner@demo.example\0", PASSWORD),
        ("very long", "a" * 5_000 + "@demo.example", PASSWORD),
    ],
)
def test_every_wrong_pair_gets_one_answer_and_no_cookie(
    page: ApiClient, _case: str, email: str, password: str
) -> None:
    refused = page.post(SESSION, json={"email": email, "password": password})
    assert refused.status_code == 401
    assert {**refused.json(), "request_id": ""} == {
        "ok": False,
        "error": "The e-mail address or the password is wrong.",
        "code": "invalid_login",
        "request_id": "",
    }
    assert "set-cookie" not in refused.headers


def test_a_login_needs_both_members_and_no_other(page: ApiClient) -> None:
    refused = page.post(SESSION, json={"mail": EMAIL})
    assert refused.status_code == 400
    assert [each["code"] for each in refused.json()["details"]] == [
        "unknown_parameter", "missing_parameter", "missing_parameter",
    ]  # fmt: skip


def test_a_stranger_cannot_send_a_large_body(page: ApiClient) -> None:
    body = json.dumps({"email": EMAIL, "password": ""}).encode()
    at_the_limit = body[:-2] + b"x" * (16_384 - len(body)) + body[-2:]
    headers = {"Content-Type": "application/json"}
    assert page.post(SESSION, content=at_the_limit, headers=headers).status_code == 401
    refused = page.post(SESSION, content=at_the_limit + b" ", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (413, "document_too_large")
    assert refused.json()["details"][0]["limit_bytes"] == 16_384


def test_the_sixth_failure_from_one_address_has_to_wait_and_is_over_after_15_minutes(
    page: ApiClient, clock: StoppedClock
) -> None:
    assert [log_in(page, password="wrong")[0] for _ in range(5)] == [401] * 5
    refused = page.post(SESSION, json={"email": EMAIL, "password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert refused.headers["retry-after"] == "900"
    assert refused.json()["details"][0]["limit"] == "login_failures"
    assert log_in(page, "viewer@demo.example") == (200, "")
    clock.move(timedelta(minutes=15))
    assert log_in(page) == (200, "")


def test_a_right_password_of_a_suspended_account_is_403_and_a_wrong_one_401(
    page: ApiClient,
) -> None:
    assert log_in(page, "owner@gone.example") == (403, "account_suspended")
    assert log_in(page, "owner@gone.example", "wrong") == (401, "invalid_login")


def test_an_id_that_somebody_planted_is_not_the_one_of_the_new_session(page: ApiClient) -> None:
    planted = "A" * 43
    secret = secret_of(page, {"Cookie": f"__Host-svc_session={planted}"})
    assert secret not in {planted, secret_of(page)}
    assert page.get(SESSION, headers=session_headers(planted)).status_code == 401
    assert page.get(SESSION, headers=session_headers(secret)).status_code == 200


def test_logout_ends_the_session_on_the_server_and_removes_the_cookie(page: ApiClient) -> None:
    first, second = session_headers(secret_of(page)), session_headers(secret_of(page))
    done = page.request("DELETE", SESSION, headers=first)
    assert (done.status_code, done.json()) == (200, {"ok": True})
    assert done.headers["set-cookie"] == (
        "__Host-svc_session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0"
    )
    assert done.headers["clear-site-data"] == '"cache", "storage"'
    assert page.get(SESSION, headers=first).status_code == 401
    assert page.request("DELETE", SESSION, headers=first).status_code == 401
    assert page.get(SESSION, headers=second).status_code == 200


def test_a_session_ends_after_30_minutes_unused(page: ApiClient, clock: StoppedClock) -> None:
    headers = session_headers(secret_of(page))
    for _ in range(3):
        clock.move(timedelta(minutes=30) - timedelta(microseconds=1))
        assert page.get(SESSION, headers=headers).status_code == 200
    clock.move(timedelta(minutes=30))
    assert page.get(SESSION, headers=headers).json()["code"] == "not_logged_in"


def test_a_session_ends_after_12_hours_however_busy_it_is(
    page: ApiClient, clock: StoppedClock
) -> None:
    headers = session_headers(secret_of(page))
    for _ in range(12 * 60 // 20 - 1):
        clock.move(timedelta(minutes=20))
        assert page.get(SESSION, headers=headers).status_code == 200
    clock.move(timedelta(minutes=20))
    assert page.get(SESSION, headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("_case", "cookie"),
    [
        ("the name without https", "svc_session={}"),
        ("two that differ", "__Host-svc_session={}; __Host-svc_session=" + "A" * 43),
        ("cut", "__Host-svc_session={}"[:-1] + "x"),
        ("quoted", '__Host-svc_session="{}"'),
        ("in another case", "__host-svc_session={}"),
        ("two headers in one", "__Host-svc_session={}, a=b"),
        ("none", "a=b"),
    ],
)
def test_a_cookie_that_is_not_exactly_it_is_none(
    page: ApiClient, own_world: World, _case: str, cookie: str
) -> None:
    headers = {"Cookie": cookie.replace("{}", own_world.sessions.owner)}
    assert page.get(SESSION, headers=headers).json()["code"] == "not_logged_in"


def test_a_key_is_no_session_and_a_session_no_key(page: ApiClient, own_world: World) -> None:
    key = bearer(own_world.keys.sandbox)
    assert page.get(SESSION, headers=key).json()["code"] == "not_logged_in"
    cookie = session_headers(own_world.sessions.owner)
    assert page.get("/api/v1/ping", headers=cookie).json()["code"] == "missing_api_key"


def test_the_page_chooses_the_environment_its_plan_has(page: ApiClient, own_world: World) -> None:
    for secret, chosen, expected in [
        (own_world.sessions.neighbour_owner, "production", (200, "")),
        (own_world.sessions.owner, "sandbox", (200, "")),
        (own_world.sessions.owner, "production", (403, "plan_required")),
        (own_world.sessions.owner, "Sandbox", (400, "invalid_parameter")),
    ]:
        response = page.get("/api/users", headers=session_headers(secret, chosen))
        assert (response.status_code, response.json().get("code", "")) == expected
    live = session_headers(own_world.sessions.neighbour_owner, "production")
    shown = page.get(SESSION, headers=live).json()
    assert (shown["environment"], shown["environments"]) == (
        "production",
        ["sandbox", "production"],
    )


def test_no_log_line_names_address_password_or_cookie(own_world: World, log: BytesIO) -> None:
    with calling(create_app(own_world.services(RecordedEngine(), log=log))) as page:
        secret = secret_of(page)
        log_in(page, "someone@else.example", "a wrong password")
        page.get(SESSION, headers=session_headers(secret))
        page.get(f"{SESSION}?{EMAIL}", headers=session_headers(secret))
        numbers = page.get("/metrics").text
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["status"], line["user_id"]) for line in lines[1:3]] == [(401, None), (200, 1)]
    for leak in (EMAIL, "someone", PASSWORD, "a wrong", secret, "example"):
        assert leak not in log.getvalue().decode() + numbers
