"""Documents that are the body itself: the same answers as JSON, and what is refused."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

import httpx2
import pytest

from longshore.compute.documents import parse_result
from longshore.engine import parse
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.http_service import Keys, RecordedEngine, World, bearer

PARSE, VALIDATE = "/api/v1/parse", "/api/v1/validate"
SAMPLES = Path(__file__).parents[2] / "samples"
ORDER = (SAMPLES / "850_purchase_order" / "input.edi").read_bytes()
CLAIM = (SAMPLES / "837p_claim" / "input.edi").read_bytes()
TABLE = "sku;qty\nCaf\xe9;3\n".encode("latin-1")
EDI = "application/edi-x12"


@pytest.fixture(scope="module")
def real(world: World) -> Iterator[ApiClient]:
    services = world.services(RecordedEngine(), parse_result=parse_result)
    with calling(create_app(services)) as client:
        yield client


@dataclass(frozen=True)
class Sender:
    """Sends documents with a key of the sandbox, as the body or in JSON."""

    client: ApiClient
    key: str

    def __call__(
        self, path: str, content: bytes, content_type: str = EDI, **query: str
    ) -> httpx2.Response:
        address = f"{path}?{urlencode(query)}" if query else path
        headers = {**bearer(self.key), "Content-Type": content_type}
        return self.client.post(address, content=content, headers=headers)

    def as_json(self, path: str, **members: object) -> bytes:
        return self.client.post(path, json=members, headers=bearer(self.key)).content


@pytest.fixture
def send(real: ApiClient, keys: Keys) -> Sender:
    return Sender(real, keys.sandbox)


def faults(response: httpx2.Response) -> list[tuple[str, str, str]]:
    assert response.status_code == 400, response.text
    return [(each["code"], each["param"], each["message"]) for each in response.json()["details"]]


def test_an_anonymous_raw_document_is_not_read(real: ApiClient) -> None:
    response = real.post(PARSE, content=ORDER, headers={"Content-Type": EDI})
    assert (response.status_code, response.json()["code"]) == (401, "missing_api_key")


@pytest.mark.parametrize(
    "content_type", [EDI, "Application/EDI-X12; charset=utf-8", "application/octet-stream"]
)
def test_a_raw_order_gets_the_bytes_of_the_json_form(send: Sender, content_type: str) -> None:
    for path in (PARSE, VALIDATE):
        raw = send(path, ORDER, content_type)
        assert (raw.status_code, raw.content) == (200, send.as_json(path, document=ORDER.decode()))


def test_every_option_of_the_query_does_what_its_member_does(send: Sender) -> None:
    bare = b"ST*850*0001\nBEG*00*SA*PO-1**20260115\nSE*3*0001\n"
    given = {"elem_sep": "*", "seg_term": "\\n", "release": "005010"}
    assert send(PARSE, bare, **given, include="segments,tree").content == send.as_json(
        PARSE, document=bare.decode(), **given, include=["segments", "tree"]
    )
    assert send(VALIDATE, bare, **given, format="x12").content == send.as_json(
        VALIDATE, document=bare.decode(), **given, format="x12"
    )
    for path in (PARSE, VALIDATE):
        assert send(path, CLAIM, guide="005010X222A1").content == send.as_json(
            path, document=CLAIM.decode(), guide="005010X222A1"
        )
    table = "sku,qty\nA,3\n"
    for header in (True, False):
        raw = send(PARSE, table.encode(), format="csv", csv_header=str(header).lower())
        assert raw.content == send.as_json(
            PARSE, document=table, format="csv", csv={"header": header}
        )


def test_raw_bytes_are_decoded_as_the_library_decodes_them(send: Sender) -> None:
    for content, charset in (
        (TABLE, "iso-8859-1"),
        (TABLE.decode("latin-1").encode("utf-16"), "utf-16"),
        (b"\xef\xbb\xbf" + TABLE.decode("latin-1").encode(), "utf-8"),
    ):
        response = send(PARSE, content, format="csv")
        result = parse(content, format="csv").result_json()
        assert response.content == b'{"ok":true,' + result[1:-1] + b',"environment":"sandbox"}'
        assert (response.json()["charset"], response.json()["fields"]["sku"]) == (
            charset,
            "Caf\xe9",
        )


def test_wrong_options_are_refused_with_the_nearest_name(send: Sender) -> None:
    assert faults(
        send(PARSE, ORDER, formats="csv", release="4010", csv_header="yes", guide="")
    ) == [
        (
            "unknown_parameter",
            "formats",
            'Query parameter "formats" is not known here; did you mean "format"?',
        ),
        (
            "invalid_parameter",
            "release",
            'Parameter "release" must be a release of six digits such as 004010.',
        ),
        ("invalid_parameter", "csv_header", 'Parameter "csv_header" must be true or false.'),
        (
            "invalid_parameter",
            "guide",
            'Query parameter "guide" is empty; give it a value or leave it out.',
        ),
    ]
    ((code, param, _),) = faults(send(PARSE, ORDER, format="edifact"))
    assert (code, param) == ("unsupported_format", "format")
    ((code, param, _),) = faults(send(VALIDATE, ORDER, include="tree"))
    assert (code, param) == ("unknown_parameter", "include")


def test_options_in_the_query_of_a_json_body_are_refused(real: ApiClient, keys: Keys) -> None:
    body = {"document": ORDER.decode()}
    response = real.post(f"{PARSE}?format=x12", json=body, headers=bearer(keys.sandbox))
    text = (
        'Query parameter "format" is not known here; with a JSON body it is a member of the body.'
    )
    assert faults(response) == [("unknown_parameter", "format", text)]


def test_other_types_and_compressed_bodies_are_refused(
    send: Sender, real: ApiClient, keys: Keys
) -> None:
    text = (
        "This Content-Type is not supported. Send the header 'Content-Type: application/json' and "
        "JSON in UTF-8, or 'Content-Type: application/edi-x12' and the document itself."
    )
    for content_type in ("application/x-www-form-urlencoded", "text/plain", "text/csv", ""):
        refused = send(PARSE, ORDER, content_type)
        assert faults(refused) == [("unsupported_content_type", "Content-Type", text)]
    headers = {**bearer(keys.sandbox), "Content-Type": EDI, "Content-Encoding": "gzip"}
    compressed = real.post(PARSE, content=ORDER, headers=headers)
    assert faults(compressed)[0][:2] == ("unsupported_content_type", "Content-Encoding")


def test_an_empty_raw_document_is_refused(send: Sender) -> None:
    for path in (PARSE, VALIDATE):
        response = send(path, b"")
        assert (response.status_code, response.json()["code"]) == (400, "document_empty")


def test_a_raw_document_over_the_limit_is_refused_with_413(world: World, keys: Keys) -> None:
    engine = RecordedEngine()
    services = replace(world.services(engine, parse_result=parse_result), max_body_bytes=1_000)
    with calling(create_app(services)) as client:
        headers = {**bearer(keys.sandbox), "Content-Type": EDI}
        refused = client.post(PARSE, content=b"x" * 1_001, headers=headers)
    detail = refused.json()["details"][0]
    assert (refused.status_code, detail["code"], detail["limit_bytes"]) == (
        413,
        "document_too_large",
        1_000,
    )
