"""POST /edi/receive/{token}: what partners push, over the whole application."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from io import BytesIO

import httpx2
import pytest

from longshore.domain.accounts.model import AccountId
from longshore.domain.acks.model import AckRowStatus
from longshore.domain.interchanges.encryption import seal_content, store_interchange
from longshore.domain.interchanges.store import ReceiptId, ReceiptStatus
from longshore.domain.partners.encryption import TokenWriter, facts_of
from longshore.domain.partners.model import Direction, PartnerId, PartnerStatus
from longshore.domain.partners.parser import read_partner
from longshore.domain.transactions.model import ProcessingStatus
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.http import waiting
from longshore.http.app import create_app
from longshore.http.edi import receive
from longshore.http.limits import Limits, LimitValues
from tests.support.client import ApiClient, calling
from tests.support.clock import START
from tests.support.database import Database
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.services import a_full_queue
from tests.support.trading import (
    PRODUCTION,
    RECEIVING,
    SANDBOX,
    a_partner,
    a_record,
    an_ack,
    an_interchange,
    any_key,
    read,
    stored_transaction,
    write,
)
from tests.support.users import session_headers
from tests.support.vault import a_sealer, scope

TOKEN, LIVE_TOKEN = "T" * 43, "L" * 43
PATH, LIVE_PATH = f"/edi/receive/{TOKEN}", f"/edi/receive/{LIVE_TOKEN}"
AN_850 = b"ISA*00*~ST*850*0001~"
A_997 = b"ISA*00*~ST*997*0001~"
OWN = scope(2, PRODUCTION)
"""Northwind, whose plan has production."""
EDI = {"Content-Type": "application/edi-x12"}


async def fill(database: Database) -> None:
    partner_id = await a_partner(database, given=OWN, status=PartnerStatus.ACTIVE)

    async def work(unit: WriteUnit) -> None:
        writer = TokenWriter(unit, a_sealer(), (AccountId(2), partner_id))
        await writer.insert(TOKEN, SANDBOX, START)
        await writer.insert(LIVE_TOKEN, PRODUCTION, START)

    await write(database, OWN, work)


@pytest.fixture
def world(own_world: World) -> World:
    asyncio.run(fill(own_world.database))
    return own_world


@pytest.fixture
def client(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


def receipts(world: World) -> list[tuple[int, int]]:
    """Return id and size of what is stored, oldest first."""

    async def find(unit: ReadUnit) -> list[tuple[int, int]]:
        found = await unit.receipts.list_unfinished(START.replace(year=2099), 100)
        return [(each.id, each.new.byte_count) for each in found]

    return asyncio.run(read(world.database, OWN, find))


def contradictions(world: World) -> list[tuple[str, str]]:
    """Return who and what the audit log says of it, oldest first."""

    async def find(unit: ReadUnit) -> list[tuple[str, str]]:
        found = [each.entry for each in await unit.audit.list_after(AccountId(2), 0, 100)]
        return [(each.ip, each.action) for each in found if each.actor.startswith("token ")]

    return asyncio.run(read(world.database, OWN, find))


def send(
    client: ApiClient, body: bytes = AN_850, path: str = PATH, **headers: str
) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(path, content=body, headers=EDI | named)


def test_a_document_that_would_wait_too_long_is_refused_so_that_the_partner_sends_it_again(
    world: World,
) -> None:
    services = replace(world.services(RecordedEngine()), document_queue=a_full_queue())
    with calling(create_app(services)) as client:
        answer = send(client)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert answer.json()["code"] == "overloaded"
    assert receipts(world) == []


def test_an_address_that_exists_is_asked_so_often_and_no_more(world: World) -> None:
    limits = Limits(LimitValues(inbound_requests_per_minute=6))
    services = replace(world.services(RecordedEngine()), limits=limits)
    with calling(create_app(services)) as client:
        answers = [send(client), send(client), send(client, path=LIVE_PATH)]
    assert [each.status_code for each in answers] == [200, 429, 200]
    assert answers[1].json()["details"][0]["limit"] == "inbound"
    assert len(receipts(world)) == 2


# ---- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["x", "T" * 42, "t" * 43, "T" * 44, "%00", "é", "." * 300])
@pytest.mark.parametrize("query", ["", "?env=test", "?env=nonsense", "?wait=1"])
def test_a_wrong_token_is_a_path_like_any_other(
    client: ApiClient, world: World, token: str, query: str
) -> None:
    answer = send(client, path=f"/edi/receive/{token}{query}", X_Request_Id="same")
    other = send(client, path=f"/edi/nothing/{token}{query}", X_Request_Id="same")
    assert answer.status_code == other.status_code == 404
    assert (answer.content, answer.headers) == (other.content, other.headers)
    assert receipts(world) == []


def test_from_outside_the_partners_networks_an_address_does_not_exist(
    client: ApiClient, world: World
) -> None:
    given = read_partner(
        {"name": "Northwind Retail", "settings": {"inbound_networks": ["203.0.113.0/24"]}},
        is_new=False,
    )

    async def change(unit: WriteUnit) -> bool:
        return await unit.partners.change(PartnerId(1), 1, facts_of(given.terms), START)

    assert asyncio.run(write(world.database, OWN, change))
    answer = send(client, X_Request_Id="same")
    other = send(client, path=f"/edi/nothing/{TOKEN}", X_Request_Id="same")
    assert (answer.status_code, answer.content) == (404, other.content)
    assert answer.headers == other.headers
    assert receipts(world) == []


def test_no_key_and_no_session_opens_an_address(client: ApiClient, world: World) -> None:
    for headers in (bearer(world.keys.production), session_headers(world.sessions.owner)):
        answer = client.post("/edi/receive/x", content=AN_850, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_after_ten_wrong_tokens_a_minute_come_429s(client: ApiClient, world: World) -> None:
    statuses = [send(client, path=f"/edi/receive/{n}").status_code for n in range(12)]
    assert statuses == [404] * 10 + [429] * 2
    answer = send(client, path="/edi/receive/x").json()
    assert answer["details"][0]["limit"] == "wrong_tokens"
    assert answer["error"].endswith("at most 10 a minute. Try again in 60 s.")
    assert receipts(world) == []
    assert send(client).status_code == 200


def test_a_token_is_in_no_log(world: World) -> None:
    wrong, log = "w" * 43, BytesIO()
    services = world.services(RecordedEngine(), log=log)
    with calling(create_app(services)) as client:
        for path in (PATH, f"{PATH}?env=live", f"/edi/receive/{wrong}", f"/edi/receive//{wrong}"):
            send(client, path=path)
        for path in (f"/edi/receive/%20{wrong}", f"/EDI/receive/{wrong}/x", f"/receive/{wrong}"):
            send(client, path=path)
        client.get(PATH)
    services.access_log.flush()
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert len(lines) == 8
    assert lines[0]["path"] == "/edi/receive/***"
    assert (lines[0]["account_id"], lines[0]["bytes_in"]) == (2, len(AN_850))
    text = log.getvalue().decode()
    assert TOKEN not in text
    assert wrong not in text


@pytest.mark.parametrize(
    ("path", "words", "others"),
    [
        (PATH, ["test", "sandbox"], ["live", "production"]),
        (LIVE_PATH, ["live", "production"], ["test", "sandbox"]),
    ],
)
def test_env_confirms_the_environment_and_never_changes_it(
    client: ApiClient, world: World, path: str, words: list[str], others: list[str]
) -> None:
    for word in [*others, "T", ""]:
        answer = send(client, path=f"{path}?env={word}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
        assert answer.json()["details"][0]["param"] == "env"
    assert receipts(world) == []
    # A word that names no environment contradicts nothing.
    assert contradictions(world) == [("testclient", "separation.env_contradiction")] * 2
    answers = [send(client, path=f"{path}?env={word}").json() for word in words]
    expected = "sandbox" if path == PATH else "production"
    assert [each["environment"] for each in answers] == [expected, expected]


# ---- receipts ------------------------------------------------------------------------------------


def test_a_document_is_answered_with_its_receipt(client: ApiClient, world: World) -> None:
    answer = send(client)
    assert answer.json() == {
        "ok": True,
        "receipt_id": 1,
        "sha256": sha256(AN_850).hexdigest(),
        "bytes": len(AN_850),
        "environment": "sandbox",
        "status": "accepted",
        "duplicate": False,
    }
    assert receipts(world) == [(1, len(AN_850))]
    assert send(client).json() == answer.json() | {"duplicate": True}
    assert len(receipts(world)) == 1


@pytest.mark.parametrize("body", [b"no EDI at all", b"\0\xff\xfe", b"{", b" ", b"ISA"])
def test_what_nobody_can_read_is_stored_like_all_else(
    client: ApiClient, world: World, body: bytes
) -> None:
    assert send(client, body).status_code == 200
    assert receipts(world) == [(1, len(body))]


def test_several_files_have_a_receipt_each(client: ApiClient, world: World) -> None:
    files = [("a", ("a.edi", b"first")), ("b", ("b.edi", b"second!"))]
    answer = client.post(PATH, files=files).json()
    assert [(each["bytes"], each["status"]) for each in answer["receipts"]] == [
        (5, "accepted"),
        (7, "accepted"),
    ]
    assert answer["receipts"][0].items() <= answer.items()
    ids = sorted(each["receipt_id"] for each in answer["receipts"])
    assert [number for number, _ in receipts(world)] == ids


@pytest.mark.parametrize(
    "options",
    [
        {"data": {"document": AN_850.decode()}},
        {"json": {"content": AN_850.decode()}},
        {"content": gzip.compress(AN_850), "headers": {"Content-Encoding": "gzip"}},
        {"files": {"document": (None, AN_850)}},
        {"content": AN_850, "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
    ],
    ids=["urlencoded", "json", "gzip", "multipart field", "curl -d"],
)
def test_every_kind_of_body_is_the_same_document(
    client: ApiClient, options: dict[str, object]
) -> None:
    answer = client.post(PATH, **options).json()
    assert (answer["sha256"], answer["bytes"]) == (sha256(AN_850).hexdigest(), len(AN_850))


def test_a_key_makes_a_request_known(client: ApiClient, world: World) -> None:
    first = send(client, Idempotency_Key="k").json()
    again = send(client, Idempotency_Key="k").json()
    assert again == first | {"duplicate": True}
    other = send(client, b"other", Idempotency_Key="k")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_mismatch")
    long = send(client, Idempotency_Key="k" * 256)
    assert (long.status_code, long.json()["code"]) == (400, "invalid_parameter")
    assert len(receipts(world)) == 1


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"", {}, 400, "document_empty"),
        (b"a" * 100_001, {}, 413, "document_too_large"),
        (gzip.compress(b"\0" * 200_000), {"Content-Encoding": "gzip"}, 413, "document_too_large"),
        (b"no gzip", {"Content-Encoding": "gzip"}, 400, "bad_request"),
        (AN_850, {"Content-Encoding": "br"}, 400, "unsupported_content_type"),
        (b"x=1", {"Content-Type": "application/x-www-form-urlencoded"}, 400, "missing_parameter"),
        (b"x", {"Content-Type": "multipart/form-data"}, 400, "bad_request"),
    ],
)
def test_a_refused_body_leaves_nothing_behind(
    client: ApiClient, world: World, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    answer = client.post(PATH, content=body, headers=EDI | headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert receipts(world) == []


def test_25_mib_are_taken_and_one_byte_more_is_refused(world: World) -> None:
    services = world.services(RecordedEngine(), max_body_bytes=1 << 25)
    most = 25 * 1024 * 1024
    with calling(create_app(services)) as client:
        above, at = (
            client.post(PATH, content=bytes(size), headers=EDI) for size in (most + 1, most)
        )
    assert (above.status_code, above.json()["details"][0]["limit_bytes"]) == (413, most)
    assert (at.status_code, receipts(world)) == (200, [(1, most)])


def test_a_body_in_chunks_is_measured_while_it_is_read(client: ApiClient, world: World) -> None:
    sent = []

    def chunks() -> Iterator[bytes]:
        for number in range(20):
            sent.append(number)
            yield b"a" * 10_000

    answer = client.post(PATH, content=chunks(), headers=EDI)
    assert answer.json()["details"][0]["limit_bytes"] == 100_000
    assert receipts(world) == []


def test_unknown_parameters_are_refused_and_nothing_is_stored(
    client: ApiClient, world: World
) -> None:
    refused = send(client, path=f"{PATH}?test=1")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_parameter")
    assert receipts(world) == []


# ---- waiting -------------------------------------------------------------------------------------


async def process(database: Database, ack: bytes) -> None:
    """Do what a worker does with the first receipt."""
    own, sealer = AccountId(2), a_sealer()

    async def work(unit: WriteUnit) -> None:
        received = an_interchange(direction=Direction.INBOUND, receipt_id=ReceiptId(1))
        parts = seal_content(sealer, AN_850, {})
        of = await store_interchange(unit, sealer, own, received, parts, START)
        if ack:
            parts = seal_content(sealer, ack, {})
            number = await store_interchange(unit, sealer, own, an_interchange(), parts, START)
            answer = an_ack(
                direction=Direction.OUTBOUND,
                status=AckRowStatus.QUEUED,
                interchange_id=number,
                acked_interchange_id=of,
            )
            await unit.acks.insert(own, answer, b"", any_key, START)
        await unit.receipts.finish(ReceiptId(1), ReceiptStatus.PROCESSED, START)

    await write(database, OWN, work)
    states = RECEIVING._replace(processing=ProcessingStatus.DONE)
    record = a_record(direction=Direction.INBOUND, interchange_id=1, states=states)
    await stored_transaction(database, record, OWN)


def test_who_waits_gets_the_sets_and_the_acknowledgement(client: ApiClient, world: World) -> None:
    send(client)
    asyncio.run(process(world.database, A_997))
    answer = send(client, path=f"{PATH}?wait=1").json()
    assert answer["ack"] == A_997.decode()
    assert answer["transactions"] == [
        {
            "index": 1,
            "transaction_id": 1,
            "tx_set": "850",
            "tx_set_name": "Purchase order",
            "control_number": "0001",
            "segment_count": 14,
            "version": "004010",
            "status": "done",
            "validation_status": "not_checked",
        }
    ]
    assert "ack" not in send(client, path=f"{PATH}?wait=0").json()


def test_who_accepts_edi_gets_the_acknowledgement_itself(client: ApiClient, world: World) -> None:
    send(client)
    asyncio.run(process(world.database, A_997))
    answer = send(client, Accept="application/EDI-X12, application/json;q=0.5")
    assert (answer.content, answer.headers["content-type"]) == (A_997, "application/edi-x12")


def test_without_an_acknowledgement_the_plain_answer_comes(client: ApiClient, world: World) -> None:
    send(client)
    asyncio.run(process(world.database, b""))
    answer = send(client, Accept="application/edi-x12").json()
    assert (answer["ack"], len(answer["transactions"])) == ("", 1)


def test_who_has_waited_in_vain_gets_the_plain_answer(
    client: ApiClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receive, "WAIT_SECONDS", 0)
    plain = send(client).json()
    for answer in (send(client, path=f"{PATH}?wait=1"), send(client, Accept="application/edi-x12")):
        assert answer.json() == plain | {"duplicate": True}
    assert len(receipts(world)) == 1


async def test_waiting_ends_as_soon_as_there_is_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PAUSE_SECONDS", 0)
    seen = iter([None, None, "processed", "too late"])

    async def look() -> str | None:
        return next(seen)

    assert await waiting.awaited(look, asyncio.get_running_loop().time() + 60) == "processed"
    assert next(seen) == "too late"
