"""What carrying out a request once needs of a unit.

The key is claimed first, in the very unit that has the effect and keeps the answer: of twins at
once one claims it, and the others wait until that unit has ended. So no answer is ever outstanding
for who cannot claim.
"""

from datetime import datetime
from typing import Protocol

from longshore.domain.idempotency.model import NewKey, StoredRequest, StoredRequestId


class IdempotencyReadStore(Protocol):
    """What is kept of requests, to be read."""

    async def find(self, key: NewKey) -> StoredRequest | None:
        """Return what is kept under a key; its ``request_digest`` is not looked at."""
        ...


class IdempotencyStore(IdempotencyReadStore, Protocol):
    """What is kept of requests, to be read and changed."""

    async def claim(
        self, key: NewKey, now: datetime, forgotten_before: datetime
    ) -> StoredRequestId | None:
        """Store a key and return its id; None if it is kept, and since ``forgotten_before``."""
        ...

    async def finish(
        self, request_id: StoredRequestId, status: int, subject_id: int | None
    ) -> None:
        """Keep the status and the subject of the answer."""
        ...

    async def set_answer(
        self, request_id: StoredRequestId, wrapped_key: bytes, answer: bytes
    ) -> None:
        """Keep a sealed answer."""
        ...

    async def delete_older(self, before: datetime, most: int) -> int:
        """Forget what was kept before a moment, the oldest first; return how many."""
        ...
