"""Limits on open connections, in all and of each client, and which one closes for a new one.

A connection costs a descriptor and some memory, whether or not anything is asked on it. At a limit
the newest connection that waits for its client is closed, so that a flood replaces its own
connections and nobody else's: first one of the client that has most of them. If none waits, the new
connection is refused.
"""

import resource
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum, unique
from ipaddress import IPv6Address, ip_network
from typing import Final, Protocol

from longshore.kit.errors import ErrorCode, LongshoreError

RETRY_AFTER_SECONDS: Final = 5
RESERVED_DESCRIPTORS: Final = 128
"""Left for the database, the processes that work on documents, and connections to partners."""

_IPV6_PREFIX: Final = 64  # what one client is given


@unique
class ConnectionLimit(StrEnum):
    """The limit that ended a connection."""

    TOTAL = "total"
    CLIENT = "client"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """The numbers; see the settings of the same names."""

    max_connections: int = 4_096
    connections_per_client: int = 1_024


class Connection(Protocol):
    """A connection as the limits see it."""

    @property
    def peer(self) -> str:
        """The address at the other end; empty if it has none."""
        ...

    @property
    def is_waiting(self) -> bool:
        """Return whether nothing is being done for it: it waits for a whole request head."""
        ...

    def end_for_another(self) -> None:
        """Close it: another one needs its place."""
        ...

    def refuse(self) -> None:
        """Answer that there are too many connections, and close it."""
        ...


class OpenConnections:
    """The open connections of a server.

    Args:
        limits: How many there may be.
        is_shared: Whether an address stands for many clients, as that of a proxy does.
        on_closed: Is called with the limit for every connection that is closed or refused.
    """

    def __init__(
        self,
        limits: ConnectionLimits,
        is_shared: Callable[[str], bool] = lambda _: False,
        on_closed: Callable[[ConnectionLimit], None] = lambda _: None,
    ) -> None:
        self._limits = limits
        self._is_shared = is_shared
        self._on_closed = on_closed
        self._by_client: dict[str, dict[Connection, None]] = {}
        self._count = 0

    def __len__(self) -> int:
        """Return how many are open."""
        return self._count

    def add(self, connection: Connection) -> None:
        """Count a new connection, and close one if there are too many."""
        client = _client_of(connection.peer)
        if not self._has_room(connection, client):
            connection.refuse()
            return
        self._by_client.setdefault(client, {})[connection] = None
        self._count += 1

    def remove(self, connection: Connection) -> None:
        """Forget a connection, if it is counted."""
        client = _client_of(connection.peer)
        own = self._by_client.get(client, {})
        if connection in own:
            del own[connection]
            self._count -= 1
            if not own:
                del self._by_client[client]

    def _has_room(self, connection: Connection, client: str) -> bool:
        """Return whether there is room for a new connection, for which another one may end."""
        own = self._by_client.get(client, {})
        is_full = len(own) >= self._limits.connections_per_client
        if is_full and not self._is_shared(connection.peer):
            return self._end_one(ConnectionLimit.CLIENT, [own])
        if self._count < self._limits.max_connections:
            return True
        by_size = sorted(self._by_client.values(), key=len, reverse=True)
        return self._end_one(ConnectionLimit.TOTAL, by_size)

    def _end_one(self, limit: ConnectionLimit, clients: list[dict[Connection, None]]) -> bool:
        """End the newest connection that waits, of the first client that has one."""
        self._on_closed(limit)
        waiting = (each for own in clients for each in reversed(own) if each.is_waiting)
        chosen = next(waiting, None)
        if chosen is None:
            return False
        self.remove(chosen)
        chosen.end_for_another()
        return True


def too_many_connections() -> LongshoreError:
    """Return the refusal of a connection that there is no room for."""
    return LongshoreError(
        ErrorCode.OVERLOADED,
        "The server has as many connections as it can take. Try again in a moment.",
        retry_after_seconds=RETRY_AFTER_SECONDS,
    )


def _client_of(peer: str) -> str:
    if ":" not in peer:
        return peer
    address = IPv6Address(peer.partition("%")[0])
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, _IPV6_PREFIX), strict=False))


def fitting_descriptors(limits: ConnectionLimits) -> ConnectionLimits:
    """Allow the process the descriptors it needs; lower the limit to what the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.max_connections + RESERVED_DESCRIPTORS
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return ConnectionLimits(
        max_connections=max(1, min(limits.max_connections, wanted - RESERVED_DESCRIPTORS)),
        connections_per_client=limits.connections_per_client,
    )
