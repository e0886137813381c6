"""POST /api/v1/convert: the examples, the answer, the vault, saved maps, and what is refused."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from longshore.compute.documents import convert_result
from longshore.domain.maps.model import Authorship, MapDefinition
from longshore.domain.maps.service import MapService
from longshore.domain.pages import PageParameters
from longshore.domain.ports import AccountId, RequestContext, Scope
from longshore.domain.vault.model import VaultQuery
from longshore.engine import RuleText
from longshore.http.app import create_app
from longshore.http.services import HttpServices
from longshore.kit.environment import Environment
from tests.support.client import ApiClient, calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer
from tests.support.vault import context
from tests.unit.engine.conversion_examples import EXAMPLES, Example, case, rule

CONVERT = "/api/v1/convert"
PO = [rule("BEG.03", "po")]
TWO_SETS = "14_two_sets_one_group.edi"
DEMO, NORTHWIND = 1, 2


def post(client: ApiClient, key: str, **members: object) -> tuple[int, dict[str, Any]]:
    response = client.post(CONVERT, json={"document": case(), **members}, headers=bearer(key))
    answer: dict[str, Any] = response.json()
    return response.status_code, answer


def answered(client: ApiClient, keys: Keys, **members: object) -> dict[str, Any]:
    status, answer = post(client, keys.sandbox, **members)
    assert status == 200, answer
    return answer


def stored_count(services: HttpServices, account: int = DEMO) -> int:
    scope = Scope(account_id=AccountId(account), environment=Environment.SANDBOX)
    query = VaultQuery(environment=Environment.SANDBOX)
    return asyncio.run(services.vault.list(scope, query, PageParameters(limit=1))).total.count


# ---- who may ------------------------------------------------------------------------------------


def test_an_anonymous_document_is_not_converted(client: ApiClient, services: HttpServices) -> None:
    before = stored_count(services)
    body = {"document": case(), "field_map": PO, "save_to_vault": True}
    response = client.post(CONVERT, json=body)
    assert (response.status_code, response.json()["code"]) == (401, "missing_api_key")
    assert stored_count(services) == before


def a_map(services: HttpServices, account: int, **members: object) -> int:
    """Save a map and return its id."""
    who = context(account, Environment.SANDBOX)
    return asyncio.run(_saved(services.maps, who, definition(**members)))


async def _saved(maps: MapService, who: RequestContext, new: MapDefinition) -> int:
    return (await maps.create(who, new, Authorship(saved_by="cli"))).map.head.id


def definition(**members: object) -> MapDefinition:
    lookups = [{"name": "units", "rows": [{"from": "EA", "to": "each"}]}]
    unit = rule("PO1.03", "unit", lookup={"table_id": "units"})
    known: dict[str, object] = {
        "name": "orders", "description": "", "source_fmt": "x12", "target_fmt": "json",
        "tx_set": "850", "direction": "inbound", "field_map": json.dumps([*PO, unit]),
        "lookups": json.dumps(lookups), "sample": None, "target_sample": "", "tests": (),
    }  # fmt: skip
    return MapDefinition(**(known | members))  # type: ignore[arg-type]  # each as its field


def test_a_neighbours_map_is_not_found_and_nothing_is_stored(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    theirs, before = a_map(services, NORTHWIND), stored_count(services)
    answers = []
    for map_id in (theirs, 999_999, 0, -1, 2**63, 10**30):
        status, answer = post(client, keys.sandbox, map_id=map_id, save_to_vault=True)
        del answer["request_id"]
        answers.append((status, answer))
    assert answers == [answers[0]] * 6
    assert (answers[0][0], answers[0][1]["code"]) == (404, "not_found")
    assert stored_count(services) == before


@pytest.mark.parametrize("key", ["read_only", "submit_only"])
def test_a_key_without_scope_convert_is_refused(client: ApiClient, keys: Keys, key: str) -> None:
    status, answer = post(client, getattr(keys, key), field_map=PO)
    assert (status, answer["code"]) == (403, "insufficient_scope")


# ---- the answer ---------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=[each.row for each in EXAMPLES])
def test_the_examples_of_the_specification(client: ApiClient, keys: Keys, example: Example) -> None:
    members = {"document": example.document, "field_map": example.rules, **example.options}
    status, answer = post(client, keys.sandbox, **members)
    if example.refusal is not None:
        first = answer["details"][0]
        assert status == 400
        assert (answer["code"], first["code"], first["param"]) == example.refusal
        return
    assert (status, answer["output"]) == (200, example.output)
    assert tuple(each["code"] for each in answer["warnings"]) == example.warnings


def test_the_engines_bytes_stand_in_the_envelope(client: ApiClient, keys: Keys) -> None:
    body = {"document": case(), "field_map": PO, "explain": True}
    response = client.post(CONVERT, json=body, headers=bearer(keys.sandbox))
    made = convert_result(case(), RuleText(json.dumps(PO)), is_explained=True).members
    assert response.content == b'{"ok":true,' + made[1:-1] + b',"environment":"sandbox"}'


def test_members_have_their_documented_order(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    members = {"explain": True, "split": True, "save_to_vault": True, "target_format": "x12"}
    rules = [rule("BEG.03", "BEG.03")]
    answer = answered(client, keys, map_id=a_map(services, DEMO), field_map=rules, **members)
    assert list(answer) == [
        "ok", "output", "format", "filename", "preview", "warnings", "rules_without_value",
        "explain", "outputs", "doc_id", "map_version", "environment",
    ]  # fmt: skip


def test_the_key_decides_environment_and_usage(client: ApiClient, keys: Keys) -> None:
    members = {
        "document": '{"po":"1"}', "field_map": [rule("po", "BEG.03")], "source_format": "json",
        "target_format": "x12", "envelope": {"tx_set": "850"},
    }  # fmt: skip
    found = []
    for key in (keys.sandbox, keys.production):
        _, answer = post(client, key, **members)
        found.append((answer["environment"], answer["output"].split("*")[15]))
    assert found == [("sandbox", "T"), ("production", "P")]


def test_unknown_query_parameters_are_refused(client: ApiClient, keys: Keys) -> None:
    body = {"document": case(), "field_map": PO}
    response = client.post(f"{CONVERT}?pretty=1", json=body, headers=bearer(keys.sandbox))
    assert (response.status_code, response.json()["code"]) == (400, "unknown_parameter")


def test_nulls_count_as_absent(client: ApiClient, keys: Keys) -> None:
    names = (
        "map_id", "map_version", "source_format", "target_format", "direction", "save_to_vault",
        "explain", "split", "envelope", "partner_id", "csv",
    )  # fmt: skip
    answer = answered(client, keys, field_map=PO, **dict.fromkeys(names))
    assert answer["output"] == '{"po":"PO-4711"}'


def test_numbers_in_rules_are_exact(client: ApiClient, keys: Keys) -> None:
    document = json.dumps(case())
    rules = '[{"tgt":"a","type":"number","const":0.10000000000000000000000000000000000001}]'
    body = f'{{"document":{document},"field_map":{rules}}}'
    response = client.post(CONVERT, content=body.encode(), headers=bearer(keys.sandbox))
    assert response.json()["output"] == '{"a":0.10000000000000000000000000000000000001}'


# ---- the vault ----------------------------------------------------------------------------------


def test_source_and_output_are_stored_together(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    before = stored_count(services)
    answer = answered(client, keys, field_map=PO, save_to_vault=True, direction="outbound")
    assert stored_count(services) == before + 2
    scope = Scope(account_id=AccountId(DEMO), environment=Environment.SANDBOX)
    output = asyncio.run(services.vault.get(scope, answer["doc_id"]))
    assert output.document.source_doc_id is not None
    source = asyncio.run(services.vault.get(scope, output.document.source_doc_id))
    assert (output.content, source.content) == (answer["output"], case())
    told = [
        (each.fmt, each.direction, each.transaction_set, each.map_id)
        for each in (output.document, source.document)
    ]
    assert told == [("json", "outbound", "850", None), ("x12", "outbound", "850", None)]
    assert output.document.filename == answer["filename"]
    assert source.document.filename.startswith("850-")


def test_each_part_of_a_split_document_is_stored(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    before = stored_count(services)
    members = {"document": case(TWO_SETS), "field_map": PO, "split": True, "explain": True}
    answer = answered(client, keys, **members, save_to_vault=True)
    assert stored_count(services) == before + 3
    assert answer["doc_id"] == answer["outputs"][0]["doc_id"]
    scope = Scope(account_id=AccountId(DEMO), environment=Environment.SANDBOX)
    for each in answer["outputs"]:
        kept = asyncio.run(services.vault.get(scope, each["doc_id"]))
        assert kept.content == each["output"]
        assert json.loads(kept.explain or "") == each["explain"]


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"field_map": [rule("BEG.09", "x", required=True)]}, "conversion_failed"),
        ({"field_map": [rule("BEG", "x")]}, "invalid_mapping_rule"),
        ({"field_map": PO, "document": "Dear partner"}, "document_unparseable"),
        ({"field_map": PO, "partner_id": 999}, "not_found"),
        ({"field_map": PO, "map_version": 1}, "invalid_parameter"),
        ({}, "map_or_field_map_required"),
    ],
)
def test_a_refused_conversion_stores_nothing(
    client: ApiClient,
    keys: Keys,
    services: HttpServices,
    members: dict[str, object],
    code: str,
) -> None:
    before = stored_count(services)
    _, answer = post(client, keys.sandbox, save_to_vault=True, **members)
    assert (answer["ok"], answer["code"]) == (False, code)
    assert stored_count(services) == before


# ---- saved maps ---------------------------------------------------------------------------------


def test_a_saved_map_gives_rules_formats_and_lookups(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    map_id = a_map(services, DEMO)
    answer = answered(client, keys, map_id=map_id, save_to_vault=True)
    assert answer["output"] == '{"po":"PO-4711","unit":"each"}'
    assert answer["map_version"] == 1
    scope = Scope(account_id=AccountId(DEMO), environment=Environment.SANDBOX)
    kept = asyncio.run(services.vault.get(scope, answer["doc_id"])).document
    assert (kept.map_id, kept.map_version) == (map_id, 1)


def test_rules_of_the_request_run_with_the_formats_and_lookups_of_the_map(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    map_id = a_map(services, DEMO, target_fmt="csv", field_map="[]")
    unit = rule("PO1.03", "unit", lookup={"table_id": "units"})
    assert answered(client, keys, map_id=map_id, field_map=[unit])["output"] == "unit\r\neach\r\n"
    answer = answered(client, keys, map_id=map_id, field_map=[unit], target_format="json")
    assert answer["output"] == '{"unit":"each"}'


def test_a_version_may_be_pinned_and_an_unknown_one_is_not_found(
    client: ApiClient, keys: Keys, services: HttpServices
) -> None:
    map_id = a_map(services, DEMO)
    who = context(DEMO, Environment.SANDBOX)
    second = definition(field_map=json.dumps([rule("BEG.02", "kind")]))
    asyncio.run(services.maps.save(who, map_id, 1, second, Authorship(saved_by="cli")))
    newest = answered(client, keys, map_id=map_id)
    assert (newest["output"], newest["map_version"]) == ('{"kind":"SA"}', 2)
    assert answered(client, keys, map_id=map_id, map_version=1)["map_version"] == 1
    for version in (0, -1, 3, 2**63):
        status, answer = post(client, keys.sandbox, map_id=map_id, map_version=version)
        assert (status, answer["code"]) == (404, "not_found")


def test_what_is_said_for_another_format_has_no_effect(client: ApiClient, keys: Keys) -> None:
    said = {"envelope": {"sender_id": "OTHER"}, "csv": {"header": False}}
    assert answered(client, keys, field_map=PO, **said) == answered(client, keys, field_map=PO)


def test_formulas_are_answered_with_the_rows_that_they_cannot_compute(
    client: ApiClient, keys: Keys
) -> None:
    rules = [
        {"tgt": "day", "formula": 'len(today() & "")'},
        {"tgt": "l[*]", "formula": "{PO1[*].02} * {PO1[*].09}"},
    ]
    answer = answered(client, keys, field_map=rules)
    assert answer["output"] == '{"day":"10"}'
    (warning,) = answer["warnings"]
    assert (warning["code"], warning["param"]) == ("formula_type", "field_map[1]")
    assert (warning["row"], warning["count"]) == ([1], 2)
    status, answer = post(client, keys.sandbox, field_map=[{"tgt": "v", "formula": "uppr(BEG.03)"}])
    assert (status, answer["code"]) == (400, "invalid_formula")
    assert answer["details"][0]["position"] == 1


# ---- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "code", "param"),
    [
        ({}, "map_or_field_map_required", "map_id"),
        ({"field_map": {}}, "invalid_parameter", "field_map"),
        ({"field_map": "x"}, "invalid_parameter", "field_map"),
        ({"field_map": [5]}, "invalid_mapping_rule", "field_map[0]"),
        (
            {"field_map": [{"tgt": "x", "formula": "1 +"}]},
            "invalid_formula",
            "field_map[0].formula",
        ),
        ({"field_map": PO, "map_id": "7"}, "invalid_parameter", "map_id"),
        ({"field_map": PO, "map_version": 1}, "invalid_parameter", "map_version"),
        ({"field_map": PO, "source_format": "edifact"}, "unsupported_format", "source_format"),
        ({"field_map": PO, "target_format": "pdf"}, "unsupported_format", "target_format"),
        ({"field_map": PO, "direction": "up"}, "invalid_parameter", "direction"),
        ({"field_map": PO, "explain": "yes"}, "invalid_parameter", "explain"),
        ({"field_map": PO, "feild_map": PO}, "unknown_parameter", "feild_map"),
        ({"field_map": PO, "envelope": {"version": 4}}, "invalid_parameter", "envelope.version"),
        ({"field_map": PO, "envelope": {"isa": "x"}}, "unknown_parameter", "envelope.isa"),
        (
            {"field_map": PO, "envelope": {"separators": {"x": "|"}}},
            "unknown_parameter",
            "envelope.separators.x",
        ),
        ({"field_map": PO, "csv": {"heading": True}}, "unknown_parameter", "csv.heading"),
        ({"field_map": PO, "document": ""}, "document_empty", "document"),
    ],
)
def test_what_is_wrong_with_a_request_has_its_code_and_place(
    client: ApiClient, keys: Keys, members: dict[str, object], code: str, param: str
) -> None:
    status, answer = post(client, keys.sandbox, **members)
    assert (status, answer["code"]) == (400, code)
    assert answer["details"][0]["param"] == param


def test_a_member_twice_in_a_rule_and_bad_octets_are_no_json(client: ApiClient, keys: Keys) -> None:
    for rules in (b'[{"src":"BEG.03","tgt":"a","tgt":"b"}]', b'[{"src":"\xff","tgt":"a"}]'):
        body = b'{"document":"ST*850*0001~","field_map":%s}' % rules
        response = client.post(CONVERT, content=body, headers=bearer(keys.sandbox))
        assert (response.status_code, response.json()["code"]) == (400, "invalid_json")


def test_no_refusal_shows_a_value_of_the_document(client: ApiClient, keys: Keys) -> None:
    rules = [
        rule("BEG.03", "x", type="number"),
        rule("BEG.03", "x", lookup={"table": {"a": "b"}, "on_miss": "error"}),
    ]
    for each in rules:
        _, answer = post(client, keys.sandbox, field_map=[each])
        assert answer["code"] == "conversion_failed"
        assert "PO-4711" not in json.dumps(answer)


@pytest.fixture
def slow_rules() -> list[dict[str, object]]:
    then = [{"op": "pad", "len": 50_000}, {"op": "replace", "find": " ", "with": "x"}] * 50
    return [rule("PO1[*].02", f"a[*].t{number}", then=then) for number in range(3)]


@pytest.fixture
def large(world: World) -> Iterator[ApiClient]:
    services = world.services(RecordedEngine(), max_body_bytes=4_000_000)
    with calling(create_app(services)) as client:
        yield client


def test_what_is_not_done_in_milliseconds_is_done_elsewhere(
    client: ApiClient, keys: Keys, slow_rules: list[dict[str, object]]
) -> None:
    answer = answered(client, keys, field_map=slow_rules[:1])
    assert [len(each["t0"]) for each in json.loads(answer["output"])["a"]] == [50_000] * 3


def test_a_long_document_is_converted_as_a_short_one_is(large: ApiClient, keys: Keys) -> None:
    lines = "".join(f"PO1*{number}*7~" for number in range(40_000))
    document = f"ST*850*0001~{lines}SE*40002*0001~"
    answer = answered(large, keys, document=document, field_map=[rule("PO1[-1].01", "last")])
    assert answer["output"] == '{"last":"39999"}'
