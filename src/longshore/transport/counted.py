"""A way to send, of which what came of each attempt is counted."""

from __future__ import annotations

from collections.abc import Callable

from longshore.domain.delivery.ports import OutboundMessage, Sent, Transport


class Counted:
    """The same transport. ``count`` gets the outcome of each attempt, such as ``failed``.

    It is ``awaiting`` where a receipt says later what came of it.
    """

    def __init__(self, transport: Transport, count: Callable[[str], None]) -> None:
        self._transport = transport
        self._count = count

    async def send(self, message: OutboundMessage) -> Sent:
        sent = await self._transport.send(message)
        self._count(
            "awaiting" if sent.awaits_receipt or sent.awaits_fetch else sent.verdict.outcome.value
        )
        return sent
