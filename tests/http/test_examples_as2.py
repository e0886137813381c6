"""Examples 74 to 76 of x12.md section 5.2: AS2 messages that come again, and their bytes.

``tests/docs/test_examples.py`` compares the numbers with the page.
"""

import asyncio
from collections.abc import Iterator

import pytest

from longshore.as2.receipts import As2Body, read_receipt
from longshore.compute.inline import InlineCompute
from longshore.domain.as2.model import As2Keys
from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.delivery.ports import OutboundMessage
from longshore.domain.interchanges.encryption import open_receipt
from longshore.domain.interchanges.store import ReceiptId
from longshore.domain.partners.connections import As2Connection
from longshore.domain.units import ReadUnit
from longshore.http.app import create_app
from longshore.transport.as2 import As2
from tests.support.as2 import a_message, a_pair, an_as2_partner, as2_members, pem_pair
from tests.support.client import ApiClient, calling
from tests.support.clock import START, StoppedClock
from tests.support.http_service import RecordedEngine, World
from tests.support.trading import SANDBOX, read
from tests.support.vault import a_sealer, scope
from tests.unit.transport.test_as2 import ScriptedEgress, connection_of, receipt_for

OWN = scope(1, SANDBOX)
LF_ONLY = b"ISA*00*~\nIEA*1*000000001~\n\n"


@pytest.fixture
def client(own_world: World) -> Iterator[ApiClient]:
    """The AS2 software of a partner."""
    asyncio.run(an_as2_partner(own_world.database, StoppedClock()))
    with calling(create_app(own_world.services(RecordedEngine()))) as client:
        yield client


def stored(world: World) -> list[bytes]:
    """Return the bytes of each receipt, oldest first."""

    async def find(unit: ReadUnit) -> list[bytes]:
        found = await unit.receipts.list_unfinished(START.replace(year=2099), 100)
        contents = []
        for each in sorted(found, key=lambda receipt: receipt.id):
            sealed = await unit.receipts.find(ReceiptId(each.id))
            assert sealed is not None
            contents.append(open_receipt(a_sealer(), *sealed).content)
        return contents

    return asyncio.run(read(world.database, OWN, find))


def test_74_a_message_id_that_comes_again_is_answered_with_the_stored_receipt(
    client: ApiClient, own_world: World
) -> None:
    headers, body, _ = a_message(LF_ONLY)
    first = client.post("/as2", headers=headers, content=body)
    again, other, _ = a_message(b"another document")
    second = client.post("/as2", headers=again, content=other)
    assert (first.status_code, second.status_code) == (200, 200)
    assert (first.content, first.headers["content-type"]) == (
        second.content,
        second.headers["content-type"],
    )
    assert stored(own_world) == [LF_ONLY]


def test_75_a_payload_with_bare_line_feeds_is_stored_as_it_is(
    client: ApiClient, own_world: World
) -> None:
    headers, body, mic = a_message(LF_ONLY)
    answer = client.post("/as2", headers=headers, content=body)
    answered = As2Body(answer.headers["content-type"], answer.content)
    receipt = read_receipt(answered, (a_pair("US co").certificate,))
    assert (receipt.is_positive, receipt.is_signed, receipt.mic) == (True, True, mic)
    assert stored(own_world) == [LF_ONLY]


async def test_76_a_receipt_with_another_mic_ends_the_delivery() -> None:
    connection = connection_of(as2_members())
    egress = ScriptedEgress(lambda sent: receipt_for(sent, payload=b"other bytes"))
    keys = As2Keys(name="US co", pairs=(pem_pair("US co"),))
    assert isinstance(connection, As2Connection)
    message = OutboundMessage(
        connection=connection,
        environment=SANDBOX,
        content=LF_ONLY,
        message_id="1",
        as2_keys=keys,
    )
    sent = await As2(egress, StoppedClock(), InlineCompute()).send(message)
    assert (sent.verdict.outcome, sent.verdict.is_final) == (AttemptOutcome.PERMANENT, True)
    assert (sent.error_code, sent.http_status) == ("mic_mismatch", None)
