"""What is done with transactions over HTTP: retry, reissue, cancel, redrive; by whom, and not."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import httpx2
import pytest

from longshore.domain.delivery.encryption import AttemptFailure, sealed_result
from longshore.domain.delivery.model import AttemptResult, Lease, OutboxState
from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.status import PartnerState
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import DeliveryStatus, InterchangeId, States
from longshore.domain.units import WriteUnit
from longshore.http.app import create_app
from longshore.kit.environment import Environment
from tests.support.client import ApiClient, calling
from tests.support.clock import START, StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.services import a_dead_letter, a_ready_partner
from tests.support.submitting import a_set
from tests.support.tracking import CONTENT, Shipping, states
from tests.support.trading import a_partner
from tests.support.users import session_headers
from tests.support.vault import a_document, a_sealer, a_vault, scope

FAILED = states(DeliveryStatus.FAILED)
DELIVERED = states(DeliveryStatus.DELIVERED)
PENDING = states(DeliveryStatus.PENDING)
KEY_PATH, PAGE_PATH = BOTH = ("/api/v1/transactions", "/api/transactions")
SENDING = DeliveryStatus.SENDING
REASON = {"reason": "The server was down."}
WORDS = ("retry", "reissue", "cancel")


@pytest.fixture
def shipping(own_world: World) -> Shipping:
    """Where demo's interchanges are stored; nothing is yet."""
    own = scope(1, Environment.SANDBOX)
    partner = asyncio.run(a_partner(own_world.database, given=own))
    return Shipping(own_world.database, partner)


@pytest.fixture
def client(own_world: World) -> Iterator[ApiClient]:
    with calling(create_app(own_world.services(RecordedEngine()))) as client:
        yield client


@pytest.fixture
def key(own_world: World) -> dict[str, str]:
    return bearer(own_world.keys.sandbox)


@pytest.fixture
def editor(own_world: World) -> dict[str, str]:
    return session_headers(own_world.sessions.editor)


def stored(shipping: Shipping, *sets: States) -> list[int]:
    return [*asyncio.run(shipping.interchange(*sets))]


def statuses(client: ApiClient, key: dict[str, str]) -> dict[int, str]:
    found = client.get(f"{KEY_PATH}?sort=id", headers=key).json()["transactions"]
    return {each["id"]: each["status"] for each in found}


def refused(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("word", WORDS)
def test_nobody_acts_who_may_not_and_nothing_happens(
    client: ApiClient, own_world: World, shipping: Shipping, key: dict[str, str], word: str
) -> None:
    (number,) = stored(shipping, FAILED)
    keys, sessions = own_world.keys, own_world.sessions
    refusals = [
        refused(client.post(f"{path}/{number}/{word}", json=REASON, headers=headers))
        for path, headers in (
            (KEY_PATH, {}),
            (KEY_PATH, bearer(keys.read_only)),
            (PAGE_PATH, key),
            (PAGE_PATH, session_headers(sessions.viewer)),
            (PAGE_PATH, {**session_headers(sessions.editor), "X-CSRF-Token": "x"}),
        )
    ]
    assert refusals == [
        (401, "missing_api_key"),
        (403, "insufficient_scope"),
        (401, "not_logged_in"),
        (403, "forbidden_resource"),
        (403, "csrf_failed"),
    ]
    assert statuses(client, key) == {number: "failed"}


@pytest.mark.parametrize("word", WORDS)
def test_what_is_not_the_callers_is_one_and_the_same_404_and_stays_as_it_is(
    client: ApiClient, own_world: World, shipping: Shipping, key: dict[str, str], word: str
) -> None:
    (number,) = stored(shipping, FAILED)
    keys, sessions = own_world.keys, own_world.sessions
    strangers = {
        KEY_PATH: [bearer(keys.neighbour), bearer(keys.production)],
        PAGE_PATH: [session_headers(sessions.neighbour_owner)],
    }
    seen = set()
    for path, callers in strangers.items():
        for given in (headers | {"X-Request-Id": "same"} for headers in callers):
            for wanted in (number, 99, 0, "x", 2**63):
                answer = client.post(f"{path}/{wanted}/{word}", json=REASON, headers=given)
                seen.add((answer.status_code, answer.content))
    assert [status for status, _ in seen] == [404]
    assert statuses(client, key) == {number: "failed"}


@pytest.mark.parametrize("path", BOTH)
def test_what_failed_is_sent_again_with_the_same_bytes(
    client: ApiClient,
    shipping: Shipping,
    key: dict[str, str],
    editor: dict[str, str],
    path: str,
) -> None:
    (number,) = stored(shipping, FAILED)
    headers = key if path == KEY_PATH else editor
    answer = client.post(f"{path}/{number}/retry", json={}, headers=headers).json()
    assert (answer["transaction"]["id"], answer["transaction"]["status"]) == (number, "queued")
    assert answer["transaction"]["isa_control_number"] == "000000123"
    assert client.get(f"{path}/{number}/content", headers=headers).content == CONTENT
    again = client.post(f"{path}/{number}/retry", json={}, headers=headers)
    assert again.json()["transaction"] == answer["transaction"]  # it is about to be sent


def test_what_was_delivered_is_sent_again_only_with_a_reason(
    client: ApiClient, shipping: Shipping, key: dict[str, str]
) -> None:
    (number,) = stored(shipping, DELIVERED)
    for body in ({}, {"reason": None}, {"reason": "  "}):
        answer = client.post(f"{KEY_PATH}/{number}/retry", json=body, headers=key)
        assert refused(answer) == (400, "missing_parameter")
        assert answer.json()["details"][0]["param"] == "reason"
    assert statuses(client, key) == {number: "delivered"}
    client.post(f"{KEY_PATH}/{number}/retry", json=REASON, headers=key)
    assert statuses(client, key) == {number: "queued"}


def test_a_cancellation_needs_a_reason_takes_all_sets_and_is_for_good(
    client: ApiClient, shipping: Shipping, key: dict[str, str]
) -> None:
    one, other = stored(shipping, PENDING, PENDING)
    answer = client.post(f"{KEY_PATH}/{one}/cancel", json={}, headers=key)
    assert refused(answer) == (400, "missing_parameter")
    answer = client.post(f"{KEY_PATH}/{one}/cancel", json=REASON, headers=key)
    assert answer.json()["transaction"]["status"] == "cancelled"
    assert statuses(client, key) == {one: "cancelled", other: "cancelled"}
    for word in ("cancel", "retry"):
        again = client.post(f"{KEY_PATH}/{other}/{word}", json=REASON, headers=key)
        assert refused(again) == (409, "invalid_state")


@pytest.mark.parametrize("path", BOTH)
def test_a_reissue_is_a_new_record_with_new_numbers(
    client: ApiClient,
    own_world: World,
    key: dict[str, str],
    editor: dict[str, str],
    path: str,
) -> None:
    number = submitted(client, own_world, key)
    headers = key if path == KEY_PATH else editor
    pending = client.post(f"{path}/{number}/reissue", json=REASON, headers=headers)
    assert refused(pending) == (409, "invalid_state")
    client.post(f"{path}/{number}/cancel", json=REASON, headers=headers)
    record = client.post(f"{path}/{number}/reissue", json={}, headers=headers).json()["transaction"]
    assert (record["parent_id"], record["status"]) == (number, "queued")
    assert record["isa_control_number"] == "000000002"
    assert statuses(client, key) == {number: "cancelled", record["id"]: "queued"}


@pytest.mark.parametrize("path", BOTH)
@pytest.mark.parametrize("word", WORDS)
def test_an_action_repeated_under_its_key_is_done_once_and_answered_the_same(
    client: ApiClient,
    own_world: World,
    key: dict[str, str],
    editor: dict[str, str],
    path: str,
    word: str,
) -> None:
    number = submitted(client, own_world, key)
    if word == "reissue":
        client.post(f"{KEY_PATH}/{number}/cancel", json=REASON, headers=key)
    elif word == "retry":
        asyncio.run(given_up(own_world))
    headers = {**(key if path == KEY_PATH else editor), "Idempotency-Key": "K-1"}
    first, again = (
        client.post(f"{path}/{number}/{word}", json=REASON, headers=headers) for _ in range(2)
    )
    assert (first.status_code, again.content) == (200, first.content)
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    before = statuses(client, key)
    for address, body in ((f"{number}/{word}", {"reason": "other"}), (f"99/{word}", REASON)):
        answer = client.post(f"{path}/{address}", json=body, headers=headers)
        assert refused(answer) == (422, "idempotency_mismatch")
    assert statuses(client, key) == before
    assert len(before) == (2 if word == "reissue" else 1)


async def given_up(world: World) -> None:
    """Let the delivery of the first interchange end as a dead letter."""

    async def work(unit: WriteUnit) -> None:
        (entry,) = await unit.outbox.list_of_interchange(InterchangeId(1))
        assert await unit.outbox.change_waiting(
            entry.id, OutboxState.DUE, OutboxState.CANCELLED, START, START
        )
        for start, to in ((DeliveryStatus.PENDING, SENDING), (SENDING, DeliveryStatus.FAILED)):
            await unit.transactions.step_deliveries(InterchangeId(1), start, to, START)

    await world.database.units.write(scope(1, Environment.SANDBOX), work)


@pytest.mark.parametrize("word", WORDS)
def test_a_sandbox_key_sends_nothing_again_to_a_partner_that_it_does_not_see(
    client: ApiClient, own_world: World, key: dict[str, str], editor: dict[str, str], word: str
) -> None:
    number = submitted(client, own_world, key)
    if word == "reissue":
        client.post(f"{KEY_PATH}/{number}/cancel", json=REASON, headers=key)
    elif word == "retry":
        asyncio.run(given_up(own_world))
    asyncio.run(activate(own_world))
    answer = client.post(f"{KEY_PATH}/{number}/{word}", json=REASON, headers=key)
    if word == "cancel":
        assert answer.status_code == 200
        return
    assert refused(answer) == (404, "not_found")
    assert answer.json()["error"] == "There is no such partner, or it is not yours."
    by_a_person = client.post(f"{PAGE_PATH}/{number}/{word}", json=REASON, headers=editor)
    assert by_a_person.status_code == 200


async def activate(world: World) -> None:
    async def work(unit: WriteUnit) -> bool:
        (partner,) = await unit.partners.list_addresses()
        start, to = PartnerState(PartnerStatus.TESTING), PartnerState(PartnerStatus.ACTIVE)
        return await unit.partners.set_state(partner.id, start, to, START)

    assert await world.database.units.write(scope(1, Environment.SANDBOX), work)


def test_a_table_for_a_person_holds_no_formula_and_one_for_a_program_is_as_it_was_made(
    client: ApiClient, own_world: World, key: dict[str, str], editor: dict[str, str]
) -> None:
    number = asyncio.run(with_a_table(own_world, "name,amount\n=1+1,5\n"))
    at_page = client.get(f"{PAGE_PATH}/{number}/output", headers=editor)
    by_key = client.get(f"{KEY_PATH}/{number}/output", headers=key)
    assert (at_page.text, by_key.text) == ("name,amount\n'=1+1,5\n", "name,amount\n=1+1,5\n")
    assert {at_page.headers["content-type"], by_key.headers["content-type"]} == {"text/csv"}


async def with_a_table(world: World, table: str) -> int:
    """Store a transaction of which a map made a table."""
    vault = a_vault(world.database, StoppedClock())
    made = a_document(table, filename="850.csv", fmt="csv")
    stored = await vault.store(scope(1, Environment.SANDBOX), None, [made])
    partner = await a_ready_partner(world.database)
    return await a_dead_letter(world.database, 1, partner, output=stored.output_ids[0])


def submitted(client: ApiClient, world: World, key: dict[str, str]) -> int:
    """Submit a document and return its record."""
    partner = asyncio.run(a_ready_partner(world.database))
    order = {
        "partner_id": partner,
        "tx_set": "850",
        "direction": "outbound",
        "content": a_set(),
    }
    answer = client.post(f"{KEY_PATH}/submit", json=order, headers=key)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["transaction_id"])


# ---- dead letters --------------------------------------------------------------------------------


def test_dead_letters_are_redriven_by_their_ids_and_others_are_told(
    client: ApiClient, shipping: Shipping, key: dict[str, str], editor: dict[str, str]
) -> None:
    (first,), (waiting,) = stored(shipping, FAILED), stored(shipping, PENDING)
    ids = [first, 2**63 - 1, 99, waiting, 0]
    answer = client.post(f"{PAGE_PATH}/redrive", json={"ids": ids}, headers=editor)
    assert answer.json() == {
        "ok": True,
        "queued": 2,
        "skipped": [
            {"id": 0, "code": "not_found"},
            {"id": 99, "code": "not_found"},
            {"id": 2**63 - 1, "code": "not_found"},
        ],
    }
    assert statuses(client, key) == {first: "queued", waiting: "queued"}


def test_dead_letters_are_redriven_by_filters_of_the_list(
    client: ApiClient, shipping: Shipping, key: dict[str, str], editor: dict[str, str]
) -> None:
    stored(shipping, FAILED)
    none = client.post(f"{PAGE_PATH}/redrive", json={"tx_set": "810"}, headers=editor).json()
    assert (none["queued"], none["skipped"]) == (0, [])
    assert statuses(client, key) == {1: "failed"}
    filters = {"tx_set": "850", "date_from": "2026-01-15", "direction": None}
    done = client.post(f"{PAGE_PATH}/redrive", json=filters, headers=editor).json()
    assert (done["queued"], statuses(client, key)) == (1, {1: "queued"})


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "ids"),
        ({"ids": None, "tx_set": None}, "ids"),
        ({"ids": [1], "tx_set": "850"}, "ids"),
        ({"ids": ["1"]}, "ids[0]"),
        ({"status": "sunk"}, "status"),
        ({"status": ""}, "status"),
        ({"date_to": "2026-02-30"}, "date_to"),
    ],
)
def test_a_redrive_says_what_and_nothing_happens_otherwise(
    client: ApiClient,
    shipping: Shipping,
    key: dict[str, str],
    editor: dict[str, str],
    body: dict[str, object],
    param: str,
) -> None:
    stored(shipping, FAILED)
    answer = client.post(f"{PAGE_PATH}/redrive", json=body, headers=editor)
    assert (answer.status_code, answer.json()["details"][0]["param"]) == (400, param)
    assert statuses(client, key) == {1: "failed"}


def test_a_redrive_of_too_many_says_how_many_may_be(
    client: ApiClient, shipping: Shipping, key: dict[str, str], editor: dict[str, str]
) -> None:
    stored(shipping, FAILED)
    body = {"ids": list(range(1, 1_002))}
    answer = client.post(f"{PAGE_PATH}/redrive", json=body, headers=editor)
    assert refused(answer) == (400, "invalid_parameter")
    assert answer.json()["error"] == (
        'Parameter "ids" must be an array of at most 1,000 ids of transactions; send more in a'
        " request of their own."
    )
    assert statuses(client, key) == {1: "failed"}


def test_a_redrive_is_of_editors_and_of_what_is_theirs(
    client: ApiClient, own_world: World, shipping: Shipping, key: dict[str, str]
) -> None:
    stored(shipping, FAILED)
    sessions, path = own_world.sessions, f"{PAGE_PATH}/redrive"
    viewer = client.post(path, json={"ids": [1]}, headers=session_headers(sessions.viewer))
    assert refused(viewer) == (403, "forbidden_resource")
    assert refused(client.post(path, json={"ids": [1]}, headers=key)) == (401, "not_logged_in")
    for body in ({"ids": [1]}, {"tx_set": "850"}):
        headers = session_headers(sessions.neighbour_owner)
        assert client.post(path, json=body, headers=headers).json()["queued"] == 0
    assert statuses(client, key) == {1: "failed"}


# ---- attempts ------------------------------------------------------------------------------------


async def attempted(shipping: Shipping, result: AttemptResult | None) -> None:
    """Let a worker begin an attempt, and maybe end it."""
    (entry,) = await shipping.claim()

    async def work(unit: WriteUnit) -> None:
        number = await unit.outbox.begin_attempt(entry, "m-1@longshore", START)
        assert number is not None
        if result is not None:
            place = ((AccountId(1), Environment.SANDBOX), number)
            sealed = sealed_result(a_sealer(), place, result, AttemptFailure(message="No answer."))
            lease = Lease(id=entry.id, attempt=entry.attempt)
            assert await unit.outbox.end_attempt(lease, sealed)

    own = scope(1, Environment.SANDBOX)
    await shipping.database.units.write(own, work)


def test_an_attempt_that_failed_says_why_and_when_the_next_is(
    client: ApiClient, shipping: Shipping, key: dict[str, str]
) -> None:
    stored(shipping, PENDING)
    failed = AttemptResult(
        finished_at=START + timedelta(seconds=2),
        outcome=AttemptOutcome.FAILED,
        http_status=503,
        error_code="http_503",
        next_attempt_at=START + timedelta(minutes=1),
    )
    asyncio.run(attempted(shipping, failed))
    answer = client.get(f"{KEY_PATH}/1/deliveries", headers=key).json()
    assert answer == {
        "ok": True,
        "environment": "sandbox",
        "transaction_id": 1,
        "waits_behind": None,
        "next_attempt_at": None,  # it is being sent
        "deliveries": [
            {
                "id": 1,
                "attempt": 1,
                "started_at": "2026-01-15T14:05:09",
                "finished_at": "2026-01-15T14:05:11",
                "outcome": "failed",
                "http_status": 503,
                "error": {"code": "http_503", "message": "No answer."},
                "next_attempt_at": "2026-01-15T14:06:09",
                "receipt_due_at": None,
                "message_id": "m-1@longshore",
            }
        ],
    }


def test_an_attempt_that_runs_has_no_outcome_yet(
    client: ApiClient, shipping: Shipping, editor: dict[str, str]
) -> None:
    stored(shipping, PENDING)
    asyncio.run(attempted(shipping, None))
    (attempt,) = client.get(f"{PAGE_PATH}/1/deliveries", headers=editor).json()["deliveries"]
    unknown = ("finished_at", "outcome", "http_status", "error", "next_attempt_at")
    assert {attempt[name] for name in unknown} == {None}


# ---- what is left of an action -------------------------------------------------------------------


def test_timeline_events_and_audit_log_say_who_did_it_and_why(
    client: ApiClient, own_world: World, shipping: Shipping, editor: dict[str, str]
) -> None:
    (number,) = stored(shipping, PENDING)
    given = editor | {"X-Request-Id": "req-of-mine"}
    client.post(f"{PAGE_PATH}/{number}/cancel", json=REASON, headers=given)
    client.get(f"{PAGE_PATH}/{number}/content", headers=given)
    timeline = client.get(f"{PAGE_PATH}/{number}/timeline", headers=editor).json()["timeline"]
    last = timeline[-1]
    assert (last["kind"], last["status"], last["actor"]) == ("cancelled", "cancelled", "user 2")
    assert REASON["reason"] in last["message"]
    (event,) = client.get("/api/events", headers=editor).json()["events"]
    assert (event["id"], event["type"]) == (last["event_id"], "transaction.cancelled")
    owner = session_headers(own_world.sessions.owner)
    entries = client.get("/api/audit?action=transaction", headers=owner).json()["entries"]
    told = [(each["actor"], each["action"], each["object"], each["request_id"]) for each in entries]
    assert told == [
        ("user 2", "transaction.read", f"transaction {number}", "req-of-mine"),
        ("user 2", "transaction.cancel", f"transaction {number}", "req-of-mine"),
    ]


def test_bad_bodies_of_actions_are_refused(
    client: ApiClient, shipping: Shipping, key: dict[str, str]
) -> None:
    stored(shipping, FAILED)
    for body, code in (
        ({"reason": 7}, "invalid_parameter"),
        ({"reason": "x" * 501}, "invalid_parameter"),
        ({"reason": "a\nb"}, "invalid_parameter"),
        ({"reasons": "x"}, "unknown_parameter"),
        ([], "not_an_object"),
    ):
        answer = client.post(f"{KEY_PATH}/1/retry", json=body, headers=key)
        assert refused(answer) == (400, code)
    assert statuses(client, key) == {1: "failed"}
