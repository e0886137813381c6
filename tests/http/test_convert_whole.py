"""POST /api/v1/convert and the preview of maps say what they left out, and the vault does."""

from typing import Any

import pytest

from longshore.http.services import HttpServices
from tests.http.test_convert import DEMO, PO, a_map, answered, post, stored_count
from tests.support.client import ApiClient
from tests.support.http_service import Keys, World, bearer
from tests.support.users import session_headers
from tests.unit.engine.conversion_examples import rule
from tests.unit.engine.test_convert_whole import MIXED, THREE, orders

CSV = "po,sku\n1,A\n1,B\n1,C\n"


def codes(answer: dict[str, Any]) -> list[str]:
    return [each["code"] for each in answer["warnings"]]


def stored(client: ApiClient, keys: Keys, doc_id: int) -> dict[str, Any]:
    answer = client.get(f"/api/v1/documents/{doc_id}", headers=bearer(keys.sandbox))
    document: dict[str, Any] = answer.json()["doc"]
    return document


def test_sets_that_were_left_out_are_named(client: ApiClient, keys: Keys) -> None:
    answer = answered(client, keys, document=THREE, field_map=PO)
    assert answer["output"] == '{"po":"PO-0001"}'
    assert answer["warnings"] == [
        {
            "code": "sets_not_converted",
            "message": "2 of 3 transaction sets were not converted: the rules read only the "
            "others; split makes an output of each set",
            "count": 2,
            "sets": [
                {"index": 2, "tx_set": "850", "control_number": "0002"},
                {"index": 3, "tx_set": "850", "control_number": "0003"},
            ],
        }
    ]


@pytest.mark.parametrize(
    ("members", "status"),
    [
        ({"document": THREE}, "processed_partly"),
        ({"document": THREE, "split": True}, "processed"),
        ({"document": orders("0001")}, "processed"),
        (
            {"document": CSV, "source_format": "csv", "field_map": [rule("sku", "sku")]},
            "processed_partly",
        ),
    ],
)
def test_the_vault_says_whether_all_of_it_was_converted(
    client: ApiClient, keys: Keys, members: dict[str, object], status: str
) -> None:
    answer = answered(client, keys, **({"field_map": PO} | members), save_to_vault=True)
    output = stored(client, keys, answer["doc_id"])
    source = stored(client, keys, output["source_doc_id"])
    assert (output["status"], source["status"]) == (status, status)


def test_a_map_of_another_set_is_refused_and_stores_nothing(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    map_id, before = a_map(services, DEMO, tx_set="810"), stored_count(services)
    members = {"document": orders("0001"), "map_id": map_id, "save_to_vault": True}
    status, answer = post(client, keys.sandbox, **members)
    assert (status, answer["code"], answer["error"]) == (
        400,
        "map_tx_set_mismatch",
        (
            "The map is for transaction set 810, but ST[1] of the document is 850. Use another "
            "map, or convert it with force all the same."
        ),
    )
    assert answer["details"][0]["allowed"] == ["810"]
    assert stored_count(services) == before
    forced = answered(client, keys, **members, force=True)
    assert (forced["output"], codes(forced)) == ('{"po":"PO-0001"}', ["map_tx_set_mismatch"])


def test_every_set_of_a_split_document_has_to_match(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    members: dict[str, object] = {"document": MIXED, "map_id": a_map(services, DEMO)}
    assert codes(answered(client, keys, **members)) == ["sets_not_converted"]
    status, answer = post(client, keys.sandbox, **members, split=True)
    assert (status, answer["code"]) == (400, "map_tx_set_mismatch")


def test_no_rules_are_refused(client: ApiClient, keys: Keys) -> None:
    status, answer = post(client, keys.sandbox, field_map=[])
    assert (status, answer["code"], answer["details"][0]["param"]) == (
        400, "invalid_mapping_rule", "field_map",
    )  # fmt: skip
    assert answer["error"] == "There are no rules: field_map is empty. Give at least one rule."


def test_rules_without_a_value_are_counted_and_named(client: ApiClient, keys: Keys) -> None:
    rules = [rule("CUR.02", "currency")]
    answer = answered(client, keys, document=THREE, field_map=rules, explain=True, split=True)
    assert (answer["output"], answer["rules_without_value"]) == ("{}", 1)
    assert codes(answer) == ["nothing_converted"]
    assert answer["warnings"][0]["message"] == "no rule found a value in 3 of 3 transaction sets"
    missing = [{"rule": 0, "src": ["CUR.02"], "tgt": "currency"}]
    assert answer["explain"]["rules_without_value"] == missing
    assert [each["rules_without_value"] for each in answer["outputs"]] == [1, 1, 1]


def test_rows_that_were_left_out_are_named(client: ApiClient, keys: Keys) -> None:
    rules = [rule("row[*]/sku", "l[*]"), rule("po", "po"), rule("sku", "first")]
    members = {"document": CSV, "source_format": "csv", "field_map": rules}
    assert answered(client, keys, **members)["warnings"] == [
        {
            "code": "rows_not_converted",
            "message": "2 rows were not converted: sku does not say which rows it means; [*] "
            "stands for all of them, an index for one",
            "param": "field_map[2]",
            "tgt": "first",
            "src": "sku",
            "count": 2,
        }
    ]


def test_the_preview_of_a_map_says_the_same(client: ApiClient, world: World) -> None:
    headers = session_headers(world.sessions.editor, "sandbox")

    def preview(**members: object) -> dict[str, Any]:
        body = {"document": THREE, "field_map": PO, **members}
        answer: dict[str, Any] = client.post("/api/maps/preview", json=body, headers=headers).json()
        return answer

    assert codes(preview()) == ["sets_not_converted"]
    refused = preview(tx_set="810")
    assert (refused["ok"], refused["code"]) == (False, "map_tx_set_mismatch")
    assert codes(preview(tx_set="810", force=True)) == ["map_tx_set_mismatch", "sets_not_converted"]
