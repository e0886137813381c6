"""Calls of webhook endpoints: a POST with the headers of Standard Webhooks.

Source: transports.md section 4.
"""

from __future__ import annotations

from typing import Final

from longshore.domain.delivery.ports import Sent
from longshore.domain.webhooks.ports import WebhookCall
from longshore.kit.clock import Clock
from longshore.transport.egress import Egress, EgressRequest
from longshore.transport.http_push import AGENT, post

DEADLINE_SECONDS: Final = 15.0


class WebhookClient:
    """Calls endpoints over HTTP."""

    def __init__(self, egress: Egress, clock: Clock) -> None:
        self._egress = egress
        self._clock = clock

    async def call(self, call: WebhookCall) -> Sent:
        """POST the body; the same ``webhook-id`` in each attempt shows the receiver a repeat."""
        outgoing = EgressRequest(
            url=call.url,
            headers={
                "Content-Type": "application/json",
                "webhook-id": call.message_id,
                "webhook-timestamp": str(call.timestamp),
                "webhook-signature": call.signature,
                "Accept-Encoding": "identity",
                "User-Agent": AGENT,
            },
            content=call.body,
            may_be_plain=call.may_be_plain,
        )
        return await post(self._egress, outgoing, self._clock)
