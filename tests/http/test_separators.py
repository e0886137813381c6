"""Validate over HTTP counts the consequences of a wrong separator in one finding."""

from collections.abc import Iterator

import msgspec
import pytest

from longshore.http.api_v1.findings import FindingItem
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.users import session_headers
from tests.unit.x12.validate.test_separators import COMPONENT, MIXED


@pytest.fixture
def client(own_world: World) -> Iterator[ApiClient]:
    with calling(create_app(own_world.services(RecordedEngine()))) as client:
        yield client


def test_the_finding_is_the_same_by_key_and_by_page(client: ApiClient, own_world: World) -> None:
    session = session_headers(own_world.sessions.viewer)
    for path, headers in (
        ("/api/v1/validate", bearer(own_world.keys.sandbox)),
        ("/api/validate", session),
        ("/api/inspect", session),
    ):
        answer = client.post(path, json={"document": MIXED}, headers=headers).json()
        [finding] = answer["findings"]
        assert msgspec.to_builtins(msgspec.convert(finding, FindingItem)) == finding
        assert (finding["code"], finding["path"], finding["folded"]) == (
            "component_separator_mismatch",
            "ISA.16",
            11,
        )
        assert finding["message"].startswith(f"{COMPONENT}; 11 consequences: ")
        assert (answer["valid"], answer["outcome"], answer["finding_count"]) == (
            False,
            "invalid",
            1,
        )
        assert "IK5*R" in answer["ack"]
