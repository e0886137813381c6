"""The OpenAPI document: valid, complete, committed, and the same wherever it is asked for."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from longshore.http.errors import STATUS_BY_CODE, refusal_answer
from longshore.http.openapi import MEANING_BY_CODE, openapi_document, openapi_json
from longshore.http.routes import OPERATIONS
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.list_rules import LIST_MEMBERS
from longshore.mapping.rule import RULE_MEMBERS
from tests.support.client import ApiClient

ROOT = Path(__file__).parents[2]
DOCUMENT = json.loads(openapi_json())
MAX_DOCUMENT_BYTES = 1_000_000
MIN_ANSWERS = 50
NOT_TIMES = {
    ("ListedMapItem", "updated_at"),  # for people, such as Jan 15, 2026
    ("MapDetail", "updated_at"),
    ("KeyRequest", "expires_at"),  # a date will do
    *(("PartnerBody", f"{each}_at") for each in ("created", "updated", "last_activity")),
}


FREE = "/ParseAnswer/properties/segments"  # rows of text and nested text


def nodes(value: object, at: str = "#") -> Iterator[tuple[str, Any]]:
    yield at, value
    children = value.items() if isinstance(value, dict) else ()
    for name, child in enumerate(value) if isinstance(value, list) else children:
        yield from nodes(child, f"{at}/{name}")


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_code_has_a_permitted_status_and_a_meaning() -> None:
    assert set(STATUS_BY_CODE) == set(MEANING_BY_CODE) == set(ErrorCode)
    permitted = {400, 401, 403, 404, 405, 408, 409, 413, 422, 429, 431, 500, 503, 507}
    assert set(STATUS_BY_CODE.values()) <= permitted


def test_the_committed_document_is_current() -> None:
    assert (ROOT / "openapi.json").read_bytes() == openapi_json(), "run `make openapi`"
    done = subprocess.run(
        [sys.executable, ROOT / "tools/gen_openapi.py", "--check"], check=False, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_served_document_is_the_committed_one(client: ApiClient) -> None:
    response = client.get("/openapi.json")
    assert response.content == openapi_json()
    assert response.headers["content-type"] == "application/json"


def test_the_frame_is_openapi_3_1() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    assert set(DOCUMENT) - {"x-errors"} == {
        "openapi", "info", "servers", "tags", "paths", "components",
    }  # fmt: skip
    assert {"title", "version"} <= set(DOCUMENT["info"])
    tags = [tag["name"] for tag in DOCUMENT["tags"]]
    assert tags == list(dict.fromkeys(operation.tag for operation in OPERATIONS))
    assert DOCUMENT["components"]["securitySchemes"]["session"]["in"] == "cookie"


def test_the_document_is_valid_openapi_and_small() -> None:
    OpenAPIV31SpecValidator(DOCUMENT).validate()
    assert len(openapi_json()) < MAX_DOCUMENT_BYTES


def schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every node that holds a JSON Schema, but for the examples beside them."""
    for at, node in nodes(DOCUMENT):
        if isinstance(node, dict) and not {"example", "examples"} & set(at.split("/")):
            yield at, node


def test_schemas_have_the_notation_that_generators_read() -> None:
    for at, node in schemas():
        assert "const" not in node or at.endswith("/properties"), at
        assert not (isinstance(node.get("enum"), list) and "type" not in node), at
        assert node.get("type") != "array" or node.get("items") or at.endswith(FREE), at
        assert "default" not in node or node["default"] is not None, at
    shapes = DOCUMENT["components"]["schemas"]
    with_ok = [each for each in shapes.values() if "ok" in each.get("properties", {})]
    assert len(with_ok) > MIN_ANSWERS
    for each in with_ok:
        assert each["properties"]["ok"]["type"] == "boolean"
        assert not {"enum", "default"} & set(each["properties"]["ok"])
        assert "ok" in each["required"]


def test_rules_are_declared_with_all_their_members() -> None:
    shapes = DOCUMENT["components"]["schemas"]
    assert set(shapes["MappingRule"]["properties"]) == {*RULE_MEMBERS, *LIST_MEMBERS}
    for name in ("ConvertRequest", "NewMapBody", "PreviewBody", "SuggestBody", "ReplayBody"):
        declared = shapes[name]["properties"]["field_map"]
        rules = declared.get("anyOf", [declared])[0]
        assert rules["items"] == {"$ref": "#/components/schemas/MappingRule"}, name


def test_times_are_date_times_and_say_their_zone() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        for member, described in schema.get("properties", {}).items():
            if not member.endswith(("_at", "_at_iso")) or (name, member) in NOT_TIMES:
                continue
            choices = described.get("anyOf", [described])
            time = next(each for each in choices if each.get("format") == "date-time")
            assert "UTC, written without a zone" in time["description"], (name, member)
            assert choices in ([time], [time, {"type": "null"}]), (name, member)
    shown = DOCUMENT["components"]["schemas"]["SessionAnswer"]["properties"]["expires_at"]
    assert shown == {
        "description": "The end at the latest; after 30 minutes unused it is over. "
        "UTC, written without a zone.",
        "type": "string",
        "format": "date-time",
    }


def test_members_that_answers_always_have_are_required() -> None:
    shapes = DOCUMENT["components"]["schemas"]
    assert shapes["KeysAnswer"]["required"] == ["ok", "count", "keys"]
    assert shapes["AcksAnswer"]["properties"]["next_cursor"]["type"] == "null"
    assert "next_cursor" in shapes["AcksAnswer"]["required"]
    assert shapes["ErrorAnswer"]["required"] == ["ok", "error", "code", "request_id"]
    # A shape that is sent as well as answered keeps what may be left out.
    assert shapes["ConnectionsBody"]["required"] == []


def test_every_reference_leads_somewhere() -> None:
    known = {at for at, _ in nodes(DOCUMENT)}
    references = {
        node["$ref"] for _, node in nodes(DOCUMENT) if isinstance(node, dict) and "$ref" in node
    }
    assert references - known == set()
    schemas = {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}
    assert schemas - references == set()


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_every_schema_is_json_schema_2020_12(name: str) -> None:
    schema = DOCUMENT["components"]["schemas"][name]
    Draft202012Validator.check_schema(schema)
    assert schema["description"]


def followed(node: dict[str, Any]) -> dict[str, Any]:
    """Return what a node refers to, or the node itself."""
    found = DOCUMENT
    for name in node.get("$ref", "#").split("/")[1:]:
        found = found[name]
    return found if "$ref" in node else node


def security_of(method: str, path: str) -> list[dict[str, list[str]]]:
    if path.startswith("/api/v1"):
        return [{"apiKey": []}]
    is_open = path == "/api/setup" or (method, path) == ("post", "/api/session")
    return [{"session": []}] if path.startswith("/api/") and not is_open else []


def test_every_operation_says_what_it_needs_and_answers() -> None:
    described = [(method.upper(), path) for method, path, _ in operations()]
    assert described == [(operation.method, operation.path) for operation in OPERATIONS]
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(ids)) == len(ids)
    for method, path, operation in operations():
        assert operation["security"] == security_of(method, path)
        assert {"summary", "description", "tags", "x-scope", "x-limit-class"} <= set(operation)
        assert {"200", "400", "408", "431", "500", "503"} <= set(operation["responses"])
        for status, response in operation["responses"].items():
            assert status == "200" or response == {"$ref": f"#/components/responses/Error{status}"}
            answer = followed(response)
            assert answer["description"]
            assert followed(answer["headers"]["X-Request-Id"])["description"]


def test_every_error_of_an_operation_is_listed_with_its_meaning() -> None:
    for operation in OPERATIONS:
        described = DOCUMENT["paths"][operation.path][operation.method.lower()]
        assert set(described["x-codes"]) == {code.value for code in operation.documented_errors()}
        statuses = {str(STATUS_BY_CODE[ErrorCode(code)]) for code in described["x-codes"]}
        assert set(described["responses"]) == {"200", *statuses}
        for code in described["x-codes"]:
            answer = followed(described["responses"][str(STATUS_BY_CODE[ErrorCode(code)])])
            assert f"- `{code}`: {MEANING_BY_CODE[ErrorCode(code)]}" in answer["description"]
    parse = DOCUMENT["paths"]["/api/v1/parse"]["post"]["responses"]
    assert sorted(parse) == ["200", "400", "401", "403", "408", "413", "429", "431", "500", "503"]


def test_examples_have_the_shape_they_show() -> None:
    for at, node in nodes(DOCUMENT["paths"]):
        if isinstance(node, dict) and "example" in node:
            schema = {**node["schema"], "components": DOCUMENT["components"]}
            assert list(Draft202012Validator(schema).iter_errors(node["example"])) == [], at


def test_the_request_of_parse_is_exactly_that_of_the_specification() -> None:
    schema = DOCUMENT["components"]["schemas"]["ParseRequest"]
    assert (schema["required"], schema["additionalProperties"]) == (["document"], False)
    assert list(schema["properties"]) == [
        "document", "format", "elem_sep", "seg_term", "include", "csv", "release", "guide", "codes",
    ]  # fmt: skip


def test_the_request_of_validate_has_two_members_more_than_parse() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    validate, parse = schemas["ValidateRequest"], schemas["ParseRequest"]
    assert (validate["required"], validate["additionalProperties"]) == (["document"], False)
    assert list(validate["properties"]) == [
        *parse["properties"],
        "unknown_sets",
        "ack_type",
    ]


def test_parameters_say_where_they_stand_and_what_they_are() -> None:
    parameters = DOCUMENT["paths"]["/api/v1/schemas/{tx_set}"]["get"]["parameters"]
    assert [(each["name"], each["in"], each["required"]) for each in parameters] == [
        ("tx_set", "path", True),
        ("release", "query", False),
        ("guide", "query", False),
    ]
    assert all(each["description"] for each in parameters)
    assert parameters[1]["schema"]["pattern"] == "^[0-9]{6}$"


def test_units_and_bases_are_stated() -> None:
    finding = DOCUMENT["components"]["schemas"]["FindingItem"]["properties"]
    assert finding["offset"]["description"] == "0-based character of the decoded document."
    assert finding["element_position"]["description"] == "1-based."
    item = DOCUMENT["components"]["schemas"]["ErrorItem"]["properties"]
    assert item["limit_bytes"]["description"] == "Size limit in bytes."


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_refusal_has_the_documented_shape(code: ErrorCode) -> None:
    detail = ErrorDetail(code=code, message="m", param="p", allowed=("a",), max=1, offset=0, line=1)
    refusal = LongshoreError(code, "x" * 3_000, details=(detail,) * 200, retry_after_seconds=7)
    for base_url, shape in ((None, "ErrorAnswer"), ("https://e.test", "ProblemAnswer")):
        answer = refusal_answer(refusal, "r-1", problem_base_url=base_url)
        body = json.loads(answer.body)
        schema = {
            "$ref": f"#/components/schemas/{shape}",
            "components": openapi_document()["components"],
        }
        assert list(Draft202012Validator(schema).iter_errors(body)) == []
        assert (answer.status, body["ok"], body["code"]) == (STATUS_BY_CODE[code], False, code)
        assert (len(body["error"]), len(body["details"])) == (2_000, 100)
        assert (b"retry-after", b"7") in answer.headers


def test_the_documentation_shows_every_operation_and_every_code(client: ApiClient) -> None:
    response = client.get("/docs")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    for method, path, operation in operations():
        assert f'id="{operation["operationId"]}"' in response.text
        assert f"<code>{path}</code>" in response.text
        assert f"curl -s https://edi.example.com{path}" in response.text, method
    assert set(re.findall(r"Bearer (\$\w+)", response.text)) == {"$LONGSHORE_KEY"}
    for code in ErrorCode:
        assert f'<tr id="{code}">' in response.text


def test_every_link_of_the_documentation_leads_somewhere(client: ApiClient) -> None:
    text = client.get("/docs").text
    ids = re.findall(r'id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    links = set(re.findall(r'href="([^"]+)"', text))
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    for link in sorted(link for link in links if not link.startswith("#")):
        assert client.get(link).status_code == 200, link


def test_the_documentation_needs_nothing_from_elsewhere_and_runs_no_script(
    client: ApiClient,
) -> None:
    response = client.get("/docs")
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'self';")
    assert "unsafe" not in policy
    assert re.findall(r"<script|<style|\sstyle=|\son\w+=|src=", response.text) == []
    style = client.get("/docs.css")
    assert style.headers["content-type"] == "text/css; charset=utf-8"
    assert re.findall(r"url\(|@import", style.text) == []
