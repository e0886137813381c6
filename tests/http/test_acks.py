"""The list of acknowledgements: for keys of both environments, for pages of the chosen one."""

import asyncio
import csv
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest

from longshore.domain.acks.model import Ack, AckId
from longshore.domain.acks.overdue import OverdueAckChecker
from longshore.domain.partners.model import Direction
from longshore.domain.ports import AccountId
from longshore.http.api_v1.acks import ACK_EXAMPLE, item_of
from longshore.http.app import create_app
from tests.support.answers import ORDERS, SEALER, Sending, a_997, a_ta1, receive, sent
from tests.support.client import ApiClient, calling
from tests.support.clock import START, StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.trading import FOREIGN_LIVE, FOREIGN_TEST, a_partner, an_ack
from tests.support.users import session_headers

HOUR = timedelta(hours=1)
ANSWER = a_997(
    "AK1*PO*123",
    "AK2*850*0001",
    *("AK3*PO1*3**8", "AK4*6*235*7*XX", "AK5*R*5"),
    "AK9*P*2*2*1",
)
UNKNOWN = a_997("AK1*PO*999", "AK9*E*1*1*1")
REFUSED = a_ta1("TA1*000000999*260115*1405*R*006")
BOTH_LISTS = ("/api/v1/acks", "/api/acks")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("acks")) as world:
        asyncio.run(fill(world))
        yield world


async def fill(world: World) -> None:
    """Demo: rows 1 and 2 answered, 3 unmatched, 4 a TA1, 5 overdue; Northwind: 6 test, 7 live."""
    database, clock = world.database, StoppedClock()
    await a_partner(database)
    await sent(database)
    await receive(database, ANSWER)
    await receive(database, UNKNOWN, REFUSED, at=START + 2 * HOUR)
    await sent(database, Sending(groups=[("0003",)]))
    clock.move(49 * HOUR)
    await OverdueAckChecker(database.units, SEALER, clock).run_once()
    for given in (FOREIGN_TEST, FOREIGN_LIVE):
        await sent(database, Sending(groups=[("0001",)]), given)


@pytest.fixture(scope="module")
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


def headers_for(world: World, path: str) -> dict[str, str]:
    if path.startswith("/api/v1/"):
        return bearer(world.keys.sandbox)
    return session_headers(world.sessions.viewer)


def asked(client: ApiClient, headers: dict[str, str], path: str) -> dict[str, Any]:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def listed(client: ApiClient, headers: dict[str, str], path: str) -> list[int]:
    return [ack["id"] for ack in asked(client, headers, path)["acks"]]


def test_nobody_without_a_key_or_a_session_sees_them(client: ApiClient, world: World) -> None:
    with_session = client.get("/api/v1/acks", headers=session_headers(world.sessions.owner))
    assert (with_session.status_code, with_session.json()["code"]) == (401, "missing_api_key")
    with_key = client.get("/api/acks", headers=bearer(world.keys.sandbox))
    assert (with_key.status_code, with_key.json()["code"]) == (401, "not_logged_in")
    no_scope = client.get("/api/v1/acks", headers=bearer(world.keys.submit_only))
    assert (no_scope.status_code, no_scope.json()["code"]) == (403, "insufficient_scope")


def test_each_caller_sees_the_rows_of_his_account_and_environment(
    client: ApiClient, world: World
) -> None:
    keys, neighbour = world.keys, world.sessions.neighbour_owner
    lists = [
        listed(client, headers, path)
        for path, headers in (
            ("/api/v1/acks", bearer(keys.sandbox)),
            ("/api/v1/acks", bearer(keys.neighbour)),
            ("/api/v1/acks", bearer(keys.production)),
            ("/api/acks", session_headers(neighbour)),
            ("/api/acks", session_headers(neighbour, "production")),
        )
    ]
    assert lists == [[3, 5, 2, 1], [6], [7, 6], [6], [7]]


@pytest.mark.parametrize("path", BOTH_LISTS)
def test_a_page_tells_how_much_there_is(client: ApiClient, world: World, path: str) -> None:
    answer = asked(client, headers_for(world, path), f"{path}?limit=2&offset=1")
    assert [each["id"] for each in answer.pop("acks")] == [5, 2]
    assert answer == {
        "ok": True,
        "environment": "sandbox",
        "count": 2,
        "total": 4,
        "total_is_exact": True,
        "limit": 2,
        "offset": 1,
        "has_more": True,
        "next_cursor": None,
        "warnings": [],
    }


@pytest.mark.parametrize("path", BOTH_LISTS)
def test_the_header_link_leads_to_the_next_page(client: ApiClient, world: World, path: str) -> None:
    headers = headers_for(world, path)
    first = client.get(f"{path}?limit=2&status=received,pending", headers=headers)
    query = "status=received%2Cpending&limit=2&offset=2"
    assert first.headers["link"] == f'<https://edi.example.com{path}?{query}>; rel="next"'
    last = client.get(f"{path}?{query}", headers=headers)
    assert [ack["id"] for ack in last.json()["acks"]] == [2, 1]
    assert "link" not in last.headers


@pytest.mark.parametrize("path", BOTH_LISTS)
def test_a_row_says_all_of_it(client: ApiClient, world: World, path: str) -> None:
    (row,) = asked(client, headers_for(world, path), f"{path}?result=rejected")["acks"]
    (error,) = row.pop("errors")
    hint = error.pop("hint")
    assert hint.startswith("Allowed here: ")
    assert error == {
        "level": "element",
        "segment_id": "PO1",
        "segment_position": 3,
        "loop_id": "",
        "element_position": 6,
        "component_position": None,
        "repeat": None,
        "element_ref": "235",
        "code": "7",
        "code_meaning": "Invalid code value",
        "bad_value": "XX",
        "source": "AK4",
        "our_value": "XX",
        "our_path": "PO1.06",
        "our_offset": ORDERS.index("XX*4711"),
        "our_rule": "",
        "message": "",
    }
    assert row.pop("claims") == []
    assert row.pop("claim_counts") is None
    assert row == {
        "id": 1,
        "ack_type": "997",
        "direction": "inbound",
        "status": "received",
        "result": "rejected",
        "overdue": False,
        "matched": True,
        "weak_match": False,
        "ambiguous": False,
        "conflict": False,
        "transaction_id": 1,
        "business_key": "PO-1",
        "partner_id": 1,
        "partner_name": "Northwind Retail",
        "tx_set": "850",
        "functional_group": "PO",
        "isa_control_number": "000000077",
        "acked_gs_control_number": "123",
        "acked_st_control_number": "0001",
        "group_code": "P",
        "transaction_code": "R",
        "transaction_error_codes": ["5"],
        "sets_included": 2,
        "sets_received": 2,
        "sets_accepted": 1,
        "expected_by": "2026-01-17T14:05:09",
        "received_at": "2026-01-15T15:05:09",
        "sent_at": None,
        "doc_id": None,
        "is_test": True,
        "created_at": "2026-01-15T14:05:09",
        "updated_at": "2026-01-15T15:05:09",
    }
    assert {*row, "errors", "claims", "claim_counts"} == set(ACK_EXAMPLE)


def test_what_is_not_known_is_null_or_empty(client: ApiClient, world: World) -> None:
    headers = bearer(world.keys.sandbox)
    (unmatched,) = asked(client, headers, "/api/v1/acks?result=accepted_with_errors")["acks"]
    absent = ("transaction_id", "expected_by", "sent_at", "sets_included")
    assert [unmatched[name] for name in absent] == [None, None, None, 1]
    assert (unmatched["matched"], unmatched["tx_set"], unmatched["errors"]) == (False, "", [])
    assert unmatched["business_key"] == ""
    (waiting,) = asked(client, headers, "/api/v1/acks?overdue=true")["acks"]
    assert (waiting["result"], waiting["received_at"], waiting["overdue"]) == (None, None, True)


@pytest.mark.parametrize("path", BOTH_LISTS)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ack_type=TA1", [4]),
        ("ack_type=all", [4, 3, 5, 2, 1]),
        ("ack_type=997,TA1", [4, 3, 5, 2, 1]),
        ("ack_type=999", []),
        ("status=pending", [5]),
        ("status=received", [3, 2, 1]),
        ("status=sent,failed", []),
        ("result=accepted", [2]),
        ("result=accepted,rejected", [2, 1]),
        ("direction=inbound", [3, 5, 2, 1]),
        ("direction=outbound", []),
        ("partner_id=1", [3, 5, 2, 1]),
        ("partner_id=9223372036854775807", []),
        ("transaction_id=2", [2]),
        ("tx_set=850", [5, 2, 1]),
        ("tx_set=810,855", []),
        ("overdue=true", [5]),
        ("overdue=false", [3, 2, 1]),
        ("due=true", [5, 2, 1]),
        ("open=true", [3, 5, 2, 1]),
        ("open=false", []),
        ("date_from=2026-01-15", [3, 5, 2, 1]),
        ("date_from=2026-01-16", []),
        ("date_from=2026-01-15T16:05:09", [3]),
        ("date_to=2026-01-15T14:05", [5, 2, 1]),
        ("date_to=2026-01-14", []),
        ("status=received&tx_set=850&limit=1", [2]),
        ("offset=100", []),
    ],
)
def test_filters_are_kept(
    client: ApiClient, world: World, path: str, query: str, expected: list[int]
) -> None:
    assert listed(client, headers_for(world, path), f"{path}?{query}") == expected


@pytest.mark.parametrize(
    ("direction", "sent_at"), [("outbound", "2026-01-15T14:05:09"), ("inbound", None)]
)
def test_ours_alone_says_when_it_was_sent(direction: str, sent_at: str | None) -> None:
    ack = Ack(
        id=AckId(8),
        account_id=AccountId(1),
        row=an_ack(direction=Direction(direction), sent_at=START),
        partner_name="",
        created_at=START,
        updated_at=START,
    )
    assert item_of(ack).sent_at == sent_at


def test_a_file_names_the_document_of_each_row(client: ApiClient, world: World) -> None:
    headers = session_headers(world.sessions.viewer)
    file = client.get("/api/acks/export?ack_type=997", headers=headers)
    rows = csv.DictReader(StringIO(file.text))
    found = {row["transaction_id"]: row["business_key"] for row in rows}
    assert found == {"": "", "3": "PO-3", "2": "PO-2", "1": "PO-1"}


def test_keys_of_production_tell_test_from_live(client: ApiClient, world: World) -> None:
    live, test = bearer(world.keys.production), bearer(world.keys.sandbox)
    assert listed(client, live, "/api/v1/acks?test=true") == [6]
    assert listed(client, live, "/api/v1/acks?test=false") == [7]
    assert listed(client, test, "/api/v1/acks?test=true") == [3, 5, 2, 1]
    assert listed(client, test, "/api/v1/acks?test=false") == []


def test_a_page_of_the_browser_has_no_filter_that_leaves_its_environment(
    client: ApiClient, world: World
) -> None:
    headers = session_headers(world.sessions.neighbour_owner, "production")
    answer = client.get("/api/acks?test=true", headers=headers).json()
    assert (answer["code"], answer["details"][0]["param"]) == ("unknown_parameter", "test")
    assert listed(client, headers, "/api/acks") == [7]


@pytest.mark.parametrize("path", BOTH_LISTS)
@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("status=open", ["status"]),
        ("result=pending&ack_type=998", ["result", "ack_type"]),
        ("direction=both", ["direction"]),
        ("partner_id=0&transaction_id=x", ["partner_id", "transaction_id"]),
        ("tx_set=8 50&overdue=yes", ["tx_set", "overdue"]),
        ("date_from=yesterday&limit=0&offset=-1", ["date_from", "limit", "offset"]),
        ("partner_id=9223372036854775808", ["partner_id"]),
        (
            "transaction_id=9223372036854775808&date_from=2026-02-30&date_to=2026-13-01",
            ["transaction_id", "date_from", "date_to"],
        ),
    ],
)
def test_bad_values_are_refused_all_at_once(
    client: ApiClient, world: World, path: str, query: str, params: list[str]
) -> None:
    answer = client.get(f"{path}?{query}", headers=headers_for(world, path))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert [detail["param"] for detail in answer.json()["details"]] == params


KINDS = "997, 999, TA1, 277CA, 824, all"


def test_a_refusal_names_what_is_allowed(client: ApiClient, world: World) -> None:
    headers = bearer(world.keys.sandbox)
    answer = client.get("/api/v1/acks?ack_type=998&test=maybe", headers=headers)
    assert [detail["message"] for detail in answer.json()["details"]] == [
        f'Parameter "ack_type" must be one of these, or several by comma: {KINDS}.',
        'Parameter "test" must be true or false.',
    ]
