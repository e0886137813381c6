"""The accepted forms of a destination's URL or host, so that it leads to one place only.

``127.1``, ``0x7f000001`` and ``2130706433`` are loopback to a resolver. The same reading refuses a
URL when a partner is saved and when something is sent there; its destination is checked then.

Source: reliability.md section 6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, Protocol
from urllib.parse import SplitResult, urlsplit

Address = IPv4Address | IPv6Address

NOT_PERMITTED: Final = (
    "The address is not one that documents may be sent to. An operator can allow networks with the"
    " setting allowed_networks."
)
NEEDS_HTTPS: Final = "A live connection needs https, except in networks that the operator allows."

_PRIVILEGED: Final = 1024
_PORTS: Final = {"https": 443, "http": 80}
SERVER_PORTS: Final = {"sftp": 22, "ftps": 21}
"""The usual port of each protocol whose connections name a host."""
_NOT_IN_URLS: Final = re.compile(r"[\x00-\x20\x7f\\]|%00")
_HOST_NAME: Final = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
    r"(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?"
)
_LOOPBACK: Final = IPv4Address("127.0.0.1")
_NUMBER_LABEL: Final = re.compile("[0-9]+|0x[0-9a-f]*")


class AddressRefusedError(Exception):
    """Nothing may be sent there, and nothing was. The text says why, without the URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlTarget:
    """Where a URL or a host leads, before its name is resolved."""

    scheme: str
    host: str
    """Lower-case, in ASCII, without brackets."""
    port: int
    path: str
    """With its query, as written."""

    @property
    def address(self) -> Address | None:
        """The address that the host is, None if it is a name."""
        return _address(self.host)

    @property
    def visible_address(self) -> Address | None:
        """The address that shows without a resolver: ``localhost`` is loopback (RFC 6761)."""
        is_local = f".{self.host.rstrip('.')}".endswith(".localhost")
        return _LOOPBACK if is_local else self.address


class DestinationRules(Protocol):
    """Where an operator lets documents be sent."""

    def refusal(self, target: UrlTarget, *, may_be_plain: bool) -> str:
        """Return why nothing may be sent to a target, as far as it shows by itself; else "".

        ``may_be_plain`` tells whether http will do, as it does for test connections.
        """
        ...


def read_target(url: str) -> UrlTarget:
    """Return where a URL leads.

    Raises:
        AddressRefusedError: It is written in a way that two programs may read differently, its
            scheme is another than http and https, or its port is none of 80, 443 and 1024 to 65535.
    """
    if _NOT_IN_URLS.search(url):
        raise AddressRefusedError("The URL holds a space, a backslash or a control character.")
    try:
        parts = urlsplit(url)
        given_port, name = parts.port, parts.hostname or ""
    except ValueError as error:
        raise AddressRefusedError("The URL has no valid host or port.") from error
    if parts.scheme not in _PORTS or not url[len(parts.scheme) :].startswith("://"):
        raise AddressRefusedError("The URL does not begin with https:// or http://.")
    if "@" in parts.netloc:
        raise AddressRefusedError("The URL holds a login.")
    if "%" in parts.netloc:
        raise AddressRefusedError("The host of the URL holds a percent sign.")
    port = _PORTS[parts.scheme] if given_port is None else given_port
    if port < _PRIVILEGED and port not in _PORTS.values():
        raise AddressRefusedError("The port of the URL is none of 80, 443 and 1024 to 65535.")
    host = _host(name, is_literal="[" in parts.netloc)
    return UrlTarget(scheme=parts.scheme, host=host, port=port, path=_path(parts))


def read_server(scheme: str, host: str, port: int) -> UrlTarget:
    """Return where a host and a port lead that are given apart, as for SFTP and FTPS.

    Raises:
        AddressRefusedError: The host is written in a way that two programs may read differently, or
            the port is below 1024 and not that of the protocol.
    """
    if port < _PRIVILEGED and port != SERVER_PORTS[scheme]:
        raise AddressRefusedError(f"The port is neither {SERVER_PORTS[scheme]} nor from 1024 on.")
    is_literal = host.startswith("[") and host.endswith("]")
    name = host[1:-1] if is_literal else host
    return UrlTarget(scheme=scheme, host=_host(name, is_literal=is_literal), port=port, path="")


def _host(name: str, *, is_literal: bool) -> str:
    """Return the host in the one way it is used from here on.

    Raises:
        AddressRefusedError: It is none.
    """
    if is_literal or ":" in name:
        literal = _address(name)
        if literal is None:
            raise AddressRefusedError("The URL has no valid host or port.")
        return str(literal)
    try:
        host = name.encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise AddressRefusedError("The URL has no valid host or port.") from error
    if not _HOST_NAME.fullmatch(host):
        raise AddressRefusedError("The URL has no valid host or port.")
    # What ends in a number is an address to a resolver, in any of a dozen spellings.
    if _NUMBER_LABEL.fullmatch(host.rstrip(".").rpartition(".")[2]) and _address(host) is None:
        raise AddressRefusedError("The address in the URL is not written as four numbers.")
    return host


def _path(parts: SplitResult) -> str:
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


def _address(text: str) -> Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
