"""The chain of hashes over the audit log of an account: SHA-256(previous hash || canonical row).

Whoever changes, takes out or puts in an entry breaks it there; who cuts its end leaves the
sequence of the account further on than its last entry. Source: reliability.md section 8.
"""

import hmac
import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from longshore.domain.audit.model import ChainedEntry, SealedEntry

START: Final = bytes(32)
"""What the first entry follows."""


def chained_hash(previous: bytes, entry: SealedEntry) -> bytes:
    """Return the hash of an entry that follows one with the hash ``previous``."""
    return sha256(previous + _canonical(entry)).digest()


def first_break(previous: bytes, position: int, entries: Iterable[ChainedEntry]) -> int | None:
    """Return at which position a chain is broken, None where it holds.

    ``previous`` and ``position``: hash and position of the entry that ``entries`` follow, ``START``
    and 0 before the first.
    """
    for each in entries:
        position += 1
        previous = chained_hash(previous, each.entry)
        if each.entry.position != position or not hmac.compare_digest(previous, each.hash):
            return position
    return None


def _canonical(entry: SealedEntry) -> bytes:
    """Return an entry as the bytes that are hashed: a JSON array, in this order for ever."""
    members = [
        entry.account_id,
        entry.position,
        entry.actor,
        entry.action,
        entry.object,
        entry.ip,
        entry.request_id,
        entry.created_at.isoformat(timespec="microseconds"),
        entry.wrapped_key.hex(),
        entry.facts.hex(),
    ]
    return json.dumps(members, ensure_ascii=True, separators=(",", ":")).encode()
