"""GET /api/v1/ping."""

import pytest

from tests.support.client import ApiClient
from tests.support.http_service import Keys, bearer

PING = "/api/v1/ping"


def test_an_anonymous_ping_is_refused_with_advice(client: ApiClient) -> None:
    response = client.get(PING, headers={"X-Request-Id": "mine-1"})
    assert response.status_code == 401
    assert response.json() == {
        "ok": False,
        "error": "This request has no API key. Send the header 'Authorization: Bearer <API_KEY>'.",
        "code": "missing_api_key",
        "request_id": "mine-1",
    }
    assert response.headers["www-authenticate"] == "Bearer"


def test_a_neighbours_ping_names_the_neighbour_alone(client: ApiClient, keys: Keys) -> None:
    assert client.get(PING, headers=bearer(keys.neighbour)).json()["account"] == "Northwind"
    assert client.get(PING, headers=bearer(keys.sandbox)).json()["account"] == "demo"


def test_a_sandbox_ping_tells_account_and_environment(client: ApiClient, keys: Keys) -> None:
    response = client.get(PING, headers=bearer(keys.sandbox))
    assert (response.status_code, response.json()) == (
        200,
        {
            "ok": True,
            "message": "Hello, demo: this key works.",
            "environment": "sandbox",
            "account": "demo",
            "account_type": "developer",
        },
    )


def test_a_live_key_chooses_production(client: ApiClient, keys: Keys) -> None:
    answer = client.get(PING, headers=bearer(keys.production)).json()
    assert (answer["environment"], answer["account_type"]) == ("production", "developer-pro")


def test_ping_needs_no_scope(client: ApiClient, keys: Keys) -> None:
    assert client.get(PING, headers=bearer(keys.submit_only)).status_code == 200


def test_head_has_the_headers_of_get_and_no_body(client: ApiClient, keys: Keys) -> None:
    got = client.get(PING, headers=bearer(keys.sandbox))
    head = client.request("HEAD", PING, headers=bearer(keys.sandbox))
    assert head.status_code == 200
    assert head.headers["content-length"] == got.headers["content-length"] == str(len(got.content))


@pytest.mark.parametrize(
    ("_case", "authorization"),
    [
        ("lower case scheme", "bearer {key}"),
        ("upper case scheme", "BEARER {key}"),
        ("two spaces", "Bearer  {key}"),
    ],
)
def test_the_scheme_is_read_generously(
    client: ApiClient, keys: Keys, _case: str, authorization: str
) -> None:
    headers = {"Authorization": authorization.format(key=keys.sandbox)}
    assert client.get(PING, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("_case", "authorization"),
    [
        ("no token", "Bearer"),
        ("empty token", "Bearer "),
        ("empty", ""),
        ("the key alone", "{key}"),
        ("another scheme", "Basic {key}"),
        ("two tokens", "Bearer {key} {key}"),
        ("a changed letter", "Bearer {key}x"),
        ("a key nobody made", "Bearer svc_test_" + "0" * 36),
        ("other bytes", "Bearer \xff\xfe"),
        ("a comma", "Bearer {key}, Bearer {key}"),
    ],
)
def test_what_is_no_key_gets_one_answer(
    client: ApiClient, keys: Keys, _case: str, authorization: str
) -> None:
    headers = {b"Authorization": authorization.format(key=keys.sandbox).encode("latin-1")}
    response = client.get(PING, headers=headers)
    assert (response.status_code, response.json()["code"]) == (401, "invalid_api_key")
    assert response.json()["error"] == (
        "The API key is not valid. Send a current key as 'Authorization: Bearer svc_…'; make one "
        "with 'longshore keys create'."
    )


def test_a_revoked_key_gets_the_answer_of_an_unknown_one(client: ApiClient, keys: Keys) -> None:
    unknown = "svc_test_" + "0" * 36
    answers = [
        client.get(PING, headers={**bearer(key), "X-Request-Id": "same"}).content
        for key in (keys.revoked, unknown)
    ]
    assert answers[0] == answers[1]


def test_two_authorization_headers_are_refused(client: ApiClient, keys: Keys) -> None:
    headers = [("Authorization", f"Bearer {keys.sandbox}")] * 2
    response = client.get(PING, headers=headers)
    assert (response.status_code, response.json()["code"]) == (401, "invalid_api_key")


@pytest.mark.parametrize(
    ("_case", "options"),
    [
        ("a session cookie", {"headers": {"Cookie": "svc_session=abc; __Host-svc_session=abc"}}),
        ("a key in the query", {"params": {"api_key": "KEY"}}),
        ("a key in another header", {"headers": {"X-Api-Key": "KEY"}}),
    ],
)
def test_nothing_but_the_header_lets_anyone_in(
    client: ApiClient, _case: str, options: dict[str, dict[str, str]]
) -> None:
    response = client.get(PING, **options)
    assert (response.status_code, response.json()["code"]) == (401, "missing_api_key")


def test_a_suspended_account_is_turned_away(client: ApiClient, keys: Keys) -> None:
    response = client.get(PING, headers=bearer(keys.suspended))
    assert (response.status_code, response.json()["code"]) == (403, "account_suspended")
    assert response.json()["error"] == (
        "This account is suspended. Ask the operator of the service to resume it."
    )


def test_a_live_key_without_the_plan_is_turned_away(client: ApiClient, keys: Keys) -> None:
    response = client.get(PING, headers=bearer(keys.plan_lost))
    assert (response.status_code, response.json()["code"]) == (403, "plan_required")
