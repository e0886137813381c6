"""POST /as2 and /api/as2/identities, over the whole application."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from longshore.as2.messages import Wrapping
from longshore.as2.receipt_facts import As2Receipt
from longshore.as2.receipts import As2Body, read_receipt
from longshore.domain.accounts.service import AccountService
from longshore.domain.as2.profile_file import read_profile
from longshore.domain.audit.writer import open_detail
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import Source
from longshore.domain.units import ReadUnit
from longshore.http.app import create_app
from tests.support.as2 import a_message, a_pair, an_as2_partner, another_as2_partner
from tests.support.client import ApiClient, calling
from tests.support.clock import START, StoppedClock
from tests.support.http_service import RecordedEngine, World
from tests.support.trading import SANDBOX, read
from tests.support.users import session_headers
from tests.support.vault import a_sealer, scope

OWN = scope(1, SANDBOX)
PAYLOAD = b"ISA*00*~IEA*1*000000001~"
UNKNOWN = "processed/error: unknown-trading-relationship"
PLAIN = Wrapping(sign=None, encrypt=None)


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def world(own_world: World, clock: StoppedClock) -> World:
    asyncio.run(an_as2_partner(own_world.database, clock))
    return own_world


@pytest.fixture
def client(world: World, clock: StoppedClock) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine(), clock=clock))) as client:
        yield client


def posted(client: ApiClient, message: tuple[dict[str, str], bytes, object]) -> As2Receipt:
    """Send a message and return its receipt."""
    answer = client.post("/as2", headers=message[0], content=message[1])
    assert answer.status_code == 200, answer.text
    body = As2Body(answer.headers["content-type"], answer.content)
    return read_receipt(body, (a_pair("US co").certificate,))


def receipts(world: World) -> list[tuple[str, int]]:
    """Return source and size of what is stored, oldest first."""

    async def find(unit: ReadUnit) -> list[tuple[str, int]]:
        found = await unit.receipts.list_unfinished(START.replace(year=2099), 100)
        return [(each.new.source.value, each.new.byte_count) for each in found]

    return asyncio.run(read(world.database, OWN, find))


def refusals(world: World) -> list[str]:
    """Return the reasons in the audit log, oldest first."""

    async def find(unit: ReadUnit) -> list[str]:
        found = [each.entry for each in await unit.audit.list_after(AccountId(1), 0, 100)]
        return [open_detail(a_sealer(), each) for each in found if each.action == "as2.refuse"]

    return asyncio.run(read(world.database, OWN, find))


def test_a_message_is_stored_and_answered_with_its_receipt(client: ApiClient, world: World) -> None:
    headers, body, mic = a_message(PAYLOAD)
    answer = client.post("/as2", headers=headers, content=body)
    assert (answer.headers["as2-from"], answer.headers["as2-to"]) == ('"US co"', "THEM")
    assert answer.headers["as2-version"] == "1.2"
    assert answer.headers["message-id"].endswith("@longshore>")
    assert answer.headers["date"] == "Thu, 15 Jan 2026 14:05:09 GMT"
    receipt = read_receipt(
        As2Body(answer.headers["content-type"], answer.content), (a_pair("US co").certificate,)
    )
    assert (receipt.original_message_id, receipt.mic) == ("<1@them>", mic)
    assert receipts(world) == [(Source.AS2, len(PAYLOAD))]


def test_a_message_that_asks_for_no_receipt_gets_an_empty_answer(
    client: ApiClient, world: World
) -> None:
    headers, body, _ = a_message(PAYLOAD, disposition_notification_to="")
    for _ in range(2):
        answer = client.post("/as2", headers=headers, content=body)
        assert (answer.status_code, answer.content) == (200, b"")
    assert len(receipts(world)) == 1


def test_a_message_id_is_forgotten_after_a_week(
    client: ApiClient, world: World, clock: StoppedClock
) -> None:
    message = a_message(PAYLOAD)
    posted(client, message)
    clock.move(timedelta(days=7, seconds=1))
    posted(client, message)
    assert len(receipts(world)) == 2


@pytest.mark.parametrize("header", ["as2-from", "as2-to", "message-id"])
def test_without_a_header_that_every_message_has_nobody_is_answered(
    client: ApiClient, world: World, header: str
) -> None:
    headers, body, _ = a_message(PAYLOAD)
    del headers[header]
    answer = client.post("/as2", headers=headers, content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert answer.json()["error"].startswith("This is no AS2 message: ")
    assert receipts(world) == []


@pytest.mark.parametrize(
    "names", [{"as2_from": "them"}, {"as2_to": "US"}, {"as2_from": '"US co"', "as2_to": "THEM"}]
)
def test_strangers_are_told_the_same_and_nothing_is_stored(
    client: ApiClient, world: World, names: dict[str, str]
) -> None:
    receipt = posted(client, a_message(PAYLOAD, Wrapping(), **names))
    assert (receipt.disposition, receipt.is_signed) == (UNKNOWN, False)
    headers, body, _ = a_message(PAYLOAD, Wrapping(), **names, disposition_notification_to="")
    answer = client.post("/as2", headers=headers, content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert (receipts(world), refusals(world)) == ([], [])


@pytest.mark.parametrize(
    ("message", "disposition", "text"),
    [
        (
            (b"x", PLAIN),
            "processed/error: insufficient-message-security",
            "The message is not encrypted, as was agreed.",
        ),
        (
            (b"x", Wrapping(encrypt="3des")),
            "processed/error: decryption-failed",
            "The message cannot be decrypted.",
        ),
        (
            (b"x", Wrapping(sign="sha1")),
            "processed/error: authentication-failed",
            "The signature uses an algorithm that is not allowed.",
        ),
        (
            (b"x" * 100_001, Wrapping(compress=True)),
            "failed/failure: unsupported format",
            "The payload is longer than 100,000 bytes.",
        ),
    ],
)
def test_what_is_refused_is_said_by_the_receipt_and_in_the_audit_log(
    client: ApiClient,
    world: World,
    message: tuple[bytes, Wrapping],
    disposition: str,
    text: str,
) -> None:
    receipt = posted(client, a_message(*message))
    assert (receipt.disposition, receipt.text, receipt.is_signed) == (disposition, text, True)
    headers, body, _ = a_message(*message, disposition_notification_to="")
    answer = client.post("/as2", headers=headers, content=body)
    assert (answer.status_code, answer.json()["error"]) == (
        400,
        f"The AS2 message was refused. {text}",
    )
    assert receipts(world) == []
    assert refusals(world) == [text, text]
    # What was refused is not remembered: the partner may send it again under the same id.
    assert posted(client, a_message(PAYLOAD)).is_positive


def test_after_ten_refused_messages_in_a_minute_come_429s(
    client: ApiClient, clock: StoppedClock
) -> None:
    stranger = a_message(PAYLOAD, as2_from="STRANGER")
    for _ in range(10):
        posted(client, stranger)
    refused = client.post("/as2", headers=stranger[0], content=stranger[1])
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert posted(client, a_message(PAYLOAD)).is_positive
    clock.move(timedelta(minutes=1))
    assert posted(client, stranger).disposition == UNKNOWN


def test_partners_have_message_ids_of_their_own(client: ApiClient, world: World) -> None:
    asyncio.run(
        another_as2_partner(
            world.database,
            StoppedClock(),
            "Bolt",
            as2_to="BOLT",
            certificates=[],
            sign=False,
            encrypt=False,
        )
    )
    assert posted(client, a_message(PAYLOAD)).is_positive
    assert posted(client, a_message(b"ISA*01*~", PLAIN, as2_from="BOLT")).is_positive
    assert receipts(world) == [("as2", len(PAYLOAD)), ("as2", 8)]


def test_an_account_that_is_suspended_receives_nothing(client: ApiClient, world: World) -> None:
    database = world.database
    accounts = AccountService(database.units, StoppedClock(), database.revocations)
    asyncio.run(accounts.suspend("demo"))
    assert posted(client, a_message(PAYLOAD)).disposition == UNKNOWN
    assert receipts(world) == []


# ---- identities ----------------------------------------------------------------------------------

IDENTITIES = "/api/as2/identities"


# Any: JSON.
def identity_of(answer: Any) -> dict[str, Any]:  # noqa: ANN401 - see above
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["identity"]
    return found


def facts_of(profile: str) -> tuple[str, tuple[str, ...]]:
    """Return the name and the certificates of a profile file."""
    connection = read_profile(profile).connection
    return connection.as2_to, connection.certificates


def test_an_identity_is_created_its_key_replaced_and_deleted(
    client: ApiClient, world: World
) -> None:
    editor = session_headers(world.sessions.editor)
    body = {"as2_name": "ACME", "valid_days": 20}
    made = identity_of(client.post(IDENTITIES, headers=editor, json=body))
    assert (made["id"], made["as2_name"], made["active"]) == (2, "ACME", True)
    (first,) = made["certificates"]
    assert (first["subject"], first["not_after"], first["signs"], first["is_expiring"]) == (
        *("Common Name: ACME", "2026-02-04T14:05:09", True, True),
    )
    assert "AS2 name:      ACME\nAS2 URL:       https://" in made["profile"]
    assert first["certificate"] in made["profile"]
    assert facts_of(made["profile_file"]) == ("ACME", (first["certificate"],))
    path = f"{IDENTITIES}/2"
    added = identity_of(client.post(f"{path}/add-key", headers=editor, json={}))
    assert [each["signs"] for each in added["certificates"]] == [True, False]
    assert added["certificates"][1]["is_expiring"] is False
    assert "Second certificate, accept both:" in added["profile"]
    switched = identity_of(client.post(f"{path}/switch-keys", headers=editor))
    assert [each["fingerprint"] for each in switched["certificates"]] == [
        each["fingerprint"] for each in reversed(added["certificates"])
    ]
    dropped = identity_of(client.post(f"{path}/drop-key", headers=editor))
    assert dropped["certificates"] == switched["certificates"][:1]
    viewer = session_headers(world.sessions.viewer)
    listed = client.get(IDENTITIES, headers=viewer).json()["identities"]
    assert [each["as2_name"] for each in listed] == ["US co", "ACME"]
    assert "PRIVATE" not in str(listed)
    assert client.request("DELETE", path, headers=editor).json() == {"ok": True}
    listed = client.get(IDENTITIES, headers=viewer).json()["identities"]
    assert [each["as2_name"] for each in listed] == ["US co"]


def test_a_neighbour_sees_and_changes_no_identity(client: ApiClient, world: World) -> None:
    neighbour = session_headers(world.sessions.neighbour_owner)
    assert client.get(IDENTITIES, headers=neighbour).json()["identities"] == []
    for action in ("add-key", "switch-keys", "drop-key"):
        body = b"{}" if action == "add-key" else b""
        path = f"{IDENTITIES}/1/{action}"
        answer = client.post(path, headers=neighbour, content=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    answer = client.request("DELETE", f"{IDENTITIES}/1", headers=neighbour)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    taken = client.post(IDENTITIES, headers=neighbour, json={"as2_name": "US co"})
    assert (taken.status_code, taken.json()["details"][0]["param"]) == (400, "as2_name")
    assert posted(client, a_message(PAYLOAD)).is_positive


def test_viewers_change_nothing_and_wrong_names_are_refused(
    client: ApiClient, world: World
) -> None:
    viewer = session_headers(world.sessions.viewer)
    refused = client.post(IDENTITIES, headers=viewer, json={"as2_name": "X"})
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden_resource")
    editor = session_headers(world.sessions.editor)
    for name in ("", " X", 'a"b', "x" * 129):
        answer = client.post(IDENTITIES, headers=editor, json={"as2_name": name})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    for action in ("switch-keys", "drop-key"):
        answer = client.post(f"{IDENTITIES}/1/{action}", headers=editor)
        assert (answer.status_code, answer.json()["error"]) == (
            409,
            "The identity has one key only. Add another one first.",
        )
    identity_of(client.post(f"{IDENTITIES}/1/add-key", headers=editor, json={}))
    answer = client.post(f"{IDENTITIES}/1/add-key", headers=editor, json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "invalid_state")
