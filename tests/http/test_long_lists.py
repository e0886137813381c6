"""How far lists count what fits: for pages to 10,000, for API keys to the end (decision 0016)."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from longshore.domain.accounts.service import KeyService
from longshore.kit.environment import Environment
from longshore.storage.sqlite.database import SqliteDatabase, open_database
from tests.support.client import ApiClient, calling
from tests.support.clock import CountedIds, StoppedClock
from tests.support.database import SqliteEngine, make_sqlite
from tests.support.http_service import bearer
from tests.support.long_lists import application, fill

ONE_TOO_MANY = 10_001


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteDatabase]:
    """10,001 of everything."""
    place = tmp_path_factory.mktemp("long")
    make_sqlite(place)
    asyncio.run(fill(SqliteEngine(place), ONE_TOO_MANY))
    with open_database(place) as database:
        yield database


Page = dict[str, Any]  # Any: what JSON holds
Read = Callable[[str], Page]


@pytest.fixture(scope="module")
def served(database: SqliteDatabase) -> Iterator[tuple[ApiClient, Mapping[str, str]]]:
    app, headers = asyncio.run(application(database))
    with calling(app) as client:
        yield client, headers


@pytest.fixture(scope="module")
def read(served: tuple[ApiClient, Mapping[str, str]]) -> Read:
    """Read a list as a page of the owner does."""
    client, headers = served
    return lambda path: client.get(path, headers=headers).json()


@pytest.mark.parametrize(
    "path", ["/api/transactions", "/api/acks?ack_type=all", "/api/interchanges"]
)
def test_a_page_counts_no_further_than_10_000(read: Read, path: str) -> None:
    page = read(path)
    assert (page["total"], page["total_is_exact"], page["has_more"]) == (10_000, False, True)


def test_what_is_behind_what_was_counted_can_be_reached(read: Read) -> None:
    page = read("/api/transactions?offset=10000")
    assert (page["count"], page["has_more"]) == (1, False)
    assert [each["id"] for each in page["transactions"]] == [1]


def test_10_000_are_counted_exactly(read: Read) -> None:
    oldest = read("/api/transactions?offset=10000")["transactions"][0]
    page = read(f"/api/transactions?date_from={oldest['created_at']}.999999")
    assert (page["total"], page["total_is_exact"]) == (10_000, True)


@pytest.mark.parametrize(
    ("search", "same"),
    [
        ("q=partner%207", "partner_id=7"),
        ("q=0001&partner_id=7", "partner_id=7"),
        ("control_number=0001&status=rejected", "status=rejected"),
    ],
    ids=["only a partner is named", "of what all have", "number of all"],
)
def test_a_search_that_finds_too_much_finds_all_of_it(read: Read, search: str, same: str) -> None:
    found, expected = (read(f"/api/transactions?{each}") for each in (search, same))
    assert found["transactions"] == expected["transactions"] != []
    assert (found["total"], found["total_is_exact"]) == (expected["total"], True)


def test_an_api_key_is_told_exactly(
    served: tuple[ApiClient, Mapping[str, str]], database: SqliteDatabase
) -> None:
    keys = KeyService(database.units, StoppedClock(), CountedIds("exact"), database.revocations)
    key = asyncio.run(keys.create("Demo", Environment.PRODUCTION)).key
    for path in ("/api/v1/transactions", "/api/v1/acks?ack_type=all"):
        page = served[0].get(path, headers=bearer(key)).json()
        assert (page["total"], page["total_is_exact"]) == (ONE_TOO_MANY, True)
