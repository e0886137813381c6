"""/api/partners: trading partners for pages, and as a key sees them."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.maps.model import Authorship
from longshore.domain.partners.model import Address, Direction, Pair, PartnerId, PartnerStatus
from longshore.domain.partners.simulators import AccountProvisioner
from longshore.domain.partners.targets import NOT_PERMITTED
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment
from tests.support.client import ApiClient
from tests.support.clock import CountedIds, StoppedClock
from tests.support.http_service import World, bearer
from tests.support.maps import a_map, a_map_service
from tests.support.partners import HTTP, OWN, a_partner_service, new_partner
from tests.support.trading import (
    a_record,
    an_interchange,
    stored_interchange,
    stored_transaction,
)
from tests.support.users import BASE_URL, session_headers
from tests.support.vault import a_sealer, context, scope

Json = dict[str, Any]  # what answers hold
BODY: Json = {
    "name": "Northwind Retail",
    "isa_qualifier": "01",
    "isa_id": "123456789",
    "gs_id": "NWRETAIL",
    "tx_sets": ["850", "997"],
    "connections": {"test": HTTP},
    "settings": {"gs06_pad": True},
    "routes": [{"tx_set": "850"}],
}


@pytest.fixture
def world(own_world: World) -> World:
    """One that a test may change."""
    return own_world


@pytest.fixture
def editor(world: World) -> dict[str, str]:
    return session_headers(world.sessions.editor)


def made(client: ApiClient, headers: dict[str, str], **members: object) -> Json:
    answer = client.post("/api/partners", headers=headers, json=BODY | members)
    assert answer.status_code == 200, answer.text
    partner: Json = answer.json()["partner"]
    return partner


def changed(
    client: ApiClient, headers: dict[str, str], body: Json, version: str = "*"
) -> tuple[int, Json]:
    answer = client.request(
        "PUT", "/api/partners/1", headers=headers | {"If-Match": version}, json=body
    )
    return answer.status_code, answer.json()


ROUTES = (
    ("GET", "/api/partners", None),
    ("POST", "/api/partners", BODY),
    ("GET", "/api/partners/1", None),
    ("PUT", "/api/partners/1", BODY),
    ("DELETE", "/api/partners/1", None),
    ("POST", "/api/partners/1/rotate-token", {"environment": "sandbox"}),
    ("GET", "/api/partners/1/control-numbers", None),
)


@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
def test_nobody_without_a_session_sees_or_changes_partners(
    client: ApiClient, world: World, editor: dict[str, str], method: str, path: str, body: Json
) -> None:
    before = made(client, editor)
    for headers in ({}, bearer(world.keys.sandbox)):
        answer = client.request(method, path, headers=headers | {"If-Match": "*"}, json=body)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in")
    assert client.get("/api/partners/1", headers=editor).json()["partner"] == before


@pytest.mark.parametrize(("method", "path", "body"), [each for each in ROUTES if "1" in each[1]])
def test_a_neighbours_partner_is_not_found(
    client: ApiClient, world: World, editor: dict[str, str], method: str, path: str, body: Json
) -> None:
    before = made(client, editor)
    headers = session_headers(world.sessions.neighbour_owner) | {"If-Match": "*"}
    answer = client.request(method, path, headers=headers, json=body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert client.get("/api/partners", headers=headers).json()["partners"] == []
    assert client.get("/api/partners/1", headers=editor).json()["partner"] == before


@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
def test_viewers_see_and_change_nothing(
    client: ApiClient, world: World, editor: dict[str, str], method: str, path: str, body: Json
) -> None:
    before = made(client, editor)
    asyncio.run(add_identity(world))
    headers = session_headers(world.sessions.viewer) | {"If-Match": "*"}
    answer = client.request(method, path, headers=headers, json=body)
    assert answer.status_code == (200 if method == "GET" else 403)
    assert client.get("/api/partners/1", headers=editor).json()["partner"] == before


async def add_identity(world: World) -> None:
    units, clock = world.database.units, StoppedClock()
    accounts = await AccountService(units, clock, world.database.revocations).list()
    await AccountProvisioner(units, clock, a_sealer(), CountedIds("equip")).provision_defaults(
        accounts[0]
    )


# ---- pages ---------------------------------------------------------------------------------------


def test_a_new_partner_is_answered_with_its_version_and_url(
    client: ApiClient, editor: dict[str, str]
) -> None:
    answer = client.post("/api/partners", headers=editor, json=BODY)
    partner = answer.json()["partner"]
    start, _, end = partner["inbound_url_test"].rpartition("/")
    assert (start, len(end)) == (f"{BASE_URL}/edi/receive", len("?env=test") + 43)
    assert (answer.headers["etag"], partner["revision"]) == ('"1"', 1)
    assert (partner["inbound_url"], partner["edi_identity"]) == ("", "01/123456789")
    shown = {name: partner[name] for name in ("partner_status", "connection_type", "ack_type")}
    assert shown == {"partner_status": "testing", "connection_type": "http", "ack_type": "auto"}
    assert (partner["connection_status"], partner["last_activity_at"]) == ("unverified", None)
    assert client.get("/api/partners/1", headers=editor).json() == answer.json()


def test_no_answer_holds_a_secret(client: ApiClient, editor: dict[str, str]) -> None:
    partner = made(client, editor)
    test = partner["connections"]["test"]
    assert (test["headers"], test["basic"]) == ({"X-Key": ""}, {"user": "us", "password_set": True})
    assert partner["connections"]["live"] == {"type": "none"}
    assert "hush" not in client.get("/api/partners/1", headers=editor).text
    assert "hush" not in client.get("/api/partners", headers=editor).text


def test_what_was_read_can_be_sent_back(client: ApiClient, editor: dict[str, str]) -> None:
    partner = made(client, editor)
    status, answer = changed(client, editor, partner | {"industry": "retail"}, '"1"')
    expected = partner | {"industry": "retail", "revision": 2}
    assert (status, answer["partner"]) == (200, expected)


def test_an_old_version_is_refused_with_the_newest(
    client: ApiClient, editor: dict[str, str]
) -> None:
    made(client, editor)
    assert changed(client, editor, BODY, "1")[0] == 200
    status, answer = changed(client, editor, BODY | {"name": "Bolt"}, "1")
    assert (status, answer["code"]) == (409, "edit_conflict")
    assert answer["details"][0]["current_version"] == 2
    missing = client.request("PUT", "/api/partners/1", headers=editor, json=BODY)
    assert (missing.status_code, missing.json()["code"]) == (400, "missing_parameter")
    assert client.get("/api/partners/1", headers=editor).json()["partner"]["revision"] == 2


def test_all_faults_of_a_partner_are_told_at_once(
    client: ApiClient, editor: dict[str, str]
) -> None:
    body = {
        "name": "",
        "isa_id": "SIXTEEN-CHARS-16",
        "connections": {"test": {"type": "http", "url": "ftp://x"}, "live": {"type": "none"}},
        "settings": {"ack_hours": 3},
        "routes": [{"tx_set": "85"}],
    }
    answer = client.post("/api/partners", headers=editor, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert [each["param"] for each in answer.json()["details"]] == [
        *("name", "isa_id", "connections.test.url"),
        *("settings.ack_hours", "routes[0].tx_set"),
    ]
    assert client.get("/api/partners", headers=editor).json()["total"] == 0


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        ({}, "missing_parameter", "name"),
        (BODY | {"nmae": 1}, "unknown_parameter", "nmae"),
        (BODY | {"tx_sets": "850"}, "invalid_parameter", "tx_sets"),
        (BODY | {"partner_status": "active"}, "invalid_parameter", "partner_status"),
        (BODY | {"connections": {"both": {}}}, "unknown_parameter", "connections.both"),
        (BODY | {"own_identity_id": 9}, "invalid_parameter", "own_identity_id"),
        (BODY | {"own_identity_id": 2**63}, "invalid_parameter", "own_identity_id"),
        (BODY | {"routes": [{"tx_set": "850", "map_id": 1}]}, "invalid_parameter", None),
    ],
)
def test_what_no_partner_can_be_is_refused(
    client: ApiClient, editor: dict[str, str], body: Json, code: str, param: str | None
) -> None:
    answer = client.post("/api/partners", headers=editor, json=body).json()
    detail = answer["details"][0]
    assert (answer["code"], detail["param"]) == (code, param or "routes[0].map_id")
    assert client.get("/api/partners", headers=editor).json()["total"] == 0


def test_a_name_is_taken_once(client: ApiClient, editor: dict[str, str]) -> None:
    made(client, editor)
    answer = client.post("/api/partners", headers=editor, json={"name": "NORTHWIND RETAIL"})
    assert (answer.status_code, answer.json()["details"][0]["param"]) == (400, "name")
    assert answer.json()["error"] == 'Another partner has this "name" already. Choose another one.'


def test_a_step_that_does_not_exist_names_those_that_do(
    client: ApiClient, editor: dict[str, str]
) -> None:
    made(client, editor)
    status, answer = changed(client, editor, BODY | {"partner_status": "pending"})
    assert (status, answer["code"]) == (409, "invalid_state")
    assert answer["details"][0]["allowed"] == ["active", "inactive"]
    status, answer = changed(client, editor, BODY | {"partner_status": "active"})
    assert (status, answer["partner"]["partner_status"]) == (200, "active")


def test_a_route_names_a_map_of_the_account(
    client: ApiClient, world: World, editor: dict[str, str]
) -> None:
    maps = a_map_service(world.database, StoppedClock())
    who = context(1, Environment.SANDBOX)
    asyncio.run(maps.create(who, a_map(), Authorship(saved_by="user 1")))
    route = {"tx_set": "850", "direction": "inbound", "map_id": 1, "save_to_vault": True}
    assert made(client, editor, routes=[route])["routes"] == [route]


def test_a_partner_is_removed_unless_documents_name_it(
    client: ApiClient, world: World, editor: dict[str, str]
) -> None:
    made(client, editor)
    made(client, editor, name="Bolt", isa_id="BOLT")
    record = a_record(partner_id=PartnerId(1))
    asyncio.run(stored_transaction(world.database, record, given=scope(1, Environment.SANDBOX)))
    headers = editor | {"If-Match": "1"}
    refused = client.request("DELETE", "/api/partners/1", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (409, "invalid_state")
    assert client.request("DELETE", "/api/partners/2", headers=headers).json() == {"ok": True}
    listed = client.get("/api/partners", headers=editor).json()
    assert [each["id"] for each in listed["partners"]] == [1]


def test_what_cannot_work_is_refused_with_its_place_and_nothing_is_stored(
    client: ApiClient, editor: dict[str, str]
) -> None:
    made(client, editor)
    sftp = {"type": "sftp", "host": "10.0.0.7", "user": "us"}
    private = {"type": "http", "url": "https://10.0.0.7/in"}
    body = BODY | {"connections": {"test": sftp, "live": private}, "settings": {"overlays": ["x"]}}
    created = client.post("/api/partners", headers=editor, json=body | {"name": "Bolt"})
    status, answer = changed(client, editor, body)
    for found in (created.json(), answer):
        assert (status, found["code"]) == (400, "invalid_parameter")
        assert [each["param"] for each in found["details"]] == [
            *("connections.test.host", "connections.live.url", "settings.overlays"),
        ]
        assert found["details"][0]["message"] == NOT_PERMITTED
    twin = client.post("/api/partners", headers=editor, json=BODY | {"name": "Bolt"})
    assert (twin.status_code, twin.json()["code"]) == (409, "invalid_state")
    assert twin.json()["details"][0]["param"] == "isa_id"
    assert twin.json()["error"].startswith(
        "Partner 1 (Northwind Retail) has the identity 01/123456789 already."
    )
    listed = client.get("/api/partners", headers=editor).json()["partners"]
    assert [(each["id"], each["connection_type"]) for each in listed] == [(1, "http")]


def test_a_rotated_token_takes_the_place_in_the_url(
    client: ApiClient, editor: dict[str, str]
) -> None:
    before = made(client, editor)["inbound_url_test"]
    path = "/api/partners/1/rotate-token"
    answer = client.post(path, headers=editor, json={"environment": "sandbox"})
    after = answer.json()["partner"]["inbound_url_test"]
    assert after != before
    assert (
        client.get("/api/partners/1", headers=editor).json()["partner"]["inbound_url_test"] == after
    )
    body = {"environment": "sandbox", "overlap_hours": 169}
    refused = client.post(path, headers=editor, json=body)
    assert (refused.status_code, refused.json()["details"][0]["param"]) == (400, "overlap_hours")


def test_control_numbers_need_an_identity(
    client: ApiClient, world: World, editor: dict[str, str]
) -> None:
    made(client, editor)
    path = "/api/partners/1/control-numbers"
    assert client.get(path, headers=editor).json()["code"] == "invalid_state"
    asyncio.run(add_identity(world))
    answer = client.get(path, headers=editor).json()
    assert answer == {"ok": True, "counters": [], "missing": []}


def test_control_numbers_tell_what_the_partner_passed_over(
    client: ApiClient, world: World, editor: dict[str, str]
) -> None:
    made(client, editor, isa_qualifier="01", isa_id="123456789")
    asyncio.run(add_identity(world))
    own = client.get("/api/account", headers=editor).json()["account"]["identities"][0]
    pair = Pair(Address("01", "123456789"), Address(own["qualifier"], own["isa_id"]))

    async def receive() -> None:
        for number in ("000000041", "000000044"):
            inbound = an_interchange(number, pair=pair, direction=Direction.INBOUND)
            given = scope(1, Environment.SANDBOX)
            await stored_interchange(world.database, inbound, given=given)

    asyncio.run(receive())
    path = "/api/partners/1/control-numbers"
    since = "2026-01-15T14:05:09"
    assert client.get(path, headers=editor).json()["missing"] == [
        {"kind": "isa", "environment": "sandbox", "from": 42, "to": 43, "since": since}
    ]
    changed(client, editor, BODY | {"connections": {"test": {"type": "simulator"}}})
    assert client.get(path, headers=editor).json()["missing"] == []


# ---- keys ----------------------------------------------------------------------------------------


async def add_partners(world: World, account: int, *statuses: PartnerStatus) -> None:
    service = a_partner_service(world.database, StoppedClock(), f"tokens {account}")
    context = replace(OWN, account_id=AccountId(account))
    for status in statuses:
        first = "pending" if status is PartnerStatus.PENDING else "testing"
        new = new_partner(f"Is {status}", partner_status=first)
        known = await service.create(context, new)
        if status is PartnerStatus.ACTIVE:
            await service.change(context, known.partner.id, None, replace(new, status=status))


TRADED = (PartnerStatus.PENDING, PartnerStatus.TESTING, PartnerStatus.ACTIVE)


def test_no_key_no_partners(client: ApiClient, world: World) -> None:
    for path in ("/api/v1/partners", "/api/v1/partners/1"):
        assert client.get(path).json()["code"] == "missing_api_key"
        refused = client.get(path, headers=bearer(world.keys.submit_only))
        assert (refused.status_code, refused.json()["code"]) == (403, "insufficient_scope")


def test_a_sandbox_key_sees_partners_in_testing_only(client: ApiClient, world: World) -> None:
    asyncio.run(add_partners(world, 1, *TRADED))
    headers = bearer(world.keys.sandbox)
    answer = client.get("/api/v1/partners", headers=headers).json()
    assert (answer["environment"], answer["count"], answer["total"]) == ("sandbox", 1, 1)
    (partner,) = answer["partners"]
    assert (partner["id"], partner["partner_status"], partner["inbound_url"]) == (2, "testing", "")
    shown = client.get("/api/v1/partners/2", headers=headers).json()
    assert shown["partner"] == partner
    for hidden in ("1", "3", "99", "x"):
        refused = client.get(f"/api/v1/partners/{hidden}", headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    none = client.get("/api/v1/partners?partner_status=active", headers=headers).json()
    assert (none["count"], none["partners"]) == (0, [])


def test_a_live_key_sees_every_partner_and_the_live_url_of_active_ones(
    client: ApiClient, world: World
) -> None:
    asyncio.run(add_partners(world, 2, *TRADED))
    answer = client.get("/api/v1/partners", headers=bearer(world.keys.production)).json()
    shown = [(each["partner_status"], bool(each["inbound_url"])) for each in answer["partners"]]
    assert shown == [("pending", False), ("testing", False), ("active", True)]
    start, _, token = answer["partners"][2]["inbound_url"].rpartition("/")
    assert (start, len(token)) == (f"{BASE_URL}/edi/receive", 43)
    other = client.get("/api/v1/partners", headers=bearer(world.keys.sandbox)).json()
    assert other["partners"] == []


def masked(url: str) -> str:
    start, _, end = url.rpartition("/")
    token, question, query = end.partition("?")
    return f"{start}/{token[:4]}********{question}{query}"


def test_who_may_not_submit_sees_inbound_urls_masked(client: ApiClient, world: World) -> None:
    """Whoever has the URL can send in the partner's name, also live documents."""
    asyncio.run(add_partners(world, 2, PartnerStatus.TESTING, PartnerStatus.ACTIVE))
    whole, hidden = (
        client.get("/api/v1/partners/2", headers=bearer(key)).json()["partner"]
        for key in (world.keys.production, world.keys.production_read)
    )
    assert whole["inbound_url"].startswith(f"{BASE_URL}/edi/receive/")
    urls = {name: masked(whole[name]) for name in ("inbound_url", "inbound_url_test")}
    assert hidden == whole | urls
    listed = client.get("/api/v1/partners", headers=bearer(world.keys.production_read)).json()
    assert listed["partners"][1] == hidden
    asyncio.run(add_partners(world, 1, PartnerStatus.TESTING))
    for path in ("/api/partners", "/api/partners/3"):
        shown = []
        for session in (world.sessions.editor, world.sessions.viewer):
            answer = client.get(path, headers=session_headers(session)).json()
            shown.append(answer.get("partner") or answer["partners"][0])
        urls = {"inbound_url_test": masked(shown[0]["inbound_url_test"])}
        assert shown[1] == shown[0] | urls


def test_a_page_of_partners(client: ApiClient, world: World) -> None:
    asyncio.run(add_partners(world, 2, *TRADED))
    headers = bearer(world.keys.production)
    page = client.get("/api/v1/partners?q=is&limit=2&offset=1", headers=headers).json()
    members = ("count", "total", "limit", "offset", "has_more")
    assert [page[name] for name in members] == [2, 3, 2, 1, False]
    assert [each["id"] for each in page["partners"]] == [2, 3]
    first = client.get("/api/v1/partners?q=IS%20P&limit=1", headers=headers).json()
    assert ([each["id"] for each in first["partners"]], first["has_more"]) == ([1], False)
    assert first["warnings"] == []
    everything = client.get("/api/v1/partners", headers=headers).json()
    assert (everything["limit"], everything["offset"], everything["count"]) == (None, 0, 3)
    refused = client.get("/api/v1/partners?partner_status=gone&limit=0", headers=headers)
    assert [each["param"] for each in refused.json()["details"]] == ["partner_status", "limit"]
