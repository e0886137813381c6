"""Every route by every kind of caller (reliability.md S5), read from the OpenAPI document.

A new route fails the first test until it has its row; a route with an id in its path must also say
here whose objects it shows (``OWNED``), so that a stranger's gives the byte-identical 404.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest

from longshore.http.app import create_app
from longshore.http.openapi import openapi_document
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer, open_world

OPEN = dict.fromkeys(
    (
        *("sandbox", "production", "neighbour", "read_only", "submit_only", "suspended"),
        *("revoked", "plan_lost", "none", "session", "noise", "unknown"),
    ),
    (200, ""),
)
BY_KEY = OPEN | {
    "suspended": (403, "account_suspended"),
    "revoked": (401, "invalid_api_key"),
    "plan_lost": (403, "plan_required"),
    "none": (401, "missing_api_key"),
    "session": (401, "missing_api_key"),
    "noise": (401, "invalid_api_key"),
    "unknown": (401, "invalid_api_key"),
}
READING = BY_KEY | {"submit_only": (403, "insufficient_scope")}
MATRIX = {
    ("GET", "/api/v1/ping"): BY_KEY,
    ("POST", "/api/v1/parse"): READING,
    ("POST", "/api/v1/validate"): READING,
    ("GET", "/api/v1/schemas"): READING,
    ("GET", "/api/v1/schemas/{tx_set}"): READING,
    ("GET", "/healthz"): OPEN,
    ("GET", "/readyz"): OPEN,
    ("GET", "/metrics"): OPEN,
}
OWNED: dict[tuple[str, str], str] = {}
"""Routes with an id: whose table they show. None exists yet."""
EVERYBODYS = {("GET", "/api/v1/schemas/{tx_set}")}
"""Routes with a parameter that shows the same to all who may read."""

CELLS = [(*route, caller) for route, callers in MATRIX.items() for caller in callers]
DOCUMENT = b'{"document":"ST*850*0001~SE*2*0001~"}'
BODIES = {"/api/v1/parse": DOCUMENT, "/api/v1/validate": DOCUMENT}
PLACES = ("partners", "transactions", "vault", "acks", "maps", "events")
IDS = ("1", "2", "0", "-1", "9223372036854775808", "1e3", "%31", "x", "1/../2")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tenants")


@pytest.fixture(scope="module")
def tenants(place: Path) -> Iterator[World]:
    with open_world(place) as world:
        yield world


@pytest.fixture(scope="module")
def client(tenants: World) -> Iterator[ApiClient]:
    with calling(create_app(tenants.services(RecordedEngine()))) as client:
        yield client


def headers_of(world: World, caller: str) -> dict[str, str]:
    genuine = world.keys.sandbox
    others = {
        "none": {},
        "session": {"Cookie": "svc_session=abc; __Host-svc_session=abc"},
        "noise": {"Authorization": "Bearer svc_test_noise"},
        "unknown": bearer(genuine[:-1] + ("a" if genuine[-1] != "a" else "b")),
    }
    found = others.get(caller)
    return bearer(getattr(world.keys, caller)) if found is None else found


def filled(path: str) -> str:
    return path.replace("{tx_set}", "997")


def rows_of(place: Path) -> dict[str, str]:
    """Return a hash of each table, but for what an accepted key changes by being used."""
    hashes = {}
    with closing(sqlite3.connect(f"file:{place}/longshore.db?mode=ro", uri=True)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in tables.fetchall():
            found = database.execute(f'PRAGMA table_info("{table}")').fetchall()
            # A good key without the scope was used all the same, and that is noted later.
            columns = ", ".join(name for _, name, *_ in found if name != "last_used_at")
            rows = database.execute(f'SELECT {columns} FROM "{table}"').fetchall()
            hashes[table] = sha256(repr(sorted(rows, key=repr)).encode()).hexdigest()
    return hashes


def test_every_route_has_its_row_and_every_id_its_owner() -> None:
    routes = {
        (method.upper(), path)
        for path, methods in openapi_document()["paths"].items()
        for method in methods
    }
    assert set(MATRIX) == routes
    assert set(OWNED) | EVERYBODYS == {route for route in routes if "{" in route[1]}


@pytest.mark.parametrize(("method", "path", "caller"), CELLS)
def test_each_caller_gets_what_is_theirs_and_nothing_else(
    client: ApiClient, tenants: World, method: str, path: str, caller: str
) -> None:
    headers = headers_of(tenants, caller) | {"Content-Type": "application/json"}
    response = client.request(method, filled(path), content=BODIES.get(path), headers=headers)
    code = "" if response.status_code == 200 else response.json()["code"]
    assert (response.status_code, code) == MATRIX[method, path][caller]
    neighbour = "demo" if caller in {"production", "neighbour"} else "Northwind"
    assert f'"account":"{neighbour}"' not in response.text
    if path == "/api/v1/ping" and response.status_code == 200:
        live = caller == "production"
        assert response.json()["environment"] == ("production" if live else "sandbox")


def test_refused_requests_change_no_row(client: ApiClient, tenants: World, place: Path) -> None:
    before = rows_of(place)
    assert {"accounts", "api_keys"} <= set(before)
    for method, path, caller in CELLS:
        if MATRIX[method, path][caller][0] != 200:
            headers = headers_of(tenants, caller)
            client.request(method, filled(path), content=BODIES.get(path), headers=headers)
    assert rows_of(place) == before


def test_what_does_not_exist_is_the_same_404_for_everybody(
    client: ApiClient, tenants: World
) -> None:
    """750 requests: no id, place or key makes a difference, so none can be told from another."""
    seen = set()
    for caller, name, identity in product(OPEN, PLACES, IDS):
        for prefix in ("/api/v1", "/api")[: 1 + (identity in {"1", "x"})]:
            headers = headers_of(tenants, caller)
            response = client.get(f"{prefix}/{name}/{identity}", headers=headers)
            members = json.loads(response.content)
            body = response.content.replace(members["request_id"].encode(), b"")
            seen.add((response.status_code, body))
    assert len(seen) == 1
    assert next(iter(seen))[0] == 404
