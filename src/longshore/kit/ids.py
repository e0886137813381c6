"""The source of random bytes: the only module that reads entropy."""

import secrets
from typing import Protocol


class IdSource(Protocol):
    """Protocol of a source of unguessable bytes; tests use a fixed one."""

    def token_bytes(self, count: int) -> bytes:
        """Return ``count`` random bytes."""
        ...


class SystemIdSource:
    """Entropy of the operating system."""

    def token_bytes(self, count: int) -> bytes:
        """Return ``count`` bytes fit for secrets."""
        return secrets.token_bytes(count)
