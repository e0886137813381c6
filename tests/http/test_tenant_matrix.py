"""Every route by every kind of caller (reliability.md S5), read from the OpenAPI document.

A new route fails the first test until it has its row; a route with an id in its path must also say
here whose objects it shows (``OWNED``), so that a stranger's gives the byte-identical 404.
"""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from longshore.as2.certificates import PemKeyPair
from longshore.domain.as2.identities import As2IdentityService
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.maps.model import Authorship
from longshore.domain.ports import AccountId
from longshore.engine.definitions import DefinitionFile
from longshore.http.app import create_app
from longshore.http.openapi import openapi_document
from longshore.kit.environment import Environment
from longshore.storage.sqlite.database import open_database
from tests.support.as2 import CERTIFICATE
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.definitions import AN_ESL, a_definition_service, an_import
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.interchanges import a_received_interchange
from tests.support.maps import a_map, a_map_service
from tests.support.services import a_dead_letter, a_ready_partner
from tests.support.trading import a_partner
from tests.support.users import PASSWORD, session_headers
from tests.support.vault import a_document, a_sealer, a_vault, context, scope
from tests.support.webhooks import some_hooks

_ID = re.compile(r"\{[a-z_]+\}")

OPEN = dict.fromkeys(
    (
        *("sandbox", "production", "neighbour", "read_only", "submit_only", "suspended"),
        *("revoked", "plan_lost", "none", "session", "noise", "unknown"),
        *("owner", "editor", "viewer", "neighbour_owner", "suspended_session"),
    ),
    (200, ""),
)
SESSIONS = ("owner", "editor", "viewer", "neighbour_owner", "suspended_session")
"""Callers with a cookie; those before have a key, or nothing that lets them in."""
BY_KEY = OPEN | {
    "suspended": (403, "account_suspended"),
    "revoked": (401, "invalid_api_key"),
    "plan_lost": (403, "plan_required"),
    "none": (401, "missing_api_key"),
    "session": (401, "missing_api_key"),
    "noise": (401, "invalid_api_key"),
    "unknown": (401, "invalid_api_key"),
    **dict.fromkeys(SESSIONS, (401, "missing_api_key")),
}
VIEWING = dict.fromkeys(OPEN, (401, "not_logged_in")) | {
    **dict.fromkeys(("owner", "editor", "viewer", "neighbour_owner"), (200, "")),
    "suspended_session": (403, "account_suspended"),
}
EDITING = VIEWING | {"viewer": (403, "forbidden_resource")}
OWNING = EDITING | {"editor": (403, "forbidden_resource")}
ABSENT = (404, "not_found")
FOREIGN = {"neighbour_owner": ABSENT}
"""What is asked for belongs to demo."""
NOT_CHECKED = {"owner": (409, "invalid_state"), "editor": (409, "invalid_state")}
"""The answer to callers who may check a connection: this one is not SFTP."""
OWN_SESSION = {"editor": ABSENT, "viewer": ABSENT, "neighbour_owner": ABSENT}
CONVERTING = BY_KEY | {
    "submit_only": (403, "insufficient_scope"),
    "read_only": (403, "insufficient_scope"),
}
READING = BY_KEY | {"submit_only": (403, "insufficient_scope")}
SUBMITTING = BY_KEY | {"read_only": (403, "insufficient_scope")}
OF_DEMO = {"production": ABSENT, "neighbour": ABSENT}
"""What is asked for by a key belongs to demo."""
WEBHOOK_PATHS = {
    "": ("GET", "POST"),
    "/{id}": ("GET", "PUT DELETE"),
    **{f"/{{id}}/{verb}": ("", "POST") for verb in ("rotate", "test", "disable", "replay")},
    "/{id}/enable": ("", "POST"),
    "/{id}/deliveries": ("GET", ""),
    "/{id}/deliveries/{delivery_id}": ("GET", ""),
    "/{id}/deliveries/{delivery_id}/replay": ("", "POST"),
}
"""The methods that read and write, by what follows ``/webhooks``."""
MATRIX = {
    ("GET", "/api/v1/ping"): BY_KEY,
    ("POST", "/api/v1/parse"): READING,
    ("POST", "/api/v1/validate"): READING,
    ("POST", "/api/v1/convert"): CONVERTING,
    ("GET", "/api/v1/schemas"): READING,
    ("GET", "/api/v1/schemas/{tx_set}"): READING,
    ("GET", "/api/v1/samples/{tx_set}"): READING,
    ("GET", "/api/v1/documents/{doc_id}"): READING | {"production": ABSENT, "neighbour": ABSENT},
    ("GET", "/api/v1/partners"): READING,
    ("GET", "/api/v1/partners/{id}"): READING | {"production": ABSENT, "neighbour": ABSENT},
    ("GET", "/api/v1/acks"): READING,
    ("GET", "/api/acks"): VIEWING,
    ("POST", "/api/session"): OPEN,
    ("GET", "/api/session"): VIEWING,
    ("DELETE", "/api/session"): VIEWING,
    ("POST", "/api/setup"): dict.fromkeys(OPEN, ABSENT),
    ("POST", "/api/account/password"): VIEWING
    | dict.fromkeys(("owner", "editor", "viewer", "neighbour_owner"), (401, "invalid_login")),
    ("GET", "/api/account/sessions"): VIEWING,
    ("DELETE", "/api/account/sessions/{id}"): VIEWING | OWN_SESSION,
    ("GET", "/api/users"): OWNING,
    ("POST", "/api/users"): OWNING,
    ("PUT", "/api/users/{id}"): OWNING | FOREIGN,
    ("DELETE", "/api/users/{id}"): OWNING | FOREIGN,
    ("GET", "/api/keys"): VIEWING,
    ("POST", "/api/keys"): EDITING,
    ("POST", "/api/keys/{id}/rotate"): EDITING | FOREIGN,
    ("DELETE", "/api/keys/{id}"): EDITING | FOREIGN,
    ("POST", "/api/validate"): VIEWING,
    ("GET", "/api/schemas"): VIEWING,
    ("GET", "/api/schemas/{tx_set}"): VIEWING,
    ("GET", "/api/samples"): VIEWING,
    ("POST", "/api/samples"): EDITING,
    ("GET", "/api/samples/{tx_set}"): VIEWING,
    ("POST", "/api/inspect"): VIEWING,
    ("GET", "/api/vault"): VIEWING,
    ("GET", "/api/vault/{id}"): VIEWING | FOREIGN,
    ("GET", "/api/vault/{id}/download"): VIEWING | FOREIGN,
    ("GET", "/api/account"): VIEWING,
    ("PUT", "/api/account"): OWNING,
    ("GET", "/api/partners"): VIEWING,
    ("POST", "/api/partners"): EDITING,
    ("GET", "/api/partners/{id}"): VIEWING | FOREIGN,
    ("PUT", "/api/partners/{id}"): EDITING | FOREIGN,
    ("DELETE", "/api/partners/{id}"): EDITING | FOREIGN,
    ("POST", "/api/partners/{id}/rotate-token"): EDITING | FOREIGN,
    ("POST", "/api/partners/{id}/check-connection"): EDITING | NOT_CHECKED | FOREIGN,
    ("GET", "/api/partners/{id}/control-numbers"): VIEWING | FOREIGN,
    ("GET", "/api/maps"): VIEWING,
    ("POST", "/api/maps"): EDITING,
    ("GET", "/api/maps/starters"): VIEWING,
    ("GET", "/api/maps/starters/{key}"): VIEWING,
    ("POST", "/api/maps/preview"): VIEWING,
    ("POST", "/api/maps/suggest"): VIEWING,
    ("GET", "/api/maps/{map_id}"): VIEWING | FOREIGN,
    ("PUT", "/api/maps/{map_id}"): EDITING | FOREIGN,
    ("DELETE", "/api/maps/{map_id}"): EDITING | FOREIGN,
    ("GET", "/api/maps/{map_id}/versions"): VIEWING | FOREIGN,
    ("POST", "/api/maps/{map_id}/restore"): EDITING | FOREIGN,
    ("POST", "/api/maps/{map_id}/lock"): EDITING | FOREIGN,
    ("POST", "/api/maps/{map_id}/unlock"): EDITING | FOREIGN,
    ("POST", "/api/maps/{map_id}/tests/run"): VIEWING | FOREIGN,
    ("POST", "/api/maps/{map_id}/replay"): VIEWING | FOREIGN,
    ("GET", "/api/interchanges"): VIEWING,
    ("GET", "/api/interchanges/{id}"): VIEWING | FOREIGN,
    ("GET", "/api/interchanges/{id}/content"): VIEWING | FOREIGN,
    ("POST", "/api/interchanges/{id}/release"): EDITING | FOREIGN,
    ("POST", "/api/interchanges/{id}/replay"): EDITING | FOREIGN,
    ("POST", "/api/interchanges/{id}/discard"): EDITING | FOREIGN,
    ("POST", "/edi/receive/{token}"): dict.fromkeys(OPEN, ABSENT),
    ("POST", "/api/v1/transactions/submit"): SUBMITTING | OF_DEMO,
    ("GET", "/api/v1/transactions"): READING,
    ("GET", "/api/v1/transactions/{id}"): READING | OF_DEMO,
    ("GET", "/api/v1/transactions/{id}/content"): READING | OF_DEMO,
    ("GET", "/api/v1/transactions/{id}/timeline"): READING | OF_DEMO,
    ("GET", "/api/v1/transactions/{id}/deliveries"): READING | OF_DEMO,
    ("GET", "/api/v1/transactions/{id}/output"): READING | OF_DEMO,
    ("POST", "/api/v1/transactions/{id}/retry"): SUBMITTING | OF_DEMO,
    ("POST", "/api/v1/transactions/{id}/reissue"): SUBMITTING | OF_DEMO,
    ("POST", "/api/v1/transactions/{id}/cancel"): SUBMITTING | OF_DEMO,
    ("POST", "/api/v1/transactions/redrive"): SUBMITTING,
    ("POST", "/api/transactions/submit"): EDITING | FOREIGN,
    ("POST", "/api/transactions/redrive"): EDITING,
    ("GET", "/api/transactions"): VIEWING,
    ("GET", "/api/transactions/{id}"): VIEWING | FOREIGN,
    ("GET", "/api/transactions/{id}/content"): VIEWING | FOREIGN,
    ("GET", "/api/transactions/{id}/timeline"): VIEWING | FOREIGN,
    ("GET", "/api/transactions/{id}/deliveries"): VIEWING | FOREIGN,
    ("GET", "/api/transactions/{id}/output"): VIEWING | FOREIGN,
    ("POST", "/api/transactions/{id}/retry"): EDITING | FOREIGN,
    ("POST", "/api/transactions/{id}/reissue"): EDITING | FOREIGN,
    ("POST", "/api/transactions/{id}/cancel"): EDITING | FOREIGN,
    ("GET", "/api/v1/events"): READING,
    ("GET", "/api/events"): VIEWING,
    **{
        (method, f"/api{version}/webhooks{path}"): rights | (others if path else {})
        for version, reading, writing, others in (
            ("/v1", READING, SUBMITTING, OF_DEMO),
            ("", VIEWING, EDITING, FOREIGN),
        )
        for path, (reads, writes) in WEBHOOK_PATHS.items()
        for methods, rights in ((reads, reading), (writes, writing))
        for method in methods.split()
    },
    **{
        (method, f"/api{version}/definitions{path}"): rights | (others if path else {})
        for version, reading, writing, others in (
            ("/v1", READING, SUBMITTING, OF_DEMO),
            ("", VIEWING, EDITING, FOREIGN),
        )
        for path in ("", "/{id}")
        for method, rights in (("GET", reading), ("DELETE" if path else "POST", writing))
    },
    # Each account numbers its events from 1; those of production are others.
    ("POST", "/api/v1/events/{id}/replay"): SUBMITTING | {"production": ABSENT},
    ("POST", "/api/events/{id}/replay"): EDITING,
    ("GET", "/api/audit"): OWNING,
    ("GET", "/api/stats"): VIEWING,
    ("GET", "/api/attention"): VIEWING,
    ("GET", "/api/transactions/export"): VIEWING,
    ("GET", "/api/acks/export"): VIEWING,
    ("GET", "/api/interchanges/export"): VIEWING,
    ("GET", "/api/audit/export"): OWNING,
    ("GET", "/api/as2/identities"): VIEWING,
    ("POST", "/api/as2/identities"): EDITING,
    ("POST", "/api/as2/identities/{id}/add-key"): EDITING | FOREIGN,
    ("POST", "/api/as2/identities/{id}/switch-keys"): EDITING | FOREIGN,
    ("POST", "/api/as2/identities/{id}/drop-key"): EDITING | FOREIGN,
    ("DELETE", "/api/as2/identities/{id}"): EDITING | FOREIGN,
    ("POST", "/as2"): dict.fromkeys(OPEN, (400, "bad_request")),
    ("POST", "/as2/mdn"): dict.fromkeys(OPEN, (400, "bad_request")),
    ("GET", "/healthz"): OPEN,
    ("GET", "/readyz"): OPEN,
    ("GET", "/metrics"): OPEN,
}
OWNED = {
    ("GET", "/api/v1/documents/{doc_id}"): (1, 2),
    ("GET", "/api/vault/{id}"): (1, 2),
    ("GET", "/api/vault/{id}/download"): (1, 2),
    ("DELETE", "/api/account/sessions/{id}"): (1, 4),
    ("PUT", "/api/users/{id}"): (3, 4),
    ("DELETE", "/api/users/{id}"): (3, 4),
    ("POST", "/api/keys/{id}/rotate"): (3, 5),
    ("DELETE", "/api/keys/{id}"): (3, 5),
    ("POST", "/api/interchanges/{id}/replay"): (3, 4),
    ("POST", "/api/as2/identities/{id}/add-key"): (1, 3),
    ("DELETE", "/api/as2/identities/{id}"): (1, 3),
    ("POST", "/api/as2/identities/{id}/switch-keys"): (2, 4),
    ("POST", "/api/as2/identities/{id}/drop-key"): (2, 4),
    **{route: (1, 2) for route in MATRIX if "{map_id}" in route[1]},
    **{route: (1, 2) for route in MATRIX if "/webhooks/{id}" in route[1]},
    **{route: (1, 2) for route in MATRIX if "/definitions/{id}" in route[1]},
    **{route: (3, 4) for route in MATRIX if route[1].endswith("/enable")},
    **{route: (1, 99) for route in MATRIX if "/events/{id}" in route[1]},
    **{route: (5, 6) for route in MATRIX if "/partners/{id}" in route[1]},
    **{route: (9, 10) for route in MATRIX if "/transactions/{id}" in route[1]},
    **dict.fromkeys(
        (
            ("GET", "/api/interchanges/{id}"),
            ("GET", "/api/interchanges/{id}/content"),
            ("POST", "/api/interchanges/{id}/release"),
            ("POST", "/api/interchanges/{id}/discard"),
        ),
        (1, 2),
    ),
}
"""Routes with an id: one that is the own of demo's owner, and one of somebody else."""
EVERYBODYS = {
    ("GET", "/api/v1/schemas/{tx_set}"),
    ("GET", "/api/schemas/{tx_set}"),
    ("GET", "/api/v1/samples/{tx_set}"),
    ("GET", "/api/samples/{tx_set}"),
    ("GET", "/api/maps/starters/{key}"),
    ("POST", "/edi/receive/{token}"),
}
"""Routes with a parameter that shows the same to all who may read."""

CELLS = [(*route, caller) for route, callers in MATRIX.items() for caller in callers]
DOCUMENT = b'{"document":"ST*850*0001~SE*2*0001~"}'
A_PARTNER = b'{"name":"Retail","connections":{"test":{"type":"simulator"}}}'
A_MAP = b'{"name":"Sets","source_fmt":"x12","target_fmt":"json","field_map":[]}'
AN_ORDER = (
    b'{"partner_id":3,"tx_set":"850","direction":"outbound","content":"ST*850*0001~SE*2*0001~"}'
)
BODIES = {
    "/api/v1/parse": DOCUMENT,
    "/api/v1/validate": DOCUMENT,
    "/api/v1/convert": DOCUMENT[:-1] + b',"field_map":[{"src":"ST.01","tgt":"set"}]}',
    "/api/session": b'{"email":"owner@demo.example","password":"%s"}' % PASSWORD.encode(),
    "/api/setup": b'{"token":"%s","email":"a@b","password":"twelve chars"}' % (b"A" * 43),
    "/api/account/password": b'{"old":"wrong","new":"twelve chars"}',
    "/api/users": b'{"email":"new@demo.example","role":"editor"}',
    "/api/users/{id}": b'{"email":"new@demo.example","role":"editor"}',
    "/api/keys": b'{"name":"ci","environment":"sandbox"}',
    "/api/keys/{id}/rotate": b'{"overlap_hours":24}',
    "/api/validate": DOCUMENT,
    "/api/inspect": DOCUMENT,
    "/api/account": b'{"retention_days":30}',
    "/api/partners": A_PARTNER,
    "/api/partners/{id}": A_PARTNER,
    "/api/partners/{id}/rotate-token": b'{"environment":"sandbox"}',
    "/api/partners/{id}/check-connection": b'{"environment":"sandbox"}',
    "/api/maps": A_MAP,
    "/api/maps/{map_id}": A_MAP,
    "/api/maps/preview": DOCUMENT[:-1] + b',"field_map":[{"src":"ST.01","tgt":"set"}]}',
    "/api/maps/suggest": b'{"document":"ST*850*0001~SE*2*0001~","target_sample":"{}"}',
    "/api/maps/{map_id}/restore": b'{"version":1}',
    "/api/maps/{map_id}/tests/run": b"{}",
    "/api/maps/{map_id}/replay": b"{}",
    "/api/v1/transactions/submit": AN_ORDER,
    "/api/transactions/submit": AN_ORDER,
    "/api/v1/transactions/redrive": b'{"ids":[9]}',
    "/api/transactions/redrive": b'{"ids":[9]}',
    **{
        f"{prefix}/transactions/{{id}}/{word}": b'{"reason":"a test"}'
        for prefix in ("/api/v1", "/api")
        for word in ("retry", "reissue", "cancel")
    },
    "/api/interchanges/{id}/release": b'{"reason":"agreed"}',
    "/api/interchanges/{id}/replay": b'{"reason":"agreed"}',
    "/api/interchanges/{id}/discard": b'{"reason":"agreed"}',
    "/edi/receive/{token}": DOCUMENT,
    "/as2": DOCUMENT,
    "/as2/mdn": DOCUMENT,
    **{
        f"/api{version}/webhooks{path}": body
        for version in ("", "/v1")
        for path, body in (
            ("", b'{"url":"https://erp.example.com/hooks"}'),
            ("/{id}", b'{"url":"https://erp.example.com/hooks"}'),
            ("/{id}/rotate", b'{"overlap_hours":24}'),
            ("/{id}/replay", b'{"date_from":"2026-01-15"}'),
        )
    },
    **{f"/api{version}/definitions": json.dumps(an_import()).encode() for version in ("", "/v1")},
    "/api/v1/events/{id}/replay": b"{}",
    "/api/events/{id}/replay": b"{}",
    "/api/as2/identities": b'{"as2_name":"THIRD"}',
    "/api/as2/identities/{id}/add-key": b"{}",
}
PLACES = ("partners", "transactions", "vault", "acks", "maps", "events", "overlays", "mailboxes")
MALFORMED = ("0", "-1", "9223372036854775808", "1e3", "01", "x", "999")
IDS = ("1", "2", "0", "-1", "9223372036854775808", "1e3", "%31", "x", "1/../2")


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, World]:
    """A folder with two accounts and something of everything in both, and its closed world."""
    place = tmp_path_factory.mktemp("stocked") / "data"
    with open_world(place) as world:
        asyncio.run(stock(world))
    return place, world


async def stock(world: World) -> None:
    vault = a_vault(world.database, StoppedClock())
    maps = a_map_service(world.database, StoppedClock())
    for account in (1, 2):
        who = context(account, Environment.SANDBOX)
        await vault.store(who.scope, None, [a_document()])
        await maps.create(who, a_map(), Authorship(saved_by="cli"))
    partners = {
        account: await a_partner(world.database, "Sender", scope(account, Environment.PRODUCTION))
        for account in (1, 2)
    }
    for status in (InterchangeStatus.QUARANTINED, InterchangeStatus.PROCESSED):
        for account, partner_id in partners.items():
            await a_received_interchange(
                world.database, AccountId(account), status, partner_id=partner_id
            )
    for account in (1, 2):
        shop = await a_ready_partner(world.database, account)
        await a_dead_letter(world.database, account, shop, output=account)
    identities = As2IdentityService(world.database.units, StoppedClock(), a_sealer())
    first, second = PemKeyPair(CERTIFICATE, "first"), PemKeyPair(CERTIFICATE, "second")
    for account in (1, 2):
        who = context(account, Environment.SANDBOX)
        await identities.create(who, f"ONE KEY {account}", first)
        await identities.create(who, f"TWO KEYS {account}", first)
        await identities.add_key(who, f"TWO KEYS {account}", second)
    definitions = a_definition_service(world.database, StoppedClock())
    for account in (1, 2):
        who = context(account, Environment.SANDBOX)
        await definitions.import_file(who, AN_ESL, DefinitionFile("order.esl"))
    hooks = some_hooks(world.database, StoppedClock())
    for account in (1, 2):
        await hooks.endpoint(context(account, Environment.SANDBOX))
    for account in (1, 2):
        who = context(account, Environment.SANDBOX)
        await hooks.service.disable(who, (await hooks.endpoint(who)).id)
        await hooks.happens(by=who)
    await hooks.call()
    for account in (1, 2):  # the only ones that may be deleted
        await a_partner(world.database, "Untraded", scope(account, Environment.SANDBOX))


@contextmanager
def copied(stocked: tuple[Path, World], place: Path) -> Iterator[tuple[ApiClient, World]]:
    folder, world = stocked
    copytree(folder, place)
    with open_database(place) as database:
        world = replace(world, database=database)
        with calling(create_app(world.services(RecordedEngine()))) as client:
            yield client, world


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tenants") / "data"


@pytest.fixture(scope="module")
def served(stocked: tuple[Path, World], place: Path) -> Iterator[tuple[ApiClient, World]]:
    with copied(stocked, place) as served:
        yield served


@pytest.fixture(scope="module")
def client(served: tuple[ApiClient, World]) -> ApiClient:
    return served[0]


@pytest.fixture(scope="module")
def tenants(served: tuple[ApiClient, World]) -> World:
    return served[1]


def headers_of(world: World, caller: str) -> dict[str, str]:
    genuine = world.keys.sandbox
    others = {
        "none": {},
        "session": {"Cookie": "svc_session=abc; __Host-svc_session=abc"},
        "noise": {"Authorization": "Bearer svc_test_noise"},
        "unknown": bearer(genuine[:-1] + ("a" if genuine[-1] != "a" else "b")),
    }
    found = others.get(caller)
    if caller in SESSIONS:
        return session_headers(getattr(world.sessions, caller.removesuffix("_session")))
    return bearer(getattr(world.keys, caller)) if found is None else found


def filled(method: str, path: str, *, is_own: bool = True) -> str:
    """Return a path with ids of demo's owner, or of somebody else."""
    path = path.replace("{tx_set}", "997").replace("{key}", "850-to-json")
    own, foreign = OWNED.get((method, path), (0, 0))
    return _ID.sub(str(own if is_own else foreign), path)


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


CHANGING_NOTHING = {"/api/v1/parse", "/api/v1/validate", "/api/v1/convert"}
CHANGING = [
    (method, path, caller)
    for method, path, caller in CELLS
    if method != "GET"
    and path not in {f"/api/v1/{word}" for word in ("parse", "validate", "convert")}
    if MATRIX[method, path][caller][0] not in {401, 403} or path == "/api/account/password"
]
"""Cells that change something, or that count as failed logins; each has a database of its own."""


def check_cell(client: ApiClient, world: World, cell: tuple[str, str, str]) -> str:
    """Ask as one caller; return what is wrong with the answer, or nothing."""
    method, path, caller = cell
    headers = headers_of(world, caller) | {"Content-Type": "application/json", "If-Match": "*"}
    body = None if method in {"GET", "DELETE"} else BODIES.get(path)
    response = client.request(method, filled(method, path), content=body, headers=headers)
    code = "" if response.status_code == 200 else response.json()["code"]
    if (response.status_code, code) != MATRIX[cell[:2]][caller]:
        return f"{cell} got {response.status_code} {code}"
    neighbour = "demo" if caller in {"production", "neighbour", "neighbour_owner"} else "Northwind"
    is_json = response.headers["content-type"].endswith("json")
    is_login = (method, path) == ("POST", "/api/session")
    if is_json and not is_login and f'"{neighbour}"' in response.text:
        return f"{cell} shows {neighbour}"
    if path == "/api/v1/ping" and response.status_code == 200:
        of_key = "production" if caller == "production" else "sandbox"
        if response.json()["environment"] != of_key:
            return f"{cell} is in another environment"
    return ""


@pytest.mark.timeout(300)  # a thousand requests
def test_each_caller_gets_what_is_theirs_and_nothing_else(
    client: ApiClient, tenants: World
) -> None:
    reading = [cell for cell in CELLS if cell not in CHANGING]
    assert len(reading) > 1_400
    assert [said for cell in reading if (said := check_cell(client, tenants, cell))] == []


@pytest.mark.timeout(300)  # a database for each of two hundred requests
def test_each_caller_changes_what_is_theirs_and_nothing_else(
    stocked: tuple[Path, World], tmp_path: Path
) -> None:
    wrong = []
    for number, cell in enumerate(CHANGING):
        with copied(stocked, tmp_path / str(number)) as (client, world):
            wrong.append(check_cell(client, world, cell))
        rmtree(tmp_path / str(number))
    assert len(wrong) > 180
    assert [said for said in wrong if said] == []


@pytest.mark.timeout(300)  # a thousand requests
def test_refused_requests_change_no_row(client: ApiClient, tenants: World, place: Path) -> None:
    before = rows_of(place)
    assert {"accounts", "api_keys", "users", "sessions"} <= set(before)
    for method, path, caller in CELLS:
        # A wrong password of somebody who is logged in is in the audit log.
        if MATRIX[method, path][caller][0] != 200 and path != "/api/account/password":
            headers = headers_of(tenants, caller)
            body = None if method in {"GET", "DELETE"} else BODIES.get(path)
            headers["If-Match"] = "*"
            client.request(method, filled(method, path), content=body, headers=headers)
    assert rows_of(place) == before


def test_what_is_somebody_elses_is_the_same_404_as_what_never_was(
    client: ApiClient, tenants: World, place: Path
) -> None:
    before = rows_of(place)
    found = {route: answers_to_bad_ids(client, tenants, *route) for route in OWNED}
    assert {route: seen for route, seen in found.items() if seen != [404]} == {}
    assert rows_of(place) == before


def answers_to_bad_ids(client: ApiClient, tenants: World, method: str, path: str) -> list[int]:
    """Return the statuses of all different answers, the request's own id aside."""
    caller = "sandbox" if path.startswith("/api/v1/") else "owner"
    body = None if method in {"GET", "DELETE"} else BODIES.get(path)
    addresses = [filled(method, path, is_own=False)] + [_ID.sub(bad, path) for bad in MALFORMED]
    seen = set()
    for address in addresses:
        headers = headers_of(tenants, caller) | {"If-Match": "*"}
        response = client.request(method, address, content=body, headers=headers)
        request_id = response.json()["request_id"].encode()
        seen.add((response.status_code, response.content.replace(request_id, b"")))
    return [status for status, _ in seen]


def unserved() -> list[str]:
    """Return places where nothing is, however plausible they are."""
    paths = tuple(openapi_document()["paths"])
    places = [
        f"{prefix}/{name}"
        for prefix, name in product(("/api/v1", "/api"), (*PLACES, "partners", "keys"))
    ]
    return [place for place in places if not any(path.startswith(place) for path in paths)]


def test_what_does_not_exist_is_the_same_404_for_everybody(
    client: ApiClient, tenants: World
) -> None:
    """No id, place or caller makes a difference, so none can be told from another."""
    seen = []
    for caller, place, identity in product(OPEN, unserved(), IDS):
        response = client.get(f"{place}/{identity}", headers=headers_of(tenants, caller))
        members = json.loads(response.content)
        body = response.content.replace(members["request_id"].encode(), b"")
        seen.append((response.status_code, body))
    assert len(seen) >= 750
    assert len(set(seen)) == 1
    assert seen[0][0] == 404
