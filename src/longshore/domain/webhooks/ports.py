"""The interface that calls of webhooks need: a transport of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from longshore.domain.delivery.ports import Sent


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookCall:
    """A request to an endpoint."""

    url: str = field(repr=False)
    message_id: str
    timestamp: int
    """Of this attempt, in seconds since 1970."""
    signature: str
    body: bytes = field(repr=False)
    may_be_plain: bool
    """Allow http instead of https, as for endpoints of the sandbox."""


class WebhookTransport(Protocol):
    """Makes calls; never raises for what an endpoint does."""

    async def call(self, call: WebhookCall) -> Sent:
        """Make a call and return what came of it."""
        ...
