"""/api/keys: what a user may do with the keys of the account, and what is refused."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from longshore.domain.accounts.keys import looks_genuine
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.users import PASSWORD, session_headers

OLD = timedelta(minutes=10, seconds=1)
NEW_KEY = {"name": "ci", "environment": "sandbox"}
OWN = 3  # the sandbox key of demo
OWN_LIVE = 8
REVOKED = 2
FOREIGN = 5


class Page(NamedTuple):
    """A running service, and its clock."""

    client: ApiClient
    world: World
    clock: StoppedClock

    def ask(
        self, who: str, method: str, path: str, body: object = None
    ) -> tuple[int, dict[str, Any]]:
        headers = session_headers(getattr(self.world.sessions, who))
        response = self.client.request(method, path, headers=headers, json=body)
        return response.status_code, response.json()

    def listed(self, who: str = "owner", query: str = "") -> list[dict[str, Any]]:
        keys: list[dict[str, Any]] = self.ask(who, "GET", f"/api/keys{query}")[1]["keys"]
        return keys

    def ping(self, key: str) -> int:
        return self.client.get("/api/v1/ping", headers=bearer(key)).status_code


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    clock = StoppedClock()
    with open_world(tmp_path / "data") as world:
        app = create_app(world.services(RecordedEngine(), clock=clock))
        with calling(app) as client:
            yield Page(client, world, clock)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/keys"),
        ("POST", "/api/keys"),
        ("POST", "/api/keys/3/rotate"),
        ("DELETE", "/api/keys/3"),
    ],
)
def test_nobody_without_a_session_sees_or_changes_keys(page: Page, method: str, path: str) -> None:
    before = page.listed()
    for headers in ({}, bearer(page.world.keys.sandbox)):
        response = page.client.request(method, path, headers=headers, json={})
        assert (response.status_code, response.json()["code"]) == (401, "not_logged_in")
    assert page.listed() == before


@pytest.mark.parametrize("method", ["rotate", "revoke"])
def test_a_neighbours_key_is_the_same_404_as_none(page: Page, method: str) -> None:
    before = page.listed("neighbour_owner")
    seen = set()
    for key_id in (str(FOREIGN), "999", "0", "x", "9223372036854775808"):
        if method == "rotate":
            path, body = f"/api/keys/{key_id}/rotate", {"overlap_hours": 0}
            status, answer = page.ask("owner", "POST", path, body)
        else:
            status, answer = page.ask("owner", "DELETE", f"/api/keys/{key_id}")
        answer.pop("request_id")
        seen.add((status, str(answer)))
    text = "There is no such API key, or it is not yours. List yours with GET /api/keys."
    assert seen == {(404, str({"ok": False, "error": text, "code": "not_found"}))}
    assert page.listed("neighbour_owner") == before


def test_everybody_of_the_account_sees_its_keys_and_no_others(page: Page) -> None:
    keys = page.listed("viewer")
    assert [key["id"] for key in keys] == [REVOKED, OWN, 6, 7, OWN_LIVE]
    assert {key["environment"] for key in keys} == {"sandbox", "production"}
    assert keys == page.listed("owner") == page.listed("editor")
    own = next(key for key in keys if key["id"] == OWN)
    assert own == {
        "id": OWN,
        "name": "",
        "prefix": page.world.keys.sandbox[:13],
        "last4": page.world.keys.sandbox[-4:],
        "environment": "sandbox",
        "scopes": ["read", "convert", "submit"],
        "status": "active",
        "created_at": "2026-01-15T14:05:09",
        "last_used_at": None,
        "last_used_ip": None,
        "expires_at": None,
        "grace_until": None,
    }


def test_keys_are_listed_by_status(page: Page) -> None:
    assert [key["id"] for key in page.listed(query="?status=revoked")] == [REVOKED]
    assert page.listed(query="?status=grace") == []
    status, answer = page.ask("owner", "GET", "/api/keys?status=gone")
    assert (status, answer["details"][0]["param"]) == (400, "status")
    assert answer["details"][0]["allowed"] == ["active", "expired", "grace", "revoked"]


def test_a_new_key_is_sent_once_and_works(page: Page) -> None:
    body = NEW_KEY | {"scopes": ["read"], "expires_at": "2026-02-01"}
    status, answer = page.ask("editor", "POST", "/api/keys", body)
    key = answer.pop("key")
    assert (status, answer) == (200, {"ok": True, "id": page.listed()[-1]["id"]})
    assert looks_genuine(key)
    assert page.ping(key) == 200
    (made,) = [each for each in page.listed() if each["name"] == "ci"]
    assert (made["scopes"], made["expires_at"]) == (["read"], "2026-02-01T00:00:00")
    assert (made["prefix"], made["last4"]) == (key[:13], key[-4:])
    assert key not in str(page.listed())


@pytest.mark.parametrize(
    ("changed", "param"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"name": " ci"}, "name"),
        ({"environment": "live"}, "environment"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["admin"]}, "scopes[0]"),
        ({"expires_at": "tomorrow"}, "expires_at"),
        ({"expires_at": "2026-02-30"}, "expires_at"),
        ({"expires_at": "2026-01-15"}, "expires_at"),
        ({"expires_at": "9999-12-31"}, "expires_at"),
    ],
)
def test_a_key_that_cannot_be_is_not_made(
    page: Page, changed: dict[str, object], param: str
) -> None:
    before = page.listed()
    status, answer = page.ask("owner", "POST", "/api/keys", NEW_KEY | changed)
    assert (status, answer["code"]) == (400, "invalid_parameter")
    assert answer["details"][0]["param"] == param
    assert page.listed() == before


def test_a_production_key_is_made_by_an_owner_with_the_plan_alone(page: Page) -> None:
    live = NEW_KEY | {"environment": "production"}
    before = page.listed()
    for who, code in (("editor", "forbidden_resource"), ("owner", "plan_required")):
        status, answer = page.ask(who, "POST", "/api/keys", live)
        assert (status, answer["code"]) == (403, code)
    assert page.listed() == before
    status, answer = page.ask("neighbour_owner", "POST", "/api/keys", live)
    assert (status, answer["key"][:9]) == (200, "svc_live_")


def test_a_rotated_key_works_as_long_as_the_overlap(page: Page) -> None:
    path = f"/api/keys/{OWN}/rotate"
    status, answer = page.ask("editor", "POST", path, {"overlap_hours": 24})
    assert (status, answer["old_expires_at"]) == (200, "2026-01-16T14:05:09")
    old = next(key for key in page.listed() if key["id"] == OWN)
    assert (old["status"], old["grace_until"]) == ("grace", "2026-01-16T14:05:09")
    assert [page.ping(key) for key in (answer["key"], page.world.keys.sandbox)] == [200, 200]
    page.clock.move(timedelta(hours=24))
    assert [page.ping(key) for key in (answer["key"], page.world.keys.sandbox)] == [200, 401]


def test_a_rotation_without_overlap_ends_the_old_key_at_once(page: Page) -> None:
    assert page.ping(page.world.keys.sandbox) == 200
    _, answer = page.ask("owner", "POST", f"/api/keys/{OWN}/rotate", {"overlap_hours": 0})
    assert answer["old_expires_at"] == "2026-01-15T14:05:09"
    assert page.ping(page.world.keys.sandbox) == 401


@pytest.mark.parametrize(
    ("who", "key_id", "hours", "refusal"),
    [
        ("owner", OWN, -1, (400, "invalid_parameter")),
        ("owner", OWN, 169, (400, "invalid_parameter")),
        ("viewer", OWN, 1, (403, "forbidden_resource")),
        ("editor", OWN_LIVE, 1, (403, "forbidden_resource")),
        ("owner", OWN_LIVE, 1, (403, "plan_required")),
        ("owner", REVOKED, 1, (409, "invalid_state")),
    ],
)
def test_what_may_not_be_rotated_is_not(
    page: Page, who: str, key_id: int, hours: int, refusal: tuple[int, str]
) -> None:
    before = page.listed()
    path = f"/api/keys/{key_id}/rotate"
    status, answer = page.ask(who, "POST", path, {"overlap_hours": hours})
    assert (status, answer["code"]) == refusal
    assert page.listed() == before


def test_a_revoked_key_is_refused_from_the_next_request_on(page: Page) -> None:
    assert page.ping(page.world.keys.sandbox) == 200
    for _ in range(2):
        assert page.ask("editor", "DELETE", f"/api/keys/{OWN}") == (200, {"ok": True})
    assert page.ping(page.world.keys.sandbox) == 401
    assert OWN in {key["id"] for key in page.listed(query="?status=revoked")}


def test_a_production_key_is_revoked_by_an_owner_alone_with_or_without_the_plan(
    page: Page,
) -> None:
    live = OWN_LIVE
    status, answer = page.ask("editor", "DELETE", f"/api/keys/{live}")
    assert (status, answer["code"]) == (403, "forbidden_resource")
    assert live not in {key["id"] for key in page.listed(query="?status=revoked")}
    assert page.ask("owner", "DELETE", f"/api/keys/{live}") == (200, {"ok": True})


ACTIONS = [
    ("POST", "/api/keys", NEW_KEY),
    ("POST", f"/api/keys/{OWN}/rotate", {"overlap_hours": 1}),
    ("DELETE", f"/api/keys/{OWN}", {}),
]


@pytest.mark.parametrize(("method", "path", "body"), ACTIONS)
def test_an_old_login_needs_the_password_for_whatever_changes_keys(
    page: Page, method: str, path: str, body: dict[str, object]
) -> None:
    page.clock.move(OLD)
    before = page.listed()
    status, answer = page.ask("editor", method, path, body)
    assert (status, answer["code"]) == (403, "password_required")
    assert answer["details"][0]["param"] == "password"
    status, answer = page.ask("editor", method, path, body | {"password": "wrong"})
    assert (status, answer["code"]) == (401, "invalid_login")
    assert page.listed() == before
    status, _ = page.ask("editor", method, path, body | {"password": PASSWORD})
    assert status == 200
    assert page.listed() != before


def test_a_fresh_login_needs_no_password(page: Page) -> None:
    page.clock.move(timedelta(minutes=10))
    assert page.ask("owner", "POST", "/api/keys", NEW_KEY | {"password": "wrong"})[0] == 200


def test_wrong_passwords_are_counted_with_those_of_the_login(page: Page) -> None:
    page.clock.move(OLD)
    codes = []
    for _ in range(6):
        _, answer = page.ask("editor", "POST", "/api/keys", NEW_KEY | {"password": "wrong"})
        codes.append(answer["code"])
    assert codes == [*["invalid_login"] * 5, "rate_limited"]
    status, answer = page.ask("editor", "POST", "/api/keys", NEW_KEY | {"password": PASSWORD})
    assert (status, answer["code"]) == (429, "rate_limited")


def test_an_unknown_parameter_is_named_and_an_unknown_member_refused(page: Page) -> None:
    status, answer = page.ask("owner", "GET", "/api/keys?stats=active")
    assert (status, answer["details"][0]["param"]) == (400, "stats")
    status, answer = page.ask("owner", "POST", "/api/keys", NEW_KEY | {"names": "x"})
    assert (status, answer["code"]) == (400, "unknown_parameter")
