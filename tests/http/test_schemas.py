"""GET /api/v1/schemas: what the dictionary knows, and what it does not."""

import json
from typing import Any

import pytest

from longshore.engine import schema, schemas
from longshore.x12.dictionary.export import set_export
from longshore.x12.dictionary.library import shipped
from tests.support.client import ApiClient
from tests.support.http_service import Keys, bearer

SCHEMAS = "/api/v1/schemas"


def shown(client: ApiClient, keys: Keys, address: str) -> dict[str, Any]:
    response = client.get(f"{SCHEMAS}/{address}", headers=bearer(keys.sandbox))
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["schema"]
    return found


@pytest.mark.parametrize("address", [SCHEMAS, f"{SCHEMAS}/997"])
def test_strangers_and_keys_without_scope_read_are_refused(
    client: ApiClient, keys: Keys, address: str
) -> None:
    anonymous = client.get(address)
    assert (anonymous.status_code, anonymous.json()["code"]) == (401, "missing_api_key")
    unable = client.get(address, headers=bearer(keys.submit_only))
    assert (unable.status_code, unable.json()["code"]) == (403, "insufficient_scope")


def test_every_set_is_listed_in_each_of_its_releases(client: ApiClient, keys: Keys) -> None:
    answer = client.get(SCHEMAS, headers=bearer(keys.production)).json()
    assert list(answer) == ["ok", "schemas", "environment"]
    assert answer["environment"] == "production"
    assert answer["schemas"] == schemas()
    by_place = {(each["tx_set"], each["release"]): each for each in answer["schemas"]}
    assert len(by_place) == len(answer["schemas"])
    assert by_place["850", "004010"] == {
        "tx_set": "850",
        "name": "Purchase order",
        "release": "004010",
        "functional_id": "PO",
        "guides": [],
    }
    assert by_place["837", "005010"]["guides"] == ["005010X222A1", "005010X223A2", "005010X224A2"]
    assert by_place["850", "005010"]["guides"] == []


def test_a_set_is_shown_in_the_newest_release_unless_said_otherwise(
    client: ApiClient, keys: Keys
) -> None:
    assert shown(client, keys, "997")["release"] == "005010"
    older = shown(client, keys, "997?release=004010")
    assert (older["set"], older["release"], older["guide"]) == ("997", "004010", None)
    assert older == json.loads(json.dumps(schema("997", "004010")))


def test_a_guide_brings_its_release(client: ApiClient, keys: Keys) -> None:
    found = shown(client, keys, "999?guide=005010X231A1")
    assert (found["release"], found["guide"]) == ("005010", "005010X231A1")
    assert found == shown(client, keys, "999?guide=005010X231A1&release=005010")


def test_positions_are_those_of_the_export_with_label_and_elements(
    client: ApiClient, keys: Keys
) -> None:
    definition = shipped().definition("997", "004010")
    assert definition is not None
    exported = json.loads(json.dumps(set_export(definition)))
    found = shown(client, keys, "997?release=004010")
    for position in found["positions"]:
        assert isinstance(position.pop("elements"), list)
        position.pop("label")
    assert {name: found[name] for name in exported} == exported
    first = shown(client, keys, "997?release=004010")["positions"][0]["elements"][0]
    assert {name: first[name] for name in ("position", "element", "type", "min", "max")} == {
        "position": 1,
        "element": "479",
        "type": "ID",
        "min": 2,
        "max": 2,
    }


@pytest.mark.parametrize(
    "address",
    [
        "000", "85", "8500", "%20", "850%00", "850?release=002000", "850?guide=005010X222A1",
        "837?guide=005010X222A1&release=004010", "837?guide=nonsense", "ISA",
    ],
)  # fmt: skip
def test_what_the_dictionary_lacks_is_not_found(
    client: ApiClient, keys: Keys, address: str
) -> None:
    response = client.get(f"{SCHEMAS}/{address}", headers=bearer(keys.sandbox))
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert response.json()["error"] == (
        "The dictionary has no such set, release or guide. GET /api/v1/schemas lists them."
    )


@pytest.mark.parametrize(
    ("query", "param", "error"),
    [
        (
            "release=4010",
            "release",
            'Parameter "release" must be a release of six digits such as 004010.',
        ),
        (
            "release=",
            "release",
            'Query parameter "release" is empty; give it a value or leave it out.',
        ),
        (
            f"guide={'x' * 10_241}",
            "guide",
            'Parameter "guide" must be a string of at most 10,240 characters.',
        ),
        (
            "release=004010&release=005010",
            "release",
            'Query parameter "release" is given more than once.',
        ),
    ],
)
def test_a_malformed_parameter_is_refused_by_its_name(
    client: ApiClient, keys: Keys, query: str, param: str, error: str
) -> None:
    response = client.get(f"{SCHEMAS}/997?{query}", headers=bearer(keys.sandbox))
    assert (response.status_code, response.json()["code"]) == (400, "invalid_parameter")
    assert (response.json()["error"], response.json()["details"][0]["param"]) == (error, param)
