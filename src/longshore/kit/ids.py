"""The only place that draws entropy."""

import secrets
from typing import Protocol


class IdSource(Protocol):
    """What code that needs unguessable bytes is given; tests give a fixed one."""

    def token_bytes(self, count: int) -> bytes:
        """Return ``count`` random bytes."""
        ...


class SystemIdSource:
    """Entropy of the operating system."""

    def token_bytes(self, count: int) -> bytes:
        """Return ``count`` bytes fit for secrets."""
        return secrets.token_bytes(count)
