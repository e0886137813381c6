"""A request that was carried out, stored so that its repetition gets the same answer.

Source: contract.md section 6 (``Idempotency-Key``), transports.md section 1 (repeats).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final, NewType

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

PLACE_KIND: Final = "idempotency_key"
KEPT_FOR: Final = timedelta(days=7)
"""How long a key is kept at least."""
BYTES_KEPT_FOR: Final = timedelta(hours=24)
"""How long the same bytes on the same token are the same receipt."""


@unique
class Purpose(StrEnum):
    """What a key is for: the same text for another purpose is another key."""

    SUBMIT = "submit"
    """A document to be submitted, or an action on a transaction: a key is for one of them."""
    RECEIVE_KEY = "receive_key"
    """The ``Idempotency-Key`` of a partner."""
    RECEIVE_BYTES = "receive_bytes"
    """Without one: the token and the bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key to be claimed. ``key_digest`` and ``request_digest``: keyed hashes of 32 bytes."""

    account_id: AccountId
    environment: Environment
    purpose: Purpose
    key_digest: bytes
    request_digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRequest:
    """What is kept of a request. ``status``: of the HTTP answer, None before there is one.

    ``subject_id``: the receipt or transaction it made. ``answer``: sealed, ``b""`` without one.
    """

    id: StoredRequestId
    request_digest: bytes
    status: int | None
    subject_id: int | None
    created_at: datetime
    wrapped_key: bytes
    answer: bytes


def place_of(key: NewKey, request_id: StoredRequestId) -> AssociatedData:
    """Return where the key of an answer is bound to."""
    return AssociatedData(
        account_id=key.account_id,
        environment=key.environment,
        kind=PLACE_KIND,
        id=request_id,
    )
