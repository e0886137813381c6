"""Transactions as keys and pages read them: the list, the record, bytes, timeline, deliveries."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.domain.interchanges.encryption import seal_content, store_interchange
from longshore.domain.interchanges.store import NewInterchange
from longshore.domain.partners.model import Direction, Identity
from longshore.domain.ports import Scope
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    LastError,
    NewTransaction,
    ProcessingStatus,
    Reference,
    Source,
    TransactionId,
)
from longshore.domain.transactions.store import Links
from longshore.domain.units import WriteUnit
from longshore.http.app import create_app
from longshore.kit.environment import Environment
from tests.support.client import ApiClient, calling
from tests.support.clock import START, StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.tracking import states
from tests.support.trading import (
    RECEIVING,
    a_partner,
    a_record,
    an_interchange,
    set_facts,
    write,
)
from tests.support.users import session_headers
from tests.support.vault import a_document, a_sealer, a_vault, an_index, scope

SANDBOX, PRODUCTION = Environment.SANDBOX, Environment.PRODUCTION
DEMO, NORTHWIND = 1, 2
OWN, FOREIGN, LIVE = scope(DEMO, SANDBOX), scope(NORTHWIND, SANDBOX), scope(NORTHWIND, PRODUCTION)
BYTES = b"ISA*00*\xe9 as it came~"
DAY = timedelta(days=1)
NOBODY = Identity(qualifier="", isa_id="")
ORDER = set_facts(references=(Reference("BEG.03", "Purchase order number", "PO-12345"),))
QUARANTINED = RECEIVING._replace(processing=ProcessingStatus.QUARANTINED)
ACCEPTED = states(DeliveryStatus.DELIVERED, AckStatus.ACCEPTED)
BOTH = ("/api/v1/transactions", "/api/transactions")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("transactions")) as world:
        asyncio.run(fill(world))
        yield world


async def fill(world: World) -> None:
    partner = await a_partner(world.database, given=OWN)
    new = an_interchange(partner_id=partner)
    sent = a_record(ORDER, states=ACCEPTED, partner_id=partner, metadata={"batch": "7"})
    await stored(world, OWN, sent, interchange=new)
    unknown = a_record(
        set_facts(tx_set="", sender=NOBODY, receiver=NOBODY, st_control_number=""),
        direction=Direction.INBOUND,
        states=QUARANTINED,
        source=Source.RECEIVE,
        last_error=LastError(code="no_partner", message="Nobody is known.", at=START),
    )
    await stored(world, OWN, unknown, days=1)
    output = a_document('{"a":1}', filename="made.json", fmt="json")
    made = await a_vault(world.database, StoppedClock()).store(OWN, None, [output])
    invoice = a_record(set_facts(tx_set="810"), business_key="INV-1", doc_id=made.output_ids[0])
    await stored(world, OWN, invoice, days=2, output=made.output_ids[0])
    await stored(world, FOREIGN, a_record())
    await stored(world, LIVE, a_record(environment=PRODUCTION))


async def stored(
    world: World,
    given: Scope,
    record: NewTransaction,
    days: int = 0,
    interchange: NewInterchange | None = None,
    output: int | None = None,
) -> TransactionId:
    """Store a record, with the interchange or the output it belongs to."""
    assert given.account_id is not None
    account_id, sealer, now = given.account_id, a_sealer(), START + days * DAY

    async def work(unit: WriteUnit) -> TransactionId:
        new = record
        if interchange is not None:
            parts = seal_content(sealer, BYTES, {})
            number = await store_interchange(unit, sealer, account_id, interchange, parts, now)
            new = replace(record, interchange_id=number)
        writer = TransactionWriter(unit, sealer, an_index(), account_id)
        transaction_id = await writer.insert(new, now)
        await unit.transactions.link(transaction_id, Links(output_doc_id=output), now)
        return transaction_id

    return await write(world.database, given, work)


@pytest.fixture(scope="module")
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


def headers_for(world: World, path: str) -> dict[str, str]:
    if path.startswith("/api/v1/"):
        return bearer(world.keys.sandbox)
    return session_headers(world.sessions.viewer)


def listed(client: ApiClient, headers: dict[str, str], path: str) -> list[int]:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()["transactions"]]


ENDINGS = ("", "/1", "/1/content", "/1/timeline", "/1/deliveries", "/3/output")


@pytest.mark.parametrize("ending", ENDINGS)
def test_nobody_without_a_key_or_a_session_sees_a_transaction(
    client: ApiClient, world: World, ending: str
) -> None:
    by_key, by_page = (f"{path}{ending}" for path in BOTH)
    no_key = client.get(by_key, headers=session_headers(world.sessions.owner))
    assert (no_key.status_code, no_key.json()["code"]) == (401, "missing_api_key")
    no_session = client.get(by_page, headers=bearer(world.keys.sandbox))
    assert (no_session.status_code, no_session.json()["code"]) == (401, "not_logged_in")
    no_scope = client.get(by_key, headers=bearer(world.keys.submit_only))
    assert (no_scope.status_code, no_scope.json()["code"]) == (403, "insufficient_scope")


@pytest.mark.parametrize("path", BOTH)
@pytest.mark.parametrize("ending", ["", "/content", "/timeline", "/deliveries", "/output"])
def test_what_is_not_the_callers_is_one_and_the_same_404(
    client: ApiClient, world: World, path: str, ending: str
) -> None:
    headers = headers_for(world, path) | {"X-Request-Id": "same"}
    answers = [
        client.get(f"{path}/{number}{ending}", headers=headers)
        for number in ("4", "5", "99", "0", "-1", "01", "x", "9223372036854775808")
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1


def test_a_sandbox_key_never_sees_live_rows_and_a_live_key_sees_both(
    client: ApiClient, world: World
) -> None:
    test, live = bearer(world.keys.neighbour), bearer(world.keys.production)
    assert listed(client, test, BOTH[0]) == [4]
    assert listed(client, live, BOTH[0]) == [5, 4]
    by_filter = {
        (name, wanted): listed(client, headers, f"{BOTH[0]}?test={wanted}")
        for name, headers in (("test", test), ("live", live))
        for wanted in ("true", "false")
    }
    assert by_filter == {
        ("test", "true"): [4],
        ("test", "false"): [],
        ("live", "true"): [4],
        ("live", "false"): [5],
    }
    statuses = [
        client.get(f"{BOTH[0]}/{number}", headers=headers).status_code
        for headers in (test, live)
        for number in (4, 5)
    ]
    assert statuses == [200, 404, 200, 200]


def test_a_page_shows_the_environment_that_is_chosen_unless_test_asks_for_another(
    client: ApiClient, world: World
) -> None:
    owner = world.sessions.neighbour_owner
    shown = {
        (environment, query): listed(client, session_headers(owner, environment), BOTH[1] + query)
        for environment in ("sandbox", "production")
        for query in ("", "?test=true", "?test=false")
    }
    assert shown == {
        ("sandbox", ""): [4],
        ("sandbox", "?test=true"): [4],
        ("sandbox", "?test=false"): [],
        ("production", ""): [5],
        ("production", "?test=true"): [4],
        ("production", "?test=false"): [5],
    }


RECORD = {
    "id": 1,
    "partner_id": 1,
    "partner_name": "Northwind Retail",
    "direction": "outbound",
    "tx_set": "850",
    "tx_set_name": "Purchase order",
    "status": "acknowledged",
    "processing_status": "not_applicable",
    "validation_status": "valid",
    "delivery_status": "delivered",
    "ack_status": "accepted",
    "environment": "sandbox",
    "is_test": True,
    "format": "x12",
    "version": "004010",
    "functional_group": "PO",
    "isa_control_number": "000000123",
    "gs_control_number": "123",
    "st_control_number": "0001",
    "sender_qualifier": "ZZ",
    "sender_id": "ACMECORP",
    "receiver_qualifier": "01",
    "receiver_id": "123456789",
    "usage_indicator": "T",
    "business_key": "PO-12345",
    "references": [{"element": "BEG.03", "name": "Purchase order number", "value": "PO-12345"}],
    "segment_count": 14,
    "file_size": 812,
    "doc_id": None,
    "interchange_id": 1,
    "parent_id": None,
    "duplicate_of": None,
    "attempts": 0,
    "last_error": None,
    "metadata": {"batch": "7"},
    "source": "api",
    "created_at": "2026-01-15T14:05:09",
    "updated_at": "2026-01-15T14:05:09",
}


@pytest.mark.parametrize("path", BOTH)
def test_a_record_has_every_member_of_the_contract(
    client: ApiClient, world: World, path: str
) -> None:
    answer = client.get(f"{path}/1", headers=headers_for(world, path)).json()
    about = {"ok": True, "environment": "sandbox", "pairing": None}
    assert answer == {**about, "transaction": RECORD}
    assert list(answer["transaction"]) == list(RECORD)


def test_what_is_not_known_is_empty_text_and_never_null(client: ApiClient, world: World) -> None:
    record = client.get(f"{BOTH[0]}/2", headers=bearer(world.keys.sandbox)).json()["transaction"]
    unknown = ("partner_name", "tx_set", "tx_set_name", "sender_id", "business_key")
    assert {record[name] for name in unknown} == {""}
    assert (record["status"], record["source"], record["partner_id"]) == (
        *("quarantined", "receive"),
        None,
    )
    assert record["last_error"] == {
        "code": "no_partner",
        "message": "Nobody is known.",
        "at": "2026-01-15T14:05:09",
    }


@pytest.mark.parametrize("path", BOTH)
def test_a_list_shows_the_newest_first_with_all_that_is_known_of_the_page(
    client: ApiClient, world: World, path: str
) -> None:
    answer = client.get(path, headers=headers_for(world, path)).json()
    records = answer.pop("transactions")
    assert answer == {
        "ok": True,
        "environment": "sandbox",
        "count": 3,
        "total": 3,
        "total_is_exact": True,
        "limit": 50,
        "offset": 0,
        "has_more": False,
        "next_cursor": None,
        "warnings": [],
    }
    assert [record["id"] for record in records] == [3, 2, 1]
    assert records[2] == RECORD


@pytest.mark.parametrize("path", BOTH)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?direction=outbound", [3, 1]),
        ("?direction=inbound,outbound", [3, 2, 1]),
        ("?tx_set=850", [1]),
        ("?tx_set=850,810", [3, 1]),
        ("?partner_id=9223372036854775807", []),
        ("?status=acknowledged", [1]),
        ("?status=quarantined,queued", [3, 2]),
        ("?processing_status=quarantined", [2]),
        ("?validation_status=not_checked", [2]),
        ("?delivery_status=delivered,pending", [3, 1]),
        ("?ack_status=accepted", [1]),
        ("?control_number=000000123", [3, 2, 1]),
        ("?control_number=0001", [3, 1]),
        ("?business_key=PO-12345", [1]),
        ("?business_key=po-12345", []),
        ("?q=PO-12345", [1]),
        ("?q=INV-1", [3]),
        ("?q=northwind", [1]),
        ("?q=2", [2]),
        ("?q=%25", []),
        ("?q=%27%20OR%201%3D1%20--", []),
        ("?date_from=2026-01-16", [3, 2]),
        ("?date_to=2026-01-15", [1]),
        ("?date_from=2026-01-16&date_to=2026-01-16", [2]),
        ("?date_from=2026-01-16T14:05:09&date_to=2026-01-16T14:05:09Z", [2]),
        ("?date_from=2026-01-16T14:05:09.000001", [3]),
        ("?sort=id", [1, 2, 3]),
        ("?sort=-updated_at", [3, 2, 1]),
        ("?sort=created_at&limit=2", [1, 2]),
        ("?limit=2", [3, 2]),
        ("?limit=2&offset=2", [1]),
        ("?offset=999999999999999999", []),
        ("?direction=outbound&tx_set=810&q=INV-1&test=true", [3]),
    ],
)
def test_a_list_is_filtered_and_ordered(
    client: ApiClient, world: World, path: str, query: str, expected: list[int]
) -> None:
    assert listed(client, headers_for(world, path), path + query) == expected


def test_a_partner_is_asked_for_by_id(client: ApiClient, world: World) -> None:
    headers = bearer(world.keys.sandbox)
    partner = client.get(f"{BOTH[0]}/1", headers=headers).json()["transaction"]["partner_id"]
    assert listed(client, headers, f"{BOTH[0]}?partner_id={partner}") == [1]
    assert listed(client, headers, f"{BOTH[0]}?partner_id=1000,{partner}") == [1]


@pytest.mark.parametrize("path", BOTH)
def test_the_link_and_the_cursor_lead_through_all_pages(
    client: ApiClient, world: World, path: str
) -> None:
    headers, query, seen = headers_for(world, path), "?limit=1&offset=0&direction=outbound", []
    for has_more in (True, False):
        answer = client.get(path + query, headers=headers)
        page = answer.json()
        assert (page["count"], page["total"], page["has_more"]) == (1, 2, has_more)
        seen += [each["id"] for each in page["transactions"]]
        link, cursor = answer.headers.get("link"), page["next_cursor"]
        assert (link is not None, cursor is not None) == (has_more, has_more)
        if link is not None:
            expected = f"https://edi.example.com{path}?direction=outbound&limit=1&cursor={cursor}"
            assert link == f'<{expected}>; rel="next"'
            query = f"?{expected.partition('?')[2]}"
    assert seen == [3, 1]


def test_a_cursor_of_another_list_is_refused(client: ApiClient, world: World) -> None:
    headers = bearer(world.keys.sandbox)
    cursor = client.get(f"{BOTH[0]}?limit=1", headers=headers).json()["next_cursor"]
    assert listed(client, headers, f"{BOTH[0]}?limit=1&cursor={cursor}") == [2]
    strange = (
        f"{BOTH[0]}?cursor={cursor}&direction=outbound",
        f"{BOTH[0]}?cursor={cursor}&sort=id",
        f"{BOTH[0]}?cursor={cursor[:-2]}AA",
        f"{BOTH[0]}?cursor=abc",
    )
    for address in strange:
        answer = client.get(address, headers=headers)
        assert (answer.status_code, answer.json()["details"][0]["param"]) == (400, "cursor")
    of_others = client.get(f"{BOTH[0]}?cursor={cursor}", headers=bearer(world.keys.neighbour))
    assert of_others.status_code == 400


def test_a_limit_above_the_largest_counts_as_that_and_is_echoed(
    client: ApiClient, world: World
) -> None:
    headers = bearer(world.keys.sandbox)
    limits = [
        client.get(f"{BOTH[0]}?limit={limit}", headers=headers).json()["limit"]
        for limit in (200, 201, 999_999_999_999_999_999)
    ]
    assert limits == [200, 200, 200]


@pytest.mark.parametrize("path", BOTH)
@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("?limit=0", ["limit"]),
        ("?limit=-1", ["limit"]),
        ("?limit=x", ["limit"]),
        ("?limit=1.5&offset=-1", ["limit", "offset"]),
        ("?limit=&offset=", ["limit", "offset"]),
        ("?limit=%D9%A3", ["limit"]),
        ("?direction=sideways", ["direction"]),
        ("?status=queued,sunk&ack_status=maybe", ["status", "ack_status"]),
        ("?status=queued,", ["status"]),
        ("?tx_set=85%200&partner_id=0", ["tx_set", "partner_id"]),
        ("?partner_id=1,x", ["partner_id"]),
        ("?test=maybe", ["test"]),
        ("?sort=name", ["sort"]),
        ("?q=a%00b&business_key=%7F", ["q", "business_key"]),
        (f"?q={'a' * 201}", ["q"]),
        ("?date_from=yesterday", ["date_from"]),
        ("?date_from=2026-02-30&date_to=2026-13-01", ["date_from", "date_to"]),
        ("?partner_id=9223372036854775808&date_to=2026-02-30", ["date_to", "partner_id"]),
        ("?cursor=abc&offset=0", ["cursor"]),
        ("?cursor=abc&offset=0&date_from=2026-02-30", ["date_from", "cursor"]),
    ],
)
def test_bad_values_are_refused_all_at_once(
    client: ApiClient, world: World, path: str, query: str, params: list[str]
) -> None:
    answer = client.get(path + query, headers=headers_for(world, path))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert [detail["param"] for detail in answer.json()["details"]] == params


@pytest.mark.parametrize("path", BOTH)
def test_a_filter_that_is_misspelt_or_empty_returns_nothing(
    client: ApiClient, world: World, path: str
) -> None:
    query = "?txset=850&partner_id=&limit=0&txset=810&limit=5"
    refused = client.get(path + query, headers=headers_for(world, path))
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_parameter")
    assert [(each["param"], each["message"]) for each in refused.json()["details"]] == [
        ("txset", 'Query parameter "txset" is not known here; did you mean "tx_set"?'),
        ("partner_id", 'Query parameter "partner_id" is empty; give it a value or leave it out.'),
        ("limit", 'Query parameter "limit" is given more than once.'),
    ]


@pytest.mark.parametrize("path", BOTH)
def test_a_limit_above_the_largest_is_clamped_with_a_warning(
    client: ApiClient, world: World, path: str
) -> None:
    answers = [
        client.get(f"{path}?limit={limit}", headers=headers_for(world, path)).json()
        for limit in (200, 201)
    ]
    assert [(answer["limit"], answer["count"]) for answer in answers] == [(200, 3), (200, 3)]
    text = "A page has at most 200 entries, so limit=201 was taken as 200."
    warning = {"code": "limit_clamped", "message": text, "param": "limit"}
    assert [answer["warnings"] for answer in answers] == [[], [warning]]


@pytest.mark.parametrize("path", BOTH)
def test_the_bytes_come_as_they_were_and_nothing_runs_them(
    client: ApiClient, world: World, path: str
) -> None:
    answer = client.get(f"{path}/1/content", headers=headers_for(world, path))
    assert answer.content == BYTES
    wanted = ("content-type", "content-disposition", "content-security-policy")
    assert [answer.headers[name] for name in wanted] == [
        "application/octet-stream",
        "attachment; filename=\"interchange-1.edi\"; filename*=UTF-8''interchange-1.edi",
        "default-src 'none'; sandbox",
    ]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", BOTH)
def test_what_the_map_made_comes_with_its_media_type(
    client: ApiClient, world: World, path: str
) -> None:
    headers = headers_for(world, path)
    answer = client.get(f"{path}/3/output", headers=headers)
    assert (answer.content, answer.headers["content-type"]) == (b'{"a":1}', "application/json")
    assert answer.headers["content-disposition"].startswith('attachment; filename="made.json"')
    none = client.get(f"{path}/1/output", headers=headers)
    assert (none.status_code, none.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", BOTH)
def test_a_timeline_begins_with_its_beginning(client: ApiClient, world: World, path: str) -> None:
    answer = client.get(f"{path}/1/timeline", headers=headers_for(world, path)).json()
    assert answer == {
        "ok": True,
        "environment": "sandbox",
        "transaction_id": 1,
        "timeline": [
            {
                "at": "2026-01-15T14:05:09",
                "kind": "created",
                "status": "",
                "message": "",
                "actor": "",
                "event_id": None,
                "attempt": None,
                "ack_id": None,
            }
        ],
        "waits_behind": None,
    }
