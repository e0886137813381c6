"""Identification of senders: from the token in the path to the channel it stands for.

A token that stands for nothing is answered as a path that leads nowhere is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from longshore.domain.inbound.channel import InboundChannel, UnknownTokenError
from longshore.http.errors import PathNotFoundError
from longshore.http.exchange import Exchange
from longshore.http.operation import CallerRule, Charge
from longshore.http.services import HttpServices
from longshore.kit.errors import ErrorCode


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose machine it is, and the headers it sent."""

    channel: InboundChannel
    headers: Mapping[bytes, bytes]

    def header(self, name: bytes) -> str:
        """Return the value of a header, ``""`` without it."""
        return self.headers.get(name, b"").decode("latin-1")


async def _identify_sender(exchange: Exchange, services: HttpServices, _: Charge) -> Sender:
    token = exchange.path_parameters["token"]
    try:
        channel = await services.trading.intake.channel(token, exchange.client)
    except UnknownTokenError:
        raise PathNotFoundError from None
    exchange.caller = channel
    services.limits.charge_channel(channel.token_id)
    return Sender(channel, exchange.headers)


SENDER: Final = CallerRule(
    identify=_identify_sender,
    security=None,
    errors=frozenset({
        ErrorCode.NOT_FOUND,
        ErrorCode.RATE_LIMITED,
        ErrorCode.STORAGE_UNAVAILABLE,
    }),
)
"""A partner's machine; the token in its path is all it has to show."""
