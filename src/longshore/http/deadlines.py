"""Deadlines of the server: for what it awaits of clients, and for its own end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """The times for which the server waits for clients, and for its own end."""

    header_seconds: float = 15
    body_seconds: float = 30
    body_max_seconds: float = 300
    body_bytes_per_second: int = 65_536  # each of these gives the body a second more
    idle_seconds: float = 30
    linger_seconds: float = 1
    drain_seconds: float = 0.5  # unready but still accepting, so that balancers notice
    write_seconds: float = 30  # without progress of an answer
    shutdown_seconds: float = 10

    @property
    def grace_seconds(self) -> float:
        """Return what remains for running requests between draining and closing the storage."""
        rest = self.shutdown_seconds - self.drain_seconds
        return max(rest - 1, rest / 2)
