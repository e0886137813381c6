"""/api/v1/definitions and /api/definitions: imported by key or in a session, then in force."""

from typing import Any

import pytest

from tests.support.client import ApiClient
from tests.support.definitions import AN_ESL, AN_ORDER, an_import
from tests.support.http_service import Keys, World, bearer
from tests.support.users import session_headers

V1 = "/api/v1/definitions"
DOCUMENT = {"document": AN_ORDER, "release": "004010"}


def asked(client: ApiClient, method: str, path: str, headers: Any, body: Any = None) -> Any:  # noqa: ANN401 - an answer
    answer = client.request(method, path, json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("prefix", ["/api/v1", "/api"])
def test_a_definition_is_imported_used_shown_and_deleted(
    client: ApiClient, own_world: World, prefix: str
) -> None:
    key, editor = bearer(own_world.keys.sandbox), session_headers(own_world.sessions.editor)
    who = key if prefix == "/api/v1" else editor
    validated = "/api/v1/validate"
    before = asked(client, "POST", validated, key, DOCUMENT)
    assert (before["valid"], before["own_definition"]) == (False, False)
    path = f"{prefix}/definitions"
    done = asked(client, "POST", path, who, an_import())
    (item,) = done["definitions"]
    assert (done["replaced"], done["warnings"], done["warning_count"]) == ([], [], 0)
    assert item | {"id": 0, "created_at": "", "size": 0} == {
        "id": 0,
        "tx_set": "850",
        "release": "004010",
        "guide": None,
        "name": "Order of ours",
        "format": "mulesoft",
        "file": "order.esl",
        "size": 0,
        "created_at": "",
    }
    assert asked(client, "GET", path, who)["definitions"] == [item]
    after = asked(client, "POST", validated, key, DOCUMENT)
    assert (after["valid"], after["own_definition"]) == (True, True)
    seen = asked(client, "POST", "/api/inspect", editor, DOCUMENT)
    assert (seen["valid"], seen["own_definition"]) == (True, True)
    neighbour = bearer(own_world.keys.neighbour)
    assert asked(client, "POST", validated, neighbour, DOCUMENT) == before
    shown = asked(client, "GET", f"{path}/{item['id']}", who)
    assert shown["definition"] == item
    assert [each["name"] for each in shown["texts"]] == ["850.xd"]
    asked(client, "DELETE", f"{path}/{item['id']}", who)
    assert asked(client, "POST", validated, key, DOCUMENT) == before


def test_a_file_that_cannot_be_used_is_refused_with_each_line(
    client: ApiClient, keys: Keys
) -> None:
    wrong = AN_ESL.replace("BEG", "beg!").replace("REF", "ref!")
    answer = client.post(V1, json=an_import(content=wrong), headers=bearer(keys.sandbox))
    assert answer.status_code == 400, answer.text
    assert [(each["message"], each["line"]) for each in answer.json()["details"]] == [
        (f"file:{line}: {name} is not an id that the dictionary can have", line)
        for line, name in ((8, "beg!"), (9, "ref!"))
    ]
    assert asked(client, "GET", V1, bearer(keys.sandbox))["count"] == 0
