"""What holds for every route, read from the table of operations."""

from dataclasses import replace
from typing import Any

import pytest

from longshore.http.api_v1.parse import PARSE
from longshore.http.api_v1.ping import PING
from longshore.http.app import create_app
from longshore.http.caller import ANYONE
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Response, check_operation
from longshore.http.routes import OPERATIONS
from longshore.http.services import HttpServices
from tests.support.client import ApiClient
from tests.support.http_service import Keys, bearer

PAGES = ["/", "/docs", "/docs.css", "/openapi.json"]
PATHS = [operation.path for operation in OPERATIONS] + PAGES
TEMPLATES = [path for path in PATHS if "{" in path]
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]


def filled(path: str) -> str:
    """Return an address of a path with a parameter."""
    return path.replace("{tx_set}", "997")


def allowed(path: str) -> set[str]:
    methods = {operation.method for operation in OPERATIONS if operation.path == path} or {"GET"}
    return methods | ({"HEAD"} if "GET" in methods else set())


@pytest.mark.parametrize("path", PATHS)
def test_each_path_refuses_the_methods_it_lacks(client: ApiClient, path: str) -> None:
    for method in METHODS:
        if method in allowed(path):
            continue
        response = client.request(method, path)
        assert response.status_code == 405
        assert response.headers["allow"] == ", ".join(sorted(allowed(path)))
        if method != "HEAD":
            assert response.json()["code"] == "method_not_allowed"
            assert response.json()["error"] == (
                f"This path does not know that method. Use {response.headers['allow']}."
            )


BESIDE = ["{}/", "{}//", "/{}", "/v2{}", "{}%20", "{}.json"]
"""The last two of a path with a parameter are other values of it."""


@pytest.mark.parametrize(
    ("path", "change"),
    [
        *((path, change) for path in PATHS if path not in {"/", *TEMPLATES} for change in BESIDE),
        *((path, change) for path in TEMPLATES for change in BESIDE[:4]),
    ],
)
def test_a_path_beside_it_is_not_found(client: ApiClient, path: str, change: str) -> None:
    response = client.get("http://longshore.test" + change.format(filled(path)))
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert "location" not in response.headers


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.operation_id)
def test_each_guarded_operation_turns_strangers_away_before_it_reads(
    client: ApiClient, operation: AnyOperation
) -> None:
    response = client.request(operation.method, operation.path)
    assert response.status_code == (401 if operation.caller.security else 200)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.operation_id)
def test_each_operation_names_unknown_query_parameters(
    client: ApiClient, keys: Keys, operation: AnyOperation
) -> None:
    body = None if operation.body is None else operation.body_example
    address = filled(operation.path) + "?zz=1"
    response = client.request(operation.method, address, headers=bearer(keys.sandbox), json=body)
    assert response.status_code == 200
    if operation.response.shape is not None:
        assert "zz" in response.json()["warnings"][0]["message"]
    strict = {**bearer(keys.sandbox), "Prefer": "handling=strict"}
    refused = client.request(operation.method, address, headers=strict, json=body)
    assert (refused.status_code, refused.json()["details"][0]["param"]) == (400, "zz")


@pytest.mark.parametrize(
    ("_case", "change", "error"),
    [
        ("caller", {"caller": None}, "GET /api/v1/ping does not say who may call it"),
        (
            "limit class",
            {"limit_class": None},
            "GET /api/v1/ping does not say which limit it is charged to",
        ),
        ("responses", {"response": None}, "GET /api/v1/ping does not say what it answers"),
        (
            "a shape",
            {"response": Response(description="x")},
            "GET /api/v1/ping answers JSON of no shape",
        ),
        (
            "a caller of its body",
            {"caller": ANYONE, "limit_class": LimitClass.NONE, "body": PARSE.body},
            "GET /api/v1/ping takes a body from anybody",
        ),
        (
            "the parameter of its path",
            {"path": "/api/v1/ping/{name}"},
            "GET /api/v1/ping/{name} does not declare a parameter of its path",
        ),
        (
            "a charge",
            {"limit_class": LimitClass.NONE},
            "GET /api/v1/ping is charged to no limit",
        ),
    ],
)
def test_an_operation_without_it_is_refused_at_start(
    services: HttpServices, _case: str, change: dict[str, Any], error: str
) -> None:
    with pytest.raises(TypeError) as refusal:
        create_app(services, [replace(PING, **change)])
    assert str(refusal.value) == error


def test_a_scope_without_a_caller_is_refused_at_start() -> None:
    health = next(operation for operation in OPERATIONS if operation.path == "/healthz")
    with pytest.raises(TypeError, match="asks a scope of a caller who has none"):
        check_operation(replace(health, scope=PARSE.scope))
