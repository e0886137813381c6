"""POST /api/v1/parse with the real engine: the samples, and anything at all."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longshore.compute.documents import parse_result
from longshore.engine import parse
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer

PARSE = "/api/v1/parse"
SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*/input.*"))
FORMATS = {".edi": "x12", ".json": "json", ".xml": "xml", ".csv": "csv"}
PIECES = st.sampled_from([
    "ISA*00*          *00*          *ZZ*A              *ZZ*B              ",
    "*260115*1405*U*00401*000000001*0*T*>~", "GS*PO*A*B*20260115*1405*1*X*004010~", "ST*850*0001~",
    "SE*2*0001~", "GE*1*1~", "IEA*1*000000001~", "BIN*5*~~~~~~", "\x00", "\x1a", "\ufeff", "\n",
    '{"a":', "[", "1e999", "<a>", "<!DOCTYPE a>", "&x;", "</a>", '"', ",", "\U0001f600",
])  # fmt: skip


@pytest.fixture(scope="module")
def real(world: World) -> Iterator[ApiClient]:
    services = world.services(RecordedEngine(), log=BytesIO(), parse_result=parse_result)
    with calling(create_app(services)) as client:
        yield client


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.parent.name)
def test_a_sample_has_the_fields_it_is_kept_with(real: ApiClient, keys: Keys, sample: Path) -> None:
    document, format_name = sample.read_bytes().decode(), FORMATS[sample.suffix]
    views = ["segments", "tree"] if format_name == "x12" else ["tree"]
    body = {"document": document, "format": format_name, "include": views}
    response = real.post(PARSE, json=body, headers=bearer(keys.sandbox))
    expected = json.loads((sample.parent / "fields.json").read_bytes())
    assert list(response.json()["fields"].items()) == list(expected.items())
    result = parse(document, format=format_name, include=views).result_json()
    assert response.content == b'{"ok":true,' + result[1:-1] + b',"environment":"sandbox"}'


@pytest.mark.parametrize(
    ("_case", "format_name", "document", "code", "detail"),
    [
        ("prose", "x12", "Dear customer, thank you.", "document_unparseable", "not_x12"),
        (
            "a document type",
            "xml",
            '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
            "document_unparseable",
            "xml_doctype",
        ),
        ("deep JSON", "json", "[" * 45_000, "limit_exceeded", "limit_exceeded"),
        ("deep XML", "xml", "<a>" * 30_000, "limit_exceeded", "limit_exceeded"),
        ("a number alone", "json", "1" * 90_000, "document_unparseable", "json_scalar"),
        ("NaN", "json", "[NaN]", "document_unparseable", "json_number"),
        ("a lone surrogate", "json", '["\\ud800"]', "document_unparseable", "json_surrogate"),
    ],
)
def test_a_hostile_document_is_refused(
    real: ApiClient, keys: Keys, _case: str, format_name: str, document: str, code: str, detail: str
) -> None:
    body = {"document": document, "format": format_name}
    response = real.post(PARSE, json=body, headers=bearer(keys.sandbox))
    assert (response.status_code, response.json()["code"]) == (400, code)
    assert response.json()["details"][0]["code"] == detail


@pytest.mark.parametrize("format_name", ["x12", "json", "xml", "csv"])
def test_no_document_is_refused_as_empty(real: ApiClient, keys: Keys, format_name: str) -> None:
    body = {"document": "", "format": format_name}
    response = real.post(PARSE, json=body, headers=bearer(keys.sandbox))
    assert (response.status_code, response.json()["code"]) == (400, "document_empty")


def test_a_number_of_any_length_keeps_its_digits(real: ApiClient, keys: Keys) -> None:
    body = {"document": '{"n":' + "1" * 90_000 + "}", "format": "json"}
    response = real.post(PARSE, json=body, headers=bearer(keys.sandbox))
    assert response.json()["fields"] == {"n": "1" * 90_000}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    document=st.lists(PIECES | st.text(max_size=9), max_size=20).map("".join),
    format_name=st.sampled_from(["x12", "json", "xml", "csv"]),
    overrides=st.dictionaries(
        st.sampled_from(["elem_sep", "seg_term"]), st.text(max_size=2), max_size=2
    ),
)
def test_any_document_is_read_or_refused_in_the_envelope(
    real: ApiClient, keys: Keys, document: str, format_name: str, overrides: dict[str, str]
) -> None:
    body = {"document": document, "format": format_name, **overrides}
    response = real.post(PARSE, json=body, headers=bearer(keys.sandbox))
    assert response.status_code in {200, 400}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode()))
def test_any_bytes_are_refused_or_read_in_the_envelope(
    real: ApiClient, keys: Keys, body: bytes
) -> None:
    response = real.post(PARSE, content=body, headers=bearer(keys.sandbox))
    assert response.status_code == 400
