"""Acknowledgements in the answer to a partner's own request, over a real connection."""

import asyncio
import socket
import struct
import time
from io import BytesIO

import pytest

from longshore.domain.acks.model import AckId
from longshore.domain.delivery.model import JobKind, NewOutboxEntry, OutboxId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.units import ReadUnit, WriteUnit
from tests.http.test_receive import A_997, AN_850, OWN, PATH, fill, process, receipts
from tests.support.clock import START
from tests.support.database import Database
from tests.support.http_service import RecordedEngine, World
from tests.support.live_server import PATIENCE_SECONDS, a_request, live
from tests.support.trading import SANDBOX, read, write

WANTED = a_request(
    "POST",
    PATH,
    "Accept: application/edi-x12",
    "Content-Type: application/edi-x12",
    f"Content-Length: {len(AN_850)}",
    body=AN_850,
)
A_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on, at once
WAITING, TAKEN = ("queued", "due"), ("sent", "done")


@pytest.fixture
def world(own_world: World) -> World:
    asyncio.run(fill(own_world.database))
    return own_world


def answered(world: World) -> None:
    """Do what a worker does with the first receipt: our acknowledgement waits to be delivered."""
    entry = NewOutboxEntry(
        kind=JobKind.ACKNOWLEDGEMENT,
        environment=SANDBOX,
        due_at=START,
        interchange_id=InterchangeId(2),
    )

    async def work(database: Database) -> None:
        async def insert(unit: WriteUnit) -> None:
            await unit.outbox.insert(AccountId(2), entry, START)

        await process(database, A_997)
        await write(database, OWN, insert)

    asyncio.run(work(world.database))


def state(world: World) -> tuple[str, str]:
    """Return how the acknowledgement stands, and the entry that delivers it."""

    async def find(unit: ReadUnit) -> tuple[str, str]:
        ack = await unit.acks.find(AckId(1))
        entry = await unit.outbox.find(OutboxId(2))
        assert ack is not None
        assert entry is not None
        return ack.ack.row.status.value, entry.state.value

    return asyncio.run(read(world.database, OWN, find))


def wait_for(what: object, world: World) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while state(world) != what:
        assert time.monotonic() < until


def test_what_was_written_to_the_partner_is_sent_and_not_delivered_as_well(world: World) -> None:
    with live(world.services(RecordedEngine())) as server:
        server.ask(a_request("POST", PATH, "Content-Length: 20", body=AN_850), "POST", PATH)
        answered(world)
        assert state(world) == WAITING
        with server.connect() as wire:
            wire.send(WANTED)
            answer = wire.answer("POST", "/edi/receive/{token}")
            assert (answer.body, answer.headers["content-type"]) == (A_997, "application/edi-x12")
            wait_for(TAKEN, world)


def test_the_text_in_a_json_answer_is_delivered_all_the_same(world: World) -> None:
    with live(world.services(RecordedEngine())) as server:
        server.ask(a_request("POST", PATH, "Content-Length: 20", body=AN_850), "POST", PATH)
        answered(world)
        asking = a_request("POST", f"{PATH}?wait=1", "Content-Length: 20", body=AN_850)
        answer = server.ask(asking, "POST", "/edi/receive/{token}")
        assert answer.json()["ack"] == A_997.decode()
        server.stop()
        server.wait_until_ended()
    assert state(world) == WAITING


def test_who_has_gone_before_the_answer_gets_it_delivered(world: World) -> None:
    log = BytesIO()
    with live(world.services(RecordedEngine(), log=log)) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, A_RESET)
            connection.sendall(WANTED)
            until = time.monotonic() + PATIENCE_SECONDS
            while not receipts(world):  # it is stored, and the answer is waited for
                assert time.monotonic() < until
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""  # the server has noticed that its client left
        answered(world)
        server.stop()
        server.wait_until_ended()
    assert b'"status":200' in log.getvalue()  # it went on all the same
    assert state(world) == WAITING
