"""partner_id of POST /api/v1/convert and of previews: the envelope of the partner's profile."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from longshore.domain.partners.model import Identity, PartnerStatus
from longshore.domain.partners.settings import PartnerSettings
from longshore.http.app import create_app
from longshore.http.services import HttpServices
from longshore.x12.delimiters import Delimiters
from tests.http.test_convert import stored_count
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.services import a_ready_partner
from tests.support.users import session_headers
from tests.unit.engine.conversion_examples import case, rule

DEMO, NORTHWIND = 1, 2
MARKS = Delimiters(element="|", segment="'", component=">", repetition="^")
ORDER: dict[str, object] = {
    "document": '{"po":"1"}',
    "source_format": "json",
    "target_format": "x12",
    "field_map": [rule("po", "BEG.03"), {"const": "850", "tgt": "ST.01"}],
}
OUTPUT = (
    "ISA|00|          |00|          |ZZ|ACMECORP       |14|0614141        |260115|0905|^|00501"
    "|000000001|0|T|>'GS|PO|ACMECORP|SHOPGROUP|20260115|0905|1|X|005010'ST|850|0001'BEG|||1'"
    "SE|3|0001'GE|1|1'IEA|1|000000001'"
)


@pytest.fixture
def services(own_world: World) -> HttpServices:
    return own_world.services(RecordedEngine())


@pytest.fixture
def client(services: HttpServices) -> Iterator[ApiClient]:
    with calling(create_app(services)) as client:
        yield client


def a_partner(world: World, **agreed: object) -> int:
    """Store a partner of demo in testing, in another time zone, with separators of its own."""
    settings = PartnerSettings(separators=MARKS, timezone="America/New_York")
    known: dict[str, Any] = {
        "identity": Identity(qualifier="14", isa_id="0614141", gs_id="SHOPGROUP"),
        "version": "005010",
        "settings": settings,
    }
    return asyncio.run(a_ready_partner(world.database, DEMO, **(known | agreed)))


@pytest.fixture
def partner_id(own_world: World) -> int:
    return a_partner(own_world)


def converted(
    client: ApiClient, world: World, partner_id: int, key: str = "", **members: object
) -> dict[str, Any]:
    body = ORDER | {"partner_id": partner_id} | members
    headers = bearer(key or world.keys.sandbox)
    answer: dict[str, Any] = client.post("/api/v1/convert", json=body, headers=headers).json()
    return answer


def test_an_x12_output_gets_the_envelope_of_the_partner(
    client: ApiClient, own_world: World, partner_id: int
) -> None:
    for _ in range(2):  # nothing is drawn
        answer = converted(client, own_world, partner_id)
        assert answer["output"] == OUTPUT
        assert (answer["preview"], answer["warnings"]) == (True, [])
    order = {"partner_id": partner_id, "tx_set": "850", "direction": "outbound", "dry_run": True}
    dry = client.post(
        "/api/v1/transactions/submit",
        json=order | {"content": "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~"},
        headers=bearer(own_world.keys.sandbox),
    ).json()
    assert dry["control_numbers"]["isa"] == "000000001"


def test_the_request_goes_before_the_partner_and_the_partner_before_the_source(
    client: ApiClient, own_world: World, partner_id: int
) -> None:
    members: dict[str, Any] = {
        "document": case(),
        "source_format": "x12",
        "field_map": [rule("BEG.03", "BEG.03")],
        "envelope": {"receiver_id": "OTHER", "version": "004010"},
    }
    output = converted(client, own_world, partner_id, **members)["output"]
    assert "|ZZ|ACMECORP       |14|OTHER          |260115|0905|U|00401|" in output
    assert "GS|PO|ACMECORP|OTHER|" in output


def test_fixed_separators_refuse_or_replace_what_holds_them(
    client: ApiClient, own_world: World
) -> None:
    fixed = PartnerSettings(separators=MARKS, fixed_separators=True)
    strict = a_partner(own_world, settings=fixed)
    refused = converted(client, own_world, strict, document='{"po":"A|B"}')
    assert (refused["ok"], refused["code"]) == (False, "delimiter_in_data")


def test_separators_of_values_are_replaced_where_the_partner_agreed(
    client: ApiClient, own_world: World
) -> None:
    agreed = PartnerSettings(separators=MARKS, fixed_separators=True, replace_delimiters_with="/")
    answer = converted(
        client, own_world, a_partner(own_world, settings=agreed), document='{"po":"A|B"}'
    )
    assert "BEG|||A/B'" in answer["output"]
    assert [each["code"] for each in answer["warnings"]] == ["separator_replaced"]


def test_a_partner_that_the_key_does_not_see_is_the_same_404_as_none(
    client: ApiClient, services: HttpServices, own_world: World
) -> None:
    theirs = asyncio.run(a_ready_partner(own_world.database, NORTHWIND, PartnerStatus.ACTIVE))
    active = asyncio.run(a_ready_partner(own_world.database, DEMO, PartnerStatus.ACTIVE))
    before = stored_count(services)
    for number in (theirs, active, 999, 0, -1, 2**63, 2**80):
        answer = converted(client, own_world, number, save_to_vault=True)
        assert (answer["code"], answer["error"]) == (
            "not_found", "There is no such partner, or it is not yours.",
        )  # fmt: skip
    assert stored_count(services) == before
    live = converted(client, own_world, theirs, own_world.keys.production)
    assert "*ZZ*ACMECORP       *01*123456789      *" in live["output"]
    assert "*P*" in live["output"][:106]


def test_other_targets_have_no_envelope(
    client: ApiClient, own_world: World, partner_id: int
) -> None:
    members: dict[str, Any] = {"target_format": "json", "field_map": [rule("po", "po")]}
    assert converted(client, own_world, partner_id, **members)["output"] == '{"po":"1"}'


def test_the_preview_of_a_page_gets_it_too(
    client: ApiClient, own_world: World, partner_id: int
) -> None:
    headers = session_headers(own_world.sessions.editor)
    body = ORDER | {"partner_id": partner_id, "explain": False}
    preview = client.post("/api/maps/preview", json=body, headers=headers).json()
    assert preview["output"] == converted(client, own_world, partner_id)["output"]
    missing = client.post("/api/maps/preview", json=body | {"partner_id": 999}, headers=headers)
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
