"""/api/stats, /api/attention, and lists as files."""

import asyncio
import csv
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest

from longshore.domain import exports
from longshore.domain.accounts.model import AccountType, ApiCaller, ApiKeyId
from longshore.domain.acks.encryption import store_ack
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.exports import ExportService
from longshore.domain.ports import AccountId
from longshore.domain.units import WriteUnit
from longshore.http.app import create_app
from longshore.http.limits import LimitClass
from longshore.kit.environment import Environment
from tests.support.client import ApiClient, calling
from tests.support.clock import START, StoppedClock
from tests.support.http_service import RecordedEngine, World
from tests.support.interchanges import a_received_interchange
from tests.support.ports import some_ports
from tests.support.trading import LIVE, an_ack
from tests.support.users import session_headers
from tests.support.vault import a_sealer

DEMO, NORTHWIND = AccountId(1), AccountId(2)
COLLEAGUE = ApiCaller(
    account_id=DEMO,
    account_name="demo",
    account_type=AccountType.DEVELOPER,
    environment=Environment.SANDBOX,
    key_id=ApiKeyId(7),
    scopes=frozenset(),
)
EXPORTS = ["transactions", "acks", "interchanges", "audit"]


async def fill(world: World) -> None:
    """Two interchanges of demo with two sets each, one of Northwind, an awaited 997."""
    await a_received_interchange(world.database, DEMO)
    await a_received_interchange(world.database, DEMO)
    await a_received_interchange(world.database, NORTHWIND)

    awaited = an_ack(sent_at=START, expected_by=START + timedelta(days=2))

    async def work(unit: WriteUnit) -> None:
        await store_ack(unit, a_sealer(), DEMO, awaited, START)
        entry = NewEntry(actor="user 5", action="map.saved", object="map 1", detail="=1+1")
        await AuditWriter(unit, a_sealer(), DEMO).record([entry], START)

    await world.database.units.write(LIVE, work)


@pytest.fixture
def world(own_world: World) -> World:
    asyncio.run(fill(own_world))
    return own_world


@pytest.fixture
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


@pytest.fixture
def owner(world: World) -> dict[str, str]:
    return session_headers(world.sessions.owner)


def rows(client: ApiClient, headers: dict[str, str], path: str) -> list[dict[str, str]]:
    answer = client.get(f"/api/{path}", headers=headers)
    assert answer.status_code == 200, answer.text
    return [*csv.DictReader(StringIO(answer.text, newline=""))]


def test_stats_have_every_day_of_the_period(client: ApiClient, owner: dict[str, str]) -> None:
    answer = client.get("/api/stats?from=2026-01-14&to=2026-01-15", headers=owner)
    stats = answer.json()
    assert (stats["from"], stats["to"], stats["environment"]) == (
        *("2026-01-14", "2026-01-15"),
        "sandbox",
    )
    assert stats["totals"] == {
        "count": 4,
        "failed": 4,
        "pending_acks": 1,
        "oldest_unacked_seconds": 0,
    }
    assert stats["failure"] == [
        {"day": "2026-01-14", "failed": 0, "count": 0},
        {"day": "2026-01-15", "failed": 4, "count": 4},
    ]


@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("from=2026-02-30&to=2026-13-01", ["from", "to"]),
        ("from=yesterday", ["from"]),
        ("from=2026-01-16", ["from"]),
        ("from=2025-10-01", ["from"]),
        ("bucket=hour", ["bucket"]),
    ],
)
def test_a_period_that_makes_no_sense_is_refused(
    client: ApiClient, owner: dict[str, str], query: str, params: list[str]
) -> None:
    answer = client.get(f"/api/stats?{query}", headers=owner)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert [each["param"] for each in answer.json()["details"]] == params


def test_attention_leads_to_the_list_of_what_it_counts(
    client: ApiClient, owner: dict[str, str]
) -> None:
    (item,) = client.get("/api/attention", headers=owner).json()["items"]
    assert (item["kind"], item["severity"], item["count"]) == ("quarantined", "error", 2)
    assert item["href"] == "/app/interchanges?status=quarantined"
    listed = client.get("/api/interchanges?status=quarantined", headers=owner).json()
    assert listed["total"] == item["count"]


@pytest.mark.parametrize("name", EXPORTS)
def test_a_file_has_what_the_list_has_and_the_log_says_who_took_it(
    client: ApiClient, owner: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "PAGE_ROWS", 1)
    listed = client.get(f"/api/{name}", headers=owner).json()
    items = listed["entries" if name == "audit" else name]
    assert [each["id"] for each in rows(client, owner, f"{name}/export")] == [
        str(each["id"]) for each in items
    ]
    (entry,) = client.get(f"/api/audit?action={name.rstrip('s')}.export", headers=owner).json()[
        "entries"
    ]
    assert entry["detail"] == f"{len(items)} rows"


def test_a_file_takes_the_filters_of_its_list(client: ApiClient, owner: dict[str, str]) -> None:
    quarantined = rows(client, owner, "transactions/export?status=quarantined")
    assert len(quarantined) == 4
    assert [*quarantined[0]][-3:] == ["last_error_code", "last_error_message", "reason"]
    assert rows(client, owner, "transactions/export?status=failed") == []
    assert rows(client, owner, "acks/export?status=received") == []
    assert rows(client, owner, "acks/export?error=none&status=pending")[0]["id"] == "1"
    answer = client.get("/api/transactions/export?partner_id=x&date_from=2026-02-30", headers=owner)
    assert answer.status_code == 400


def test_a_cell_that_begins_like_a_formula_is_neutralised(
    client: ApiClient, owner: dict[str, str]
) -> None:
    answer = client.get("/api/audit/export?action=map.saved", headers=owner)
    assert answer.text.splitlines()[1].endswith(",'=1+1")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="audit.csv"')


def test_a_third_file_of_an_account_at_a_time_is_refused_and_not_noted(
    world: World, owner: dict[str, str]
) -> None:
    services = world.services(RecordedEngine())
    stranger = session_headers(world.sessions.neighbour_owner)
    with calling(create_app(services)) as client, ExitStack() as in_progress:
        for _ in range(2):
            in_progress.enter_context(services.limits.exporting(COLLEAGUE, LimitClass.EXPORTS))
        refused = client.get("/api/audit/export", headers=owner)
        assert client.get("/api/audit/export", headers=stranger).status_code == 200
        log = client.get("/api/audit?action=audit.export", headers=owner).json()
        in_progress.close()
        assert client.get("/api/audit/export", headers=owner).status_code == 200
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
    assert refused.json()["details"][0]["limit"] == "concurrent_exports"
    assert log["entries"] == []


@pytest.mark.parametrize("name", EXPORTS)
def test_more_rows_than_a_file_may_hold_are_refused_and_none_is_given_out(
    owner: dict[str, str], name: str, world: World
) -> None:
    services = world.services(RecordedEngine())
    trading = services.trading
    exports = ExportService(some_ports(world.database, StoppedClock()), most_rows=0)
    short = replace(services, trading=replace(trading, exports=exports))
    with calling(create_app(short)) as client:
        answer = client.get(f"/api/{name}/export", headers=owner)
        log = f"/api/audit?action={name.rstrip('s')}.export"
        logged = client.get(log, headers=owner).json()["entries"]
    assert (answer.status_code, answer.json()["code"]) == (400, "limit_exceeded")
    assert answer.json()["details"][0]["limit"] == "export_rows"
    assert logged == []
