"""/api/account: whose session it is, and how long documents are kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.users import session_headers

ACCOUNT = {
    "id": 1,
    "name": "demo",
    "account_type": "developer",
    "status": "active",
    "identities": [],
    "retention_days": None,
    "stored_bytes": 0,
    "stored_records": 0,
    "max_stored_bytes": 0,
    "max_stored_records": 0,
}
OURS = {"qualifier": "01", "isa_id": "987654321", "gs_id": "ACME"}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with open_world(tmp_path) as world:
        yield world


@pytest.fixture
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


def account_of(client: ApiClient, secret: str) -> dict[str, object]:
    account: dict[str, object] = client.get("/api/account", headers=session_headers(secret)).json()[
        "account"
    ]
    return account


def test_nobody_without_a_session_sees_or_changes_an_account(
    client: ApiClient, world: World
) -> None:
    for headers in ({}, bearer(world.keys.sandbox)):
        for method, body in (("GET", None), ("PUT", {"retention_days": 1})):
            answer = client.request(method, "/api/account", headers=headers, json=body)
            assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in")
    assert account_of(client, world.sessions.owner) == ACCOUNT


def test_each_sees_and_changes_the_own_account_alone(client: ApiClient, world: World) -> None:
    headers = session_headers(world.sessions.neighbour_owner, "production")
    answer = client.request("PUT", "/api/account", headers=headers, json={"retention_days": 7})
    assert (answer.json()["account"]["name"], answer.json()["account"]["retention_days"]) == (
        "Northwind",
        7,
    )
    assert account_of(client, world.sessions.viewer) == ACCOUNT


def test_an_owner_sets_and_ends_retention(client: ApiClient, world: World) -> None:
    headers = session_headers(world.sessions.owner)
    for days in (1, 36_500, None):
        body = {"retention_days": days}
        answer = client.request("PUT", "/api/account", headers=headers, json=body)
        assert (answer.status_code, answer.json()) == (
            200,
            {"ok": True, "account": ACCOUNT | {"retention_days": days}},
        )
        assert account_of(client, world.sessions.viewer)["retention_days"] == days


@pytest.mark.parametrize("role", ["viewer", "editor"])
def test_others_than_owners_change_nothing(client: ApiClient, world: World, role: str) -> None:
    headers = session_headers(getattr(world.sessions, role))
    answer = client.request("PUT", "/api/account", headers=headers, json={"retention_days": 1})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden_resource")
    assert account_of(client, world.sessions.owner) == ACCOUNT


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        ({"retention_days": 0}, "invalid_parameter", "retention_days"),
        ({"retention_days": 36_501}, "invalid_parameter", "retention_days"),
        ({"retention_days": "7"}, "invalid_parameter", "retention_days"),
        ({"retention_days": 1.5}, "invalid_parameter", "retention_days"),
        ({}, "missing_parameter", "retention_days"),
        ({"retention_days": 7, "name": "mine"}, "unknown_parameter", "name"),
        ({"retention_days": 7, "identities": []}, "invalid_parameter", "identities"),
        (
            {"retention_days": 7, "identities": [OURS, {**OURS, "id": 9, "isa_id": "B"}]},
            *("invalid_parameter", "identities[1].id"),
        ),
        (
            {"retention_days": 7, "identities": [OURS | {"isa_id": "SIXTEEN-CHARS-16"}]},
            *("invalid_parameter", "identities[0].isa_id"),
        ),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    client: ApiClient, world: World, body: dict[str, object], code: str, param: str
) -> None:
    headers = session_headers(world.sessions.owner)
    answer = client.request("PUT", "/api/account", headers=headers, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert [detail["param"] for detail in answer.json()["details"]] == [param]
    assert account_of(client, world.sessions.owner) == ACCOUNT


def test_an_owner_sets_the_identities_of_the_account(client: ApiClient, world: World) -> None:
    headers = session_headers(world.sessions.owner)
    other = {"qualifier": "ZZ", "isa_id": "ACME"}
    body: dict[str, object] = {"retention_days": None, "identities": [OURS, other]}
    answer = client.request("PUT", "/api/account", headers=headers, json=body)
    both = [{"id": 1, **OURS}, {"id": 2, **other, "gs_id": ""}]
    assert answer.json()["account"] == ACCOUNT | {"identities": both}
    answer = client.request("PUT", "/api/account", headers=headers, json={"retention_days": 7})
    kept = ACCOUNT | {"identities": both, "retention_days": 7}
    assert answer.json()["account"] == kept
    body = {"retention_days": 8, "identities": [{"id": 1, **other}, {"id": 2, **OURS}]}
    answer = client.request("PUT", "/api/account", headers=headers, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert account_of(client, world.sessions.viewer) == kept
    assert account_of(client, world.sessions.neighbour_owner)["identities"] == []
