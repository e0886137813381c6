"""The simulator as an AS2 partner: it opens messages, signs receipts, and answers by its script.

A connection to ``SIMULATOR_URL`` is a real one except for the network: messages are signed,
encrypted and opened, and the receipt is verified. Nothing leaves the process, so the trade can be
tried without addresses, servers or settings.

Source: transports.md section 2.6.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from longshore.as2.algorithms import STRONG_CIPHERS, STRONG_DIGESTS
from longshore.as2.exchange import AcceptedFrom, receive_message
from longshore.as2.headers import read_message_headers
from longshore.as2.mime import read_entity
from longshore.domain.delivery.outcome import AttemptOutcome, FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, Transport, failed
from longshore.domain.delivery.simulation import ACCEPT, read_script
from longshore.domain.partners.connections import As2Connection, MdnMode, simulates
from longshore.domain.ports import Compute
from longshore.kit.clock import Clock
from longshore.transport.as2 import As2
from longshore.transport.egress import EgressRequest, EgressResponse
from longshore.transport.simulator import simulated_replies

_OK: Final = 200
_BAD_REQUEST: Final = 400


class As2OrSimulator:
    """Sends to connections of the type ``as2``, to the simulator or to partners outside."""

    def __init__(self, outside: Transport, clock: Clock, compute: Compute) -> None:
        self._outside = outside
        self._clock = clock
        self._compute = compute

    async def send(self, message: OutboundMessage) -> Sent:
        """Send a message; what the simulator returns for it are replies."""
        connection = message.connection
        assert isinstance(connection, As2Connection)
        if not simulates(connection, message.environment):
            return await self._outside.send(message)
        lack = _lack(connection, message)
        if lack:
            return failed(FailureKind.NOT_CONFIGURED, lack)
        server = _Simulator(message, self._clock, self._compute)
        sent = await As2(server, self._clock, self._compute).send(message)
        if sent.verdict.outcome is not AttemptOutcome.SUCCEEDED:
            return sent
        script = read_script(message.simulate) or ACCEPT
        replies = await simulated_replies(self._compute, message.content, script)
        return replace(sent, replies=replies)


class _Simulator:
    """The server of the simulator, as far as one message needs it."""

    def __init__(self, message: OutboundMessage, clock: Clock, compute: Compute) -> None:
        self._message = message
        self._clock = clock
        self._compute = compute

    async def post(self, outgoing: EgressRequest) -> EgressResponse:
        """Open a message and return the receipt for it."""
        headers = {name.lower(): value for name, value in outgoing.headers.items()}
        received = await self._compute.run(
            receive_message,
            read_message_headers(headers),
            headers,
            outgoing.content,
            _accepted(self._message),
            self._clock.now(),
        )
        if not received.answer:
            return EgressResponse(_BAD_REQUEST if received.opened is None else _OK)
        entity = read_entity(received.answer)
        content_type = entity.header("content-type")
        return EgressResponse(_OK, content_type=content_type, content=bytes(entity.body))


def _lack(connection: As2Connection, message: OutboundMessage) -> str:
    """Return what the simulator lacks to answer, ``""`` if nothing."""
    if message.simulator_keys is None:
        return (
            f"The simulator has no AS2 identity {connection.as2_to}: create it in this environment."
        )
    if connection.mdn is MdnMode.ASYNC:
        return "The simulator sends its receipts in the answer: mdn cannot be async."
    return ""


def _accepted(message: OutboundMessage) -> AcceptedFrom:
    connection, own, simulator = message.connection, message.as2_keys, message.simulator_keys
    assert isinstance(connection, As2Connection)
    assert own is not None  # else nothing was sent
    assert simulator is not None
    return AcceptedFrom(
        pairs=simulator.pairs,
        certificates=tuple(each.certificate for each in own.pairs),
        must_be_signed=connection.sign,
        must_be_encrypted=connection.encrypt,
        digests=tuple({*STRONG_DIGESTS, connection.sign_algorithm}),
        ciphers=tuple({*STRONG_CIPHERS, connection.encrypt_algorithm}),
        max_bytes=len(message.content),
    )
