"""Submitting a document over HTTP: what is answered, and what was stored then."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from longshore.domain.outbound.submission import CONTENT_MISSING
from longshore.domain.partners.model import PartnerStatus
from longshore.http.admission import SMALL_BODY_BYTES
from longshore.http.app import create_app
from longshore.http.services import HttpServices
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.live_server import RawAnswer, a_request, live
from tests.support.services import a_full_queue, a_ready_partner
from tests.support.submitting import a_set
from tests.support.users import session_headers

KEY_PATH, PAGE_PATH = BOTH = ("/api/v1/transactions/submit", "/api/transactions/submit")
DEMO, NORTHWIND = 1, 2
TWINS = 64


@pytest.fixture
def partner_id(own_world: World) -> int:
    """A partner of demo in testing, and another account's, which has the next id."""
    own = asyncio.run(a_ready_partner(own_world.database, DEMO))
    asyncio.run(a_ready_partner(own_world.database, NORTHWIND, PartnerStatus.ACTIVE))
    return own


@pytest.fixture
def services(own_world: World) -> HttpServices:
    return own_world.services(RecordedEngine())


@pytest.fixture
def client(services: HttpServices) -> Iterator[ApiClient]:
    with calling(create_app(services)) as client:
        yield client


@pytest.fixture
def headers(own_world: World) -> dict[str, str]:
    return bearer(own_world.keys.sandbox)


@pytest.mark.parametrize("path", BOTH)
def test_a_submit_that_would_wait_too_long_is_refused_before_anything_is_read(
    own_world: World, headers: dict[str, str], path: str
) -> None:
    services = replace(own_world.services(RecordedEngine()), document_queue=a_full_queue())
    given = headers if path == KEY_PATH else session_headers(own_world.sessions.editor)
    with calling(create_app(services)) as client:
        for content in (b"{", b"{" + b" " * SMALL_BODY_BYTES):  # JSON of neither is looked at
            answer = client.post(
                path,
                content=content,
                headers=given
                | {"Content-Type": "application/json", "Accept": "application/problem+json"},
            )
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
            problem = answer.json()
            assert problem["type"].endswith("/docs#overloaded")
            assert problem["details"][0]["limit"] == "document_wait_seconds"
        assert total(client, headers) == 0


def an_order(partner: int, **members: object) -> dict[str, object]:
    given = {"partner_id": partner, "tx_set": "850", "direction": "outbound"}
    return {**given, "content": a_set(), **members}


def total(client: ApiClient, headers: dict[str, str]) -> int:
    return int(client.get("/api/v1/transactions", headers=headers).json()["total"])


@pytest.mark.parametrize("path", BOTH)
def test_nobody_submits_who_may_not(
    client: ApiClient, own_world: World, partner_id: int, headers: dict[str, str], path: str
) -> None:
    keys, sessions = own_world.keys, own_world.sessions
    refused: dict[str, list[tuple[dict[str, str], int]]] = {
        KEY_PATH: [({}, 401), (bearer(keys.read_only), 403), (bearer(keys.suspended), 403)],
        PAGE_PATH: [({}, 401), (headers, 401), (session_headers(sessions.viewer), 403)],
    }
    for given, status in refused[path]:
        answer = client.post(path, json=an_order(partner_id), headers=given)
        assert answer.status_code == status, answer.text
    assert total(client, headers) == 0


@pytest.mark.parametrize("path", BOTH)
def test_a_neighbours_partner_is_the_same_404_as_none_and_nothing_is_stored(
    client: ApiClient, own_world: World, partner_id: int, headers: dict[str, str], path: str
) -> None:
    given = headers if path == KEY_PATH else session_headers(own_world.sessions.editor)
    given = given | {"X-Request-Id": "same"}
    seen = set()
    for number in (partner_id + 1, 999, 0, -1, 2**63 - 1, 2**63, 2**80):
        answer = client.post(path, json=an_order(number), headers=given)
        seen.add((answer.status_code, answer.content))
    assert {status for status, _ in seen} == {404}
    assert len(seen) == 1
    assert total(client, headers) == 0


def test_a_submitted_document_is_a_record_that_waits_to_be_sent(
    client: ApiClient, partner_id: int, headers: dict[str, str]
) -> None:
    order = an_order(partner_id, metadata={"batch": "7"}, business_key="MINE-1")
    answer = client.post(KEY_PATH, json=order, headers=headers)
    assert answer.json() == {
        "ok": True,
        "transaction_id": 1,
        "status": "queued",
        "environment": "sandbox",
        "message": "Transaction accepted.",
        "transaction_ids": [1],
        "interchange_id": 1,
        "receipt_id": None,
        "duplicate": False,
        "ack_expected": True,
        "ack_due_at": "2026-01-17T14:05:09",
        "validation": {"valid": True, "outcome": "valid", "errors": [], "warnings": []},
        "control_numbers": {"isa": "000000001", "gs": "1", "st": ["0001"]},
        "warnings": [],
    }
    record = client.get("/api/v1/transactions/1", headers=headers).json()["transaction"]
    known = ("status", "business_key", "metadata", "source", "partner_name")
    assert [record[name] for name in known] == [
        *("queued", "MINE-1", {"batch": "7"}),
        *("api", "Shop"),
    ]
    sent = client.get("/api/v1/transactions/1/content", headers=headers).text
    assert sent.startswith("ISA*00*")
    assert "*ZZ*ACMECORP       *01*123456789      *" in sent


def test_a_page_submits_too_and_may_name_what_it_corrects(
    client: ApiClient, own_world: World, partner_id: int
) -> None:
    at_page = session_headers(own_world.sessions.editor)
    first = client.post(PAGE_PATH, json=an_order(partner_id), headers=at_page).json()
    order = an_order(partner_id, parent_id=first["transaction_id"], reason="The date was wrong.")
    second = client.post(PAGE_PATH, json=order, headers=at_page).json()
    records = client.get("/api/transactions?sort=id", headers=at_page).json()["transactions"]
    assert [(each["id"], each["parent_id"], each["source"]) for each in records] == [
        (first["transaction_id"], None, "browser"),
        (second["transaction_id"], first["transaction_id"], "browser"),
    ]
    events = client.get("/api/events", headers=at_page).json()["events"]
    assert {event["data"]["environment"] for event in events} == {"sandbox"}


def test_a_page_corrects_a_document_once_unless_it_names_what_stands(
    client: ApiClient, own_world: World, partner_id: int
) -> None:
    at_page = session_headers(own_world.sessions.editor)
    first = client.post(PAGE_PATH, json=an_order(partner_id), headers=at_page).json()
    order = an_order(partner_id, parent_id=first["transaction_id"])
    second = client.post(PAGE_PATH, json=order, headers=at_page).json()["transaction_id"]
    refused = client.post(PAGE_PATH, json=order, headers=at_page)
    assert (refused.status_code, refused.json()["code"]) == (409, "invalid_state")
    (detail,) = refused.json()["details"]
    assert refused.json()["error"].startswith(f"Transaction {second} was made of transaction")
    assert detail["param"] == "supersedes"
    assert detail["message"].endswith(f'say "supersedes": {second}.')
    again = client.post(PAGE_PATH, json={**order, "supersedes": second}, headers=at_page)
    assert again.json()["transaction_id"] == second + 1


def test_a_key_names_no_parent(client: ApiClient, partner_id: int, headers: dict[str, str]) -> None:
    answer = client.post(KEY_PATH, json=an_order(partner_id, parent_id=1), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter")
    assert total(client, headers) == 0


@pytest.mark.parametrize(
    ("members", "codes"),
    [
        ({"direction": "sideways", "tx_set": 850}, {"direction", "tx_set"}),
        ({"partner_id": "7", "dry_run": "yes"}, {"partner_id", "dry_run"}),
        ({"on_invalid": "ignore", "metadata": {"a": 1}}, {"on_invalid", "metadata.a"}),
        ({"content": None}, {"content"}),
        ({"document": "{}", "map_id": 1}, {"document"}),
    ],
)
def test_bad_members_are_refused_all_at_once_and_nothing_is_stored(
    client: ApiClient,
    partner_id: int,
    headers: dict[str, str],
    members: dict[str, object],
    codes: set[str],
) -> None:
    answer = client.post(KEY_PATH, json=an_order(partner_id, **members), headers=headers)
    assert answer.status_code == 400
    assert {detail["param"] for detail in answer.json()["details"]} == codes
    assert total(client, headers) == 0


def test_a_dry_run_is_answered_and_leaves_nothing(
    client: ApiClient, partner_id: int, headers: dict[str, str]
) -> None:
    answer = client.post(KEY_PATH, json=an_order(partner_id, dry_run=True), headers=headers).json()
    assert (answer["transaction_id"], answer["status"]) == (None, "dry_run")
    assert answer["control_numbers"]["isa"] == "000000001"
    assert total(client, headers) == 0


def test_an_invalid_document_that_is_refused_names_its_record(
    client: ApiClient, partner_id: int, headers: dict[str, str]
) -> None:
    broken = a_set("BEG*00*SA*PO-1**20241315", "PO1*1*1*EA*9.25**VP*A1", "CTT*1")
    order = an_order(partner_id, content=broken, on_invalid="reject")
    answer = client.post(KEY_PATH, json=order, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "document_invalid")
    assert answer.json()["details"]
    number = answer.json()["transaction_id"]
    record = client.get(f"/api/v1/transactions/{number}", headers=headers).json()["transaction"]
    assert (record["status"], record["isa_control_number"]) == ("invalid", "")
    problem = headers | {"Accept": "application/problem+json"}
    as_problem = client.post(KEY_PATH, json=order, headers=problem)
    assert as_problem.headers["content-type"] == "application/problem+json"
    assert as_problem.json()["transaction_id"] == number + 1


def test_a_query_parameter_is_refused_and_nothing_is_stored(
    client: ApiClient, partner_id: int, headers: dict[str, str]
) -> None:
    answer = client.post(f"{KEY_PATH}?dry_run=1", json=an_order(partner_id), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter")
    text = 'Query parameter "dry_run" is not known here; this path takes none.'
    assert answer.json()["error"] == text
    assert total(client, headers) == 0


@pytest.mark.parametrize("path", [KEY_PATH, PAGE_PATH])
def test_an_empty_request_names_all_that_is_missing(
    client: ApiClient, own_world: World, headers: dict[str, str], path: str
) -> None:
    at_page = session_headers(own_world.sessions.editor)
    headers = headers if path == KEY_PATH else at_page
    missing = [
        ("missing_parameter", name) for name in ("partner_id", "tx_set", "direction", "content")
    ]
    for query, code, first in (
        ("", "missing_parameter", []),
        ("?dryrun=1", "unknown_parameter", [("unknown_parameter", "dryrun")]),
    ):
        answer = client.post(path + query, json={}, headers=headers).json()
        assert answer["code"] == code
        assert [(each["code"], each["param"]) for each in answer["details"]] == first + missing
        assert answer["details"][-1]["message"] == CONTENT_MISSING


def test_a_parent_that_cannot_be_is_not_found_and_nothing_is_stored(
    client: ApiClient, own_world: World, partner_id: int, headers: dict[str, str]
) -> None:
    at_page = session_headers(own_world.sessions.editor)
    for parent in (7, 0, 2**63):
        order = an_order(partner_id, parent_id=parent)
        assert client.post(PAGE_PATH, json=order, headers=at_page).status_code == 404
    assert total(client, headers) == 0


# ---- the same request again ----------------------------------------------------------------------


@pytest.mark.parametrize("path", BOTH)
def test_the_same_key_gives_the_first_answer_again(
    client: ApiClient, own_world: World, partner_id: int, headers: dict[str, str], path: str
) -> None:
    given = headers if path == KEY_PATH else session_headers(own_world.sessions.editor)
    given = given | {"Idempotency-Key": "order 7"}
    answers = [client.post(path, json=an_order(partner_id), headers=given) for _ in range(3)]
    assert len({answer.content for answer in answers}) == 1
    replayed = [answer.headers.get("idempotency-replayed") for answer in answers]
    assert replayed == [None, "true", "true"]
    assert total(client, headers) == 1
    other = client.post(path, json=an_order(partner_id, business_key="B"), headers=given)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_mismatch")
    assert total(client, headers) == 1


def test_a_key_of_one_account_is_none_of_another(
    client: ApiClient, own_world: World, partner_id: int, headers: dict[str, str]
) -> None:
    key = {"Idempotency-Key": "order 7"}
    client.post(KEY_PATH, json=an_order(partner_id), headers=headers | key)
    theirs = bearer(own_world.keys.production) | key
    answer = client.post(KEY_PATH, json=an_order(partner_id + 1), headers=theirs)
    assert (answer.status_code, "idempotency-replayed" in answer.headers) == (200, False)


@pytest.mark.parametrize("key", ["", " ", "k" * 256])
def test_a_key_that_is_none_is_refused_and_nothing_is_stored(
    client: ApiClient, partner_id: int, headers: dict[str, str], key: str
) -> None:
    given = headers | {"Idempotency-Key": key}
    answer = client.post(KEY_PATH, json=an_order(partner_id), headers=given)
    assert (answer.status_code, answer.json()["details"][0]["param"]) == (400, "Idempotency-Key")
    assert total(client, headers) == 0


def test_a_key_may_have_255_characters(
    client: ApiClient, partner_id: int, headers: dict[str, str]
) -> None:
    given = headers | {"Idempotency-Key": "k" * 255}
    assert client.post(KEY_PATH, json=an_order(partner_id), headers=given).status_code == 200


def test_64_twins_over_the_wire_are_one_transaction_and_equal_answers(
    services: HttpServices, partner_id: int, headers: dict[str, str]
) -> None:
    body = json.dumps(an_order(partner_id)).encode()
    lines = (
        f"Authorization: {headers['Authorization']}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    request = a_request("POST", KEY_PATH, *lines, "Idempotency-Key: twins", body=body)
    with live(services) as server, ThreadPoolExecutor(TWINS) as crowd:

        def ask(_: int) -> RawAnswer:
            return server.ask(request, "POST", KEY_PATH)

        answers = list(crowd.map(ask, range(TWINS)))
        listing = a_request("GET", "/api/v1/transactions", lines[0])
        stored = server.ask(listing, "GET", "/api/v1/transactions").json()
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    replayed = [answer.headers.get("idempotency-replayed") for answer in answers]
    assert (replayed.count(None), replayed.count("true")) == (1, TWINS - 1)
    assert stored["total"] == 1


def test_production_submits_are_charged_to_a_budget_of_their_own(
    client: ApiClient, own_world: World, partner_id: int
) -> None:
    of_live = bearer(own_world.keys.production)
    answer = client.post(KEY_PATH, json=an_order(partner_id + 1), headers=of_live)
    assert answer.headers["ratelimit-policy"] == '"submit";q=120;w=60'
    others = client.get("/api/v1/transactions", headers=of_live)
    assert others.headers["ratelimit-policy"] == '"default";q=600;w=60'
