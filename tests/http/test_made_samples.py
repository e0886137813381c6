"""GET /api/v1/samples/{tx_set}: documents made from the dictionary, and what is refused."""

from typing import Any

import pytest

from longshore.engine import sample
from tests.support.client import ApiClient
from tests.support.http_service import Keys, bearer

SAMPLES = "/api/v1/samples"


def asked(client: ApiClient, keys: Keys, address: str) -> tuple[int, dict[str, Any]]:
    response = client.get(f"{SAMPLES}/{address}", headers=bearer(keys.sandbox))
    return response.status_code, response.json()


def test_strangers_and_keys_without_scope_read_are_refused(client: ApiClient, keys: Keys) -> None:
    anonymous = client.get(f"{SAMPLES}/997")
    assert (anonymous.status_code, anonymous.json()["code"]) == (401, "missing_api_key")
    unable = client.get(f"{SAMPLES}/997", headers=bearer(keys.submit_only))
    assert (unable.status_code, unable.json()["code"]) == (403, "insufficient_scope")


def test_the_answer_is_the_sample_of_the_library(client: ApiClient, keys: Keys) -> None:
    status, answer = asked(client, keys, "997")
    made = sample("997")
    assert (status, answer) == (
        200,
        {
            "ok": True,
            "sample": {
                "tx_set": "997",
                "release": "005010",
                "guide": None,
                "kind": "plain",
                "seed": 0,
                "fault": None,
                "document": made.text,
                "expected": [],
            },
            "environment": "sandbox",
        },
    )


def test_every_option_reaches_the_library(client: ApiClient, keys: Keys) -> None:
    query = "release=005010&guide=005010X231A1&kind=full&seed=7&sender=ZZ:ACME&receiver=01:OURS"
    _, answer = asked(client, keys, f"999?{query}&fault=segment_missing")
    made = sample(
        *("999", "005010", "005010X231A1"),
        kind="full",
        seed=7,
        fault="segment_missing",
        sender="ZZ:ACME",
        receiver="01:OURS",
    )
    assert answer["sample"] == made.members()
    assert answer["sample"]["expected"] == [made.expected[0].members()]
    assert answer["sample"]["expected"][0]["code"] == "segment_missing"


@pytest.mark.parametrize(
    ("address", "status", "code", "param"),
    [
        ("000", 404, "not_found", None),
        ("997?guide=005010X231A1", 404, "not_found", None),
        ("997?kind=huge", 400, "invalid_parameter", "kind"),
        ("997?fault=nonsense", 400, "invalid_parameter", "fault"),
        ("997?fault=invoice_out_of_balance", 400, "invalid_parameter", "fault"),
        ("997?seed=-1", 400, "invalid_parameter", "seed"),
        ("997?sender=ACME", 400, "invalid_parameter", "sender"),
        ("997?count=2", 400, "unknown_parameter", "count"),
    ],
)
def test_what_no_sample_can_be_is_refused(
    client: ApiClient, keys: Keys, address: str, status: int, code: str, param: str | None
) -> None:
    found, answer = asked(client, keys, address)
    assert (found, answer["code"]) == (status, code)
    assert [each.get("param") for each in answer.get("details", [])] == ([param] if param else [])
