"""A document of another format where X12 is expected is refused, and nothing is stored."""

import asyncio
from collections.abc import Iterator

import pytest

from longshore.compute.documents import parse_result
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.other_formats import DOCUMENTS, message, x12_only_message
from tests.support.services import a_ready_partner
from tests.support.users import session_headers
from tests.unit.engine.conversion_examples import rule

SUBMIT_STEP = "send it as document, with the map_id of a map that converts it to X12"
FIELD_MAP = [rule("BEG.03", "po")]


@pytest.fixture
def client(own_world: World) -> Iterator[ApiClient]:
    asyncio.run(a_ready_partner(own_world.database, 1))
    services = own_world.services(RecordedEngine(), parse_result=parse_result)
    with calling(create_app(services)) as client:
        yield client


def test_every_endpoint_names_the_format_and_the_next_step(
    client: ApiClient, own_world: World
) -> None:
    key, session = bearer(own_world.keys.sandbox), session_headers(own_world.sessions.viewer)
    submitted: dict[str, object] = {"partner_id": 1, "tx_set": "850", "direction": "outbound"}
    for found, text in DOCUMENTS.items():
        document: dict[str, object] = {"document": text}
        by_format = message(found, "use format {}")
        calls: list[tuple[str, dict[str, object], dict[str, str], str]] = [
            ("/api/v1/parse", document, key, by_format),
            ("/api/v1/validate", document, key, x12_only_message(found)),
            ("/api/validate", document, session, x12_only_message(found)),
            (
                "/api/v1/convert",
                {**document, "field_map": FIELD_MAP, "save_to_vault": True},
                key,
                message(found, "use source_format {}"),
            ),
            (
                "/api/v1/transactions/submit",
                {**submitted, "content": text},
                key,
                message(found, SUBMIT_STEP),
            ),
            (
                "/api/v1/transactions/submit",
                {**submitted, "content": text, "direction": "inbound"},
                key,
                x12_only_message(found),
            ),
            ("/api/inspect", {**document, "format": "x12"}, session, by_format),
        ]
        if found not in {"json", "xml", "csv"}:
            calls.append(("/api/inspect", document, session, by_format))
        for path, body, headers, error in calls:
            answer = client.post(path, json=body, headers=headers)
            said = answer.json()
            assert (answer.status_code, said["code"]) == (400, "document_not_x12"), path
            assert said["error"] == error
            [detail] = said["details"]
            assert (detail["code"], detail["found"]) == ("document_not_x12", found)
            assert detail["param"] == ("content" if "content" in body else "document")
    assert client.get("/api/v1/transactions", headers=key).json()["total"] == 0
    assert client.get("/api/vault", headers=session).json()["total"] == 0
