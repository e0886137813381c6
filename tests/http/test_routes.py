"""What holds for every route, read from the table of operations."""

import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from longshore.http.api_caller import ANYONE
from longshore.http.api_v1.parse import PARSE
from longshore.http.api_v1.ping import PING
from longshore.http.app import create_app
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Response, check_operation
from longshore.http.routes import OPERATIONS
from longshore.http.services import HttpServices
from longshore.http.session_caller import SECURITY
from tests.support.client import ApiClient
from tests.support.http_service import World, bearer
from tests.support.users import session_headers

PAGES = ["/", "/setup", "/login", "/app", "/docs", "/docs.css", "/openapi.json"]
PATHS = list(dict.fromkeys(operation.path for operation in OPERATIONS)) + PAGES
TEMPLATES = [path for path in PATHS if "{" in path]
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]


def filled(path: str) -> str:
    """Return an address of a path with a parameter; no object has this id."""
    return re.sub(r"\{[a-z_]+\}", "997", path)


def headers_for(operation: AnyOperation, world: World) -> dict[str, str]:
    """Return the headers of a caller who may do everything."""
    if operation.caller.security == SECURITY:
        return session_headers(world.sessions.owner)
    return bearer(world.keys.sandbox)


def allowed(path: str) -> set[str]:
    methods = {operation.method for operation in OPERATIONS if operation.path == path} or {"GET"}
    return methods | ({"HEAD"} if "GET" in methods else set())


def test_each_path_refuses_the_methods_it_lacks(client: ApiClient) -> None:
    for path, method in product(PATHS, METHODS):
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


@pytest.mark.parametrize("path", [path for path in TEMPLATES if path.startswith("/api/")])
def test_the_name_of_a_parameter_is_a_value_of_it_like_any_other(
    client: ApiClient, world: World, path: str
) -> None:
    operation = next(each for each in OPERATIONS if each.path == path)
    answer, other = (
        client.request(operation.method, each, headers=headers_for(operation, world))
        for each in (path, re.sub(r"\{[a-z_]+\}", "x", path))
    )
    assert answer.status_code == other.status_code
    assert answer.json()["code"] == other.json()["code"]


NEXT_TO_A_PATH = ["{}/", "{}//", "/{}", "/v2{}", "{}%20", "{}.json"]
"""The last two of a path with a parameter are other values of it."""


def is_alone(path: str) -> bool:
    """Return whether no other value of any place in it leads anywhere."""
    folder = re.escape(path.rpartition("/")[0])
    return not any(re.fullmatch(rf"{folder}/{{\w+}}", each) for each in TEMPLATES)


# Below /app/ every address is a page.
PLAIN = [path for path in PATHS if path not in {"/", "/app", *TEMPLATES}]
SHADOWED = [path for path in PLAIN if not is_alone(path)]


def test_a_path_beside_it_is_not_found(client: ApiClient) -> None:
    addresses = [
        *(
            change.format(filled(path))
            for path in PLAIN
            if is_alone(path)
            for change in NEXT_TO_A_PATH
        ),
        *(
            change.format(filled(path))
            for path in [*TEMPLATES, *SHADOWED]
            for change in NEXT_TO_A_PATH[:4]
        ),
    ]
    assert len(addresses) > 400
    found = []
    for address in addresses:
        response = client.get("http://longshore.test" + address)
        is_refused = (response.status_code, response.json()["code"]) == (404, "not_found")
        if not is_refused or "location" in response.headers:
            found.append(address)
    assert found == []


NEEDING_NO_TOKEN = [each for each in OPERATIONS if "token" not in each.path_parameters]
"""Without a right token an inbound address is a path like any other: test_receive.py."""


@pytest.mark.parametrize(
    "operation", NEEDING_NO_TOKEN, ids=lambda operation: operation.operation_id
)
def test_each_guarded_operation_turns_strangers_away_before_it_reads(
    client: ApiClient, operation: AnyOperation
) -> None:
    response = client.request(operation.method, operation.path)
    open_to_all = 200 if operation.body is None and not operation.any_body else 400
    assert response.status_code == (401 if operation.caller.security else open_to_all)


@pytest.mark.parametrize("path", ["/docs", "/docs.css", "/openapi.json"])
def test_pages_of_the_documentation_refuse_query_parameters(client: ApiClient, path: str) -> None:
    refused = client.get(path + "?x=1")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_parameter")
    assert refused.json()["error"].startswith('Query parameter "x" is not known here; this path')
    assert client.get(path).status_code == 200


TAKING_RAW_DOCUMENTS = {"parse", "validate", "validateInSession"}


@pytest.mark.parametrize(
    "operation", NEEDING_NO_TOKEN, ids=lambda operation: operation.operation_id
)
def test_each_operation_refuses_unknown_and_empty_query_parameters(
    client: ApiClient, world: World, operation: AnyOperation
) -> None:
    known = operation.query_parameters
    query = "&".join(["zz=1", *(f"{name}=" for name in known)])
    refused = client.request(
        operation.method,
        f"{filled(operation.path)}?{query}",
        headers=headers_for(operation, world),
        json=None if operation.body is None else operation.body_example,
    )
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_parameter")
    hint = "did you mean" if known else "this path takes none."
    if operation.operation_id in TAKING_RAW_DOCUMENTS:
        hint = "with a JSON body it is a member of the body."
    assert refused.json()["error"].startswith(f'Query parameter "zz" is not known here; {hint}')
    assert [(each["code"], each["param"]) for each in refused.json()["details"]] == [
        ("unknown_parameter", "zz"),
        *(("invalid_parameter", name) for name in known),
    ]


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
            "GET /api/v1/ping takes a body of any size from anybody",
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
