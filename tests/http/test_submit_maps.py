"""Documents that a map converts and that go to a partner in production, by a key and by a page."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from longshore.domain.partners.model import PartnerStatus
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.services import a_ready_partner
from tests.support.users import session_headers

NORTHWIND = 2
KEY, PAGE = "/api/v1", "/api"
RULES = [
    {"const": "00", "tgt": "BEG.01"},
    {"const": "SA", "tgt": "BEG.02"},
    {"const": "20240115", "tgt": "BEG.05"},
    {"const": "1", "tgt": "PO1.01"},
    {"const": "1", "tgt": "PO1.02"},
    {"const": "EA", "tgt": "PO1.03"},
]


@pytest.fixture
def client(own_world: World) -> Iterator[ApiClient]:
    asyncio.run(a_ready_partner(own_world.database, NORTHWIND, PartnerStatus.ACTIVE))
    with calling(create_app(own_world.services(RecordedEngine()))) as client:
        yield client


def headers_of(world: World, side: str) -> dict[str, str]:
    """Return what says that a key, or the user of a page, asks for production."""
    if side == KEY:
        return bearer(world.keys.production)
    return session_headers(world.sessions.neighbour_owner) | {"X-Environment": "production"}


def an_order(
    client: ApiClient, world: World, source: str = "json", src: str = "number", **members: object
) -> dict[str, object]:
    """Save a map, and return the request that sends an order which it converts."""
    made = {
        "name": "Orders",
        "source_fmt": source,
        "target_fmt": "x12",
        "tx_set": "850",
        "direction": "outbound",
        "field_map": [*RULES, {"src": src, "tgt": "BEG.03"}],
    }
    answer = client.post("/api/maps", json=made, headers=headers_of(world, PAGE))
    given = {"partner_id": 1, "tx_set": "850", "direction": "outbound"}
    document = json.dumps({"number": "PO-1"})
    return given | {"document": document, "map_id": answer.json()["map"]["id"]} | members


@pytest.mark.parametrize("side", [KEY, PAGE])
def test_what_a_map_makes_is_sent_in_the_envelope_of_the_partner(
    client: ApiClient, own_world: World, side: str
) -> None:
    headers, order = headers_of(own_world, side), an_order(client, own_world)
    path = f"{side}/transactions/submit"
    dry = client.post(path, json=order | {"dry_run": True}, headers=headers).json()
    assert (dry["status"], dry["environment"], dry["warnings"]) == ("dry_run", "production", [])
    told = client.post(path, json=order, headers=headers).json()
    assert (told["status"], told["environment"], told["warnings"]) == ("queued", "production", [])
    number = told["transaction_id"]
    sent = client.get(f"{side}/transactions/{number}/content", headers=headers).text
    assert sent == (
        "ISA*00*          *00*          *ZZ*ACMECORP       *01*123456789      *260115*1405*U*00401"
        "*000000001*0*P*>~GS*PO*ACMECORP*NWRETAIL*20260115*1405*1*X*004010~ST*850*0001~"
        "BEG*00*SA*PO-1**20240115~PO1*1*1*EA~SE*4*0001~GE*1*1~IEA*1*000000001~"
    )


@pytest.mark.parametrize("side", [KEY, PAGE])
def test_what_convert_made_is_sent_with_restamp(
    client: ApiClient, own_world: World, side: str
) -> None:
    headers, order = headers_of(own_world, side), an_order(client, own_world)
    asked = {"map_id": order.pop("map_id"), "document": order.pop("document")}
    made = client.post("/api/v1/convert", json=asked, headers=headers_of(own_world, KEY)).json()
    assert "*ZZ*SENDER         *ZZ*RECEIVER       *" in made["output"]
    path = f"{side}/transactions/submit"
    refused = client.post(path, json=order | {"content": made["output"]}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (400, "partner_identity_mismatch")
    order |= {"content": made["output"], "restamp": True}
    told = client.post(path, json=order, headers=headers).json()
    assert (told["status"], told["environment"], told["warnings"]) == ("queued", "production", [])


@pytest.mark.parametrize("side", [KEY, PAGE])
def test_the_preview_envelope_is_never_kept(client: ApiClient, own_world: World, side: str) -> None:
    headers = headers_of(own_world, side)
    order = an_order(client, own_world, restamp=False)
    answer = client.post(f"{side}/transactions/submit", json=order, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert [each["param"] for each in answer.json()["details"]] == ["restamp"]
    assert client.get(f"{side}/transactions", headers=headers).json()["total"] == 0


@pytest.mark.parametrize("side", [KEY, PAGE])
def test_every_set_of_a_document_is_sent(client: ApiClient, own_world: World, side: str) -> None:
    document = "".join(
        f"ST*850*000{number}~BEG*00*SA*PO-{number}~SE*3*000{number}~" for number in (1, 2, 3)
    )
    headers = headers_of(own_world, side)
    order = an_order(client, own_world, "x12", "BEG.03", document=document)
    told = client.post(f"{side}/transactions/submit", json=order, headers=headers).json()
    assert (told["transaction_ids"], told["interchange_id"]) == ([1, 2, 3], 1)
    assert told["control_numbers"] == {
        "isa": "000000001",
        "gs": "1",
        "st": ["0001", "0002", "0003"],
    }
    sent = client.get(f"{side}/transactions/3/content", headers=headers).text
    orders = [f"~BEG*00*SA*PO-{number}**20240115~" in sent for number in (1, 2, 3)]
    assert (orders, sent[-29:]) == ([True] * 3, "SE*4*0003~GE*3*1~IEA*1*000000001~"[-29:])
    records = client.get(f"{side}/transactions", headers=headers).json()["transactions"]
    assert {each["business_key"] for each in records} == {"PO-1", "PO-2", "PO-3"}
    assert len({each["doc_id"] for each in records}) == 1


@pytest.mark.parametrize("side", [KEY, PAGE])
def test_what_would_be_converted_in_part_is_refused_and_nothing_is_stored(
    client: ApiClient, own_world: World, side: str
) -> None:
    headers = headers_of(own_world, side)
    document = json.dumps([{"number": "PO-1"}, {"number": "PO-2"}])
    order = an_order(client, own_world, document=document)
    answer = client.post(f"{side}/transactions/submit", json=order, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "conversion_failed")
    assert [(each["code"], each["param"]) for each in answer.json()["details"]] == [
        ("rows_not_converted", "document"),
        ("nothing_converted", "document"),
    ]
    assert client.get(f"{side}/transactions", headers=headers).json()["total"] == 0
    assert client.get("/api/vault", headers=headers_of(own_world, PAGE)).json()["total"] == 0


@pytest.mark.parametrize("side", [KEY, PAGE])
def test_a_document_that_ends_early_is_not_sent(
    client: ApiClient, own_world: World, side: str
) -> None:
    headers = headers_of(own_world, side)
    whole = "ST*850*0001~BEG*00*SA*PO-1~SE*3*0001~ST*850*0002~BEG*00*SA*PO-2~"
    order = an_order(client, own_world, "x12", "BEG.03", document=whole)
    for members in ({}, {"dry_run": True}):
        answer = client.post(
            f"{side}/transactions/submit", json=order | members, headers=headers
        ).json()
        assert (answer["code"], answer["details"][0]["code"]) == (
            "conversion_failed",
            "document_incomplete",
        )
        assert "the document is not complete: the transaction set that begins" in answer["error"]
    assert client.get(f"{side}/transactions", headers=headers).json()["total"] == 0
