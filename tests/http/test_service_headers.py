"""A service with an https address sends Strict-Transport-Security with its answers."""

from dataclasses import replace

import pytest

from longshore.http.app import create_app
from longshore.http.origin import OwnAddress
from tests.support.client import calling
from tests.support.http_service import RecordedEngine, World

HSTS = "strict-transport-security"


@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        ("https://edi.example.com", "max-age=31536000"),
        ("http://edi.example.com", None),
        (None, None),
        ("https://localhost:8443", None),
        ("https://127.0.0.1", None),
    ],
)
def test_browsers_are_held_to_https(world: World, base_url: str | None, expected: str) -> None:
    services = replace(world.services(RecordedEngine()), own_address=OwnAddress(base_url))
    with calling(create_app(services)) as client:
        answers = [client.get(path) for path in ("/healthz", "/login", "/api/session", "/nothing")]
    assert [answer.status_code for answer in answers] == [200, 200, 401, 404]
    assert [answer.headers.get(HSTS) for answer in answers] == [expected] * 4
