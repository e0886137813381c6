"""Where documents may be sent: one table of addresses.

What counts is the address a name leads to, not the name. ``ipaddress.is_global`` is not enough; it
has called dangerous addresses global. An operator may allow networks of his own, except what is
never a partner: link-local addresses and those under which clouds tell secrets.

Source: reliability.md section 6, transports.md section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Final

from longshore.domain.partners.targets import NEEDS_HTTPS, NOT_PERMITTED, Address, UrlTarget

Network = IPv4Network | IPv6Network

_REFUSED: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        (
            # IPv4
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
            *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
            *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
            # IPv6 inside 2000::/3; outside it all is refused
            *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
        ),
    )
)
_GLOBAL_IPV6: Final = IPv6Network("2000::/3")
_NEVER: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32"),
            *("::/128", "fe80::/10", "ff00::/8"),
            # Where clouds tell credentials to whatever runs in them.
            *("100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::254/128"),
        ),
    )
)
"""Refused even where an operator allows a network that holds them."""

_MAPPED: Final = IPv6Network("::ffff:0:0/96")
_NAT64: Final = IPv6Network("64:ff9b::/96")
_COMPATIBLE: Final = IPv6Network("::/96")
_LOWER_32: Final = 0xFFFF_FFFF
_WITHIN_LAST_32: Final = (_MAPPED, _NAT64, _COMPATIBLE)
_LOOPBACK_6: Final = 1  # the last 32 bits of ::1, which is no IPv4 address


def networks_of(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return networks by their texts, such as ``10.0.0.0/8``."""
    return tuple(map(ip_network, texts))


class Destinations:
    """Where documents may be sent: public addresses, and networks that an operator allows."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = networks_of(allowed)

    def refusal(self, target: UrlTarget, *, may_be_plain: bool) -> str:
        """Return why nothing may be sent to a target, as far as it shows by itself; else "".

        What a name leads to is known when something is sent.
        """
        address = target.visible_address
        if address is not None:
            return self.refusal_of(target, (address,), may_be_plain=may_be_plain)
        is_plain = target.scheme == "http" and not may_be_plain
        return NEEDS_HTTPS if is_plain and not self._allowed else ""

    def refusal_of(
        self, target: UrlTarget, addresses: Sequence[Address], *, may_be_plain: bool
    ) -> str:
        """Return why nothing may be sent to a target that has these addresses; else ""."""
        if not all(is_permitted(each, self._allowed) for each in addresses):
            return NOT_PERMITTED
        is_ours = all(is_listed(each, self._allowed) for each in addresses)
        return NEEDS_HTTPS if target.scheme == "http" and not may_be_plain and not is_ours else ""


def is_permitted(address: Address, allowed: Sequence[Network] = ()) -> bool:
    """Tell whether documents may be sent to an address.

    It is public, or in a network that the operator allows; so is each IPv4 address within it.
    """
    within = (address, *_embedded(address))
    if any(each in network for each in within for network in _NEVER):
        return False
    if not all(_is_public(each) or is_listed(each, allowed) for each in within):
        return False
    return isinstance(address, IPv4Address) or address.scope_id is None


def is_listed(address: Address, allowed: Sequence[Network]) -> bool:
    """Tell whether an operator allows a network that an address is in."""
    return any(address in network for network in allowed)


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address not in _GLOBAL_IPV6:
        return False
    return not any(address in network for network in _REFUSED)


def _embedded(address: Address) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses that an IPv6 address may lead to."""
    if isinstance(address, IPv4Address):
        return
    last = int(address) & _LOWER_32
    if last > _LOOPBACK_6 and any(address in network for network in _WITHIN_LAST_32):
        yield IPv4Address(last)
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
