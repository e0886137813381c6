"""What could not be checked is called not_checked by every answer over HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest

from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.unchecked import (
    ORDER,
    a_document,
    an_unknown_set,
    claim_under,
    documents,
    unknown_sets,
)
from tests.support.users import session_headers

UNKNOWN = unknown_sets()[0]
MIXED = a_document(ORDER, an_unknown_set(UNKNOWN, "0002"))


@pytest.fixture
def api(world: World) -> Iterator[ApiClient]:
    with calling(create_app(world.services(RecordedEngine()))) as client:
        yield client


def answered(api: ApiClient, world: World, path: str, **members: object) -> dict[str, Any]:
    is_page = not path.startswith("/api/v1/")
    headers = session_headers(world.sessions.viewer) if is_page else bearer(world.keys.sandbox)
    response = api.post(path, json=members, headers=headers)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_no_answer_says_valid(api: ApiClient, world: World) -> None:
    for name, document in documents().items():
        for path in ("/api/v1/validate", "/api/validate", "/api/inspect"):
            answer = answered(api, world, path, document=document)
            found = (name, answer["valid"], answer["outcome"], answer["ack"])
            assert found == (name, None, "not_checked", "")
            assert answer["ack_withheld"]


def test_a_guide_that_is_not_known_is_named(api: ApiClient, world: World) -> None:
    by_document = answered(api, world, "/api/v1/validate", document=claim_under("005010X999A9"))
    by_request = answered(
        api,
        world,
        "/api/v1/validate",
        document=claim_under("005010X222A1"),
        guide="005010X999A9",
    )
    for answer in (by_document, by_request):
        assert (answer["definition"], answer["guide"], answer["named_guide"]) == (
            "standard",
            None,
            "005010X999A9",
        )
        assert [(each["code"], each["message"]) for each in answer["findings"]] == [
            (
                "guide_unknown",
                "guide 005010X999A9 is not known; checked against 837 005010 only",
            )
        ]


def test_each_set_of_a_mixed_document_has_its_outcome(api: ApiClient, world: World) -> None:
    answer = answered(api, world, "/api/v1/validate", document=MIXED)
    assert [
        (each["tx_set"], each["outcome"], each["valid"], each["snip_level"])
        for each in answer["sets"]
    ] == [("850", "valid", True, 1), (UNKNOWN, "not_checked", None, 0)]
    assert answer["sets"][0]["codes_checked"] == answer["codes_checked"]
    assert {"353", "355", "478", "1073"} <= set(answer["codes_checked"]["enforced"])


@pytest.mark.parametrize("path", ["/api/v1/validate", "/api/validate"])
def test_the_caller_decides_what_is_answered_to_it(api: ApiClient, world: World, path: str) -> None:
    expected = {
        "hold": ("", [2]),
        "reject": (f"~AK2*{UNKNOWN}*0002~AK5*R*1~AK9*P*2*2*1~", []),
        "accept": (f"~AK2*{UNKNOWN}*0002~AK5*A~AK9*A*2*2*2~", []),
    }
    for choice, (text, withheld) in expected.items():
        answer = answered(api, world, path, document=MIXED, unknown_sets=choice)
        assert (answer["outcome"], answer["ack_withheld"]) == ("not_checked", withheld)
        assert text in answer["ack"]
        assert bool(answer["ack"]) is bool(text)


def test_another_choice_is_refused(api: ApiClient, world: World) -> None:
    response = api.post(
        "/api/v1/validate",
        json={"document": MIXED, "unknown_sets": "ignore"},
        headers=bearer(world.keys.sandbox),
    )
    assert response.status_code == 400
    (detail,) = response.json()["details"]
    assert (detail["code"], detail["param"]) == ("invalid_parameter", "unknown_sets")
