"""Whose an inbound URL is, and how many wrong ones an address may try.

A token has 256 random bits, so no guess ever finds one; what the limit keeps away is the noise in
the logs. So a right token is let in however many wrong ones came from its address: partners behind
one proxy or mailbox do not lock each other out.

Source: transports.md section 1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Final

from longshore.domain.partners.model import InboundTokenId, PartnerId
from longshore.domain.ports import AccountId, Scope
from longshore.domain.users.throttle import counted_client
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

WINDOW: Final = timedelta(minutes=1)
MAX_WRONG: Final = 10
MAX_REMEMBERED: Final = 20_000  # addresses, about 20 MB if each has tried its ten


class UnknownTokenError(LongshoreError):
    """Nothing is taken under this token; an edge tells nobody that the path was right."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.NOT_FOUND, "There is no such inbound address.")


class TooManyWrongTokensError(LongshoreError):
    """An address has tried too many tokens that are none."""

    def __init__(self, wait_seconds: int) -> None:
        code = ErrorCode.RATE_LIMITED
        text = (
            f"Too many requests to addresses that do not exist: at most {MAX_WRONG} a minute."
            f" Try again in {wait_seconds} s."
        )
        detail = ErrorDetail(code=code, message=text, limit="wrong_tokens", max=MAX_WRONG)
        super().__init__(code, text, details=(detail,), retry_after_seconds=wait_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundChannel:
    """The partner and the environment that a token stands for."""

    account_id: AccountId
    environment: Environment
    partner_id: PartnerId
    token_id: InboundTokenId

    @property
    def scope(self) -> Scope:
        """Return the scope of every unit that runs for what comes in this way."""
        return Scope(account_id=self.account_id, environment=self.environment)


def is_among(ip: str, networks: Iterable[str]) -> bool:
    """Tell whether an address is of one of the networks; a text that is no address is of none."""
    try:
        address = ip_address(ip)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in ip_network(network) for network in networks)


class WrongTokens:
    """Counts wrong tokens per address. One per process, on its event loop; bounded."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._times_by_client: dict[str, deque[datetime]] = {}

    def add(self, ip: str) -> None:
        """Count one more from an address.

        Raises:
            TooManyWrongTokensError: It has had its ten in the minute before this one.
        """
        client, now = counted_client(ip), self._clock.now()
        times = self._times_by_client.pop(client, None) or deque(maxlen=MAX_WRONG)
        while times and times[0] + WINDOW <= now:
            times.popleft()
        is_full = len(times) == MAX_WRONG
        if not is_full:
            times.append(now)
        if len(self._times_by_client) >= MAX_REMEMBERED:
            del self._times_by_client[next(iter(self._times_by_client))]
        self._times_by_client[client] = times
        if is_full:
            raise TooManyWrongTokensError(ceil((times[0] + WINDOW - now) / timedelta(seconds=1)))
