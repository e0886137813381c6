"""HTTP push: the bytes of an interchange as the body of a POST.

Source: contract.md section 15 (connection ``http``), transports.md section 5.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Final

from longshore import __version__
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, answered, failed
from longshore.domain.delivery.schedule import read_retry_after
from longshore.domain.partners.connections import BasicLogin, HttpConnection, missing_secrets
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.transport.egress import Egress, EgressError, EgressRequest

AGENT: Final = f"Longshore/{__version__}"


class HttpPush:
    """Sends to connections of the type ``http``."""

    def __init__(self, egress: Egress, clock: Clock) -> None:
        self._egress = egress
        self._clock = clock

    async def send(self, message: OutboundMessage) -> Sent:
        """POST the bytes; the same message id in each attempt lets the receiver know a repeat."""
        connection = message.connection
        assert isinstance(connection, HttpConnection)
        if missing_secrets(connection):
            return failed(FailureKind.NOT_CONFIGURED)
        outgoing = EgressRequest(
            url=connection.url,
            headers=_headers(connection, message.message_id),
            content=message.content,
            may_be_plain=message.environment is Environment.SANDBOX,
        )
        return await post(self._egress, outgoing, self._clock)


async def post(egress: Egress, outgoing: EgressRequest, clock: Clock) -> Sent:
    """Send a request; return what its answer, or the lack of one, means."""
    try:
        answer = await egress.post(outgoing)
    except EgressError as error:
        return failed(error.kind, error.message)
    retry_after = read_retry_after(answer.retry_after, clock.now())
    return answered(answer.status, answer.text, retry_after)


def _headers(connection: HttpConnection, message_id: str) -> dict[str, str]:
    """Return the headers of the connection, and ours, which win."""
    ours = {
        "Content-Type": connection.content_type,
        "Idempotency-Key": message_id,
        "X-Message-Id": message_id,
        "Accept-Encoding": "identity",
        "User-Agent": AGENT,
    }
    if connection.basic is not None:
        ours["Authorization"] = _basic(connection.basic)
    names = {name.lower() for name in ours}
    theirs = {
        name: value for name, value in connection.headers.items() if name.lower() not in names
    }
    return {**theirs, **ours}


def _basic(login: BasicLogin) -> str:
    return "Basic " + b64encode(f"{login.user}:{login.password}".encode()).decode()
