"""Stored answers of requests with an idempotency key, and the store that a unit offers for them.

A key is claimed first, in the unit that has the effect and stores the answer. Of several equal
requests at once one claims the key, and the others wait until that unit has ended and get its
answer. So a request that cannot claim a key always finds a stored answer.

Source: contract.md section 6 (``Idempotency-Key``), transports.md section 1 (repeats).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final, NewType, Protocol

from longshore.domain.ports import AccountId, AssociatedData
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

_HEADER: Final = "Idempotency-Key"


class IdempotencyMismatchError(LongshoreError):
    """The key was used with another request; nothing was done for this one."""

    def __init__(self) -> None:
        code = ErrorCode.IDEMPOTENCY_MISMATCH
        text = (
            f"This {_HEADER} was used with another body or path. Send what is new under a key of"
            " its own."
        )
        super().__init__(code, text, details=(ErrorDetail(code=code, param=_HEADER, message=text),))


StoredRequestId = NewType("StoredRequestId", int)

ROW_KIND: Final = "idempotency_key"
KEY_RETENTION: Final = timedelta(days=7)
"""The shortest time for which a key is kept."""
DIGEST_RETENTION: Final = timedelta(hours=24)
"""The time for which the same bytes on the same token are the same receipt."""


@unique
class Purpose(StrEnum):
    """The purpose of a key: the same text for another purpose is another key."""

    SUBMIT = "submit"
    """A document to be submitted, or an action on a transaction: a key is for one of them."""
    RECEIVE_KEY = "receive_key"
    """The ``Idempotency-Key`` of a partner."""
    RECEIVE_BYTES = "receive_bytes"
    """Without one: the token and the bytes."""
    AS2_MESSAGE = "as2_message"
    """The sender and the Message-ID of an AS2 message."""
    FETCHED_FILE = "fetched_file"
    """The path, size, time and content of a file in the mailbox of a partner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key to be claimed."""

    account_id: AccountId
    environment: Environment
    purpose: Purpose
    key_digest: bytes
    """Keyed hash of the key, 32 bytes."""
    request_digest: bytes
    """Keyed hash of the request, 32 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRequest:
    """A stored request."""

    id: StoredRequestId
    request_digest: bytes
    status: int | None
    """Of the HTTP answer, None before there is one."""
    subject_id: int | None
    """The receipt or transaction it made."""
    created_at: datetime
    wrapped_key: bytes
    answer: bytes
    """Sealed, ``b""`` without one."""


def associated_data_of(key: NewKey, request_id: StoredRequestId) -> AssociatedData:
    """Return where the key of an answer is bound to."""
    return AssociatedData(
        account_id=key.account_id,
        environment=key.environment,
        kind=ROW_KIND,
        id=request_id,
    )


class IdempotencyReadStore(Protocol):
    """Stored requests, to be read."""

    async def find(self, key: NewKey) -> StoredRequest | None:
        """Return what is kept under a key; its ``request_digest`` is not looked at."""
        ...


class IdempotencyStore(IdempotencyReadStore, Protocol):
    """Stored requests, to be read and changed."""

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
