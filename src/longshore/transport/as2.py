"""AS2: a signed and encrypted message as the body of a POST, and the receipt in its answer.

The signature and the encryption differ between attempts, the Message-ID and the payload do not: the
receiver recognises a repeat. What was sent counts as delivered when a receipt says so and names the
MIC of what was sent; the receipt is in the answer, or comes later to ``RECEIPT_PATH``.

Receipts of ours that a partner wants in a connection of their own are sent by the same class.

Source: transports.md sections 2.2 and 2.4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from email.utils import format_datetime
from typing import Final, Protocol

from longshore import __version__
from longshore.as2.algorithms import STRONG_DIGESTS, mic_name
from longshore.as2.errors import CertificateError, ReceiptError
from longshore.as2.exchange import compose_with_texts, read_receipt_with_texts
from longshore.as2.headers import AS2_VERSION, receipt_options, write_message_id, write_name
from longshore.as2.messages import Composed, Wrapping
from longshore.as2.mime import read_entity
from longshore.as2.receipt_facts import As2Receipt
from longshore.as2.receipts import As2Body
from longshore.domain.as2.connection_check import lack_of
from longshore.domain.as2.model import ReceiptToSend
from longshore.domain.delivery.outcome import AttemptOutcome, FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, answered, failed
from longshore.domain.delivery.receipts import result_of, sent_of
from longshore.domain.delivery.schedule import read_retry_after
from longshore.domain.partners.connections import (
    SIMULATOR_URL,
    As2Connection,
    MdnMode,
    TransferEncoding,
)
from longshore.domain.ports import Compute
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.transport.egress import Egress, EgressError, EgressRequest, EgressResponse

DEADLINE_SECONDS: Final = 90.0
"""Of an attempt in all: a receipt in the answer may take a minute."""
RECEIPT_PATH: Final = "/as2/mdn"
_METHOD_NOT_ALLOWED: Final = 405
_AGENT: Final = f"Longshore/{__version__}"


class As2Server(Protocol):
    """The server that messages are posted to: one outside, through the egress, or the simulator."""

    async def post(self, outgoing: EgressRequest) -> EgressResponse:
        """Send a request and return its answer, whatever its status.

        Raises:
            EgressError: There was no answer.
        """
        ...


class As2:
    """Sends to connections of the type ``as2``."""

    def __init__(
        self, server: As2Server, clock: Clock, compute: Compute, base_url: str = ""
    ) -> None:
        """Send; ``base_url`` is our own, to which partners send receipts, ``""`` if unknown."""
        self._server = server
        self._clock = clock
        self._compute = compute
        self._receipt_url = f"{base_url}{RECEIPT_PATH}" if base_url else ""

    async def send(self, message: OutboundMessage) -> Sent:
        """POST a message, and compare the receipt with it."""
        connection = message.connection
        assert isinstance(connection, As2Connection)
        lack = _lack(connection, message, self._receipt_url)
        if lack:
            return failed(FailureKind.NOT_CONFIGURED, lack)
        now, sender = self._clock.now(), message.as2_keys
        try:
            composed = await self._compute.run(
                compose_with_texts,
                message.content,
                _wrapping(connection, message.message_id),
                sender.pairs[0] if connection.sign and sender is not None else None,
                connection.certificates[0] if connection.encrypt else None,
                now,
            )
        except CertificateError as error:
            return failed(FailureKind.NOT_CONFIGURED, str(error))
        is_async = connection.mdn is MdnMode.ASYNC
        headers = _headers(connection, message.message_id, composed)
        if is_async:
            headers["Receipt-Delivery-Option"] = self._receipt_url
            await message.on_composed(composed.mics)
        outgoing = EgressRequest(
            url=connection.url,
            headers={**headers, "Date": format_datetime(now, usegmt=True)},
            content=composed.body.content,
            may_be_plain=message.environment is Environment.SANDBOX,
        )
        try:
            answer = await self._server.post(outgoing)
        except EgressError as error:
            return failed(error.kind, error.message)
        retry_after = read_retry_after(answer.retry_after, self._clock.now())
        sent = answered(answer.status, answer.text, retry_after)
        if sent.verdict.outcome is not AttemptOutcome.SUCCEEDED or connection.mdn is MdnMode.NONE:
            return sent
        if is_async:
            return replace(sent, awaits_receipt=True)
        body = As2Body(answer.content_type, answer.content)
        return _Check(connection, message.message_id, composed).result(body, answer.status)

    async def send_receipt(self, receipt: ReceiptToSend, environment: Environment) -> Sent:
        """POST a receipt of ours to the URL that the sender of a message named."""
        entity = read_entity(receipt.entity)
        outgoing = EgressRequest(
            url=receipt.url,
            headers={
                "AS2-Version": AS2_VERSION,
                "AS2-From": write_name(receipt.sender),
                "AS2-To": write_name(receipt.receiver),
                "Message-ID": receipt.message_id,
                "MIME-Version": "1.0",
                "Content-Type": entity.header("content-type"),
                "Date": format_datetime(self._clock.now(), usegmt=True),
                "User-Agent": _AGENT,
            },
            content=bytes(entity.body),
            may_be_plain=environment is Environment.SANDBOX,
        )
        try:
            answer = await self._server.post(outgoing)
        except EgressError as error:
            return failed(error.kind, error.message)
        retry_after = read_retry_after(answer.retry_after, self._clock.now())
        return answered(answer.status, answer.text, retry_after)


class As2Prober:
    """Asks servers for an answer, for a check of the connection."""

    def __init__(self, egress: Egress) -> None:
        self._egress = egress

    async def probe(self, url: str, environment: Environment) -> Sent:
        """Ask the server of a URL for an answer, without a message."""
        if url == SIMULATOR_URL and environment is Environment.SANDBOX:
            return answered(_METHOD_NOT_ALLOWED, "", None)  # as the URL of a server of ours
        try:
            is_plain = environment is Environment.SANDBOX
            answer = await self._egress.probe(url, may_be_plain=is_plain)
        except EgressError as error:
            return failed(error.kind, error.message)
        return answered(answer.status, "", None)


@dataclass(frozen=True, slots=True)
class _Check:
    """Compares the receipt in an answer with what was sent."""

    connection: As2Connection
    message_id: str
    composed: Composed

    def result(self, body: As2Body, status: int) -> Sent:
        """Return what a receipt means for the document."""
        connection = self.connection
        allowed = {*STRONG_DIGESTS, connection.sign_algorithm}
        try:
            receipt = read_receipt_with_texts(body, connection.certificates, allowed)
            self._refuse_other(receipt)
        except CertificateError as error:
            return failed(FailureKind.NOT_CONFIGURED, str(error))
        except ReceiptError as error:
            return failed(FailureKind.ANSWER_INVALID, str(error))
        return sent_of(result_of(receipt, self.composed.mics), status)

    def _refuse_other(self, receipt: As2Receipt) -> None:
        if receipt.original_message_id != write_message_id(self.message_id):
            raise ReceiptError("The receipt is for another message.")
        if self.connection.mdn_signed and not receipt.is_signed:
            raise ReceiptError("The receipt is not signed, as was agreed.")


def _lack(connection: As2Connection, message: OutboundMessage, receipt_url: str) -> str:
    """Return what a connection lacks to be used, ``""`` if nothing."""
    if connection.mdn is MdnMode.ASYNC and not receipt_url:
        return "The setting base_url is missing: the partner sends its receipts there."
    return lack_of(connection, has_identity=message.as2_keys is not None)


def _wrapping(connection: As2Connection, message_id: str) -> Wrapping:
    return Wrapping(
        sign=connection.sign_algorithm if connection.sign else None,
        encrypt=connection.encrypt_algorithm if connection.encrypt else None,
        is_oaep=connection.oaep,
        compress=connection.compress,
        is_base64=connection.transfer_encoding is TransferEncoding.BASE64,
        content_type=connection.content_type,
        filename=f"{message_id}.edi",
    )


def _headers(connection: As2Connection, message_id: str, composed: Composed) -> dict[str, str]:
    sender = write_name(connection.as2_from)
    headers = {
        "AS2-Version": AS2_VERSION,
        "AS2-From": sender,
        "AS2-To": write_name(connection.as2_to),
        "Message-ID": write_message_id(message_id),
        "Subject": "EDI document",
        "MIME-Version": "1.0",
        "Content-Type": composed.body.content_type,
        "Accept-Encoding": "identity",
        "User-Agent": _AGENT,
    }
    if connection.mdn is not MdnMode.NONE:
        headers["Disposition-Notification-To"] = sender
        if connection.mdn_signed:
            options = receipt_options(mic_name(composed.mic.algorithm))
            headers["Disposition-Notification-Options"] = options
    return headers
