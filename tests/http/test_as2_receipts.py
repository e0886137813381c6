"""Receipts in connections of their own over the whole application: POST /as2 and /as2/mdn."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from longshore.as2.algorithms import Mic
from longshore.as2.errors import Disposition
from longshore.as2.exchange import as_entity
from longshore.as2.headers import MessageHeaders
from longshore.as2.messages import Wrapping
from longshore.as2.mime import read_entity
from longshore.as2.receipts import (
    As2Body,
    NewAs2Receipt,
    read_receipt,
    write_receipt,
    write_signed_receipt,
)
from longshore.domain.as2.model import ReceiptToSend
from longshore.domain.as2.receipt_delivery import As2ReceiptSender
from longshore.domain.audit.writer import open_detail
from longshore.domain.delivery.model import JobKind
from longshore.domain.delivery.ports import JobHandlers, OutboundMessage, Sent
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.units import ReadUnit
from longshore.http.app import create_app
from longshore.kit.environment import Environment
from tests.support.as2 import NOW, a_message, a_pair, an_as2_partner
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.dispatch import OK, Destination, Jobs, Order, a_worker, queued
from tests.support.http_service import RecordedEngine, World
from tests.support.ports import some_ports
from tests.support.trading import SANDBOX, read
from tests.support.vault import a_sealer, scope

OWN = scope(1, SANDBOX)
PAYLOAD = b"ISA*00*~IEA*1*000000001~"
LATER = "http://as2.example.com/mdn"
MIC = Mic(b"d" * 32, "sha256")


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def partner_id(own_world: World, clock: StoppedClock) -> PartnerId:
    return asyncio.run(an_as2_partner(own_world.database, clock, mdn="async"))


@pytest.fixture
def client(own_world: World, clock: StoppedClock, partner_id: PartnerId) -> Iterator[ApiClient]:
    assert partner_id
    with calling(create_app(own_world.services(RecordedEngine(), clock=clock))) as client:
        yield client


def details(world: World, action: str) -> list[str]:
    """Return the details of an action in the audit log, oldest first."""

    async def find(unit: ReadUnit) -> list[str]:
        found = [each.entry for each in await unit.audit.list_after(AccountId(1), 0, 100)]
        return [open_detail(a_sealer(), each) for each in found if each.action == action]

    return asyncio.run(read(world.database, OWN, find))


class Receiver:
    """Keeps the receipts that are sent."""

    def __init__(self) -> None:
        self.taken: list[ReceiptToSend] = []

    async def send_receipt(self, receipt: ReceiptToSend, environment: Environment) -> Sent:
        assert environment is SANDBOX
        self.taken.append(receipt)
        return OK


def sent_receipts(world: World, clock: StoppedClock) -> list[ReceiptToSend]:
    """Do what is due, and return the receipts that were sent."""
    receiver, ports = Receiver(), some_ports(world.database, clock)
    handlers = JobHandlers({JobKind.AS2_RECEIPT: As2ReceiptSender(ports, receiver)}, Jobs())
    worker = a_worker(world.database, clock, Destination(), handler=handlers)
    asyncio.run(worker.run_once())
    return receiver.taken


# Any: the answer of the test client.
def post(client: ApiClient, message: tuple[dict[str, str], bytes, object]) -> Any:  # noqa: ANN401 - see above
    return client.post("/as2", headers=message[0], content=message[1])


def test_the_receipt_is_sent_where_the_message_says(
    client: ApiClient, own_world: World, clock: StoppedClock
) -> None:
    headers, body, mic = a_message(PAYLOAD, receipt_delivery_option=LATER)
    for _ in range(2):
        answer = client.post("/as2", headers=headers, content=body)
        assert (answer.status_code, answer.content) == (200, b"")
    first, second = sent_receipts(own_world, clock)
    assert (first.url, first.sender, first.receiver) == (LATER, "US co", "THEM")
    entity = read_entity(first.entity)
    receipt = read_receipt(
        As2Body(entity.header("content-type"), bytes(entity.body)), (a_pair("US co").certificate,)
    )
    assert (receipt.original_message_id, receipt.mic) == ("<1@them>", mic)
    # The receipt of a repeat has the same content, in a message of its own.
    assert second.entity == first.entity
    assert second.message_id != first.message_id


def test_what_is_refused_gets_a_receipt_at_the_host_of_the_partner_only(
    client: ApiClient, own_world: World, clock: StoppedClock
) -> None:
    unsigned = Wrapping(sign=None)
    answer = post(client, a_message(PAYLOAD, unsigned, receipt_delivery_option=LATER))
    assert (answer.status_code, answer.content) == (200, b"")
    elsewhere = "http://elsewhere.example.com/mdn"
    answer = post(client, a_message(PAYLOAD, unsigned, receipt_delivery_option=elsewhere))
    text = "The message is not signed, as was agreed."
    assert answer.status_code == 400
    assert answer.json()["error"] == f"The AS2 message was refused. {text}"
    (receipt,) = sent_receipts(own_world, clock)
    assert receipt.url == LATER
    assert b"insufficient-message-security" in receipt.entity
    assert details(own_world, "as2.refuse") == [text, text]


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("ftp://them.example.com/", "http"),
        ("http://169.254.169.254/", "not"),
        ("not a URL", "space"),
    ],
)
def test_a_receipt_goes_to_permitted_addresses_only(
    client: ApiClient, own_world: World, clock: StoppedClock, url: str, text: str
) -> None:
    answer = post(client, a_message(PAYLOAD, receipt_delivery_option=url))
    assert answer.status_code == 400
    expected = "The AS2 message was refused. No receipt is sent to its Receipt-Delivery-Option. "
    assert answer.json()["error"].startswith(expected)
    assert text in answer.json()["error"].removeprefix(expected)
    assert sent_receipts(own_world, clock) == []


def test_strangers_get_no_receipt_anywhere_else(
    client: ApiClient, own_world: World, clock: StoppedClock
) -> None:
    answer = post(client, a_message(PAYLOAD, as2_from="X", receipt_delivery_option=LATER))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert sent_receipts(own_world, clock) == []


# ---- receipts of partners ------------------------------------------------------------------------


def sent_message(world: World, clock: StoppedClock, partner_id: PartnerId) -> str:
    """Send a document whose receipt is awaited; return its Message-ID."""

    async def take(message: OutboundMessage) -> Sent:
        await message.on_composed((MIC,))
        return replace(OK, awaits_receipt=True)

    async def send() -> str:
        await queued(world.database, Order(partner_id=partner_id))
        as2 = Destination(take)
        others = {ConnectionType.AS2: as2}
        await a_worker(world.database, clock, Destination(), others=others).run_once()
        return f"<{as2.parcels[0].message_id}@longshore>"

    return asyncio.run(send())


def a_receipt(message_id: str, *, mic: Mic = MIC, signer: str = "THEM") -> As2Body:
    new = NewAs2Receipt(
        of=MessageHeaders(sender="US co", receiver="THEM", message_id=message_id),
        disposition=Disposition.PROCESSED,
        text="",
        mic=mic,
    )
    if not signer:
        return write_receipt(new)
    return write_signed_receipt(new, a_pair(signer), "sha256", NOW)


NOT_PINNED = (
    "The signature of the receipt is not valid."
    " The signature was not made with a key of a pinned certificate."
)


# Any: the answer of the test client.
def post_receipt(client: ApiClient, body: As2Body, **changes: str) -> Any:  # noqa: ANN401 - see above
    headers = {
        "as2-from": "THEM",
        "as2-to": '"US co"',
        "message-id": "<2@them>",
        "content-type": body.content_type,
    }
    return client.post("/as2/mdn", headers=headers | changes, content=body.content)


def deliveries(world: World) -> Sequence[str]:
    async def find(unit: ReadUnit) -> Sequence[str]:
        found = await unit.events.list_after(SANDBOX, 0, 100)
        return [each.type.value for each in found]

    return asyncio.run(read(world.database, OWN, find))


def test_a_receipt_ends_the_delivery_and_a_copy_changes_nothing(
    client: ApiClient, own_world: World, clock: StoppedClock, partner_id: PartnerId
) -> None:
    body = a_receipt(sent_message(own_world, clock, partner_id))
    for _ in range(2):
        answer = post_receipt(client, body)
        assert (answer.status_code, answer.content) == (200, b"")
    assert "transaction.delivered" in deliveries(own_world)
    (detail,) = details(own_world, "as2.refuse")
    assert detail == (
        "The receipt came for a message whose delivery had ended; it changed nothing."
        " It says: processed."
    )


def test_a_receipt_for_other_bytes_ends_it_as_failed(
    client: ApiClient, own_world: World, clock: StoppedClock, partner_id: PartnerId
) -> None:
    message_id = sent_message(own_world, clock, partner_id)
    other = replace(MIC, digest=b"e" * 32)
    assert post_receipt(client, a_receipt(message_id, mic=other)).status_code == 200
    assert "transaction.failed" in deliveries(own_world)


def test_receipts_that_prove_nothing_are_refused_and_recorded(
    client: ApiClient, own_world: World, clock: StoppedClock, partner_id: PartnerId
) -> None:
    message_id = sent_message(own_world, clock, partner_id)
    for body, changes, text in (
        (a_receipt(message_id, signer=""), {}, "The receipt is not signed, as was agreed."),
        (
            a_receipt(message_id, signer="STRANGER"),
            {},
            NOT_PINNED,
        ),
        (
            a_receipt("<1@longshore>"),
            {},
            "The receipt is for no message that was sent to this partner.",
        ),
        (
            As2Body("text/plain", as_entity(a_receipt(message_id))),
            {},
            "The answer is no receipt. It has another Content-Type than multipart/report.",
        ),
        (a_receipt(message_id), {"as2-from": "X"}, "Nothing is received under these AS2 names."),
    ):
        answer = post_receipt(client, body, **changes)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
        assert answer.json()["error"] == f"The AS2 receipt was refused. {text}"
    assert len(details(own_world, "as2.refuse")) == 4
    answer = post_receipt(client, a_receipt(message_id), **{"message-id": ""})
    assert answer.json()["error"].startswith("This is no AS2 message: ")
    answer = post_receipt(client, As2Body("text/plain", b"x" * 262_145))
    assert answer.status_code == 413
    assert "transaction.delivered" not in deliveries(own_world)
