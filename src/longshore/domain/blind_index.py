"""Keyed hashes of sealed values, so that rows are found by what nobody can read in them.

Two equal values have one digest within a purpose, an account and an environment, and in no other
place: a digest tells nobody without the master key whether a guess is right, nor that two accounts
hold the same number. Source: reliability.md section 7.
"""

from enum import StrEnum, unique
from typing import Protocol

from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment


@unique
class BlindPurpose(StrEnum):
    """What is looked for. A digest of one purpose says nothing of another."""

    REFERENCE = "reference"
    """A business key or another reference of a transaction."""
    RECEIVED_BYTES = "received bytes"
    """The bytes of a receipt, as they came."""
    INTERCHANGE_BODY = "interchange body"
    """From ISA to IEA, without line breaks around terminators."""
    SET_BODY = "set body"
    """From ST to SE."""
    ACK_BODY = "ack body"
    """What an acknowledgement says of one set."""
    CORRECTION = "correction"
    """The id of the transaction that a receipt corrects."""
    IDEMPOTENCY_KEY = "idempotency key"
    REQUEST_BODY = "request body"


class BlindIndex(Protocol):
    """Hashes values with keys that are derived from the master key."""

    def digest(
        self, purpose: BlindPurpose, owner: tuple[AccountId, Environment], value: bytes
    ) -> bytes:
        """Return the 32 bytes that stand for ``value`` in this place."""
        ...
