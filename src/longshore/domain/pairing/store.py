"""The store of trace numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Protocol

from longshore.domain.encryption import Owner
from longshore.domain.pairing.model import (
    NewTraces,
    OverdueRequest,
    PairedTransaction,
    RequestTrace,
    ResponseTrace,
    TraceMatch,
)
from longshore.domain.transactions.model import TransactionId

MAX_PAIRED: Final = 1_000
"""The responses to one request that are listed, the oldest first."""


class PairingReadStore(Protocol):
    """Trace numbers, to be read."""

    async def list_of_request(self, transaction_id: TransactionId) -> Sequence[RequestTrace]:
        """Return the numbers of a request, in the order of the document."""
        ...

    async def list_of_response(self, transaction_id: TransactionId) -> Sequence[ResponseTrace]:
        """Return the numbers of a response, in the order of the document."""
        ...

    async def list_responses(self, request_id: TransactionId) -> Sequence[PairedTransaction]:
        """Return the responses to a request, at most ``MAX_PAIRED``, oldest first."""
        ...

    async def list_overdue(self, now: datetime, most: int) -> Sequence[OverdueRequest]:
        """Return delivered requests whose answers were due before ``now``, oldest first.

        Those that were marked, and those that were rejected, are not listed. At most ``most``
        numbers are looked at.
        """
        ...


class PairingStore(PairingReadStore, Protocol):
    """Trace numbers, to be read and changed."""

    async def add_request(self, owner: Owner, new: NewTraces, now: datetime) -> None:
        """Store the numbers of a request; those that are stored stay as they are."""
        ...

    async def add_response(self, owner: Owner, new: NewTraces, now: datetime) -> None:
        """Store the numbers of a response; those that are stored stay as they are."""
        ...

    async def list_matches(self, response_id: TransactionId) -> Sequence[TraceMatch]:
        """Return each number of a response with the newest request that has it.

        A request that is not answered goes before one that is.
        """
        ...

    async def link(self, matches: Sequence[TraceMatch]) -> None:
        """Link numbers of a response to requests."""
        ...

    async def mark_answered(self, response_id: TransactionId) -> None:
        """Mark the numbers that a response gives back as answered, in all requests."""
        ...

    async def mark_all_answered(self, request_ids: Sequence[TransactionId]) -> None:
        """Mark all numbers of requests as answered, which are answered as a whole."""
        ...

    async def stop_waiting(self, request_ids: Sequence[TransactionId]) -> None:
        """Await no more answers to requests, since not all numbers of a response are compared."""
        ...

    async def mark_overdue(self, request_id: TransactionId, now: datetime) -> bool:
        """Mark the numbers of a request that were due; False if none was left to mark."""
        ...
