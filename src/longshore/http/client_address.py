"""The address of the real client: the peer, or the one that trusted proxies name.

Anybody can send X-Forwarded-For. It is read from its end, where our own proxies write, and only as
far as each hop is trusted; the first address that is not is the client. What is no address ends
the search, so nothing else ever reaches a log.
"""

from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_network

from starlette.types import Scope


class ClientAddresses:
    """Knows the trusted proxies: addresses and networks, such as ``10.0.0.0/8``."""

    def __init__(self, trusted_proxies: Iterable[str]) -> None:
        self._trusted = tuple(ip_network(network) for network in trusted_proxies)

    def of(self, scope: Scope, headers: Mapping[bytes, bytes]) -> str:
        """Return the client's address; ``""`` if the server knows none."""
        peer: str = scope["client"][0] if scope["client"] else ""
        if not self._trusted or not self.is_trusted(peer):
            return peer
        client = peer
        hops = headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")
        for hop in reversed(hops):
            address = _address(hop)
            if address is None:
                break
            client = address
            if not self.is_trusted(client):
                break
        return client

    def is_trusted(self, address: str) -> bool:
        """Return whether an address is one of the trusted proxies."""
        known = _address(address)
        return known is not None and any(ip_address(known) in network for network in self._trusted)


def _address(text: str) -> str | None:
    try:
        return str(ip_address(text.strip()))
    except ValueError:
        return None
