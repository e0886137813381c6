"""The application in process, on a real database."""

from collections.abc import Iterator
from io import BytesIO

import pytest

from longshore.http.app import create_app
from longshore.http.services import HttpServices
from tests.support.client import ApiClient, calling
from tests.support.http_service import Keys, RecordedEngine, World, open_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("http")) as world:
        yield world


@pytest.fixture
def keys(world: World) -> Keys:
    return world.keys


@pytest.fixture
def engine() -> RecordedEngine:
    return RecordedEngine()


@pytest.fixture
def log() -> BytesIO:
    """Where the access lines go."""
    return BytesIO()


@pytest.fixture
def services(world: World, engine: RecordedEngine, log: BytesIO) -> HttpServices:
    return world.services(engine, log=log)


@pytest.fixture
def client(services: HttpServices) -> Iterator[ApiClient]:
    with calling(create_app(services)) as client:
        yield client
