"""Scenes for the crash tests of AS2, each with the fault points at which its process dies."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from longshore.as2.certificates import PemKeyPair
from longshore.as2.headers import MessageHeaders
from longshore.as2.receipt_facts import As2Receipt
from longshore.domain.as2.expiring_certificates import ExpiringCertificateChecker
from longshore.domain.as2.intake import As2Relationship
from longshore.domain.as2.model import ReceiptToSend
from longshore.domain.delivery.model import DeliveryAttempt
from longshore.domain.inbound.intake import IncomingDocument
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.units import ReadUnit
from tests.support.as2 import CERTIFICATE
from tests.support.crashes import LEASE_OVER, SENT_MIC, Scene, Stage, an_account, passed, work
from tests.support.dispatch import Order, queued
from tests.support.partners import FIRST, OWN, new_partner
from tests.support.ports import some_ports
from tests.support.processing import case

AS2_MESSAGE: Final = MessageHeaders(sender="THEM", receiver="US", message_id="<1@them>")


async def an_identity(stage: Stage) -> None:
    await an_account(stage)
    pair = PemKeyPair(CERTIFICATE, "a key")
    await stage.trading.as2_identities.create(OWN, "US", pair)


async def an_as2_partner(stage: Stage, mdn: str = "sync") -> None:
    await an_identity(stage)
    connection = {
        "type": "as2",
        "url": "https://as2.example.com/",
        "as2_from": "US",
        "as2_to": "THEM",
        "certificates": [CERTIFICATE],
        "mdn": mdn,
    }
    await stage.trading.partners.create(OWN, new_partner(connections={"test": connection}))


async def the_relationship(stage: Stage) -> As2Relationship:
    relationship = await stage.trading.as2_intake.find(AS2_MESSAGE, "192.0.2.7")
    assert relationship is not None
    return relationship


async def receive_by_as2(stage: Stage) -> None:
    document = IncomingDocument(content=case(1))
    await stage.trading.as2_intake.store(
        await the_relationship(stage), AS2_MESSAGE.message_id, document, b"the receipt"
    )


async def queue_a_receipt(stage: Stage) -> None:
    receipt = ReceiptToSend(
        url="https://as2.example.com/mdn",
        sender="US",
        receiver="THEM",
        message_id="<7@longshore>",
        entity=b"Content-Type: multipart/report\r\n\r\n...",
    )
    await stage.trading.as2_intake.queue_receipt(await the_relationship(stage), receipt)


async def a_receipt_is_queued(stage: Stage) -> None:
    await an_as2_partner(stage)
    await queue_a_receipt(stage)


async def something_goes_by_as2(stage: Stage) -> None:
    await an_as2_partner(stage, "async")
    await queued(stage.database, Order(partner_id=FIRST))


async def something_awaits_its_receipt(stage: Stage) -> None:
    await something_goes_by_as2(stage)
    await stage.worker.run_once()


async def take_a_receipt(stage: Stage) -> None:
    relationship = await the_relationship(stage)

    async def attempts(unit: ReadUnit) -> Sequence[DeliveryAttempt]:
        return await unit.outbox.list_attempts(InterchangeId(1))

    (attempt,) = await stage.database.units.read(relationship.scope, attempts)
    receipt = As2Receipt(
        original_message_id=f"<{attempt.message_id}@longshore>",
        disposition="processed",
        mic=SENT_MIC,
        is_signed=True,
    )
    await stage.trading.as2_receipt_intake.take(relationship, receipt)


async def send_again(stage: Stage) -> None:
    """End an attempt whose receipt is overdue, and send the message again."""
    await stage.overdue_receipts.run_once()
    stage.clock.move(LEASE_OVER)
    await stage.worker.run_once()


async def look_at_certificates(stage: Stage) -> None:
    ports = some_ports(stage.database, stage.clock)
    await ExpiringCertificateChecker(ports).run_once()


BY_AS2: Final = {
    "an AS2 message is taken in": Scene(
        prepare=an_as2_partner, act=receive_by_as2, points=passed("as2.receive")
    ),
    "a message is sent whose receipt comes later": Scene(
        prepare=something_goes_by_as2,
        act=work,
        points={
            **passed("dispatch.await_receipt", stored=2),
            **passed("dispatch.conclude", stored=3),
        },
        sends_twice=frozenset({"dispatch.conclude.before_commit"}),
    ),
    "a receipt is taken": Scene(
        prepare=something_awaits_its_receipt, act=take_a_receipt, points=passed("as2.take_receipt")
    ),
    "a receipt is late": Scene(
        prepare=something_awaits_its_receipt,
        act=send_again,
        points=passed("dispatch.overdue_receipt"),
        later=timedelta(minutes=31),
        sends_twice=frozenset(passed("dispatch.overdue_receipt")),
    ),
    "a certificate expires": Scene(
        prepare=an_identity,
        act=look_at_certificates,
        points=passed("as2.report_certificate"),
        later=timedelta(days=3_620),
    ),
    "a receipt of ours is queued": Scene(
        prepare=an_as2_partner,
        act=queue_a_receipt,
        points=passed("as2.queue_receipt"),
        is_found=True,
    ),
    "a receipt of ours is sent": Scene(
        prepare=a_receipt_is_queued,
        act=work,
        points=passed("as2.send_receipt", "after_answer", stored=1),
        sends_twice=frozenset({"as2.send_receipt.after_answer", "as2.send_receipt.before_commit"}),
    ),
}
