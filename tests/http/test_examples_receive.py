"""Examples 72 and 73 of x12.md section 5.2: what a partner pushes over HTTP, and what is kept.

``tests/docs/test_examples.py`` compares the numbers with the page.
"""

import asyncio
import gzip
from collections.abc import Iterator
from hashlib import sha256

import pytest

from longshore.domain.partners.encryption import TokenWriter
from longshore.domain.ports import AccountId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.clock import START
from tests.support.exchange import ORDER, letter
from tests.support.http_service import RecordedEngine, World
from tests.support.trading import SANDBOX, a_partner, read, write
from tests.support.vault import a_sealer, scope

LIMIT_BYTES = 100_000
TOKEN = "T" * 43
PATH = f"/edi/receive/{TOKEN}"
EDI = {"Content-Type": "application/edi-x12"}
OWN = scope(1, SANDBOX)


@pytest.fixture
def client(own_world: World) -> Iterator[ApiClient]:
    """A partner's machine, which knows its address."""
    partner_id = asyncio.run(a_partner(own_world.database, given=OWN))

    async def give(unit: WriteUnit) -> None:
        writer = TokenWriter(unit, a_sealer(), (AccountId(1), partner_id))
        await writer.insert(TOKEN, SANDBOX, START)

    asyncio.run(write(own_world.database, OWN, give))
    services = own_world.services(RecordedEngine(), max_body_bytes=LIMIT_BYTES)
    with calling(create_app(services)) as client:
        yield client


def stored(world: World) -> list[tuple[int, int]]:
    """Return id and size of each receipt, oldest first."""

    async def find(unit: ReadUnit) -> list[tuple[int, int]]:
        receipts = await unit.receipts.list_unfinished(START.replace(year=2099), 100)
        return sorted((each.id, each.new.byte_count) for each in receipts)

    return asyncio.run(read(world.database, OWN, find))


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (b"a" * (LIMIT_BYTES + 1), {}),
        (gzip.compress(b"a" * (LIMIT_BYTES + 1)), {"Content-Encoding": "gzip"}),
        (gzip.compress(bytes(LIMIT_BYTES - 1)), {"Content-Encoding": "gzip"}),
    ],
    ids=["limit + 1", "limit + 1 once expanded", "gzip over the ratio"],
)
def test_72_a_body_that_is_too_large_is_refused_and_nothing_is_stored(
    client: ApiClient, own_world: World, body: bytes, coding: dict[str, str]
) -> None:
    answer = client.post(PATH, content=body, headers=EDI | coding)
    assert (answer.status_code, answer.json()["code"]) == (413, "document_too_large")
    assert stored(own_world) == []


def test_72_a_body_of_just_the_limit_is_taken(client: ApiClient, own_world: World) -> None:
    answer = client.post(PATH, content=b"a" * LIMIT_BYTES, headers=EDI)
    assert (answer.status_code, stored(own_world)) == (200, [(1, LIMIT_BYTES)])


def test_73_each_file_of_a_multipart_body_has_a_receipt(
    client: ApiClient, own_world: World
) -> None:
    texts = [letter("PO", ORDER, head={"e13": f"00000010{at}"}).encode() for at in (1, 2)]
    files = [("file", (f"{at}.edi", text)) for at, text in enumerate(texts)]
    answer = client.post(PATH, files=files).json()
    assert [each["sha256"] for each in answer["receipts"]] == [
        sha256(text).hexdigest() for text in texts
    ]
    assert sorted(each["receipt_id"] for each in answer["receipts"]) == [1, 2]
    assert stored(own_world) == [(at, len(text)) for at, text in enumerate(texts, 1)]
