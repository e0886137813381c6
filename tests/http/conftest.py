"""The application in process, on a real database."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from shutil import copytree

import pytest

from longshore.http.app import create_app
from longshore.http.services import HttpServices
from longshore.storage.sqlite.database import open_database
from tests.support.client import ApiClient, calling
from tests.support.http_service import Keys, RecordedEngine, World, open_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("http")) as world:
        yield world


@pytest.fixture(scope="session")
def closed_world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, World]:
    """A folder with what ``world`` has, and a world that needs another database."""
    place = tmp_path_factory.mktemp("closed") / "data"
    with open_world(place) as world:
        return place, world


@pytest.fixture
def own_world(closed_world: tuple[Path, World], tmp_path: Path) -> Iterator[World]:
    """A world that a test may change."""
    place, world = closed_world
    copytree(place, tmp_path / "data")
    with open_database(tmp_path / "data") as database:
        yield replace(world, database=database)


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
